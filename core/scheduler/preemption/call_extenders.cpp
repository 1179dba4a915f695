#include "core/scheduler/preemption/call_extenders.h"

#include <utility>

#include "core/scheduler/framework/extender.h"

namespace podberth::scheduler::preemption {

Status callExtenders(const CycleState& state, const api::Pod& pod, std::vector<Candidate>* candidates) {
  const ExtendersState* told = state.read(kExtendersStateKey);
  if (told == nullptr) return {};
  for (Extender* extender : *told->extenders) {
    if (candidates->empty()) break;
    if (!extender->supportsPreemption() || !extender->isInterested(pod)) continue;
    Extender::Preempted answer = extender->processPreemption(pod, *candidates);
    if (!answer.error.empty()) {
      if (extender->isIgnorable()) continue;
      return Status::error(answer.error);
    }
    std::vector<Candidate> left;
    for (Candidate& candidate : answer.victims) {
      if (!candidate.victims.empty()) {
        left.push_back(std::move(candidate));
      } else if (!extender->isIgnorable()) {
        return Status::error("expected at least one victim pod on node \"" + candidate.node + "\"");
      }
    }
    *candidates = std::move(left);
  }
  return {};
}

}  // namespace podberth::scheduler::preemption
