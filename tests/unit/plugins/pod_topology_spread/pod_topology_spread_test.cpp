#include "core/scheduler/plugins/pod_topology_spread/pod_topology_spread.h"

#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "tests/unit/support/plugin_cluster.h"

namespace podberth::scheduler::plugins {
namespace {

using testkit::ClusterHandle;
using testkit::filterAll;
using testkit::makeNode;
using testkit::makePod;
using testkit::NodeBuilder;
using testkit::passing;
using testkit::PodBuilder;
using testkit::scoreAll;

api::TopologySpreadConstraint constraint(std::string key, std::int32_t skew, std::string_view action = kDoNotSchedule,
                                         std::string_view app = "x") {
  api::TopologySpreadConstraint c;
  c.topology_key = std::move(key);
  c.max_skew = skew;
  c.when_unsatisfiable = std::string(action);
  c.label_selector.emplace();
  if (!app.empty()) c.label_selector->match_labels.set("app", app);
  return c;
}
PodBuilder spread(std::string name, std::vector<api::TopologySpreadConstraint> constraints) {
  PodBuilder pod = makePod(std::move(name)).label("app", "x");
  pod.raw().spec.topology_spread_constraints = std::move(constraints);
  return pod;
}
NodeBuilder inZone(std::string name, std::string_view zone) {
  NodeBuilder node = makeNode(name);
  node.label("kubernetes.io/hostname", name).label("zone", zone);
  return node;
}
PodBuilder running(std::string name, std::string node) {
  return makePod(std::move(name)).label("app", "x").on(std::move(node));
}

class SpreadTest : public testing::Test {
 protected:
  SpreadTest() {
    // The snapshot takes zones in turn only by the well-known labels: these nodes stay in this order.
    cluster_.add(inZone("a", "z1")).add(inZone("b", "z1")).add(inZone("c", "z2"));
  }
  PodTopologySpread& plugin() {
    if (plugin_ == nullptr) plugin_ = std::make_unique<PodTopologySpread>(args_, cluster_, SpreadRules());
    return *plugin_;
  }
  ClusterHandle cluster_;
  config::PodTopologySpreadArgs args_;
  std::unique_ptr<PodTopologySpread> plugin_;
};

TEST_F(SpreadTest, SkipsPodsWithoutHardConstraints) {
  EXPECT_EQ(filterAll(plugin(), cluster_, makePod("p").info()), "PreFilter Skip");
  EXPECT_EQ(filterAll(plugin(), cluster_, spread("p", {constraint("zone", 1, kScheduleAnyway)}).info()),
            "PreFilter Skip");
}

TEST_F(SpreadTest, RejectsADomainThatWouldBeAheadByMoreThanMaxSkew) {
  cluster_.add(running("r", "a"));
  const std::string no = "Unschedulable: node(s) didn't match pod topology spread constraints";
  EXPECT_EQ(filterAll(plugin(), cluster_, spread("p", {constraint("zone", 1)}).info()),
            "a: " + no + ", b: " + no + ", c: Success");
  EXPECT_EQ(passing(plugin(), cluster_, spread("p", {constraint("zone", 2)}).info()), "a b c");
}

TEST_F(SpreadTest, ANodeWithoutTheLabelCanNeverDo) {
  cluster_.add(makeNode("d"));
  EXPECT_EQ(
      filterAll(plugin(), cluster_, spread("p", {constraint("zone", 1)}).info()),
      "a: Success, b: Success, c: Success, d: UnschedulableAndUnresolvable: node(s) didn't match pod topology spread "
      "constraints (missing required label)");
}

TEST_F(SpreadTest, FollowsPodsThatComeAndGo) {
  const PodInfoPtr pod = spread("p", {constraint("zone", 1)}).info();
  EXPECT_EQ(passing(plugin(), cluster_, pod), "a b c");
  cluster_.add(running("r", "a"));
  EXPECT_EQ(passing(plugin(), cluster_, pod), "c");
  cluster_.add(running("s", "c"));
  EXPECT_EQ(passing(plugin(), cluster_, pod), "a b c");
  EXPECT_EQ(cluster_.cache.removePod(*running("r", "a").obj()), "");
  EXPECT_EQ(passing(plugin(), cluster_, pod), "a b");
  cluster_.cache.removeNode(*inZone("b", "z1").obj());
  EXPECT_EQ(passing(plugin(), cluster_, pod), "a");
  cluster_.cache.updateNode(inZone("a", "z1").obj().get(), inZone("a", "z2").obj());
  EXPECT_EQ(passing(plugin(), cluster_, pod), "a c");
}

TEST_F(SpreadTest, TerminatingPodsAndOtherNamespacesDoNotCount) {
  PodBuilder leaving = running("r", "a");
  leaving.raw().meta.deletion_timestamp = 1;
  cluster_.add(leaving).add(running("s", "a").ns("other"));
  EXPECT_EQ(passing(plugin(), cluster_, spread("p", {constraint("zone", 1)}).info()), "a b c");
}

TEST_F(SpreadTest, FewerDomainsThanMinDomainsMakeTheMinimumZero) {
  cluster_.add(running("r", "a")).add(running("s", "c"));
  api::TopologySpreadConstraint c = constraint("zone", 1);
  EXPECT_EQ(passing(plugin(), cluster_, spread("p", {c}).info()), "a b c");
  c.min_domains = 3;
  EXPECT_EQ(passing(plugin(), cluster_, spread("p", {c}).info()), "");
}

TEST_F(SpreadTest, NodesRuledOutByAffinityCountOnlyIfThePolicySaysIgnore) {
  cluster_.add(running("r", "a")).add(running("s", "b"));
  api::TopologySpreadConstraint c = constraint("zone", 1);
  EXPECT_EQ(passing(plugin(), cluster_, spread("p", {c}).nodeSelector("zone", "z1").info()), "a b c");
  c.node_affinity_policy = "Ignore";
  EXPECT_EQ(passing(plugin(), cluster_, spread("p", {c}).nodeSelector("zone", "z1").info()), "c");
}

TEST_F(SpreadTest, TaintedNodesDoNotCountIfThePolicySaysHonor) {
  cluster_.add(inZone("d", "z3").taint("k", "v", "NoSchedule")).add(running("r", "a")).add(running("s", "c"));
  api::TopologySpreadConstraint c = constraint("zone", 1);
  EXPECT_EQ(passing(plugin(), cluster_, spread("p", {c}).info()), "d");
  c.node_taints_policy = "Honor";
  EXPECT_EQ(passing(plugin(), cluster_, spread("p", {c}).info()), "a b c d");
  EXPECT_EQ(passing(plugin(), cluster_, spread("p", {c}).tolerate("k", "Exists").info()), "d");
}

TEST_F(SpreadTest, AnEmptySelectorCountsNobodyButThePodItself) {
  cluster_.add(running("r", "a"));
  EXPECT_EQ(passing(plugin(), cluster_, spread("p", {constraint("zone", 1, kDoNotSchedule, "")}).info()), "a b c");
}

TEST_F(SpreadTest, MatchLabelKeysNarrowTheSelectorToThePodsOwnValue) {
  cluster_.add(running("r", "a").label("rev", "1"));
  api::TopologySpreadConstraint c = constraint("zone", 1);
  c.match_label_keys = {"rev", "missing"};
  EXPECT_EQ(passing(plugin(), cluster_, spread("p", {c}).label("rev", "1").info()), "c");
  EXPECT_EQ(passing(plugin(), cluster_, spread("p", {c}).label("rev", "2").info()), "a b c");
}

TEST_F(SpreadTest, RemovingAndAddingPodsChangesTheAnswerOfACopyOnly) {
  cluster_.add(running("r", "a")).add(running("s", "a")).update();
  const PodInfoPtr pod = spread("p", {constraint("zone", 1)}).info();
  CycleState state;
  PreFilterResult narrowed;
  ASSERT_TRUE(plugin().preFilter(state, *pod, cluster_.snapshot().nodes(), narrowed).isSuccess());
  CycleState copy = state.clone();
  NodeInfo& a = cluster_.node("a");
  const auto ok = [&](CycleState& s, std::string_view node) {
    return plugin().filter(s, *pod, cluster_.node(node)).isSuccess();
  };
  EXPECT_FALSE(ok(copy, "a"));
  ASSERT_TRUE(plugin().removePod(copy, *pod, *running("r", "a").info(), a).isSuccess());
  EXPECT_FALSE(ok(copy, "a"));
  ASSERT_TRUE(plugin().removePod(copy, *pod, *running("s", "a").info(), a).isSuccess());
  EXPECT_TRUE(ok(copy, "a"));
  EXPECT_FALSE(ok(state, "a"));
  ASSERT_TRUE(plugin().addPod(copy, *pod, *running("s", "a").info(), a).isSuccess());
  EXPECT_FALSE(ok(copy, "b"));
  EXPECT_TRUE(ok(copy, "c"));
}

TEST_F(SpreadTest, ScoresFewerPodsHigherByHost) {
  cluster_.add(running("r", "a")).add(running("s", "a")).add(running("t", "b"));
  // log(3+2) = 1.609: twice, once, never.
  EXPECT_EQ(
      scoreAll(plugin(), cluster_, spread("p", {constraint("kubernetes.io/hostname", 1, kScheduleAnyway)}).info()),
      "a 3/0, b 2/33, c 0/100");
}

TEST_F(SpreadTest, ScoresByZoneWithTheSkewAddedToAllAlike) {
  cluster_.add(running("r", "a")).add(running("s", "b"));
  // 2 * log(2+2) + 4 = 6.77 against 4.
  EXPECT_EQ(scoreAll(plugin(), cluster_, spread("p", {constraint("zone", 5, kScheduleAnyway)}).info()),
            "a 7/57, b 7/57, c 4/100");
}

TEST_F(SpreadTest, NodesWithoutTheLabelScoreNothing) {
  cluster_.add(makeNode("d")).add(running("r", "a"));
  EXPECT_EQ(scoreAll(plugin(), cluster_, spread("p", {constraint("zone", 1, kScheduleAnyway)}).info()),
            "a 1/0, b 1/0, c 0/100, d 0/0");
}

TEST_F(SpreadTest, DefaultsNeedASelectorFromAServiceOrAController) {
  cluster_.add(running("r", "a"));
  EXPECT_EQ(scoreAll(plugin(), cluster_, makePod("p").label("app", "x").info()), "Skip");
  auto service = std::make_shared<api::Service>();
  service->meta.name = "s";
  service->meta.ns = "default";
  service->selector.set("app", "x");
  cluster_.services.put(service);
  // Hosts: log(3+2) + 2; all have the same (missing) zone, which scores only where there is one.
  EXPECT_EQ(scoreAll(plugin(), cluster_, makePod("p").label("app", "x").info()), "a 4/50, b 2/100, c 2/100");
  EXPECT_EQ(scoreAll(plugin(), cluster_, makePod("p").label("app", "y").info()), "Skip");
}

TEST_F(SpreadTest, ListDefaultsApplyToPodsOfAReplicaSet) {
  args_.defaulting_type = "List";
  args_.default_constraints = {constraint("zone", 1)};
  args_.default_constraints[0].label_selector.reset();
  auto rs = std::make_shared<api::ReplicaSet>();
  rs->meta.name = "rs";
  rs->meta.ns = "default";
  rs->selector.emplace();
  rs->selector->match_labels.set("app", "x");
  cluster_.replica_sets.put(rs);
  cluster_.add(running("r", "a"));
  PodBuilder pod = makePod("p").label("app", "x");
  EXPECT_EQ(passing(plugin(), cluster_, pod.info()), "Skip");
  api::OwnerReference owner;
  owner.api_version = "apps/v1";
  owner.kind = "ReplicaSet";
  owner.name = "rs";
  owner.controller = true;
  pod.raw().meta.owner_references.push_back(owner);
  EXPECT_EQ(passing(plugin(), cluster_, pod.info()), "c");
}

TEST_F(SpreadTest, HintsSayWhatCouldHelp) {
  const api::PodPtr pod = spread("p", {constraint("zone", 1)}).obj();
  const api::PodPtr match = running("r", "a").obj();
  const api::PodPtr other = makePod("o").label("app", "y").on("a").obj();
  const api::PodPtr elsewhere = running("e", "a").ns("other").obj();
  const api::NodePtr zoned = inZone("n", "z9").obj();
  const api::NodePtr moved = inZone("n", "z8").obj();
  const api::NodePtr bare = makeNode("n").obj();
  const api::NodePtr tainted = inZone("n", "z9").taint("k", "v", "NoSchedule").obj();
  const api::PodPtr tolerating = spread("p", {constraint("zone", 1)}).tolerate("k", "Exists").obj();
  const api::PodPtr relabelled = spread("p", {constraint("zone", 1)}).label("app", "y").obj();
  struct Case {
    const char* what;
    EventResource resource;
    std::int64_t event;
    const api::Object* before;
    const api::Object* after;
    const char* want;
  };
  const Case cases[] = {
      {"a matching pod comes", EventResource::kAssignedPod, action::kAdd, nullptr, match.get(), "Queue"},
      {"another pod comes", EventResource::kAssignedPod, action::kAdd, nullptr, other.get(), "Skip"},
      {"a pod of another namespace comes", EventResource::kAssignedPod, action::kAdd, nullptr, elsewhere.get(), "Skip"},
      {"a matching pod goes", EventResource::kAssignedPod, action::kDelete, match.get(), nullptr, "Queue"},
      {"a pod stops matching", EventResource::kAssignedPod, action::kUpdatePodLabel, match.get(), other.get(), "Queue"},
      {"a node with the key comes", EventResource::kNode, action::kAdd, nullptr, zoned.get(), "Queue"},
      {"a node without the key comes", EventResource::kNode, action::kAdd, nullptr, bare.get(), "Skip"},
      {"a node with the key goes", EventResource::kNode, action::kDelete, zoned.get(), nullptr, "Queue"},
      {"a node moves to another domain", EventResource::kNode, action::kUpdateNodeLabel, zoned.get(), moved.get(),
       "Queue"},
      {"a node gets the key", EventResource::kNode, action::kUpdateNodeLabel, bare.get(), zoned.get(), "Queue"},
      {"a node with the key gets a taint", EventResource::kNode, action::kUpdateNodeTaint, zoned.get(), tainted.get(),
       "Queue"},
      {"a node stays as it was", EventResource::kNode, action::kUpdateNodeLabel, zoned.get(), zoned.get(), "Skip"},
      {"a toleration without a taints policy", EventResource::kTargetPod, action::kUpdatePodToleration, pod.get(),
       tolerating.get(), "Skip"},
      {"the pod stops matching itself", EventResource::kTargetPod, action::kUpdatePodLabel, pod.get(), relabelled.get(),
       "Queue"},
  };
  for (const Case& c : cases) {
    EXPECT_EQ(testkit::hintText(plugin(), c.resource, c.event, pod, c.before, c.after), c.want) << c.what;
  }
}

TEST_F(SpreadTest, OnlyPodsWithoutAnyConstraintsCanBeBatched) {
  bool signable = true;
  plugin().sign(*makePod("p").obj(), signable);
  EXPECT_FALSE(signable);  // the system's defaults
  args_.defaulting_type = "List";
  const PodTopologySpread without(args_, cluster_, SpreadRules());
  without.sign(*makePod("p").obj(), signable);
  EXPECT_TRUE(signable);
  without.sign(*spread("p", {constraint("zone", 1)}).obj(), signable);
  EXPECT_FALSE(signable);
}

}  // namespace
}  // namespace podberth::scheduler::plugins
