// The binding cycle of one pod. Upstream runs it in a goroutine (bindingCycle in pkg/scheduler/schedule_one.go): here
// each step goes on where the event loop brings it.
#include "core/scheduler/scheduler_impl.h"

namespace podberth::scheduler {

void SchedulerImpl::startBinding(const BindingPtr& binding) {
  const LogScope scope(*this, *binding->pod());
  Framework& framework = *binding->framework;
  binding->pre_bind = true;
  if (!nominated_node_for_expectation_) {
    waitOnPermit(binding);
    return;
  }
  const Status flight = framework.runPreBindPreFlight(*binding->state, binding->pod(), binding->host);
  if (flight.isError() || flight.isRejected()) {
    bindingFailed(binding, flight);
    return;
  }
  binding->pre_bind = flight.isSuccess();
  if (!flight.isSuccess() && !framework.willWaitOnPermit(*binding->pod())) {
    waitOnPermit(binding);
    return;
  }
  // The binding will take its time: tell the cluster autoscaler and others where the pod is going.
  NominatingInfo nominating;
  nominating.mode = NominatingMode::kOverride;
  nominating.node = binding->host;
  updatePod(binding->pod(), std::nullopt, nominating, [this, binding](const ApiError& error) {
    const LogScope callback_scope(*this, *binding->pod());
    if (error.failed) log("Failed to update the nominated node name in the binding cycle", error.message);
    waitOnPermit(binding);
  });
}

void SchedulerImpl::waitOnPermit(const BindingPtr& binding) {
  binding->framework->waitOnPermit(*binding->pod(), [this, binding](const Status& status) {
    const LogScope scope(*this, *binding->pod());
    if (status.isSuccess()) {
      preBind(binding);
      return;
    }
    if (!status.isRejected()) {
      bindingFailed(binding, status);
      return;
    }
    auto fit = std::make_shared<FitError>();
    fit->num_all_nodes = 1;
    fit->diagnosis.node_to_status.set(api::Symbol(binding->host), status);
    fit->diagnosis.unschedulable_plugins.push_back(status.plugin());
    bindingFailed(binding, Status::fitError(status.code(), std::move(fit)));
  });
}

void SchedulerImpl::preBind(const BindingPtr& binding) {
  // From here on the pod cannot become unschedulable: events that come meanwhile need not be remembered for it.
  queue_->done(binding->pod()->meta.uid);
  binding->framework->runPreBind(binding->state, binding->pod(), binding->host, binding->pre_bind,
                                 [this, binding](const Status& status) {
                                   const LogScope scope(*this, *binding->pod());
                                   const std::string& uid = binding->pod()->meta.uid;
                                   if (!status.isSuccess()) {
                                     binding->framework->removePodInPreBind(uid);
                                     bindingFailed(binding, status);
                                     return;
                                   }
                                   std::string reason;
                                   if (!binding->framework->markPrebound(uid, &reason)) {
                                     binding->framework->removePodInPreBind(uid);
                                     bindingFailed(binding, Status::error(reason));
                                     return;
                                   }
                                   bind(binding);
                                 });
}

void SchedulerImpl::bindWithExtenders(const BindingPtr& binding, std::size_t next,
                                      const std::function<void(const Status&)>& done) {
  const api::Pod& pod = *binding->pod();
  while (next < extenders_.size() && (!extenders_[next]->isBinder() || !extenders_[next]->isInterested(pod))) ++next;
  if (next == extenders_.size()) {
    binding->framework->runBind(binding->state, binding->pod(), binding->host, done);
    return;
  }
  extenders_[next]->bind(pod, binding->host, [this, binding, next, done](const std::string& error) {
    if (!error.empty() && extenders_[next]->isIgnorable() && way_.passes_over_failed_binders) {
      bindWithExtenders(binding, next + 1, done);
      return;
    }
    const Status status = error.empty() ? Status() : Status::error(error);
    binding->framework->recordPoint(*binding->pod(), "Bind", status, extenders_[next]->name());
    done(status);
  });
}

void SchedulerImpl::bind(const BindingPtr& binding) {
  bindWithExtenders(binding, 0, [this, binding](const Status& status) {
    const LogScope scope(*this, *binding->pod());
    const api::Pod& pod = *binding->pod();
    if (!status.isSuccess()) {
      binding->framework->removePodInPreBind(pod.meta.uid);
      bindingFailed(binding, status);
      return;
    }
    binding->framework->event(pod, "Scheduled",
                              "Successfully assigned " + pod.meta.ns + "/" + pod.meta.name + " to " + binding->host);
    binding->framework->runPostBind(*binding->state, binding->pod(), binding->host);
    binding->framework->removePodInPreBind(pod.meta.uid);
  });
}

void SchedulerImpl::bindingFailed(const BindingPtr& binding, const Status& status) {
  const api::PodPtr pod = binding->pod();
  const std::string error = unreserveAndForget(*binding->framework, *binding->state, pod, binding->host);
  std::function<void()> then;
  if (!error.empty()) {
    log("ForgetPod failed", error);
  } else if (status.isRejected()) {
    // The place that the pod gives back may help others, but not the pod itself: that one is told of nothing, and the
    // others only when it is out of the way.
    then = [this, pod] {
      queue_->moveAllToActiveOrBackoffQueue(events::kAssignedPodDelete, pod, nullptr, [pod](const PodInfo& other) {
        return other.pod->meta.uid != pod->meta.uid;
      });
    };
  } else {
    queue_->moveAllToActiveOrBackoffQueue(events::kAssignedPodDelete, pod, nullptr);
  }
  handleFailure(*binding->framework, *binding->info, status, clearNominatedNode(), std::move(then));
}

}  // namespace podberth::scheduler
