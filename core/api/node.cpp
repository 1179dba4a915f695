#include "core/api/node.h"

namespace podberth::api {

std::string Taint::str() const {
  if (value.empty()) return effect.empty() ? key : key + ":" + effect;
  return key + "=" + value + ":" + effect;
}

}  // namespace podberth::api
