#include "core/scheduler/cache/cache.h"
#include "core/scheduler/framework/container_requests.h"

#include <utility>

namespace podberth::scheduler {
namespace {

// "uid(namespace/name)", as the messages name a pod.
std::string podText(const api::Pod& pod) { return pod.meta.uid + "(" + pod.meta.ns + "/" + pod.meta.name + ")"; }

constexpr clock::Duration kAssumedFor = 15 * clock::kMinute;
constexpr const char* kNoPodKey = "cannot get cache key for pod with empty UID";

}  // namespace

Cache::Item& Cache::itemFor(api::Symbol node) {
  std::unique_ptr<Item>& item = nodes_[node];
  if (item == nullptr) {
    item = std::make_unique<Item>();
    item->info.generation = nextGeneration();
    if (policy_ == release::CachePolicy::kKeep) item->info.pvc_ref_counts.share();
  }
  return *item;
}

void Cache::moveToHead(Item& item) {
  if (&item == head_) return;
  if (item.prev != nullptr) item.prev->next = item.next;
  if (item.next != nullptr) item.next->prev = item.prev;
  if (head_ != nullptr) head_->prev = &item;
  item.next = head_;
  item.prev = nullptr;
  head_ = &item;
}

void Cache::erase(api::Symbol node) {
  const auto it = nodes_.find(node);
  if (it == nodes_.end()) return;
  Item& item = *it->second;
  if (item.prev != nullptr) item.prev->next = item.next;
  if (item.next != nullptr) item.next->prev = item.prev;
  if (&item == head_) head_ = item.next;
  nodes_.erase(it);
}

std::string Cache::assumePod(const PodInfoPtr& pod) {
  if (pod->pod->meta.uid.empty()) return kNoPodKey;
  if (pods_.find(pod->pod->meta.uid) != pods_.end()) {
    return "pod " + podText(*pod->pod) + " is in the cache, so can't be assumed";
  }
  insert(pod, true);
  return {};
}

void Cache::finishBinding(const api::Pod& pod, clock::Time now) {
  if (policy_ != release::CachePolicy::kKeep || !isAssumedPod(pod)) return;
  deadlines_[pod.meta.uid] = now + kAssumedFor;
}

void Cache::expireAssumed(clock::Time now) {
  for (auto it = deadlines_.begin(); it != deadlines_.end();) {
    const std::string uid = it->first;
    // The cache looks once a second.
    const bool expired = now / clock::kSecond * clock::kSecond > it->second;
    ++it;
    if (!expired) continue;
    const auto pod = pods_.find(uid);
    if (pod != pods_.end()) take(api::Pod(*pod->second->pod));
    deadlines_.erase(uid);
  }
}

std::string Cache::validateAssumed(const api::Pod& pod, const api::Pod& current) const {
  if (current.spec.node_name != pod.spec.node_name) {
    return "pod " + podText(pod) + " was assumed on " + pod.spec.node_name + " but assigned to " +
           current.spec.node_name;
  }
  if (assumed_.find(pod.meta.uid) == assumed_.end()) {
    return "pod " + podText(pod) + " is not assumed, so it cannot be removed or forgotten";
  }
  return {};
}

std::string Cache::forgetPod(const api::Pod& pod) {
  if (pod.meta.uid.empty()) return kNoPodKey;
  const auto it = pods_.find(pod.meta.uid);
  if (it == pods_.end()) return {};
  const std::string error = validateAssumed(pod, *it->second->pod);
  return error.empty() ? take(pod) : error;
}

void Cache::insert(PodInfoPtr pod, bool assume) {
  Item& item = itemFor(pod->node_name);
  for (const std::string& key : pod->pvc_keys) ++claim_deltas_[key];
  const std::string& uid = pod->pod->meta.uid;
  pods_[uid] = pod;
  if (assume) assumed_.insert(uid);
  item.info.addPod(std::move(pod));
  moveToHead(item);
}

// Takes the pod off the node that its spec names.
std::string Cache::take(const api::Pod& pod) {
  const std::string uid = pod.meta.uid;
  const api::Symbol node(pod.spec.node_name);
  const auto it = nodes_.find(node);
  if (it == nodes_.end()) {
    log("Node not found when trying to remove pod", "", pod.key());
  } else {
    Item& item = *it->second;
    const auto known = pods_.find(uid);
    const PodInfoPtr info = known == pods_.end() ? nullptr : known->second;
    if (!item.info.removePod(pod)) {
      return "no corresponding pod " + pod.meta.name + " in pods of node " + node.str();
    }
    if (info != nullptr) {
      for (const std::string& key : info->pvc_keys) --claim_deltas_[key];
    }
    if (item.info.pods.empty() && item.info.node() == nullptr) {
      erase(node);
    } else {
      moveToHead(item);
    }
  }
  pods_.erase(uid);
  assumed_.erase(uid);
  deadlines_.erase(uid);
  return {};
}

std::string Cache::addPod(const api::PodPtr& pod) {
  const std::string& uid = pod->meta.uid;
  if (uid.empty()) return kNoPodKey;
  const auto it = pods_.find(uid);
  if (it == pods_.end()) {
    insert(makePodInfo(pod, counting_), false);
    return {};
  }
  if (assumed_.find(uid) == assumed_.end()) return "pod " + podText(*pod) + " was already in added state";
  // It has been counted since it was assumed; what the API server says of it may be newer.
  const PodInfoPtr current = it->second;
  if (policy_ == release::CachePolicy::kKeep && current->pod->spec.node_name == pod->spec.node_name) {
    assumed_.erase(uid);
    deadlines_.erase(uid);
    return {};
  }
  const std::string error = take(*current->pod);
  if (error.empty()) {
    insert(makePodInfo(pod, counting_), false);
  } else {
    log("Error occurred while updating pod", error);
  }
  return {};
}

std::string Cache::updatePod(const api::Pod& old_pod, const api::PodPtr& new_pod) {
  const std::string& uid = old_pod.meta.uid;
  if (uid.empty()) return kNoPodKey;
  if (pods_.find(uid) == pods_.end()) {
    return "pod " + podText(old_pod) + " is not added to scheduler cache, so cannot be updated";
  }
  if (assumed_.find(uid) != assumed_.end()) return "assumed pod " + podText(old_pod) + " should not be updated";
  const std::string error = take(old_pod);
  if (!error.empty()) return error;
  insert(makePodInfo(new_pod, counting_), false);
  return {};
}

std::string Cache::removePod(const api::Pod& pod) {
  if (pod.meta.uid.empty()) return kNoPodKey;
  const auto it = pods_.find(pod.meta.uid);
  if (it == pods_.end()) {
    return "pod " + podText(pod) + " is not found in scheduler cache, so cannot be removed from it";
  }
  const PodInfoPtr current = it->second;
  if (current->pod->spec.node_name != pod.spec.node_name) {
    log("Pod was added to a different node than it was assumed", "", pod.key());
  }
  return take(*current->pod);
}

api::PodPtr Cache::getPod(const api::Pod& pod) const {
  const auto it = pods_.find(pod.meta.uid);
  return it == pods_.end() ? nullptr : it->second->pod;
}

const NodeInfo& Cache::addNode(const api::NodePtr& node) {
  Item& item = itemFor(api::Symbol(node->meta.name));
  removeImages(item.info.node());
  moveToHead(item);
  tree_.add(*node);
  addImages(*node, item.info);
  setNode(item.info, node);
  return item.info;
}

const NodeInfo& Cache::updateNode(const api::Node* old_node, const api::NodePtr& new_node) {
  const api::Symbol name(new_node->meta.name);
  const bool known = nodes_.find(name) != nodes_.end();
  Item& item = itemFor(name);
  if (known) {
    removeImages(item.info.node());
  } else {
    tree_.add(*new_node);
  }
  moveToHead(item);
  tree_.update(old_node, *new_node);
  addImages(*new_node, item.info);
  setNode(item.info, new_node);
  return item.info;
}

std::string Cache::removeNode(const api::Node& node) {
  const api::Symbol name(node.meta.name);
  const auto it = nodes_.find(name);
  if (it == nodes_.end()) return "node " + node.meta.name + " is not found";
  Item& item = *it->second;
  for (const auto& [key, count] : item.info.pvc_ref_counts.map()) claim_deltas_[key] -= count;
  item.info.removeNode();
  // Pods are told of on another watch: as long as some are left, so is the node's ghost.
  if (item.info.pods.empty()) {
    erase(name);
  } else {
    moveToHead(item);
  }
  if (!tree_.remove(node)) {
    log("Did not remove Node in NodeTree because it was not found", "");
    std::string group;
    for (const char c : zoneKey(node)) group += c == '\0' ? std::string("\\x00") : std::string(1, c);
    return "node \"" + node.meta.name + "\" in group \"" + group + "\" was not found";
  }
  removeImages(&node);
  return {};
}

void Cache::setNode(NodeInfo& info, const api::NodePtr& node) const {
  info.setNode(node);
  if (!counting_.local_storage) info.allocatable.ephemeral_storage = 0;
}

void Cache::addImages(const api::Node& node, NodeInfo& info) {
  const api::Symbol name(node.meta.name);
  info.image_states.clear();
  for (const api::ContainerImage& image : node.status.images) {
    for (const std::string& text : image.names) {
      const api::Symbol image_name(text);
      Image& state = images_[image_name];
      if (state.nodes.empty()) state.size = image.size_bytes;
      state.nodes.insert(name);
      ImageState& own = info.image_states[image_name];
      own.size = state.size;
      own.num_nodes = static_cast<int>(state.nodes.size());
      ++images_version_;
    }
  }
}

void Cache::removeImages(const api::Node* node) {
  if (node == nullptr) return;
  const api::Symbol name(node->meta.name);
  for (const api::ContainerImage& image : node->status.images) {
    for (const std::string& text : image.names) {
      const auto it = images_.find(api::Symbol(text));
      if (it == images_.end()) continue;
      it->second.nodes.erase(name);
      if (it->second.nodes.empty()) images_.erase(it);
      ++images_version_;
    }
  }
}

std::string Cache::updateSnapshot(Snapshot& snapshot) {
  const std::int64_t last = snapshot.generation_;
  bool all = false;
  bool lists = false;
  for (Item* item = head_; item != nullptr && item->info.generation > last; item = item->next) {
    if (item->info.node() == nullptr) continue;
    std::shared_ptr<NodeInfo>& existing = snapshot.infos_[item->info.name()];
    if (existing == nullptr) {
      all = true;
      existing = std::make_shared<NodeInfo>();
      item->images_copied = 0;
    }
    NodeInfo& to = *existing;
    const NodeInfo& from = item->info;
    lists = lists || to.pods_with_affinity.empty() != from.pods_with_affinity.empty() ||
            to.pods_with_required_anti_affinity.empty() != from.pods_with_required_anti_affinity.empty();
    const bool node_changed = to.nodePtr() != from.nodePtr();
    to.copyPodsFrom(from);
    if (node_changed) to.copyNodeFrom(from);
    if (node_changed || item->images_copied != images_version_) {
      to.image_states.clear();
      for (const auto& [name, state] : from.image_states) {
        ImageState copy = state;
        const auto image = images_.find(name);
        // The older cache counts the nodes when it hears of this one, and never again.
        if (policy_ == release::CachePolicy::kReplace) {
          copy.num_nodes = image == images_.end() ? 0 : static_cast<int>(image->second.nodes.size());
        }
        to.image_states.emplace(name, copy);
      }
      item->images_copied = images_version_;
    }
    to.generation = from.generation;
  }
  if (head_ != nullptr) snapshot.generation_ = head_->info.generation;

  if (snapshot.infos_.size() > tree_.size()) {
    for (auto it = snapshot.infos_.begin(); it != snapshot.infos_.end();) {
      const auto known = nodes_.find(it->first);
      if (known == nodes_.end() || known->second->info.node() == nullptr) {
        it = snapshot.infos_.erase(it);
      } else {
        ++it;
      }
    }
    all = true;
  }
  if (!all) {
    const std::string error = applyClaimCounts(snapshot);
    if (!error.empty()) {
      log("rebuilding node snapshot due to unexpected error from refreshing PVC ref counts", error);
      all = true;
    }
  }
  if (all || lists) updateLists(snapshot, all);

  if (snapshot.list_.size() != tree_.size()) {
    const std::string error =
        "snapshot state is not consistent, length of NodeInfoList=" + std::to_string(snapshot.list_.size()) +
        " not equal to length of nodes in tree=" + std::to_string(tree_.size()) +
        " , length of NodeInfoMap=" + std::to_string(snapshot.infos_.size()) +
        ", length of nodes in cache=" + std::to_string(nodes_.size()) + ", trying to recover";
    log(error, "");
    updateLists(snapshot, true);
    return error;
  }
  return {};
}

void Cache::updateLists(Snapshot& snapshot, bool all) {
  snapshot.with_affinity_.clear();
  snapshot.with_required_anti_affinity_.clear();
  if (all) {
    snapshot.used_pvcs_.clear();
    snapshot.list_.clear();
    snapshot.list_.reserve(tree_.size());
    for (const api::Symbol name : tree_.list()) {
      NodeInfo* info = snapshot.get(name);
      if (info == nullptr) {
        log("Node exists in nodeTree but not in NodeInfoMap, this should not happen", "");
        continue;
      }
      info->index = static_cast<int>(snapshot.list_.size());
      snapshot.list_.push_back(info);
      for (const auto& [key, count] : info->pvc_ref_counts.map()) snapshot.used_pvcs_[key] += count;
    }
    claim_deltas_.clear();
  }
  for (NodeInfo* info : snapshot.list_) {
    if (!info->pods_with_affinity.empty()) snapshot.with_affinity_.push_back(info);
    if (!info->pods_with_required_anti_affinity.empty()) snapshot.with_required_anti_affinity_.push_back(info);
  }
}

std::string Cache::applyClaimCounts(Snapshot& snapshot) {
  if (policy_ == release::CachePolicy::kKeep) claim_deltas_.clear();
  for (const auto& [key, delta] : claim_deltas_) {
    const int count = snapshot.used_pvcs_[key] += delta;
    if (count <= 0) snapshot.used_pvcs_.erase(key);
    if (count < 0) return "PVC " + key + " had negative ref count " + std::to_string(count);
  }
  claim_deltas_.clear();
  return {};
}

}  // namespace podberth::scheduler
