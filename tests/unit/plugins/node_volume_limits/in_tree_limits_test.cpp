#include "core/scheduler/plugins/node_volume_limits/in_tree_limits.h"

#include <gtest/gtest.h>

#include "core/scheduler/plugins/helper/attach_limits.h"
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

constexpr const char* kExceeded = "Unschedulable: node(s) exceed max volume count";
constexpr const char* kEbsLimit = "attachable-volumes-aws-ebs";

TEST(AttachLimits, ResourcesOfDrivers) {
  EXPECT_EQ(sha1Hex(""), "da39a3ee5e6b4b0d3255bfef95601890afd80709");
  EXPECT_EQ(sha1Hex("abc"), "a9993e364706816aba3e25717850c26c9cd0d89d");
  EXPECT_EQ(sha1Hex(std::string(64, 'a')), "0098ba824b5c16427bd7a1122a5a442a25ec644d") << "more than one block";
  EXPECT_EQ(csiLimitResource("ebs.csi.aws.com"), "attachable-volumes-csi-ebs.csi.aws.com");
  const std::string long_name = "a.driver.with.a.really.long.name.example";
  EXPECT_EQ(csiLimitResource(long_name),
            "attachable-volumes-csi-" + long_name.substr(0, 23) + sha1Hex(long_name).substr(0, 16));
}

TEST(InTreeLimits, WhatFitsOnANodeThatDoesNotSay) {
  struct Case {
    const char* machine;
    std::int64_t most;
  };
  const Case cases[] = {{"m4.large", 39}, {"m5.large", 25}, {"c5d.large", 25}, {"x1.5", 39}, {"t3.micro", 25},
                        {"z1d.big", 25},  {"at3", 25},      {"am5", 39},       {"", 39}};
  for (const Case& c : cases) {
    auto node = makeNode("n").label("node.kubernetes.io/instance-type", c.machine);
    EXPECT_EQ(defaultDiskLimit(InTreeDisk::kEbs, *node.obj()), c.most) << c.machine;
  }
  EXPECT_EQ(defaultDiskLimit(InTreeDisk::kGcePd, *makeNode("n").obj()), 16);
  EXPECT_EQ(defaultDiskLimit(InTreeDisk::kAzureDisk, *makeNode("n").obj()), 16);
  EXPECT_EQ(defaultDiskLimit(InTreeDisk::kCinder, *makeNode("n").obj()), 256);
}

class InTreeLimitsTest : public testing::Test {
 protected:
  InTreeLimitsTest() {
    cluster.feature_gates = FeatureGates(release::v1_24());
    cluster.add(makeNode("a").has(kEbsLimit, "2"));
    cluster.storage_classes.put(makeClass("ebs", "WaitForFirstConsumer", "kubernetes.io/aws-ebs"));
    for (const char* name : {"c1", "c2", "c3"}) {
      cluster.claims.put(makeClaim(name).boundTo(name).obj());
      cluster.volumes.put(makeVolume(name).inTree("awsElasticBlockStore", std::string("vol-") + name).obj());
    }
    cluster.claims.put(makeClaim("unbound").of("ebs").obj());
    cluster.claims.put(makeClaim("lost").of("ebs").boundTo("nowhere").obj());
  }
  static testkit::PodBuilder withDisk(const char* name, const char* id) {
    auto pod = makePod(name);
    api::Volume volume;
    volume.name = "v";
    volume.sources.emplace_back("awsElasticBlockStore");
    volume.aws_elastic_block_store.emplace();
    volume.aws_elastic_block_store->volume_id = id;
    pod.raw().spec.volumes.push_back(std::move(volume));
    return pod;
  }
  std::string filter(const testkit::PodBuilder& pod, InTreeDisk disk = InTreeDisk::kEbs) {
    InTreeLimits plugin(disk, cluster);
    cluster.update();
    return testkit::filterText(plugin, pod.info(), cluster.node("a"));
  }
  testkit::ClusterHandle cluster;
};

TEST_F(InTreeLimitsTest, CountDisksOfTheKindOnce) {
  EXPECT_EQ(filter(makePod("p")), "Success");
  EXPECT_EQ(filter(podWith("p", {"c1", "c2"})), "Success");
  EXPECT_EQ(filter(podWith("p", {"c1", "c2", "c3"})), kExceeded);
  EXPECT_EQ(filter(podWith("p", {"c1", "c2", "c3"}), InTreeDisk::kGcePd), "Success") << "another kind";
  cluster.add(podWith("u", {"c1", "c2"}).on("a"));
  EXPECT_EQ(filter(podWith("p", {"c1"})), "Success") << "attached already";
  EXPECT_EQ(filter(withDisk("p", "vol-c2")), "Success") << "the same disk, described in the pod";
  EXPECT_EQ(filter(withDisk("p", "vol-x")), kExceeded);
  EXPECT_EQ(filter(podWith("p", {"unbound"})), kExceeded) << "its class makes disks of the kind";
  EXPECT_EQ(filter(podWith("p", {"lost"})), kExceeded) << "its volume is not known";
}

TEST_F(InTreeLimitsTest, LeaveMigratedNodesToTheDriver) {
  cluster.add(podWith("u", {"c1", "c2"}).on("a"));
  auto csi_node = std::make_shared<api::CSINode>();
  csi_node->meta.name = "a";
  cluster.csi_nodes.put(csi_node);
  EXPECT_EQ(filter(podWith("p", {"c3"})), kExceeded) << "the node does not say that it is migrated";
  csi_node = std::make_shared<api::CSINode>(*csi_node);
  csi_node->meta.annotations["storage.alpha.kubernetes.io/migrated-plugins"] =
      "kubernetes.io/gce-pd,kubernetes.io/aws-ebs";
  cluster.csi_nodes.put(csi_node);
  EXPECT_EQ(filter(podWith("p", {"c3"})), "Success");
  std::string error;
  ASSERT_TRUE(cluster.feature_gates.set("CSIMigrationAWS", false, &error)) << error;
  EXPECT_EQ(filter(podWith("p", {"c3"})), kExceeded) << "the gate is off";
}

TEST_F(InTreeLimitsTest, AClaimMustBeThereForANewPodOnly) {
  EXPECT_EQ(filter(podWith("p", {"none"})),
            "Error: looking up PVC default/none: persistentvolumeclaim \"none\" not found");
  cluster.add(podWith("u", {"none"}).on("a"));
  EXPECT_EQ(filter(podWith("p", {"c1"})), "Success");
}

}  // namespace
}  // namespace podberth::scheduler::plugins
