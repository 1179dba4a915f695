#include "core/base/sort.h"

namespace podberth::base {

std::vector<std::uint32_t> stableOrder(std::size_t count, LessByNumber less, const void* context) {
  bool sorted = true;
  for (std::size_t i = 1; i < count && sorted; ++i) sorted = !less(context, i, i - 1);
  if (sorted) return {};
  std::vector<std::uint32_t> order(count);
  std::vector<std::uint32_t> merged(count);
  for (std::size_t i = 0; i < count; ++i) order[i] = static_cast<std::uint32_t>(i);
  // Runs of `width` items are in order; two at a time become one.
  for (std::size_t width = 1; width < count; width *= 2) {
    for (std::size_t start = 0; start < count; start += 2 * width) {
      const std::size_t middle = std::min(start + width, count);
      const std::size_t end = std::min(start + 2 * width, count);
      std::size_t left = start;
      std::size_t right = middle;
      for (std::size_t i = start; i < end; ++i) {
        const bool from_right = left == middle || (right < end && less(context, order[right], order[left]));
        merged[i] = order[from_right ? right++ : left++];
      }
    }
    order.swap(merged);
  }
  return order;
}

void sortTexts(std::vector<std::string>& texts) {
  stableSort(texts, [](const std::string& a, const std::string& b) { return a < b; });
}

}  // namespace podberth::base
