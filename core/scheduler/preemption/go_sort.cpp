#include "core/scheduler/preemption/go_sort.h"

#include <utility>

namespace podberth::scheduler::preemption {
namespace {

// Sorts the numbers of the items.
class GoSort {
 public:
  GoSort(std::size_t count, base::LessByNumber by_number, const void* context) : less_(by_number), context_(context) {
    for (std::size_t i = 0; i < count; ++i) order_.push_back(static_cast<std::uint32_t>(i));
  }

  std::vector<std::uint32_t> run() {
    const int n = static_cast<int>(order_.size());
    sort(0, n, bitLength(static_cast<std::uint64_t>(n)));
    return std::move(order_);
  }

 private:
  enum class Hint { kUnknown, kIncreasing, kDecreasing };
  static constexpr int kMaxInsertion = 12;
  static constexpr int kShortestNinther = 50;
  static constexpr int kShortestShifting = 50;
  static constexpr int kMaxShifts = 5;
  static constexpr int kAllSwapped = 12;

  static int bitLength(std::uint64_t n) {
    int bits = 0;
    for (; n != 0; n >>= 1) ++bits;
    return bits;
  }
  bool less(int i, int j) const {
    return less_(context_, order_[static_cast<std::size_t>(i)], order_[static_cast<std::size_t>(j)]);
  }
  void swap(int i, int j) { std::swap(order_[static_cast<std::size_t>(i)], order_[static_cast<std::size_t>(j)]); }

  void insertionSort(int a, int b) {
    for (int i = a + 1; i < b; ++i) {
      for (int j = i; j > a && less(j, j - 1); --j) swap(j, j - 1);
    }
  }

  void siftDown(int root, int end, int first) {
    for (;;) {
      int child = 2 * root + 1;
      if (child >= end) return;
      if (child + 1 < end && less(first + child, first + child + 1)) ++child;
      if (!less(first + root, first + child)) return;
      swap(first + root, first + child);
      root = child;
    }
  }

  void heapSort(int a, int b) {
    const int n = b - a;
    for (int i = (n - 1) / 2; i >= 0; --i) siftDown(i, n, a);
    for (int i = n - 1; i >= 0; --i) {
      swap(a, a + i);
      siftDown(0, i, a);
    }
  }

  // `bad_pivots` more unbalanced partitions are allowed before it becomes a heap sort.
  void sort(int a, int b, int bad_pivots) {
    bool balanced = true;
    bool partitioned = true;
    for (;;) {
      const int length = b - a;
      if (length <= kMaxInsertion) return insertionSort(a, b);
      if (bad_pivots == 0) return heapSort(a, b);
      if (!balanced) {
        breakPatterns(a, b);
        --bad_pivots;
      }
      Hint hint = Hint::kUnknown;
      int pivot = choosePivot(a, b, &hint);
      if (hint == Hint::kDecreasing) {
        for (int i = a, j = b - 1; i < j; ++i, --j) swap(i, j);
        pivot = (b - 1) - (pivot - a);
        hint = Hint::kIncreasing;
      }
      if (balanced && partitioned && hint == Hint::kIncreasing && partialInsertionSort(a, b)) return;
      // What stands in front is no less than the pivot, so many are equal to it.
      if (a > 0 && !less(a - 1, pivot)) {
        a = partitionEqual(a, b, pivot);
        continue;
      }
      const int middle = partition(a, b, pivot, &partitioned);
      const int left = middle - a;
      const int right = b - middle;
      if (left < right) {
        balanced = left >= length / 8;
        sort(a, middle, bad_pivots);
        a = middle + 1;
      } else {
        balanced = right >= length / 8;
        sort(middle + 1, b, bad_pivots);
        b = middle;
      }
    }
  }

  // Smaller ones to the left of the pivot, the others to its right; returns where the pivot is then.
  int partition(int a, int b, int pivot, bool* already) {
    swap(a, pivot);
    int i = a + 1;
    int j = b - 1;
    *already = true;
    for (;;) {
      while (i <= j && less(i, a)) ++i;
      while (i <= j && !less(j, a)) --j;
      if (i > j) break;
      *already = false;
      swap(i++, j--);
    }
    swap(j, a);
    return j;
  }

  // The ones equal to the pivot to the left, the greater ones to the right; returns where these begin.
  int partitionEqual(int a, int b, int pivot) {
    swap(a, pivot);
    int i = a + 1;
    int j = b - 1;
    for (;;) {
      while (i <= j && !less(a, i)) ++i;
      while (i <= j && less(a, j)) --j;
      if (i > j) return i;
      swap(i++, j--);
    }
  }

  // Repairs a few pairs that are out of order. True if all is sorted then.
  bool partialInsertionSort(int a, int b) {
    int i = a + 1;
    for (int shifts = 0; shifts < kMaxShifts; ++shifts) {
      while (i < b && !less(i, i - 1)) ++i;
      if (i == b) return true;
      if (b - a < kShortestShifting) return false;
      swap(i, i - 1);
      if (i - a >= 2) {
        for (int j = i - 1; j >= 1 && less(j, j - 1); --j) swap(j, j - 1);
      }
      if (b - i >= 2) {
        for (int j = i + 1; j < b && less(j, j - 1); ++j) swap(j, j - 1);
      }
    }
    return false;
  }

  // Scatters a few elements, by a xorshift that starts from the length.
  void breakPatterns(int a, int b) {
    const int length = b - a;
    if (length < 8) return;
    auto random = static_cast<std::uint64_t>(length);
    const std::uint64_t modulus = std::uint64_t{1} << bitLength(static_cast<std::uint64_t>(length));
    const int middle = a + (length / 4) * 2;
    for (int i = middle - 1; i <= middle + 1; ++i) {
      random ^= random << 13;
      random ^= random >> 7;
      random ^= random << 17;
      int other = static_cast<int>(random & (modulus - 1));
      if (other >= length) other -= length;
      swap(i, a + other);
    }
  }

  int choosePivot(int a, int b, Hint* hint) {
    const int length = b - a;
    int swaps = 0;
    int i = a + length / 4;
    int j = a + length / 4 * 2;
    int k = a + length / 4 * 3;
    if (length >= 8) {
      if (length >= kShortestNinther) {
        i = median(i - 1, i, i + 1, &swaps);
        j = median(j - 1, j, j + 1, &swaps);
        k = median(k - 1, k, k + 1, &swaps);
      }
      j = median(i, j, k, &swaps);
    }
    *hint = swaps == 0 ? Hint::kIncreasing : swaps == kAllSwapped ? Hint::kDecreasing : Hint::kUnknown;
    return j;
  }

  int median(int a, int b, int c, int* swaps) {
    order(&a, &b, swaps);
    order(&b, &c, swaps);
    order(&a, &b, swaps);
    return b;
  }
  void order(int* a, int* b, int* swaps) {
    if (!less(*b, *a)) return;
    ++*swaps;
    std::swap(*a, *b);
  }

  std::vector<std::uint32_t> order_;
  base::LessByNumber less_;
  const void* context_;
};

}  // namespace

std::vector<std::uint32_t> goOrder(std::size_t count, base::LessByNumber less, const void* context) {
  return GoSort(count, less, context).run();
}

}  // namespace podberth::scheduler::preemption
