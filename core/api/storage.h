// Volumes, claims, storage classes and what CSI drivers publish, as far as the scheduler looks at them.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/api/meta.h"
#include "core/api/node_selector.h"
#include "core/api/resources.h"

namespace podberth::api {

struct ObjectReference {
  std::string kind;
  std::string ns;
  std::string name;
  std::string uid;
  friend bool operator==(const ObjectReference& a, const ObjectReference& b) {
    return a.kind == b.kind && a.ns == b.ns && a.name == b.name && a.uid == b.uid;
  }
};

struct PersistentVolumeClaimSpec {
  std::vector<std::string> access_modes;
  std::optional<LabelSelector> selector;
  ResourceList requests;
  std::string volume_name;
  std::optional<std::string> storage_class_name;
  std::optional<std::string> volume_mode;
  std::optional<std::string> volume_attributes_class_name;
  std::string rest;
};

struct PersistentVolumeClaim : Object {
  static constexpr Kind kKind = Kind::kPersistentVolumeClaim;
  PersistentVolumeClaim() : Object(Kind::kPersistentVolumeClaim) {}
  PersistentVolumeClaimSpec spec;
  std::string phase;  // Pending, Bound, Lost
  std::string status_rest;
};
using PersistentVolumeClaimPtr = std::shared_ptr<const PersistentVolumeClaim>;

struct PersistentVolume : Object {
  static constexpr Kind kKind = Kind::kPersistentVolume;
  PersistentVolume() : Object(Kind::kPersistentVolume) {}
  ResourceList capacity;
  std::vector<std::string> access_modes;
  std::optional<ObjectReference> claim_ref;
  std::string storage_class_name;
  std::optional<std::string> volume_mode;
  std::optional<std::string> volume_attributes_class_name;
  std::optional<NodeSelector> node_affinity;  // nodeAffinity.required
  // The source: its JSON name ("csi", "local", "hostPath", "awsElasticBlockStore", "gcePersistentDisk", ...).
  std::string source;
  std::string csi_driver;         // of csi
  std::string csi_volume_handle;  // of csi
  std::string in_tree_id;         // volumeID, pdName, diskName... of an in-tree source
  std::string phase;
  std::string spec_rest;
  std::string status_rest;
};
using PersistentVolumePtr = std::shared_ptr<const PersistentVolume>;

struct TopologySelectorTerm {
  struct Requirement {
    std::string key;
    std::vector<std::string> values;
    friend bool operator==(const Requirement& a, const Requirement& b) {
      return a.key == b.key && a.values == b.values;
    }
  };
  std::vector<Requirement> match_label_expressions;
  friend bool operator==(const TopologySelectorTerm& a, const TopologySelectorTerm& b) {
    return a.match_label_expressions == b.match_label_expressions;
  }
};

struct StorageClass : Object {
  static constexpr Kind kKind = Kind::kStorageClass;
  StorageClass() : Object(Kind::kStorageClass) {}
  std::string provisioner;
  std::optional<std::string> volume_binding_mode;  // Immediate, WaitForFirstConsumer
  std::vector<TopologySelectorTerm> allowed_topologies;
};

struct CSINodeDriver {
  std::string name;
  std::string node_id;
  std::vector<std::string> topology_keys;
  std::optional<std::int32_t> count;  // allocatable.count
  friend bool operator==(const CSINodeDriver& a, const CSINodeDriver& b) {
    return a.name == b.name && a.node_id == b.node_id && a.topology_keys == b.topology_keys && a.count == b.count;
  }
};

struct CSINode : Object {
  static constexpr Kind kKind = Kind::kCSINode;
  CSINode() : Object(Kind::kCSINode) {}
  std::vector<CSINodeDriver> drivers;
};

struct CSIDriver : Object {
  static constexpr Kind kKind = Kind::kCSIDriver;
  CSIDriver() : Object(Kind::kCSIDriver) {}
  std::optional<bool> attach_required;
  std::optional<bool> storage_capacity;
  std::optional<bool> prevent_pod_scheduling_if_missing;
};

struct CSIStorageCapacity : Object {
  static constexpr Kind kKind = Kind::kCSIStorageCapacity;
  CSIStorageCapacity() : Object(Kind::kCSIStorageCapacity) {}
  std::optional<LabelSelector> node_topology;
  std::string storage_class_name;
  std::optional<Quantity> capacity;
  std::optional<Quantity> maximum_volume_size;
};

struct VolumeAttachment : Object {
  static constexpr Kind kKind = Kind::kVolumeAttachment;
  VolumeAttachment() : Object(Kind::kVolumeAttachment) {}
  std::string attacher;
  std::string node_name;
  std::optional<std::string> persistent_volume_name;
  std::string inline_rest;  // source.inlineVolumeSpec as canonical JSON
  std::string inline_csi_driver;
  std::string inline_csi_volume_handle;
};

}  // namespace podberth::api
