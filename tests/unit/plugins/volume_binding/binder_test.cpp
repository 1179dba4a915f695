#include "core/scheduler/plugins/volume_binding/binder.h"

#include <gtest/gtest.h>

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

class Binder : public testing::Test {
 protected:
  Binder() : binder(cluster, 10 * clock::kSecond) {
    cluster.storage_classes.put(makeClass("fast"));
    cluster.storage_classes.put(makeClass("local", "WaitForFirstConsumer", "kubernetes.io/no-provisioner"));
    cluster.storage_classes.put(makeClass("now", "Immediate"));
    cluster.nodes.put(node);
    cluster.pods.put(podWith("p", {}).obj());
  }
  // "claim=volume claim>made: reasons"
  std::string find(const testkit::PodBuilder& pod) {
    PodClaims claims;
    std::string error = binder.claimsOf(*pod.obj(), &claims);
    if (!error.empty()) return error;
    if (!claims.immediate.empty()) return "immediate: " + claims.immediate.front()->meta.name;
    volumes = PodVolumes();
    const std::vector<std::string> reasons = binder.find(claims, *node, &volumes, &error);
    if (!error.empty()) return error;
    std::string out;
    for (const std::string& reason : reasons) out += (out.empty() ? "" : "; ") + reason;
    if (!reasons.empty()) return out;
    for (const StaticBinding& b : volumes.bindings) {
      out += (out.empty() ? "" : " ") + b.claim->meta.name + "=" + b.volume->meta.name;
    }
    for (const DynamicProvision& p : volumes.provisions) out += (out.empty() ? "" : " ") + p.claim->meta.name + ">made";
    return out;
  }
  std::shared_ptr<api::CSIStorageCapacity> capacity(std::string name, std::string_view amount) {
    auto c = std::make_shared<api::CSIStorageCapacity>();
    c->meta.name = std::move(name);
    c->storage_class_name = "fast";
    c->capacity = testkit::quantity(amount);
    c->node_topology.emplace();
    return c;
  }

  testkit::ClusterHandle cluster;
  api::NodePtr node = makeNode("a").label("kubernetes.io/hostname", "a").obj();
  VolumeBinder binder;
  PodVolumes volumes;
};

TEST_F(Binder, SortsClaimsOut) {
  EXPECT_EQ(find(podWith("p", {"x"})),
            "error getting PVC \"default/x\": persistentvolumeclaims \"default/x\" not found");
  cluster.claims.put(makeClaim("x").of("now").obj());
  EXPECT_EQ(find(podWith("p", {"x"})), "immediate: x");
  cluster.claims.put(makeClaim("x").of("unknown").obj());
  EXPECT_EQ(find(podWith("p", {"x"})), "immediate: x");
  auto named = makeClaim("x").of("fast");
  named.raw().spec.volume_name = "v";
  cluster.claims.put(named.obj());
  EXPECT_EQ(find(podWith("p", {"x"})), "immediate: x") << "names its volume";
  cluster.claims.put(makeClaim("x").of("fast").obj());
  EXPECT_EQ(find(podWith("p", {"x"})), "x>made");
}

TEST_F(Binder, BoundVolumes) {
  cluster.claims.put(makeClaim("x").boundTo("v").obj());
  EXPECT_EQ(find(podWith("p", {"x"})), kReasonVolumeNotExist);
  cluster.volumes.put(makeVolume("v").on("b").obj());
  EXPECT_EQ(find(podWith("p", {"x"})), kReasonNodeConflict);
  cluster.volumes.put(makeVolume("v").on("a").obj());
  EXPECT_EQ(find(podWith("p", {"x"})), "");
}

TEST_F(Binder, VolumesThatAreThereComeBeforeThoseToBeMade) {
  cluster.claims.put(makeClaim("x").of("fast").size("9Gi").obj());
  cluster.claims.put(makeClaim("y").of("fast").size("5Gi").obj());
  cluster.volumes.put(makeVolume("v").of("fast").size("10Gi").on("a").obj());
  EXPECT_EQ(find(podWith("p", {"x", "y"})), "y=v x>made") << "the smaller claim chooses first";
  cluster.claims.put(makeClaim("z").of("local").size("1Gi").obj());
  EXPECT_EQ(find(podWith("p", {"z"})), kReasonBindConflict) << "nothing is made in this class";
}

TEST_F(Binder, ASelectedNodeIsKept) {
  cluster.claims.put(makeClaim("x").of("fast").annotation(kSelectedNodeAnnotation, "b").obj());
  EXPECT_EQ(find(podWith("p", {"x"})), kReasonBindConflict);
  cluster.claims.put(makeClaim("x").of("fast").annotation(kSelectedNodeAnnotation, "a").obj());
  EXPECT_EQ(find(podWith("p", {"x"})), "x>made");
}

TEST_F(Binder, CapacityCountsForDriversThatAskForIt) {
  cluster.claims.put(makeClaim("x").of("fast").size("10Gi").obj());
  auto driver = std::make_shared<api::CSIDriver>();
  driver->meta.name = "csi.example.com";
  cluster.csi_drivers.put(driver);
  EXPECT_EQ(find(podWith("p", {"x"})), "x>made");
  driver->storage_capacity = true;
  EXPECT_EQ(find(podWith("p", {"x"})), kReasonNotEnoughSpace);
  cluster.storage_capacities.put(capacity("c", "9Gi"));
  EXPECT_EQ(find(podWith("p", {"x"})), kReasonNotEnoughSpace);
  const auto enough = capacity("c", "10Gi");
  cluster.storage_capacities.put(enough);
  EXPECT_EQ(find(podWith("p", {"x"})), "x>made");
  EXPECT_EQ(volumes.provisions.at(0).node_capacity, enough);
  enough->maximum_volume_size = testkit::quantity("1Gi");
  EXPECT_EQ(find(podWith("p", {"x"})), kReasonNotEnoughSpace) << "the largest volume counts";
  enough->maximum_volume_size.reset();
  enough->node_topology->match_labels.set("kubernetes.io/hostname", "b");
  EXPECT_EQ(find(podWith("p", {"x"})), kReasonNotEnoughSpace) << "of another node";
}

