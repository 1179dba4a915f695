// A heap of queued pods with lookup by key. The order among equals follows from the steps of Go's container/heap.
// Upstream: pkg/scheduler/backend/heap/heap.go.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "core/scheduler/framework/queued_pod.h"

namespace podberth::scheduler {

class PodHeap {
 public:
  using Less = std::function<bool(const QueuedPodInfo& a, const QueuedPodInfo& b)>;
  explicit PodHeap(Less less) : less_(std::move(less)) {}
  PodHeap(const PodHeap&) = delete;
  PodHeap& operator=(const PodHeap&) = delete;

  // Keys are "namespace/name". A pod that is there already is replaced and put to its place.
  void addOrUpdate(const QueuedPodInfoPtr& info);
  // These return null if there is none.
  QueuedPodInfoPtr remove(const std::string& key);
  QueuedPodInfoPtr peek() const { return items_.empty() ? nullptr : items_.front().info; }
  QueuedPodInfoPtr pop();
  QueuedPodInfoPtr get(const std::string& key) const;

  bool has(const std::string& key) const { return index_.find(key) != index_.end(); }
  std::size_t size() const { return items_.size(); }
  bool empty() const { return items_.empty(); }
  // Keys, sorted.
  void appendKeys(std::vector<std::string>& out) const;
  // In the order in which pop() would return them.
  std::vector<QueuedPodInfoPtr> inOrder() const;

 private:
  // A key and its position in items_; a map's nodes do not move, so items point at theirs. It is an ordered map because
  // the trace lists the keys, sorted, at every cycle.
  using Index = std::map<std::string, std::size_t>;
  struct Item {
    QueuedPodInfoPtr info;
    Index::pointer entry = nullptr;
  };
  bool less(std::size_t i, std::size_t j) const { return less_(*items_[i].info, *items_[j].info); }
  void swap(std::size_t i, std::size_t j);
  void up(std::size_t j);
  bool down(std::size_t i, std::size_t n);
  QueuedPodInfoPtr takeLast();

  Less less_;
  std::vector<Item> items_;
  Index index_;
};

}  // namespace podberth::scheduler
