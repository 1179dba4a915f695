// Nodes and pods as the scheduler's cache and snapshot hold them, with what is computed once and asked often.
// Upstream: pkg/scheduler/framework/types.go.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/api/labels.h"
#include "core/api/node.h"
#include "core/api/pod.h"

namespace podberth::scheduler {

// Amounts as integers: milli-CPU, bytes, counts.
struct Resource {
  std::int64_t milli_cpu = 0;
  std::int64_t memory = 0;
  std::int64_t ephemeral_storage = 0;
  std::int64_t allowed_pod_number = 0;
  std::vector<std::pair<api::Symbol, std::int64_t>> scalar;  // extended resources and hugepages, by name's text

  Resource() = default;
  explicit Resource(const api::ResourceList& list);  // framework.NewResource
  void add(const api::ResourceList& list);
  void setMax(const api::ResourceList& list);
  std::int64_t scalarOf(api::Symbol name) const;  // 0 if absent
  bool hasScalar(api::Symbol name) const;
  void setScalar(api::Symbol name, std::int64_t value);
  // Any resource by name, the ones with a field of their own included.
  std::int64_t get(api::Symbol name) const;
};

// A PodAffinityTerm with its selectors compiled and its namespaces resolved.
struct AffinityTerm {
  std::vector<api::Symbol> namespaces;  // sorted by text
  api::Selector selector;
  api::Symbol topology_key;
  api::Selector namespace_selector;  // nothing() if absent
  // Whether `pod` is one the term speaks of; `ns_labels` are the labels of the pod's namespace.
  bool matches(const api::Pod& pod, const api::LabelSet& ns_labels) const;
};
struct WeightedAffinityTerm {
  AffinityTerm term;
  std::int32_t weight = 0;
};

struct HostPort {
  std::string ip;        // "0.0.0.0" if the pod gave none
  std::string protocol;  // "TCP" if the pod gave none
  std::int32_t port = 0;
  friend bool operator==(const HostPort& a, const HostPort& b) {
    return a.port == b.port && a.protocol == b.protocol && a.ip == b.ip;
  }
};
// framework.HostPortInfo: ports in use on a node. A port counts once however many pods have it (as upstream's map).
class HostPortInfo {
 public:
  void add(std::string_view ip, std::string_view protocol, std::int32_t port);
  void remove(std::string_view ip, std::string_view protocol, std::int32_t port);
  bool conflicts(std::string_view ip, std::string_view protocol, std::int32_t port) const;
  bool empty() const { return ports_.empty(); }
  std::size_t size() const { return ports_.size(); }
  const std::vector<HostPort>& ports() const { return ports_; }

 private:
  std::vector<HostPort> ports_;
};

// A pod and what never changes about it. Immutable: an updated pod is another PodInfo.
struct PodInfo {
  explicit PodInfo(api::PodPtr pod);  // framework.NewPodInfo

  api::PodPtr pod;
  std::vector<AffinityTerm> required_affinity_terms;
  std::vector<AffinityTerm> required_anti_affinity_terms;
  std::vector<WeightedAffinityTerm> preferred_affinity_terms;
  std::vector<WeightedAffinityTerm> preferred_anti_affinity_terms;
  std::string parse_error;  // of a malformed selector in an affinity term; terms are then incomplete, as upstream

  Resource requests;          // what the pod takes of a node (PodInfo.CalculateResource)
  std::int64_t non0_cpu = 0;  // the same with a minimum for containers that ask for none
  std::int64_t non0_memory = 0;
  std::vector<HostPort> host_ports;
  std::vector<std::string> pvc_keys;  // "namespace/claim" of volumes that name a claim (not of ephemeral ones)
  api::Symbol ns;                     // of the pod
  api::Symbol node_name;
  bool has_affinity = false;  // any pod affinity or anti-affinity
  bool has_required_anti_affinity = false;
};
using PodInfoPtr = std::shared_ptr<const PodInfo>;

struct ImageState {
  std::int64_t size = 0;
  int num_nodes = 0;  // that have the image, as of the snapshot
};

// How many pods on a node use each claim ("namespace/claim").
class ClaimCounts {
 public:
  using Map = std::map<std::string, int>;
  // From now on copies do not get counts of their own.
  void share() { shared_ = std::make_shared<Map>(own_); }

