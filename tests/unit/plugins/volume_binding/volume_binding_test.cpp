#include "core/scheduler/plugins/volume_binding/volume_binding.h"

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

constexpr std::int64_t kGi = 1024LL * 1024 * 1024;

FunctionShape shape(std::vector<std::pair<std::int64_t, std::int64_t>> points) {
  FunctionShape out;
  for (const auto& [utilization, score] : points) out.push_back(FunctionShapePoint{utilization, score});
  return out;
}

StorageUse use(std::int64_t requested, std::int64_t capacity) {
  StorageUse u;
  u.requested = requested;
  u.capacity = capacity;
  return u;
}

TEST(StorageScore, IsTheMeanOfTheClasses) {
  const FunctionShape least = shape({{0, 100}, {100, 0}});
  EXPECT_EQ(storageScore(least, {}), 0);
  EXPECT_EQ(storageScore(least, {{"a", use(10, 100)}}), 90);
  EXPECT_EQ(storageScore(least, {{"a", use(101, 100)}}), 0) << "more than there is";
  EXPECT_EQ(storageScore(least, {{"a", use(0, 0)}}), 0) << "nothing there";
  EXPECT_EQ(storageScore(least, {{"a", use(10, 100)}, {"b", use(55, 100)}}), 68) << "67.5 is rounded up";
  EXPECT_EQ(storageScore(shape({{0, 0}, {50, 40}, {100, 100}}), {{"a", use(25, 100)}}), 20);
}

TEST(StorageUse, OfVolumesThatAreThereOrOfThoseToBeMade) {
  PodVolumes volumes;
  DynamicProvision provision;
  provision.claim = makeClaim("x").of("c").size("10Gi").obj();
  volumes.provisions.push_back(provision);
  EXPECT_TRUE(storageUseOf(volumes).empty()) << "no capacity is known";
  auto capacity = std::make_shared<api::CSIStorageCapacity>();
  capacity->capacity = testkit::quantity("100Gi");
  volumes.provisions[0].node_capacity = capacity;
  volumes.provisions.push_back(volumes.provisions[0]);
  auto by_class = storageUseOf(volumes);
  EXPECT_EQ(by_class.at("c").requested, 20 * kGi);
  EXPECT_EQ(by_class.at("c").capacity, 100 * kGi) << "shared by both";
  StaticBinding binding;
  binding.claim = makeClaim("y").of("d").size("5Gi").obj();
  binding.volume = makeVolume("v").of("d").size("8Gi").obj();
  volumes.bindings.push_back(binding);
  by_class = storageUseOf(volumes);
  EXPECT_EQ(by_class.size(), 1U);
  EXPECT_EQ(by_class.at("d").requested, 5 * kGi);
  EXPECT_EQ(by_class.at("d").capacity, 8 * kGi);
}

class VolumeBindingTest : public testing::Test {
 protected:
  VolumeBindingTest() {
    cluster.add(makeNode("a").label("kubernetes.io/hostname", "a"))
        .add(makeNode("b").label("kubernetes.io/hostname", "b"))
        .update();
    cluster.storage_classes.put(makeClass("fast"));
    cluster.storage_classes.put(makeClass("local", "WaitForFirstConsumer", "kubernetes.io/no-provisioner"));
    cluster.storage_classes.put(makeClass("now", "Immediate"));
    cluster.nodes.put(makeNode("a").label("kubernetes.io/hostname", "a").obj());
    std::string error;
    plugin = newVolumeBinding(config::VolumeBindingArgs(), cluster, &error);
  }
  std::string filter(const testkit::PodBuilder& pod) { return testkit::filterAll(*plugin, cluster, pod.info()); }

  testkit::ClusterHandle cluster;
  std::unique_ptr<Plugin> plugin;
};

TEST_F(VolumeBindingTest, WhatPreFilterSaysOfClaims) {
  const std::string no = "PreFilter UnschedulableAndUnresolvable: ";
  EXPECT_EQ(filter(makePod("p")), "PreFilter Skip");
  EXPECT_EQ(filter(podWith("p", {"x"})), no + "persistentvolumeclaim \"x\" not found");
  auto lost = makeClaim("x").boundTo("v");
  lost.raw().phase = "Lost";
  cluster.claims.put(lost.obj());
  EXPECT_EQ(filter(podWith("p", {"x"})),
            no + "persistentvolumeclaim \"x\" bound to non-existent persistentvolume \"v\"");
  auto going = makeClaim("x");
  going.raw().meta.deletion_timestamp = clock::kEpoch;
  cluster.claims.put(going.obj());
  EXPECT_EQ(filter(podWith("p", {"x"})), no + "persistentvolumeclaim \"x\" is being deleted");
  cluster.claims.put(makeClaim("x").of("now").obj());
  EXPECT_EQ(filter(podWith("p", {"x"})), no + "pod has unbound immediate PersistentVolumeClaims");
  auto ephemeral = makePod("e");
  ephemeral.raw().spec.volumes.push_back(testkit::ephemeralVolume("s"));
  EXPECT_EQ(filter(ephemeral),
            no + "waiting for ephemeral volume controller to create the persistentvolumeclaim \"e-s\"");
  cluster.claims.put(makeClaim("e-s").of("fast").obj());
  EXPECT_EQ(filter(ephemeral), no + "PVC default/e-s was not created for pod default/e (pod is not owner)");
  cluster.claims.put(makeClaim("e-s").of("fast").ownedBy("uid-e").obj());
  EXPECT_EQ(filter(ephemeral), "a: Success, b: Success");
}

