#include "core/api/pod_util.h"

#include <gtest/gtest.h>

#include "core/api/storage.h"

namespace podberth::api {
namespace {

PodCondition condition(const char* status, const char* reason) {
  PodCondition c;
  c.type = "PodScheduled";
  c.status = status;
  c.reason = reason;
  return c;
}

TEST(PodCondition, its_transition_time_changes_with_its_status) {
  PodStatus status;
  EXPECT_TRUE(updatePodCondition(status, condition("False", "a"), 10));
  EXPECT_EQ(status.condition("PodScheduled")->last_transition_time, 10);
  EXPECT_FALSE(updatePodCondition(status, condition("False", "a"), 20));
  EXPECT_TRUE(updatePodCondition(status, condition("False", "b"), 30));
  EXPECT_EQ(status.condition("PodScheduled")->last_transition_time, 10);
  EXPECT_TRUE(updatePodCondition(status, condition("True", "b"), 40));
  EXPECT_EQ(status.condition("PodScheduled")->last_transition_time, 40);
  EXPECT_EQ(status.conditions.size(), 1u);
  EXPECT_EQ(status.condition("Ready"), nullptr);
}

Container container(const char* request, const char* limit) {
  Container c;
  for (const char* name : {"cpu", "memory"}) {
    if (request != nullptr) c.resources.requests.set(std::string_view(name), *Quantity::parse(request));
    if (limit != nullptr) c.resources.limits.set(std::string_view(name), *Quantity::parse(limit));
  }
  return c;
}

TEST(PodQOS, follows_requests_and_limits) {
  struct Case {
    const char* name;
    std::vector<Container> containers;
    const char* want;
  };
  Container only_cpu = container("1", "1");
  only_cpu.resources.requests.erase(resource::kMemory);
  only_cpu.resources.limits.erase(resource::kMemory);
  const std::vector<Case> cases = {
      {"no containers", {}, "BestEffort"},
      {"nothing set", {container(nullptr, nullptr)}, "BestEffort"},
      {"equal", {container("1", "1"), container("2", "2000m")}, "Guaranteed"},
      {"different", {container("1", "2")}, "Burstable"},
      {"requests only", {container("1", nullptr)}, "Burstable"},
      {"zero", {container("0", "0")}, "BestEffort"},
      {"one without", {container("1", "1"), container(nullptr, nullptr)}, "Burstable"},
      {"only one resource", {only_cpu}, "Burstable"},
  };
  for (const Case& c : cases) {
    Pod pod;
    pod.spec.containers = c.containers;
    EXPECT_STREQ(computePodQOS(pod), c.want) << c.name;
  }
  Pod pod;
  pod.spec.containers = {container("1", "2")};
  pod.spec.resources = container("1", "1").resources;
  EXPECT_STREQ(computePodQOS(pod), "Guaranteed");
  pod.status.qos_class = "BestEffort";
  EXPECT_EQ(podQOS(pod), "BestEffort");
}

TEST(HostPorts, are_those_of_sidecars_and_containers) {
  const auto port = [](std::int32_t host) {
    ContainerPort p;
    p.host_port = host;
    return p;
  };
  Pod pod;
  Container a, init, sidecar;
  a.ports = {port(0), port(80)};
  init.ports = {port(81)};
  sidecar.ports = {port(82)};
  sidecar.restart_policy = "Always";
  pod.spec.containers = {a};
  pod.spec.init_containers = {init, sidecar};
  const std::vector<ContainerPort> ports = hostPorts(pod);
  ASSERT_EQ(ports.size(), 2u);
  EXPECT_EQ(ports[0].host_port, 82);
  EXPECT_EQ(ports[1].host_port, 80);
}

TEST(Claims, of_a_pod_are_those_it_names_and_those_made_for_it) {
  Pod pod;
  pod.meta.ns = "ns";
  pod.meta.name = "pod";
  Volume claim, ephemeral, other;
  claim.persistent_volume_claim = Volume::Claim();
  claim.persistent_volume_claim->claim_name = "data";
  ephemeral.name = "scratch";
  ephemeral.ephemeral = std::make_shared<PersistentVolumeClaimSpec>();
  other.name = "other";
  pod.spec.volumes = {claim, other, ephemeral};
  EXPECT_EQ(claimKeys(pod), (std::vector<std::string>{"ns/data", "ns/pod-scratch"}));
  EXPECT_EQ(claimNameOf(pod, other), "");
}

TEST(Owners, the_controller_is_the_one_that_says_so) {
  ObjectMeta object, owner;
  owner.uid = "u2";
  OwnerReference first, second;
  first.uid = "u1";
  second.uid = "u2";
  object.owner_references = {first, second};
  EXPECT_FALSE(isControlledBy(object, owner));
  object.owner_references[1].controller = true;
  EXPECT_TRUE(isControlledBy(object, owner));
  EXPECT_EQ(controllerOf(object)->uid, "u2");
}

}  // namespace
}  // namespace podberth::api
