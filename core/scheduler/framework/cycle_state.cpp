#include "core/scheduler/framework/cycle_state.h"

namespace podberth::scheduler {

CycleState CycleState::clone() const {
  CycleState copy(*this);
  for (auto& [key, data] : copy.data_) {
    if (data == nullptr) continue;
    if (std::shared_ptr<StateData> own = data->clone()) data = std::move(own);
  }
  return copy;
}

}  // namespace podberth::scheduler
