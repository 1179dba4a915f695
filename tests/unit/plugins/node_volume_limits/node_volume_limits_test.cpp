#include "core/scheduler/plugins/node_volume_limits/node_volume_limits.h"

#include <gtest/gtest.h>

#include "tests/unit/support/plugin_cluster.h"
#include "tests/unit/support/volumes.h"

namespace podberth::scheduler::plugins {
namespace {

using testkit::makeClaim;
using testkit::makeClass;
using testkit::makeCSINode;
using testkit::makeNode;
using testkit::makePod;
using testkit::makeVolume;
using testkit::podWith;

const std::string kExceeded = std::string("Unschedulable: ") + kReasonMaxVolumeCount;

TEST(NodeVolumeLimits, TheRule) {
  struct Case {
    const char* name;
    AttachableVolumes attached;
    AttachableVolumes from_attachments;
    AttachableVolumes fresh;
    bool within;
  };
  const Case cases[] = {
      {"room for one more", {{"d/1", "d"}}, {}, {{"d/2", "d"}}, true},
      {"no room for two", {{"d/1", "d"}}, {}, {{"d/2", "d"}, {"d/3", "d"}}, false},
      {"a volume that is attached already needs none", {{"d/1", "d"}, {"d/2", "d"}}, {}, {{"d/2", "d"}}, true},
      {"attachments count", {{"d/1", "d"}}, {{"d/9", "d"}}, {{"d/2", "d"}}, false},
      {"an attachment of a pod's volume counts once", {{"d/1", "d"}}, {{"d/1", "d"}}, {{"d/2", "d"}}, true},
      {"an attachment of the new volume itself counts, and so does the volume",
       {},
       {{"d/2", "d"}, {"d/3", "d"}},
       {{"d/2", "d"}},
       false},
      {"a driver without a limit", {{"e/1", "e"}}, {}, {{"e/2", "e"}, {"e/3", "e"}, {"e/4", "e"}}, true},
  };
  for (const Case& c : cases) {
    EXPECT_EQ(withinLimits({{"d", 2}}, c.attached, c.from_attachments, c.fresh), c.within) << c.name;
  }
}

class Limits : public testing::Test {
 protected:
  Limits() {
    cluster.add(makeNode("a"));
    cluster.storage_classes.put(makeClass("fast"));
    cluster.storage_classes.put(makeClass("ebs", "WaitForFirstConsumer", "kubernetes.io/aws-ebs"));
    for (const char* name : {"c1", "c2", "c3"}) {
      cluster.claims.put(makeClaim(name).boundTo(name).obj());
      cluster.volumes.put(makeVolume(name).obj());
    }
    cluster.claims.put(makeClaim("unbound").of("fast").obj());
    cluster.csi_nodes.put(makeCSINode("a", "csi.example.com", 1));
  }
  std::string filter(const testkit::PodBuilder& pod) {
    NodeVolumeLimits plugin(cluster);
    return testkit::filterAll(plugin, cluster, pod.info());
  }
  testkit::ClusterHandle cluster;
};

TEST_F(Limits, CountTheVolumesOfThePodsOnTheNode) {
  EXPECT_EQ(filter(makePod("p")), "PreFilter Skip");
  EXPECT_EQ(filter(podWith("p", {"c1"})), "a: Success");
  EXPECT_EQ(filter(podWith("p", {"c1", "c2"})), "a: " + kExceeded);
  cluster.add(podWith("u", {"c1"}).on("a"));
  EXPECT_EQ(filter(podWith("p", {"c1"})), "a: Success") << "the same volume";
  EXPECT_EQ(filter(podWith("p", {"c2"})), "a: " + kExceeded);
  EXPECT_EQ(filter(podWith("p", {"unbound"})), "a: " + kExceeded) << "will be the provisioner's";
  cluster.csi_nodes.objects.clear();
  EXPECT_EQ(filter(podWith("p", {"c2"})), "a: Success") << "no limit is known";
}

TEST_F(Limits, CountAttachments) {
  auto attachment = std::make_shared<api::VolumeAttachment>();
  attachment->meta.name = "x";
  attachment->attacher = "csi.example.com";
  attachment->node_name = "a";
  attachment->persistent_volume_name = "c3";
  cluster.attachments.put(attachment);
  EXPECT_EQ(filter(podWith("p", {"c1"})), "a: " + kExceeded);
  auto elsewhere = std::make_shared<api::VolumeAttachment>(*attachment);
  elsewhere->node_name = "b";
  cluster.attachments.put(elsewhere);
  EXPECT_EQ(filter(podWith("p", {"c1"})), "a: Success");
}

TEST_F(Limits, MissingAndForeignClaims) {
  EXPECT_EQ(filter(podWith("p", {"none"})),
            "a: UnschedulableAndUnresolvable: looking up PVC default/none: persistentvolumeclaim \"none\" not found");
  cluster.add(podWith("u", {"none"}).on("a"));
  EXPECT_EQ(filter(podWith("p", {"c1"})), "a: Success") << "those of other pods do not count";
  auto pod = makePod("e");
  pod.raw().spec.volumes.push_back(testkit::ephemeralVolume("s"));
  cluster.claims.put(makeClaim("e-s").of("fast").obj());
  EXPECT_EQ(filter(pod), "a: Error: PVC default/e-s was not created for pod default/e (pod is not owner)");
  cluster.claims.put(makeClaim("e-s").of("fast").ownedBy("uid-e").obj());
  EXPECT_EQ(filter(pod), "a: Success");
}

TEST_F(Limits, InTreeVolumesCountForTheirDrivers) {
  cluster.csi_nodes.put(makeCSINode("a", "ebs.csi.aws.com", 1));
  cluster.volumes.put(makeVolume("c1").inTree("awsElasticBlockStore", "aws://z/vol-1").obj());
  cluster.add(podWith("u", {"c1"}).on("a"));
  auto same = makePod("p");
  same.raw().spec.volumes.push_back(testkit::ebsDisk("vol-1"));
  EXPECT_EQ(filter(same), "a: Success");
  auto other = makePod("p");
  other.raw().spec.volumes.push_back(testkit::ebsDisk("vol-2"));
  EXPECT_EQ(filter(other), "a: " + kExceeded);
  cluster.claims.put(makeClaim("w").of("ebs").obj());
  EXPECT_EQ(filter(podWith("p", {"w"})), "a: " + kExceeded);
  auto bad = makePod("p");
  bad.raw().spec.volumes.push_back(testkit::ebsDisk("aws://z/x"));
  EXPECT_EQ(filter(bad),
            "a: Error: converting volume(disk) from inline to csi: failed to translate Kubernetes ID to EBS Volume ID "
            "Invalid format for AWS volume (aws://z/x)");
}

TEST_F(Limits, ADriverMayAskToBeThere) {
  auto driver = std::make_shared<api::CSIDriver>();
  driver->meta.name = "csi.example.com";
  cluster.csi_drivers.put(driver);
  cluster.csi_nodes.put(makeCSINode("a", "other", 1));
  EXPECT_EQ(filter(podWith("p", {"c1"})), "a: Success");
  driver->prevent_pod_scheduling_if_missing = true;
  EXPECT_EQ(filter(podWith("p", {"c1"})), "a: Unschedulable: csi.example.com CSI driver is not installed on the node");
  std::string error;
  ASSERT_TRUE(cluster.feature_gates.set("VolumeLimitScaling", false, &error)) << error;
  EXPECT_EQ(filter(podWith("p", {"c1"})), "a: Success");
}

TEST_F(Limits, Hints) {
  NodeVolumeLimits plugin(cluster);
  const auto node_update = [&](std::int32_t before, std::int32_t now) {
    // The registrations for additions and updates are two: this is the second.
    const auto events = plugin.eventsToRegister();
    const auto a = makeCSINode("a", "d", before);
    const auto b = makeCSINode("a", "d", now);
    return events.at(1).hint(*makePod("p").obj(), a.get(), b.get()).hint == QueueingHint::kQueue;
  };
  EXPECT_TRUE(node_update(1, 2));
  EXPECT_FALSE(node_update(2, 1));
  const auto deleted = [&](const testkit::PodBuilder& pod) {
    return testkit::hintText(plugin, EventResource::kAssignedPod, action::kDelete, makePod("p").obj(), pod.obj().get(),
                             nullptr);
  };
  EXPECT_EQ(deleted(podWith("d", {"c"}).on("a")), "Queue");
  EXPECT_EQ(deleted(podWith("d", {"c"})), "Skip") << "was nowhere";
  EXPECT_EQ(deleted(makePod("d").on("a")), "Skip");
  api::VolumeAttachment attachment;
  attachment.attacher = "ebs.csi.aws.com";
  const auto detached = [&](const testkit::PodBuilder& pod) {
    return testkit::hintText(plugin, EventResource::kVolumeAttachment, action::kDelete, pod.obj(), &attachment,
                             nullptr);
  };
  EXPECT_EQ(detached(podWith("p", {"c"})), "Queue");
  auto ebs = makePod("p");
  ebs.raw().spec.volumes.push_back(testkit::ebsDisk("v"));
  EXPECT_EQ(detached(ebs), "Queue");
  auto gce = makePod("p");
  gce.raw().spec.volumes.push_back(testkit::gceDisk("v"));
  EXPECT_EQ(detached(gce), "Skip") << "another driver's";
}

}  // namespace
}  // namespace podberth::scheduler::plugins
