// How v1.24 goes about it, where that is another way than that of later releases (CycleRules::kV1_24): the scheduling
// and the binding cycle, the failure handler and the event handlers. It works on the parts of a SchedulerImpl.
// Upstream: pkg/scheduler/{schedule_one,scheduler,eventhandlers}.go of v1.24.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>

#include "core/scheduler/scheduler_impl.h"

namespace podberth::scheduler {

class SchedulerImpl::V1_24 {
 public:
  explicit V1_24(SchedulerImpl& scheduler) : s_(scheduler) {}

  // schedule_one_v1_24.cpp
  void scheduleOne(const QueuedPodInfoPtr& info);
  Failure schedulePod(Framework& framework, CycleState& state, const QueuedPodInfo& info, Result& result);

  // event_handlers_v1_24.cpp
  void addEventHandlers(const std::map<EventResource, std::int64_t>& resources);

 private:
  // What a pod failed with.
  struct Reason {
    std::string text;
    std::shared_ptr<FitError> fit;  // no node fits
    bool no_nodes = false;          // there are none
    bool unschedulable = false;     // the condition's reason; else it is an error of the scheduler
  };

  Status findNodesThatFit(Framework& framework, CycleState& state, const PodInfo& pod, Diagnosis& diagnosis);
  void evaluateNominatedNode(Framework& framework, CycleState& state, const PodInfo& pod, Diagnosis& diagnosis);
  Status findNodesThatPassFilters(Framework& framework, CycleState& state, const PodInfo& pod, Diagnosis& diagnosis,
                                  const std::vector<NodeInfo*>& nodes);
  Status findNodesThatPassExtenders(const PodInfo& pod, Diagnosis& diagnosis);
  // PostFilter, and what the attempt failed with after it.
  Reason preempt(Framework& framework, CycleState& state, const QueuedPodInfo& info, const Failure& failure,
                 std::optional<NominatingInfo>* nominating);
  // False if the pod goes no further: then the failure has been handled.
  bool assumeReserveAndPermit(const BindingPtr& binding, const QueuedPodInfo& info);

  void waitOnPermit(const BindingPtr& binding);
  void preBind(const BindingPtr& binding);
  void bind(const BindingPtr& binding);
  // The pod gives its place back. True if the cache knew of it.
  bool giveBack(const Binding& binding);
  void bindingFailed(const BindingPtr& binding, std::string error);

  // What becomes of a pod that was not scheduled. `info` is the pod in the queue from now on. Calls `then` when all has
  // been said and written.
  void handleFailure(Framework& framework, const QueuedPodInfoPtr& info, const Reason& reason,
                     const std::optional<NominatingInfo>& nominating, std::function<void()> then = {});

  void onNodeAdd(const api::NodePtr& node);
  void onNodeUpdate(const api::NodePtr& old_node, const api::NodePtr& new_node);
  void onNodeDelete(const api::NodePtr& node);
  void onPodAdd(const api::PodPtr& pod);
  void onPodUpdate(const api::PodPtr& old_pod, const api::PodPtr& new_pod);
  void onPodDelete(const api::PodPtr& pod, bool final_state_unknown);
  void removeAssigned(const api::PodPtr& pod);
  void removeQueued(const api::PodPtr& pod);
  void addResourceHandler(EventResource resource, std::int64_t actions);
  void moveAll(const ClusterEvent& event, const PreEnqueueCheck& check = {}) {
    s_.queue_->moveAllToActiveOrBackoffQueue(event, nullptr, nullptr, check);
  }

  SchedulerImpl& s_;
};

}  // namespace podberth::scheduler
