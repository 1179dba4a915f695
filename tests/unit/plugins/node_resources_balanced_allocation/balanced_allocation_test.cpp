#include "core/scheduler/plugins/node_resources_balanced_allocation/balanced_allocation.h"

#include <gtest/gtest.h>

#include "tests/unit/support/plugin_run.h"

namespace podberth::scheduler::plugins {
namespace {

using testkit::makeNode;
using testkit::makePod;

TEST(NodeResourcesBalancedAllocation, BalanceOfFractions) {
  struct Case {
    const char* sentence;
    std::vector<double> fractions;
    std::int64_t score;
  };
  const Case cases[] = {
      {"nothing is balanced", {}, 100},
      {"one alone is balanced", {0.7}, 100},
      {"two that are equal", {0.3, 0.3}, 100},
      {"two that are not", {0.0, 1.0}, 50},
      {"the rest is cut off", {0.25, 0.5}, 87},
      {"three: the standard deviation", {0.0, 0.5, 1.0}, 59},
      {"three that are equal", {0.5, 0.5, 0.5}, 100},
  };
  for (const Case& c : cases) {
    EXPECT_EQ(balanceOfFractions(c.fractions.data(), c.fractions.size()), c.score) << c.sentence;
  }
}

TEST(NodeResourcesBalancedAllocation, ScoresOfNodes) {
  struct Case {
    const char* sentence;
    std::vector<config::ResourceSpec> resources;
    testkit::PodBuilder pod;
    testkit::PodBuilder other;
    std::int64_t score;
  };
  const std::vector<config::ResourceSpec> usual = {{"cpu", 1}, {"memory", 1}};
  // The node: 4 CPU, 4 GiB, 4 example.com/a.
  const Case cases[] = {
      {"a balanced pod on an empty node", usual, makePod("p").cpu("1").memory("1Gi"), makePod("o"), 75},
      {"a pod of one resource only", usual, makePod("p").cpu("4"), makePod("o"), 50},
      {"a pod that evens out", usual, makePod("p").memory("4Gi"), makePod("o").cpu("4"), 100},
      {"more than all is all", usual, makePod("p").cpu("8").memory("4Gi"), makePod("o"), 75},
      {"a pod of half", usual, makePod("p").cpu("2"), makePod("o"), 62},
      {"extended resources count for pods that ask for them",
       {{"cpu", 1}, {"example.com/a", 1}},
       makePod("p").request("example.com/a", "4"),
       makePod("o").cpu("4"),
       100},
      {"and not for others", {{"cpu", 1}, {"example.com/a", 1}}, makePod("p").cpu("4"), makePod("o"), 75},
      {"three resources",
       {{"cpu", 1}, {"memory", 1}, {"example.com/a", 1}},
       makePod("p").cpu("2").memory("4Gi").request("example.com/a", "0"),
       makePod("o"),
       62},
      {"pod-level requests count", usual, makePod("p").cpu("4").podLevel("cpu", "1").podLevel("memory", "1Gi"),
       makePod("o"), 75},
  };
  for (const Case& c : cases) {
    config::NodeResourcesBalancedAllocationArgs args;
    args.resources = c.resources;
    NodeResourcesBalancedAllocation plugin(args);
    const NodeInfo node =
        makeNode("n").has("cpu", "4").has("memory", "4Gi").has("example.com/a", "4").info({c.other.info()});
    EXPECT_EQ(testkit::scoresOf(plugin, c.pod.info(), {node}).raw, std::vector<std::int64_t>(1, c.score)) << c.sentence;
  }
}

TEST(NodeResourcesBalancedAllocation, PodsThatAskForNothingAreSkipped) {
  NodeResourcesBalancedAllocation plugin{config::NodeResourcesBalancedAllocationArgs()};
  const NodeInfo node = makeNode("n").has("cpu", "4").info();
  EXPECT_EQ(testkit::scoresOf(plugin, makePod("p").info(), {node}).pre_score, "Skip");
  EXPECT_EQ(testkit::scoresOf(plugin, makePod("p").cpu("0").request("a.b/c", "1").info(), {node}).pre_score, "Skip");
  EXPECT_EQ(testkit::scoresOf(plugin, makePod("p").cpu("1m").info(), {node}).pre_score, "Success");
}

}  // namespace
}  // namespace podberth::scheduler::plugins