  const Map& map() const { return shared_ == nullptr ? own_ : *shared_; }
  int of(const std::string& claim) const;
  void add(const std::string& claim, int pods);  // none is left when it comes to 0
  // Puts the counts in place of these, in all copies that share them.
  void set(Map counts) { (shared_ == nullptr ? own_ : *shared_) = std::move(counts); }

 private:
  Map own_;
  std::shared_ptr<Map> shared_;  // null: own_ counts
};

// What is on a node. Copying one is what the snapshot does for nodes whose generation has changed.
class NodeInfo {
 public:
  NodeInfo() = default;

  const api::Node* node() const { return node_.get(); }
  const api::NodePtr& nodePtr() const { return node_; }
  api::Symbol name() const { return name_; }  // stays when the node itself is gone and pods linger

  void setNode(api::NodePtr node);
  void removeNode();
  void addPod(PodInfoPtr pod);
  // False if there is no such pod (by uid).
  bool removePod(const api::Pod& pod);
  // Two halves of a copy, for the snapshot: what the pods make of the node, and what the node itself says. Images,
  // generation and index are left alone.
  void copyPodsFrom(const NodeInfo& other);
  void copyNodeFrom(const NodeInfo& other);

  std::vector<PodInfoPtr> pods;  // in upstream's order: removal swaps the last one in
  std::vector<PodInfoPtr> pods_with_affinity;
  std::vector<PodInfoPtr> pods_with_required_anti_affinity;
  Resource requested;
  Resource non_zero_requested;
  Resource allocatable;
  HostPortInfo used_ports;
  std::unordered_map<api::Symbol, ImageState> image_states;  // by image name; never iterated for an order
  ClaimCounts pvc_ref_counts;
  std::vector<std::string> declared_features;  // sorted
  std::int64_t generation = 0;                 // grows with every change of any node
  // Position in the snapshot's list; -1 outside of a snapshot.
  int index = -1;

 private:
  void update(const PodInfo& pod, int sign);
  api::NodePtr node_;
  api::Symbol name_;
};
using NodeInfoPtr = std::shared_ptr<NodeInfo>;

// framework.nextGeneration: one counter for all nodes of a scheduler; set back when a scheduler starts.
std::int64_t nextGeneration();
void resetGeneration(std::int64_t value = 0);

// The nodes as one scheduling cycle sees them.
class Snapshot {
 public:
  // In the cache's order (zones taken in turn).
  const std::vector<NodeInfo*>& nodes() const { return list_; }
  const std::vector<NodeInfo*>& nodesWithAffinityPods() const { return with_affinity_; }
  const std::vector<NodeInfo*>& nodesWithRequiredAntiAffinityPods() const { return with_required_anti_affinity_; }
  // Null if there is no such node.
  NodeInfo* get(api::Symbol name) const;
  NodeInfo* get(std::string_view name) const { return get(api::Symbol(name)); }
  std::size_t size() const { return list_.size(); }
  // Whether any pod on a node uses the claim ("namespace/claim").
  bool isPVCUsedByPods(const std::string& key) const { return used_pvcs_.find(key) != used_pvcs_.end(); }
  std::int64_t generation() const { return generation_; }

 private:
  friend class Cache;
  std::unordered_map<api::Symbol, std::shared_ptr<NodeInfo>> infos_;
  std::vector<NodeInfo*> list_;
  std::vector<NodeInfo*> with_affinity_;
  std::vector<NodeInfo*> with_required_anti_affinity_;
  std::map<std::string, int> used_pvcs_;
  std::int64_t generation_ = 0;
};

}  // namespace podberth::scheduler
