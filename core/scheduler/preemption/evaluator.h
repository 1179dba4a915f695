// Finds out where a pod could go if pods of lower priority made room, and has the chosen ones evicted.
// Upstream: pkg/scheduler/framework/preemption/preemption.go (Evaluator).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/scheduler/framework/handle.h"
#include "core/scheduler/preemption/executor.h"
#include "core/scheduler/preemption/victims.h"

namespace podberth::scheduler::preemption {

// What a preemption plugin decides.
class Policy {
 public:
  virtual ~Policy() = default;
  // How many of so many nodes are to be found as candidates.
  virtual std::int32_t numCandidates(std::int32_t nodes) const = 0;
  // "" if the pod may preempt others; else why not. `nominated` is what the node that it is nominated to said.
  virtual std::string whyNotEligible(const api::Pod& pod, const Status& nominated) const = 0;
  // The smallest set of pods to evict from the node so that the pod fits. `state` and `node` are copies of its own.
  virtual Status selectVictims(CycleState& state, const PodInfo& preemptor, NodeInfo& node, const Budgets& budgets,
                               std::vector<api::PodPtr>* victims, std::int64_t* pdb_violations) const = 0;
};

class Evaluator {
 public:
  Evaluator(std::string_view plugin, Handle& handle, const Policy& policy, Executor& executor)
      : plugin_(plugin),
        handle_(handle),
        policy_(policy),
        executor_(executor),
        asynchronous_(handle.gates().enabled(kAsyncPreemptionGate)) {}

  // Success: victims are being evicted and `result` names the node. Otherwise the status says why nothing is preempted;
  // `result` then tells whether an old nomination is to be cleared.
  Status preempt(CycleState& state, const PodInfo& pod, const NodeToStatus& statuses, PostFilterResult& result);

 private:
  Status dryRun(CycleState& state, const PodInfo& pod, const std::vector<NodeInfo*>& nodes,
                std::vector<Candidate>* candidates, NodeToStatus* node_statuses);

  std::string_view plugin_;
  Handle& handle_;
  const Policy& policy_;
  Executor& executor_;
  bool asynchronous_;  // the gate SchedulerAsyncPreemption
};

}  // namespace podberth::scheduler::preemption
