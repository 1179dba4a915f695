// The queue with queueing hints: an event brings back the pods that a plugin's hint says it could help. Unschedulable
// pods may be gated by a PreEnqueue plugin too. Upstream: pkg/scheduler/backend/queue (PriorityQueue), for single pods
// (GenericWorkload is off).
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/api/pod.h"
#include "core/clock/event_loop.h"
#include "core/scheduler/framework/handle.h"
#include "core/scheduler/framework/plugin.h"
#include "core/scheduler/framework/queued_pod.h"
#include "core/scheduler/queue/active_queue.h"
#include "core/scheduler/queue/backoff_queue.h"
#include "core/scheduler/queue/nominator.h"
#include "core/scheduler/queue/pod_queue.h"
#include "core/scheduler/queue/queueing_hints.h"
#include "core/trace/recorder.h"

namespace podberth::scheduler {

// How a pod comes back to the queue; the numbers are what the trace shows as "queueing_hint".
enum class QueueingStrategy { kSkip = 0, kAfterBackoff = 1, kImmediately = 2 };

class SchedulingQueue : public PodQueue {
 public:
  SchedulingQueue(clock::EventLoop& loop, trace::Recorder& recorder, const FeatureGates& gates, QueueOptions options);
  ~SchedulingQueue() override;
  SchedulingQueue(const SchedulingQueue&) = delete;
  SchedulingQueue& operator=(const SchedulingQueue&) = delete;

  // Starts the two flushes at the current time: backoffQ each second on the second, unschedulable pods at once and then
  // every 30 s.
  void run() override;
  // Stops them; pods in flight are done.
  void close() override;

  // A new pod without a node.
  void add(const api::PodPtr& pod) override;
  // A pod without a node has changed, wherever it is; an unknown one is added.
  void update(const api::PodPtr& old_pod, const api::PodPtr& new_pod) override;
  // Takes a pod (by namespace and name) out of the queues and the nominator. One in flight stays so until done().
  void remove(const api::Pod& pod) override;

  // Moves the pods that wait in backoffQ or as unschedulable to activeQ; for those in flight the wish is remembered.
  void activate(const std::vector<api::PodPtr>& pods) override;
  // An event happened: moves the unschedulable pods to activeQ or backoffQ whose plugins say that it could help.
  // `old_object` is null for an addition, `new_object` for a deletion; an empty `check` lets every pod pass.
  void moveAllToActiveOrBackoffQueue(const ClusterEvent& event, const api::ObjectPtr& old_object,
                                     const api::ObjectPtr& new_object, const PreEnqueueCheck& check = {}) override;
  void assignedPodAdded(const api::PodPtr& pod) override;
  // An event for each thing that has changed.
  void assignedPodUpdated(const api::PodPtr& old_pod, const api::PodPtr& new_pod) override;

  // Whether pop() would return a pod.
  bool poppable() const override;
  // Takes the head of activeQ, or of backoffQ if activeQ is empty and popping from there is on; null if there is none.
  // The pod is in flight from now on and its `attempts` counts this attempt.
  QueuedPodInfoPtr pop() override;
  // An attempt is over: the pod (by uid) is in flight no more. Does nothing for others.
  void done(const std::string& uid) override;
  // Brings a pod back whose attempt has failed, with the plugins that rejected it in its info; none means that an error
  // happened. Ends the pod's flight in any case. On failure returns upstream's error text, "" otherwise.
  std::string addUnschedulablePodIfNotPresent(const QueuedPodInfoPtr& info, std::int64_t scheduling_cycle) override;
  // Grows with each pop.
  std::int64_t schedulingCycle() const override { return active_.schedulingCycle(); }

  // PodNominator.
  void addNominatedPod(const PodInfoPtr& pod, const std::optional<NominatingInfo>& nominating) override;
  void deleteNominatedPodIfExists(const api::Pod& pod) override;
  void updateNominatedPod(const api::Pod& old_pod, const PodInfoPtr& new_pod);
  // A pod that is nominated and in no queue (in flight) comes as a pod with nothing but its name and uid, as upstream.
  std::vector<PodInfoPtr> nominatedPodsForNode(api::Symbol node) const override;

