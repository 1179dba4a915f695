#include "core/api/pod.h"

namespace podberth::api {

const PodCondition* PodStatus::condition(std::string_view type) const {
  for (const PodCondition& c : conditions) {
    if (c.type == type) return &c;
  }
  return nullptr;
}

}  // namespace podberth::api
