#include "core/scheduler/config/defaults.h"

#include <algorithm>
#include <map>
#include <set>

namespace podberth::scheduler::config {
namespace {

constexpr const char* kDefaultSchedulerName = "default-scheduler";
constexpr std::int32_t kDefaultClientBurst = 100;
constexpr std::int64_t kDefaultFilterTimeout = 10'000'000'000;
constexpr std::int64_t kDefaultBindingTimeout = 600'000'000'000;
constexpr std::int32_t kMaxCustomPriorityScore = 10;
constexpr std::int64_t kMillisecond = 1'000'000;

using Sets = std::vector<PluginPoint Plugins::*>;

const Sets& allSets() {
  static const Sets sets{&Plugins::multi_point,     &Plugins::pre_enqueue,
                         &Plugins::queue_sort,      &Plugins::pre_filter,
                         &Plugins::filter,          &Plugins::post_filter,
                         &Plugins::pre_score,       &Plugins::score,
                         &Plugins::reserve,         &Plugins::permit,
                         &Plugins::pre_bind,        &Plugins::bind,
                         &Plugins::post_bind,       &Plugins::placement_generate,
                         &Plugins::placement_score, &Plugins::pod_group_post_filter};
  return sets;
}

PluginPoint mergeSet(const PluginPoint& defaults, const PluginPoint& custom) {
  PluginPoint merged;
  std::set<std::string> disabled;
  for (const PluginPoint* set : {&custom, &defaults}) {
    for (const PluginRef& ref : set->disabled) {
      merged.disabled.push_back({ref.name, 0});
      disabled.insert(ref.name);
    }
  }
  std::map<std::string, std::size_t> given;  // of a plugin enabled twice the last counts
  for (std::size_t i = 0; i < custom.enabled.size(); ++i) given[custom.enabled[i].name] = i;
  std::set<std::size_t> replacing;
  if (disabled.count("*") == 0) {
    for (const PluginRef& ref : defaults.enabled) {
      if (disabled.count(ref.name) != 0) continue;
      const auto found = given.find(ref.name);
      if (found == given.end()) {
        merged.enabled.push_back(ref);
      } else {
        merged.enabled.push_back(custom.enabled[found->second]);
        replacing.insert(found->second);
      }
    }
  }
  for (std::size_t i = 0; i < custom.enabled.size(); ++i) {
    if (replacing.count(i) == 0) merged.enabled.push_back(custom.enabled[i]);
  }
  return merged;
}

// The plugins that are enabled anywhere but at podGroupPostFilter, in the order of their names.
std::set<std::string> enabledNames(const Plugins& plugins) {
  std::set<std::string> names;
  for (PluginPoint Plugins::*set : allSets()) {
    if (set == &Plugins::pod_group_post_filter) continue;
    for (const PluginRef& ref : (plugins.*set).enabled) names.insert(ref.name);
  }
  return names;
}

Profile toProfile(const ProfileDocument& document, const FeatureGates& gates) {
  Profile profile;
  profile.scheduler_name = document.scheduler_name.value_or("");
  profile.percentage_of_nodes_to_score = document.percentage_of_nodes_to_score;
  const Plugins defaults = defaultPlugins(gates);
  profile.plugins = document.plugins.has_value() ? mergePlugins(defaults, *document.plugins) : defaults;
  std::set<std::string> configured;
  for (std::size_t i = 0; i < document.plugin_config.size(); ++i) {
    PluginArgs args = document.args[i];
    setArgsDefaults(args, gates);
    profile.plugin_config.emplace_back(document.plugin_config[i].name, std::move(args));
    configured.insert(document.plugin_config[i].name);
  }
  for (const std::string& name : enabledNames(profile.plugins)) {
    const std::string kind = name + "Args";
    if (configured.count(name) != 0 || !isArgsKind(kind)) continue;
    Decoder decoder("", "");
    PluginArgs args = decodeArgs(decoder, kind, Json());
    setArgsDefaults(args, gates);
    profile.plugin_config.emplace_back(name, std::move(args));
  }
  return profile;
}

}  // namespace

Plugins defaultPlugins(const FeatureGates& gates) {
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

Plugins mergePlugins(const Plugins& defaults, const Plugins& custom) {
  Plugins merged;
  for (PluginPoint Plugins::*set : allSets()) merged.*set = mergeSet(defaults.*set, custom.*set);
  return merged;
}

void setArgsDefaults(PluginArgs& args, const FeatureGates& gates) {
  if (auto* volume_binding = std::get_if<VolumeBindingArgs>(&args)) {
    if (volume_binding->shape.empty() && gates.enabled("StorageCapacityScoring")) {
      volume_binding->shape = {{0, kMaxCustomPriorityScore}, {100, 0}};
    }
  }
  if (auto* resources = std::get_if<DynamicResourcesArgs>(&args)) {
    if (!resources->filter_timeout_ns.has_value() && gates.enabled("DRASchedulerFilterTimeout")) {
      resources->filter_timeout_ns = kDefaultFilterTimeout;
    }
    if (!resources->binding_timeout_ns.has_value() && gates.enabled("DRADeviceBindingConditions") &&
        gates.enabled("DRAResourceClaimDeviceStatus")) {
      resources->binding_timeout_ns = kDefaultBindingTimeout;
    }
    resources->filter_timeout_ms = resources->filter_timeout_ns.value_or(0) / kMillisecond;
  }
}

Configuration toConfiguration(const Document& document, const FeatureGates& gates) {
  Configuration config;
  config.api_version = kGroupVersion;
  config.parallelism = document.parallelism.value_or(config.parallelism);
  config.percentage_of_nodes_to_score = document.percentage_of_nodes_to_score.value_or(0);
  config.pod_initial_backoff_seconds =
      document.pod_initial_backoff_seconds.value_or(config.pod_initial_backoff_seconds);
  config.pod_max_backoff_seconds = document.pod_max_backoff_seconds.value_or(config.pod_max_backoff_seconds);
  config.client_burst = document.client_burst == 0 ? kDefaultClientBurst : document.client_burst;
  std::vector<ProfileDocument> profiles = document.profiles;
  if (profiles.empty()) profiles.emplace_back();
  if (profiles.size() == 1 && !profiles[0].scheduler_name.has_value()) {
    profiles[0].scheduler_name = kDefaultSchedulerName;
  }
  for (const ProfileDocument& profile : profiles) config.profiles.push_back(toProfile(profile, gates));
  config.has_extenders = !document.extenders.empty();
  return config;
}

}  // namespace podberth::scheduler::config