TEST_F(Binder, AnAssumedVolumeIsTakenUntilItIsGivenBack) {
  cluster.claims.put(makeClaim("x").of("local").size("1Gi").obj());
  cluster.claims.put(makeClaim("y").of("local").size("1Gi").obj());
  cluster.volumes.put(makeVolume("v").of("local").size("1Gi").on("a").obj());
  const auto pod = podWith("p", {"x"});
  ASSERT_EQ(find(pod), "x=v");
  PodVolumes decision = volumes;
  bool all_bound = true;
  ASSERT_EQ(binder.assume(*pod.obj(), "a", decision, &all_bound), "");
  EXPECT_FALSE(all_bound);
  EXPECT_EQ(find(podWith("q", {"y"})), kReasonBindConflict);
  EXPECT_EQ(find(pod), "x=v") << "it is still the one for the claim";
  binder.revert(decision);
  EXPECT_EQ(find(podWith("q", {"y"})), "y=v");
}

TEST_F(Binder, NewsOfAnObjectEndAnAssumption) {
  cluster.claims.put(makeClaim("x").of("fast").obj());
  const auto pod = podWith("p", {"x"});
  ASSERT_EQ(find(pod), "x>made");
  bool all_bound = true;
  ASSERT_EQ(binder.assume(*pod.obj(), "elsewhere", volumes, &all_bound), "");
  EXPECT_EQ(find(pod), kReasonBindConflict) << "selected for another node";
  cluster.claims.put(makeClaim("x").of("fast").version(2).obj());
  EXPECT_EQ(find(pod), "x>made");
}

TEST_F(Binder, WhatHasChangedMeanwhileCannotBeAssumed) {
  cluster.claims.put(makeClaim("x").of("fast").obj());
  const auto pod = podWith("p", {"x"});
  ASSERT_EQ(find(pod), "x>made");
  cluster.claims.put(makeClaim("x").of("fast").version(7).obj());
  bool all_bound = true;
  EXPECT_EQ(binder.assume(*pod.obj(), "a", volumes, &all_bound), "\"default/x\" is out of sync (stored: 7, assume: 1)");
  cluster.claims.objects.clear();
  EXPECT_EQ(binder.assume(*pod.obj(), "a", volumes, &all_bound), "persistentvolumeclaims \"default/x\" not found");
}

class Provisioning : public Binder {
 protected:
  Provisioning() {
    cluster.claims.put(makeClaim("x").of("fast").obj());
    const auto pod = podWith("p", {"x"});
    EXPECT_EQ(find(pod), "x>made");
    bool all_bound = true;
    EXPECT_EQ(binder.assume(*pod.obj(), "a", volumes, &all_bound), "");
    run = VolumeBinder::start(volumes);
    EXPECT_TRUE(VolumeBinder::hasWrites(run));
    EXPECT_EQ(binder.writeNext(&run), "");
    EXPECT_FALSE(VolumeBinder::hasWrites(run));
  }
  std::string state() {
    std::string error;
    const bool done = binder.finished(*podWith("p", {"x"}).obj(), "a", run, &error);
    return !error.empty() ? error : done ? "done" : "waits";
  }
  testkit::ClaimBuilder selected() {
    return makeClaim("x").of("fast").annotation(kSelectedNodeAnnotation, "a").version(2);
  }
  BindRun run;
};

TEST_F(Provisioning, IsOverWhenTheClaimIsBoundToAVolumeOfTheNode) {
  cluster.claims.put(selected().obj());
  EXPECT_EQ(state(), "waits");
  cluster.claims.put(selected().boundTo("v").obj());
  EXPECT_EQ(state(), "waits") << "for word of the volume";
  cluster.volumes.put(makeVolume("v").on("a").obj());
  EXPECT_EQ(state(), "done");
}

TEST_F(Provisioning, MayFail) {
  EXPECT_EQ(state(), "selectedNode annotation reset for PVC \"x\"");
  cluster.claims.put(makeClaim("x").of("fast").annotation("any", "thing").version(2).obj());
  EXPECT_EQ(state(), "provisioning failed for PVC \"x\"");
  cluster.claims.put(selected().boundTo("v").obj());
  cluster.volumes.put(makeVolume("v").on("b").obj());
  EXPECT_EQ(state(), "pv \"v\" node affinity doesn't match node \"a\": no matching NodeSelectorTerms");
  cluster.claims.objects.clear();
  EXPECT_EQ(state(), "failed to check provisioning pvc: persistentvolumeclaims \"default/x\" not found");
  cluster.pods.objects.clear();
  EXPECT_EQ(state(), "pod does not exist any more: pod \"p\" not found");
  cluster.nodes.objects.clear();
  EXPECT_EQ(state(), "failed to get node \"a\": node \"a\" not found");
}

}  // namespace
}  // namespace podberth::scheduler::plugins
