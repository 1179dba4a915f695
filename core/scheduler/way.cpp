// The ways of the releases, side by side.
#include "core/scheduler/scheduler_v1_24.h"

namespace podberth::scheduler {

const SchedulerImpl::Way& SchedulerImpl::wayOf(release::CycleRules rules) {
  static constexpr Way kNow = {
      [](SchedulerImpl& s, const QueuedPodInfoPtr& info) { s.scheduleOnePod(info); },
      [](SchedulerImpl& s, Framework& framework, CycleState& state, const QueuedPodInfo& info, Result& result) {
        return s.schedulePod(framework, state, info, result);
      },
      [](SchedulerImpl& s, const std::map<EventResource, std::int64_t>& resources) { s.addEventHandlers(resources); },
      true,
  };
  static constexpr Way kThen = {
      [](SchedulerImpl& s, const QueuedPodInfoPtr& info) { V1_24(s).scheduleOne(info); },
      [](SchedulerImpl& s, Framework& framework, CycleState& state, const QueuedPodInfo& info, Result& result) {
        return V1_24(s).schedulePod(framework, state, info, result);
      },
      [](SchedulerImpl& s, const std::map<EventResource, std::int64_t>& resources) {
        V1_24(s).addEventHandlers(resources);
      },
      false,
  };
  return rules == release::CycleRules::kV1_24 ? kThen : kNow;
}

}  // namespace podberth::scheduler
