// The pods that are ready to be tried, and those being tried ("in flight") with the events that have come meanwhile.
// Upstream: pkg/scheduler/backend/queue/active_queue.go.
#pragma once

#include <cstddef>
#include <cstdint>
#include <list>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/api/pod.h"
#include "core/scheduler/framework/events.h"
#include "core/scheduler/framework/queued_pod.h"
#include "core/scheduler/queue/pod_heap.h"

namespace podberth::scheduler {

// An event that came while pods were in flight.
struct InFlightEvent {
  ClusterEvent event;
  api::ObjectPtr old_object;
  api::ObjectPtr new_object;
};

class ActiveQueue {
 public:
  explicit ActiveQueue(PodHeap::Less less) : heap_(std::move(less)) {}

  PodHeap& heap() { return heap_; }
  const PodHeap& heap() const { return heap_; }
  std::size_t size() const { return heap_.size(); }
  std::int64_t schedulingCycle() const { return scheduling_cycle_; }

  // Counts the attempt and puts the pod in flight. False if it is so already (by uid): the attempt counts all the same.
  bool moveToInFlight(QueuedPodInfo& info);
  bool isInFlight(const std::string& uid) const { return in_flight_.find(uid) != in_flight_.end(); }
  // Adds the events for a pod that is in flight; false if it is not.
  bool addEventsIfPodInFlight(const api::PodPtr& old_pod, const api::PodPtr& new_pod,
                              const std::vector<ClusterEvent>& events);
  // Adds the event if any pod is in flight; false if none is.
  bool addEventIfAnyInFlight(const ClusterEvent& event, const api::ObjectPtr& old_object,
                             const api::ObjectPtr& new_object);
  // The events since the pod was popped, oldest first; false if the pod is not in flight. Valid until the next change.
  bool eventsFor(const std::string& uid, std::vector<const InFlightEvent*>& out) const;
  // Forgets the pod and the events that no pod in flight needs any more.
  void done(const std::string& uid);
  void allDone();

  std::vector<api::PodPtr> inFlightPods() const;
  std::size_t inFlightListSize() const { return line_.size(); }

 private:
  // Pods and events in the order in which they came: an event counts for the pods before it.
  struct Entry {
    api::PodPtr pod;  // null: an event
    InFlightEvent event;
  };
  PodHeap heap_;
  std::list<Entry> line_;
  std::unordered_map<std::string, std::list<Entry>::iterator> in_flight_;  // by uid
  std::int64_t scheduling_cycle_ = 0;
};

}  // namespace podberth::scheduler
