#include "core/scheduler/queue/scheduling_queue.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "core/base/sort.h"
#include "core/scheduler/queue/event_hints.h"
#include "core/scheduler/queue/move_cycle_queue.h"

namespace podberth::scheduler {
namespace {

// Names of the queues in the trace.
constexpr std::string_view kActiveQ = "Active";
constexpr std::string_view kBackoffQ = "Backoff";
constexpr std::string_view kUnschedulableQ = "Unschedulable";
constexpr std::string_view kGated = "gated";

constexpr clock::Duration kUnschedulableFlushInterval = 30 * clock::kSecond;

constexpr std::string_view kNoSigner = "No signer registered for scheduler profile";
constexpr std::string_view kUpdateFailed = "Failed to update pod in an entity";
constexpr std::string_view kDiscarded = "Discarding the popped entity";
constexpr std::string_view kTrackedTwice = "the same pod is tracked in multiple places in the scheduler: ";
constexpr std::string_view kWasInBackoffQ =
    "BackoffQueue add() was called with an entity that was already in the entityBackoffQ";
constexpr std::string_view kWasInErrorBackoffQ =
    "BackoffQueue add() was called with an entity that was already in the entityErrorBackoffQ";

std::vector<std::string> rejectorPlugins(const QueuedPodInfo& info) {
  std::vector<std::string> plugins;
  std::set_union(info.unschedulable_plugins.begin(), info.unschedulable_plugins.end(), info.pending_plugins.begin(),
                 info.pending_plugins.end(), std::back_inserter(plugins));
  return plugins;
}

}  // namespace

std::unique_ptr<PodQueue> makePodQueue(clock::EventLoop& loop, trace::Recorder& recorder, const FeatureGates& gates,
                                       QueueOptions options) {
  if (gates.release().queue == release::QueuePolicy::kMoveRequestCycle) {
    return std::make_unique<MoveCycleQueue>(loop, recorder, Counting(gates), std::move(options));
  }
  return std::make_unique<SchedulingQueue>(loop, recorder, gates, std::move(options));
}

SchedulingQueue::SchedulingQueue(clock::EventLoop& loop, trace::Recorder& recorder, const FeatureGates& gates,
                                 QueueOptions options)
    : loop_(loop),
      recorder_(recorder),
      options_(std::move(options)),
      pop_from_backoff_(gates.enabled("SchedulerPopFromBackoffQ")),
      batching_(gates.enabled("OpportunisticBatching")),
      pod_level_resize_(gates.enabled("InPlacePodLevelResourcesVerticalScaling")),
      active_(options_.less),
      backoff_(loop, options_.initial_backoff, options_.max_backoff, options_.less, pop_from_backoff_),
      nominator_(options_.pods) {
  for (const auto& [profile, hints] : options_.hints) {
    for (const auto& [event, plugins] : hints.items()) {
      for (const PluginHint& hint : plugins) plugin_events_[hint.plugin].push_back(event);
    }
  }
}

SchedulingQueue::~SchedulingQueue() { close(); }

void SchedulingQueue::run() {
  const clock::Time now = loop_.now();
  scheduleBackoffFlush(backoff_.alignToWindow(now + kBackoffOrderingWindow));
  flushUnschedulableLeftover();
  scheduleUnschedulableFlush(now + kUnschedulableFlushInterval);
}

void SchedulingQueue::close() {
  if (backoff_timer_.has_value()) loop_.cancel(*backoff_timer_);
  if (unschedulable_timer_.has_value()) loop_.cancel(*unschedulable_timer_);
  backoff_timer_.reset();
  unschedulable_timer_.reset();
  active_.allDone();
}

void SchedulingQueue::scheduleBackoffFlush(clock::Time at) {
  backoff_timer_ = loop_.at(at, [this] {
    scheduleBackoffFlush(loop_.now() + kBackoffOrderingWindow);
    flushBackoffQCompleted();
  });
}

void SchedulingQueue::scheduleUnschedulableFlush(clock::Time at) {
  // When both timers are due, the backoff flush comes first; its timer has been set later, so this one goes once more
  // to the end of the line.
  unschedulable_timer_ = loop_.at(at, [this] {
    unschedulable_timer_ = loop_.at(loop_.now(), [this] {
      scheduleUnschedulableFlush(loop_.now() + kUnschedulableFlushInterval);
      flushUnschedulableLeftover();
    });
  });
}

trace::Entry& SchedulingQueue::recordMove(const std::string& pod, std::string_view event, std::string_view queue) {
  trace::Entry& entry = recorder_.add(trace::Type::kMove, pod);
  entry.event = event;
  entry.queue = queue;
  return entry;
}

void SchedulingQueue::recordLog(std::string_view message, std::string error, const std::string& pod) {
  trace::Entry& entry = recorder_.add(trace::Type::kLog, pod);
  entry.message = message;
  entry.error = std::move(error);
}

std::optional<std::string> SchedulingQueue::sign(const api::Pod& pod) {
  if (!batching_ || options_.signers.empty()) return std::nullopt;
  const auto it = options_.signers.find(pod.spec.scheduler_name);
  if (it == options_.signers.end()) {
    recordLog(kNoSigner, {}, pod.key());
    return std::nullopt;
  }
  return it->second(pod);
}

QueuedPodInfoPtr SchedulingQueue::newQueuedPodInfo(const api::PodPtr& pod) {
  const auto info = std::make_shared<QueuedPodInfo>();
  info->info = std::make_shared<PodInfo>(pod);
  info->timestamp = loop_.now();
  info->signature = sign(*pod);
  return info;
}

// ---- PreEnqueue and the moves between the queues

bool SchedulingQueue::runPreEnqueuePlugin(Plugin& plugin, QueuedPodInfo& info) {
  const Status status = plugin.preEnqueue(info.pod());
  if (status.isSuccess()) return true;
  std::string name(plugin.name());
  std::vector<std::string>& rejectors = info.unschedulable_plugins;
  const auto place = std::lower_bound(rejectors.begin(), rejectors.end(), name);
  if (place == rejectors.end() || *place != name) rejectors.insert(place, name);
  const auto registered = plugin_events_.find(name);
  info.gating_plugin_events = registered == plugin_events_.end() ? std::vector<ClusterEvent>() : registered->second;
  if (status.isError()) {
    recordLog("Unexpected error running PreEnqueue plugin", status.message(), info.pod().key());
  } else {
    trace::Entry& entry = recorder_.add(trace::Type::kPreEnqueue, info.pod().key());
    entry.plugin = name;
    entry.message = status.message();
    entry.reason = codeName(status.code());
  }
  info.gating_plugin = std::move(name);
  return false;
}

void SchedulingQueue::runPreEnqueuePlugins(QueuedPodInfo& info) {
  const auto plugins = options_.pre_enqueue.find(info.pod().spec.scheduler_name);
  if (plugins != options_.pre_enqueue.end()) {
    // The plugin that gates the pod now is the likeliest to say no again.
    const std::string gating = info.gating_plugin;
    if (!gating.empty()) {
      for (Plugin* plugin : plugins->second) {
        if (plugin->name() == gating && !runPreEnqueuePlugin(*plugin, info)) return;
      }
    }
    for (Plugin* plugin : plugins->second) {
      if (plugin->name() != gating && !runPreEnqueuePlugin(*plugin, info)) return;
    }
  }
  info.gating_plugin.clear();
  info.gating_plugin_events.clear();
}

void SchedulingQueue::gate(const QueuedPodInfoPtr& info, std::string_view event) {
  const std::string key = info->pod().key();
  // A gated pod never gets to an attempt, which is what clears this flag otherwise.
  info->was_flushed_from_unschedulable = false;
  if (unschedulable_.insert_or_assign(key, info).second) recordMove(key, event, kUnschedulableQ).reason = kGated;
}

bool SchedulingQueue::moveToActiveQ(const QueuedPodInfoPtr& info, std::string_view event, bool from_backoff) {
  // Where pods can be popped from backoffQ, they have passed PreEnqueue on their way into it.
  if (!(pop_from_backoff_ && from_backoff)) runPreEnqueuePlugins(*info);
  if (info->gated()) {
    gate(info, event);
    return false;
  }
  if (!info->initial_attempt_timestamp.has_value()) info->initial_attempt_timestamp = loop_.now();
  const std::string key = info->pod().key();
  unschedulable_.erase(key);
  active_.heap().addOrUpdate(info);
  recordMove(key, event, kActiveQ);
  return true;
}

bool SchedulingQueue::moveToBackoffQ(const QueuedPodInfoPtr& info, std::string_view event) {
  if (pop_from_backoff_) {
    runPreEnqueuePlugins(*info);
    if (info->gated()) {
      gate(info, event);
      return false;
    }
  }
  const std::string key = info->pod().key();
  unschedulable_.erase(key);
  if (backoff_.add(info) == BackoffQueue::Added::kWasInOther) {
    recordLog(backoff_.inErrorBackoff(key) ? kWasInBackoffQ : kWasInErrorBackoffQ, {}, {});
    return true;
  }
  recordMove(key, event, kBackoffQ);
  return true;
}

std::string_view SchedulingQueue::requeue(const QueuedPodInfoPtr& info, QueueingStrategy strategy,
                                          std::string_view event) {
  if (strategy == QueueingStrategy::kSkip) {
    unschedulable_.insert_or_assign(info->pod().key(), info);
    return kUnschedulableQ;
  }
  // The backoff may have ended while the pod was unschedulable.
  if (strategy == QueueingStrategy::kAfterBackoff && backoff_.isBackingOff(*info)) {
    return moveToBackoffQ(info, event) ? kBackoffQ : kUnschedulableQ;
  }
  return moveToActiveQ(info, event, false) ? kActiveQ : kUnschedulableQ;
}

// ---- From outside

void SchedulingQueue::add(const api::PodPtr& pod) {
  const QueuedPodInfoPtr info = newQueuedPodInfo(pod);
  nominator_.add(*pod, std::nullopt);
  moveToActiveQ(info, events::kUnscheduledPodAdd.label(), false);
}

bool SchedulingQueue::replacePod(QueuedPodInfo& info, const api::PodPtr& pod) {
  info.signature.reset();
  if (info.pod().meta.uid != pod->meta.uid) return false;
  info.info = std::make_shared<PodInfo>(pod);
  return true;
}

void SchedulingQueue::update(const api::PodPtr& old_pod, const api::PodPtr& new_pod) {
  const std::vector<ClusterEvent> changes = podSchedulingPropertiesChange(*new_pod, *old_pod, true, pod_level_resize_);
  if (active_.addEventsIfPodInFlight(old_pod, new_pod, changes)) return;

  const std::string key = old_pod->key();
  if (const QueuedPodInfoPtr info = active_.heap().get(key); info != nullptr && replacePod(*info, new_pod)) {
    active_.heap().addOrUpdate(info);
    nominator_.update(*old_pod, *new_pod);
    info->signature = sign(*new_pod);
    return;
  }
  if (const QueuedPodInfoPtr info = backoff_.get(key); info != nullptr && replacePod(*info, new_pod)) {
    backoff_.fix(info);
    nominator_.update(*old_pod, *new_pod);
    info->signature = sign(*new_pod);
    return;
  }
  const auto it = unschedulable_.find(key);
  if (it == unschedulable_.end()) {
    add(new_pod);
    return;
  }
  const QueuedPodInfoPtr info = it->second;
  updateUnschedulable(info, old_pod, new_pod, changes);
}

void SchedulingQueue::updateUnschedulable(const QueuedPodInfoPtr& info, const api::PodPtr& old_pod,
                                          const api::PodPtr& new_pod, const std::vector<ClusterEvent>& changes) {
  if (!replacePod(*info, new_pod)) {
    recordLog(kUpdateFailed, "pod UID mismatch, expected " + info->pod().meta.uid + ", got " + new_pod->meta.uid,
              new_pod->key());
    add(new_pod);
    return;
  }
  nominator_.update(*old_pod, *new_pod);
  info->signature = sign(*new_pod);
  for (const ClusterEvent& event : changes) {
    EventHints hints(options_.hints, event, old_pod, new_pod);
    const QueueingStrategy strategy = isPodWorthRequeuing(*info, hints);
    const std::string label = event.label();
    const std::string_view queue = requeue(info, strategy, label);
    // The trace tells the move twice: as a move to that queue and as what the update came to.
    if (queue != kUnschedulableQ) recordMove(new_pod->key(), label, queue);
    if (queue == kActiveQ || (pop_from_backoff_ && queue == kBackoffQ)) break;
  }
}

void SchedulingQueue::remove(const api::Pod& pod) {
  nominator_.remove(pod);
  const std::string key = pod.key();
  if (active_.heap().remove(key) != nullptr || backoff_.remove(key) != nullptr) return;
  unschedulable_.erase(key);
}

void SchedulingQueue::activate(const std::vector<api::PodPtr>& pods) {
  std::map<std::string, api::PodPtr> by_key;
  for (const api::PodPtr& pod : pods) by_key.insert_or_assign(pod->key(), pod);
  for (const auto& [key, pod] : by_key) {
    const auto it = unschedulable_.find(key);
    const bool from_backoff = it == unschedulable_.end();
    const QueuedPodInfoPtr info = from_backoff ? backoff_.remove(key) : it->second;
    if (info != nullptr && moveToActiveQ(info, events::kForceActivate.label(), from_backoff)) continue;
    active_.addEventsIfPodInFlight(nullptr, pod, {events::kForceActivate});
  }
}

void SchedulingQueue::moveAllToActiveOrBackoffQueue(const ClusterEvent& event, const api::ObjectPtr& old_object,
                                                    const api::ObjectPtr& new_object, const PreEnqueueCheck& check) {
  if (!isEventOfInterest(event)) return;
  EventHints hints(options_.hints, event, old_object, new_object);
  const std::string label = event.label();
  for (auto it = unschedulable_.begin(); it != unschedulable_.end();) {
    // Moving the pod takes its entry away, or puts it back where it was.
    const QueuedPodInfoPtr info = it->second;
    ++it;
    if (!check || check(*info->info)) moveIfWorth(info, hints, label);
  }
  rememberForInFlight(hints, label);
}

void SchedulingQueue::assignedPodAdded(const api::PodPtr& pod) {
  moveAllToActiveOrBackoffQueue(events::kAssignedPodAdd, nullptr, pod);
}

void SchedulingQueue::assignedPodUpdated(const api::PodPtr& old_pod, const api::PodPtr& new_pod) {
  for (const ClusterEvent& event : podSchedulingPropertiesChange(*new_pod, *old_pod, false)) {
    moveAllToActiveOrBackoffQueue(event, old_pod, new_pod);
  }
}

void SchedulingQueue::moveIfWorth(const QueuedPodInfoPtr& info, EventHints& hints, const std::string& label) {
  const ClusterEvent& event = hints.event();
  if (info->gated() && !event.isWildCard() && !matchAnyClusterEvent(event, info->gating_plugin_events)) return;
  const QueueingStrategy strategy = isPodWorthRequeuing(*info, hints);
  if (strategy == QueueingStrategy::kSkip) {
    if (recorder_.skips) recorder_.add(trace::Type::kSkip, info->pod().key()).event = label;
    return;
  }
  unschedulable_.erase(info->pod().key());
  requeue(info, strategy, label);
}

void SchedulingQueue::rememberForInFlight(const EventHints& hints, const std::string& label) {
  if (!active_.addEventIfAnyInFlight(hints.event(), hints.oldObject(), hints.newObject())) return;
  recorder_.add(trace::Type::kInFlight).event = label;
}

// ---- Attempts

bool SchedulingQueue::poppable() const { return active_.size() > 0 || (pop_from_backoff_ && backoff_.canPopBackoff()); }

QueuedPodInfoPtr SchedulingQueue::pop() {
  for (;;) {
    QueuedPodInfoPtr info = active_.heap().pop();
    if (info == nullptr && pop_from_backoff_) info = backoff_.popBackoff();
    if (info == nullptr) return nullptr;
    if (active_.moveToInFlight(*info)) return info;
    recordLog(kDiscarded, std::string(kTrackedTwice) + info->pod().key(), {});
  }
}

void SchedulingQueue::done(const std::string& uid) { active_.done(uid); }

std::string SchedulingQueue::addUnschedulablePodIfNotPresent(const QueuedPodInfoPtr& info,
                                                             std::int64_t /*scheduling_cycle*/) {
  const std::string key = info->pod().key();
  const std::string uid = info->pod().meta.uid;
  const char* present = unschedulable_.find(key) != unschedulable_.end() ? "unschedulable"
                        : active_.heap().has(key)                        ? "the active"
                        : backoff_.has(key)                              ? "the backoff"
                                                                         : nullptr;
  if (present != nullptr) {
    active_.done(uid);
    return "Pod " + key + " is already present in " + present + " queue";
  }

  base::sortUnique(info->unschedulable_plugins);
  base::sortUnique(info->pending_plugins);
  std::vector<std::string> plugins = rejectorPlugins(*info);
  if (plugins.empty()) {
    ++info->consecutive_errors_count;
  } else {
    ++info->unschedulable_count;
    info->consecutive_errors_count = 0;
  }
  info->timestamp = loop_.now();
  info->backoff_expiration = 0;
  info->was_flushed_from_unschedulable = false;
  info->flush_timestamp = 0;

  const QueueingStrategy strategy = hintForInFlightPod(*info);
  const std::string_view queue = requeue(info, strategy, events::kScheduleAttemptFailure);
  trace::Entry& entry = recordMove(key, events::kScheduleAttemptFailure, queue);
  entry.queueing_hint = std::to_string(static_cast<int>(strategy));
  entry.plugins = std::move(plugins);
  active_.done(uid);
  return {};
}

// ---- Flushes

void SchedulingQueue::flushBackoffQCompleted() {
  for (const QueuedPodInfoPtr& info : backoff_.popAllCompleted()) moveToActiveQ(info, events::kBackoffComplete, true);
}

void SchedulingQueue::flushUnschedulableLeftover() {
  const clock::Time now = loop_.now();
  std::vector<QueuedPodInfoPtr> leftover;
  for (const auto& [key, info] : unschedulable_) {
    const clock::Time since = std::max(info->timestamp, info->flush_timestamp);
    if (now - since <= options_.max_in_unschedulable) continue;
    info->was_flushed_from_unschedulable = true;
    info->flush_timestamp = now;
    leftover.push_back(info);
  }
  if (leftover.empty()) return;
  EventHints hints(options_.hints, events::kUnschedulableTimeout, nullptr, nullptr);
  const std::string label = events::kUnschedulableTimeout.label();
  for (const QueuedPodInfoPtr& info : leftover) moveIfWorth(info, hints, label);
  rememberForInFlight(hints, label);
}

// ---- Nominations

void SchedulingQueue::addNominatedPod(const PodInfoPtr& pod, const std::optional<NominatingInfo>& nominating) {
  nominator_.add(*pod->pod, nominating);
}

void SchedulingQueue::deleteNominatedPodIfExists(const api::Pod& pod) { nominator_.remove(pod); }

void SchedulingQueue::updateNominatedPod(const api::Pod& old_pod, const PodInfoPtr& new_pod) {
  nominator_.update(old_pod, *new_pod->pod);
}

std::vector<PodInfoPtr> SchedulingQueue::nominatedPodsForNode(api::Symbol node) const {
  std::vector<PodInfoPtr> pods;
  const std::vector<Nominator::PodRef>* refs = nominator_.forNode(node);
  if (refs == nullptr) return pods;
  pods.reserve(refs->size());
  for (const Nominator::PodRef& ref : *refs) {
    const QueuedPodInfoPtr info = find(ref.key);
    pods.push_back(info != nullptr ? info->info : ref.bare);
  }
  return pods;
}

// ---- For showing

std::vector<QueuedPodInfoPtr> SchedulingQueue::podsInActiveQ() const { return active_.heap().inOrder(); }
std::vector<QueuedPodInfoPtr> SchedulingQueue::podsInBackoffQ() const { return backoff_.inOrder(); }
std::vector<api::PodPtr> SchedulingQueue::inFlightPods() const { return active_.inFlightPods(); }

std::vector<QueuedPodInfoPtr> SchedulingQueue::unschedulablePods() const {
  std::vector<QueuedPodInfoPtr> out;
  out.reserve(unschedulable_.size());
  for (const auto& [key, info] : unschedulable_) out.push_back(info);
  return out;
}

QueuedPodInfoPtr SchedulingQueue::find(const std::string& key) const {
  QueuedPodInfoPtr info = active_.heap().get(key);
  if (info == nullptr) info = backoff_.get(key);
  if (info != nullptr) return info;
  const auto it = unschedulable_.find(key);
  return it == unschedulable_.end() ? nullptr : it->second;
}

trace::Queues SchedulingQueue::queues() const {
  trace::Queues out;
  active_.heap().appendKeys(out.active);
  out.backoff = backoff_.keys();
  out.unschedulable.reserve(unschedulable_.size());
  for (const auto& [key, info] : unschedulable_) out.unschedulable.push_back(key);
  return out;
}

}  // namespace podberth::scheduler
