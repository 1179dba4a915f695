#include "core/scheduler/plugins/volume_restrictions/volume_restrictions.h"

#include <gtest/gtest.h>

#include "tests/unit/support/plugin_cluster.h"
#include "tests/unit/support/volumes.h"

namespace podberth::scheduler::plugins {
namespace {

using testkit::ebsDisk;
using testkit::gceDisk;
using testkit::makeClaim;
using testkit::makeNode;
using testkit::makePod;
using testkit::podWith;

api::Volume iscsi(const std::string& iqn, bool read_only) {
  api::Volume v;
  v.iscsi.emplace();
  v.iscsi->iqn = iqn;
  v.iscsi->read_only = read_only;
  return v;
}

api::Volume rbd(std::vector<std::string> monitors, const std::string& pool, const std::string& image, bool read_only) {
  api::Volume v;
  v.rbd.emplace();
  v.rbd->monitors = std::move(monitors);
  v.rbd->pool = pool;
  v.rbd->image = image;
  v.rbd->read_only = read_only;
  return v;
}

TEST(VolumeRestrictions, DisksConflict) {
  struct Case {
    const char* name;
    api::Volume a;
    api::Volume b;
    bool conflict;
  };
  const Case cases[] = {
      {"a GCE disk twice", gceDisk("d"), gceDisk("d"), true},
      {"one of them only reads", gceDisk("d", true), gceDisk("d"), true},
      {"both only read", gceDisk("d", true), gceDisk("d", true), false},
      {"two GCE disks", gceDisk("d"), gceDisk("e"), false},
      {"an EBS disk twice, though both only read", ebsDisk("v", true), ebsDisk("v", true), true},
      {"two EBS disks", ebsDisk("v"), ebsDisk("w"), false},
      {"disks of different kinds", ebsDisk("d"), gceDisk("d"), false},
      {"an iSCSI target twice", iscsi("i", false), iscsi("i", true), true},
      {"an iSCSI target to read", iscsi("i", true), iscsi("i", true), false},
      {"an RBD image behind a common monitor", rbd({"a", "b"}, "p", "i", false), rbd({"b"}, "p", "i", true), true},
      {"an RBD image to read", rbd({"a"}, "p", "i", true), rbd({"a"}, "p", "i", true), false},
      {"no common monitor", rbd({"a"}, "p", "i", false), rbd({"c"}, "p", "i", false), false},
      {"another pool", rbd({"a"}, "p", "i", false), rbd({"a"}, "q", "i", false), false},
      {"another image", rbd({"a"}, "p", "i", false), rbd({"a"}, "p", "j", false), false},
  };
  for (const Case& c : cases) {
    auto pod = makePod("p");
    pod.raw().spec.volumes.push_back(c.b);
    EXPECT_EQ(disksConflict(c.a, *pod.obj()), c.conflict) << c.name;
  }
}

TEST(VolumeRestrictions, ADiskIsTakenOnTheNodeWhereItIsInUse) {
  testkit::ClusterHandle cluster;
  auto user = makePod("u").on("a");
  user.raw().spec.volumes.push_back(gceDisk("d"));
  cluster.add(makeNode("a")).add(makeNode("b")).add(user);
  VolumeRestrictions plugin(cluster);
  auto pod = makePod("p");
  EXPECT_EQ(testkit::filterAll(plugin, cluster, pod.info()), "PreFilter Skip");
  pod.raw().spec.volumes.push_back(gceDisk("d"));
  EXPECT_EQ(testkit::filterAll(plugin, cluster, pod.info()),
            "a: Unschedulable: node(s) had no available disk, b: Success");
}

TEST(VolumeRestrictions, AReadWriteOncePodClaimHasOneUser) {
  testkit::ClusterHandle cluster;
  cluster.add(makeNode("a")).add(makeNode("b"));
  VolumeRestrictions plugin(cluster);
  const auto pod = podWith("p", {"c"}).info();
  EXPECT_EQ(testkit::filterAll(plugin, cluster, pod),
            "PreFilter UnschedulableAndUnresolvable: persistentvolumeclaim \"c\" not found");
  cluster.claims.put(makeClaim("c").mode("ReadWriteOncePod").obj());
  EXPECT_EQ(testkit::filterAll(plugin, cluster, pod), "PreFilter Skip") << "nobody uses it";
  cluster.add(podWith("u", {"c"}).on("a"));
  const std::string conflict = std::string("Unschedulable: ") + kReasonReadWriteOncePodConflict;
  EXPECT_EQ(testkit::filterAll(plugin, cluster, pod), "a: " + conflict + ", b: " + conflict);
  cluster.claims.put(makeClaim("c").mode("ReadWriteOnce").obj());
  EXPECT_EQ(testkit::filterAll(plugin, cluster, pod), "PreFilter Skip") << "any number may";
}

TEST(VolumeRestrictions, PreemptionGivesTheClaimBack) {
  testkit::ClusterHandle cluster;
  cluster.add(makeNode("a")).add(podWith("u", {"c"}).on("a")).update();
  cluster.claims.put(makeClaim("c").mode("ReadWriteOncePod").obj());
  VolumeRestrictions plugin(cluster);
  CycleState state;
  PreFilterResult narrowed;
  const auto pod = podWith("p", {"c"}).info();
  const auto user = podWith("u", {"c"}).on("a").info();
  ASSERT_EQ(testkit::text(plugin.preFilter(state, *pod, cluster.snapshot().nodes(), narrowed)), "Success");
  CycleState trial = state.clone();
  ASSERT_TRUE(plugin.removePod(trial, *pod, *user, cluster.node("a")).isSuccess());
  EXPECT_TRUE(plugin.filter(trial, *pod, cluster.node("a")).isSuccess());
  EXPECT_FALSE(plugin.filter(state, *pod, cluster.node("a")).isSuccess()) << "only on the copy";
  ASSERT_TRUE(plugin.addPod(trial, *pod, *user, cluster.node("a")).isSuccess());
  EXPECT_FALSE(plugin.filter(trial, *pod, cluster.node("a")).isSuccess());
}

TEST(VolumeRestrictions, Hints) {
  testkit::ClusterHandle cluster;
  VolumeRestrictions plugin(cluster);
  auto pod = podWith("p", {"c"});
  pod.raw().spec.volumes.push_back(ebsDisk("v"));
  const auto after = [&](const testkit::PodBuilder& deleted) {
    return testkit::hintText(plugin, EventResource::kAssignedPod, action::kDelete, pod.obj(), deleted.obj().get(),
                             nullptr);
  };
  auto disk_user = makePod("d");
  disk_user.raw().spec.volumes.push_back(ebsDisk("v"));
  EXPECT_EQ(after(disk_user), "Queue");
  EXPECT_EQ(after(podWith("d", {"c"})), "Queue");
  EXPECT_EQ(after(podWith("d", {"other"})), "Skip");
  EXPECT_EQ(after(podWith("d", {"c"}).ns("elsewhere")), "Skip");
  const auto claim_added = [&](const api::PersistentVolumeClaimPtr& claim) {
    return testkit::hintText(plugin, EventResource::kPersistentVolumeClaim, action::kAdd, pod.obj(), nullptr,
                             claim.get());
  };
  EXPECT_EQ(claim_added(makeClaim("c").obj()), "Queue");
  EXPECT_EQ(claim_added(makeClaim("x").obj()), "Skip");
}

}  // namespace
}  // namespace podberth::scheduler::plugins
