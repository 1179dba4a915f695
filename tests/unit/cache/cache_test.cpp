#include "core/scheduler/cache/cache.h"

#include <gtest/gtest.h>

namespace podberth::scheduler {
namespace {

std::shared_ptr<api::Node> makeNode(const std::string& name) {
  auto node = std::make_shared<api::Node>();
  node->meta.name = name;
  node->status.allocatable.set("cpu", api::Quantity::fromInt(4));
  return node;
}

void addImage(api::Node& node, const std::string& image, std::int64_t size) {
  api::ContainerImage i;
  i.names.push_back(image);
  i.size_bytes = size;
  node.status.images.push_back(i);
}

std::shared_ptr<api::Pod> makePod(const std::string& name, const std::string& node, const std::string& claim = "") {
  auto pod = std::make_shared<api::Pod>();
  pod->meta.name = name;
  pod->meta.ns = "default";
  pod->meta.uid = "uid-" + name;
  pod->spec.node_name = node;
  api::Container container;
  container.resources.requests.set("cpu", api::Quantity::fromInt(1));
  pod->spec.containers.push_back(container);
  if (!claim.empty()) {
    api::Volume volume;
    volume.persistent_volume_claim.emplace();
    volume.persistent_volume_claim->claim_name = claim;
    pod->spec.volumes.push_back(volume);
  }
  return pod;
}

PodInfoPtr info(const api::PodPtr& pod) { return std::make_shared<PodInfo>(pod); }

class CacheTest : public ::testing::Test {
 protected:
  std::string nodes() {
    EXPECT_EQ(cache_.updateSnapshot(snapshot_), "");
    std::string out;
    for (std::size_t i = 0; i < snapshot_.nodes().size(); ++i) {
      const NodeInfo& node = *snapshot_.nodes()[i];
      EXPECT_EQ(node.index, static_cast<int>(i));
      out += (out.empty() ? "" : " ") + node.name().str() + ":" + std::to_string(node.requested.milli_cpu / 1000);
    }
    return out;
  }

