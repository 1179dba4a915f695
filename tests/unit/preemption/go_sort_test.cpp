#include "core/scheduler/preemption/go_sort.h"

#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

namespace podberth::scheduler::preemption {
namespace {

struct Item {
  int key = 0;
  int id = 0;
};

// The inputs of which Go's sort.Slice was asked: all equal, three keys, sorted, reversed, random, nearly sorted.
std::vector<Item> input(int n, int mode) {
  std::vector<Item> out;
  std::uint32_t x = 1;
  for (int i = 0; i < n; ++i) {
    x = x * 1664525U + 1013904223U;
    Item item;
    item.id = i;
    if (mode == 1) item.key = static_cast<int>(x >> 24) % 3;
    if (mode == 2) item.key = i;
    if (mode == 3) item.key = n - i;
    if (mode == 4) item.key = static_cast<int>(x >> 16);
    if (mode == 5) item.key = i % 17 == 0 ? 0 : i / 3;
    out.push_back(item);
  }
  return out;
}

struct Case {
  int n;
  int mode;
  std::uint64_t order;  // FNV-1 hash of the ids in their order after Go 1.26's sort.Slice
};
constexpr Case kCases[] = {
    {5, 0, 0x3378e3d0c52edfafULL},    {5, 1, 0x8abcefc869fce93bULL},    {5, 2, 0x3378e3d0c52edfafULL},
    {5, 3, 0xe3671b16371fea8fULL},    {5, 4, 0xa95e132f2b0c05b7ULL},    {5, 5, 0x3378e3d0c52edfafULL},
    {12, 0, 0x2d7d4819416d7fb9ULL},   {12, 1, 0xfd6b8d39818f9ac5ULL},   {12, 2, 0x2d7d4819416d7fb9ULL},
    {12, 3, 0xa033525a4dc863f9ULL},   {12, 4, 0x85bc1beaf0506ff5ULL},   {12, 5, 0x2d7d4819416d7fb9ULL},
    {13, 0, 0xb96137ea2d10008fULL},   {13, 1, 0x95e47408c66e1853ULL},   {13, 2, 0xb96137ea2d10008fULL},
    {13, 3, 0x1d2fa5645d0dec3fULL},   {13, 4, 0xd186e5601b46b417ULL},   {13, 5, 0xb96137ea2d10008fULL},
    {20, 0, 0xcc927f6ee23a0f61ULL},   {20, 1, 0xbef3b7d8e545042bULL},   {20, 2, 0xcc927f6ee23a0f61ULL},
    {20, 3, 0xd589877cc436ed39ULL},   {20, 4, 0xc7f7cbfbba4cfbabULL},   {20, 5, 0x6f9d22d097bf7c15ULL},
    {49, 0, 0x360a5c9d3b1bf95fULL},   {49, 1, 0x430f4cf3e3f9b795ULL},   {49, 2, 0x360a5c9d3b1bf95fULL},
    {49, 3, 0x33bb9373b5503e3fULL},   {49, 4, 0x63d4e8bf255b096bULL},   {49, 5, 0x37586604ab1a6679ULL},
    {50, 0, 0xef94cd2b7088d5eaULL},   {50, 1, 0xc39c29f9910cc6e2ULL},   {50, 2, 0xef94cd2b7088d5eaULL},
    {50, 3, 0x3420ad05be53744ULL},    {50, 4, 0x2535d141865adaa0ULL},   {50, 5, 0x366f58758fdf810aULL},
    {100, 0, 0xfb5c8cec60d83ab1ULL},  {100, 1, 0xc5e843b22bace141ULL},  {100, 2, 0xfb5c8cec60d83ab1ULL},
    {100, 3, 0x644931484736d1d9ULL},  {100, 4, 0x807e725ecc00116bULL},  {100, 5, 0x5e00075b3fbc2ff7ULL},
    {333, 0, 0x628eb3883995210fULL},  {333, 1, 0x46c93f1263c6dbfdULL},  {333, 2, 0x628eb3883995210fULL},
    {333, 3, 0xa80e61dcf78ffc3fULL},  {333, 4, 0xc467938e39a73e69ULL},  {333, 5, 0xf0883e7f5910b0dbULL},
    {1000, 0, 0x988cc5afd8cb65ddULL}, {1000, 1, 0xfddbacc880ae30cbULL}, {1000, 2, 0x988cc5afd8cb65ddULL},
    {1000, 3, 0xa84907c59e63feb5ULL}, {1000, 4, 0x513ebab3bc589f13ULL}, {1000, 5, 0x42c63d86e70339a3ULL},
};

TEST(GoSort, LeavesEqualElementsInTheOrderThatGoLeavesThemIn) {
  for (const Case& c : kCases) {
    std::vector<Item> items = input(c.n, c.mode);
    goSort(items, [](const Item& a, const Item& b) { return a.key < b.key; });
    std::uint64_t hash = 14695981039346656037ULL;
    for (const Item& item : items) {
      hash ^= static_cast<std::uint64_t>(item.id);
      hash *= 1099511628211ULL;
    }
    EXPECT_EQ(hash, c.order) << c.n << " elements, mode " << c.mode;
  }
}

TEST(GoSort, IsNotStableBeyondTwelveElements) {
  std::vector<Item> items = input(20, 1);
  goSort(items, [](const Item& a, const Item& b) { return a.key < b.key; });
  bool stable = true;
  for (std::size_t i = 1; i < items.size(); ++i) {
    EXPECT_LE(items[i - 1].key, items[i].key);
    if (items[i - 1].key == items[i].key && items[i - 1].id > items[i].id) stable = false;
  }
  EXPECT_FALSE(stable);
}

}  // namespace
}  // namespace podberth::scheduler::preemption
