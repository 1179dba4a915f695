#include "core/scheduler/plugins/selector_spread/selector_spread.h"

#include <gtest/gtest.h>

#include "tests/unit/support/plugin_cluster.h"

namespace podberth::scheduler::plugins {
namespace {

using testkit::makeNode;
using testkit::makePod;

constexpr const char* kZone = "topology.kubernetes.io/zone";
constexpr const char* kRegion = "topology.kubernetes.io/region";
constexpr const char* kBetaZone = "failure-domain.beta.kubernetes.io/zone";

TEST(ZoneKey, IsRegionAndZone) {
  EXPECT_EQ(zoneKey(*makeNode("n").obj()), "");
  EXPECT_EQ(zoneKey(*makeNode("n").label(kZone, "z").obj()), std::string(":\0:z", 4));
  EXPECT_EQ(zoneKey(*makeNode("n").label(kRegion, "r").obj()), std::string("r:\0:", 4));
  EXPECT_EQ(zoneKey(*makeNode("n").label(kZone, "z").label(kBetaZone, "old").obj()), std::string(":\0:old", 6))
      << "the beta label comes first";
}

class SelectorSpreadTest : public testing::Test {
 protected:
  SelectorSpreadTest() : plugin_(cluster_) {
    auto service = std::make_shared<api::Service>();
    service->meta.name = "s";
    service->meta.ns = "default";
    service->selector.set("app", "x");
    cluster_.services.put(service);
  }
  void run(const char* name, const char* node, int times = 1) {
    for (int i = 0; i < times; ++i) {
      cluster_.add(makePod(std::string(name) + std::to_string(i) + node).label("app", "x").on(node));
    }
  }
  std::string scores() { return testkit::scoreAll(plugin_, cluster_, makePod("p").label("app", "x").info()); }

  testkit::ClusterHandle cluster_;
  SelectorSpread plugin_;
};

TEST_F(SelectorSpreadTest, NodesWithFewerPodsOfTheServiceScoreHigher) {
  cluster_.add(makeNode("a")).add(makeNode("b")).add(makeNode("c"));
  EXPECT_EQ(scores(), "a 0/100, b 0/100, c 0/100") << "no pods, all the points";
  run("r", "a", 3);
  run("s", "b");
  EXPECT_EQ(scores(), "a 3/0, b 1/66, c 0/100");
}

TEST_F(SelectorSpreadTest, ZonesCountForTwoThirds) {
  cluster_.add(makeNode("a").label(kZone, "1"))
      .add(makeNode("b").label(kZone, "1"))
      .add(makeNode("c").label(kZone, "2"));
  run("r", "a", 2);
  run("s", "c");
  // b has all of the third for itself and nothing of its zone, which has the most pods.
  EXPECT_EQ(scores(), "a 2/0, c 1/50, b 0/33");
  cluster_.add(makeNode("d"));
  EXPECT_EQ(scores(), "a 2/0, c 1/50, d 0/100, b 0/33") << "a node without a zone counts by itself";
}

TEST_F(SelectorSpreadTest, OnlySiblingsThatStayAreCounted) {
  cluster_.add(makeNode("a")).add(makeNode("b"));
  cluster_.add(makePod("other").on("a"));
  cluster_.add(makePod("far").ns("elsewhere").label("app", "x").on("a"));
  auto going = makePod("going").label("app", "x").on("a");
  going.raw().meta.deletion_timestamp = clock::kEpoch;
  cluster_.add(going);
  EXPECT_EQ(scores(), "a 0/100, b 0/100");
}

TEST_F(SelectorSpreadTest, PodsThatBelongToNothingCountNothing) {
  cluster_.add(makeNode("a")).add(makeNode("b"));
  run("r", "a", 2);
  EXPECT_EQ(testkit::scoreAll(plugin_, cluster_, makePod("p").info()), "a 0/100, b 0/100");
}

TEST_F(SelectorSpreadTest, PodsWithConstraintsOfTheirOwnAreLeftAlone) {
  cluster_.add(makeNode("a")).add(makeNode("b"));
  run("r", "a", 2);
  auto pod = makePod("p").label("app", "x");
  pod.raw().spec.topology_spread_constraints.emplace_back();
  EXPECT_EQ(testkit::scoreAll(plugin_, cluster_, pod.info()), "a 0/0, b 0/0");
}

TEST_F(SelectorSpreadTest, ScoreNeedsPreScore) {
  cluster_.add(makeNode("a")).update();
  CycleState state;
  std::int64_t score = 0;
  EXPECT_EQ(testkit::text(plugin_.score(state, *makePod("p").info(), cluster_.node("a"), score)),
            "Error: reading \"PreScoreSelectorSpread\" from cycleState: not found");
}

}  // namespace
}  // namespace podberth::scheduler::plugins
