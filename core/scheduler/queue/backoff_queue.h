// The pods that wait for the end of their backoff. Backoffs end on whole seconds (ordering windows), so that pods of
// one window are ordered as in activeQ; pods that failed with an error wait in a heap of their own. Upstream:
// pkg/scheduler/backend/queue/backoff_queue.go.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "core/clock/event_loop.h"
#include "core/scheduler/framework/queued_pod.h"
#include "core/scheduler/queue/pod_heap.h"

namespace podberth::scheduler {

inline constexpr clock::Duration kBackoffOrderingWindow = clock::kSecond;

// initial * 2^(count-1), at most max; 0 for a count of 0.
clock::Duration calculateBackoffDuration(int count, clock::Duration initial, clock::Duration max);

class BackoffQueue {
 public:
  // `windows`: whether backoffs are aligned to windows and equal ones ordered by `less` (SchedulerPopFromBackoffQ).
  BackoffQueue(const clock::EventLoop& loop, clock::Duration initial, clock::Duration max, PodHeap::Less less,
               bool windows);

  // When the pod's backoff ends; 0 if it has none.
  clock::Time backoffTime(const QueuedPodInfo& info) const;
  // Also true in the very window in which the backoff ends.
  bool isBackingOff(const QueuedPodInfo& info) const;
  clock::Time alignToWindow(clock::Time t) const;

  enum class Added { kNew, kWasInOther };
  // Pods without rejecting plugins go to the error heap. kWasInOther: it was taken out of the other heap, which should
  // not be.
  Added add(const QueuedPodInfoPtr& info);
  // Those whose backoff has ended, in the order of their heaps, the error heap last.
  std::vector<QueuedPodInfoPtr> popAllCompleted();
  // The head of those rejected by plugins, whether its backoff has ended or not; null if there is none.
  QueuedPodInfoPtr popBackoff() { return pods_.pop(); }
  bool canPopBackoff() const { return !pods_.empty(); }

  QueuedPodInfoPtr remove(const std::string& key);
  QueuedPodInfoPtr get(const std::string& key) const;
  // After the pod has changed: puts it to its place again.
  void fix(const QueuedPodInfoPtr& info);
  bool has(const std::string& key) const { return pods_.has(key) || errors_.has(key); }
  bool inErrorBackoff(const std::string& key) const { return errors_.has(key); }
  std::size_t size() const { return pods_.size() + errors_.size(); }
  std::vector<std::string> keys() const;          // sorted
  std::vector<QueuedPodInfoPtr> inOrder() const;  // in the order of popping, those after an error last

 private:
  void popCompleted(PodHeap& heap, std::vector<QueuedPodInfoPtr>& out);

  const clock::EventLoop& loop_;
  clock::Duration initial_;
  clock::Duration max_;
  bool windows_;
  PodHeap pods_;
  PodHeap errors_;
};

}  // namespace podberth::scheduler
