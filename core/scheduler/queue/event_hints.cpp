#include "core/scheduler/queue/event_hints.h"

#include <algorithm>

namespace podberth::scheduler {
namespace {

bool contains(const std::vector<std::string>& sorted, const std::string& name) {
  return std::binary_search(sorted.begin(), sorted.end(), name);
}

}  // namespace

const std::vector<const PluginHint*>* SchedulingQueue::EventHints::of(const std::string& profile) {
  for (const OfProfile& known : matched_) {
    if (*known.profile == profile) return &known.hints;
  }
  const auto it = by_profile_.find(profile);
  if (it == by_profile_.end()) return nullptr;
  OfProfile fresh;
  fresh.profile = &it->first;
  fresh.hints = it->second.matching(event_);
  matched_.push_back(std::move(fresh));
  return &matched_.back().hints;
}

bool SchedulingQueue::isEventOfInterest(const ClusterEvent& event) const {
  if (event.isWildCard()) return true;
  for (const auto& [profile, hints] : options_.hints) {
    if (hints.anyMatching(event)) return true;
  }
  return false;
}

QueueingStrategy SchedulingQueue::isPodWorthRequeuing(const QueuedPodInfo& info, EventHints& hints) {
  // Without a plugin to blame, something unusual has happened: trying again is all that can be done.
  if (info.unschedulable_plugins.empty() && info.pending_plugins.empty()) return QueueingStrategy::kAfterBackoff;
  const api::Pod& pod = info.pod();

  if (hints.event().isWildCard()) {
    if (hints.newObject() != nullptr) {
      const api::Pod* target = api::as<api::Pod>(hints.newObject().get());
      if (target == nullptr || target->meta.uid != pod.meta.uid) return QueueingStrategy::kSkip;
    }
    return QueueingStrategy::kAfterBackoff;
  }

  const std::vector<const PluginHint*>* matched = hints.of(pod.spec.scheduler_name);
  if (matched == nullptr) {
    recordLog("No QueueingHintMap is registered for this profile", {}, pod.key());
    return QueueingStrategy::kAfterBackoff;
  }

  QueueingStrategy strategy = QueueingStrategy::kSkip;
  for (const PluginHint* hint : *matched) {
    const bool pending = contains(info.pending_plugins, hint->plugin);
    if (!pending && !contains(info.unschedulable_plugins, hint->plugin)) continue;
    HintResult result = HintResult::queue();
    if (hint->hint) result = hint->hint(pod, hints.oldObject().get(), hints.newObject().get());
    if (!result.error.empty()) {
      recordLog("QueueingHintFn returns error", std::move(result.error), pod.key());
      result.hint = QueueingHint::kQueue;
    }
    if (result.hint == QueueingHint::kQueueSkip) continue;
    // A plugin that is pending has no quarrel with the pod: its word lets the pod go without backoff.
    if (pending) return QueueingStrategy::kImmediately;
    if (info.pending_plugins.empty()) return QueueingStrategy::kAfterBackoff;
    strategy = QueueingStrategy::kAfterBackoff;
  }
  return strategy;
}

QueueingStrategy SchedulingQueue::hintForInFlightPod(const QueuedPodInfo& info) {
  if (info.unschedulable_plugins.empty() && info.pending_plugins.empty()) return QueueingStrategy::kAfterBackoff;
  std::vector<const InFlightEvent*> line;
  if (!active_.eventsFor(info.pod().meta.uid, line)) {
    recordLog(
        "Error getting cluster events for pod",
        "in flight entity isn't found in the scheduling queue. If you see this error log, it's likely a bug in the "
        "scheduler",
        info.pod().key());
    return QueueingStrategy::kAfterBackoff;
  }
  QueueingStrategy strategy = QueueingStrategy::kSkip;
  for (const InFlightEvent* event : line) {
    EventHints hints(options_.hints, event->event, event->old_object, event->new_object);
    const QueueingStrategy one = isPodWorthRequeuing(info, hints);
    if (one == QueueingStrategy::kImmediately) return one;
    if (one == QueueingStrategy::kSkip) continue;
    strategy = one;
    if (info.pending_plugins.empty()) return strategy;
  }
  return strategy;
}

}  // namespace podberth::scheduler