TEST_F(VolumeBindingTest, FilterFindsTheNodesOfAVolume) {
  cluster.claims.put(makeClaim("x").of("local").size("1Gi").obj());
  cluster.volumes.put(makeVolume("v").of("local").size("2Gi").on("b").obj());
  EXPECT_EQ(filter(podWith("p", {"x"})),
            "a: UnschedulableAndUnresolvable: node(s) didn't find available persistent volumes to bind, b: Success");
}

TEST_F(VolumeBindingTest, ScoresTakePartUnlessTheGateIsOff) {
  CycleState state;
  EXPECT_EQ(testkit::text(plugin->preScore(state, *makePod("p").info(), {})), "Error: not found");
  PreFilterResult narrowed;
  EXPECT_TRUE(plugin->preFilter(state, *makePod("p").info(), {}, narrowed).isSkip());
  EXPECT_TRUE(plugin->preScore(state, *makePod("p").info(), {}).isSuccess()) << "pods without claims score 0";
  std::string error;
  ASSERT_TRUE(cluster.feature_gates.set("StorageCapacityScoring", false, &error)) << error;
  const auto without = newVolumeBinding(config::VolumeBindingArgs(), cluster, &error);
  EXPECT_TRUE(without->preScore(state, *makePod("p").info(), {}).isSkip());
}

TEST_F(VolumeBindingTest, PreBindAsksOnceASecondUntilTheTimeIsUp) {
  config::VolumeBindingArgs args;
  args.bind_timeout_seconds = 2;
  std::string error;
  plugin = newVolumeBinding(args, cluster, &error);
  cluster.claims.put(makeClaim("x").of("fast").obj());
  cluster.pods.put(podWith("p", {"x"}).obj());
  CycleState state;
  PreFilterResult narrowed;
  const auto pod = podWith("p", {"x"}).info();
  ASSERT_TRUE(plugin->preFilter(state, *pod, {}, narrowed).isSuccess());
  EXPECT_EQ(testkit::text(plugin->preBindPreFlight(state, pod->pod, "a")), "Error: no pod volume found for node \"a\"");
  ASSERT_TRUE(plugin->filter(state, *pod, cluster.node("a")).isSuccess());
  ASSERT_TRUE(plugin->reserve(state, pod->pod, "a").isSuccess());
  ASSERT_TRUE(plugin->preBindPreFlight(state, pod->pod, "a").isSuccess());

  clock::EventLoop& loop = cluster.loop();
  const clock::Time start = loop.now();
  PreBindProgress progress = plugin->preBind(state, pod->pod, "a");
  ASSERT_TRUE(progress.resume.has_value());
  EXPECT_EQ(*progress.resume, start + clock::kSecond);
  cluster.claims.put(makeClaim("x").of("fast").annotation(kSelectedNodeAnnotation, "a").version(2).obj());
  loop.sleep(clock::kSecond);
  progress = plugin->preBind(state, pod->pod, "a");
  ASSERT_TRUE(progress.resume.has_value()) << "still unbound";
  EXPECT_EQ(*progress.resume, start + 2 * clock::kSecond);
  loop.sleep(clock::kSecond);
  progress = plugin->preBind(state, pod->pod, "a");
  EXPECT_FALSE(progress.resume.has_value());
  EXPECT_EQ(testkit::text(progress.status), "Error: binding volumes: context deadline exceeded");
}

class SlowCluster : public testkit::ClusterHandle {
 public:
  ApiClient& client() override { return slow; }

 private:
  class SlowClient : public testkit::FakeClient {
   public:
    clock::Duration volumeWriteLatency() const override { return clock::kMillisecond; }
  };
  SlowClient slow;
};

TEST(VolumeBindingWrites, WhereTheyTakeTimeEachIsWaitedForAndThenTheSecondBegins) {
  SlowCluster cluster;
  cluster.add(makeNode("a").label("kubernetes.io/hostname", "a")).update();
  cluster.nodes.put(makeNode("a").label("kubernetes.io/hostname", "a").obj());
  cluster.storage_classes.put(makeClass("fast"));
  for (const char* name : {"x", "y"}) cluster.claims.put(makeClaim(name).of("fast").obj());
  const auto pod = podWith("p", {"x", "y"}).info();
  cluster.pods.put(pod->pod);
  std::string error;
  const auto plugin = newVolumeBinding(config::VolumeBindingArgs(), cluster, &error);
  CycleState state;
  PreFilterResult narrowed;
  ASSERT_TRUE(plugin->preFilter(state, *pod, {}, narrowed).isSuccess());
  ASSERT_TRUE(plugin->filter(state, *pod, cluster.node("a")).isSuccess());
  ASSERT_TRUE(plugin->reserve(state, pod->pod, "a").isSuccess());
  const clock::Time start = cluster.loop().now();
  for (const clock::Duration at : {clock::kMillisecond, 2 * clock::kMillisecond, 1002 * clock::kMillisecond}) {
    const PreBindProgress progress = plugin->preBind(state, pod->pod, "a");
    ASSERT_TRUE(progress.resume.has_value());
    EXPECT_EQ(*progress.resume, start + at);
    cluster.loop().sleep(*progress.resume - cluster.loop().now());
  }
}

