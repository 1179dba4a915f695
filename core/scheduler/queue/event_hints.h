// An event on its way through the queue, with the hints that have registered for it. Matching the event against all
// registrations is done once an event and profile, not once a pod.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "core/scheduler/queue/queueing_hints.h"
#include "core/scheduler/queue/scheduling_queue.h"

namespace podberth::scheduler {

class SchedulingQueue::EventHints {
 public:
  EventHints(const std::map<std::string, QueueingHintMap>& by_profile, const ClusterEvent& event,
             api::ObjectPtr old_object, api::ObjectPtr new_object)
      : by_profile_(by_profile), event_(event), old_(std::move(old_object)), new_(std::move(new_object)) {}

  const ClusterEvent& event() const { return event_; }
  const api::ObjectPtr& oldObject() const { return old_; }
  const api::ObjectPtr& newObject() const { return new_; }

  // Null if there is no such profile.
  const std::vector<const PluginHint*>* of(const std::string& profile);

 private:
  struct OfProfile {
    const std::string* profile = nullptr;
    std::vector<const PluginHint*> hints;
  };
  const std::map<std::string, QueueingHintMap>& by_profile_;
  ClusterEvent event_;
  api::ObjectPtr old_;
  api::ObjectPtr new_;
  std::vector<OfProfile> matched_;  // of the profiles asked for so far
};

}  // namespace podberth::scheduler
