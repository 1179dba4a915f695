#include "core/scheduler/plugins/helper/volumes.h"

#include "core/scheduler/plugins/helper/sign.h"

namespace podberth::scheduler::plugins {
namespace {

constexpr const char* kBetaStorageClass = "volume.beta.kubernetes.io/storage-class";
const std::string kNone;

const std::string* betaClass(const api::ObjectMeta& meta) {
  const auto it = meta.annotations.find(kBetaStorageClass);
  return it == meta.annotations.end() ? nullptr : &it->second;
}

bool isControlledBy(const api::ObjectMeta& meta, const api::Pod& pod) {
  for (const api::OwnerReference& owner : meta.owner_references) {
    if (owner.controller.value_or(false)) return owner.uid == pod.meta.uid;
  }
  return false;
}

}  // namespace

const std::string& storageClassOf(const api::PersistentVolumeClaim& claim) {
  if (const std::string* beta = betaClass(claim.meta)) return *beta;
  return claim.spec.storage_class_name ? *claim.spec.storage_class_name : kNone;
}

const std::string& storageClassOf(const api::PersistentVolume& volume) {
  const std::string* beta = betaClass(volume.meta);
  return beta != nullptr ? *beta : volume.storage_class_name;
}

std::optional<UsedClaim> usedClaim(const api::Pod& pod, const api::Volume& volume) {
  UsedClaim used;
  if (volume.persistent_volume_claim) {
    used.name = volume.persistent_volume_claim->claim_name;
    return used;
  }
  if (volume.ephemeral == nullptr) return std::nullopt;
  used.name = pod.meta.name + "-" + volume.name;
  used.ephemeral = true;
  return used;
}

bool usesClaim(const api::Pod& pod, const api::PersistentVolumeClaim& claim, bool with_ephemeral) {
  if (pod.meta.ns != claim.meta.ns) return false;
  for (const api::Volume& volume : pod.spec.volumes) {
    const std::optional<UsedClaim> used = usedClaim(pod, volume);
    if (used && (with_ephemeral || !used->ephemeral) && used->name == claim.meta.name) return true;
  }
  return false;
}

std::string whyNotForPod(const api::Pod& pod, const api::PersistentVolumeClaim& claim) {
  if (claim.meta.ns == pod.meta.ns && isControlledBy(claim.meta, pod)) return {};
  return "PVC " + claim.meta.ns + "/" + claim.meta.name + " was not created for pod " + pod.meta.ns + "/" +
         pod.meta.name + " (pod is not owner)";
}

std::string notFoundText(std::string_view resource, std::string_view name) {
  return std::string(resource) + " \"" + std::string(name) + "\" not found";
}

std::vector<SignFragment> signVolumes(const api::Pod& pod, bool& signable) {
  signable = true;
  return {{std::string(sign::kVolumes), sign::volumes(pod)}};
}

}  // namespace podberth::scheduler::plugins
