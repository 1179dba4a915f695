#include "core/scheduler/plugins/helper/topology_counts.h"

#include <cstdint>
#include <map>
#include <string>

#include <gtest/gtest.h>

#include "core/scheduler/plugins/helper/go_log.h"
#include "tests/unit/support/plugin_cluster.h"

namespace podberth::scheduler::plugins {
namespace {

TEST(GoLog, IsGoesLogarithmToTheBitForTheFirst200000Integers) {
  // FNV-1 hash of the little-endian bytes of Go's math.Log(1), math.Log(2), ... on amd64.
  std::uint64_t hash = 14695981039346656037ULL;
  for (int i = 1; i <= 200000; ++i) {
    const double value = goLog(i);
    std::uint64_t bits = 0;
    static_assert(sizeof bits == sizeof value);
    __builtin_memcpy(&bits, &value, sizeof bits);
    for (int j = 0; j < 8; ++j) {
      hash ^= (bits >> (8 * j)) & 0xff;
      hash *= 1099511628211ULL;
    }
  }
  EXPECT_EQ(hash, 0xa76e6b296a29a368ULL);
}

// Counts the pods labelled app=x by zone, once incrementally and once from scratch, while a cluster changes at random.
class Follower {
 public:
  explicit Follower(SnapshotIndex& index) : index_(index), key_(index.key(api::Symbol("zone"))) {}
  void update() {
    index_.follow(
        cursor_, [&] { tally_.reset(index_.size()); },
        [&](int row) { tally_.set(row, key_.valueAt(row), count(index_.node(row))); });
  }
  static std::int32_t count(const NodeInfo& node) {
    std::int32_t pods = 0;
    for (const PodInfoPtr& pod : node.pods) {
      const api::Symbol* app = pod->pod->meta.labels.find(api::Symbol("app"));
      if (app != nullptr && *app == "x") ++pods;
    }
    return pods;
  }
  std::map<std::string, std::int64_t> counts(const Snapshot& snapshot) const {
    std::map<std::string, std::int64_t> out;
    for (const NodeInfo* node : snapshot.nodes()) {
      const api::Symbol* zone = node->node()->meta.labels.find(api::Symbol("zone"));
      if (zone == nullptr) continue;
      const TopologyValue value = key_.find(*zone);
      EXPECT_TRUE(tally_.hasDomain(value));
      out[zone->str()] = tally_.podsAt(value);
    }
    return out;
  }
  const Tally& tally() const { return tally_; }

 private:
  SnapshotIndex& index_;
  TopologyKey& key_;
  Tally tally_;
  SnapshotIndex::Cursor cursor_;
};

TEST(TopologyCounts, AreWhatCountingAnewGivesHoweverTheClusterChanges) {
  testkit::ClusterHandle cluster;
  SnapshotIndex index;
  Follower eager(index);
  Follower lazy(index);
  std::map<std::string, api::NodePtr> nodes;
  std::map<std::string, api::PodPtr> pods;
  std::uint32_t random = 7;
  const auto draw = [&](std::uint32_t n) {
    random = random * 1664525U + 1013904223U;
    return (random >> 16) % n;
  };
  for (int step = 0; step < 3000; ++step) {
    const std::uint32_t what = draw(10);
    const std::string name = "n" + std::to_string(draw(12));
    if (what < 2) {
      testkit::NodeBuilder node = testkit::makeNode(name);
      if (draw(5) > 0) node.label("zone", "z" + std::to_string(draw(4)));
      const api::NodePtr object = node.obj();
      if (nodes.count(name) == 0) {
        cluster.cache.addNode(object);
      } else {
        cluster.cache.updateNode(nodes[name].get(), object);
      }
      nodes[name] = object;
    } else if (what == 2 && nodes.count(name) > 0) {
      cluster.cache.removeNode(*nodes[name]);
      nodes.erase(name);
    } else if (what < 7 && nodes.count(name) > 0) {
      const std::string pod = "p" + std::to_string(step);
      pods[pod] = testkit::makePod(pod).label("app", draw(2) == 0 ? "x" : "y").on(name).obj();
      ASSERT_EQ(cluster.cache.addPod(pods[pod]), "");
    } else if (!pods.empty()) {
      auto it = pods.begin();
      std::advance(it, draw(static_cast<std::uint32_t>(pods.size())));
      ASSERT_EQ(cluster.cache.removePod(*it->second), "");
      pods.erase(it);
    }
    cluster.update();
    index.sync(cluster.snapshot());
    eager.update();
    if (step % 17 != 0) continue;
    lazy.update();

    std::map<std::string, std::int64_t> fresh;
    for (const NodeInfo* node : cluster.snapshot().nodes()) {
      if (const api::Symbol* zone = node->node()->meta.labels.find(api::Symbol("zone"))) {
        fresh[zone->str()] += Follower::count(*node);
      }
    }
    std::int32_t with_pods = 0;
    for (const auto& [zone, count] : fresh) with_pods += count > 0 ? 1 : 0;
    for (const Follower* follower : {&eager, &lazy}) {
      ASSERT_EQ(follower->counts(cluster.snapshot()), fresh) << "step " << step;
      ASSERT_EQ(follower->tally().domains(), static_cast<std::int32_t>(fresh.size()));
      ASSERT_EQ(follower->tally().nonZero(), with_pods);
    }
  }
}

TEST(RecentlyUsed, ForgetsTheOneUsedLongestAgo) {
  RecentlyUsed<int> kept(2);
  const auto has = [&](int value) { return kept.find(0, [value](int v) { return v == value; }) != nullptr; };
  kept.insert(0, std::make_shared<int>(1));
  kept.insert(0, std::make_shared<int>(2));
  EXPECT_TRUE(has(1));
  kept.insert(0, std::make_shared<int>(3));
  EXPECT_TRUE(has(1));
  EXPECT_FALSE(has(2));
  EXPECT_TRUE(has(3));
}

}  // namespace
}  // namespace podberth::scheduler::plugins
