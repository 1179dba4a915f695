// What the scheduler's plugins look things up with: listers over the stores of the informers.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/informers/factory.h"
#include "core/scheduler/framework/handle.h"

namespace podberth::session {

template <class T>
class InformerLister : public scheduler::Lister<T> {
 public:
  explicit InformerLister(const informers::Indexer& indexer) : indexer_(indexer) {}
  std::shared_ptr<const T> get(std::string_view ns, std::string_view name) const override {
    std::string key;
    key.reserve(ns.size() + name.size() + 1);
    if (!ns.empty()) key.append(ns).append("/");
    key.append(name);
    return api::as<T>(indexer_.get(key));
  }
  std::vector<std::shared_ptr<const T>> list(std::string_view ns) const override {
    std::vector<std::shared_ptr<const T>> out;
    const std::vector<api::ObjectPtr> all =
        ns.empty() ? indexer_.list() : indexer_.byIndex(informers::kNamespaceIndex, std::string(ns));
    out.reserve(all.size());
    for (const api::ObjectPtr& object : all) out.push_back(api::as<T>(object));
    return out;
  }

 private:
  const informers::Indexer& indexer_;
};

struct InformerListers {
  explicit InformerListers(informers::SharedInformerFactory& f)
      : pods(f.informer(api::Kind::kPod).indexer()),
        nodes(f.informer(api::Kind::kNode).indexer()),
        namespaces(f.informer(api::Kind::kNamespace).indexer()),
        persistent_volumes(f.informer(api::Kind::kPersistentVolume).indexer()),
        persistent_volume_claims(f.informer(api::Kind::kPersistentVolumeClaim).indexer()),
        storage_classes(f.informer(api::Kind::kStorageClass).indexer()),
        csi_nodes(f.informer(api::Kind::kCSINode).indexer()),
        csi_drivers(f.informer(api::Kind::kCSIDriver).indexer()),
        csi_storage_capacities(f.informer(api::Kind::kCSIStorageCapacity).indexer()),
        volume_attachments(f.informer(api::Kind::kVolumeAttachment).indexer()),
        pod_disruption_budgets(f.informer(api::Kind::kPodDisruptionBudget).indexer()),
        services(f.informer(api::Kind::kService).indexer()),
        replication_controllers(f.informer(api::Kind::kReplicationController).indexer()),
        replica_sets(f.informer(api::Kind::kReplicaSet).indexer()),
        stateful_sets(f.informer(api::Kind::kStatefulSet).indexer()),
        resource_claims(f.informer(api::Kind::kOther).indexer()) {
    all.pods = &pods;
    all.nodes = &nodes;
    all.namespaces = &namespaces;
    all.persistent_volumes = &persistent_volumes;
    all.persistent_volume_claims = &persistent_volume_claims;
    all.storage_classes = &storage_classes;
    all.csi_nodes = &csi_nodes;
    all.csi_drivers = &csi_drivers;
    all.csi_storage_capacities = &csi_storage_capacities;
    all.volume_attachments = &volume_attachments;
    all.pod_disruption_budgets = &pod_disruption_budgets;
    all.services = &services;
    all.replication_controllers = &replication_controllers;
    all.replica_sets = &replica_sets;
    all.stateful_sets = &stateful_sets;
    all.resource_claims = &resource_claims;
  }
  InformerLister<api::Pod> pods;
  InformerLister<api::Node> nodes;
  InformerLister<api::Namespace> namespaces;
  InformerLister<api::PersistentVolume> persistent_volumes;
  InformerLister<api::PersistentVolumeClaim> persistent_volume_claims;
  InformerLister<api::StorageClass> storage_classes;
  InformerLister<api::CSINode> csi_nodes;
  InformerLister<api::CSIDriver> csi_drivers;
  InformerLister<api::CSIStorageCapacity> csi_storage_capacities;
  InformerLister<api::VolumeAttachment> volume_attachments;
  InformerLister<api::PodDisruptionBudget> pod_disruption_budgets;
  InformerLister<api::Service> services;
  InformerLister<api::ReplicationController> replication_controllers;
  InformerLister<api::ReplicaSet> replica_sets;
  InformerLister<api::StatefulSet> stateful_sets;
  InformerLister<api::OtherObject> resource_claims;
  scheduler::Listers all;
};

}  // namespace podberth::session
