// Volumes, claims and storage classes for tests, written in one breath.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/api/storage.h"
#include "tests/unit/support/builders.h"

namespace podberth::testkit {

class ClaimBuilder {
 public:
  explicit ClaimBuilder(std::string name) {
    claim_.meta.name = std::move(name);
    claim_.meta.ns = "default";
    claim_.meta.uid = "uid-" + claim_.meta.name;
    claim_.meta.resource_version = 1;
    claim_.phase = "Pending";
    claim_.spec.access_modes.emplace_back("ReadWriteOnce");
  }
  ClaimBuilder& of(std::string storage_class) {
    claim_.spec.storage_class_name = std::move(storage_class);
    return *this;
  }
  ClaimBuilder& size(std::string_view amount) {
    claim_.spec.requests.set("storage", quantity(amount));
    return *this;
  }
  ClaimBuilder& mode(std::string access_mode) {
    claim_.spec.access_modes.assign(1, std::move(access_mode));
    return *this;
  }
  ClaimBuilder& boundTo(std::string volume) {
    claim_.spec.volume_name = std::move(volume);
    claim_.meta.annotations["pv.kubernetes.io/bind-completed"] = "yes";
    claim_.phase = "Bound";
    return *this;
  }
  ClaimBuilder& annotation(const std::string& key, std::string value) {
    claim_.meta.annotations[key] = std::move(value);
    return *this;
  }
  ClaimBuilder& version(std::int64_t value) {
    claim_.meta.resource_version = value;
    return *this;
  }
  ClaimBuilder& ownedBy(std::string uid) {
    api::OwnerReference owner;
    owner.uid = std::move(uid);
    owner.controller = true;
    claim_.meta.owner_references.push_back(std::move(owner));
    return *this;
  }
  api::PersistentVolumeClaim& raw() { return claim_; }
  api::PersistentVolumeClaimPtr obj() const { return std::make_shared<api::PersistentVolumeClaim>(claim_); }

 private:
  api::PersistentVolumeClaim claim_;
};
inline ClaimBuilder makeClaim(std::string name) { return ClaimBuilder(std::move(name)); }

class VolumeBuilder {
 public:
  explicit VolumeBuilder(std::string name) {
    volume_.meta.name = std::move(name);
    volume_.meta.resource_version = 1;
    volume_.phase = "Available";
    volume_.source = "csi";
    volume_.csi_driver = "csi.example.com";
    volume_.csi_volume_handle = "h-" + volume_.meta.name;
    volume_.access_modes.emplace_back("ReadWriteOnce");
  }
  VolumeBuilder& of(std::string storage_class) {
    volume_.storage_class_name = std::move(storage_class);
    return *this;
  }
  VolumeBuilder& size(std::string_view amount) {
    volume_.capacity.set("storage", quantity(amount));
    return *this;
  }
  VolumeBuilder& on(std::string node) {
    volume_.node_affinity.emplace();
    volume_.node_affinity->terms.push_back(labelTerm("kubernetes.io/hostname", "In", {std::move(node)}));
    return *this;
  }
  VolumeBuilder& label(std::string_view key, std::string_view value) {
    volume_.meta.labels.set(key, value);
    return *this;
  }
  VolumeBuilder& inTree(std::string source, std::string id) {
    volume_.source = std::move(source);
    volume_.in_tree_id = std::move(id);
    volume_.csi_driver.clear();
    volume_.csi_volume_handle.clear();
    return *this;
  }
  VolumeBuilder& meantFor(std::string claim, std::string uid = {}) {
    volume_.claim_ref.emplace();
    volume_.claim_ref->ns = "default";
    volume_.claim_ref->name = std::move(claim);
    volume_.claim_ref->uid = std::move(uid);
    return *this;
  }
  api::PersistentVolume& raw() { return volume_; }
  api::PersistentVolumePtr obj() const { return std::make_shared<api::PersistentVolume>(volume_); }

 private:
  api::PersistentVolume volume_;
};
inline VolumeBuilder makeVolume(std::string name) { return VolumeBuilder(std::move(name)); }

inline std::shared_ptr<api::StorageClass> makeClass(std::string name, std::string mode = "WaitForFirstConsumer",
                                                    std::string provisioner = "csi.example.com") {
  auto c = std::make_shared<api::StorageClass>();
  c->meta.name = std::move(name);
  c->volume_binding_mode = std::move(mode);
  c->provisioner = std::move(provisioner);
  return c;
}

inline std::shared_ptr<api::CSINode> makeCSINode(std::string name, const std::string& driver, std::int32_t count) {
  auto n = std::make_shared<api::CSINode>();
  n->meta.name = std::move(name);
  n->drivers.emplace_back();
  n->drivers.back().name = driver;
  n->drivers.back().count = count;
  return n;
}

// A pod with volumes of these claims.
inline PodBuilder podWith(std::string name, const std::vector<std::string>& claims) {
  PodBuilder pod(std::move(name));
  for (const std::string& claim : claims) {
    api::Volume v;
    v.name = "v-" + claim;
    v.persistent_volume_claim.emplace();
    v.persistent_volume_claim->claim_name = claim;
    v.sources.emplace_back("persistentVolumeClaim");
    v.rest = "{\"persistentVolumeClaim\":{\"claimName\":\"" + claim + "\"}}";
    pod.raw().spec.volumes.push_back(std::move(v));
  }
  return pod;
}
inline api::Volume ephemeralVolume(std::string name) {
  api::Volume v;
  v.name = std::move(name);
  v.ephemeral = std::make_shared<api::PersistentVolumeClaimSpec>();
  v.sources.emplace_back("ephemeral");
  return v;
}
inline api::Volume gceDisk(std::string disk, bool read_only = false) {
  api::Volume v;
  v.name = "disk";
  v.gce_persistent_disk.emplace();
  v.gce_persistent_disk->pd_name = std::move(disk);
  v.gce_persistent_disk->read_only = read_only;
  v.sources.emplace_back("gcePersistentDisk");
  return v;
}
inline api::Volume ebsDisk(std::string id, bool read_only = false) {
  api::Volume v;
  v.name = "disk";
  v.aws_elastic_block_store.emplace();
  v.aws_elastic_block_store->volume_id = std::move(id);
  v.aws_elastic_block_store->read_only = read_only;
  v.sources.emplace_back("awsElasticBlockStore");
  return v;
}

}  // namespace podberth::testkit
