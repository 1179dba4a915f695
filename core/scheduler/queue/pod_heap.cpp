#include "core/scheduler/queue/pod_heap.h"

#include "core/scheduler/queue/go_heap.h"

namespace podberth::scheduler {

void PodHeap::swap(std::size_t i, std::size_t j) {
  std::swap(items_[i], items_[j]);
  items_[i].entry->second = i;
  items_[j].entry->second = j;
}

void PodHeap::up(std::size_t j) {
  go_heap::up(
      j, [this](std::size_t a, std::size_t b) { return less(a, b); },
      [this](std::size_t a, std::size_t b) { swap(a, b); });
}

bool PodHeap::down(std::size_t i, std::size_t n) {
  return go_heap::down(
      i, n, [this](std::size_t a, std::size_t b) { return less(a, b); },
      [this](std::size_t a, std::size_t b) { swap(a, b); });
}

QueuedPodInfoPtr PodHeap::takeLast() {
  Item last = std::move(items_.back());
  items_.pop_back();
  index_.erase(index_.find(last.entry->first));
  return std::move(last.info);
}

void PodHeap::addOrUpdate(const QueuedPodInfoPtr& info) {
  const auto [it, added] = index_.emplace(info->pod().key(), items_.size());
  if (added) {
    Item item;
    item.info = info;
    item.entry = &*it;
    items_.push_back(std::move(item));
    up(items_.size() - 1);
    return;
  }
  const std::size_t i = it->second;
  items_[i].info = info;
  if (!down(i, items_.size())) up(i);
}

QueuedPodInfoPtr PodHeap::remove(const std::string& key) {
  const auto it = index_.find(key);
  if (it == index_.end()) return nullptr;
  const std::size_t i = it->second;
  const std::size_t last = items_.size() - 1;
  if (i != last) {
    swap(i, last);
    if (!down(i, last)) up(i);
  }
  return takeLast();
}

QueuedPodInfoPtr PodHeap::pop() {
  if (items_.empty()) return nullptr;
  const std::size_t last = items_.size() - 1;
  swap(0, last);
  down(0, last);
  return takeLast();
}

QueuedPodInfoPtr PodHeap::get(const std::string& key) const {
  const auto it = index_.find(key);
  return it == index_.end() ? nullptr : items_[it->second].info;
}

void PodHeap::appendKeys(std::vector<std::string>& out) const {
  out.reserve(out.size() + index_.size());
  for (const auto& [key, position] : index_) out.push_back(key);
}

std::vector<QueuedPodInfoPtr> PodHeap::inOrder() const {
  std::vector<QueuedPodInfoPtr> heap;
  heap.reserve(items_.size());
  for (const Item& item : items_) heap.push_back(item.info);
  const auto smaller = [&](std::size_t a, std::size_t b) { return less_(*heap[a], *heap[b]); };
  const auto exchange = [&](std::size_t a, std::size_t b) { std::swap(heap[a], heap[b]); };
  // Each pop leaves what it took right behind the shrinking heap, so the order comes out backwards.
  for (std::size_t n = heap.size(); n > 1; --n) {
    exchange(0, n - 1);
    go_heap::down(0, n - 1, smaller, exchange);
  }
  return {heap.rbegin(), heap.rend()};
}

}  // namespace podberth::scheduler
