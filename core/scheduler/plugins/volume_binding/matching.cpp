#include "core/scheduler/plugins/volume_binding/matching.h"

#include <algorithm>

#include "core/scheduler/plugins/helper/volumes.h"

namespace podberth::scheduler::plugins {
namespace {

constexpr const char* kNoMatchingTerms = "no matching NodeSelectorTerms";
constexpr const char* kFilesystem = "Filesystem";
constexpr const char* kAvailable = "Available";
constexpr const char* kYes = "yes";

const api::Quantity& storageOf(const api::ResourceList& list) {
  static const api::Quantity none;
  const api::Quantity* quantity = list.find(api::resource::kStorage);
  return quantity == nullptr ? none : *quantity;
}

bool hasAccessModes(const api::PersistentVolumeClaim& claim, const api::PersistentVolume& volume) {
  const std::vector<std::string>& modes = volume.access_modes;
  return std::all_of(claim.spec.access_modes.begin(), claim.spec.access_modes.end(), [&](const std::string& mode) {
    return std::find(modes.begin(), modes.end(), mode) != modes.end();
  });
}

bool contains(const std::vector<std::string>& list, const std::string& text) {
  return std::find(list.begin(), list.end(), text) != list.end();
}

}  // namespace

VolumeAffinity::VolumeAffinity(const std::optional<api::NodeSelector>& required) {
  if (!required) return;
  selector_.emplace(*required);
  has_fields_ = std::any_of(required->terms.begin(), required->terms.end(),
                            [](const api::NodeSelectorTerm& term) { return !term.match_fields.empty(); });
}

bool VolumeAffinity::matches(const api::Node& node, std::string* why) const {
  if (!selector_) return true;
  std::string error;
  bool matches = false;
  if (has_fields_) {
    api::Node nameless;
    nameless.meta.labels = node.meta.labels;
    matches = selector_->matches(nameless, &error);
  } else {
    matches = selector_->matches(node, &error);
  }
  if (!matches && why != nullptr) *why = error.empty() ? kNoMatchingTerms : error;
  return matches;
}

bool Candidate::fits(const api::Node& node) const {
  if (!volume_->node_affinity) return true;
  if (affinity_ == nullptr) affinity_ = std::make_shared<VolumeAffinity>(volume_->node_affinity);
  return affinity_->matches(node);
}

WaitingClaim::WaitingClaim(api::PersistentVolumeClaimPtr c)
    : claim(std::move(c)), requested(storageOf(claim->spec.requests)) {
  if (claim->spec.selector) selector = api::Selector::from(claim->spec.selector, &selector_error);
}

bool isBoundTo(const api::PersistentVolume& volume, const api::PersistentVolumeClaim& claim) {
  if (!volume.claim_ref || claim.meta.name != volume.claim_ref->name || claim.meta.ns != volume.claim_ref->ns) {
    return false;
  }
  return volume.claim_ref->uid.empty() || claim.meta.uid == volume.claim_ref->uid;
}

api::PersistentVolumePtr findMatchingVolume(const WaitingClaim& waiting, const std::vector<Candidate>& candidates,
                                            const api::Node& node, const std::vector<std::string>& taken,
                                            AttributesClasses attributes_classes, std::string* error) {
  const api::PersistentVolumeClaim& claim = *waiting.claim;
  const bool knows_classes = attributes_classes != AttributesClasses::kUnknown;
  const std::string attributes_class = claim.spec.volume_attributes_class_name.value_or("");
  if (attributes_classes == AttributesClasses::kOff && !attributes_class.empty()) {
    *error = "unsupported volumeAttributesClassName is set on claim " + claim.key() +
             " when the feature-gate VolumeAttributesClass is disabled";
    return nullptr;
  }
  if (!waiting.selector_error.empty()) {
    *error = "error creating internal label selector for claim: " + claim.key() + ": " + waiting.selector_error;
    return nullptr;
  }
  const std::string mode = claim.spec.volume_mode.value_or(kFilesystem);
  const std::string& storage_class = storageClassOf(claim);
  const Candidate* smallest = nullptr;
  for (const Candidate& candidate : candidates) {
    const api::PersistentVolume& volume = *candidate.volume();
    if (contains(taken, volume.meta.name)) continue;
    const bool meant = isBoundTo(volume, claim);
    if (volume.claim_ref && !meant) continue;
    const api::Quantity& size = storageOf(volume.capacity);
    if (size.compare(waiting.requested) < 0) continue;
    if (volume.volume_mode.value_or(kFilesystem) != mode) continue;
    if (knows_classes && volume.volume_attributes_class_name.value_or("") != attributes_class) continue;
    if (volume.meta.deletion_timestamp) continue;
    if (meant) return candidate.fits(node) ? candidate.volume() : nullptr;
    if (volume.phase != kAvailable) continue;
    if (waiting.selector && !waiting.selector->matches(volume.meta.labels)) continue;
    if (storageClassOf(volume) != storage_class || !hasAccessModes(claim, volume)) continue;
    if (smallest != nullptr && storageOf(smallest->volume()->capacity).compare(size) <= 0) continue;
    // Last, since it takes the longest.
    if (candidate.fits(node)) smallest = &candidate;
  }
  return smallest == nullptr ? nullptr : smallest->volume();
}

std::shared_ptr<const api::PersistentVolume> boundVolume(const api::PersistentVolume& volume,
                                                         const api::PersistentVolumeClaim& claim) {
  const bool by_controller =
      !isBoundTo(volume, claim) && volume.meta.annotations.count(kBoundByControllerAnnotation) == 0;
  const bool referred = volume.claim_ref && volume.claim_ref->name == claim.meta.name &&
                        volume.claim_ref->ns == claim.meta.ns && volume.claim_ref->uid == claim.meta.uid;
  if (referred && !by_controller) return nullptr;
  auto bound = std::make_shared<api::PersistentVolume>(volume);
  if (!referred) {
    api::ObjectReference reference;
    reference.kind = "PersistentVolumeClaim";
    reference.ns = claim.meta.ns;
    reference.name = claim.meta.name;
    reference.uid = claim.meta.uid;
    bound->claim_ref = std::move(reference);
  }
  if (by_controller) bound->meta.annotations[kBoundByControllerAnnotation] = kYes;
  return bound;
}

bool matchesTopologies(const std::vector<api::TopologySelectorTerm>& terms, const api::LabelSet& node_labels) {
  if (terms.empty()) return true;
  return std::any_of(terms.begin(), terms.end(), [&](const api::TopologySelectorTerm& term) {
    const auto& requirements = term.match_label_expressions;
    if (requirements.empty()) return false;
    return std::all_of(requirements.begin(), requirements.end(), [&](const api::TopologySelectorTerm::Requirement& r) {
      const api::Symbol* value = node_labels.find(api::Symbol(r.key));
      return value != nullptr && contains(r.values, value->str()) &&
             api::Selector::problems("", r.key, api::Selector::Op::kIn, r.values).empty();
    });
  });
}

const api::Quantity* volumeLimit(const api::CSIStorageCapacity& capacity) {
  if (capacity.maximum_volume_size) return &*capacity.maximum_volume_size;
  return capacity.capacity ? &*capacity.capacity : nullptr;
}

}  // namespace podberth::scheduler::plugins
