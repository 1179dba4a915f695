// The scheduling cycle of one pod. Upstream: pkg/scheduler/schedule_one.go.
#include <algorithm>

#include "core/base/sort.h"
#include "core/scheduler/diagnose.h"
#include "core/scheduler/scheduler_impl.h"

namespace podberth::scheduler {
namespace {

constexpr std::int32_t kMinFeasibleNodes = 100;
constexpr std::int32_t kMinFeasiblePercentage = 5;

std::string joined(const std::vector<std::string>& names) {
  std::string out = "[";
  for (std::size_t i = 0; i < names.size(); ++i) out += (i > 0 ? " " : "") + names[i];
  return out + "]";
}

}  // namespace

bool SchedulerImpl::scheduleOne() {
  const QueuedPodInfoPtr info = queue_->pop();
  if (info == nullptr) return false;
  way_.schedule_one(*this, info);
  return true;
}

Framework* SchedulerImpl::frameworkFor(const api::Pod& pod) {
  const auto it = frameworks_.find(pod.spec.scheduler_name);
  return it == frameworks_.end() ? nullptr : it->second.get();
}

void SchedulerImpl::scheduleOnePod(const QueuedPodInfoPtr& info) {
  const api::Pod& pod = info->pod();
  const LogScope scope(*this, pod);
  Framework* framework = frameworkFor(pod);
  if (framework == nullptr) {
    log("Error occurred", "profile not found for scheduler name \"" + pod.spec.scheduler_name + "\"");
    queue_->done(pod.meta.uid);
    return;
  }
  if (skipPod(*framework, pod)) {
    queue_->done(pod.meta.uid);
    return;
  }
  const auto state = std::make_shared<CycleState>();
  Result result;
  QueuedPodInfoPtr assumed;
  const Status status = schedulingCycle(*framework, state, info, result, assumed);
  cycle_ = nullptr;
  if (!status.isSuccess()) {
    handleFailure(*framework, assumed == nullptr ? *info : *assumed, status, result.nominating, {});
    return;
  }
  const auto binding = std::make_shared<Binding>();
  binding->framework = framework;
  binding->state = state;
  binding->info = assumed;
  binding->host = result.host;
  startBinding(binding);
}

bool SchedulerImpl::skipPod(Framework& framework, const api::Pod& pod) {
  if (pod.meta.deletion_timestamp.has_value()) {
    framework.event(pod, "FailedScheduling", "skip schedule deleting pod: " + pod.meta.ns + "/" + pod.meta.name);
    return true;
  }
  // A pod that was updated while it was being assumed may have come back to the queue.
  return cache_.isAssumedPod(pod);
}

Status SchedulerImpl::schedulingCycle(Framework& framework, const std::shared_ptr<CycleState>& state,
                                      const QueuedPodInfoPtr& info, Result& result, QueuedPodInfoPtr& assumed) {
  const std::string error = cache_.updateSnapshot(snapshot_);
  if (!error.empty()) {
    result.nominating = clearNominatedNode();
    return Status::error(error);
  }
  Status status = schedulingAlgorithm(framework, *state, *info, result);
  if (!status.isSuccess()) return status;

  const auto fail = [&result](Status s) {
    result = Result();
    result.nominating = clearNominatedNode();
    return s;
  };
  status = assumeAndReserve(framework, *state, info, result.host, assumed);
  if (!status.isSuccess()) return fail(status);

  const api::PodPtr& pod = assumed->info->pod;
  std::map<std::string, clock::Duration> waits;
  status = framework.runPermit(*state, pod, result.host, waits);
  if (status.isWait()) {
    framework.addWaitingPod(pod, waits);
    return {};
  }
  if (status.isSuccess()) return {};
  const std::string forget_error = unreserveAndForget(framework, *state, pod, result.host);
  if (!forget_error.empty()) log("ForgetPod failed", forget_error);
  return fail(status.isRejected() ? rejectedByHost(status, result.host) : status);
}

// The pod was rejected by the very node that was chosen for it.
Status SchedulerImpl::rejectedByHost(const Status& status, const std::string& host) const {
  auto fit = std::make_shared<FitError>();
  fit->num_all_nodes = 1;
  fit->diagnosis.node_to_status.set(api::Symbol(host), status);
  fit->diagnosis.addPluginStatus(status);
  return Status::fitError(status.code(), std::move(fit));
}

Status SchedulerImpl::schedulingAlgorithm(Framework& framework, CycleState& state, const QueuedPodInfo& info,
                                          Result& result) {
  const Failure failure = recordedSchedulePod(framework, state, info, result);
  if (!failure.failed) return {};
  result = Result();
  result.nominating = clearNominatedNode();
  if (failure.no_nodes) return Status(Code::kUnschedulableAndUnresolvable, kNoNodesAvailable);
  if (failure.fit == nullptr) {
    log("Error selecting node for pod", failure.text);
    return Status::error(failure.text);
  }
  if (!framework.hasPostFilterPlugins()) return Status::fitError(Code::kUnschedulable, failure.fit);

  PostFilterResult post;
  const Status status = framework.runPostFilter(state, *info.info, failure.fit->diagnosis.node_to_status, post);
  const std::string message = status.message();
  if (cycle_ != nullptr) {
    trace::PostFilter told;
    told.code = std::string(codeName(status.code()));
    told.message = message;
    if (post.nominating.has_value()) told.nominated = post.nominating->node;
    cycle_->post_filter = std::move(told);
  }
  failure.fit->diagnosis.post_filter_msg = message;
  if (status.isError()) log("Status after running PostFilter plugins for pod", "");
  result.nominating = post.nominating;
  return Status::fitError(Code::kUnschedulable, failure.fit);
}

SchedulerImpl::Failure SchedulerImpl::recordedSchedulePod(Framework& framework, CycleState& state,
                                                          const QueuedPodInfo& info, Result& result) {
  auto cycle = std::make_shared<trace::Cycle>();
  cycle->profile = std::string(framework.profileName());
  cycle->attempt = info.attempts;
  cycle->summary = recorder_->detail_limit != 0 && snapshot_.size() > recorder_->detail_limit;
  if (!cycle->summary) {
    cycle->state = queue_->queues();
    diagnose(framework, shared_, *info.info, *cycle);
  }
  result.detailed = !cycle->summary;
  const std::int64_t before = deps_.decision_clock == nullptr ? 0 : deps_.decision_clock();
  Failure failure = way_.schedule_pod(*this, framework, state, info, result);
  if (deps_.decision_clock != nullptr && deps_.decisions != nullptr) {
    deps_.decisions->push_back(deps_.decision_clock() - before);
  }
  cycle->hint = result.hint.str();
  if (failure.failed) {
    cycle->error = failure.fit != nullptr ? failure.fit->message() : failure.text;
    if (failure.fit != nullptr) {
      cycle->unschedulable_plugins = failure.fit->diagnosis.unschedulable_plugins;
      cycle->pending_plugins = failure.fit->diagnosis.pending_plugins;
    }
  } else {
    cycle->host = result.host;
    cycle->evaluated = result.evaluated;
    cycle->feasible = result.feasible;
    for (const api::Symbol node : result.looked_at) cycle->x_looked_at.push_back(node.str());
    base::sortTexts(cycle->x_looked_at);
  }
  cycle_ = cycle;
  recorder_->add(trace::Type::kCycle, info.pod().key()).cycle = std::move(cycle);
  return failure;
}

SchedulerImpl::Failure SchedulerImpl::schedulePod(Framework& framework, CycleState& state, const QueuedPodInfo& info,
                                                  Result& result) {
  Failure failure;
  const auto fail = [&failure](std::string text) {
    failure.failed = true;
    failure.text = std::move(text);
    return failure;
  };
  if (snapshot_.size() == 0) {
    failure.no_nodes = true;
    return fail(kNoNodesAvailable);
  }
  Diagnosis diagnosis;
  Status status = findNodesThatFit(framework, state, info, diagnosis, result.hint);
  if (!status.isSuccess()) return fail(status.message());
  if (feasible_.empty()) {
    failure.failed = true;
    failure.fit = std::make_shared<FitError>();
    failure.fit->num_all_nodes = snapshot_.size();
    failure.fit->diagnosis = std::move(diagnosis);
    return failure;
  }
  noteEvaluated(diagnosis.node_to_status.explicitStatuses(), result);
  if (feasible_.size() == 1) {
    const api::Symbol host = feasible_[0]->name();
    result.host = host.str();
    if (batching_) framework.batch().store(info.signature, result.hint, host, {}, queue_->schedulingCycle());
    return failure;
  }

  status = prioritize(framework, state, *info.info);
  if (!status.isSuccess()) return fail(status.message());
  std::vector<ScoredNode> scored(feasible_.size());
  for (std::size_t i = 0; i < scored.size(); ++i) {
    scored[i].name = feasible_[i]->name();
    scored[i].total = scores_.totals[i];
    scored[i].row = static_cast<std::int32_t>(i);
  }
  SortedNodes sorted(std::move(scored), std::move(scores_.raw), framework.scorePlugins().size());
  scores_.raw.clear();
  const ScoredNode best = sorted.pop();
  result.host = best.name.str();
  if (batching_) {
    framework.batch().store(info.signature, result.hint, best.name, std::move(sorted), queue_->schedulingCycle());
  }
  return failure;
}

void SchedulerImpl::noteEvaluated(const std::vector<NodeToStatus::Entry>& rejected, Result& result) const {
  result.feasible = static_cast<int>(feasible_.size());
  result.evaluated = result.feasible + static_cast<int>(rejected.size());
  if (!result.detailed || static_cast<std::size_t>(result.evaluated) >= snapshot_.size()) return;
  for (const NodeInfo* node : feasible_) result.looked_at.push_back(node->name());
  for (const NodeToStatus::Entry& entry : rejected) result.looked_at.push_back(entry.node);
}

Status SchedulerImpl::findNodesThatFit(Framework& framework, CycleState& state, const QueuedPodInfo& info,
                                       Diagnosis& diagnosis, api::Symbol& hint) {
  feasible_.clear();
  bare_nodes_.clear();
  const PodInfo& pod = *info.info;
  PreFilterResult narrowed;
  std::vector<std::string> plugins_with_nodes;
  const Status status = framework.runPreFilter(state, pod, narrowed, plugins_with_nodes);
  diagnosis.unschedulable_plugins = plugins_with_nodes;
  if (!status.isSuccess()) {
    if (!status.isRejected()) return status;
    // Every node has this status, for preemption to see.
    diagnosis.node_to_status.setAbsent(status);
    diagnosis.pre_filter_msg = status.message();
    diagnosis.addPluginStatus(status);
    return {};
  }
  if (batching_) hint = framework.batch().nodeHint(state, pod, info.signature, queue_->schedulingCycle());

  if (!pod.pod->status.nominated_node_name.empty() || !hint.empty()) {
    evaluateNominatedNode(framework, state, pod, hint, diagnosis);
    if (!feasible_.empty()) return {};
  }

  const std::vector<NodeInfo*>* nodes = &snapshot_.nodes();
  if (!narrowed.allNodes()) {
    candidates_.clear();
    for (const api::Symbol name : *narrowed.node_names) {
      if (NodeInfo* node = snapshot_.get(name)) candidates_.push_back(node);
    }
    nodes = &candidates_;
    // Upstream prints a set that by now also holds the plugins that have rejected the nominated node.
    diagnosis.node_to_status.setAbsent(
        Status(Code::kUnschedulableAndUnresolvable,
               "node(s) didn't satisfy plugin(s) " + joined(diagnosis.unschedulable_plugins)));
  }
  const Status filtered = findNodesThatPassFilters(framework, state, pod, diagnosis, *nodes);
  // Every node gets its turn to be looked at first, whatever came of this cycle.
  next_start_ = (next_start_ + feasible_.size() + diagnosis.node_to_status.size()) % snapshot_.size();
  if (!filtered.isSuccess()) return filtered;

  const std::size_t before = feasible_.size();
  const Status passed = findNodesThatPassExtenders(pod, diagnosis);
  if (passed.isSuccess() && feasible_.size() != before) {
    // Nobody knows what could change an extender's mind: any event brings the pod back.
    std::vector<std::string>& plugins = diagnosis.unschedulable_plugins;
    const auto at = std::lower_bound(plugins.begin(), plugins.end(), kExtenderName);
    if (at == plugins.end() || *at != kExtenderName) plugins.emplace(at, kExtenderName);
  }
  return passed;
}

Status SchedulerImpl::findNodesThatPassExtenders(const PodInfo& pod, Diagnosis& diagnosis) {
  return passExtenders(
      shared_.extenders, *pod.pod, feasible_, &bare_nodes_,
      [&diagnosis](api::Symbol node, const Status& status) { diagnosis.node_to_status.set(node, status); });
}

bool SchedulerImpl::anyExtender(bool (Extender::*can)() const) const {
  return std::any_of(extenders_.begin(), extenders_.end(),
                     [can](const std::unique_ptr<Extender>& extender) { return (extender.get()->*can)(); });
}

// The node that the pod is nominated or hinted to is probably the one: it is tried before all others.
void SchedulerImpl::evaluateNominatedNode(Framework& framework, CycleState& state, const PodInfo& pod, api::Symbol hint,
                                          Diagnosis& diagnosis) {
  const std::string& nominated = pod.pod->status.nominated_node_name;
  const api::Symbol name = nominated.empty() ? hint : api::Symbol(nominated);
  Status status;
  if (NodeInfo* node = snapshot_.get(name)) {
    const std::vector<NodeInfo*> one(1, node);
    // Upstream passes a copy: what is pending there gets lost.
    std::vector<std::string> pending = diagnosis.pending_plugins;
    status = findNodesThatPassFilters(framework, state, pod, diagnosis, one);
    diagnosis.pending_plugins = std::move(pending);
    if (status.isSuccess()) status = findNodesThatPassExtenders(pod, diagnosis);
  } else {
    status = Status::error("nodeinfo not found for node name \"" + name.str() + "\"");
  }
  if (status.isSuccess()) return;
  feasible_.clear();
  log("Evaluation failed on nominated node", status.message());
}

Status SchedulerImpl::findNodesThatPassFilters(Framework& framework, CycleState& state, const PodInfo& pod,
                                               Diagnosis& diagnosis, const std::vector<NodeInfo*>& nodes) {
  feasible_.clear();
  const std::size_t all = nodes.size();
  std::size_t wanted = static_cast<std::size_t>(nodesToFind(framework, static_cast<std::int32_t>(all)));
  const bool scores = framework.hasScorePlugins() || anyExtender(&Extender::isPrioritizer);
  if (!scores && !anyExtender(&Extender::isFilter)) wanted = 1;
  if (all == 0) return {};
  std::size_t at = next_start_ % all;
  if (!framework.hasFilterPlugins()) {
    for (std::size_t i = 0; i < wanted; ++i) feasible_.push_back(nodes[(at + i) % all]);
    return {};
  }
  Status failure;
  Status last;
  for (std::size_t i = 0; i < all; ++i) {
    NodeInfo* node = nodes[at];
    if (++at == all) at = 0;
    const Status status = framework.runFilterPluginsWithNominatedPods(state, pod, *node);
    if (status.isSuccess()) {
      // One more than wanted must be found before the search stops.
      if (feasible_.size() == wanted) break;
      feasible_.push_back(node);
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
  framework.recordPoint(*pod.pod, "Filter", !failure.isSuccess() ? failure : !feasible_.empty() ? Status() : last);
  return failure;
}

std::int32_t SchedulerImpl::nodesToFind(const Framework& framework, std::int32_t all) const {
  if (all < kMinFeasibleNodes) return all;
  std::int32_t percentage = framework.percentageOfNodesToScore().value_or(percentage_of_nodes_to_score_);
  if (percentage == 0) percentage = std::max(std::int32_t{50} - all / 125, kMinFeasiblePercentage);
  return std::max(all * percentage / 100, kMinFeasibleNodes);
}

// Scores the feasible nodes: scores_.totals and scores_.raw.
Status SchedulerImpl::prioritize(Framework& framework, CycleState& state, const PodInfo& pod) {
  scores_.nodes = feasible_;
  if (!framework.hasScorePlugins() && extenders_.empty()) {
    scores_.totals.assign(feasible_.size(), 1);
    scores_.raw.clear();
    return {};
  }
  Status status = framework.runPreScore(state, pod, feasible_);
  if (!status.isSuccess()) return status;
  status = framework.runScore(state, pod, scores_);
  if (!status.isSuccess()) return status;
  askExtendersForScores(shared_.extenders, *pod.pod, feasible_,
                        [this](const Extender&, std::size_t node, std::int64_t /*score*/, std::int64_t points) {
                          scores_.totals[node] += points;
                        });
  return {};
}

Status SchedulerImpl::assume(Framework& framework, const QueuedPodInfo& info, const std::string& host,
                             QueuedPodInfoPtr& assumed) {
  auto pod = std::make_shared<api::Pod>(info.pod());
  pod->spec.node_name = host;
  auto pod_info = std::make_shared<PodInfo>(*info.info);
  pod_info->pod = pod;
  pod_info->node_name = api::Symbol(host);
  assumed = std::make_shared<QueuedPodInfo>(info);
  assumed->info = pod_info;
  const std::string error = cache_.assumePod(assumed->info);
  if (!error.empty()) {
    framework.logError("Scheduler cache AssumePod failed", error);
    return Status::error(error);
  }
  queue_->deleteNominatedPodIfExists(*pod);
  return {};
}

Status SchedulerImpl::assumeAndReserve(Framework& framework, CycleState& state, const QueuedPodInfoPtr& info,
                                       const std::string& host, QueuedPodInfoPtr& assumed) {
  Status status = assume(framework, *info, host, assumed);
  if (!status.isSuccess()) return status;
  status = framework.runReserve(state, assumed->info->pod, host);
  if (status.isSuccess()) return {};
  const std::string error = unreserveAndForget(framework, state, assumed->info->pod, host);
  if (!error.empty()) log("ForgetPod failed", error);
  return status.isRejected() ? rejectedByHost(status, host) : status;
}

std::string SchedulerImpl::unreserveAndForget(Framework& framework, CycleState& state, const api::PodPtr& pod,
                                              const std::string& host) {
  framework.runUnreserve(state, pod, host);
  return cache_.forgetPod(*pod);
}

}  // namespace podberth::scheduler
