#include "core/scheduler/preemption/evaluator.h"

#include <memory>
#include <utility>

#include "core/scheduler/framework/container_requests.h"
#include "core/scheduler/preemption/call_extenders.h"
#include "core/scheduler/preemption/nomination.h"

namespace podberth::scheduler::preemption {

// Tries the nodes one after the other until there are enough candidates, one of which violates no budget. Upstream
// starts at a random node; here it is the first.
Status Evaluator::dryRun(CycleState& state, const PodInfo& pod, const std::vector<NodeInfo*>& nodes,
                         std::vector<Candidate>* candidates, NodeToStatus* node_statuses) {
  const Budgets budgets = handle_.listers().pod_disruption_budgets->list();
  const auto wanted = static_cast<std::size_t>(policy_.numCandidates(static_cast<std::int32_t>(nodes.size())));
  std::vector<Candidate> clean;
  std::vector<Candidate> violating;
  std::vector<std::string> errors;
  for (const NodeInfo* original : nodes) {
    CycleState own_state = state.clone();
    NodeInfo node = *original;
    Candidate candidate;
    candidate.node = original->name().str();
    Status status = policy_.selectVictims(own_state, pod, node, budgets, &candidate.victims, &candidate.pdb_violations);
    if (status.isSuccess() && !candidate.victims.empty()) {
      std::vector<Candidate>& list = candidate.pdb_violations == 0 ? clean : violating;
      if (list.size() < wanted) list.push_back(std::move(candidate));
      if (!clean.empty() && clean.size() + violating.size() >= wanted) break;
      continue;
    }
    if (status.isSuccess()) {
      status = Status::error("expected at least one victim pod on node \"" + candidate.node + "\"");
    }
    if (status.isError()) errors.push_back(status.message());
    node_statuses->set(original->name(), std::move(status));
  }
  *candidates = std::move(clean);
  for (Candidate& candidate : violating) candidates->push_back(std::move(candidate));
  return errors.empty() ? Status() : Status::error(aggregate(errors));
}

Status Evaluator::preempt(CycleState& state, const PodInfo& pod_info, const NodeToStatus& statuses,
                          PostFilterResult& result) {
  const api::Pod& queued = *pod_info.pod;
  const api::PodPtr latest = handle_.listers().pods->get(queued.meta.ns, queued.meta.name);
  if (latest == nullptr) return Status::error("pod \"" + queued.meta.name + "\" not found");
  // The nomination may have changed since the pod was queued.
  std::shared_ptr<const PodInfo> updated;
  if (latest.get() != pod_info.pod.get()) updated = makePodInfo(latest, Counting(handle_.gates()));
  const PodInfo& pod = updated == nullptr ? pod_info : *updated;

  const Status& nominated = statuses.get(api::Symbol(latest->status.nominated_node_name));
  const std::string why_not = policy_.whyNotEligible(*latest, nominated);
  if (!why_not.empty()) return Status(Code::kUnschedulable, why_not);

  if (handle_.snapshot().size() == 0) return Status::error("no nodes available");
  // Only where somebody's leaving could help.
  const std::vector<NodeInfo*> nodes = statuses.nodesForCode(handle_.snapshot(), Code::kUnschedulable);
  std::vector<Candidate> candidates;
  auto fit_error = std::make_shared<FitError>();
  if (!nodes.empty()) {
    Status status = dryRun(state, pod, nodes, &candidates, &fit_error->diagnosis.node_to_status);
    if (!status.isSuccess() && candidates.empty()) return status;
  }
  if (candidates.empty()) {
    fit_error->num_all_nodes = handle_.snapshot().size();
    fit_error->diagnosis.node_to_status.setAbsent(
        Status(Code::kUnschedulableAndUnresolvable, std::string(kNotHelpful)));
    result = nominate("");
    return Status(Code::kUnschedulable, fit_error->message());
  }

  const Status asked = callExtenders(state, *latest, &candidates);
  if (!asked.isSuccess()) return asked;
  if (candidates.empty()) return Status(Code::kUnschedulable, "no candidate node for preemption");

  const Candidate& best = *pickOne(candidates, handle_.loop().now());
  if (asynchronous_) {
    executor_.actuate(best, latest, plugin_);
  } else {
    const Status evicted = executor_.actuateNow(best, latest, plugin_);
    if (!evicted.isSuccess()) return evicted;
  }
  result = nominate(best.node);
  return Status(Code::kSuccess, "found a potential placement for pod on node " + best.node + ", preempting " +
                                    std::to_string(best.victims.size()) + " victims");
}

}  // namespace podberth::scheduler::preemption
