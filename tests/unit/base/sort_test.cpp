#include "core/base/sort.h"

#include <gtest/gtest.h>

#include <memory>

namespace podberth::base {
namespace {

struct Item {
  int key;
  int place;
};

std::vector<Item> items(int count) {
  std::vector<Item> out;
  for (int i = 0; i < count; ++i) out.push_back({(i * 37) % 11, i});
  return out;
}

TEST(StableSort, DoesWhatTheStandardOneDoes) {
  const auto less = [](const Item& a, const Item& b) { return a.key < b.key; };
  for (int count : {0, 1, 2, 3, 7, 8, 9, 31, 64, 65, 1000}) {
    SCOPED_TRACE(count);
    std::vector<Item> ours = items(count);
    std::vector<Item> theirs = ours;
    stableSort(ours, less);
    std::stable_sort(theirs.begin(), theirs.end(), less);
    for (std::size_t i = 0; i < ours.size(); ++i) EXPECT_EQ(ours[i].place, theirs[i].place) << i;
  }
}

TEST(StableSort, SortsAPartAndLeavesTheRest) {
  std::vector<int> numbers = {9, 5, 4, 3, 1};
  stableSort(numbers.data() + 1, 3, [](int a, int b) { return a < b; });
  EXPECT_EQ(numbers, (std::vector<int>{9, 3, 4, 5, 1}));
}

TEST(StableSort, MovesWhatCannotBeCopied) {
  std::vector<std::unique_ptr<int>> pointers;
  for (int i : {3, 1, 2}) pointers.push_back(std::make_unique<int>(i));
  stableSort(pointers, [](const auto& a, const auto& b) { return *a < *b; });
  EXPECT_EQ(*pointers[0], 1);
  EXPECT_EQ(*pointers[2], 3);
}

TEST(SortUnique, LeavesEachTextOnce) {
  std::vector<std::string> texts = {"b", "a", "b", "", "a"};
  sortUnique(texts);
  EXPECT_EQ(texts, (std::vector<std::string>{"", "a", "b"}));
}

TEST(StableOrder, OfWhatIsInOrderIsEmpty) {
  std::vector<std::string> texts = {"a", "a", "b"};
  const auto less = [](const void* c, std::size_t i, std::size_t j) {
    const auto& in = *static_cast<const std::vector<std::string>*>(c);
    return in[i] < in[j];
  };
  EXPECT_TRUE(stableOrder(texts.size(), less, &texts).empty());
}

}  // namespace
}  // namespace podberth::base
