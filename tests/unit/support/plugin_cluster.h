// A small cluster for tests of plugins that look at the whole snapshot: nodes, pods on them, and objects to be listed.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/scheduler/cache/cache.h"
#include "tests/unit/support/builders.h"
#include "tests/unit/support/fake_handle.h"
#include "tests/unit/support/plugin_run.h"

namespace podberth::testkit {

template <class T>
class FakeLister : public scheduler::Lister<T> {
 public:
  std::shared_ptr<const T> get(std::string_view ns, std::string_view name) const override {
    const auto it = objects.find(ns.empty() ? std::string(name) : std::string(ns) + "/" + std::string(name));
    return it == objects.end() ? nullptr : it->second;
  }
  std::vector<std::shared_ptr<const T>> list(std::string_view ns = {}) const override {
    std::vector<std::shared_ptr<const T>> out;
    for (const auto& [key, object] : objects) {
      if (ns.empty() || object->meta.ns == ns) out.push_back(object);
    }
    return out;
  }
  void put(std::shared_ptr<const T> object) { objects[object->key()] = std::move(object); }

  std::map<std::string, std::shared_ptr<const T>> objects;
};

class ClusterHandle : public FakeHandle {
 public:
  ClusterHandle() {
    listers_.pods = &pods;
    listers_.namespaces = &namespaces;
    listers_.services = &services;
    listers_.replication_controllers = &replication_controllers;
    listers_.replica_sets = &replica_sets;
    listers_.stateful_sets = &stateful_sets;
    listers_.pod_disruption_budgets = &budgets;
    listers_.nodes = &nodes;
    listers_.persistent_volumes = &volumes;
    listers_.persistent_volume_claims = &claims;
    listers_.storage_classes = &storage_classes;
    listers_.csi_nodes = &csi_nodes;
    listers_.csi_drivers = &csi_drivers;
    listers_.csi_storage_capacities = &storage_capacities;
    listers_.volume_attachments = &attachments;
    listers_.resource_claims = &resource_claims;
  }
  const scheduler::Listers& listers() const override { return listers_; }

  // To the cache; update() brings them into the snapshot.
  ClusterHandle& add(const NodeBuilder& node) {
    cache.addNode(node.obj());
    return *this;
  }
  ClusterHandle& add(const PodBuilder& pod) {
    cache.addPod(pod.obj());
    return *this;
  }
  ClusterHandle& update() {
    cache.updateSnapshot(snapshot_);
    return *this;
  }
  scheduler::NodeInfo& node(std::string_view name) { return *snapshot_.get(name); }

  scheduler::Cache cache;
  FakeLister<api::Pod> pods;
  FakeLister<api::Namespace> namespaces;
  FakeLister<api::Service> services;
  FakeLister<api::ReplicationController> replication_controllers;
  FakeLister<api::ReplicaSet> replica_sets;
  FakeLister<api::StatefulSet> stateful_sets;
  FakeLister<api::PodDisruptionBudget> budgets;
  FakeLister<api::Node> nodes;
  FakeLister<api::PersistentVolume> volumes;
  FakeLister<api::PersistentVolumeClaim> claims;
  FakeLister<api::StorageClass> storage_classes;
  FakeLister<api::CSINode> csi_nodes;
  FakeLister<api::CSIDriver> csi_drivers;
  FakeLister<api::CSIStorageCapacity> storage_capacities;
  FakeLister<api::VolumeAttachment> attachments;
  FakeLister<api::OtherObject> resource_claims;

 private:
  scheduler::Listers listers_;
};

// PreFilter and then Filter of every node of the snapshot: "a: Success, b: Unschedulable: why"; "PreFilter Skip" if it
// skips.
inline std::string filterAll(scheduler::Plugin& plugin, ClusterHandle& cluster, const scheduler::PodInfoPtr& pod) {
  cluster.update();
  scheduler::CycleState state;
  scheduler::PreFilterResult narrowed;
  const scheduler::Status status = plugin.preFilter(state, *pod, cluster.snapshot().nodes(), narrowed);
  if (!status.isSuccess()) return "PreFilter " + text(status);
  std::string out;
  for (const scheduler::NodeInfo* node : cluster.snapshot().nodes()) {
    out += (out.empty() ? "" : ", ") + node->name().str() + ": " + text(plugin.filter(state, *pod, *node));
  }
  return out;
}

// The names of the nodes that pass, in the snapshot's order: "a b".
inline std::string passing(scheduler::Plugin& plugin, ClusterHandle& cluster, const scheduler::PodInfoPtr& pod) {
  cluster.update();
  scheduler::CycleState state;
  scheduler::PreFilterResult narrowed;
  const scheduler::Status status = plugin.preFilter(state, *pod, cluster.snapshot().nodes(), narrowed);
  if (!status.isSuccess()) return text(status);
  std::string out;
  for (const scheduler::NodeInfo* node : cluster.snapshot().nodes()) {
    if (plugin.filter(state, *pod, *node).isSuccess()) out += (out.empty() ? "" : " ") + node->name().str();
  }
  return out;
}

// "a 3/100, b 5/40": raw and normalised scores of the snapshot's nodes; "Skip" if PreScore skips.
inline std::string scoreAll(scheduler::Plugin& plugin, ClusterHandle& cluster, const scheduler::PodInfoPtr& pod) {
  cluster.update();
  scheduler::CycleState state;
  const std::vector<scheduler::NodeInfo*>& nodes = cluster.snapshot().nodes();
  const scheduler::Status status = plugin.preScore(state, *pod, nodes);
  if (!status.isSuccess()) return text(status);
  std::vector<scheduler::NodeScore> scores;
  for (scheduler::NodeInfo* node : nodes) {
    scheduler::NodeScore s;
    s.node = node;
    if (!plugin.score(state, *pod, *node, s.score).isSuccess()) return "Score failed";
    scores.push_back(s);
  }
  const std::vector<scheduler::NodeScore> raw = scores;
  if (!plugin.normalizeScore(state, *pod, scores).isSuccess()) return "NormalizeScore failed";
  std::string out;
  for (std::size_t i = 0; i < scores.size(); ++i) {
    out += (out.empty() ? "" : ", ") + scores[i].node->name().str() + " " + std::to_string(raw[i].score) + "/" +
           std::to_string(scores[i].score);
  }
  return out;
}

}  // namespace podberth::testkit