  std::vector<std::string> logs_;
  Cache cache_{[this](const std::string& message, const std::string& error, const std::string&) {
    logs_.push_back(message + ": " + error);
  }};
  Snapshot snapshot_;
};

TEST_F(CacheTest, AnAssumedPodCountsUntilItIsForgotten) {
  cache_.addNode(makeNode("n"));
  const auto pod = makePod("p", "n");
  EXPECT_EQ(cache_.assumePod(info(pod)), "");
  EXPECT_TRUE(cache_.isAssumedPod(*pod));
  EXPECT_EQ(nodes(), "n:1");
  EXPECT_EQ(cache_.assumePod(info(pod)), "pod uid-p(default/p) is in the cache, so can't be assumed");
  EXPECT_EQ(cache_.forgetPod(*pod), "");
  EXPECT_FALSE(cache_.isAssumedPod(*pod));
  EXPECT_EQ(nodes(), "n:0");
  EXPECT_EQ(cache_.forgetPod(*pod), "");
}

TEST_F(CacheTest, ABoundPodIsNoLongerAssumedAndCannotBeForgotten) {
  cache_.addNode(makeNode("n"));
  const auto pod = makePod("p", "n");
  EXPECT_EQ(cache_.assumePod(info(pod)), "");
  EXPECT_EQ(cache_.updatePod(*pod, pod), "assumed pod uid-p(default/p) should not be updated");
  EXPECT_EQ(cache_.addPod(makePod("p", "n")), "");
  EXPECT_EQ(nodes(), "n:1");
  EXPECT_EQ(cache_.forgetPod(*pod), "pod uid-p(default/p) is not assumed, so it cannot be removed or forgotten");
  EXPECT_EQ(cache_.forgetPod(*makePod("p", "m")), "pod uid-p(default/p) was assumed on m but assigned to n");
  EXPECT_EQ(cache_.addPod(pod), "pod uid-p(default/p) was already in added state");
}

TEST_F(CacheTest, APodBoundElsewhereThanAssumedCountsThere) {
  cache_.addNode(makeNode("n"));
  cache_.addNode(makeNode("m"));
  EXPECT_EQ(cache_.assumePod(info(makePod("p", "n"))), "");
  EXPECT_EQ(cache_.addPod(makePod("p", "m")), "");
  EXPECT_EQ(nodes(), "n:0 m:1");
}

TEST_F(CacheTest, UnknownPodsAreErrors) {
  EXPECT_EQ(cache_.updatePod(*makePod("p", "n"), makePod("p", "n")),
            "pod uid-p(default/p) is not added to scheduler cache, so cannot be updated");
  EXPECT_EQ(cache_.removePod(*makePod("p", "n")),
            "pod uid-p(default/p) is not found in scheduler cache, so cannot be removed from it");
  EXPECT_EQ(cache_.getPod(*makePod("p", "n")), nullptr);
  EXPECT_EQ(cache_.removeNode(*makeNode("n")), "node n is not found");
}

TEST_F(CacheTest, ANodeWithPodsLeavesAGhostThatNoSnapshotShows) {
  cache_.addNode(makeNode("n"));
  cache_.addNode(makeNode("m"));
  EXPECT_EQ(cache_.addPod(makePod("p", "n")), "");
  EXPECT_EQ(nodes(), "n:1 m:0");
  EXPECT_EQ(cache_.removeNode(*makeNode("n")), "");
  EXPECT_EQ(nodes(), "m:0");
  EXPECT_EQ(cache_.nodeCount(), 2u);
  cache_.addNode(makeNode("n"));
  EXPECT_EQ(nodes(), "m:0 n:1");
  EXPECT_EQ(cache_.removeNode(*makeNode("n")), "");
  EXPECT_EQ(cache_.removePod(*makePod("p", "n")), "");
  EXPECT_EQ(cache_.nodeCount(), 1u);
  EXPECT_EQ(nodes(), "m:0");
}

TEST_F(CacheTest, ASnapshotKeepsTheNodesThatHaveNotChanged) {
  cache_.addNode(makeNode("n"));
  cache_.addNode(makeNode("m"));
  EXPECT_EQ(nodes(), "n:0 m:0");
  NodeInfo* n = snapshot_.get("n");
  NodeInfo* m = snapshot_.get("m");
  m->requested.milli_cpu = 7000;  // a mark that only copying the node again would remove
  EXPECT_EQ(cache_.addPod(makePod("p", "n")), "");
  EXPECT_EQ(nodes(), "n:1 m:7");
  EXPECT_EQ(snapshot_.get("n"), n);
  EXPECT_EQ(snapshot_.get("m"), m);
  EXPECT_EQ(cache_.addPod(makePod("q", "m")), "");
  EXPECT_EQ(nodes(), "n:1 m:1");
}

TEST_F(CacheTest, NodesWithAffinityPodsAreListedInTheSnapshotsOrder) {
  for (const char* name : {"a", "b", "c"}) cache_.addNode(makeNode(name));
  nodes();
  for (const char* node : {"c", "a"}) {
    const auto pod = makePod(std::string("on-") + node, node);
    pod->spec.affinity.emplace();
    pod->spec.affinity->pod.emplace();
    EXPECT_EQ(cache_.addPod(pod), "");
  }
  nodes();
  ASSERT_EQ(snapshot_.nodesWithAffinityPods().size(), 2u);
  EXPECT_EQ(snapshot_.nodesWithAffinityPods()[0]->name().str(), "a");
  EXPECT_EQ(snapshot_.nodesWithAffinityPods()[1]->name().str(), "c");
  EXPECT_TRUE(snapshot_.nodesWithRequiredAntiAffinityPods().empty());
}

TEST_F(CacheTest, ClaimsAreInUseAsLongAsAPodNamesThem) {
  cache_.addNode(makeNode("n"));
  nodes();
  EXPECT_EQ(cache_.addPod(makePod("p", "n", "c")), "");
  EXPECT_EQ(cache_.addPod(makePod("q", "n", "c")), "");
  nodes();
  EXPECT_TRUE(snapshot_.isPVCUsedByPods("default/c"));
  EXPECT_EQ(cache_.removePod(*makePod("p", "n", "c")), "");
  nodes();
  EXPECT_TRUE(snapshot_.isPVCUsedByPods("default/c"));
  EXPECT_EQ(cache_.removePod(*makePod("q", "n", "c")), "");
  nodes();
  EXPECT_FALSE(snapshot_.isPVCUsedByPods("default/c"));
  EXPECT_TRUE(logs_.empty());
}

TEST_F(CacheTest, ImagesCountTheNodesThatHaveThemWhenTheNodeWasCopied) {
  const auto n = makeNode("n");
  addImage(*n, "app", 10);
  const auto m = makeNode("m");
  addImage(*m, "app", 99);
  cache_.addNode(n);
  nodes();
  EXPECT_EQ(snapshot_.get("n")->image_states.at(api::Symbol("app")).num_nodes, 1);
  cache_.addNode(m);
  nodes();
  EXPECT_EQ(snapshot_.get("n")->image_states.at(api::Symbol("app")).num_nodes, 1);
  EXPECT_EQ(snapshot_.get("m")->image_states.at(api::Symbol("app")).num_nodes, 2);
  EXPECT_EQ(snapshot_.get("m")->image_states.at(api::Symbol("app")).size, 10);
  EXPECT_EQ(cache_.addPod(makePod("p", "n")), "");
  nodes();
  EXPECT_EQ(snapshot_.get("n")->image_states.at(api::Symbol("app")).num_nodes, 2);
  const auto bare = makeNode("m");
  cache_.updateNode(m.get(), bare);
  nodes();
  EXPECT_TRUE(snapshot_.get("m")->image_states.empty());
}

// v1.24 keeps the assumed pod in its place, without what the API server has added since.
TEST(CacheThatKeepsAssumedPods, ReplacesThemOnTheNextUpdateOnly) {
  Cache cache({}, release::CachePolicy::kKeep);
  Snapshot snapshot;
  cache.addNode(makeNode("n"));
  const auto assumed = makePod("p", "n");
  EXPECT_EQ(cache.assumePod(info(assumed)), "");
  const auto bound = makePod("p", "n");
  bound->status.start_time = clock::kEpoch;
  EXPECT_EQ(cache.addPod(bound), "");
  EXPECT_FALSE(cache.isAssumedPod(*bound));
  const auto on_node = [&] {
    EXPECT_EQ(cache.updateSnapshot(snapshot), "");
    return snapshot.get("n")->pods.at(0)->pod;
  };
  EXPECT_EQ(on_node(), assumed);
  EXPECT_EQ(cache.updatePod(*bound, bound), "");
  EXPECT_EQ(on_node(), bound);
}

TEST(CacheThatKeepsAssumedPods, ForgetsThoseNeverHeardOf) {
  Cache cache({}, release::CachePolicy::kKeep);
  cache.addNode(makeNode("n"));
  const auto pod = makePod("p", "n");
  EXPECT_EQ(cache.assumePod(info(pod)), "");
  cache.expireAssumed(20 * clock::kMinute);
  EXPECT_TRUE(cache.isAssumedPod(*pod)) << "its binding is not over";
  cache.finishBinding(*pod, 20 * clock::kMinute);
  cache.expireAssumed(35 * clock::kMinute);
  EXPECT_TRUE(cache.isAssumedPod(*pod));
  cache.expireAssumed(35 * clock::kMinute + clock::kSecond);
  EXPECT_FALSE(cache.isAssumedPod(*pod));
  EXPECT_EQ(cache.podCount(), 0U);
}

TEST(CacheThatKeepsAssumedPods, CountsTheNodesOfAnImageWhenItHearsOfANode) {
  Cache cache({}, release::CachePolicy::kKeep);
  Snapshot snapshot;
  for (const char* name : {"a", "b", "c"}) {
    const auto node = makeNode(name);
    addImage(*node, "image", 10);
    cache.addNode(node);
  }
  EXPECT_EQ(cache.updateSnapshot(snapshot), "");
  const auto count = [&snapshot](const char* node) {
    return snapshot.get(node)->image_states.at(api::Symbol("image")).num_nodes;
  };
  EXPECT_EQ(count("a"), 1);
  EXPECT_EQ(count("b"), 2);
  EXPECT_EQ(count("c"), 3);
}

}  // namespace
}  // namespace podberth::scheduler
