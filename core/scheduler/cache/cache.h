// What the scheduler knows of the nodes and the pods on them: what the informers said, and the pods it has assumed to
// be where it is about to bind them. Upstream: pkg/scheduler/backend/cache/cache.go.
//
// Functions that can fail return upstream's error text, "" if all went well.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <unordered_map>
#include <unordered_set>

#include "core/api/node.h"
#include "core/api/pod.h"
#include "core/release/release.h"
#include "core/scheduler/cache/node_tree.h"
#include "core/scheduler/framework/container_requests.h"
#include "core/scheduler/framework/node_info.h"

namespace podberth::scheduler {

class Cache {
 public:
  // Gets errors that upstream logs: message, error, pod ("namespace/name" or "").
  using Log = std::function<void(const std::string& message, const std::string& error, const std::string& pod)>;
  explicit Cache(Log log = {}, release::CachePolicy policy = release::CachePolicy::kReplace,
                 const Counting& counting = {})
      : log_(std::move(log)), policy_(policy), counting_(counting) {}
  Cache(const Cache&) = delete;
  Cache& operator=(const Cache&) = delete;

  // Counts the pod on the node in its spec before the API server knows.
  std::string assumePod(const PodInfoPtr& pod);
  // Undoes assumePod. A pod that the cache does not know is fine.
  std::string forgetPod(const api::Pod& pod);
  // The binding of an assumed pod is over. Where they expire, one that is not heard of within 15 minutes is forgotten.
  void finishBinding(const api::Pod& pod, clock::Time now);
  // Forgets the assumed pods that have expired.
  void expireAssumed(clock::Time now);
  // The same for an assumed pod that was deleted.
  std::string removeAssumedPod(const api::Pod& pod) { return forgetPod(pod); }

  // A pod with a node was added (or the assumed pod is now bound), updated, removed.
  std::string addPod(const api::PodPtr& pod);
  std::string updatePod(const api::Pod& old_pod, const api::PodPtr& new_pod);
  std::string removePod(const api::Pod& pod);

  bool isAssumedPod(const api::Pod& pod) const { return assumed_.find(pod.meta.uid) != assumed_.end(); }
  // The pod as the cache has it, by uid; null if it does not know it.
  api::PodPtr getPod(const api::Pod& pod) const;

  // These return the node as it is now, good until the next change.
  const NodeInfo& addNode(const api::NodePtr& node);
  const NodeInfo& updateNode(const api::Node* old_node, const api::NodePtr& new_node);
  // Pods that are still there stay in the cache until they are removed too; the node is in no snapshot any more.
  std::string removeNode(const api::Node& node);

  // Brings the snapshot up to date: copies the nodes that changed since, and makes its lists anew if nodes came or
  // went.
  std::string updateSnapshot(Snapshot& snapshot);

  // Nodes, ghosts of removed ones included, and pods.
  std::size_t nodeCount() const { return nodes_.size(); }
  std::size_t podCount() const { return pods_.size(); }

 private:
  struct Item {
    NodeInfo info;
    std::uint64_t images_copied = 0;  // images_version_ when the snapshot got this node's images
    Item* next = nullptr;
    Item* prev = nullptr;
  };
  struct Image {
    std::int64_t size = 0;
    std::unordered_set<api::Symbol> nodes;
  };

  Item& itemFor(api::Symbol node);
  void moveToHead(Item& item);
  void erase(api::Symbol node);
  std::string validateAssumed(const api::Pod& pod, const api::Pod& current) const;
  void insert(PodInfoPtr pod, bool assume);
  std::string take(const api::Pod& pod);
  void setNode(NodeInfo& info, const api::NodePtr& node) const;
  void addImages(const api::Node& node, NodeInfo& info);
  void removeImages(const api::Node* node);
  void updateLists(Snapshot& snapshot, bool all);
  std::string applyClaimCounts(Snapshot& snapshot);
  void log(const std::string& message, const std::string& error, const std::string& pod = {}) const {
    if (log_) log_(message, error, pod);
  }

  Log log_;
  release::CachePolicy policy_;
  Counting counting_;
  std::unordered_map<std::string, PodInfoPtr> pods_;  // by uid
  std::unordered_set<std::string> assumed_;           // uids
  std::map<std::string, clock::Time> deadlines_;      // of assumed pods whose binding is over, by uid
  std::unordered_map<api::Symbol, std::unique_ptr<Item>> nodes_;
  Item* head_ = nullptr;  // the node that changed last; the others follow by age
  NodeTree tree_;
  std::unordered_map<api::Symbol, Image> images_;
  std::uint64_t images_version_ = 1;  // grows when a node gets or loses an image
  // How the number of pods that use a claim has changed since the last snapshot. Where copies share their counts there
  // is no such sum of them.
  std::map<std::string, int> claim_deltas_;
};

}  // namespace podberth::scheduler
