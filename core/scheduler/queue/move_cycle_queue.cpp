#include "core/scheduler/queue/move_cycle_queue.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "core/api/decode.h"
#include "core/clock/arithmetic.h"
#include "core/scheduler/framework/container_requests.h"
#include "core/trace/json_text.h"

namespace podberth::scheduler {
namespace {

constexpr std::string_view kActiveQ = "Active";
constexpr std::string_view kBackoffQ = "Backoff";
constexpr std::string_view kUnschedulableQ = "Unschedulable";
constexpr std::string_view kPodAdd = "PodAdd";
constexpr std::string_view kPodUpdate = "PodUpdate";
constexpr std::string_view kForceActivate = "ForceActivate";

constexpr clock::Duration kBackoffFlushInterval = 1 * clock::kSecond;
constexpr clock::Duration kUnschedulableFlushInterval = 30 * clock::kSecond;

// Whether the update changes more than what cannot matter: versions, generation, finalizers and the status.
bool isPodUpdated(const api::Pod& old_pod, const api::Pod& new_pod) {
  api::Pod a = old_pod;
  api::Pod b = new_pod;
  for (api::Pod* pod : {&a, &b}) {
    pod->meta.generation = 0;
    pod->meta.finalizers.clear();
    pod->status = api::PodStatus();
  }
  return !api::semanticallyEqual(a, b);
}

}  // namespace

MoveCycleQueue::MoveCycleQueue(clock::EventLoop& loop, trace::Recorder& recorder, const Counting& counting,
                               QueueOptions options)
    : loop_(loop),
      recorder_(recorder),
      counting_(counting),
      options_(std::move(options)),
      // Simulated time stands still while the scheduler works, so that timestamps can be equal as they never are in
      // reality: then the one that was set first comes first.
      active_([this](const QueuedPodInfo& a, const QueuedPodInfo& b) {
        if (options_.less(a, b)) return true;
        return !options_.less(b, a) && a.stamp < b.stamp;
      }),
      backoff_([this](const QueuedPodInfo& a, const QueuedPodInfo& b) { return backoffUntil(a) < backoffUntil(b); }),
      nominator_(options_.pods) {}

MoveCycleQueue::~MoveCycleQueue() { close(); }

void MoveCycleQueue::run() {
  const clock::Time now = loop_.now();
  flushBackoffQCompleted();
  flushUnschedulableLeftover();
  scheduleBackoffFlush(now + kBackoffFlushInterval);
  scheduleUnschedulableFlush(now + kUnschedulableFlushInterval);
}

void MoveCycleQueue::close() {
  if (backoff_timer_.has_value()) loop_.cancel(*backoff_timer_);
  if (unschedulable_timer_.has_value()) loop_.cancel(*unschedulable_timer_);
  backoff_timer_.reset();
  unschedulable_timer_.reset();
}

void MoveCycleQueue::scheduleBackoffFlush(clock::Time at) {
  backoff_timer_ = loop_.at(at, [this] {
    scheduleBackoffFlush(loop_.now() + kBackoffFlushInterval);
    flushBackoffQCompleted();
  });
}

void MoveCycleQueue::scheduleUnschedulableFlush(clock::Time at) {
  // When both timers are due, the backoff flush comes first; its timer has been set later, so this one goes once more
  // to the end of the line.
  unschedulable_timer_ = loop_.at(at, [this] {
    unschedulable_timer_ = loop_.at(loop_.now(), [this] {
      scheduleUnschedulableFlush(loop_.now() + kUnschedulableFlushInterval);
      flushUnschedulableLeftover();
    });
  });
}

trace::Entry& MoveCycleQueue::recordMove(const std::string& pod, std::string_view event, std::string_view queue) {
  trace::Entry& entry = recorder_.add(trace::Type::kMove, pod);
  entry.event = event;
  entry.queue = queue;
  return entry;
}

void MoveCycleQueue::stamp(QueuedPodInfo& info) {
  info.timestamp = loop_.now();
  info.stamp = ++stamps_;
}

QueuedPodInfoPtr MoveCycleQueue::newQueuedPodInfo(const api::PodPtr& pod) {
  const auto info = std::make_shared<QueuedPodInfo>();
  info->info = makePodInfo(pod, counting_);
  info->initial_attempt_timestamp = loop_.now();
  stamp(*info);
  return info;
}

void MoveCycleQueue::replacePod(QueuedPodInfo& info, const api::PodPtr& pod) {
  info.info = makePodInfo(pod, counting_);
}

// ---- The moves between the queues

void MoveCycleQueue::moveToActiveQ(const QueuedPodInfoPtr& info, std::string_view event) {
  const std::string key = info->pod().key();
  active_.addOrUpdate(info);
  unschedulable_.erase(key);
  recordMove(key, event, kActiveQ);
}

void MoveCycleQueue::moveToBackoffQ(const QueuedPodInfoPtr& info, std::string_view event) {
  const std::string key = info->pod().key();
  backoff_.addOrUpdate(info);
  unschedulable_.erase(key);
  trace::Entry& entry = recordMove(key, event, kBackoffQ);
  entry.message = "backoff ends at " + trace::secondsText(backoffUntil(*info) - recorder_.start());
}

void MoveCycleQueue::requeue(const QueuedPodInfoPtr& info, std::string_view event) {
  isBackingOff(*info) ? moveToBackoffQ(info, event) : moveToActiveQ(info, event);
}

clock::Time MoveCycleQueue::backoffUntil(const QueuedPodInfo& info) const {
  clock::Duration duration = options_.initial_backoff;
  for (int i = 1; i < info.attempts; ++i) {
    if (duration > clock::minus(options_.max_backoff, duration)) {
      return clock::later(info.timestamp, options_.max_backoff);
    }
    duration += duration;
  }
  return clock::later(info.timestamp, duration);
}

// ---- From outside

void MoveCycleQueue::add(const api::PodPtr& pod) {
  const QueuedPodInfoPtr info = newQueuedPodInfo(pod);
  const std::string key = pod->key();
  const bool known = active_.has(key);
  active_.addOrUpdate(info);
  unschedulable_.erase(key);
  backoff_.remove(key);
  if (!known) recordMove(key, kPodAdd, kActiveQ);
  nominator_.add(*pod, std::nullopt, info->info);
}

void MoveCycleQueue::update(const api::PodPtr& old_pod, const api::PodPtr& new_pod) {
  const std::string key = old_pod->key();
  for (PodHeap* heap : {&active_, &backoff_}) {
    const QueuedPodInfoPtr info = heap->get(key);
    if (info == nullptr) continue;
    replacePod(*info, new_pod);
    nominator_.update(*old_pod, *new_pod, info->info);
    heap->addOrUpdate(info);
    return;
  }
  const auto it = unschedulable_.find(key);
  if (it != unschedulable_.end()) {
    const QueuedPodInfoPtr info = it->second;
    replacePod(*info, new_pod);
    nominator_.update(*old_pod, *new_pod, info->info);
    if (isPodUpdated(*old_pod, *new_pod)) requeue(info, kPodUpdate);
    return;
  }
  const QueuedPodInfoPtr info = newQueuedPodInfo(new_pod);
  moveToActiveQ(info, kPodUpdate);
  nominator_.add(*new_pod, std::nullopt, info->info);
}

void MoveCycleQueue::remove(const api::Pod& pod) {
  nominator_.remove(pod);
  const std::string key = pod.key();
  if (active_.remove(key) != nullptr) return;
  backoff_.remove(key);
  unschedulable_.erase(key);
}

void MoveCycleQueue::activate(const std::vector<api::PodPtr>& pods) {
  std::map<std::string, api::PodPtr> by_key;
  for (const api::PodPtr& pod : pods) by_key.insert_or_assign(pod->key(), pod);
  for (const auto& [key, pod] : by_key) {
    if (active_.has(key)) continue;
    const auto it = unschedulable_.find(key);
    const QueuedPodInfoPtr info = it != unschedulable_.end() ? it->second : backoff_.remove(key);
    if (info == nullptr) {
      recorder_.add(trace::Type::kLog, key).message = "To-activate pod does not exist in unschedulablePods or backoffQ";
      continue;
    }
    moveToActiveQ(info, kForceActivate);
    nominator_.add(info->pod(), std::nullopt, info->info);
  }
}

void MoveCycleQueue::moveAllToActiveOrBackoffQueue(const ClusterEvent& event, const api::ObjectPtr& /*old_object*/,
                                                   const api::ObjectPtr& /*new_object*/, const PreEnqueueCheck& check) {
  std::vector<QueuedPodInfoPtr> pods;
  for (const auto& [key, info] : unschedulable_) {
    if (!check || check(*info->info)) pods.push_back(info);
  }
  movePods(pods, event);
}

void MoveCycleQueue::movePods(const std::vector<QueuedPodInfoPtr>& pods, const ClusterEvent& event) {
  const std::string label = event.label();
  for (const QueuedPodInfoPtr& info : pods) {
    // A pod that no plugin has rejected failed for an unusual reason: anything may help it.
    const std::vector<std::string>& plugins = info->unschedulable_plugins;
    if (!plugins.empty() && !options_.events.concerns(event, plugins)) continue;
    requeue(info, label);
  }
  move_request_cycle_ = scheduling_cycle_;
}

void MoveCycleQueue::moveByAffinity(const api::Pod& pod, const ClusterEvent& event) {
  static const api::LabelSet kNoLabels;
  const auto ns = options_.namespaces == nullptr ? nullptr : options_.namespaces->get({}, pod.meta.ns);
  const api::LabelSet& labels = ns == nullptr ? kNoLabels : ns->meta.labels;
  std::vector<QueuedPodInfoPtr> pods;
  for (const auto& [key, info] : unschedulable_) {
    const std::vector<AffinityTerm>& terms = info->info->required_affinity_terms;
    if (std::any_of(terms.begin(), terms.end(), [&](const AffinityTerm& t) { return t.matches(pod, labels); })) {
      pods.push_back(info);
    }
  }
  movePods(pods, event);
}

void MoveCycleQueue::assignedPodAdded(const api::PodPtr& pod) { moveByAffinity(*pod, events_v1_24::kAssignedPodAdd); }

void MoveCycleQueue::assignedPodUpdated(const api::PodPtr& /*old_pod*/, const api::PodPtr& new_pod) {
  moveByAffinity(*new_pod, events_v1_24::kAssignedPodUpdate);
}

// ---- Attempts

QueuedPodInfoPtr MoveCycleQueue::pop() {
  QueuedPodInfoPtr info = active_.pop();
  if (info == nullptr) return nullptr;
  ++info->attempts;
  ++scheduling_cycle_;
  return info;
}

std::string MoveCycleQueue::addUnschedulablePodIfNotPresent(const QueuedPodInfoPtr& info,
                                                            std::int64_t scheduling_cycle) {
  const std::string key = info->pod().key();
  // The order of these stamps follows the calls, the refused ones too.
  const std::int64_t stamped = ++stamps_;
  const char* present = unschedulable_.find(key) != unschedulable_.end() ? "unschedulable queue"
                        : active_.has(key)                               ? "the active queue"
                        : backoff_.has(key)                              ? "the backoff queue"
                                                                         : nullptr;
  if (present != nullptr) {
    const auto waiting = unschedulable_.find(key);
    const QueuedPodInfoPtr known = waiting != unschedulable_.end() ? waiting->second : active_.get(key);
    if (known != nullptr) known->stamp = stamped;
    return "Pod " + key + " is already present in " + present;
  }
  info->timestamp = loop_.now();
  info->stamp = stamped;
  const bool moved = move_request_cycle_ >= scheduling_cycle;
  if (moved) {
    moveToBackoffQ(info, events::kScheduleAttemptFailure);
  } else {
    unschedulable_.insert_or_assign(key, info);
    recordMove(key, events::kScheduleAttemptFailure, kUnschedulableQ);
  }
  recorder_.entries().back().plugins = info->unschedulable_plugins;
  nominator_.add(info->pod(), std::nullopt, info->info);
  return {};
}

// ---- Flushes

void MoveCycleQueue::flushBackoffQCompleted() {
  for (QueuedPodInfoPtr head = backoff_.peek(); head != nullptr && !isBackingOff(*head); head = backoff_.peek()) {
    moveToActiveQ(backoff_.pop(), events::kBackoffComplete);
  }
}

void MoveCycleQueue::flushUnschedulableLeftover() {
  std::vector<QueuedPodInfoPtr> leftover;
  for (const auto& [key, info] : unschedulable_) {
    if (loop_.now() - info->timestamp > options_.max_in_unschedulable) leftover.push_back(info);
  }
  if (!leftover.empty()) movePods(leftover, events::kUnschedulableTimeout);
}

// ---- Nominations

void MoveCycleQueue::addNominatedPod(const PodInfoPtr& pod, const std::optional<NominatingInfo>& nominating) {
  nominator_.add(*pod->pod, nominating, pod);
}

std::vector<PodInfoPtr> MoveCycleQueue::nominatedPodsForNode(api::Symbol node) const {
  std::vector<PodInfoPtr> pods;
  const std::vector<Nominator::PodRef>* refs = nominator_.forNode(node);
  if (refs == nullptr) return pods;
  pods.reserve(refs->size());
  for (const Nominator::PodRef& ref : *refs) pods.push_back(ref.info);
  return pods;
}

// ---- For showing

std::vector<QueuedPodInfoPtr> MoveCycleQueue::unschedulablePods() const {
  std::vector<QueuedPodInfoPtr> out;
  out.reserve(unschedulable_.size());
  for (const auto& [key, info] : unschedulable_) out.push_back(info);
  return out;
}

trace::Queues MoveCycleQueue::queues() const {
  trace::Queues out;
  active_.appendKeys(out.active);
  backoff_.appendKeys(out.backoff);
  for (const auto& [key, info] : unschedulable_) out.unschedulable.push_back(key);
  return out;
}

}  // namespace podberth::scheduler
