#include "core/scheduler/framework/sorted_nodes.h"

namespace podberth::scheduler {

SortedNodes::SortedNodes(std::vector<ScoredNode> nodes, std::vector<std::int64_t> raw, std::size_t stride)
    : heap_(std::move(nodes)), raw_(std::move(raw)), stride_(stride) {
  const std::size_t n = heap_.size();
  for (std::size_t i = n / 2; i-- > 0;) down(i, n);
}

void SortedNodes::down(std::size_t from, std::size_t n) {
  std::size_t i = from;
  for (;;) {
    const std::size_t left = 2 * i + 1;
    if (left >= n) return;
    std::size_t child = left;
    if (left + 1 < n && less(left + 1, left)) child = left + 1;
    if (!less(child, i)) return;
    std::swap(heap_[i], heap_[child]);
    i = child;
  }
}

ScoredNode SortedNodes::pop() {
  const std::size_t n = heap_.size() - 1;
  std::swap(heap_[0], heap_[n]);
  down(0, n);
  const ScoredNode best = heap_.back();
  heap_.pop_back();
  return best;
}

}  // namespace podberth::scheduler
