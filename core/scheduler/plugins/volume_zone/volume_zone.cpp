#include "core/scheduler/plugins/volume_zone/volume_zone.h"

#include <algorithm>

#include "core/api/go_text.h"
#include "core/base/sort.h"
#include "core/scheduler/plugins/helper/csi_translation.h"
#include "core/scheduler/plugins/helper/volumes.h"

namespace podberth::scheduler::plugins {
namespace {

constexpr const char* kClaimWithoutName = "PersistentVolumeClaim had no name";
constexpr const char* kClaimWithoutVolumeAndClass = "PersistentVolumeClaim had no pv name and storageClass name";
constexpr const char* kVolumeWithoutName = "PersistentVolume had no name";

struct TopologyLabel {
  api::Symbol key;
  api::Symbol later;  // the name that a beta label has now
};

const std::vector<TopologyLabel>& topologyLabels() {
  static const std::vector<TopologyLabel> labels = [] {
    const api::Symbol zone("topology.kubernetes.io/zone");
    const api::Symbol region("topology.kubernetes.io/region");
    return std::vector<TopologyLabel>{{api::Symbol("failure-domain.beta.kubernetes.io/zone"), zone},
                                      {api::Symbol("failure-domain.beta.kubernetes.io/region"), region},
                                      {zone, zone},
                                      {region, region}};
  }();
  return labels;
}

api::Symbol laterName(api::Symbol key) {
  for (const TopologyLabel& label : topologyLabels()) {
    if (label.key == key) return label.later;
  }
  return key;
}

struct ZoneState : StateData {
  std::vector<VolumeTopology> topologies;
};
constexpr StateKey<ZoneState> kZoneState{"PreFilterVolumeZone"};

Status unresolvable(std::string reason) { return Status(Code::kUnschedulableAndUnresolvable, std::move(reason)); }

HintResult afterStorageClassAdd(const api::Pod&, const api::Object*, const api::Object* new_object) {
  const auto* storage_class = api::as<api::StorageClass>(new_object);
  return storage_class->volume_binding_mode == kWaitForFirstConsumer ? HintResult::queue() : HintResult::skip();
}

HintResult afterClaimChange(const api::Pod& pod, const api::Object*, const api::Object* new_object) {
  const auto* claim = api::as<api::PersistentVolumeClaim>(new_object);
  return usesClaim(pod, *claim, false) ? HintResult::queue() : HintResult::skip();
}

HintResult afterVolumeChange(const api::Pod&, const api::Object* old_object, const api::Object* new_object) {
  const auto* before = api::as<api::PersistentVolume>(old_object);
  if (before == nullptr) return HintResult::queue();
  const auto* now = api::as<api::PersistentVolume>(new_object);
  return topologiesOf(*before) == topologiesOf(*now) ? HintResult::skip() : HintResult::queue();
}

}  // namespace

std::vector<VolumeTopology> topologiesOf(const api::PersistentVolume& volume) {
  std::vector<VolumeTopology> out;
  for (const TopologyLabel& label : topologyLabels()) {
    const api::Symbol* value = volume.meta.labels.find(label.key);
    if (value == nullptr) continue;
    VolumeTopology topology;
    topology.key = label.key;
    topology.values = zonesOfLabel(value->str());
    if (topology.values.empty()) continue;
    base::sortUnique(topology.values);
    out.push_back(std::move(topology));
  }
  return out;
}

bool hasZoneLabels(const api::LabelSet& node_labels) {
  const std::vector<TopologyLabel>& labels = topologyLabels();
  return std::any_of(labels.begin(), labels.end(),
                     [&](const TopologyLabel& label) { return node_labels.has(label.key); });
}

bool nodeFitsTopologies(const api::LabelSet& node_labels, const std::vector<VolumeTopology>& topologies,
                        bool later_names) {
  if (!hasZoneLabels(node_labels)) return true;
  for (const VolumeTopology& topology : topologies) {
    const api::Symbol* value = node_labels.find(topology.key);
    if (value == nullptr && later_names) value = node_labels.find(laterName(topology.key));
    if (value == nullptr || !std::binary_search(topology.values.begin(), topology.values.end(), value->str())) {
      return false;
    }
  }
  return true;
}

VolumeZone::VolumeZone(Handle& handle, const VolumeZoneRules& rules)
    : handle_(handle),
      rules_(rules),
      conflict_(Status(Code::kUnschedulableAndUnresolvable, kReasonZoneConflict).withPlugin(names::kVolumeZone)) {}

std::vector<ClusterEventWithHint> VolumeZone::eventsToRegister() const {
  return {
      {ClusterEvent{EventResource::kStorageClass, action::kAdd, {}}, afterStorageClassAdd},
      {ClusterEvent{EventResource::kNode, action::kAdd | action::kUpdateNodeLabel, {}}, nullptr},
      {ClusterEvent{EventResource::kPersistentVolumeClaim, action::kAdd | action::kUpdate, {}}, afterClaimChange},
      {ClusterEvent{EventResource::kPersistentVolume, action::kAdd | action::kUpdate, {}}, afterVolumeChange},
  };
}

Status VolumeZone::addTopologies(const api::Pod& pod, const api::Volume& volume,
                                 std::vector<VolumeTopology>* topologies) const {
  const Listers& listers = handle_.listers();
  if (!volume.persistent_volume_claim) return {};
  const std::string& name = volume.persistent_volume_claim->claim_name;
  if (name.empty()) return unresolvable(kClaimWithoutName);
  const api::PersistentVolumeClaimPtr claim = listers.persistent_volume_claims->get(pod.meta.ns, name);
  if (claim == nullptr) return unresolvable(notFoundText(kClaimResource, name));
  const std::string& volume_name = claim->spec.volume_name;
  if (volume_name.empty()) {
    const std::string& class_name = storageClassOf(*claim);
    if (class_name.empty()) return unresolvable(kClaimWithoutVolumeAndClass);
    const std::shared_ptr<const api::StorageClass> storage_class = listers.storage_classes->get({}, class_name);
    if (storage_class == nullptr) return unresolvable(notFoundText(kStorageClassResource, class_name));
    if (!storage_class->volume_binding_mode) {
      return unresolvable("VolumeBindingMode not set for StorageClass " + api::go::quote(class_name));
    }
    if (*storage_class->volume_binding_mode == kWaitForFirstConsumer) return {};
    return unresolvable(kVolumeWithoutName);
  }
  const api::PersistentVolumePtr bound = listers.persistent_volumes->get({}, volume_name);
  if (bound == nullptr) return unresolvable(notFoundText(kVolumeResource, volume_name));
  for (VolumeTopology& topology : topologiesOf(*bound)) topologies->push_back(std::move(topology));
  return {};
}

Status VolumeZone::topologiesOfPod(const api::Pod& pod, std::vector<VolumeTopology>* topologies) const {
  for (const api::Volume& volume : pod.spec.volumes) {
    Status status = addTopologies(pod, volume, topologies);
    if (!status.isSuccess()) return status;
  }
  return {};
}

Status VolumeZone::preFilter(CycleState& state, const PodInfo& pod, const std::vector<NodeInfo*>&, PreFilterResult&) {
  auto zone_state = std::make_shared<ZoneState>();
  Status status = topologiesOfPod(*pod.pod, &zone_state->topologies);
  if (!status.isSuccess()) return status;
  if (zone_state->topologies.empty()) return Status(Code::kSkip);
  state.write(kZoneState, std::move(zone_state));
  return {};
}

Status VolumeZone::filter(CycleState& state, const PodInfo& pod, const NodeInfo& node) {
  if (pod.pod->spec.volumes.empty()) return {};
  const api::LabelSet& labels = node.node()->meta.labels;
  const ZoneState* zone_state = state.read(kZoneState);
  if (zone_state != nullptr) {
    return nodeFitsTopologies(labels, zone_state->topologies, rules_.later_names) ? Status() : conflict_;
  }
  std::vector<VolumeTopology> topologies;
  if (rules_.at_pre_filter) {
    Status status = topologiesOfPod(*pod.pod, &topologies);
    if (!status.isSuccess()) return status;
    return nodeFitsTopologies(labels, topologies, rules_.later_names) ? Status() : conflict_;
  }
  if (!hasZoneLabels(labels)) return {};
  for (const api::Volume& volume : pod.pod->spec.volumes) {
    Status status = addTopologies(*pod.pod, volume, &topologies);
    if (!status.isSuccess()) return status;
    if (!nodeFitsTopologies(labels, topologies, rules_.later_names)) return conflict_;
  }
  return {};
}

std::vector<SignFragment> VolumeZone::sign(const api::Pod& pod, bool& signable) const {
  return signVolumes(pod, signable);
}

std::unique_ptr<Plugin> newVolumeZone(const config::PluginArgs&, Handle& handle, std::string*) {
  return std::make_unique<VolumeZone>(handle);
}

}  // namespace podberth::scheduler::plugins
