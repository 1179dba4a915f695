#include "core/scheduler/framework/node_info.h"

#include <gtest/gtest.h>

namespace podberth::scheduler {
namespace {

api::ResourceList resources(const std::vector<std::pair<std::string, std::string>>& items) {
  api::ResourceList out;
  for (const auto& [name, amount] : items) out.set(name, *api::Quantity::parse(amount));
  return out;
}

std::shared_ptr<api::Pod> makePod(const std::string& name,
                                  const std::vector<std::pair<std::string, std::string>>& requests) {
  auto pod = std::make_shared<api::Pod>();
  pod->meta.name = name;
  pod->meta.ns = "default";
  pod->meta.uid = "uid-" + name;
  api::Container container;
  container.name = "c";
  container.resources.requests = resources(requests);
  pod->spec.containers.push_back(container);
  return pod;
}

std::string names(const std::vector<PodInfoPtr>& pods) {
  std::string out;
  for (const PodInfoPtr& pod : pods) out += (out.empty() ? "" : " ") + pod->pod->meta.name;
  return out;
}

TEST(Resource, KeepsExtendedResourcesHugepagesAndNothingUnknown) {
  const Resource r(resources({{"cpu", "1500m"},
                              {"memory", "1Gi"},
                              {"pods", "110"},
                              {"ephemeral-storage", "1k"},
                              {"example.com/gpu", "2"},
                              {"hugepages-2Mi", "4Mi"},
                              {"attachable-volumes-x", "7"},
                              {"kubernetes.io/thing", "3"},
                              {"requests.example.com/gpu", "9"},
                              {"storage", "5"}}));
  EXPECT_EQ(r.milli_cpu, 1500);
  EXPECT_EQ(r.memory, 1 << 30);
  EXPECT_EQ(r.allowed_pod_number, 110);
  EXPECT_EQ(r.ephemeral_storage, 1000);
  EXPECT_EQ(r.scalarOf(api::Symbol("example.com/gpu")), 2);
  EXPECT_EQ(r.get(api::Symbol("hugepages-2Mi")), 4 << 20);
  EXPECT_TRUE(r.hasScalar(api::Symbol("attachable-volumes-x")));
  EXPECT_TRUE(r.hasScalar(api::Symbol("kubernetes.io/thing")));
  EXPECT_FALSE(r.hasScalar(api::Symbol("requests.example.com/gpu")));
  EXPECT_FALSE(r.hasScalar(api::Symbol("storage")));
}

TEST(PodInfo, ContainersWithoutRequestsCountWithAMinimum) {
  const PodInfo none(makePod("none", {}));
  EXPECT_EQ(none.requests.milli_cpu, 0);
  EXPECT_EQ(none.non0_cpu, 100);
  EXPECT_EQ(none.non0_memory, 200 << 20);
  const PodInfo some(makePod("some", {{"cpu", "2"}}));
  EXPECT_EQ(some.requests.milli_cpu, 2000);
  EXPECT_EQ(some.non0_cpu, 2000);
  EXPECT_EQ(some.non0_memory, 200 << 20);
  const PodInfo zero(makePod("zero", {{"cpu", "0"}, {"memory", "0"}}));
  EXPECT_EQ(zero.non0_cpu, 0);
  EXPECT_EQ(zero.non0_memory, 0);
}

TEST(PodInfo, ATermWithoutNamespacesIsAboutThePodsOwn) {
  auto pod = makePod("p", {});
  api::PodAffinityTerm own;
  own.topology_key = "zone";
  own.label_selector.emplace();
  api::PodAffinityTerm other = own;
  other.namespaces = {"b", "a", "b"};
  pod->spec.affinity.emplace();
  pod->spec.affinity->pod_anti.emplace();
  pod->spec.affinity->pod_anti->required = {own, other};
  const PodInfo info(pod);
  ASSERT_EQ(info.required_anti_affinity_terms.size(), 2u);
  EXPECT_TRUE(info.has_affinity);
  EXPECT_TRUE(info.has_required_anti_affinity);
  EXPECT_TRUE(info.required_anti_affinity_terms[0].matches(*pod, {}));
  EXPECT_EQ(info.required_anti_affinity_terms[1].namespaces.size(), 2u);
  EXPECT_FALSE(info.required_anti_affinity_terms[1].matches(*pod, {}));
}

TEST(NodeInfo, RemovingAPodPutsTheLastOneInItsPlace) {
  NodeInfo node;
  for (const char* name : {"a", "b", "c", "d"}) node.addPod(std::make_shared<PodInfo>(makePod(name, {{"cpu", "1"}})));
  EXPECT_TRUE(node.removePod(*makePod("b", {})));
  EXPECT_EQ(names(node.pods), "a d c");
  EXPECT_EQ(node.requested.milli_cpu, 3000);
  EXPECT_FALSE(node.removePod(*makePod("b", {})));
  EXPECT_TRUE(node.removePod(*makePod("c", {})));
  EXPECT_EQ(names(node.pods), "a d");
}

TEST(NodeInfo, CountsScalarsPortsAndClaimsOfItsPods) {
  auto pod = makePod("p", {{"example.com/gpu", "2"}});
  api::ContainerPort port;
  port.host_port = 80;
  pod->spec.containers[0].ports.push_back(port);
  api::Volume volume;
  volume.persistent_volume_claim.emplace();
  volume.persistent_volume_claim->claim_name = "claim";
  pod->spec.volumes.push_back(volume);
  NodeInfo node;
  node.addPod(std::make_shared<PodInfo>(pod));
  EXPECT_EQ(node.requested.scalarOf(api::Symbol("example.com/gpu")), 2);
  EXPECT_TRUE(node.used_ports.conflicts("", "TCP", 80));
  EXPECT_EQ(node.pvc_ref_counts.of("default/claim"), 1);
  EXPECT_TRUE(node.removePod(*pod));
  EXPECT_TRUE(node.requested.hasScalar(api::Symbol("example.com/gpu")));
  EXPECT_EQ(node.requested.scalarOf(api::Symbol("example.com/gpu")), 0);
  EXPECT_TRUE(node.used_ports.empty());
  EXPECT_TRUE(node.pvc_ref_counts.map().empty());
}

TEST(NodeInfo, CopiesHaveTheirOwnCountsOfClaimsUnlessTheyShareThem) {
  auto pod = makePod("p", {});
  api::Volume volume;
  volume.persistent_volume_claim.emplace();
  volume.persistent_volume_claim->claim_name = "claim";
  pod->spec.volumes.push_back(volume);
  for (const bool shared : {false, true}) {
    NodeInfo node;
    if (shared) node.pvc_ref_counts.share();
    NodeInfo copy = node;
    copy.addPod(std::make_shared<PodInfo>(pod));
    EXPECT_EQ(copy.pvc_ref_counts.of("default/claim"), 1);
    EXPECT_EQ(node.pvc_ref_counts.of("default/claim"), shared ? 1 : 0) << shared;
  }
}

TEST(NodeInfo, EveryChangeMakesItNewer) {
  NodeInfo node;
  std::int64_t last = node.generation;
  const auto newer = [&] { return node.generation > std::exchange(last, node.generation); };
  node.setNode(std::make_shared<api::Node>());
  EXPECT_TRUE(newer());
  node.addPod(std::make_shared<PodInfo>(makePod("a", {})));
  EXPECT_TRUE(newer());
  node.removePod(*makePod("a", {}));
  EXPECT_TRUE(newer());
  node.removeNode();
  EXPECT_TRUE(newer());
}

TEST(HostPortInfo, ConflictsDependOnTheAddress) {
  HostPortInfo ports;
  ports.add("", "", 80);
  ports.add("10.0.0.1", "UDP", 53);
  ports.add("10.0.0.1", "UDP", 53);
  EXPECT_EQ(ports.size(), 2u);
  const struct {
    const char* ip;
    const char* protocol;
    std::int32_t port;
    bool conflicts;
  } cases[] = {
      {"", "TCP", 80, true},          {"10.0.0.9", "", 80, true},   {"", "UDP", 80, false},
      {"10.0.0.1", "UDP", 53, true},  {"0.0.0.0", "UDP", 53, true}, {"10.0.0.2", "UDP", 53, false},
      {"10.0.0.1", "TCP", 53, false}, {"", "TCP", 0, false},
  };
  for (const auto& c : cases)
    EXPECT_EQ(ports.conflicts(c.ip, c.protocol, c.port), c.conflicts) << c.ip << c.protocol << c.port;
  ports.remove("10.0.0.1", "UDP", 53);
  EXPECT_FALSE(ports.conflicts("10.0.0.1", "UDP", 53));
}

}  // namespace
}  // namespace podberth::scheduler
