// The plugins as v1.24 has them, where they differ from later ones.
#include "core/scheduler/plugins/registry_v1_24.h"

#include <gtest/gtest.h>

#include "core/scheduler/framework/container_requests.h"
#include "core/scheduler/plugins/names.h"
#include "tests/unit/support/plugin_cluster.h"
#include "tests/unit/support/volumes.h"

namespace podberth::scheduler::plugins {
namespace {

using testkit::makeClaim;
using testkit::makeClass;
using testkit::makeNode;
using testkit::makePod;
using testkit::makeVolume;
using testkit::podWith;

class PluginsV1_24 : public testing::Test {
 protected:
  PluginsV1_24() { cluster.feature_gates = FeatureGates(release::v1_24()); }
  std::unique_ptr<Plugin> make(std::string_view name, const config::PluginArgs& args = {}) {
    std::string error;
    auto plugin = find(release::PluginSet::kV1_24, name)->make(args, cluster, &error);
    EXPECT_NE(plugin, nullptr) << error;
    return plugin;
  }
  // What Filter says of the node "a".
  std::string filter(std::string_view name, const testkit::PodBuilder& pod) {
    cluster.update();
    const auto counted = makePodInfo(pod.obj(), Counting(cluster.feature_gates));
    return testkit::filterText(*make(name), counted, cluster.node("a"));
  }
  std::string scores(std::string_view name, const testkit::PodBuilder& pod, const config::PluginArgs& args = {}) {
    return testkit::scoreAll(*make(name, args), cluster, pod.info());
  }
  testkit::ClusterHandle cluster;
};

TEST_F(PluginsV1_24, TheTableSaysWhatThePluginsSay) {
  for (const PluginFactory& f : registryV1_24()) {
    const auto plugin = make(f.name);
    EXPECT_EQ(plugin->name(), f.name);
    EXPECT_EQ(plugin->points(), f.points) << f.name;
    const bool unweighted = f.name == names::kSelectorSpread;  // not in the default configuration
    EXPECT_EQ(has(f.points, Point::kScore) && !unweighted, f.default_weight > 0) << f.name;
    for (const ClusterEventWithHint& event : plugin->eventsToRegister()) EXPECT_FALSE(event.hint) << f.name;
  }
  EXPECT_EQ(registryV1_24().size(), 22U);
  EXPECT_EQ(find(release::PluginSet::kV1_24, "SchedulingGates"), nullptr);
  EXPECT_EQ(find(release::PluginSet::kV1_37, "SelectorSpread"), nullptr);
}

TEST_F(PluginsV1_24, WhoseEventsCount) {
  EXPECT_FALSE(make(names::kDefaultPreemption)->hasEvents()) << "it does not say: all of them";
  const auto events = make(names::kInterPodAffinity)->eventsToRegister();
  ASSERT_EQ(events.size(), 2U);
  EXPECT_EQ(events[0].event.resource, EventResource::kPod);
  EXPECT_EQ(events[0].event.action, action::kAll);
  EXPECT_EQ(events[1].event.action, action::kAdd | action::kUpdateNodeLabel);
}

TEST_F(PluginsV1_24, TaintTolerationNamesTheTaint) {
  cluster.add(
      makeNode("a").taint("soft", "", "PreferNoSchedule").taint("k", "v", "NoSchedule").taint("l", "", "NoExecute"));
  EXPECT_EQ(filter(names::kTaintToleration, makePod("p")),
            "UnschedulableAndUnresolvable: node(s) had untolerated taint {k: v}");
  EXPECT_EQ(filter(names::kTaintToleration, makePod("p").tolerate("k", "Exists")),
            "UnschedulableAndUnresolvable: node(s) had untolerated taint {l: }");
}

TEST_F(PluginsV1_24, NodeNameIsCheckedNodeByNode) {
  cluster.add(makeNode("a"));
  EXPECT_EQ(filter(names::kNodeName, makePod("p").on("b")),
            "UnschedulableAndUnresolvable: node(s) didn't match the requested node name");
}

TEST_F(PluginsV1_24, OneContradictingTermOfNodeAffinityIsEnough) {
  cluster.add(makeNode("a"));
  api::NodeSelectorTerm contradiction = testkit::fieldTerm("metadata.name", "In", {"a"});
  contradiction.match_fields.push_back(testkit::requirement("metadata.name", "In", {"b"}));
  const api::NodeSelectorTerm to_a = testkit::fieldTerm("metadata.name", "In", {"a"});
  EXPECT_EQ(filter(names::kNodeAffinity, makePod("p").requireNode({to_a, contradiction})),
            "PreFilter UnschedulableAndUnresolvable: pod affinity terms conflict");
  EXPECT_EQ(
      filter(names::kNodeAffinity, makePod("p").requireNode({testkit::labelTerm("x", "DoesNotExist"), contradiction})),
      "Success")
      << "a term before it that names no node ends the look";
}

TEST_F(PluginsV1_24, NothingIsSkipped) {
  cluster.add(makeNode("a"));
  EXPECT_EQ(filter(names::kNodeAffinity, makePod("p")), "Success");
  EXPECT_EQ(filter(names::kNodePorts, makePod("p")), "Success");
  EXPECT_EQ(filter(names::kPodTopologySpread, makePod("p")), "Success");
  EXPECT_EQ(filter(names::kInterPodAffinity, makePod("p")), "Success");
  EXPECT_EQ(filter(names::kVolumeBinding, makePod("p")), "Success");
  EXPECT_EQ(filter(names::kVolumeRestrictions, makePod("p")), "Success");
  EXPECT_EQ(scores(names::kNodeAffinity, makePod("p")), "a 0/0");
  EXPECT_EQ(scores(names::kPodTopologySpread, makePod("p")), "a 0/100");
  EXPECT_EQ(scores(names::kInterPodAffinity, makePod("p")), "a 0/0");
}

TEST_F(PluginsV1_24, FitSaysInsufficientOfNothing) {
  cluster.add(makeNode("a").has("cpu", "1").has("memory", "1Gi").has("pods", "10"));
  cluster.add(makePod("u").cpu("2").on("a"));
  EXPECT_EQ(filter(names::kNodeResourcesFit, makePod("p").memory("1Mi")), "Unschedulable: Insufficient cpu")
      << "more is taken than there is";
  EXPECT_EQ(filter(names::kNodeResourcesFit, makePod("p")), "Success") << "a pod that asks for nothing";
  EXPECT_EQ(filter(names::kNodeResourcesFit, makePod("p").memory("1Gi").memory("2Gi").cpu("3")),
            "Unschedulable: Insufficient cpu; Insufficient memory")
      << "preemption may be tried though it cannot help";
}

TEST_F(PluginsV1_24, RequestsAreRoundedContainerByContainer) {
  cluster.add(makeNode("a").has("cpu", "1").has("memory", "3").has("pods", "10"));
  EXPECT_EQ(filter(names::kNodeResourcesFit, makePod("p").memory("1100m").container().memory("1100m")),
            "Unschedulable: Insufficient memory")
      << "2 and 2 of 3 bytes";
  EXPECT_EQ(filter(names::kNodeResourcesFit, makePod("p").memory("1").init().memory("3").sidecar().memory("1")),
            "Success")
      << "there are no sidecars: the greatest init container counts";
}

TEST_F(PluginsV1_24, ScoresOfOverhead) {
  config::NodeResourcesFitArgs args;
  args.resources = {{"cpu", 1}};
  cluster.add(makeNode("a").has("cpu", "1").has("memory", "1Gi").has("pods", "10"));
  EXPECT_EQ(scores(names::kNodeResourcesFit, makePod("p").cpu("500m"), args), "a 50/50");
  EXPECT_EQ(scores(names::kNodeResourcesFit, makePod("p").cpu("500m").overhead("cpu", "250m"), args), "a 49/49")
      << "250m are a whole CPU, which counts as 1m";
}

TEST_F(PluginsV1_24, BalanceIsThatOfTheNodeWithThePod) {
  cluster.add(makeNode("a").has("cpu", "10").has("memory", "1000").has("pods", "10"));
  EXPECT_EQ(scores(names::kNodeResourcesBalancedAllocation, makePod("p").cpu("5").memory("500")), "a 100/100");
  EXPECT_EQ(scores(names::kNodeResourcesBalancedAllocation, makePod("p").cpu("5")), "a 75/75");
  cluster.add(makePod("u").cpu("5").on("a"));
  EXPECT_EQ(scores(names::kNodeResourcesBalancedAllocation, makePod("p")), "a 75/75")
      << "pods that ask for nothing get points too";
}

TEST_F(PluginsV1_24, ImagesOfContainersOnly) {
  ImageState large;
  large.size = 1000LL * 1024 * 1024;
  large.num_nodes = 1;
  cluster.add(makeNode("a")).update();
  cluster.node("a").image_states[api::Symbol("x:latest")] = large;
  const auto plugin = make(names::kImageLocality);
  CycleState state;
  std::int64_t score = 0;
  ASSERT_TRUE(plugin->score(state, *makePod("p").image("x").info(), cluster.node("a"), score).isSuccess());
  EXPECT_EQ(score, 100);
  CycleState other;
  ASSERT_TRUE(
      plugin->score(other, *makePod("p").image("y").init().image("x").info(), cluster.node("a"), score).isSuccess());
  EXPECT_EQ(score, 0);
}

testkit::PodBuilder spread(const char* action, bool with_empty_selector = false) {
  auto pod = makePod("p").label("app", "x");
  api::TopologySpreadConstraint c;
  c.max_skew = 1;
  c.topology_key = "zone";
  c.when_unsatisfiable = action;
  c.label_selector.emplace();
  if (!with_empty_selector) c.label_selector->match_labels.set("app", "x");
  c.min_domains = action == std::string("DoNotSchedule") ? std::optional<std::int32_t>(5) : std::nullopt;
  c.node_taints_policy = "Honor";
  pod.raw().spec.topology_spread_constraints.push_back(std::move(c));
  return pod;
}

TEST_F(PluginsV1_24, SpreadConstraintsKnowNoPoliciesAndNoMinDomains) {
  cluster.add(makeNode("a").label("zone", "1"));
  cluster.add(makeNode("b").label("zone", "2").taint("k", "", "NoSchedule"));
  cluster.add(makePod("u").label("app", "x").on("a"));
  EXPECT_EQ(filter(names::kPodTopologySpread, spread("DoNotSchedule")),
            "Unschedulable: node(s) didn't match pod topology spread constraints")
      << "the tainted node is a domain without pods";
  cluster.add(makePod("v").label("app", "x").on("b"));
  EXPECT_EQ(filter(names::kPodTopologySpread, spread("DoNotSchedule")), "Success") << "two domains will do";
  std::string error;
  ASSERT_TRUE(cluster.feature_gates.set("MinDomainsInPodTopologySpread", true, &error)) << error;
  EXPECT_EQ(filter(names::kPodTopologySpread, spread("DoNotSchedule")),
            "Unschedulable: node(s) didn't match pod topology spread constraints")
      << "with the gate they will not";
}

TEST_F(PluginsV1_24, AnEmptySelectorOfAConstraintCountsAllPods) {
  cluster.add(makeNode("a").label("zone", "1"));
  cluster.add(makeNode("b").label("zone", "2"));
  cluster.add(makePod("u").on("a"));
  EXPECT_EQ(scores(names::kPodTopologySpread, spread("ScheduleAnyway", true)), "a 1/0, b 0/100");
}

TEST_F(PluginsV1_24, VolumeZoneTakesBetaLabelsByTheirName) {
  cluster.add(makeNode("a").label("topology.kubernetes.io/zone", "1"));
  cluster.claims.put(makeClaim("x").boundTo("v").obj());
  cluster.volumes.put(makeVolume("v").label("failure-domain.beta.kubernetes.io/zone", "1").obj());
  EXPECT_EQ(filter(names::kVolumeZone, podWith("p", {"x"})),
            "UnschedulableAndUnresolvable: node(s) had no available volume zone");
  EXPECT_EQ(filter(names::kVolumeZone, podWith("p", {"x", "none"})),
            "UnschedulableAndUnresolvable: node(s) had no available volume zone")
      << "before the claim that is missing";
  cluster.volumes.put(makeVolume("v").label("topology.kubernetes.io/zone", "1").obj());
  EXPECT_EQ(filter(names::kVolumeZone, podWith("p", {"x", "none"})),
            "UnschedulableAndUnresolvable: persistentvolumeclaim \"none\" not found");
}

TEST_F(PluginsV1_24, VolumeZoneAsksOnlyNodesWithZones) {
  cluster.add(makeNode("a"));
  EXPECT_EQ(filter(names::kVolumeZone, podWith("p", {"none"})), "Success");
}

TEST_F(PluginsV1_24, ReadWriteOncePodClaimsCountByAGate) {
  cluster.add(makeNode("a"));
  cluster.claims.put(makeClaim("x").mode("ReadWriteOncePod").obj());
  cluster.add(podWith("u", {"x"}).on("a"));
  EXPECT_EQ(filter(names::kVolumeRestrictions, podWith("p", {"x"})), "Success");
  EXPECT_EQ(filter(names::kVolumeRestrictions, podWith("p", {"none"})), "Success") << "claims are not looked up";
  std::string error;
  ASSERT_TRUE(cluster.feature_gates.set("ReadWriteOncePod", true, &error)) << error;
  EXPECT_EQ(filter(names::kVolumeRestrictions, podWith("p", {"x"})),
            "PreFilter UnschedulableAndUnresolvable: node has pod using PersistentVolumeClaim with the same name and "
            "ReadWriteOncePod access mode");
  EXPECT_EQ(filter(names::kVolumeRestrictions, podWith("p", {"none"})),
            "PreFilter UnschedulableAndUnresolvable: persistentvolumeclaim \"none\" not found");
}

TEST_F(PluginsV1_24, VolumeLimitsAreTheNodesToo) {
  cluster.add(makeNode("a").has("attachable-volumes-csi-csi.example.com", "1"));
  for (const char* name : {"c1", "c2"}) {
    cluster.claims.put(makeClaim(name).boundTo(name).obj());
    cluster.volumes.put(makeVolume(name).obj());
  }
  EXPECT_EQ(filter(names::kNodeVolumeLimits, podWith("p", {"c1"})), "Success");
  EXPECT_EQ(filter(names::kNodeVolumeLimits, podWith("p", {"c1", "c2"})),
            "Unschedulable: node(s) exceed max volume count");
  cluster.csi_nodes.put(testkit::makeCSINode("a", "csi.example.com", 2));
  EXPECT_EQ(filter(names::kNodeVolumeLimits, podWith("p", {"c1", "c2"})), "Success") << "the CSINode comes first";
  EXPECT_EQ(filter(names::kNodeVolumeLimits, podWith("p", {"none"})),
            "Error: looking up PVC default/none: persistentvolumeclaim \"none\" not found");
}

TEST_F(PluginsV1_24, VolumesOfAnotherNode) {
  cluster.add(makeNode("a").label("kubernetes.io/hostname", "a"));
  cluster.claims.put(makeClaim("x").boundTo("v").obj());
  cluster.volumes.put(makeVolume("v").on("b").obj());
  EXPECT_EQ(filter(names::kVolumeBinding, podWith("p", {"x"})),
            "UnschedulableAndUnresolvable: node(s) had volume node affinity conflict");
}

// Runs Filter, Reserve and PreBind of a pod whose claim stays unbound; what PreBind says at the end, and after how
// long.
std::string bindInVain(testkit::ClusterHandle& cluster, Plugin& plugin, int seconds_at_most) {
  cluster.claims.put(makeClaim("x").of("fast").obj());
  cluster.pods.put(podWith("p", {"x"}).obj());
  CycleState state;
  PreFilterResult narrowed;
  const auto pod = podWith("p", {"x"}).info();
  EXPECT_TRUE(plugin.preFilter(state, *pod, {}, narrowed).isSuccess());
  EXPECT_TRUE(plugin.filter(state, *pod, cluster.node("a")).isSuccess());
  EXPECT_TRUE(plugin.reserve(state, pod->pod, "a").isSuccess());
  cluster.claims.put(makeClaim("x").of("fast").annotation("volume.kubernetes.io/selected-node", "a").version(2).obj());
  for (int s = 0; s <= seconds_at_most; ++s) {
    const PreBindProgress progress = plugin.preBind(state, pod->pod, "a");
    if (!progress.resume) return std::to_string(s) + " s: " + testkit::text(progress.status);
    cluster.loop().sleep(clock::kSecond);
  }
  return "waits";
}

TEST_F(PluginsV1_24, BindingTimesOut) {
  cluster.storage_classes.put(makeClass("fast"));
  cluster.nodes.put(makeNode("a").obj());
  cluster.add(makeNode("a")).update();
  config::VolumeBindingArgs args;
  args.bind_timeout_seconds = 2;
  EXPECT_EQ(bindInVain(cluster, *make(names::kVolumeBinding, args), 5),
            "2 s: Error: binding volumes: timed out waiting for the condition");
  args.bind_timeout_seconds = 0;
  EXPECT_EQ(bindInVain(cluster, *make(names::kVolumeBinding, args), 5), "waits") << "no timeout is no limit";
}

}  // namespace
}  // namespace podberth::scheduler::plugins
