#include "core/scheduler/plugins/scheduling_gates/scheduling_gates.h"

namespace podberth::scheduler::plugins {

std::string waitingForGatesMessage(const std::vector<std::string>& gates) {
  std::string out = "waiting for scheduling gates: [";
  for (std::size_t i = 0; i < gates.size(); ++i) {
    if (i > 0) out += ' ';
    out += gates[i];
  }
  return out + "]";
}

std::vector<ClusterEventWithHint> SchedulingGates::eventsToRegister() const {
  return {{ClusterEvent{EventResource::kTargetPod, action::kUpdatePodSchedulingGatesEliminated, {}},
           [](const api::Pod&, const api::Object*, const api::Object*) { return HintResult::queue(); }}};
}

Status SchedulingGates::preEnqueue(const api::Pod& pod) {
  if (pod.spec.scheduling_gates.empty()) return {};
  return Status(Code::kUnschedulableAndUnresolvable, waitingForGatesMessage(pod.spec.scheduling_gates));
}

std::unique_ptr<Plugin> newSchedulingGates(const config::PluginArgs&, Handle&, std::string*) {
  return std::make_unique<SchedulingGates>();
}

}  // namespace podberth::scheduler::plugins
