#include "core/scheduler/framework/sorted_nodes.h"

#include <gtest/gtest.h>

#include <string>

namespace podberth::scheduler {
namespace {

std::string drained(const std::vector<std::int64_t>& totals) {
  std::vector<ScoredNode> nodes;
  for (std::size_t i = 0; i < totals.size(); ++i) {
    ScoredNode node;
    node.name = api::Symbol("n" + std::to_string(i));
    node.total = totals[i];
    nodes.push_back(node);
  }
  SortedNodes sorted(std::move(nodes), {}, 0);
  std::string out;
  while (!sorted.empty()) out += (out.empty() ? "" : " ") + sorted.pop().name.str();
  return out;
}

// The orders are those of container/heap on the same scores.
TEST(SortedNodes, EqualScoresComeOutAsGosHeapLetsThem) {
  const struct {
    std::vector<std::int64_t> totals;
    const char* order;
  } cases[] = {
      {{5}, "n0"},
      {{1, 2, 3}, "n2 n1 n0"},
      {{5, 5, 5}, "n0 n2 n1"},
      {{5, 5, 5, 5}, "n0 n3 n2 n1"},
      {{5, 5, 5, 5, 5}, "n0 n4 n3 n2 n1"},
      {{1, 9, 9, 1}, "n1 n2 n3 n0"},
  };
  for (const auto& c : cases) EXPECT_EQ(drained(c.totals), c.order);
}

TEST(SortedNodes, RowsStayWithTheirNodes) {
  std::vector<ScoredNode> nodes(2);
  nodes[0].name = api::Symbol("a");
  nodes[0].total = 1;
  nodes[0].row = 0;
  nodes[1].name = api::Symbol("b");
  nodes[1].total = 2;
  nodes[1].row = 1;
  SortedNodes sorted(nodes, {10, 11, 20, 21}, 2);
  const ScoredNode best = sorted.pop();
  EXPECT_EQ(best.name.str(), "b");
  EXPECT_EQ(sorted.rawOf(best)[1], 21);
  EXPECT_EQ(sorted.rawOf(sorted.unordered().front())[0], 10);
}

}  // namespace
}  // namespace podberth::scheduler
