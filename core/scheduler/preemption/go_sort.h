// Sorting as Go's sort.Slice does it. That sort is not stable, and its result for equal elements can be seen: among
// victims of the same importance it decides which one is spared. Up to twelve elements it is an insertion sort; beyond,
// a pattern-defeating quicksort (https://arxiv.org/pdf/2106.05123.pdf) with these thresholds and these pivots.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/base/sort.h"

namespace podberth::scheduler::preemption {

// The numbers 0 to count - 1 in the order into which Go puts the items.
std::vector<std::uint32_t> goOrder(std::size_t count, base::LessByNumber less, const void* context);

template <class T, class Less>
void goSort(std::vector<T>& items, const Less& less) {
  base::sortBy(items.data(), items.size(), less, goOrder);
}

}  // namespace podberth::scheduler::preemption