TEST_F(VolumeBindingTest, PodsWhoseClaimsAreBoundNeedNoPreBind) {
  cluster.claims.put(makeClaim("x").boundTo("v").obj());
  cluster.volumes.put(makeVolume("v").obj());
  CycleState state;
  PreFilterResult narrowed;
  const auto pod = podWith("p", {"x"}).info();
  ASSERT_TRUE(plugin->preFilter(state, *pod, {}, narrowed).isSuccess());
  ASSERT_TRUE(plugin->filter(state, *pod, cluster.node("a")).isSuccess());
  ASSERT_TRUE(plugin->reserve(state, pod->pod, "a").isSuccess());
  EXPECT_TRUE(plugin->preBindPreFlight(state, pod->pod, "a").isSkip());
}

TEST_F(VolumeBindingTest, PreBindMissesWhatReserveHasNotDone) {
  cluster.claims.put(makeClaim("x").of("fast").obj());
  CycleState state;
  PreFilterResult narrowed;
  const auto pod = podWith("p", {"x"}).info();
  ASSERT_TRUE(plugin->preFilter(state, *pod, {}, narrowed).isSuccess());
  ASSERT_TRUE(plugin->filter(state, *pod, cluster.node("a")).isSuccess());
  const PreBindProgress progress = plugin->preBind(state, pod->pod, "a");
  EXPECT_FALSE(progress.resume.has_value());
  EXPECT_EQ(testkit::text(progress.status), "Error: failed to get cached bindings for pod \"default/p\"");
}

TEST_F(VolumeBindingTest, Hints) {
  const auto pod = podWith("p", {"x"}).obj();
  const auto hint = [&](EventResource resource, const api::Object* before, const api::Object* now) {
    return testkit::hintText(*plugin, resource, before == nullptr ? action::kAdd : action::kUpdate, pod, before, now);
  };
  const auto plain = makeClass("c");
  const auto zoned = makeClass("c");
  zoned->allowed_topologies.emplace_back();
  EXPECT_EQ(hint(EventResource::kStorageClass, nullptr, plain.get()), "Queue");
  EXPECT_EQ(hint(EventResource::kStorageClass, plain.get(), plain.get()), "Skip");
  EXPECT_EQ(hint(EventResource::kStorageClass, plain.get(), zoned.get()), "Queue");
  EXPECT_EQ(hint(EventResource::kPersistentVolumeClaim, nullptr, makeClaim("x").obj().get()), "Queue");
  EXPECT_EQ(hint(EventResource::kPersistentVolumeClaim, nullptr, makeClaim("y").obj().get()), "Skip");
  EXPECT_EQ(hint(EventResource::kPersistentVolume, nullptr, makeVolume("v").obj().get()), "Queue");
  const auto node = testkit::makeCSINode("a", "d", 1);
  const auto migrated = testkit::makeCSINode("a", "d", 1);
  migrated->meta.annotations["storage.alpha.kubernetes.io/migrated-plugins"] = "kubernetes.io/gce-pd";
  EXPECT_EQ(hint(EventResource::kCSINode, nullptr, node.get()), "Queue");
  EXPECT_EQ(hint(EventResource::kCSINode, node.get(), node.get()), "Skip");
  EXPECT_EQ(hint(EventResource::kCSINode, node.get(), migrated.get()), "Queue");
  api::CSIStorageCapacity small;
  small.capacity = testkit::quantity("1Gi");
  api::CSIStorageCapacity large;
  large.capacity = testkit::quantity("2Gi");
  EXPECT_EQ(hint(EventResource::kCSIStorageCapacity, nullptr, &small), "Queue");
  EXPECT_EQ(hint(EventResource::kCSIStorageCapacity, &small, &large), "Queue");
  EXPECT_EQ(hint(EventResource::kCSIStorageCapacity, &large, &small), "Skip");
  api::CSIDriver tracked;
  tracked.meta.name = "d";
  tracked.storage_capacity = true;
  api::CSIDriver untracked;
  untracked.meta.name = "d";
  EXPECT_EQ(hint(EventResource::kCSIDriver, &tracked, &untracked), "Skip") << "no inline volume of the driver";
  auto with_inline = podWith("p", {"x"});
  with_inline.raw().spec.volumes.emplace_back();
  with_inline.raw().spec.volumes.back().csi.emplace();
  with_inline.raw().spec.volumes.back().csi->driver = "d";
  EXPECT_EQ(
      testkit::hintText(*plugin, EventResource::kCSIDriver, action::kUpdate, with_inline.obj(), &tracked, &untracked),
      "Queue");
}

}  // namespace
}  // namespace podberth::scheduler::plugins
