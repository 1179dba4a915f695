// A heap of queued pods with lookup by key. The order among equals follows from the steps of Go's container/heap, so
// they are the same here. Upstream: pkg/scheduler/backend/heap/heap.go.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/scheduler/framework/queued_pod.h"

namespace podberth::scheduler {

class PodHeap {
 public:
  using Less = std::function<bool(const QueuedPodInfo& a, const QueuedPodInfo& b)>;
  explicit PodHeap(Less less) : less_(std::move(less)) {}

  // Keys are "namespace/name". Puts the pod to its place also if it is there already.
  void addOrUpdate(const QueuedPodInfoPtr& info);
  // These return null if there is none.
  QueuedPodInfoPtr remove(const std::string& key);
  QueuedPodInfoPtr peek() const { return items_.empty() ? nullptr : items_.front().info; }
  QueuedPodInfoPtr pop();
  QueuedPodInfoPtr get(const std::string& key) const;

  bool has(const std::string& key) const { return index_.find(key) != index_.end(); }
  std::size_t size() const { return items_.size(); }
  bool empty() const { return items_.empty(); }
  // In the order in which pop() would return them.
  std::vector<QueuedPodInfoPtr> inOrder() const;

 private:
  struct Item {
    QueuedPodInfoPtr info;
    std::string key;
  };
  bool less(std::size_t i, std::size_t j) const { return less_(*items_[i].info, *items_[j].info); }
  void swap(std::size_t i, std::size_t j);
  void up(std::size_t j);
  bool down(std::size_t i, std::size_t n);
  QueuedPodInfoPtr takeLast();

  Less less_;
  std::vector<Item> items_;
  std::unordered_map<std::string, std::size_t> index_;  // of a key in items_
};

}  // namespace podberth::scheduler
