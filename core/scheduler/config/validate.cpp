#include "core/scheduler/config/validate.h"

#include <algorithm>
#include <map>
#include <set>

#include "core/api/validation.h"

namespace podberth::scheduler::config {
namespace {

// Plugins of former versions; the version named is upstream's slip (core's instead of the configuration's).
constexpr const char* kRemovedPlugins[] = {"AzureDiskLimits", "CinderLimits", "EBSLimits", "GCEPDLimits"};
constexpr const char* kRemovedInVersion = "v1";

bool isRemoved(const std::string& plugin) {
  return std::find(std::begin(kRemovedPlugins), std::end(kRemovedPlugins), plugin) != std::end(kRemovedPlugins);
}

FieldError removedPlugin(const FieldPath& path, const std::string& plugin, const std::string& api_version) {
  return invalid(path, quote(plugin),
                 "was invalid in version " + quote(kRemovedInVersion) + " (KubeSchedulerConfiguration is version " +
                     quote(api_version) + ")");
}

void checkPercentage(FieldErrors& errors, const FieldPath& path, const std::optional<std::int32_t>& percentage) {
  if (percentage.has_value() && (*percentage < 0 || *percentage > 100)) {
    errors.push_back(invalid(path, *percentage, "not in valid range [0-100]"));
  }
}

// Arguments that have no type here, as json.Marshal writes them.
std::string argsJson(const PluginArgs& args) {
  const OtherArgs* other = std::get_if<OtherArgs>(&args);
  return other == nullptr ? "null" : escapeHtml(other->json);
}

// Upstream walks a map of the points: the order among them is random there.
void checkRemovedPlugins(FieldErrors& errors, const FieldPath& path, const std::string& api_version,
                         const Plugins& plugins) {
  const std::pair<const char*, const PluginPoint*> points[] = {
      {"preEnqueue", &plugins.pre_enqueue},
      {"queueSort", &plugins.queue_sort},
      {"preFilter", &plugins.pre_filter},
      {"filter", &plugins.filter},
      {"postFilter", &plugins.post_filter},
      {"preScore", &plugins.pre_score},
      {"score", &plugins.score},
      {"reserve", &plugins.reserve},
      {"permit", &plugins.permit},
      {"preBind", &plugins.pre_bind},
      {"bind", &plugins.bind},
      {"postBind", &plugins.post_bind},
      {"podGroupPostFilter", &plugins.pod_group_post_filter},
  };
  for (const auto& [name, point] : points) {
    for (std::size_t i = 0; i < point->enabled.size(); ++i) {
      const std::string& plugin = point->enabled[i].name;
      if (isRemoved(plugin)) {
        errors.push_back(removedPlugin(path.child(name).child("enabled").index(i), plugin, api_version));
      }
    }
  }
}

void checkPluginConfig(FieldErrors& errors, const FieldPath& path, const std::string& api_version,
                       const Profile& profile, const ArgsContext& context) {
  std::set<std::string> seen;
  for (std::size_t i = 0; i < profile.plugin_config.size(); ++i) {
    const FieldPath at = path.child("pluginConfig").index(i);
    const auto& [name, args] = profile.plugin_config[i];
    if (!seen.insert(name).second) errors.push_back(duplicate(at, quote(name)));
    if (isRemoved(name)) {
      errors.push_back(removedPlugin(at, name, api_version));
    } else if (name == "NodeResourcesFitArgs") {
      // Upstream looks for NodeResourcesFit under this name, where arguments never have the type.
      errors.push_back(invalid(at.child("args"), argsJson(args), "has to match plugin args"));
    } else {
      append(errors, validateArgs(at.child("args"), args, context));
    }
  }
}

// Not a name of Kubernetes' own, and a valid name of a quota for it.
bool isExtendedResourceName(const std::string& name) {
  static const std::string quota = "requests.";
  if (name.find('/') == std::string::npos || name.find("kubernetes.io/") != std::string::npos) return false;
  return name.compare(0, quota.size(), quota) != 0 && api::validation::labelKey(quota + name).empty();
}

bool sameRefs(const std::vector<PluginRef>& a, const std::vector<PluginRef>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const PluginRef& x, const PluginRef& y) { return x.name == y.name && x.weight == y.weight; });
}

std::string refsJson(const std::vector<PluginRef>& refs) {
  if (refs.empty()) return "null";
  std::string out = "[";
  for (const PluginRef& ref : refs) {
    if (out.size() > 1) out += ',';
    out += "{\"Name\":" + jsonString(ref.name) + ",\"Weight\":" + std::to_string(ref.weight) + "}";
  }
  return out + "]";
}

