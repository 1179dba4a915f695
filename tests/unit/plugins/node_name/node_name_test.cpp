#include "core/scheduler/plugins/node_name/node_name.h"

#include <gtest/gtest.h>

#include "tests/unit/support/plugin_run.h"

namespace podberth::scheduler::plugins {
namespace {

using testkit::makeNode;
using testkit::makePod;

TEST(NodeName, APodFitsTheNodeItNames) {
  NodeName plugin;
  EXPECT_EQ(testkit::filterText(plugin, makePod("a").info(), makeNode("n").info()), "Success");
  EXPECT_EQ(testkit::filterText(plugin, makePod("a").on("n").info(), makeNode("n").info()), "Success");
  EXPECT_EQ(testkit::filterText(plugin, makePod("a").on("m").info(), makeNode("n").info()),
            "UnschedulableAndUnresolvable: node(s) didn't match the requested node name");
}

TEST(NodeName, PreFilterLeavesOnlyTheNamedNode) {
  NodeName plugin;
  CycleState state;
  PreFilterResult result;
  EXPECT_TRUE(plugin.preFilter(state, *makePod("a").info(), {}, result).isSuccess());
  EXPECT_TRUE(result.allNodes());
  EXPECT_TRUE(plugin.preFilter(state, *makePod("a").on("m").info(), {}, result).isSuccess());
  ASSERT_FALSE(result.allNodes());
  EXPECT_EQ(*result.node_names, std::vector<api::Symbol>(1, api::Symbol("m")));
}

TEST(NodeName, EveryNewNodeQueuesThePod) {
  const NodeName plugin;
  const auto node = makeNode("n").obj();
  EXPECT_EQ(testkit::hintText(plugin, EventResource::kNode, action::kAdd, makePod("a").obj(), nullptr, node.get()),
            "Queue");
  EXPECT_EQ(testkit::hintText(plugin, EventResource::kNode, action::kUpdateNodeLabel, makePod("a").obj(), node.get(),
                              node.get()),
            "none");
}

}  // namespace
}  // namespace podberth::scheduler::plugins