  // For showing.
  std::vector<QueuedPodInfoPtr> podsInActiveQ() const override;   // in the order of popping
  std::vector<QueuedPodInfoPtr> podsInBackoffQ() const override;  // in the order of popping, those after an error last
  std::vector<QueuedPodInfoPtr> unschedulablePods() const override;  // gated ones too; by "namespace/name"
  std::vector<api::PodPtr> inFlightPods() const;                     // in the order of popping
  // When the backoff of a pod in backoffQ ends; whether it waits there because of an error.
  clock::Time backoffUntil(const QueuedPodInfo& info) const override { return backoff_.backoffTime(info); }
  bool inErrorBackoff(const QueuedPodInfo& info) const override { return backoff_.inErrorBackoff(info.pod().key()); }
  // Null if the pod ("namespace/name") is in none of the three.
  QueuedPodInfoPtr find(const std::string& key) const;
  // Keys of the pods in the three, sorted.
  trace::Queues queues() const override;
  std::size_t activeSize() const { return active_.size(); }
  std::size_t backoffSize() const { return backoff_.size(); }
  std::size_t unschedulableSize() const { return unschedulable_.size(); }

  // What the timers do; for tests.
  void flushBackoffQCompleted();
  void flushUnschedulableLeftover();

 private:
  class EventHints;

  QueuedPodInfoPtr newQueuedPodInfo(const api::PodPtr& pod);
  std::optional<std::string> sign(const api::Pod& pod);
  // False if the new pod is another one of the same name (its uid differs).
  bool replacePod(QueuedPodInfo& info, const api::PodPtr& pod);
  void updateUnschedulable(const QueuedPodInfoPtr& info, const api::PodPtr& old_pod, const api::PodPtr& new_pod,
                           const std::vector<ClusterEvent>& events);

  void runPreEnqueuePlugins(QueuedPodInfo& info);
  bool runPreEnqueuePlugin(Plugin& plugin, QueuedPodInfo& info);
  void gate(const QueuedPodInfoPtr& info, std::string_view event);
  bool moveToActiveQ(const QueuedPodInfoPtr& info, std::string_view event, bool from_backoff);
  bool moveToBackoffQ(const QueuedPodInfoPtr& info, std::string_view event);
  // Returns the name of the queue that the pod went to.
  std::string_view requeue(const QueuedPodInfoPtr& info, QueueingStrategy strategy, std::string_view event);
  void moveIfWorth(const QueuedPodInfoPtr& info, EventHints& hints, const std::string& label);
  void rememberForInFlight(const EventHints& hints, const std::string& label);

  bool isEventOfInterest(const ClusterEvent& event) const;
  QueueingStrategy isPodWorthRequeuing(const QueuedPodInfo& info, EventHints& hints);
  QueueingStrategy hintForInFlightPod(const QueuedPodInfo& info);

  trace::Entry& recordMove(const std::string& pod, std::string_view event, std::string_view queue);
  void recordLog(std::string_view message, std::string error, const std::string& pod);

  void scheduleBackoffFlush(clock::Time at);
  void scheduleUnschedulableFlush(clock::Time at);

  clock::EventLoop& loop_;
  trace::Recorder& recorder_;
  QueueOptions options_;
  const bool pop_from_backoff_;
  const bool batching_;
  const bool pod_level_resize_;
  std::map<std::string, std::vector<ClusterEvent>> plugin_events_;  // what a plugin has registered, over all profiles
  ActiveQueue active_;
  BackoffQueue backoff_;
  std::map<std::string, QueuedPodInfoPtr> unschedulable_;  // by "namespace/name"
  Nominator nominator_;
  std::optional<clock::EventLoop::TimerId> backoff_timer_;
  std::optional<clock::EventLoop::TimerId> unschedulable_timer_;
};

}  // namespace podberth::scheduler
