// The queue without hints: an event moves the unschedulable pods whose plugins have registered for it, and a pod whose
// attempt failed goes to backoffQ at once if anything was moved since its attempt began, whatever it was. Backoff grows
// with the attempts; nothing is popped from backoffQ. Upstream: pkg/scheduler/internal/queue/scheduling_queue.go of
// v1.24 (PriorityQueue).
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/scheduler/framework/container_requests.h"
#include "core/scheduler/queue/nominator.h"
#include "core/scheduler/queue/pod_heap.h"
#include "core/scheduler/queue/pod_queue.h"

namespace podberth::scheduler {

class MoveCycleQueue final : public PodQueue {
 public:
  MoveCycleQueue(clock::EventLoop& loop, trace::Recorder& recorder, const Counting& counting, QueueOptions options);
  ~MoveCycleQueue() override;
  MoveCycleQueue(const MoveCycleQueue&) = delete;
  MoveCycleQueue& operator=(const MoveCycleQueue&) = delete;

  void run() override;
  void close() override;
  void add(const api::PodPtr& pod) override;
  void update(const api::PodPtr& old_pod, const api::PodPtr& new_pod) override;
  void remove(const api::Pod& pod) override;
  void activate(const std::vector<api::PodPtr>& pods) override;
  void moveAllToActiveOrBackoffQueue(const ClusterEvent& event, const api::ObjectPtr& old_object,
                                     const api::ObjectPtr& new_object, const PreEnqueueCheck& check = {}) override;
  // Move the unschedulable pods with a required affinity term that speaks of the pod.
  void assignedPodAdded(const api::PodPtr& pod) override;
  void assignedPodUpdated(const api::PodPtr& old_pod, const api::PodPtr& new_pod) override;
  bool poppable() const override { return !active_.empty(); }
  QueuedPodInfoPtr pop() override;
  // This queue does not follow pods in flight.
  void done(const std::string& /*uid*/) override {}
  std::string addUnschedulablePodIfNotPresent(const QueuedPodInfoPtr& info, std::int64_t scheduling_cycle) override;
  std::int64_t schedulingCycle() const override { return scheduling_cycle_; }

  void addNominatedPod(const PodInfoPtr& pod, const std::optional<NominatingInfo>& nominating) override;
  void deleteNominatedPodIfExists(const api::Pod& pod) override { nominator_.remove(pod); }
  std::vector<PodInfoPtr> nominatedPodsForNode(api::Symbol node) const override;

  std::vector<QueuedPodInfoPtr> podsInActiveQ() const override { return active_.inOrder(); }
  std::vector<QueuedPodInfoPtr> podsInBackoffQ() const override { return backoff_.inOrder(); }
  std::vector<QueuedPodInfoPtr> unschedulablePods() const override;
  clock::Time backoffUntil(const QueuedPodInfo& info) const override;
  bool inErrorBackoff(const QueuedPodInfo& /*info*/) const override { return false; }
  trace::Queues queues() const override;

  // What the timers do; for tests.
  void flushBackoffQCompleted();
  void flushUnschedulableLeftover();

 private:
  QueuedPodInfoPtr newQueuedPodInfo(const api::PodPtr& pod);
  bool isBackingOff(const QueuedPodInfo& info) const { return backoffUntil(info) > loop_.now(); }
  void stamp(QueuedPodInfo& info);
  void replacePod(QueuedPodInfo& info, const api::PodPtr& pod);
  void moveToActiveQ(const QueuedPodInfoPtr& info, std::string_view event);
  void moveToBackoffQ(const QueuedPodInfoPtr& info, std::string_view event);
  void requeue(const QueuedPodInfoPtr& info, std::string_view event);
  void movePods(const std::vector<QueuedPodInfoPtr>& pods, const ClusterEvent& event);
  void moveByAffinity(const api::Pod& pod, const ClusterEvent& event);
  trace::Entry& recordMove(const std::string& pod, std::string_view event, std::string_view queue);
  void scheduleBackoffFlush(clock::Time at);
  void scheduleUnschedulableFlush(clock::Time at);

  clock::EventLoop& loop_;
  trace::Recorder& recorder_;
  Counting counting_;
  QueueOptions options_;
  PodHeap active_;
  PodHeap backoff_;
  std::map<std::string, QueuedPodInfoPtr> unschedulable_;  // by "namespace/name"
  Nominator nominator_;
  std::int64_t scheduling_cycle_ = 0;
  std::int64_t move_request_cycle_ = -1;  // the cycle during which something was last moved
  std::int64_t stamps_ = 0;
  std::optional<clock::EventLoop::TimerId> backoff_timer_;
  std::optional<clock::EventLoop::TimerId> unschedulable_timer_;
};

}  // namespace podberth::scheduler