void checkQueueSort(FieldErrors& errors, const FieldPath& path, const std::vector<Profile>& profiles) {
  const PluginPoint& first = profiles[0].plugins.queue_sort;
  const std::string name = first.enabled.empty() ? "" : first.enabled[0].name;
  if (first.enabled.size() > 1) {
    errors.push_back(invalid(path.index(0).child("plugins").child("queueSort").child("Enabled", "enabled"),
                             static_cast<std::int64_t>(first.enabled.size()),
                             "only one queue sort plugin can be enabled"));
  }
  PluginArgs args;
  for (const auto& item : profiles[0].plugin_config) {
    if (!name.empty() && item.first == name) args = item.second;
  }
  for (std::size_t i = 1; i < profiles.size(); ++i) {
    const PluginPoint& set = profiles[i].plugins.queue_sort;
    if (!sameRefs(first.enabled, set.enabled) || !sameRefs(first.disabled, set.disabled)) {
      errors.push_back(
          invalid(path.index(i).child("plugins").child("queueSort"),
                  "{\"Enabled\":" + refsJson(set.enabled) + ",\"Disabled\":" + refsJson(set.disabled) + "}",
                  "must be the same for all profiles"));
    }
    for (std::size_t j = 0; j < profiles[i].plugin_config.size(); ++j) {
      const auto& item = profiles[i].plugin_config[j];
      if (item.first != name || argsJson(item.second) == argsJson(args)) continue;
      errors.push_back(invalid(path.index(i).child("pluginConfig").child("args", std::to_string(j)),
                               argsJson(item.second), "queueSort must be the same for all profiles"));
    }
  }
}

void checkExtenders(FieldErrors& errors, const FieldPath& path, const std::vector<ExtenderDocument>& extenders) {
  std::size_t binders = 0;
  std::set<std::string> resources;
  for (std::size_t i = 0; i < extenders.size(); ++i) {
    const ExtenderDocument& extender = extenders[i];
    if (!extender.prioritize_verb.empty() && extender.weight <= 0) {
      errors.push_back(
          invalid(path.index(i).child("weight"), extender.weight, "must have a positive weight applied to it"));
    }
    if (!extender.bind_verb.empty()) ++binders;
    for (std::size_t j = 0; j < extender.managed_resources.size(); ++j) {
      const std::string& name = extender.managed_resources[j];
      const FieldPath at = path.index(i).child("managedResources").index(j).child("name");
      const std::vector<std::string> complaints = api::validation::labelKey(name);
      for (const std::string& complaint : complaints) errors.push_back(invalid(at, jsonString(name), complaint));
      if (complaints.empty() && !isExtendedResourceName(name)) {
        errors.push_back(invalid(at, quote(name), "is an invalid extended resource name"));
      }
      if (!resources.insert(name).second) {
        errors.push_back(invalid(at, quote(name), "duplicate extender managed resource name"));
      }
    }
  }
  if (binders > 1) {
    errors.push_back(invalid(path, quote("found " + std::to_string(binders) + " extenders implementing bind"),
                             "only one extender can implement bind"));
  }
}

}  // namespace

FieldErrors validate(const Configuration& config, const Document& document, const FeatureGates& gates) {
  const FieldPath root;
  const ArgsContext context{gates, document.empty_lists};
  FieldErrors errors;
  if (config.client_burst < 0) {
    errors.push_back(
        invalid(root.child("clientConnection").child("burst"), config.client_burst, "must be non-negative"));
  }
  if (config.parallelism <= 0) {
    errors.push_back(
        invalid(root.child("parallelism"), config.parallelism, "should be an integer value greater than zero"));
  }
  const FieldPath profiles = root.child("profiles");
  std::map<std::string, std::size_t> names;
  for (std::size_t i = 0; i < config.profiles.size(); ++i) {
    const Profile& profile = config.profiles[i];
    const FieldPath path = profiles.index(i);
    if (profile.scheduler_name.empty()) errors.push_back(required(path.child("schedulerName"), ""));
    checkPercentage(errors, path.child("percentageOfNodesToScore"), profile.percentage_of_nodes_to_score);
    checkRemovedPlugins(errors, path.child("plugins"), config.api_version, profile.plugins);
    checkPluginConfig(errors, path, config.api_version, profile, context);
    // The value is the other profile's path, which upstream prints as an empty object.
    if (names.count(profile.scheduler_name) != 0) errors.push_back(duplicate(path.child("schedulerName"), "{}"));
    names[profile.scheduler_name] = i;
  }
  checkQueueSort(errors, profiles, config.profiles);
  checkPercentage(errors, root.child("percentageOfNodesToScore"), config.percentage_of_nodes_to_score);
  if (config.pod_initial_backoff_seconds <= 0) {
    errors.push_back(
        invalid(root.child("podInitialBackoffSeconds"), config.pod_initial_backoff_seconds, "must be greater than 0"));
  }
  if (config.pod_max_backoff_seconds < config.pod_initial_backoff_seconds) {
    errors.push_back(invalid(root.child("podMaxBackoffSeconds"), config.pod_max_backoff_seconds,
                             "must be greater than or equal to PodInitialBackoffSeconds"));
  }
  checkExtenders(errors, root.child("extenders"), document.extenders);
  return errors;
}

}  // namespace podberth::scheduler::config
