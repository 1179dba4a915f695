// Stable sorting that is compiled once, whatever is sorted: it puts numbers of items in order, and each caller adds
// only its comparison and the moving. In the WebAssembly module std::stable_sort is 3 KB for every kind of item.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace podberth::base {

// Whether item i goes before item j.
using LessByNumber = bool (*)(const void* context, std::size_t i, std::size_t j);

// The numbers 0 to count - 1 in the order of their items; empty if they are in order already.
std::vector<std::uint32_t> stableOrder(std::size_t count, LessByNumber less, const void* context);

// Puts `count` items in the order that `order_of` finds: it is stableOrder or another like it.
template <class T, class Less>
void sortBy(T* items, std::size_t count, const Less& less, decltype(stableOrder)* order_of) {
  struct Context {
    const T* items;
    const Less* less;
  };
  const Context context{items, &less};
  const LessByNumber by_number = [](const void* c, std::size_t i, std::size_t j) {
    const Context& in = *static_cast<const Context*>(c);
    return (*in.less)(in.items[i], in.items[j]);
  };
  const std::vector<std::uint32_t> order = order_of(count, by_number, &context);
  if (order.empty()) return;
  std::vector<T> sorted;
  sorted.reserve(count);
  for (const std::uint32_t i : order) sorted.push_back(std::move(items[i]));
  std::move(sorted.begin(), sorted.end(), items);
}

template <class T, class Less>
void stableSort(T* items, std::size_t count, const Less& less) {
  sortBy(items, count, less, stableOrder);
}
template <class T, class Less>
void stableSort(std::vector<T>& items, const Less& less) {
  stableSort(items.data(), items.size(), less);
}

void sortTexts(std::vector<std::string>& texts);
// Sorts and leaves each of several equal ones once.
template <class T>
void sortUnique(std::vector<T>& items) {
  stableSort(items, [](const T& a, const T& b) { return a < b; });
  items.erase(std::unique(items.begin(), items.end()), items.end());
}

}  // namespace podberth::base
