// Which volume a claim gets, and where a volume can be used or made.
// Upstream: k8s.io/component-helpers/storage/volume/{helpers,pv_helpers}.go.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/api/node.h"
#include "core/api/storage.h"

namespace podberth::scheduler::plugins {

// A volume's node affinity, ready to be asked.
class VolumeAffinity {
 public:
  explicit VolumeAffinity(const std::optional<api::NodeSelector>& required);
  // Only the node's labels count. If the answer is no, *why says it in upstream's words.
  bool matches(const api::Node& node, std::string* why = nullptr) const;

 private:
  std::optional<api::CompiledNodeSelector> selector_;
  bool has_fields_ = false;
};

// A volume that may be given to a claim.
class Candidate {
 public:
  explicit Candidate(api::PersistentVolumePtr volume) : volume_(std::move(volume)) {}
  const api::PersistentVolumePtr& volume() const { return volume_; }
  bool fits(const api::Node& node) const;

 private:
  api::PersistentVolumePtr volume_;
  mutable std::shared_ptr<VolumeAffinity> affinity_;  // made when asked for
};

// A claim that waits for a pod's node.
struct WaitingClaim {
  explicit WaitingClaim(api::PersistentVolumeClaimPtr c);
  api::PersistentVolumeClaimPtr claim;
  api::Quantity requested;
  std::optional<api::Selector> selector;
  std::string selector_error;
};

// Whether the volume is meant for the claim: by name, and by uid if it has one.
bool isBoundTo(const api::PersistentVolume& volume, const api::PersistentVolumeClaim& claim);

// What a volume attributes class means for a claim and its volume.
enum class AttributesClasses {
  kOn,       // both have the same
  kOff,      // a claim must not have one, nor its volume (the gate VolumeAttributesClass is off)
  kUnknown,  // nothing: the release has no such field
};

// The volume that is meant for the claim or else the smallest one that will do, the first of equals; null if there is
// none. Volumes in `taken` (by name) are left out. A malformed
// claim is an error.
api::PersistentVolumePtr findMatchingVolume(const WaitingClaim& claim, const std::vector<Candidate>& candidates,
                                            const api::Node& node, const std::vector<std::string>& taken,
                                            AttributesClasses attributes_classes, std::string* error);

// The volume as it is when it belongs to the claim; null if it is so already.
std::shared_ptr<const api::PersistentVolume> boundVolume(const api::PersistentVolume& volume,
                                                         const api::PersistentVolumeClaim& claim);

// A storage class's allowed topologies: one of them must match; no topology at all allows every node.
bool matchesTopologies(const std::vector<api::TopologySelectorTerm>& terms, const api::LabelSet& node_labels);

// What a volume may be at most, out of a CSIStorageCapacity; null if that is not said.
const api::Quantity* volumeLimit(const api::CSIStorageCapacity& capacity);

}  // namespace podberth::scheduler::plugins
