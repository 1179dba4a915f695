#include "core/scheduler/plugins/node_resources_fit/node_resources_fit.h"

#include <gtest/gtest.h>

#include <limits>

#include "tests/unit/support/plugin_run.h"

namespace podberth::scheduler::plugins {
namespace {

using testkit::makeNode;
using testkit::makePod;

NodeResourcesFit make(const config::NodeResourcesFitArgs& args = {}) {
  FitScorer::Strategy strategy = FitScorer::Strategy::kLeastAllocated;
  EXPECT_TRUE(FitScorer::parse(args.scoring_strategy, &strategy));
  return NodeResourcesFit(args, strategy);
}

// 10 CPU, 20 bytes of memory, 20 of ephemeral storage, 5 of example.com/a; 32 pods.
testkit::NodeBuilder smallNode() {
  return makeNode("n")
      .has("cpu", "10m")
      .has("memory", "20")
      .has("ephemeral-storage", "20")
      .has("example.com/a", "5")
      .has("hugepages-2Mi", "5")
      .has("pods", "32");
}

TEST(NodeResourcesFit, WhatANodeLacks) {
  struct Case {
    const char* sentence;
    testkit::PodBuilder pod;
    testkit::PodBuilder other;
    const char* result;
  };
  const Case cases[] = {
      {"a pod that asks for nothing always fits", makePod("p"), makePod("o").cpu("10m").memory("20"), "Success"},
      {"what is left is enough", makePod("p").cpu("5m").memory("10"), makePod("o").cpu("5m").memory("10"), "Success"},
      {"one more is too much", makePod("p").cpu("6m").memory("10"), makePod("o").cpu("5m").memory("10"),
       "Unschedulable: Insufficient cpu"},
      {"reasons come in a fixed order", makePod("p").cpu("6m").memory("11").request("ephemeral-storage", "1"),
       makePod("o").cpu("5m").memory("10").request("ephemeral-storage", "20"),
       "Unschedulable: Insufficient cpu; Insufficient memory; Insufficient ephemeral-storage"},
      {"more than the node has in all helps no preemption", makePod("p").cpu("11m"), makePod("o"),
       "UnschedulableAndUnresolvable: Insufficient cpu"},
      {"one such resource decides the code", makePod("p").cpu("6m").memory("21"), makePod("o").cpu("5m"),
       "UnschedulableAndUnresolvable: Insufficient cpu; Insufficient memory"},
      {"an amount below one milli rounds up", makePod("p").cpu("9.5m"), makePod("o").cpu("1m"),
       "Unschedulable: Insufficient cpu"},
      {"init containers count by their greatest", makePod("p").cpu("1m").init().cpu("8m").init().cpu("3m"),
       makePod("o").cpu("3m"), "Unschedulable: Insufficient cpu"},
      {"not by their sum", makePod("p").cpu("1m").init().cpu("4m").init().cpu("3m"), makePod("o").cpu("6m"), "Success"},
      {"sidecars add up with the containers", makePod("p").cpu("3m").sidecar().cpu("3m"), makePod("o").cpu("5m"),
       "Unschedulable: Insufficient cpu"},
      {"and with init containers after them", makePod("p").sidecar().cpu("3m").init().cpu("3m"), makePod("o").cpu("5m"),
       "Unschedulable: Insufficient cpu"},
      {"but not with those before them", makePod("p").init().cpu("3m").sidecar().cpu("3m"), makePod("o").cpu("5m"),
       "Success"},
      {"overhead adds to all", makePod("p").cpu("3m").overhead("cpu", "3m"), makePod("o").cpu("5m"),
       "Unschedulable: Insufficient cpu"},
      {"pod-level requests replace the containers'", makePod("p").cpu("3m").podLevel("cpu", "6m"),
       makePod("o").cpu("5m"), "Unschedulable: Insufficient cpu"},
      {"extended resources", makePod("p").request("example.com/a", "3"), makePod("o").request("example.com/a", "3"),
       "Unschedulable: Insufficient example.com/a"},
      {"a resource that the node does not know", makePod("p").request("example.com/b", "1"), makePod("o"),
       "UnschedulableAndUnresolvable: Insufficient example.com/b"},
      {"huge pages", makePod("p").request("hugepages-2Mi", "3"), makePod("o").request("hugepages-2Mi", "3"),
       "Unschedulable: Insufficient hugepages-2Mi"},
      {"none of an extended resource is none", makePod("p").request("example.com/b", "0"), makePod("o"), "Success"},
  };
  NodeResourcesFit plugin = make();
  for (const Case& c : cases) {
    const NodeInfo node = smallNode().info({c.other.info()});
    EXPECT_EQ(testkit::filterText(plugin, c.pod.info(), node), c.result) << c.sentence;
    EXPECT_EQ(testkit::filterText(plugin, c.pod.info(), node), c.result) << "again, " << c.sentence;
  }
}

TEST(NodeResourcesFit, TheNumberOfPodsCounts) {
  NodeResourcesFit plugin = make();
  const NodeInfo full = makeNode("n").has("cpu", "10").has("pods", "1").info({makePod("o").cpu("10").info()});
  EXPECT_EQ(testkit::filterText(plugin, makePod("p").info(), full), "Unschedulable: Too many pods");
  EXPECT_EQ(testkit::filterText(plugin, makePod("p").cpu("1").info(), full),
            "Unschedulable: Too many pods; Insufficient cpu");
  EXPECT_EQ(testkit::filterText(plugin, makePod("p").info(), makeNode("n").info()), "Unschedulable: Too many pods")
      << "a node that says nothing has no room";
}

TEST(NodeResourcesFit, ExtendedResourcesCanBeIgnored) {
  config::NodeResourcesFitArgs args;
  args.ignored_resources = {"example.com/b", "hugepages-1Gi", "cpu"};
  args.ignored_resource_groups = {"other.io"};
  NodeResourcesFit plugin = make(args);
  const auto on = [&plugin](const char* name) {
    return testkit::filterText(plugin, makePod("p").request(name, "100").info(), smallNode().info());
  };
  EXPECT_EQ(on("example.com/b"), "Success");
  EXPECT_EQ(on("other.io/x"), "Success");
  EXPECT_EQ(on("example.com/a"), "UnschedulableAndUnresolvable: Insufficient example.com/a");
  EXPECT_EQ(on("hugepages-1Gi"), "UnschedulableAndUnresolvable: Insufficient hugepages-1Gi") << "only extended ones";
  EXPECT_EQ(on("cpu"), "UnschedulableAndUnresolvable: Insufficient cpu") << "only extended ones";
}

TEST(NodeResourcesFit, WithoutPreFilterThereIsAnError) {
  NodeResourcesFit plugin = make();
  CycleState state;
  EXPECT_EQ(testkit::text(plugin.filter(state, *makePod("p").info(), smallNode().info())),
            "Error: error reading \"PreFilterNodeResourcesFit\" from cycleState: not found");
}

TEST(NodeResourcesFit, ScoresOfOneResource) {
  struct Case {
    std::int64_t requested, capacity, least, most;
  };
  const Case cases[] = {{0, 4000, 100, 0},    {1000, 4000, 75, 25}, {4000, 4000, 0, 100},
                        {4001, 4000, 0, 100}, {0, 0, 0, 0},         {1, 3, 66, 33},
                        {2, 3, 33, 66},       {5, 0, 0, 0},         {999, 1000, 0, 99}};
  for (const Case& c : cases) {
    EXPECT_EQ(leastRequestedScore(c.requested, c.capacity), c.least) << c.requested << "/" << c.capacity;
    EXPECT_EQ(mostRequestedScore(c.requested, c.capacity), c.most) << c.requested << "/" << c.capacity;
  }
  const std::int64_t huge = std::numeric_limits<std::int64_t>::max();
  EXPECT_EQ(mostRequestedScore(huge, huge), 0) << "100 times the most wraps to -100, which is a part of it of nothing";
}

TEST(NodeResourcesFit, ScoresOfNodes) {
  struct Case {
    const char* sentence;
    const char* strategy;
    std::vector<config::ResourceSpec> resources;
    std::vector<config::UtilizationShapePoint> shape;
    testkit::PodBuilder pod;
    testkit::PodBuilder other;
    std::int64_t score;
  };
  const std::vector<config::ResourceSpec> usual = {{"cpu", 1}, {"memory", 1}};
  const std::vector<config::UtilizationShapePoint> fuller_is_better = {{0, 0}, {100, 10}};
  const std::vector<config::UtilizationShapePoint> emptier_is_better = {{0, 10}, {100, 0}};
  const std::vector<config::UtilizationShapePoint> bent = {{10, 2}, {40, 9}, {90, 3}};
  // The node: 4 CPU, 10000 MiB, 4 example.com/a.
  const Case cases[] = {
      {"the mean of what stays free",
       "LeastAllocated",
       usual,
       {},
       makePod("p").cpu("1").memory("5000Mi"),
       makePod("o").cpu("1").memory("0"),
       50},
      {"of what is taken",
       "MostAllocated",
       usual,
       {},
       makePod("p").cpu("1").memory("5000Mi"),
       makePod("o").cpu("1").memory("0"),
       50},
      {"containers that do not ask count with 100m and 200Mi",
       "LeastAllocated",
       usual,
       {},
       makePod("p"),
       makePod("o"),
       95},
      {"even for two containers", "LeastAllocated", usual, {}, makePod("p").container(), makePod("o"), 93},
      {"not for those that ask for 0",
       "MostAllocated",
       {{"cpu", 1}},
       {},
       makePod("p").cpu("0"),
       makePod("o").cpu("0"),
       0},
      {"weights",
       "LeastAllocated",
       {{"cpu", 3}, {"memory", 1}},
       {},
       makePod("p").cpu("2").memory("0"),
       makePod("o").cpu("0").memory("0"),
       62},
      {"pod-level requests do not count here",
       "MostAllocated",
       {{"cpu", 1}},
       {},
       makePod("p").cpu("1").podLevel("cpu", "4"),
       makePod("o").cpu("0"),
       25},
      {"what the pod does not ask of extended resources is left out",
       "MostAllocated",
       {{"cpu", 1}, {"example.com/a", 1}},
       {},
       makePod("p").cpu("4"),
       makePod("o").cpu("0").request("example.com/a", "1"),
       100},
      {"and what it asks is counted",
       "MostAllocated",
       {{"cpu", 1}, {"example.com/a", 1}},
       {},
       makePod("p").cpu("4").request("example.com/a", "1"),
       makePod("o").cpu("0").request("example.com/a", "1"),
       75},
      {"a resource that the node does not have is left out",
       "LeastAllocated",
       {{"cpu", 1}, {"example.com/b", 1}},
       {},
       makePod("p").cpu("1").request("example.com/b", "1"),
       makePod("o").cpu("0"),
       75},
      {"nothing to score is 0", "LeastAllocated", {{"example.com/b", 1}}, {}, makePod("p"), makePod("o"), 0},
      {"more than there is scores 0", "LeastAllocated", {{"cpu", 1}}, {}, makePod("p").cpu("5"), makePod("o"), 0},
      {"a straight shape", "RequestedToCapacityRatio", usual, fuller_is_better, makePod("p").cpu("1").memory("5000Mi"),
       makePod("o").cpu("1").memory("0"), 50},
      {"a falling shape",
       "RequestedToCapacityRatio",
       {{"cpu", 1}},
       emptier_is_better,
       makePod("p").cpu("1"),
       makePod("o").cpu("0"),
       75},
      {"a bent shape, between points",
       "RequestedToCapacityRatio",
       {{"cpu", 1}},
       bent,
       makePod("p").cpu("1"),
       makePod("o").cpu("0"),
       55},
      {"before the first point",
       "RequestedToCapacityRatio",
       {{"cpu", 1}},
       bent,
       makePod("p").cpu("0"),
       makePod("o").cpu("0"),
       20},
      {"after the last point",
       "RequestedToCapacityRatio",
       {{"cpu", 1}},
       bent,
       makePod("p").cpu("4"),
       makePod("o").cpu("0"),
       30},
      {"too much is full",
       "RequestedToCapacityRatio",
       {{"cpu", 1}},
       bent,
       makePod("p").cpu("8"),
       makePod("o").cpu("0"),
       30},
      {"the mean is rounded, not cut",
       "RequestedToCapacityRatio",
       {{"cpu", 1}, {"memory", 2}},
       fuller_is_better,
       makePod("p").cpu("4").memory("5000Mi"),
       makePod("o").cpu("0").memory("0"),
       67},
      {"resources that score nothing do not weigh", "RequestedToCapacityRatio", usual, fuller_is_better,
       makePod("p").cpu("2").memory("0"), makePod("o").cpu("0").memory("0"), 50},
  };
  for (const Case& c : cases) {
    config::NodeResourcesFitArgs args;
    args.scoring_strategy = c.strategy;
    args.resources = c.resources;
    args.shape = c.shape;
    NodeResourcesFit plugin = make(args);
    const NodeInfo node =
        makeNode("n").has("cpu", "4").has("memory", "10000Mi").has("example.com/a", "4").info({c.other.info()});
    EXPECT_EQ(testkit::scoresOf(plugin, c.pod.info(), {node}).raw, std::vector<std::int64_t>(1, c.score)) << c.sentence;
  }
}

TEST(NodeResourcesFit, WhatQueuesAPodAgainWhenNodesChange) {
  struct Case {
    const char* sentence;
    testkit::PodBuilder pod;
    std::optional<testkit::NodeBuilder> before;
    testkit::NodeBuilder now;
    const char* hint;
  };
  const auto node = [](const char* cpu, const char* memory, const char* pods) {
    return makeNode("n").has("cpu", cpu).has("memory", memory).has("pods", pods);
  };
  const Case cases[] = {
      {"a new node that is big enough", makePod("p").cpu("2"), std::nullopt, node("2", "1Gi", "10"), "Queue"},
      {"a new node that is too small", makePod("p").cpu("3"), std::nullopt, node("2", "1Gi", "10"), "Skip"},
      {"more of what the pod asks for", makePod("p").cpu("2"), node("1", "1Gi", "10"), node("2", "1Gi", "10"), "Queue"},
      {"more, but not enough", makePod("p").cpu("3"), node("1", "1Gi", "10"), node("2", "1Gi", "10"), "Skip"},
      {"more of something else", makePod("p").cpu("1"), node("2", "1Gi", "10"), node("2", "2Gi", "10"), "Skip"},
      {"room for more pods", makePod("p").cpu("1"), node("2", "1Gi", "10"), node("2", "1Gi", "11"), "Queue"},
      {"a pod that asks for nothing waits for pods' room only", makePod("p"), node("2", "1Gi", "10"),
       node("3", "2Gi", "10"), "Skip"},
      {"more of an extended resource", makePod("p").request("a.b/c", "1"), node("2", "1Gi", "10").has("a.b/c", "1"),
       node("2", "1Gi", "10").has("a.b/c", "2"), "Queue"},
      {"less", makePod("p").cpu("1"), node("3", "1Gi", "10"), node("2", "1Gi", "10"), "Skip"},
  };
  const NodeResourcesFit plugin = make();
  for (const Case& c : cases) {
    const api::NodePtr before = c.before ? c.before->obj() : nullptr;
    const api::NodePtr now = c.now.obj();
    EXPECT_EQ(testkit::hintText(plugin, EventResource::kNode, before ? action::kUpdateNodeAllocatable : action::kAdd,
                                c.pod.obj(), before.get(), now.get()),
              c.hint)
        << c.sentence;
  }
}

TEST(NodeResourcesFit, WhatQueuesAPodAgainWhenPodsChange) {
  const NodeResourcesFit plugin = make();
  const auto pod = makePod("p").cpu("1").obj();
  const auto gone = [&](const api::PodPtr& deleted) {
    return testkit::hintText(plugin, EventResource::kAssignedPod, action::kDelete, pod, deleted.get(), nullptr);
  };
  EXPECT_EQ(gone(makePod("o").on("n").obj()), "Queue");
  EXPECT_EQ(gone(makePod("o").nominatedTo("n").obj()), "Queue");
  EXPECT_EQ(gone(makePod("o").obj()), "Skip");

  const auto shrunk = [&](const api::PodPtr& before, const api::PodPtr& now) {
    return testkit::hintText(plugin, EventResource::kAssignedPod, action::kUpdatePodScaleDown, pod, before.get(),
                             now.get());
  };
  EXPECT_EQ(shrunk(makePod("o").on("n").cpu("2").obj(), makePod("o").on("n").cpu("1").obj()), "Queue");
  EXPECT_EQ(shrunk(makePod("o").cpu("2").obj(), makePod("o").cpu("1").obj()), "Skip") << "it is on no node";
  EXPECT_EQ(shrunk(makePod("o").on("n").memory("2").obj(), makePod("o").on("n").memory("1").obj()), "Skip")
      << "not what the pod asks for";

  // The kubelet has not done it yet: what is allocated still counts.
  auto pending = makePod("o").on("n").cpu("1");
  api::ContainerStatus status;
  status.name = "c";
  status.allocated_resources = testkit::resources({{"cpu", "2"}});
  pending.raw().status.container_statuses.push_back(status);
  EXPECT_EQ(shrunk(makePod("o").on("n").cpu("2").obj(), pending.obj()), "Skip");

  EXPECT_EQ(
      testkit::hintText(plugin, EventResource::kTargetPod, action::kUpdatePodScaleDown, pod, pod.get(), pod.get()),
      "Queue");
}

TEST(NodeResourcesFit, SignaturesTellRequestsApart) {
  const NodeResourcesFit plugin = make();
  const auto signature = [&plugin](const testkit::PodBuilder& pod) {
    bool signable = false;
    const auto fragments = plugin.sign(*pod.obj(), signable);
    EXPECT_TRUE(signable);
    return fragments.at(0).value;
  };
  EXPECT_EQ(signature(makePod("a").cpu("1")), signature(makePod("b").cpu("1000m")));
  EXPECT_NE(signature(makePod("a").cpu("1")), signature(makePod("a").cpu("2")));
  EXPECT_NE(signature(makePod("a").request("a.b/c", "1")), signature(makePod("a").request("a.b/d", "1")));
}

}  // namespace
}  // namespace podberth::scheduler::plugins
