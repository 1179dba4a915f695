#include "core/scheduler/plugins/default_preemption/default_preemption.h"

#include <algorithm>
#include <utility>

#include "core/scheduler/plugins/names.h"
#include "core/scheduler/preemption/go_sort.h"

namespace podberth::scheduler::plugins {
namespace {

constexpr std::string_view kPreemptNever = "Never";

}  // namespace

DefaultPreemption::DefaultPreemption(const config::DefaultPreemptionArgs& args, Handle& handle)
    : handle_(handle),
      args_(args),
      asynchronous_(handle.gates().enabled(preemption::kAsyncPreemptionGate)),
      in_cycle_(handle.gates().release().preemption == release::PreemptionPolicy::kInTheCycle),
      executor_(handle),
      evaluator_(names::kDefaultPreemption, handle, *this, executor_),
      in_cycle_evaluator_(names::kDefaultPreemption, handle, *this) {}

std::string_view DefaultPreemption::name() const { return names::kDefaultPreemption; }

Status DefaultPreemption::preEnqueue(const api::Pod& pod) {
  if (!asynchronous_ || !executor_.isPreempting(pod.meta.uid)) return {};
  static const Status kRuns(Code::kUnschedulableAndUnresolvable, std::string(kReasonPreemptionRuns));
  return kRuns;
}

std::vector<ClusterEventWithHint> DefaultPreemption::eventsToRegister() const {
  if (!asynchronous_) return {};
  // The queue has to know that the gate may open then. Whether the pod is worth another try is for the plugins to say
  // that rejected it before it preempted.
  ClusterEventWithHint deleted;
  deleted.event.resource = EventResource::kAssignedPod;
  deleted.event.action = action::kDelete;
  deleted.hint = [](const api::Pod&, const api::Object*, const api::Object*) { return HintResult::skip(); };
  return {deleted};
}

Status DefaultPreemption::postFilter(CycleState& state, const PodInfo& pod, const NodeToStatus& statuses,
                                     PostFilterResult& result) {
  const Status status = in_cycle_ ? in_cycle_evaluator_.preempt(state, pod, statuses, result)
                                  : evaluator_.preempt(state, pod, statuses, result);
  const std::string message = status.message();
  if (message.empty()) return status;
  return Status(status.code(), "preemption: " + message);
}

std::int32_t DefaultPreemption::numCandidates(std::int32_t nodes) const {
  const std::int32_t n = nodes * args_.min_candidate_nodes_percentage / 100;
  return std::min(std::max(n, args_.min_candidate_nodes_absolute), nodes);
}

std::string DefaultPreemption::whyNotEligible(const api::Pod& pod, const Status& nominated) const {
  if (pod.spec.preemption_policy == kPreemptNever) return std::string(kReasonPreemptionNever);
  if (pod.status.nominated_node_name.empty()) return {};
  // Nothing that leaves the nominated node can make the pod fit there: it may look elsewhere.
  if (nominated.code() == Code::kUnschedulableAndUnresolvable) return {};
  const NodeInfo* node = handle_.snapshot().get(pod.status.nominated_node_name);
  if (node == nullptr) return {};
  for (const PodInfoPtr& other : node->pods) {
    // Where preemption leaves no mark on its victims, every pod that is being deleted counts as one.
    const bool terminating =
        in_cycle_ ? other->pod->meta.deletion_timestamp.has_value() : preemption::terminatingByPreemption(*other->pod);
    if (other->pod->priority() < pod.priority() && terminating) {
      return std::string(kReasonTerminatingVictim);
    }
  }
  return {};
}

Status DefaultPreemption::selectVictims(CycleState& state, const PodInfo& preemptor, NodeInfo& node,
                                        const preemption::Budgets& budgets, std::vector<api::PodPtr>* victims,
                                        std::int64_t* pdb_violations) const {
  std::vector<PodInfoPtr> potential;
  for (const PodInfoPtr& pod : node.pods) {
    if (pod->pod->priority() < preemptor.pod->priority()) potential.push_back(pod);
  }
  if (potential.empty()) return Status(Code::kUnschedulableAndUnresolvable, std::string(kReasonNoVictims));

  const auto remove = [&](const PodInfoPtr& pod) {
    node.removePod(*pod->pod);
    return handle_.runPreFilterExtensionRemovePod(state, preemptor, *pod, node);
  };
  const auto add = [&](const PodInfoPtr& pod) {
    node.addPod(pod);
    return handle_.runPreFilterExtensionAddPod(state, preemptor, *pod, node);
  };

  // If it does not fit even without any of them, the node is out.
  for (const PodInfoPtr& pod : potential) {
    const Status removed = remove(pod);
    if (!removed.isSuccess()) return Status::error(removed.message());
  }
  const Status fits_alone = handle_.runFilterPluginsWithNominatedPods(state, preemptor, node);
  if (!fits_alone.isSuccess()) return fits_alone;

  // Then as many as possible are spared, the ones whose budget would be violated first, the most important ones first.
  const clock::Time now = handle_.loop().now();
  const auto more_important = [now](const PodInfoPtr& a, const PodInfoPtr& b) {
    return preemption::moreImportant(*a->pod, *b->pod, now);
  };
  preemption::goSort(potential, more_important);
  std::vector<PodInfoPtr> violating;
  std::vector<PodInfoPtr> others;
  preemption::splitByBudgets(potential, budgets, in_cycle_, &violating, &others);
  std::vector<PodInfoPtr> chosen;
  *pdb_violations = 0;
  for (std::size_t i = 0; i < violating.size() + others.size(); ++i) {
    const bool violates = i < violating.size();
    const PodInfoPtr& pod = violates ? violating[i] : others[i - violating.size()];
    const Status added = add(pod);
    if (!added.isSuccess()) return Status::error(added.message());
    if (handle_.runFilterPluginsWithNominatedPods(state, preemptor, node).isSuccess()) continue;
    const Status removed = remove(pod);
    if (!removed.isSuccess()) return Status::error(removed.message());
    chosen.push_back(pod);
    if (violates) ++*pdb_violations;
  }
  if (!in_cycle_ && !violating.empty() && !others.empty()) preemption::goSort(chosen, more_important);
  for (const PodInfoPtr& pod : chosen) victims->push_back(pod->pod);
  return {};
}

std::unique_ptr<Plugin> newDefaultPreemption(const config::PluginArgs& args, Handle& handle, std::string* /*error*/) {
  const auto* given = std::get_if<config::DefaultPreemptionArgs>(&args);
  return std::make_unique<DefaultPreemption>(given != nullptr ? *given : config::DefaultPreemptionArgs(), handle);
}

}  // namespace podberth::scheduler::plugins
