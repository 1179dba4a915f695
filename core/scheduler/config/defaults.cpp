#include "core/scheduler/config/defaults.h"

#include <algorithm>
#include <map>
#include <set>

#include "core/scheduler/config/default_plugins.h"

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

Profile toProfile(const ProfileDocument& document, const Version& version, const FeatureGates& gates) {
  Profile profile;
  profile.rules = &rulesOf(gates.release().config);
  profile.scheduler_name = document.scheduler_name.value_or("");
  profile.percentage_of_nodes_to_score = document.percentage_of_nodes_to_score;
  const Plugins defaults = defaultPlugins(version, gates);
  profile.plugins = document.plugins.has_value() ? mergePlugins(version, defaults, *document.plugins) : defaults;
  std::set<std::string> configured;
  for (std::size_t i = 0; i < document.plugin_config.size(); ++i) {
    PluginArgs args = document.args[i];
    setArgsDefaults(args, gates);
    profile.plugin_config.emplace_back(document.plugin_config[i].name, std::move(args));
    configured.insert(document.plugin_config[i].name);
  }
  for (const std::string& name : enabledNames(profile.plugins)) {
    const std::string kind = name + "Args";
    if (configured.count(name) != 0 || !isArgsKind(kind, *profile.rules)) continue;
    const Schema schema{*profile.rules, version};
    Decoder decoder(schema, "", "");
    PluginArgs args = decodeArgs(decoder, kind, Json());
    setArgsDefaults(args, gates);
    profile.plugin_config.emplace_back(name, std::move(args));
  }
  return profile;
}

}  // namespace

Plugins mergePlugins(const Version& version, const Plugins& defaults, const Plugins& custom) {
  Plugins merged;
  for (PluginPoint Plugins::*set : allSets()) {
    if (set == &Plugins::multi_point && !version.multi_point) continue;
    merged.*set = mergeSet(defaults.*set, custom.*set);
    if (!version.multi_point) (merged.*set).disabled.clear();
  }
  return merged;
}

void setArgsDefaults(PluginArgs& args, const FeatureGates& gates) {
  if (auto* volume_binding = std::get_if<VolumeBindingArgs>(&args)) {
    const Rules& rules = rulesOf(gates.release().config);
    if (volume_binding->shape.empty() && gates.enabled(rules.shape_gate)) {
      const std::int32_t at_first = rules.shape_falls ? kMaxCustomPriorityScore : 0;
      volume_binding->shape = {{0, at_first}, {100, kMaxCustomPriorityScore - at_first}};
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
  const Rules& rules = rulesOf(gates.release().config);
  const Version& version = document.version == nullptr ? *findVersion(rules, rules.default_version) : *document.version;
  Configuration config;
  config.api_version = version.groupVersion();
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
  for (const ProfileDocument& profile : profiles) config.profiles.push_back(toProfile(profile, version, gates));
  config.has_extenders = !document.extenders.empty();
  return config;
}

}  // namespace podberth::scheduler::config
