#include <memory>

#include "core/api/decode.h"
#include "core/api/node.h"
#include "core/api/pod.h"
#include "core/api/storage.h"
#include "core/api/workload.h"

namespace podberth::api {
namespace {

bool same(const ObjectMeta& a, const ObjectMeta& b) {
  return a.name == b.name && a.generate_name == b.generate_name && a.ns == b.ns && a.uid == b.uid &&
         a.generation == b.generation && a.creation_timestamp == b.creation_timestamp &&
         a.deletion_timestamp == b.deletion_timestamp &&
         a.deletion_grace_period_seconds == b.deletion_grace_period_seconds && a.labels == b.labels &&
         a.annotations == b.annotations && a.owner_references == b.owner_references && a.finalizers == b.finalizers;
}

bool same(const PodSpec& a, const PodSpec& b) {
  return a.node_name == b.node_name && a.scheduler_name == b.scheduler_name && a.priority == b.priority &&
         a.priority_class_name == b.priority_class_name && a.preemption_policy == b.preemption_policy &&
         a.node_selector == b.node_selector && a.affinity == b.affinity && a.tolerations == b.tolerations &&
         a.topology_spread_constraints == b.topology_spread_constraints && a.containers == b.containers &&
         a.init_containers == b.init_containers && a.ephemeral_containers == b.ephemeral_containers &&
         a.overhead == b.overhead && a.resources == b.resources && a.volumes == b.volumes &&
         a.scheduling_gates == b.scheduling_gates && a.resource_claims == b.resource_claims &&
         a.pod_group == b.pod_group && a.os_name == b.os_name && a.restart_policy == b.restart_policy &&
         a.dns_policy == b.dns_policy && a.termination_grace_period_seconds == b.termination_grace_period_seconds &&
         a.active_deadline_seconds == b.active_deadline_seconds && a.host_network == b.host_network && a.rest == b.rest;
}

bool same(const PodStatus& a, const PodStatus& b) {
  return a.phase == b.phase && a.conditions == b.conditions && a.nominated_node_name == b.nominated_node_name &&
         a.start_time == b.start_time && a.qos_class == b.qos_class && a.container_statuses == b.container_statuses &&
         a.init_container_statuses == b.init_container_statuses && a.resources == b.resources &&
         a.allocated_resources == b.allocated_resources && a.observed_generation == b.observed_generation &&
         a.rest == b.rest;
}

bool same(const Pod& a, const Pod& b) { return same(a.spec, b.spec) && same(a.status, b.status); }

bool same(const Node& a, const Node& b) {
  return a.spec.unschedulable == b.spec.unschedulable && a.spec.taints == b.spec.taints &&
         a.spec.provider_id == b.spec.provider_id && a.spec.pod_cidrs == b.spec.pod_cidrs &&
         a.spec.rest == b.spec.rest && a.status.capacity == b.status.capacity &&
         a.status.allocatable == b.status.allocatable && a.status.conditions == b.status.conditions &&
         a.status.images == b.status.images && a.status.declared_features == b.status.declared_features &&
         a.status.rest == b.status.rest;
}

bool same(const Namespace&, const Namespace&) { return true; }

bool same(const PriorityClass& a, const PriorityClass& b) {
  return a.value == b.value && a.global_default == b.global_default && a.preemption_policy == b.preemption_policy;
}

bool same(const PersistentVolumeClaim& a, const PersistentVolumeClaim& b) {
  const PersistentVolumeClaimSpec &x = a.spec, &y = b.spec;
  return x.access_modes == y.access_modes && x.selector == y.selector && x.requests == y.requests &&
         x.volume_name == y.volume_name && x.storage_class_name == y.storage_class_name &&
         x.volume_mode == y.volume_mode && x.volume_attributes_class_name == y.volume_attributes_class_name &&
         x.rest == y.rest && a.phase == b.phase && a.status_rest == b.status_rest;
}

bool same(const PersistentVolume& a, const PersistentVolume& b) {
  return a.capacity == b.capacity && a.access_modes == b.access_modes && a.claim_ref == b.claim_ref &&
         a.storage_class_name == b.storage_class_name && a.volume_mode == b.volume_mode &&
         a.volume_attributes_class_name == b.volume_attributes_class_name && a.node_affinity == b.node_affinity &&
         a.phase == b.phase && a.spec_rest == b.spec_rest && a.status_rest == b.status_rest;
}

bool same(const StorageClass& a, const StorageClass& b) {
  return a.provisioner == b.provisioner && a.volume_binding_mode == b.volume_binding_mode &&
         a.allowed_topologies == b.allowed_topologies;
}

bool same(const CSINode& a, const CSINode& b) { return a.drivers == b.drivers; }

bool same(const CSIDriver& a, const CSIDriver& b) {
  return a.attach_required == b.attach_required && a.storage_capacity == b.storage_capacity &&
         a.prevent_pod_scheduling_if_missing == b.prevent_pod_scheduling_if_missing;
}

bool same(const CSIStorageCapacity& a, const CSIStorageCapacity& b) {
  return a.node_topology == b.node_topology && a.storage_class_name == b.storage_class_name &&
         a.capacity == b.capacity && a.maximum_volume_size == b.maximum_volume_size;
}

bool same(const VolumeAttachment& a, const VolumeAttachment& b) {
  return a.attacher == b.attacher && a.node_name == b.node_name &&
         a.persistent_volume_name == b.persistent_volume_name && a.inline_rest == b.inline_rest;
}

bool same(const PodDisruptionBudget& a, const PodDisruptionBudget& b) {
  return a.selector == b.selector && a.disruptions_allowed == b.disruptions_allowed &&
         a.disrupted_pods == b.disrupted_pods && a.spec_rest == b.spec_rest && a.status_rest == b.status_rest;
}

bool same(const Service& a, const Service& b) { return a.selector == b.selector && a.spec_rest == b.spec_rest; }
bool same(const ReplicationController& a, const ReplicationController& b) {
  return a.selector == b.selector && a.spec_rest == b.spec_rest;
}
bool same(const ReplicaSet& a, const ReplicaSet& b) { return a.selector == b.selector && a.spec_rest == b.spec_rest; }
bool same(const StatefulSet& a, const StatefulSet& b) { return a.selector == b.selector && a.spec_rest == b.spec_rest; }
bool same(const Deployment& a, const Deployment& b) { return a.selector == b.selector && a.spec_rest == b.spec_rest; }
bool same(const DaemonSet& a, const DaemonSet& b) { return a.selector == b.selector && a.spec_rest == b.spec_rest; }
bool same(const Job& a, const Job& b) { return a.selector == b.selector && a.spec_rest == b.spec_rest; }
bool same(const OtherObject& a, const OtherObject& b) { return a.kind_name == b.kind_name; }

// Calls `f` with the object as what it is.
template <class F>
auto visit(const Object& object, const F& f) {
  switch (object.kind) {
    case Kind::kPod:
      return f(static_cast<const Pod&>(object));
    case Kind::kNode:
      return f(static_cast<const Node&>(object));
    case Kind::kNamespace:
      return f(static_cast<const Namespace&>(object));
    case Kind::kPriorityClass:
      return f(static_cast<const PriorityClass&>(object));
    case Kind::kPersistentVolume:
      return f(static_cast<const PersistentVolume&>(object));
    case Kind::kPersistentVolumeClaim:
      return f(static_cast<const PersistentVolumeClaim&>(object));
    case Kind::kStorageClass:
      return f(static_cast<const StorageClass&>(object));
    case Kind::kCSINode:
      return f(static_cast<const CSINode&>(object));
    case Kind::kCSIDriver:
      return f(static_cast<const CSIDriver&>(object));
    case Kind::kCSIStorageCapacity:
      return f(static_cast<const CSIStorageCapacity&>(object));
    case Kind::kVolumeAttachment:
      return f(static_cast<const VolumeAttachment&>(object));
    case Kind::kPodDisruptionBudget:
      return f(static_cast<const PodDisruptionBudget&>(object));
    case Kind::kService:
      return f(static_cast<const Service&>(object));
    case Kind::kReplicationController:
      return f(static_cast<const ReplicationController&>(object));
    case Kind::kReplicaSet:
      return f(static_cast<const ReplicaSet&>(object));
    case Kind::kStatefulSet:
      return f(static_cast<const StatefulSet&>(object));
    case Kind::kDeployment:
      return f(static_cast<const Deployment&>(object));
    case Kind::kDaemonSet:
      return f(static_cast<const DaemonSet&>(object));
    case Kind::kJob:
      return f(static_cast<const Job&>(object));
    case Kind::kOther:
      break;
  }
  return f(static_cast<const OtherObject&>(object));
}

struct SameAs {
  const Object& other;
  template <class T>
  bool operator()(const T& object) const {
    return same(object, static_cast<const T&>(other));
  }
};

struct Copy {
  template <class T>
  std::shared_ptr<Object> operator()(const T& object) const {
    return std::make_shared<T>(object);
  }
};

}  // namespace

bool semanticallyEqual(const Object& a, const Object& b) {
  return a.kind == b.kind && same(a.meta, b.meta) && a.rest == b.rest && visit(a, SameAs{b});
}

std::shared_ptr<Object> clone(const Object& object) { return visit(object, Copy{}); }

}  // namespace podberth::api
