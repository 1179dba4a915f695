// The scheduling cycle, the binding cycle and the failure handler of v1.24.
#include <algorithm>
#include <utility>

#include "core/scheduler/framework/container_requests.h"
#include "core/scheduler/scheduler_v1_24.h"
#include "core/scheduler/select_host.h"

namespace podberth::scheduler {
namespace {

constexpr std::int32_t kMinFeasibleNodes = 100;
constexpr std::int32_t kMinFeasiblePercentage = 5;

std::int32_t feasibleNodesToFind(std::int32_t percentage, std::int32_t all) {
  if (all < kMinFeasibleNodes || percentage >= 100) return all;
  if (percentage <= 0) percentage = std::max(std::int32_t{50} - all / 125, kMinFeasiblePercentage);
  return std::max(all * percentage / 100, kMinFeasibleNodes);
}

}  // namespace

// ---- The scheduling cycle

void SchedulerImpl::V1_24::scheduleOne(const QueuedPodInfoPtr& info) {
  const api::Pod& pod = info->pod();
  const LogScope scope(s_, pod);
  Framework* framework = s_.frameworkFor(pod);
  if (framework == nullptr) {
    s_.log("Error occurred", "profile not found for scheduler name \"" + pod.spec.scheduler_name + "\"");
    return;
  }
  if (s_.skipPod(*framework, pod)) return;
  s_.shared_.lots->beginAttempt(pod.key(), info->attempts);

  const auto binding = std::make_shared<Binding>();
  binding->framework = framework;
  binding->state = std::make_shared<CycleState>();
  Result result;
  s_.cache_.expireAssumed(s_.deps_.loop->now());
  s_.snapshot_error_ = s_.cache_.updateSnapshot(s_.snapshot_);
  const Failure failure = s_.recordedSchedulePod(*framework, *binding->state, *info, result);
  if (failure.failed) {
    std::optional<NominatingInfo> nominating = clearNominatedNode();
    const Reason reason = preempt(*framework, *binding->state, *info, failure, &nominating);
    s_.cycle_ = nullptr;
    handleFailure(*framework, info, reason, nominating);
    return;
  }
  s_.cycle_ = nullptr;
  binding->host = result.host;
  if (assumeReserveAndPermit(binding, *info)) waitOnPermit(binding);
}

SchedulerImpl::V1_24::Reason SchedulerImpl::V1_24::preempt(Framework& framework, CycleState& state,
                                                           const QueuedPodInfo& info, const Failure& failure,
                                                           std::optional<NominatingInfo>* nominating) {
  Reason reason;
  reason.text = failure.text;
  reason.fit = failure.fit;
  reason.no_nodes = failure.no_nodes;
  reason.unschedulable = failure.fit != nullptr || failure.no_nodes;
  if (failure.fit == nullptr) {
    if (!failure.no_nodes) s_.log("Error selecting node for pod", failure.text);
    return reason;
  }
  nominating->reset();
  if (framework.hasPostFilterPlugins()) {
    PostFilterResult post;
    const Status status = framework.runPostFilter(state, *info.info, failure.fit->diagnosis.node_to_status, post);
    if (status.isError()) {
      s_.log("Status after running PostFilter plugins for pod", "");
    } else {
      failure.fit->diagnosis.post_filter_msg = status.message();
    }
    if (s_.cycle_ != nullptr) {
      trace::PostFilter told;
      told.code = std::string(codeName(status.code()));
      told.message = status.message();
      if (post.nominating.has_value()) told.nominated = post.nominating->node;
      s_.cycle_->post_filter = std::move(told);
      s_.cycle_->post_filter_is_ours = true;
    }
    *nominating = post.nominating;
  }
  reason.text = failure.fit->message();
  return reason;
}

SchedulerImpl::Failure SchedulerImpl::V1_24::schedulePod(Framework& framework, CycleState& state,
                                                         const QueuedPodInfo& info, Result& result) {
  Failure failure;
  const auto fail = [&failure](std::string text) {
    failure.failed = true;
    failure.text = std::move(text);
    return failure;
  };
  if (!s_.snapshot_error_.empty()) return fail(s_.snapshot_error_);
  if (s_.snapshot_.size() == 0) {
    failure.no_nodes = true;
    return fail(kNoNodesAvailable);
  }
  Diagnosis diagnosis;
  // Nodes that PreFilter leaves out have no status at all.
  diagnosis.node_to_status.setAbsent({});
  Status status = findNodesThatFit(framework, state, *info.info, diagnosis);
  if (!status.isSuccess()) return fail(status.message());
  if (s_.feasible_.empty()) {
    failure.failed = true;
    failure.fit = std::make_shared<FitError>();
    failure.fit->num_all_nodes = s_.snapshot_.size();
    failure.fit->diagnosis = std::move(diagnosis);
    return failure;
  }
  s_.noteEvaluated(diagnosis.node_to_status.explicitStatuses(), result);
  if (s_.feasible_.size() == 1) {
    s_.scores_.totals.assign(1, 1);
  } else {
    status = s_.prioritize(framework, state, *info.info);
    if (!status.isSuccess()) return fail(status.message());
  }
  result.host = s_.feasible_[selectHost(s_.feasible_, s_.scores_.totals, *s_.shared_.lots)]->name().str();
  return failure;
}

Status SchedulerImpl::V1_24::findNodesThatFit(Framework& framework, CycleState& state, const PodInfo& pod,
                                              Diagnosis& diagnosis) {
  s_.feasible_.clear();
  PreFilterResult narrowed;
  std::vector<std::string> plugins_with_nodes;
  const Status status = framework.runPreFilter(state, pod, narrowed, plugins_with_nodes);
  if (!status.isSuccess()) {
    if (!status.isRejected()) return status;
    for (const NodeInfo* node : s_.snapshot_.nodes()) diagnosis.node_to_status.set(node->name(), status);
    diagnosis.addPluginStatus(status);
    return {};
  }
  if (!pod.pod->status.nominated_node_name.empty()) {
    evaluateNominatedNode(framework, state, pod, diagnosis);
    if (!s_.feasible_.empty()) return {};
  }
  if (narrowed.allNodes()) {
    const Status filtered = findNodesThatPassFilters(framework, state, pod, diagnosis, s_.snapshot_.nodes());
    return filtered.isSuccess() ? findNodesThatPassExtenders(pod, diagnosis) : filtered;
  }
  s_.candidates_.clear();
  for (const api::Symbol name : *narrowed.node_names) {
    NodeInfo* node = s_.snapshot_.get(name);
    if (node == nullptr) return Status::error("nodeinfo not found for node name \"" + name.str() + "\"");
    s_.candidates_.push_back(node);
  }
  const Status filtered = findNodesThatPassFilters(framework, state, pod, diagnosis, s_.candidates_);
  return filtered.isSuccess() ? findNodesThatPassExtenders(pod, diagnosis) : filtered;
}

// Unlike later releases this one finds the pods of the nodes again that an extender sends back.
Status SchedulerImpl::V1_24::findNodesThatPassExtenders(const PodInfo& pod, Diagnosis& diagnosis) {
  return passExtenders(
      s_.shared_.extenders, *pod.pod, s_.feasible_, nullptr,
      [&diagnosis](api::Symbol node, const Status& status) { diagnosis.node_to_status.set(node, status); });
}

// The node that the pod is nominated to is probably the one: it is tried before all others.
void SchedulerImpl::V1_24::evaluateNominatedNode(Framework& framework, CycleState& state, const PodInfo& pod,
                                                 Diagnosis& diagnosis) {
  const std::string& nominated = pod.pod->status.nominated_node_name;
  Status status;
  if (NodeInfo* node = s_.snapshot_.get(nominated)) {
    const std::vector<NodeInfo*> one(1, node);
    status = findNodesThatPassFilters(framework, state, pod, diagnosis, one);
    if (status.isSuccess()) status = findNodesThatPassExtenders(pod, diagnosis);
  } else {
    status = Status::error("nodeinfo not found for node name \"" + nominated + "\"");
  }
  if (status.isSuccess()) return;
  s_.feasible_.clear();
  s_.log("Evaluation failed on nominated node", status.message());
}

Status SchedulerImpl::V1_24::findNodesThatPassFilters(Framework& framework, CycleState& state, const PodInfo& pod,
                                                      Diagnosis& diagnosis, const std::vector<NodeInfo*>& nodes) {
  s_.feasible_.clear();
  const std::size_t all = nodes.size();
  const auto wanted =
      static_cast<std::size_t>(feasibleNodesToFind(s_.percentage_of_nodes_to_score_, static_cast<std::int32_t>(all)));
  if (!framework.hasFilterPlugins()) {
    for (std::size_t i = 0; i < wanted; ++i) s_.feasible_.push_back(nodes[(s_.next_start_ + i) % all]);
    s_.next_start_ = (s_.next_start_ + wanted) % all;
    return {};
  }
  Status failure;
  Status last;
  for (std::size_t i = 0; i < all; ++i) {
    NodeInfo* node = nodes[(s_.next_start_ + i) % all];
    const Status status = framework.runFilterPluginsWithNominatedPods(state, pod, *node);
    if (status.isSuccess()) {
      // One more than wanted must be found before the search stops.
      if (s_.feasible_.size() == wanted) break;
      s_.feasible_.push_back(node);
      continue;
    }
    if (status.isError()) {
      failure = status;
      break;
    }
    diagnosis.node_to_status.set(node->name(), status);
    if (!last.sharedWith(status)) diagnosis.addPluginStatus(status);
    last = status;
  }
  // Also after a look at the nominated node alone, which so takes the search back to the first node.
  s_.next_start_ = (s_.next_start_ + s_.feasible_.size() + diagnosis.node_to_status.size()) % all;
  framework.recordPoint(*pod.pod, "Filter", !failure.isSuccess() ? failure : !s_.feasible_.empty() ? Status() : last);
  return failure;
}

bool SchedulerImpl::V1_24::assumeReserveAndPermit(const BindingPtr& binding, const QueuedPodInfo& info) {
  Framework& framework = *binding->framework;
  Reason reason;
  Status status = s_.assume(framework, info, binding->host, binding->info);
  // A copy of the pod in the queue knows nothing of who rejected the pod before.
  binding->info->unschedulable_plugins.clear();
  if (!status.isSuccess()) {
    reason.text = status.message();
    handleFailure(framework, binding->info, reason, clearNominatedNode());
    return false;
  }
  status = framework.runReserve(*binding->state, binding->pod(), binding->host);
  if (status.isSuccess()) {
    std::map<std::string, clock::Duration> waits;
    status = framework.runPermit(*binding->state, binding->pod(), binding->host, waits);
    if (status.isWait()) framework.addWaitingPod(binding->pod(), waits);
    if (status.isWait() || status.isSuccess()) return true;
    reason.unschedulable = status.isRejected();
  }
  giveBack(*binding);
  reason.text = status.message();
  handleFailure(framework, binding->info, reason, clearNominatedNode());
  return false;
}

// ---- The binding cycle: what waits goes on through the event loop

void SchedulerImpl::V1_24::waitOnPermit(const BindingPtr& binding) {
  SchedulerImpl& s = s_;
  binding->framework->waitOnPermit(*binding->pod(), [&s, binding](const Status& status) {
    const LogScope scope(s, *binding->pod());
    V1_24 self(s);
    if (status.isSuccess()) return self.preBind(binding);
    std::function<void()> then;
    if (self.giveBack(*binding)) {
      // The pod itself must not hear of its own leaving.
      then = [&s, uid = binding->pod()->meta.uid] {
        V1_24(s).moveAll(events_v1_24::kAssignedPodDelete,
                         [uid](const PodInfo& other) { return other.pod->meta.uid != uid; });
      };
    }
    Reason reason;
    reason.text = status.message();
    reason.unschedulable = status.isRejected();
    self.handleFailure(*binding->framework, binding->info, reason, clearNominatedNode(), std::move(then));
  });
}

void SchedulerImpl::V1_24::preBind(const BindingPtr& binding) {
  SchedulerImpl& s = s_;
  binding->framework->runPreBind(binding->state, binding->pod(), binding->host, false,
                                 [&s, binding](const Status& status) {
                                   const LogScope scope(s, *binding->pod());
                                   V1_24 self(s);
                                   if (status.isSuccess()) return self.bind(binding);
                                   self.bindingFailed(binding, status.message());
                                 });
}

void SchedulerImpl::V1_24::bind(const BindingPtr& binding) {
  SchedulerImpl& s = s_;
  s.bindWithExtenders(binding, 0, [&s, binding](const Status& status) {
    const LogScope scope(s, *binding->pod());
    const api::Pod& pod = *binding->pod();
    s.cache_.finishBinding(pod, s.deps_.loop->now());
    if (!status.isSuccess()) {
      const std::string error = status.isError()
                                    ? status.message()
                                    : "bind status: " + std::string(codeName(status.code())) + ", " + status.message();
      V1_24(s).bindingFailed(binding, "binding rejected: " + error);
      return;
    }
    binding->framework->event(pod, "Scheduled",
                              "Successfully assigned " + pod.meta.ns + "/" + pod.meta.name + " to " + binding->host);
    binding->framework->runPostBind(*binding->state, binding->pod(), binding->host);
  });
}

bool SchedulerImpl::V1_24::giveBack(const Binding& binding) {
  const std::string error = s_.unreserveAndForget(*binding.framework, *binding.state, binding.pod(), binding.host);
  if (!error.empty()) s_.log("scheduler cache ForgetPod failed", error);
  return error.empty();
}

void SchedulerImpl::V1_24::bindingFailed(const BindingPtr& binding, std::string error) {
  if (giveBack(*binding)) moveAll(events_v1_24::kAssignedPodDelete);
  Reason reason;
  reason.text = std::move(error);
  handleFailure(*binding->framework, binding->info, reason, clearNominatedNode());
}

// ---- Failures

void SchedulerImpl::V1_24::handleFailure(Framework& framework, const QueuedPodInfoPtr& info, const Reason& reason,
                                         const std::optional<NominatingInfo>& nominating, std::function<void()> then) {
  if (reason.fit != nullptr) {
    info->unschedulable_plugins = reason.fit->diagnosis.unschedulable_plugins;
  } else if (!reason.no_nodes) {
    s_.log("Error scheduling pod; retrying", reason.text, info->pod().key());
  }
  const api::PodPtr cached = framework.listers().pods->get(info->pod().meta.ns, info->pod().meta.name);
  if (cached != nullptr && cached->spec.node_name.empty()) {
    info->info = makePodInfo(cached, Counting(framework.gates()));
    const std::string error = s_.queue_->addUnschedulablePodIfNotPresent(info, s_.queue_->schedulingCycle());
    if (!error.empty()) s_.log("Error occurred", error);
  }
  const api::PodPtr pod = info->info->pod;
  s_.queue_->addNominatedPod(info->info, nominating);
  framework.event(*pod, "FailedScheduling", truncatedNote(reason.text));
  api::PodCondition condition;
  condition.type = "PodScheduled";
  condition.status = "False";
  condition.reason = reason.unschedulable ? "Unschedulable" : "SchedulerError";
  condition.message = reason.text;
  SchedulerImpl& s = s_;
  s_.updatePod(pod, std::move(condition), nominating, [&s, pod, then = std::move(then)](const ApiError& error) {
    if (error.failed) s.log("Error updating pod", error.message, pod->key());
    if (then) then();
  });
}

}  // namespace podberth::scheduler
