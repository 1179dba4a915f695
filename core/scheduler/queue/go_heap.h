// The steps of Go's container/heap on any indexable thing. They decide who comes first among equals, so another heap,
// though as good, would give other answers.
#pragma once

#include <cstddef>

namespace podberth::scheduler::go_heap {

// `less(i, j)` compares and `swap(i, j)` exchanges the items at two positions.
template <class Less, class Swap>
void up(std::size_t j, const Less& less, const Swap& swap) {
  while (j > 0) {
    const std::size_t parent = (j - 1) / 2;
    if (!less(j, parent)) break;
    swap(parent, j);
    j = parent;
  }
}

// Of a heap of the first `n` items. False if the item at `start` stayed where it was.
template <class Less, class Swap>
bool down(std::size_t start, std::size_t n, const Less& less, const Swap& swap) {
  std::size_t i = start;
  for (;;) {
    const std::size_t left = 2 * i + 1;
    if (left >= n) break;
    std::size_t child = left;
    if (left + 1 < n && less(left + 1, left)) child = left + 1;
    if (!less(child, i)) break;
    swap(i, child);
    i = child;
  }
  return i > start;
}

}  // namespace podberth::scheduler::go_heap
