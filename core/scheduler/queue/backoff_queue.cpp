#include "core/scheduler/queue/backoff_queue.h"

#include <algorithm>
#include <utility>

#include "core/base/sort.h"
#include "core/clock/arithmetic.h"

namespace podberth::scheduler {

clock::Duration calculateBackoffDuration(int count, clock::Duration initial, clock::Duration max) {
  if (count <= 0) return 0;
  const int shift = count - 1;
  // Shifting further leaves the sign, or nothing, as Go says and C++ does not.
  if (initial > max >> std::min(shift, 63)) return max;
  return shift < 64 ? initial << shift : 0;
}

BackoffQueue::BackoffQueue(const clock::EventLoop& loop, clock::Duration initial, clock::Duration max,
                           PodHeap::Less less, bool windows)
    : loop_(loop),
      initial_(initial),
      max_(max),
      windows_(windows),
      pods_([this, less = std::move(less)](const QueuedPodInfo& a, const QueuedPodInfo& b) {
        const clock::Time end_a = backoffTime(a);
        const clock::Time end_b = backoffTime(b);
        if (!windows_ || end_a != end_b) return end_a < end_b;
        return less(a, b);
      }),
      errors_([this](const QueuedPodInfo& a, const QueuedPodInfo& b) { return backoffTime(a) < backoffTime(b); }) {}

clock::Time BackoffQueue::alignToWindow(clock::Time t) const { return windows_ ? t - t % kBackoffOrderingWindow : t; }

clock::Time BackoffQueue::backoffTime(const QueuedPodInfo& info) const {
  if (max_ == 0) return 0;
  const int count = info.consecutive_errors_count > 0 ? info.consecutive_errors_count : info.unschedulable_count;
  if (count == 0) return 0;
  return alignToWindow(clock::later(info.timestamp, calculateBackoffDuration(count, initial_, max_)));
}

bool BackoffQueue::isBackingOff(const QueuedPodInfo& info) const {
  return backoffTime(info) >= alignToWindow(loop_.now());
}

BackoffQueue::Added BackoffQueue::add(const QueuedPodInfoPtr& info) {
  const bool error = info->unschedulable_plugins.empty() && info->pending_plugins.empty();
  PodHeap& heap = error ? errors_ : pods_;
  PodHeap& other = error ? pods_ : errors_;
  info->backoff_expiration = backoffTime(*info);
  heap.addOrUpdate(info);
  return other.remove(info->pod().key()) == nullptr ? Added::kNew : Added::kWasInOther;
}

void BackoffQueue::popCompleted(PodHeap& heap, std::vector<QueuedPodInfoPtr>& out) {
  for (QueuedPodInfoPtr head = heap.peek(); head != nullptr && !isBackingOff(*head); head = heap.peek()) {
    out.push_back(heap.pop());
  }
}

std::vector<QueuedPodInfoPtr> BackoffQueue::popAllCompleted() {
  std::vector<QueuedPodInfoPtr> out;
  popCompleted(pods_, out);
  popCompleted(errors_, out);
  return out;
}

QueuedPodInfoPtr BackoffQueue::remove(const std::string& key) {
  QueuedPodInfoPtr info = pods_.remove(key);
  return info != nullptr ? info : errors_.remove(key);
}

QueuedPodInfoPtr BackoffQueue::get(const std::string& key) const {
  QueuedPodInfoPtr info = pods_.get(key);
  return info != nullptr ? info : errors_.get(key);
}

void BackoffQueue::fix(const QueuedPodInfoPtr& info) {
  (pods_.has(info->pod().key()) ? pods_ : errors_).addOrUpdate(info);
}

std::vector<std::string> BackoffQueue::keys() const {
  std::vector<std::string> out;
  pods_.appendKeys(out);
  errors_.appendKeys(out);
  base::sortTexts(out);
  return out;
}

std::vector<QueuedPodInfoPtr> BackoffQueue::inOrder() const {
  std::vector<QueuedPodInfoPtr> out = pods_.inOrder();
  const std::vector<QueuedPodInfoPtr> errors = errors_.inOrder();
  out.insert(out.end(), errors.begin(), errors.end());
  return out;
}

}  // namespace podberth::scheduler
