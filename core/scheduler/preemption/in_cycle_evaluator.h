// Preemption as part of the scheduling cycle: the cycle waits while the victims are evicted one after the other, and
// the nominations of lower-priority pods are cleared after that. Upstream:
// pkg/scheduler/framework/preemption/preemption.go of v1.24.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/scheduler/framework/handle.h"
#include "core/scheduler/preemption/evaluator.h"
#include "core/scheduler/preemption/victims.h"

namespace podberth::scheduler::preemption {

class InCycleEvaluator {
 public:
  InCycleEvaluator(std::string_view plugin, Handle& handle, const Policy& policy)
      : plugin_(plugin), handle_(handle), policy_(policy) {}

  // Success: the victims are evicted and `result` names the node. Otherwise the status says why nothing is preempted;
  // `result` then tells whether an old nomination is to be cleared. Simulated time passes meanwhile.
  Status preempt(CycleState& state, const PodInfo& pod, const NodeToStatus& statuses, PostFilterResult& result);

 private:
  struct Found {
    std::vector<Candidate> candidates;
    std::vector<std::pair<api::Symbol, Status>> statuses;  // of nodes that are none
    std::vector<std::string> errors;
    Status extenders;         // an extender's error
    bool taken_away = false;  // the extenders have left no candidate
  };
  // Tries the nodes, beginning at `offset`, until there are enough candidates.
  Found dryRun(CycleState& state, const PodInfo& pod, const std::vector<NodeInfo*>& nodes, std::size_t offset) const;
  // Where the search begins is drawn; of equally good candidates one is. If there is a choice to follow, the search
  // begins where it is found.
  Found search(CycleState& state, const PodInfo& pod, const std::vector<NodeInfo*>& nodes, Candidate* best);
  Status evict(const Candidate& candidate, const api::Pod& preemptor);

  std::string_view plugin_;
  Handle& handle_;
  const Policy& policy_;
};

}  // namespace podberth::scheduler::preemption
