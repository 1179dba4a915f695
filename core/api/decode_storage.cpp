#include <array>

#include "core/api/decode_kinds.h"
#include "core/api/storage.h"

namespace podberth::api {
namespace {

using Json = nlohmann::json;

// The members of PersistentVolumeSource.
constexpr std::array<const char*, 21> kVolumeSources = {
    "gcePersistentDisk",
    "awsElasticBlockStore",
    "hostPath",
    "glusterfs",
    "nfs",
    "rbd",
    "iscsi",
    "cinder",
    "cephfs",
    "fc",
    "flocker",
    "flexVolume",
    "azureFile",
    "vsphereVolume",
    "quobyte",
    "azureDisk",
    "photonPersistentDisk",
    "portworxVolume",
    "scaleIO",
    "local",
    "storageos",
};
// Where in-tree sources keep the id of their disk.
constexpr std::array<const char*, 6> kDiskIds = {"volumeID", "pdName", "diskName", "volumePath", "shareName", "path"};

std::string textIn(const Json& object, const char* key) {
  const auto it = object.find(key);
  return it != object.end() && it->is_string() ? it->get<std::string>() : std::string();
}

// Puts what is left of a child back, so that the parent's rest holds it.
void putBack(Json& rest, const char* key, const Json& left) {
  if (!left.empty()) rest[key] = left;
}

void decodeSource(const Json& spec, PersistentVolume& pv) {
  if (const auto csi = spec.find("csi"); csi != spec.end()) {
    pv.source = "csi";
    pv.csi_driver = textIn(*csi, "driver");
    pv.csi_volume_handle = textIn(*csi, "volumeHandle");
    return;
  }
  for (const char* name : kVolumeSources) {
    const auto source = spec.find(name);
    if (source == spec.end()) continue;
    pv.source = name;
    for (const char* id : kDiskIds) {
      pv.in_tree_id = textIn(*source, id);
      if (!pv.in_tree_id.empty()) return;
    }
    return;
  }
}

std::optional<Quantity> quantityOf(Fields& f, const char* key) {
  const std::optional<std::string> text = f.maybeText(key);
  return text ? Quantity::parse(*text) : std::nullopt;
}

}  // namespace

PersistentVolumeClaimSpec decodeClaimSpec(Fields f) {
  PersistentVolumeClaimSpec s;
  s.access_modes = f.texts("accessModes");
  s.selector = f.selector("selector");
  Fields resources = f.child("resources");
  s.requests = resources.resources("requests");
  s.volume_name = f.text("volumeName");
  s.storage_class_name = f.maybeText("storageClassName");
  s.volume_mode = f.maybeText("volumeMode");
  s.volume_attributes_class_name = f.maybeText("volumeAttributesClassName");
  Json rest = f.json();
  putBack(rest, "resources", resources.json());
  s.rest = canonical(rest);
  return s;
}

std::shared_ptr<Object> decodePersistentVolumeClaim(Fields& object) {
  auto claim = std::make_shared<PersistentVolumeClaim>();
  claim->spec = decodeClaimSpec(object.child("spec"));
  Fields status = object.child("status");
  claim->phase = status.text("phase");
  claim->status_rest = status.rest(false);
  claim->rest = object.rest(true);
  return claim;
}

std::shared_ptr<Object> decodePersistentVolume(Fields& object) {
  auto pv = std::make_shared<PersistentVolume>();
  Fields spec = object.child("spec");
  pv->capacity = spec.resources("capacity");
  pv->access_modes = spec.texts("accessModes");
  Json claim_rest;
  if (spec.has("claimRef")) {
    Fields f = spec.child("claimRef");
    ObjectReference ref;
    ref.kind = f.text("kind");
    ref.ns = f.text("namespace");
    ref.name = f.text("name");
    ref.uid = f.text("uid");
    pv->claim_ref = std::move(ref);
    claim_rest = f.json();
  }
  pv->storage_class_name = spec.text("storageClassName");
  pv->volume_mode = spec.maybeText("volumeMode");
  pv->volume_attributes_class_name = spec.maybeText("volumeAttributesClassName");
  pv->node_affinity = spec.child("nodeAffinity").nodeSelector("required");
  decodeSource(spec.json(), *pv);
  Json rest = spec.json();
  putBack(rest, "claimRef", claim_rest);
  pv->spec_rest = canonical(rest);
  Fields status = object.child("status");
  pv->phase = status.text("phase");
  pv->status_rest = status.rest(false);
  pv->rest = object.rest(true);
  return pv;
}

std::shared_ptr<Object> decodeStorageClass(Fields& object) {
  auto sc = std::make_shared<StorageClass>();
  sc->provisioner = object.text("provisioner");
  sc->volume_binding_mode = object.maybeText("volumeBindingMode");
  object.forEach("allowedTopologies", [&](Fields f) {
    TopologySelectorTerm term;
    f.forEach("matchLabelExpressions", [&](Fields e) {
      TopologySelectorTerm::Requirement r;
      r.key = e.text("key");
      r.values = e.texts("values");
      term.match_label_expressions.push_back(std::move(r));
    });
    sc->allowed_topologies.push_back(std::move(term));
  });
  sc->rest = object.rest(false);
  return sc;
}

std::shared_ptr<Object> decodeCSINode(Fields& object) {
  auto node = std::make_shared<CSINode>();
  object.child("spec").forEach("drivers", [&](Fields f) {
    CSINodeDriver d;
    d.name = f.text("name");
    d.node_id = f.text("nodeID");
    d.topology_keys = f.texts("topologyKeys");
    d.count = f.child("allocatable").maybeInteger32("count");
    node->drivers.push_back(std::move(d));
  });
  node->rest = object.rest(false);
  return node;
}

std::shared_ptr<Object> decodeCSIDriver(Fields& object) {
  auto driver = std::make_shared<CSIDriver>();
  Fields spec = object.child("spec");
  driver->attach_required = spec.maybeFlag("attachRequired");
  driver->storage_capacity = spec.maybeFlag("storageCapacity");
  driver->prevent_pod_scheduling_if_missing = spec.maybeFlag("preventPodSchedulingIfMissing");
  Json rest = object.json();
  putBack(rest, "spec", spec.json());
  driver->rest = canonical(rest);
  return driver;
}

std::shared_ptr<Object> decodeCSIStorageCapacity(Fields& object) {
  auto capacity = std::make_shared<CSIStorageCapacity>();
  capacity->node_topology = object.selector("nodeTopology");
  capacity->storage_class_name = object.text("storageClassName");
  capacity->capacity = quantityOf(object, "capacity");
  capacity->maximum_volume_size = quantityOf(object, "maximumVolumeSize");
  capacity->rest = object.rest(false);
  return capacity;
}

std::shared_ptr<Object> decodeVolumeAttachment(Fields& object) {
  auto attachment = std::make_shared<VolumeAttachment>();
  Fields spec = object.child("spec");
  attachment->attacher = spec.text("attacher");
  attachment->node_name = spec.text("nodeName");
  Fields source = spec.child("source");
  attachment->persistent_volume_name = source.maybeText("persistentVolumeName");
  const Json inline_spec = source.take("inlineVolumeSpec");
  if (inline_spec.is_object()) {
    attachment->inline_rest = inline_spec.empty() ? "{}" : canonical(inline_spec);
    if (const auto csi = inline_spec.find("csi"); csi != inline_spec.end()) {
      attachment->inline_csi_driver = textIn(*csi, "driver");
      attachment->inline_csi_volume_handle = textIn(*csi, "volumeHandle");
    }
  }
  attachment->rest = object.rest(false);
  return attachment;
}

}  // namespace podberth::api
