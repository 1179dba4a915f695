#include "core/scheduler/cache/node_tree.h"

#include <gtest/gtest.h>

namespace podberth::scheduler {
namespace {

api::Node makeNode(const std::string& name, const std::string& zone, const std::string& region = "") {
  api::Node node;
  node.meta.name = name;
  if (!zone.empty()) node.meta.labels.set("topology.kubernetes.io/zone", zone);
  if (!region.empty()) node.meta.labels.set("topology.kubernetes.io/region", region);
  return node;
}

std::string order(const NodeTree& tree) {
  std::string out;
  for (const api::Symbol name : tree.list()) out += (out.empty() ? "" : " ") + name.str();
  return out;
}

TEST(NodeTree, ZonesTakeTurns) {
  NodeTree tree;
  for (const char* name : {"a1", "a2", "a3"}) tree.add(makeNode(name, "a"));
  tree.add(makeNode("b1", "b"));
  tree.add(makeNode("none", ""));
  tree.add(makeNode("b2", "b"));
  EXPECT_EQ(order(tree), "a1 b1 none a2 b2 a3");
  EXPECT_EQ(tree.size(), 6u);
}

TEST(NodeTree, AddingANodeTwiceChangesNothing) {
  NodeTree tree;
  tree.add(makeNode("a", "z"));
  tree.add(makeNode("a", "z"));
  EXPECT_EQ(tree.size(), 1u);
}

TEST(NodeTree, AnEmptyZoneLosesItsTurn) {
  NodeTree tree;
  tree.add(makeNode("a1", "a"));
  tree.add(makeNode("b1", "b"));
  EXPECT_TRUE(tree.remove(makeNode("a1", "a")));
  EXPECT_FALSE(tree.remove(makeNode("a1", "a")));
  EXPECT_FALSE(tree.remove(makeNode("b1", "other")));
  tree.add(makeNode("a1", "a"));
  EXPECT_EQ(order(tree), "b1 a1");
}

TEST(NodeTree, ANodeThatChangesItsZoneMovesToTheEndOfTheOther) {
  NodeTree tree;
  const api::Node old_node = makeNode("x", "a");
  tree.add(old_node);
  tree.add(makeNode("a2", "a"));
  tree.add(makeNode("b1", "b"));
  const api::Node new_node = makeNode("x", "b");
  tree.update(&old_node, new_node);
  EXPECT_EQ(order(tree), "a2 b1 x");
  tree.update(&new_node, new_node);
  EXPECT_EQ(order(tree), "a2 b1 x");
}

TEST(ZoneKey, OldLabelsComeFirstAndRegionsTellZonesApart) {
  api::Node node = makeNode("n", "z", "r");
  EXPECT_NE(zoneKey(node), zoneKey(makeNode("n", "z")));
  EXPECT_EQ(zoneKey(makeNode("n", "")), "");
  node.meta.labels.set("failure-domain.beta.kubernetes.io/zone", "old");
  EXPECT_EQ(zoneKey(node), zoneKey(makeNode("n", "old", "r")));
}

}  // namespace
}  // namespace podberth::scheduler
