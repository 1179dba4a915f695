#include "core/scheduler/plugins/registry.h"

#include "core/scheduler/plugins/default_binder/default_binder.h"
#include "core/scheduler/plugins/default_preemption/default_preemption.h"
#include "core/scheduler/plugins/dynamic_resources/dynamic_resources.h"
#include "core/scheduler/plugins/image_locality/image_locality.h"
#include "core/scheduler/plugins/inter_pod_affinity/inter_pod_affinity.h"
#include "core/scheduler/plugins/names.h"
#include "core/scheduler/plugins/node_affinity/node_affinity.h"
#include "core/scheduler/plugins/node_declared_features/node_declared_features.h"
#include "core/scheduler/plugins/node_name/node_name.h"
#include "core/scheduler/plugins/node_ports/node_ports.h"
#include "core/scheduler/plugins/node_resources_balanced_allocation/balanced_allocation.h"
#include "core/scheduler/plugins/node_resources_fit/node_resources_fit.h"
#include "core/scheduler/plugins/node_unschedulable/node_unschedulable.h"
#include "core/scheduler/plugins/node_volume_limits/node_volume_limits.h"
#include "core/scheduler/plugins/not_simulated/not_simulated.h"
#include "core/scheduler/plugins/pod_topology_spread/pod_topology_spread.h"
#include "core/scheduler/plugins/priority_sort/priority_sort.h"
#include "core/scheduler/plugins/registry_v1_24.h"
#include "core/scheduler/plugins/sample_permit/sample_permit.h"
#include "core/scheduler/plugins/sample_pre_bind/sample_pre_bind.h"
#include "core/scheduler/plugins/sample_reserve/sample_reserve.h"
#include "core/scheduler/plugins/scheduling_gates/scheduling_gates.h"
#include "core/scheduler/plugins/taint_toleration/taint_toleration.h"
#include "core/scheduler/plugins/volume_binding/volume_binding.h"
#include "core/scheduler/plugins/volume_restrictions/volume_restrictions.h"
#include "core/scheduler/plugins/volume_zone/volume_zone.h"

namespace podberth::scheduler::plugins {

namespace {

constexpr Points kDeferred = Point::kPreFilter | Point::kFilter | Point::kPermit;
constexpr Points kGang = Point::kPreEnqueue | Point::kPermit;
constexpr std::string_view kTopologyGate = "TopologyAwareWorkloadScheduling";

const std::vector<PluginFactory>& v1_37() {
  static const std::vector<PluginFactory> all = {
      {names::kSchedulingGates, SchedulingGates::kPoints, 0, newSchedulingGates},
      {names::kPrioritySort, PrioritySort::kPoints, 0, newPrioritySort},
      {names::kNodeName, NodeName::kPoints, 0, newNodeName},
      {names::kNodeUnschedulable, NodeUnschedulable::kPoints, 0, newNodeUnschedulable},
      {names::kTaintToleration, TaintToleration::kPoints, 3, newTaintToleration},
      {names::kNodeAffinity, NodeAffinity::kPoints, 2, newNodeAffinity},
      {names::kNodePorts, NodePorts::kPoints, 0, newNodePorts},
      {names::kNodeResourcesFit, NodeResourcesFit::kPoints, 1, newNodeResourcesFit},
      {names::kVolumeRestrictions, VolumeRestrictions::kPoints, 0, newVolumeRestrictions},
      {names::kNodeVolumeLimits, NodeVolumeLimits::kPoints, 0, newNodeVolumeLimits},
      {names::kVolumeBinding, VolumeBinding::kPoints, 1, newVolumeBinding},
      {names::kVolumeZone, VolumeZone::kPoints, 0, newVolumeZone},
      {names::kPodTopologySpread, PodTopologySpread::kPoints, 2, newPodTopologySpread},
      {names::kInterPodAffinity, InterPodAffinity::kPoints, 2, newInterPodAffinity},
      {names::kDynamicResources, DynamicResources::kPoints, 2, newDynamicResources},
      {names::kDefaultPreemption, DefaultPreemption::kPoints, 0, newDefaultPreemption},
      {names::kNodeResourcesBalancedAllocation, NodeResourcesBalancedAllocation::kPoints, 1,
       newNodeResourcesBalancedAllocation},
      {names::kImageLocality, ImageLocality::kPoints, 1, newImageLocality},
      {names::kDefaultBinder, DefaultBinder::kPoints, 0, newDefaultBinder},
      {names::kNodeDeclaredFeatures, NodeDeclaredFeatures::kPoints, 0, newNodeDeclaredFeatures},
      // Behind gates that are off by default.
      {names::kDeferredPodScheduling, kDeferred, 0,
       [](const config::PluginArgs&, Handle& handle, std::string* error) {
         return makeNotSimulated(names::kDeferredPodScheduling, kDeferred,
                                 "InPlacePodVerticalScalingSchedulerPreemption", handle, error);
       }},
      {names::kGangScheduling, kGang, 0,
       [](const config::PluginArgs&, Handle& handle, std::string* error) {
         return makeNotSimulated(names::kGangScheduling, kGang, "GenericWorkload", handle, error);
       }},
      {names::kTopologyPlacementGenerator, 0, 0,
       [](const config::PluginArgs&, Handle& handle, std::string* error) {
         return makeNotSimulated(names::kTopologyPlacementGenerator, 0, kTopologyGate, handle, error);
       }},
      {names::kPodGroupPodsCount, 0, 0,
       [](const config::PluginArgs&, Handle& handle, std::string* error) {
         return makeNotSimulated(names::kPodGroupPodsCount, 0, kTopologyGate, handle, error);
       }},
  };
  return all;
}

}  // namespace

const std::vector<PluginFactory>& registry(release::PluginSet set) {
  return set == release::PluginSet::kV1_24 ? registryV1_24() : v1_37();
}

const std::vector<PluginFactory>& sampleRegistry() {
  static const std::vector<PluginFactory> all = {
      {config::kSamplePermit, SamplePermit::kPoints, 0, newSamplePermit},
      {config::kSampleReserve, SampleReserve::kPoints, 0, newSampleReserve},
      {config::kSamplePreBind, SamplePreBind::kPoints, 0, newSamplePreBind},
  };
  return all;
}

const PluginFactory* find(release::PluginSet set, std::string_view name, bool samples) {
  for (const PluginFactory& f : registry(set)) {
    if (f.name == name) return &f;
  }
  if (!samples) return nullptr;
  for (const PluginFactory& f : sampleRegistry()) {
    if (f.name == name) return &f;
  }
  return nullptr;
}

std::function<std::optional<Points>(std::string_view)> pointsOf(release::PluginSet set, bool samples) {
  return [set, samples](std::string_view name) -> std::optional<Points> {
    const PluginFactory* factory = find(set, name, samples);
    if (factory == nullptr) return std::nullopt;
    return factory->points;
  };
}

}  // namespace podberth::scheduler::plugins
