#include "core/scheduler/config/default_plugins.h"

#include <initializer_list>

namespace podberth::scheduler::config {
namespace {

using Refs = std::initializer_list<PluginRef>;

Plugins v1(const FeatureGates& gates) {
  Plugins plugins;
  std::vector<PluginRef>& enabled = plugins.multi_point.enabled;
  const auto add = [&](const char* name, std::int32_t weight) { enabled.push_back({name, weight}); };
  add("SchedulingGates", 0);
  add("PrioritySort", 0);
  add("NodeName", 0);
  add("NodeUnschedulable", 0);
  add("TaintToleration", 3);
  add("NodeAffinity", 2);
  add("NodePorts", 0);
  if (gates.enabled("InPlacePodVerticalScalingSchedulerPreemption")) add("DeferredPodScheduling", 0);
  add("NodeResourcesFit", 1);
  add("VolumeRestrictions", 0);
  add("NodeVolumeLimits", 0);
  add("VolumeBinding", 0);
  add("VolumeZone", 0);
  add("PodTopologySpread", 2);
  add("InterPodAffinity", 2);
  // Freeing an idle claim comes before evicting a pod.
  if (gates.enabled("DynamicResourceAllocation")) add("DynamicResources", 2);
  add("DefaultPreemption", 0);
  add("NodeResourcesBalancedAllocation", 1);
  add("ImageLocality", 1);
  add("DefaultBinder", 0);
  if (gates.enabled("NodeDeclaredFeatures")) add("NodeDeclaredFeatures", 0);
  if (gates.enabled("GenericWorkload")) add("GangScheduling", 0);
  if (gates.enabled("TopologyAwareWorkloadScheduling")) {
    add("TopologyPlacementGenerator", 0);
    add("PodGroupPodsCount", 1);
  }
  return plugins;
}

Plugins v1beta3() {
  Plugins plugins;
  plugins.multi_point.enabled =
      Refs{{"PrioritySort", 0},     {"NodeUnschedulable", 0},  {"NodeName", 0},
           {"TaintToleration", 3},  {"NodeAffinity", 2},       {"NodePorts", 0},
           {"NodeResourcesFit", 1}, {"VolumeRestrictions", 0}, {"EBSLimits", 0},
           {"GCEPDLimits", 0},      {"NodeVolumeLimits", 0},   {"AzureDiskLimits", 0},
           {"VolumeBinding", 0},    {"VolumeZone", 0},         {"PodTopologySpread", 2},
           {"InterPodAffinity", 2}, {"DefaultPreemption", 0},  {"NodeResourcesBalancedAllocation", 1},
           {"ImageLocality", 1},    {"DefaultBinder", 0}};
  return plugins;
}

Plugins v1beta2(const FeatureGates& gates) {
  Plugins plugins;
  plugins.queue_sort.enabled = Refs{{"PrioritySort", 0}};
  plugins.pre_filter.enabled =
      Refs{{"NodeResourcesFit", 0}, {"NodePorts", 0},     {"VolumeRestrictions", 0}, {"PodTopologySpread", 0},
           {"InterPodAffinity", 0}, {"VolumeBinding", 0}, {"NodeAffinity", 0}};
  plugins.filter.enabled =
      Refs{{"NodeUnschedulable", 0}, {"NodeName", 0},          {"TaintToleration", 0},    {"NodeAffinity", 0},
           {"NodePorts", 0},         {"NodeResourcesFit", 0},  {"VolumeRestrictions", 0}, {"EBSLimits", 0},
           {"GCEPDLimits", 0},       {"NodeVolumeLimits", 0},  {"AzureDiskLimits", 0},    {"VolumeBinding", 0},
           {"VolumeZone", 0},        {"PodTopologySpread", 0}, {"InterPodAffinity", 0}};
  plugins.post_filter.enabled = Refs{{"DefaultPreemption", 0}};
  plugins.pre_score.enabled =
      Refs{{"InterPodAffinity", 0}, {"PodTopologySpread", 0}, {"TaintToleration", 0}, {"NodeAffinity", 0}};
  plugins.score.enabled = Refs{{"NodeResourcesBalancedAllocation", 1},
                               {"ImageLocality", 1},
                               {"InterPodAffinity", 1},
                               {"NodeResourcesFit", 1},
                               {"NodeAffinity", 1},
                               {"PodTopologySpread", 2},
                               {"TaintToleration", 1}};
  if (gates.enabled("VolumeCapacityPriority")) plugins.score.enabled.push_back({"VolumeBinding", 1});
  plugins.reserve.enabled = Refs{{"VolumeBinding", 0}};
  plugins.pre_bind.enabled = Refs{{"VolumeBinding", 0}};
  plugins.bind.enabled = Refs{{"DefaultBinder", 0}};
  return plugins;
}

}  // namespace

Plugins defaultPlugins(const Version& version, const FeatureGates& gates) {
  if (version.name == "v1beta2") return v1beta2(gates);
  if (version.name == "v1beta3") return v1beta3();
  return v1(gates);
}

}  // namespace podberth::scheduler::config
