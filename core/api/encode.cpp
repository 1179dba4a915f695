#include "core/api/encode.h"

#include <utility>

#include "core/api/encode_pod.h"
#include "core/api/json_writer.h"
#include "core/api/node.h"
#include "core/api/workload.h"

namespace podberth::api {
namespace {

Json encodeMeta(const ObjectMeta& m, Json out) {
  put(out, "name", m.name);
  put(out, "generateName", m.generate_name);
  put(out, "namespace", m.ns);
  put(out, "uid", m.uid);
  if (m.resource_version != 0) out["resourceVersion"] = std::to_string(m.resource_version);
  putNumber(out, "generation", m.generation);
  putTime(out, "creationTimestamp", m.creation_timestamp);
  putTime(out, "deletionTimestamp", m.deletion_timestamp);
  putNumber(out, "deletionGracePeriodSeconds", m.deletion_grace_period_seconds);
  put(out, "labels", m.labels);
  if (!m.annotations.empty()) out["annotations"] = m.annotations;
  putList(out, "ownerReferences", m.owner_references, [](const OwnerReference& r) {
    Json ref = Json::object();
    put(ref, "apiVersion", r.api_version);
    put(ref, "kind", r.kind);
    put(ref, "name", r.name);
    put(ref, "uid", r.uid);
    putFlag(ref, "controller", r.controller);
    putFlag(ref, "blockOwnerDeletion", r.block_owner_deletion);
    return ref;
  });
  put(out, "finalizers", m.finalizers);
  return out;
}

void encodeNode(const Node& n, Json& out) {
  Json spec = fromRest(n.spec.rest);
  putFlag(spec, "unschedulable", n.spec.unschedulable);
  putList(spec, "taints", n.spec.taints, [](const Taint& t) {
    Json taint = Json::object();
    put(taint, "key", t.key);
    put(taint, "value", t.value);
    put(taint, "effect", t.effect);
    putTime(taint, "timeAdded", t.time_added);
    return taint;
  });
  put(spec, "providerID", n.spec.provider_id);
  put(spec, "podCIDRs", n.spec.pod_cidrs);
  Json status = fromRest(n.status.rest);
  put(status, "capacity", n.status.capacity);
  put(status, "allocatable", n.status.allocatable);
  putList(status, "conditions", n.status.conditions, [](const NodeCondition& c) {
    Json condition = fromRest(c.rest);
    put(condition, "type", c.type);
    put(condition, "status", c.status);
    put(condition, "reason", c.reason);
    return condition;
  });
  putList(status, "images", n.status.images, [](const ContainerImage& i) {
    Json image = Json::object();
    put(image, "names", i.names);
    putNumber(image, "sizeBytes", i.size_bytes);
    return image;
  });
  put(status, "declaredFeatures", n.status.declared_features);
  putJson(out, "spec", std::move(spec));
  putJson(out, "status", std::move(status));
}

void encodePriorityClass(const PriorityClass& p, Json& out) {
  putNumber(out, "value", p.value);
  putFlag(out, "globalDefault", p.global_default);
  put(out, "preemptionPolicy", p.preemption_policy);
}

void encodeClaim(const PersistentVolumeClaim& c, Json& out) {
  Json status = fromRest(c.status_rest);
  put(status, "phase", c.phase);
  putJson(out, "spec", encodeClaimSpec(c.spec));
  putJson(out, "status", std::move(status));
}

void encodeVolume(const PersistentVolume& v, Json& out) {
  Json spec = fromRest(v.spec_rest);
  put(spec, "capacity", v.capacity);
  put(spec, "accessModes", v.access_modes);
  Json ref = spec.value("claimRef", Json::object());
  spec.erase("claimRef");
  if (v.claim_ref) {
    put(ref, "kind", v.claim_ref->kind);
    put(ref, "namespace", v.claim_ref->ns);
    put(ref, "name", v.claim_ref->name);
    put(ref, "uid", v.claim_ref->uid);
    spec["claimRef"] = std::move(ref);
  }
  put(spec, "storageClassName", v.storage_class_name);
  put(spec, "volumeMode", v.volume_mode);
  put(spec, "volumeAttributesClassName", v.volume_attributes_class_name);
  if (v.node_affinity) {
    Json affinity = Json::object();
    put(affinity, "required", v.node_affinity);
    spec["nodeAffinity"] = std::move(affinity);
  }
  Json status = fromRest(v.status_rest);
  put(status, "phase", v.phase);
  putJson(out, "spec", std::move(spec));
  putJson(out, "status", std::move(status));
}

void encodeStorageClass(const StorageClass& s, Json& out) {
  put(out, "provisioner", s.provisioner);
  put(out, "volumeBindingMode", s.volume_binding_mode);
  putList(out, "allowedTopologies", s.allowed_topologies, [](const TopologySelectorTerm& t) {
    Json term = Json::object();
    putList(term, "matchLabelExpressions", t.match_label_expressions, [](const TopologySelectorTerm::Requirement& r) {
      Json requirement = Json::object();
      put(requirement, "key", r.key);
      put(requirement, "values", r.values);
      return requirement;
    });
    return term;
  });
}

void encodeCSINode(const CSINode& n, Json& out) {
  Json spec = Json::object();
  putList(spec, "drivers", n.drivers, [](const CSINodeDriver& d) {
    Json driver = Json::object();
    put(driver, "name", d.name);
    put(driver, "nodeID", d.node_id);
    put(driver, "topologyKeys", d.topology_keys);
    if (d.count) driver["allocatable"]["count"] = *d.count;
    return driver;
  });
  putJson(out, "spec", std::move(spec));
}

void encodeCSIDriver(const CSIDriver& d, Json& out) {
  Json spec = out.value("spec", Json::object());
  putFlag(spec, "attachRequired", d.attach_required);
  putFlag(spec, "storageCapacity", d.storage_capacity);
  putFlag(spec, "preventPodSchedulingIfMissing", d.prevent_pod_scheduling_if_missing);
  putJson(out, "spec", std::move(spec));
}

void encodeCapacity(const CSIStorageCapacity& c, Json& out) {
  put(out, "nodeTopology", c.node_topology);
  put(out, "storageClassName", c.storage_class_name);
  if (c.capacity) out["capacity"] = c.capacity->str();
  if (c.maximum_volume_size) out["maximumVolumeSize"] = c.maximum_volume_size->str();
}

void encodeAttachment(const VolumeAttachment& a, Json& out) {
  Json source = Json::object();
  put(source, "persistentVolumeName", a.persistent_volume_name);
  if (!a.inline_rest.empty()) source["inlineVolumeSpec"] = fromRest(a.inline_rest);
  Json spec = Json::object();
  put(spec, "attacher", a.attacher);
  put(spec, "nodeName", a.node_name);
  putJson(spec, "source", std::move(source));
  putJson(out, "spec", std::move(spec));
}

void encodeBudget(const PodDisruptionBudget& b, Json& out) {
  Json spec = fromRest(b.spec_rest);
  put(spec, "selector", b.selector);
  Json status = fromRest(b.status_rest);
  putNumber(status, "disruptionsAllowed", b.disruptions_allowed);
  Json disrupted = Json::object();
  for (const auto& [pod, at] : b.disrupted_pods) {
    disrupted[pod] = at == 0 ? Json() : Json(clock::formatRfc3339(at));  // 0: no time was given
  }
  putJson(status, "disruptedPods", std::move(disrupted));
  putJson(out, "spec", std::move(spec));
  putJson(out, "status", std::move(status));
}

// Services and the controllers of pods have a selector and a spec that is kept as text.
template <class T>
void encodeSelecting(const T& object, Json& out) {
  Json spec = fromRest(object.spec_rest);
  put(spec, "selector", object.selector);
  putJson(out, "spec", std::move(spec));
}

}  // namespace

Json encodeClaimSpec(const PersistentVolumeClaimSpec& s) {
  Json out = fromRest(s.rest);
  put(out, "accessModes", s.access_modes);
  put(out, "selector", s.selector);
  Json resources = out.value("resources", Json::object());
  put(resources, "requests", s.requests);
  putJson(out, "resources", std::move(resources));
  put(out, "volumeName", s.volume_name);
  put(out, "storageClassName", s.storage_class_name);
  put(out, "volumeMode", s.volume_mode);
  put(out, "volumeAttributesClassName", s.volume_attributes_class_name);
  return out;
}

Json encode(const Object& object) {
  Json out = fromRest(object.rest);
  put(out, "kind", object.kind_name.empty() ? std::string(kindName(object.kind)) : object.kind_name);
  put(out, "apiVersion", object.api_version);
  putJson(out, "metadata", encodeMeta(object.meta, out.value("metadata", Json::object())));
  switch (object.kind) {
    case Kind::kPod:
      encodePod(static_cast<const Pod&>(object), out);
      break;
    case Kind::kNode:
      encodeNode(static_cast<const Node&>(object), out);
      break;
    case Kind::kPriorityClass:
      encodePriorityClass(static_cast<const PriorityClass&>(object), out);
      break;
    case Kind::kPersistentVolume:
      encodeVolume(static_cast<const PersistentVolume&>(object), out);
      break;
    case Kind::kPersistentVolumeClaim:
      encodeClaim(static_cast<const PersistentVolumeClaim&>(object), out);
      break;
    case Kind::kStorageClass:
      encodeStorageClass(static_cast<const StorageClass&>(object), out);
      break;
    case Kind::kCSINode:
      encodeCSINode(static_cast<const CSINode&>(object), out);
      break;
    case Kind::kCSIDriver:
      encodeCSIDriver(static_cast<const CSIDriver&>(object), out);
      break;
    case Kind::kCSIStorageCapacity:
      encodeCapacity(static_cast<const CSIStorageCapacity&>(object), out);
      break;
    case Kind::kVolumeAttachment:
      encodeAttachment(static_cast<const VolumeAttachment&>(object), out);
      break;
    case Kind::kPodDisruptionBudget:
      encodeBudget(static_cast<const PodDisruptionBudget&>(object), out);
      break;
    case Kind::kService:
      encodeSelecting(static_cast<const Service&>(object), out);
      break;
    case Kind::kReplicationController:
      encodeSelecting(static_cast<const ReplicationController&>(object), out);
      break;
    case Kind::kReplicaSet:
      encodeSelecting(static_cast<const ReplicaSet&>(object), out);
      break;
    case Kind::kStatefulSet:
      encodeSelecting(static_cast<const StatefulSet&>(object), out);
      break;
    case Kind::kDeployment:
      encodeSelecting(static_cast<const Deployment&>(object), out);
      break;
    case Kind::kDaemonSet:
      encodeSelecting(static_cast<const DaemonSet&>(object), out);
      break;
    case Kind::kJob:
      encodeSelecting(static_cast<const Job&>(object), out);
      break;
    case Kind::kNamespace:
    case Kind::kOther:
      break;
  }
  return out;
}

}  // namespace podberth::api
