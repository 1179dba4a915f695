#include "core/scheduler/plugins/taint_toleration/taint_toleration.h"

#include <gtest/gtest.h>

#include "tests/unit/support/plugin_run.h"

namespace podberth::scheduler::plugins {
namespace {

using testkit::makeNode;
using testkit::makePod;

constexpr const char* kNo = "UnschedulableAndUnresolvable: node(s) had untolerated taint(s)";

TEST(TaintToleration, WhichTaintsKeepAPodAway) {
  struct Case {
    const char* sentence;
    testkit::PodBuilder pod;
    testkit::NodeBuilder node;
    bool fits;
  };
  const Case cases[] = {
      {"no taint, no trouble", makePod("a"), makeNode("n"), true},
      {"a NoSchedule taint does", makePod("a"), makeNode("n").taint("k", "v", "NoSchedule"), false},
      {"a NoExecute taint does", makePod("a"), makeNode("n").taint("k", "v", "NoExecute"), false},
      {"a PreferNoSchedule taint does not", makePod("a"), makeNode("n").taint("k", "v", "PreferNoSchedule"), true},
      {"not if key and value are tolerated", makePod("a").tolerate("k", "Equal", "v", "NoSchedule"),
       makeNode("n").taint("k", "v", "NoSchedule"), true},
      {"no operator is Equal", makePod("a").tolerate("k", "", "v"), makeNode("n").taint("k", "v", "NoSchedule"), true},
      {"Exists takes any value", makePod("a").tolerate("k", "Exists"), makeNode("n").taint("k", "v", "NoExecute"),
       true},
      {"another value is not tolerated", makePod("a").tolerate("k", "Equal", "w"),
       makeNode("n").taint("k", "v", "NoSchedule"), false},
      {"another effect is not tolerated", makePod("a").tolerate("k", "Equal", "v", "NoExecute"),
       makeNode("n").taint("k", "v", "NoSchedule"), false},
      {"every taint must be tolerated", makePod("a").tolerate("k", "Exists"),
       makeNode("n").taint("k", "v", "NoSchedule").taint("l", "", "NoSchedule"), false},
      {"comparing operators tolerate nothing by default", makePod("a").tolerate("k", "Lt", "5"),
       makeNode("n").taint("k", "3", "NoSchedule"), false},
      {"an unknown operator tolerates nothing", makePod("a").tolerate("k", "Like", "v"),
       makeNode("n").taint("k", "v", "NoSchedule"), false},
  };
  TaintToleration plugin;
  for (const Case& c : cases) {
    EXPECT_EQ(testkit::filterText(plugin, c.pod.info(), c.node.info()), c.fits ? "Success" : kNo) << c.sentence;
  }
}

TEST(TaintToleration, FewerUntoleratedPreferencesScoreHigher) {
  TaintToleration plugin;
  const std::vector<NodeInfo> nodes = {
      makeNode("a").info(),
      makeNode("b").taint("x", "1", "PreferNoSchedule").info(),
      makeNode("c").taint("x", "1", "PreferNoSchedule").taint("y", "", "PreferNoSchedule").info(),
      makeNode("d")
          .taint("x", "1", "PreferNoSchedule")
          .taint("y", "", "PreferNoSchedule")
          .taint("z", "", "PreferNoSchedule")
          .info(),
  };
  const auto plain = testkit::scoresOf(plugin, makePod("p").info(), nodes);
  EXPECT_EQ(plain.raw, (std::vector<std::int64_t>{0, 1, 2, 3}));
  EXPECT_EQ(plain.normalized, (std::vector<std::int64_t>{100, 67, 34, 0})) << "100 - (100 * n / 3), truncated before";

  const auto tolerant = testkit::scoresOf(plugin, makePod("p").tolerate("x", "Exists").info(), nodes);
  EXPECT_EQ(tolerant.raw, (std::vector<std::int64_t>{0, 0, 1, 2}));

  const auto hard = testkit::scoresOf(plugin, makePod("p").tolerate("x", "Exists", "", "NoSchedule").info(), nodes);
  EXPECT_EQ(hard.raw, (std::vector<std::int64_t>{0, 1, 2, 3})) << "tolerations of other effects do not count";

  const auto none = testkit::scoresOf(plugin, makePod("p").info(), {makeNode("a").info(), makeNode("b").info()});
  EXPECT_EQ(none.normalized, (std::vector<std::int64_t>{100, 100})) << "no taints anywhere: all are best";
}

TEST(TaintToleration, WithoutPreScoreThereIsNoScore) {
  TaintToleration plugin;
  CycleState state;
  std::int64_t score = 0;
  const NodeInfo node = makeNode("n").info();
  EXPECT_EQ(testkit::text(plugin.score(state, *makePod("a").info(), node, score)),
            "Error: failed to read \"PreScoreTaintToleration\" from cycleState: not found");
}

TEST(TaintToleration, WhatQueuesAPodAgain) {
  const TaintToleration plugin;
  const auto pod = makePod("a").tolerate("k", "Exists").obj();
  const auto bare = makeNode("n").obj();
  const auto tolerated = makeNode("n").taint("k", "", "NoSchedule").obj();
  const auto tainted = makeNode("n").taint("x", "", "NoSchedule").obj();
  const auto preferred = makeNode("n").taint("x", "", "PreferNoSchedule").obj();
  const auto after = [&](const api::NodePtr& before, const api::NodePtr& now) {
    return testkit::hintText(plugin, EventResource::kNode, before ? action::kUpdateNodeTaint : action::kAdd, pod,
                             before.get(), now.get());
  };
  EXPECT_EQ(after(nullptr, bare), "Queue");
  EXPECT_EQ(after(nullptr, tolerated), "Queue");
  EXPECT_EQ(after(nullptr, tainted), "Skip");
  EXPECT_EQ(after(tainted, bare), "Queue");
  EXPECT_EQ(after(tainted, preferred), "Queue");
  EXPECT_EQ(after(tolerated, bare), "Skip") << "it would have fitted before";
  EXPECT_EQ(after(bare, tainted), "Skip");
  EXPECT_EQ(
      testkit::hintText(plugin, EventResource::kTargetPod, action::kUpdatePodToleration, pod, pod.get(), pod.get()),
      "Queue");
}

}  // namespace
}  // namespace podberth::scheduler::plugins
