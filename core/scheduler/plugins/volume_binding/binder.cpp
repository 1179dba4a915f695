#include "core/scheduler/plugins/volume_binding/binder.h"

#include <algorithm>

#include "core/api/go_text.h"
#include "core/scheduler/plugins/helper/csi_translation.h"
#include "core/scheduler/preemption/go_sort.h"

namespace podberth::scheduler::plugins {
namespace {

using api::go::quote;

constexpr const char* kNoProvisioner = "kubernetes.io/no-provisioner";
constexpr AssumedKind kClaimsResource{"persistentvolumeclaims", "v1.PersistentVolumeClaim"};
constexpr AssumedKind kVolumesResource{"persistentvolumes", "v1.PersistentVolume"};

bool isFullyBound(const api::PersistentVolumeClaim& claim) {
  return !claim.spec.volume_name.empty() && claim.meta.annotations.count(kBindCompletedAnnotation) != 0;
}

std::string affinityMismatch(const api::PersistentVolume& volume, const std::string& node, const std::string& why) {
  return "pv " + quote(volume.meta.name) + " node affinity doesn't match node " + quote(node) + ": " + why;
}

}  // namespace

VolumeBinder::VolumeBinder(Handle& handle, clock::Duration bind_timeout, const VolumeBindingRules& rules)
    : handle_(handle),
      rules_(rules),
      bind_timeout_(bind_timeout),
      attributes_classes_(!rules.knows_attributes_classes                   ? AttributesClasses::kUnknown
                          : handle.gates().enabled("VolumeAttributesClass") ? AttributesClasses::kOn
                                                                            : AttributesClasses::kOff),
      claims_(handle, &Listers::persistent_volume_claims, kClaimsResource, rules.assume_texts),
      volumes_(handle, &Listers::persistent_volumes, kVolumesResource, rules.assume_texts) {}

bool VolumeBinder::isTranslated(const api::PersistentVolume& volume, const api::CSINode* csi_node,
                                std::string* error) const {
  const InTreePlugin* plugin = inTreePluginOf(volume);
  if (plugin == nullptr || !isMigrated(*plugin, rules_.migration, handle_.gates())) return false;
  if (!isMigratedOn(csi_node, plugin->name)) return false;
  std::string problem;
  csiHandle(volume, &problem);
  if (!problem.empty()) *error = "could not translate pv: " + problem;
  return problem.empty();
}

VolumeAffinity VolumeBinder::affinityOf(const api::PersistentVolume& volume, const api::CSINode* csi_node,
                                        std::string* error) const {
  if (isTranslated(volume, csi_node, error)) return VolumeAffinity(csiNodeAffinity(volume));
  return VolumeAffinity(volume.node_affinity);
}

std::string VolumeBinder::claimsOf(const api::Pod& pod, PodClaims* claims) const {
  for (const api::Volume& volume : pod.spec.volumes) {
    const std::optional<UsedClaim> used = usedClaim(pod, volume);
    if (!used) continue;
    api::PersistentVolumeClaimPtr claim = claims_.get(pod.meta.ns, used->name);
    if (claim == nullptr) {
      const std::string key = pod.meta.ns + "/" + used->name;
      return "error getting PVC " + quote(key) + ": " + claims_.missing(key);
    }
    if (used->ephemeral) {
      std::string error = whyNotForPod(pod, *claim);
      if (!error.empty()) return error;
    }
    if (plugins::isFullyBound(*claim)) {
      claims->bound.push_back(std::move(claim));
      continue;
    }
    bool waits = false;
    const std::string& class_name = storageClassOf(*claim);
    const auto storage_class = class_name.empty() ? nullptr : handle_.listers().storage_classes->get({}, class_name);
    if (storage_class != nullptr) {
      if (!storage_class->volume_binding_mode) return "VolumeBindingMode not set for StorageClass " + quote(class_name);
      waits = *storage_class->volume_binding_mode == kWaitForFirstConsumer;
    }
    // A claim that names its volume is the volume controller's business.
    if (waits && claim->spec.volume_name.empty()) {
      claims->waiting.emplace_back(std::move(claim));
    } else {
      claims->immediate.push_back(std::move(claim));
    }
  }
  for (const WaitingClaim& waiting : claims->waiting) claims->candidates[storageClassOf(*waiting.claim)];
  if (claims->candidates.empty()) return {};
  for (const api::PersistentVolumePtr& volume : handle_.listers().persistent_volumes->list()) {
    const auto it = claims->candidates.find(storageClassOf(*volume));
    if (it != claims->candidates.end()) it->second.emplace_back(volumes_.latest(volume));
  }
  return {};
}

std::vector<std::string> VolumeBinder::find(PodClaims& claims, const api::Node& node, PodVolumes* volumes,
                                            std::string* error) const {
  bool bound_found = true;
  bool sufficient = true;
  bool satisfied = true;
  const bool bound_fit = checkBound(claims, node, &bound_found, error);
  if (!error->empty()) return {};

  std::vector<const WaitingClaim*> to_match;
  std::vector<api::PersistentVolumeClaimPtr> to_provision;
  for (const WaitingClaim& waiting : claims.waiting) {
    const auto selected = waiting.claim->meta.annotations.find(kSelectedNodeAnnotation);
    if (selected == waiting.claim->meta.annotations.end()) {
      to_match.push_back(&waiting);
    } else if (selected->second == node.meta.name) {
      to_provision.push_back(waiting.claim);
    } else {
      satisfied = false;
      break;
    }
  }
  if (satisfied) {
    // The smallest claims first, so that each gets the smallest volume that fits.
    const auto smaller = [](const WaitingClaim* a, const WaitingClaim* b) {
      return a->requested.compare(b->requested) < 0;
    };
    preemption::goSort(to_match, smaller);
    std::vector<std::string> taken;
    for (const WaitingClaim* waiting : to_match) {
      const api::PersistentVolumePtr volume = findMatchingVolume(
          *waiting, claims.candidates[storageClassOf(*waiting->claim)], node, taken, attributes_classes_, error);
      if (!error->empty()) return {};
      if (volume == nullptr) {
        satisfied = false;
        to_provision.push_back(waiting->claim);
        continue;
      }
      taken.push_back(volume->meta.name);
      StaticBinding binding;
      binding.claim = waiting->claim;
      binding.volume = volume;
      volumes->bindings.push_back(std::move(binding));
    }
    if (!to_provision.empty()) {
      satisfied = checkProvisions(claims, to_provision, node, &sufficient, volumes, error);
      if (!error->empty()) return {};
    }
  }

  std::vector<std::string> reasons;
  if (!bound_fit) reasons.emplace_back(rules_.node_conflict);
  if (!satisfied) reasons.emplace_back(kReasonBindConflict);
  if (!sufficient) reasons.emplace_back(kReasonNotEnoughSpace);
  if (!bound_found) reasons.emplace_back(kReasonVolumeNotExist);
  return reasons;
}

bool VolumeBinder::checkBound(PodClaims& claims, const api::Node& node, bool* found, std::string* error) const {
  if (claims.bound.empty()) return true;
  const std::shared_ptr<const api::CSINode> csi_node = handle_.listers().csi_nodes->get({}, node.meta.name);
  for (const api::PersistentVolumeClaimPtr& claim : claims.bound) {
    const std::string& name = claim->spec.volume_name;
    auto it = claims.bound_volumes.find(name);
    if (it == claims.bound_volumes.end()) it = claims.bound_volumes.emplace(name, volumes_.get({}, name)).first;
    PodClaims::BoundVolume& bound = it->second;
    if (bound.volume == nullptr) {
      *found = false;
      return true;
    }
    const bool translated = isTranslated(*bound.volume, csi_node.get(), error);
    if (!error->empty()) return false;
    std::unique_ptr<VolumeAffinity>& affinity = translated ? bound.translated : bound.own;
    if (affinity == nullptr) {
      affinity =
          std::make_unique<VolumeAffinity>(translated ? csiNodeAffinity(*bound.volume) : bound.volume->node_affinity);
    }
    if (!affinity->matches(node)) return false;
  }
  return true;
}

bool VolumeBinder::checkProvisions(PodClaims& claims, const std::vector<api::PersistentVolumeClaimPtr>& to_provision,
                                   const api::Node& node, bool* sufficient, PodVolumes* volumes,
                                   std::string* error) const {
  std::vector<DynamicProvision> provisions;
  for (const api::PersistentVolumeClaimPtr& claim : to_provision) {
    const std::string& class_name = storageClassOf(*claim);
    if (class_name.empty()) {
      *error = "no class for claim " + quote(claim->key());
      return false;
    }
    const std::shared_ptr<const api::StorageClass> storage_class =
        handle_.listers().storage_classes->get({}, class_name);
    if (storage_class == nullptr) {
      *error = "failed to find storage class " + quote(class_name);
      return false;
    }
    if (storage_class->provisioner.empty() || storage_class->provisioner == kNoProvisioner) return false;
    if (!matchesTopologies(storage_class->allowed_topologies, node.meta.labels)) return false;
    DynamicProvision provision;
    provision.claim = claim;
    if (!hasEnoughCapacity(claims, *claim, *storage_class, node, &provision.node_capacity)) {
      *sufficient = false;
      return true;
    }
    provisions.push_back(std::move(provision));
  }
  volumes->provisions = std::move(provisions);
  return true;
}

bool VolumeBinder::hasEnoughCapacity(PodClaims& claims, const api::PersistentVolumeClaim& claim,
                                     const api::StorageClass& storage_class, const api::Node& node,
                                     std::shared_ptr<const api::CSIStorageCapacity>* capacity) const {
  const api::Quantity* size = claim.spec.requests.find(api::resource::kStorage);
  if (size == nullptr) return true;
  // Only drivers that ask for it are checked.
  const std::shared_ptr<const api::CSIDriver> driver =
      handle_.listers().csi_drivers->get({}, storage_class.provisioner);
  if (driver == nullptr || !driver->storage_capacity.value_or(false)) return true;
  const std::int64_t bytes = size->value();
  for (const PodClaims::Capacity& c : capacitiesOf(claims, storage_class.meta.name)) {
    if (c.limit >= bytes && c.topology.matches(node.meta.labels)) {
      *capacity = c.object;
      return true;
    }
  }
  return false;
}

const std::vector<PodClaims::Capacity>& VolumeBinder::capacitiesOf(PodClaims& claims,
                                                                   const std::string& storage_class) const {
  const auto it = claims.capacities.find(storage_class);
  if (it != claims.capacities.end()) return it->second;
  std::vector<PodClaims::Capacity>& list = claims.capacities[storage_class];
  for (const auto& object : handle_.listers().csi_storage_capacities->list()) {
    const api::Quantity* limit = volumeLimit(*object);
    if (object->storage_class_name != storage_class || limit == nullptr || !object->node_topology) continue;
    PodClaims::Capacity capacity;
    capacity.object = object;
    capacity.limit = limit->value();
    std::string error;
    capacity.topology = api::Selector::from(object->node_topology, &error);  // nothing, if it is malformed
    list.push_back(std::move(capacity));
  }
  return list;
}

bool VolumeBinder::isFullyBound(const api::Pod& pod, const api::Volume& volume) const {
  const std::optional<UsedClaim> used = usedClaim(pod, volume);
  if (!used) return true;
  const api::PersistentVolumeClaimPtr claim = claims_.get(pod.meta.ns, used->name);
  if (claim == nullptr || (used->ephemeral && !whyNotForPod(pod, *claim).empty())) return false;
  return plugins::isFullyBound(*claim);
}

std::string VolumeBinder::assume(const api::Pod& pod, const std::string& node, PodVolumes& volumes, bool* all_bound) {
  *all_bound = true;
  for (const api::Volume& volume : pod.spec.volumes) *all_bound = *all_bound && isFullyBound(pod, volume);
  if (*all_bound) return {};

  PodVolumes assumed;
  for (const StaticBinding& binding : volumes.bindings) {
    StaticBinding bound = binding;
    if (std::shared_ptr<const api::PersistentVolume> changed = boundVolume(*binding.volume, *binding.claim)) {
      bound.volume = changed;
      std::string error = volumes_.assume(std::move(changed));
      if (!error.empty()) {
        revert(assumed);
        return error;
      }
    }
    assumed.bindings.push_back(std::move(bound));
  }
  for (const DynamicProvision& provision : volumes.provisions) {
    auto claim = std::make_shared<api::PersistentVolumeClaim>(*provision.claim);
    claim->meta.annotations[kSelectedNodeAnnotation] = node;
    std::string error = claims_.assume(claim);
    if (!error.empty()) {
      revert(assumed);
      return error;
    }
    DynamicProvision selected;
    selected.claim = std::move(claim);
    assumed.provisions.push_back(std::move(selected));
  }
  volumes = std::move(assumed);
  volumes.assumed = true;
  return {};
}

void VolumeBinder::revert(const PodVolumes& volumes) {
  for (const StaticBinding& binding : volumes.bindings) volumes_.restore(*binding.volume);
  for (const DynamicProvision& provision : volumes.provisions) claims_.restore(*provision.claim);
}

// Upstream tells a list that nobody has made from one without elements.
std::string VolumeBinder::missing(const api::Pod& pod, const PodVolumes& volumes) const {
  if (volumes.assumed) return {};
  if (volumes.bindings.empty()) return "failed to get cached bindings for pod " + quote(pod.key());
  if (!rules_.needs_provisions || !volumes.provisions.empty()) return {};
  return "failed to get cached claims to provision for pod " + quote(pod.key());
}

BindRun VolumeBinder::start(const PodVolumes& volumes) {
  BindRun run;
  run.bindings = volumes.bindings;
  for (const DynamicProvision& provision : volumes.provisions) run.claims.push_back(provision.claim);
  return run;
}

std::string VolumeBinder::writeNext(BindRun* run) {
  const std::size_t bound = std::min(run->writes, run->bindings.size());
  const std::size_t provisioned = run->writes - bound;
  ApiError failure;
  if (bound < run->bindings.size()) {
    StaticBinding& binding = run->bindings[bound];
    api::PersistentVolumePtr updated;
    failure = handle_.client().updatePersistentVolume(*binding.volume, &updated);
    if (updated != nullptr) binding.volume = updated;
  } else {
    api::PersistentVolumeClaimPtr& claim = run->claims[provisioned];
    api::PersistentVolumeClaimPtr updated;
    failure = handle_.client().updatePersistentVolumeClaim(*claim, &updated);
    if (updated != nullptr) claim = updated;
  }
  if (!failure.failed) {
    ++run->writes;
    return {};
  }
  // What the API server has not been told of is taken back.
  for (std::size_t i = bound; i < run->bindings.size(); ++i) volumes_.restore(*run->bindings[i].volume);
  for (std::size_t i = provisioned; i < run->claims.size(); ++i) claims_.restore(*run->claims[i]);
  return failure.message;
}

bool VolumeBinder::finished(const api::Pod& pod, const std::string& node_name, const BindRun& run,
                            std::string* error) const {
  const Listers& listers = handle_.listers();
  const api::NodePtr node = listers.nodes->get({}, node_name);
  if (node == nullptr) {
    *error = "failed to get node " + quote(node_name) + ": " + notFoundText("node", node_name);
    return false;
  }
  const std::shared_ptr<const api::CSINode> csi_node = listers.csi_nodes->get({}, node_name);
  if (listers.pods->get(pod.meta.ns, pod.meta.name) == nullptr) {
    *error = "pod does not exist any more: " + notFoundText("pod", pod.meta.name);
    return false;
  }

  for (const StaticBinding& binding : run.bindings) {
    const api::PersistentVolumePtr volume = volumes_.stored({}, binding.volume->meta.name);
    if (volume == nullptr) {
      *error = "failed to check binding: " + volumes_.missing(binding.volume->meta.name);
      return false;
    }
    const api::PersistentVolumeClaimPtr claim = claims_.stored(binding.claim->meta.ns, binding.claim->meta.name);
    if (claim == nullptr) {
      *error = "failed to check binding: " + claims_.missing(binding.claim->key());
      return false;
    }
    if (binding.volume->meta.resource_version > volume->meta.resource_version) return false;  // not heard of yet
    std::string why;
    const VolumeAffinity affinity = affinityOf(*volume, csi_node.get(), &why);
    if (!why.empty()) {
      *error = "failed to translate pv to csi: " + why;
      return false;
    }
    if (!affinity.matches(*node, &why)) {
      *error = affinityMismatch(*volume, node_name, why);
      return false;
    }
    if (!volume->claim_ref || volume->claim_ref->uid.empty()) {
      *error = "ClaimRef got reset for pv " + quote(volume->meta.name);
      return false;
    }
    if (!plugins::isFullyBound(*claim)) return false;
  }

  for (const api::PersistentVolumeClaimPtr& provisioned : run.claims) {
    const api::PersistentVolumeClaimPtr claim = claims_.stored(provisioned->meta.ns, provisioned->meta.name);
    if (claim == nullptr) {
      *error = "failed to check provisioning pvc: " + claims_.missing(provisioned->key());
      return false;
    }
    if (provisioned->meta.resource_version > claim->meta.resource_version) return false;  // not heard of yet
    if (claim->meta.annotations.empty()) {
      *error = "selectedNode annotation reset for PVC " + quote(claim->meta.name);
      return false;
    }
    const auto selected = claim->meta.annotations.find(kSelectedNodeAnnotation);
    if (selected == claim->meta.annotations.end() || selected->second != node_name) {
      *error = "provisioning failed for PVC " + quote(claim->meta.name);
      return false;
    }
    if (!claim->spec.volume_name.empty()) {
      const api::PersistentVolumePtr volume = volumes_.stored({}, claim->spec.volume_name);
      if (volume == nullptr) return false;  // may be on its way
      std::string why;
      const VolumeAffinity affinity = affinityOf(*volume, csi_node.get(), &why);
      if (!why.empty()) {
        *error = why;
        return false;
      }
      if (!affinity.matches(*node, &why)) {
        *error = affinityMismatch(*volume, node_name, why);
        return false;
      }
    }
    if (!plugins::isFullyBound(*claim)) return false;
  }
  return true;
}

}  // namespace podberth::scheduler::plugins
