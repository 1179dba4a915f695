// What becomes of a pod that was not scheduled: it goes back to the queue, and an Event and its condition say why.
// Upstream: handleSchedulingFailure and updatePod in pkg/scheduler/schedule_one.go.
#include "core/scheduler/framework/container_requests.h"
#include "core/scheduler/scheduler_impl.h"

namespace podberth::scheduler {
namespace {

constexpr std::size_t kMaxNote = 1024;

}  // namespace

std::string truncatedNote(const std::string& message) {
  static const std::string suffix = " ...";
  if (message.size() <= kMaxNote) return message;
  return message.substr(0, kMaxNote - suffix.size()) + suffix;
}

void SchedulerImpl::handleFailure(Framework& framework, const QueuedPodInfo& of, const Status& status,
                                  const std::optional<NominatingInfo>& nominating, std::function<void()> then) {
  const auto info = std::make_shared<QueuedPodInfo>(of);
  const std::string uid = info->pod().meta.uid;
  const std::string message = status.message();
  info->clearRejectorPlugins();
  if (const std::shared_ptr<const FitError>& fit = status.fitError()) {
    info->unschedulable_plugins = fit->diagnosis.unschedulable_plugins;
    info->pending_plugins = fit->diagnosis.pending_plugins;
  } else if (status.reasons().empty() || status.reasons().front() != kNoNodesAvailable) {
    log("Error scheduling pod; retrying", message, info->pod().key());
  }

  bool done = false;
  const api::PodPtr cached = framework.listers().pods->get(info->pod().meta.ns, info->pod().meta.name);
  if (cached != nullptr && cached->spec.node_name.empty()) {
    if (cached->meta.uid != uid) {
      // Another pod of that name: nothing of this matters to it.
      queue_->done(uid);
      if (then) then();
      return;
    }
    if (cached != info->info->pod) info->info = makePodInfo(cached, Counting(framework.gates()));
    const std::string error = queue_->addUnschedulablePodIfNotPresent(info, queue_->schedulingCycle());
    if (!error.empty()) log("Error occurred", error);
    done = true;
  }
  const api::PodPtr pod = info->info->pod;
  // Before anybody else can take the nominated node.
  queue_->addNominatedPod(info->info, nominating);

  framework.event(*pod, "FailedScheduling", truncatedNote(message));
  api::PodCondition condition;
  condition.type = "PodScheduled";
  condition.status = "False";
  condition.reason = status.isRejected() ? "Unschedulable" : "SchedulerError";
  condition.message = message;
  condition.observed_generation = pod->meta.generation;
  updatePod(pod, std::move(condition), nominating,
            [this, pod, uid, done, then = std::move(then)](const ApiError& error) {
              if (error.failed) log("Error updating pod", error.message, pod->key());
              if (!done) queue_->done(uid);
              if (then) then();
            });
}

void SchedulerImpl::updatePod(const api::PodPtr& pod, std::optional<api::PodCondition> condition,
                              const std::optional<NominatingInfo>& nominating,
                              std::function<void(const ApiError&)> done) {
  const bool nominate = nominating.has_value() && nominating->mode == NominatingMode::kOverride &&
                        pod->status.nominated_node_name != nominating->node;
  bool changed = false;
  if (condition.has_value()) {
    const api::PodCondition* old = pod->status.condition(condition->type);
    condition->last_transition_time = deps_.loop->now() / clock::kSecond * clock::kSecond;
    if (old != nullptr && old->status == condition->status) condition->last_transition_time = old->last_transition_time;
    changed = old == nullptr || old->status != condition->status || old->reason != condition->reason ||
              old->message != condition->message || old->last_probe_time != condition->last_probe_time ||
              old->last_transition_time != condition->last_transition_time;
  }
  if (!changed && !nominate) {
    done(ApiError::ok());
    return;
  }
  deps_.client->patchPodStatus(*pod, condition, nominate ? std::optional<std::string>(nominating->node) : std::nullopt,
                               std::move(done));
}

}  // namespace podberth::scheduler
