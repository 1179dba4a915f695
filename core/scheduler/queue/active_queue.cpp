#include "core/scheduler/queue/active_queue.h"

#include <iterator>

namespace podberth::scheduler {

bool ActiveQueue::moveToInFlight(QueuedPodInfo& info) {
  ++info.attempts;
  const std::string& uid = info.pod().meta.uid;
  if (isInFlight(uid)) return false;
  Entry entry;
  entry.pod = info.info->pod;
  line_.push_back(std::move(entry));
  in_flight_.emplace(uid, std::prev(line_.end()));
  ++scheduling_cycle_;
  return true;
}

bool ActiveQueue::addEventsIfPodInFlight(const api::PodPtr& old_pod, const api::PodPtr& new_pod,
                                         const std::vector<ClusterEvent>& events) {
  if (!isInFlight(new_pod->meta.uid)) return false;
  for (const ClusterEvent& event : events) {
    Entry entry;
    entry.event.event = event;
    entry.event.old_object = old_pod;
    entry.event.new_object = new_pod;
    line_.push_back(std::move(entry));
  }
  return true;
}

bool ActiveQueue::addEventIfAnyInFlight(const ClusterEvent& event, const api::ObjectPtr& old_object,
                                        const api::ObjectPtr& new_object) {
  if (in_flight_.empty()) return false;
  Entry entry;
  entry.event.event = event;
  entry.event.old_object = old_object;
  entry.event.new_object = new_object;
  line_.push_back(std::move(entry));
  return true;
}

bool ActiveQueue::eventsFor(const std::string& uid, std::vector<const InFlightEvent*>& out) const {
  out.clear();
  const auto it = in_flight_.find(uid);
  if (it == in_flight_.end()) return false;
  std::list<Entry>::const_iterator entry = it->second;
  for (++entry; entry != line_.end(); ++entry) {
    if (entry->pod == nullptr) out.push_back(&entry->event);
  }
  return true;
}

void ActiveQueue::done(const std::string& uid) {
  const auto it = in_flight_.find(uid);
  if (it == in_flight_.end()) return;
  line_.erase(it->second);
  in_flight_.erase(it);
  while (!line_.empty() && line_.front().pod == nullptr) line_.pop_front();
}

void ActiveQueue::allDone() {
  in_flight_.clear();
  line_.clear();
}

std::vector<api::PodPtr> ActiveQueue::inFlightPods() const {
  std::vector<api::PodPtr> pods;
  for (const Entry& entry : line_) {
    if (entry.pod != nullptr) pods.push_back(entry.pod);
  }
  return pods;
}

}  // namespace podberth::scheduler
