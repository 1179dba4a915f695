#include "core/scheduler/preemption/in_cycle_evaluator.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "core/scheduler/framework/container_requests.h"
#include "core/scheduler/preemption/call_extenders.h"
#include "core/scheduler/preemption/nomination.h"

namespace podberth::scheduler::preemption {
namespace {

constexpr std::string_view kPreempted = "Preempted";

}  // namespace

InCycleEvaluator::Found InCycleEvaluator::dryRun(CycleState& state, const PodInfo& pod,
                                                 const std::vector<NodeInfo*>& nodes, std::size_t offset) const {
  const Budgets budgets = handle_.listers().pod_disruption_budgets->list();
  const auto wanted = static_cast<std::size_t>(policy_.numCandidates(static_cast<std::int32_t>(nodes.size())));
  Found found;
  std::vector<Candidate> violating;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const NodeInfo& original = *nodes[(offset + i) % nodes.size()];
    CycleState own_state = state.clone();
    NodeInfo node = original;
    Candidate candidate;
    candidate.node = original.name().str();
    Status status = policy_.selectVictims(own_state, pod, node, budgets, &candidate.victims, &candidate.pdb_violations);
    if (status.isSuccess() && !candidate.victims.empty()) {
      std::vector<Candidate>& list = candidate.pdb_violations == 0 ? found.candidates : violating;
      if (list.size() < wanted) list.push_back(std::move(candidate));
      if (!found.candidates.empty() && found.candidates.size() + violating.size() >= wanted) break;
      continue;
    }
    if (status.isSuccess()) {
      status = Status::error("expected at least one victim pod on node \"" + candidate.node + "\"");
    }
    if (status.isError()) found.errors.push_back(status.message());
    found.statuses.emplace_back(original.name(), std::move(status));
  }
  for (Candidate& candidate : violating) found.candidates.push_back(std::move(candidate));
  return found;
}

InCycleEvaluator::Found InCycleEvaluator::search(CycleState& state, const PodInfo& pod,
                                                 const std::vector<NodeInfo*>& nodes, Candidate* best) {
  Lots& lots = handle_.lots();
  const clock::Time now = handle_.loop().now();
  const std::string& wanted = lots.preemption();
  const bool all =
      static_cast<std::size_t>(policy_.numCandidates(static_cast<std::int32_t>(nodes.size()))) >= nodes.size();
  if (!wanted.empty()) {
    // Where every node is looked at it does not matter where the search begins.
    std::vector<ClaimCounts::Map> before;
    for (const NodeInfo* node : nodes) before.push_back(node->pvc_ref_counts.map());
    for (std::size_t offset = 0; offset < (all ? 1 : nodes.size()); ++offset) {
      // What a search in vain leaves on the nodes never was.
      for (std::size_t i = 0; offset > 0 && i < nodes.size(); ++i) nodes[i]->pvc_ref_counts.set(before[i]);
      Found found = dryRun(state, pod, nodes, offset);
      for (const Candidate* candidate : equallyGood(found.candidates, now)) {
        if (candidate->node != wanted) continue;
        *best = *candidate;
        return found;
      }
    }
    lots.refuse(wanted, "it is not among the best candidates for preemption");
  }
  Found found = dryRun(state, pod, nodes, lots.draw(nodes.size()));
  if (!found.candidates.empty()) {
    found.extenders = callExtenders(state, *pod.pod, &found.candidates);
    found.taken_away = found.candidates.empty();
    if (!found.extenders.isSuccess()) return found;
  }
  const std::vector<const Candidate*> equals = equallyGood(found.candidates, now);
  if (!equals.empty()) *best = *equals[equals.size() == 1 ? 0 : lots.draw(equals.size())];
  return found;
}

Status InCycleEvaluator::preempt(CycleState& state, const PodInfo& pod_info, const NodeToStatus& statuses,
                                 PostFilterResult& result) {
  const api::Pod& queued = *pod_info.pod;
  const api::PodPtr latest = handle_.listers().pods->get(queued.meta.ns, queued.meta.name);
  if (latest == nullptr) return Status::error("pod \"" + queued.meta.name + "\" not found");
  // The nomination may have changed since the pod was queued.
  std::shared_ptr<const PodInfo> updated;
  if (latest.get() != pod_info.pod.get()) updated = makePodInfo(latest, Counting(handle_.gates()));
  const PodInfo& pod = updated == nullptr ? pod_info : *updated;

  const std::string& nominated_node = latest->status.nominated_node_name;
  const Status nominated = nominated_node.empty() ? Status() : statuses.get(api::Symbol(nominated_node));
  const std::string why_not = policy_.whyNotEligible(*latest, nominated);
  if (!why_not.empty()) return Status(Code::kUnschedulable, why_not);

  const Snapshot& snapshot = handle_.snapshot();
  if (snapshot.size() == 0) return Status::error("no nodes available");
  auto fit_error = std::make_shared<FitError>();
  NodeToStatus& said = fit_error->diagnosis.node_to_status;
  const Status not_helpful(Code::kUnschedulableAndUnresolvable, std::string(kNotHelpful));
  std::vector<NodeInfo*> nodes;
  for (NodeInfo* node : snapshot.nodes()) {
    if (statuses.get(node->name()).code() == Code::kUnschedulableAndUnresolvable) {
      said.set(node->name(), not_helpful);
      ++fit_error->num_all_nodes;
    } else {
      nodes.push_back(node);
    }
  }

  Candidate best;
  if (nodes.empty()) {
    const std::string error = clearNominations(handle_, {latest});
    if (!error.empty()) handle_.logError("Cannot clear 'NominatedNodeName' field of pod", error, latest->key());
  } else {
    Found found = search(state, pod, nodes, &best);
    if (!found.extenders.isSuccess()) return found.extenders;
    if (found.taken_away) return Status(Code::kUnschedulable, "no candidate node for preemption");
    if (found.candidates.empty() && !found.errors.empty()) return Status::error(aggregate(found.errors));
    for (auto& [node, status] : found.statuses) {
      said.set(node, std::move(status));
      ++fit_error->num_all_nodes;
    }
  }
  if (best.node.empty()) {
    result = nominate("");
    return Status(Code::kUnschedulable, fit_error->message());
  }
  const Status evicted = evict(best, *latest);
  if (!evicted.isSuccess()) return evicted;
  result = nominate(best.node);
  return {};
}

Status InCycleEvaluator::evict(const Candidate& candidate, const api::Pod& preemptor) {
  for (const api::PodPtr& victim : candidate.victims) {
    if (WaitingPod* waiting = handle_.waitingPod(victim->meta.uid)) {
      waiting->reject(plugin_, "preempted");
    } else {
      const ApiError error = awaitWrite(
          handle_.loop(), [&](ApiClient::Done done) { handle_.client().deletePod(*victim, std::move(done)); });
      if (error.failed) {
        handle_.logError("Preempting pod", error.message, victim->key());
        return Status::error(error.message);
      }
    }
    handle_.event(*victim, kPreempted, "Preempted by a pod on node " + candidate.node);
  }
  clearLosingNominations(handle_, candidate.node, preemptor);
  return {};
}

}  // namespace podberth::scheduler::preemption
