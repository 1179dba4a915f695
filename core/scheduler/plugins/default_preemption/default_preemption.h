// DefaultPreemption: when a pod fits nowhere, finds a node where it would fit without some pods of lower priority,
// evicts those and nominates the node. While the evictions are being sent the pod stays out of the queue, or the
// scheduling cycle waits, as the release's preemption policy says. Extension
// points: PostFilter, PreEnqueue. Upstream: pkg/scheduler/framework/plugins/defaultpreemption.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/scheduler/config/types.h"
#include "core/scheduler/framework/handle.h"
#include "core/scheduler/preemption/evaluator.h"
#include "core/scheduler/preemption/executor.h"
#include "core/scheduler/preemption/in_cycle_evaluator.h"

namespace podberth::scheduler::plugins {

inline constexpr std::string_view kReasonPreemptionNever = "not eligible due to preemptionPolicy=Never.";
inline constexpr std::string_view kReasonTerminatingVictim =
    "not eligible due to a terminating pod on the nominated node.";
inline constexpr std::string_view kReasonNoVictims = "No preemption victims found for incoming pod";
inline constexpr std::string_view kReasonPreemptionRuns = "waiting for the preemption for this pod to be finished";

class DefaultPreemption : public Plugin, private preemption::Policy {
 public:
  static constexpr Points kPoints = Point::kPreEnqueue | Point::kPostFilter;
  DefaultPreemption(const config::DefaultPreemptionArgs& args, Handle& handle);

  std::string_view name() const override;
  Points points() const override { return kPoints; }
  bool hasEvents() const override { return true; }
  std::vector<ClusterEventWithHint> eventsToRegister() const override;
  Status preEnqueue(const api::Pod& pod) override;
  Status postFilter(CycleState& state, const PodInfo& pod, const NodeToStatus& statuses,
                    PostFilterResult& result) override;

 private:
  std::int32_t numCandidates(std::int32_t nodes) const override;
  std::string whyNotEligible(const api::Pod& pod, const Status& nominated) const override;
  Status selectVictims(CycleState& state, const PodInfo& preemptor, NodeInfo& node, const preemption::Budgets& budgets,
                       std::vector<api::PodPtr>* victims, std::int64_t* pdb_violations) const override;

  Handle& handle_;
  config::DefaultPreemptionArgs args_;
  bool asynchronous_ = true;
  const bool in_cycle_;  // PreemptionPolicy::kInTheCycle
  preemption::Executor executor_;
  preemption::Evaluator evaluator_;
  preemption::InCycleEvaluator in_cycle_evaluator_;
};

// Arguments of another type count as none: the defaults. (What they may be is checked where they are read.)
std::unique_ptr<Plugin> newDefaultPreemption(const config::PluginArgs& args, Handle& handle, std::string* error);

}  // namespace podberth::scheduler::plugins
