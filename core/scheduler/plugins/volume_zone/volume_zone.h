// VolumeZone: the zones and regions in the labels of the volumes that a pod's claims are bound to must be those of the
// node. Works at PreFilter and Filter. Upstream: pkg/scheduler/framework/plugins/volumezone/volume_zone.go.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/scheduler/config/types.h"
#include "core/scheduler/framework/handle.h"
#include "core/scheduler/plugins/names.h"

namespace podberth::scheduler::plugins {

inline constexpr const char* kReasonZoneConflict = "node(s) had no available volume zone";

// One label of a volume: the node's label of that key must have one of the values.
struct VolumeTopology {
  api::Symbol key;
  std::vector<std::string> values;  // sorted
  friend bool operator==(const VolumeTopology& a, const VolumeTopology& b) {
    return a.key == b.key && a.values == b.values;
  }
};
// The labels of a volume that tell of zones and regions; malformed ones are left out.
std::vector<VolumeTopology> topologiesOf(const api::PersistentVolume& volume);
bool hasZoneLabels(const api::LabelSet& node_labels);
// A node without any such label fits; a beta label of a volume is, with `later_names`, also looked for under its later
// name.
bool nodeFitsTopologies(const api::LabelSet& node_labels, const std::vector<VolumeTopology>& topologies,
                        bool later_names = true);

struct VolumeZoneRules {
  // Claims and volumes are looked up once for the pod, in PreFilter; else for each node that has a zone, and a volume
  // that does not fit comes before one that is missing.
  bool at_pre_filter = true;
  bool later_names = true;  // see nodeFitsTopologies
};

class VolumeZone : public Plugin {
 public:
  static constexpr Points kPoints = Point::kPreFilter | Point::kFilter;
  explicit VolumeZone(Handle& handle, const VolumeZoneRules& rules = {});
  std::string_view name() const override { return names::kVolumeZone; }
  Points points() const override { return kPoints; }
  bool hasEvents() const override { return true; }
  std::vector<ClusterEventWithHint> eventsToRegister() const override;
  // Skip if no volume has such a label; a rejection if a claim, its class or its volume is missing.
  Status preFilter(CycleState& state, const PodInfo& pod, const std::vector<NodeInfo*>& nodes,
                   PreFilterResult& result) override;
  Status filter(CycleState& state, const PodInfo& pod, const NodeInfo& node) override;
  bool hasSign() const override { return true; }
  std::vector<SignFragment> sign(const api::Pod& pod, bool& signable) const override;

 private:
  Status topologiesOfPod(const api::Pod& pod, std::vector<VolumeTopology>* topologies) const;
  // Of one of the pod's volumes.
  Status addTopologies(const api::Pod& pod, const api::Volume& volume, std::vector<VolumeTopology>* topologies) const;

  Handle& handle_;
  VolumeZoneRules rules_;
  Status conflict_;
};

std::unique_ptr<Plugin> newVolumeZone(const config::PluginArgs& args, Handle& handle, std::string* error);

}  // namespace podberth::scheduler::plugins
