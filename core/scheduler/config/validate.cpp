#include "core/scheduler/config/validate.h"

#include <algorithm>
#include <map>
#include <set>

#include "core/api/go_text.h"
#include "core/api/ip.h"
#include "core/api/names.h"
#include "core/scheduler/config/args_text.h"

namespace podberth::scheduler::config {
namespace {

using api::field::ErrorList;
using api::field::jsonString;
using api::field::Path;
using api::field::raw;
using api::field::Shown;
using api::field::shown;
using api::go::quote;
using api::names::isLabelKey;

// Plugins of former versions; the version named is upstream's slip (core's instead of the configuration's).
constexpr const char* kRemovedPlugins[] = {"AzureDiskLimits", "CinderLimits", "EBSLimits", "GCEPDLimits"};
constexpr const char* kRemovedInVersion = "v1";

bool isRemoved(const std::string& plugin) {
  return std::find(std::begin(kRemovedPlugins), std::end(kRemovedPlugins), plugin) != std::end(kRemovedPlugins);
}

void removedPlugin(ErrorList& errors, const Path& path, const std::string& plugin, const std::string& api_version) {
  errors.invalid(path, shown(plugin),
                 "was invalid in version " + quote(kRemovedInVersion) + " (KubeSchedulerConfiguration is version " +
                     quote(api_version) + ")");
}

void checkPercentage(ErrorList& errors, const Path& path, const std::optional<std::int32_t>& percentage) {
  if (percentage.has_value() && (*percentage < 0 || *percentage > 100)) {
    errors.invalid(path, *percentage, "not in valid range [0-100]");
  }
}

// Upstream walks a map of the points: the order among them is random there.
void checkRemovedPlugins(ErrorList& errors, const Path& path, const std::string& api_version, const Plugins& plugins) {
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
        removedPlugin(errors, path.child(name).child("enabled").index(i), plugin, api_version);
      }
    }
  }
}

void checkPluginConfig(ErrorList& errors, const Path& path, const std::string& api_version, const Profile& profile,
                       const ArgsContext& context) {
  std::set<std::string> seen;
  for (std::size_t i = 0; i < profile.plugin_config.size(); ++i) {
    const Path at = path.child("pluginConfig").index(i);
    const auto& [name, args] = profile.plugin_config[i];
    if (!seen.insert(name).second) errors.duplicate(at, shown(name));
    if (context.rules().removed_plugins && isRemoved(name)) {
      removedPlugin(errors, at, name, api_version);
    } else if (name == "NodeResourcesFitArgs") {
      // Upstream looks for NodeResourcesFit under this name, where arguments never have the type.
      const Path there = at.child("args");
      errors.invalid(there, argsText(args, there.pointer(), context).shown, "has to match plugin args");
    } else {
      validateArgs(errors, at.child("args"), args, context);
    }
  }
}

// Not a name of Kubernetes' own, and a valid name of a quota for it.
bool isExtendedResourceName(const std::string& name) {
  static const std::string quota = "requests.";
  if (name.find('/') == std::string::npos || name.find("kubernetes.io/") != std::string::npos) return false;
  return name.compare(0, quota.size(), quota) != 0 && isLabelKey(quota + name, api::kWording).empty();
}

bool sameRefs(const std::vector<PluginRef>& a, const std::vector<PluginRef>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const PluginRef& x, const PluginRef& y) { return x.name == y.name && x.weight == y.weight; });
}

Shown shownRefs(const std::vector<PluginRef>& refs) {
  if (refs.empty()) return raw("null", "[]config.Plugin(nil)");
  Shown out;
  for (const PluginRef& ref : refs) {
    const std::string weight = std::to_string(ref.weight);
    const Shown name = jsonString(ref.name);
    out.json += (out.json.empty() ? "[" : ",") + ("{\"Name\":" + name.json) + ",\"Weight\":" + weight + "}";
    out.go +=
        (out.go.empty() ? "[]config.Plugin{" : ", ") + ("config.Plugin{Name:" + name.go) + ", Weight:" + weight + "}";
  }
  return raw(out.json + "]", out.go + "}");
}

Shown shownSet(const PluginPoint& set) {
  const Shown enabled = shownRefs(set.enabled);
  const Shown disabled = shownRefs(set.disabled);
  return raw("{\"Enabled\":" + enabled.json + ",\"Disabled\":" + disabled.json + "}",
             "config.PluginSet{Enabled:" + enabled.go + ", Disabled:" + disabled.go + "}");
}

void checkQueueSort(ErrorList& errors, const Path& path, const std::vector<Profile>& profiles,
                    const ArgsContext& context) {
  const Rules& rules = context.rules();
  const PluginPoint& first = profiles[0].plugins.queue_sort;
  const std::string name = first.enabled.empty() ? "" : first.enabled[0].name;
  if (first.enabled.size() > 1) {
    errors.invalid(path.index(0).child("plugins").child("queueSort").child("Enabled", "enabled"),
                   static_cast<std::int64_t>(first.enabled.size()), "only one queue sort plugin can be enabled");
  }
  const auto text = [&](std::size_t profile, std::size_t i) {
    const Path at = path.index(profile).child("pluginConfig").index(i).child("args");
    return argsText(profiles[profile].plugin_config[i].second, at.pointer(), context);
  };
  std::string args = argsText(PluginArgs(), "", context).whole;
  for (std::size_t j = 0; j < profiles[0].plugin_config.size(); ++j) {
    if (!name.empty() && profiles[0].plugin_config[j].first == name) args = text(0, j).whole;
  }
  for (std::size_t i = 1; i < profiles.size(); ++i) {
    const PluginPoint& set = profiles[i].plugins.queue_sort;
    if (!sameRefs(first.enabled, set.enabled) || !sameRefs(first.disabled, set.disabled)) {
      errors.invalid(path.index(i).child("plugins").child("queueSort"), shownSet(set), rules.queue_sort_differs);
    }
    for (std::size_t j = 0; j < profiles[i].plugin_config.size(); ++j) {
      if (profiles[i].plugin_config[j].first != name) continue;
      const ArgsText here = text(i, j);
      if (here.whole == args) continue;
      errors.invalid(path.index(i).child("pluginConfig").child("args", std::to_string(j)), here.shown,
                     rules.queue_sort_args_differ);
    }
  }
}

// Addresses may be given without effect: without a port.
void checkBindAddress(ErrorList& errors, const Path& path, const std::string& address) {
  if (address.empty()) return;
  std::string host;
  std::int64_t port = 0;
  const std::string error = api::names::splitHostPort(address, &host, &port);
  if (!error.empty()) {
    errors.invalid(path, shown(address), error);
    return;
  }
  const api::names::Messages wrong = api::names::isIpForLegacyField(host, /*strict=*/false);
  if (!wrong.empty()) errors.invalid(path, shown(address), api::names::joined(wrong, ","));
  if (port != 0) errors.invalid(path, shown(address), "must be empty or with an explicit 0 port");
}

void checkExtenders(ErrorList& errors, const Path& path, const std::vector<Extender>& extenders) {
  std::size_t binders = 0;
  std::set<std::string> resources;
  for (std::size_t i = 0; i < extenders.size(); ++i) {
    const Extender& extender = extenders[i];
    if (!extender.prioritize_verb.empty() && extender.weight <= 0) {
      errors.invalid(path.index(i).child("weight"), extender.weight, "must have a positive weight applied to it");
    }
    if (!extender.bind_verb.empty()) ++binders;
    for (std::size_t j = 0; j < extender.managed_resources.size(); ++j) {
      const std::string& name = extender.managed_resources[j].name;
      const Path at = path.index(i).child("managedResources").index(j).child("name");
      const api::names::Messages complaints = isLabelKey(name, errors.wording());
      // The name of a resource used to be printed as it is.
      for (const std::string& complaint : complaints) {
        errors.invalid(at, raw(api::go::jsonString(name), name), complaint);
      }
      if (complaints.empty() && !isExtendedResourceName(name)) {
        errors.invalid(at, shown(name), "is an invalid extended resource name");
      }
      if (!resources.insert(name).second) {
        errors.invalid(at, shown(name), "duplicate extender managed resource name");
      }
    }
  }
  if (binders > 1) {
    errors.invalid(path, shown("found " + std::to_string(binders) + " extenders implementing bind"),
                   "only one extender can implement bind");
  }
}

}  // namespace

ErrorList validate(const Configuration& config, const Document& document, const FeatureGates& gates) {
  const Path root;
  const ArgsContext context{gates, document.empty_lists};
  const Rules& rules = context.rules();
  ErrorList errors(*rules.wording);
  if (config.client_burst < 0) {
    errors.invalid(root.child("clientConnection").child("burst"), config.client_burst, "must be non-negative");
  }
  if (config.parallelism <= 0) {
    errors.invalid(root.child("parallelism"), config.parallelism, "should be an integer value greater than zero");
  }
  const Path profiles = root.child("profiles");
  std::map<std::string, std::size_t> names;
  for (std::size_t i = 0; i < config.profiles.size(); ++i) {
    const Profile& profile = config.profiles[i];
    const Path path = profiles.index(i);
    if (profile.scheduler_name.empty()) errors.required(path.child("schedulerName"), "");
    checkPercentage(errors, path.child("percentageOfNodesToScore"), profile.percentage_of_nodes_to_score);
    if (rules.removed_plugins) checkRemovedPlugins(errors, path.child("plugins"), config.api_version, profile.plugins);
    checkPluginConfig(errors, path, config.api_version, profile, context);
    // The value is the other profile's path, which upstream prints as an empty object, or with its pointer (as 0x0).
    if (names.count(profile.scheduler_name) != 0) {
      errors.duplicate(path.child("schedulerName"),
                       raw("{}", R"(field.Path{name:"schedulerName", index:"", parent:(*field.Path)(0x0)})"));
    }
    names[profile.scheduler_name] = i;
  }
  checkQueueSort(errors, profiles, config.profiles, context);
  checkBindAddress(errors, root.child("healthzBindAddress"), document.healthz_bind_address);
  checkBindAddress(errors, root.child("metricsBindAddress"), document.metrics_bind_address);
  checkPercentage(errors, root.child("percentageOfNodesToScore"), config.percentage_of_nodes_to_score);
  if (config.pod_initial_backoff_seconds <= 0) {
    errors.invalid(root.child("podInitialBackoffSeconds"), config.pod_initial_backoff_seconds,
                   "must be greater than 0");
  }
  if (config.pod_max_backoff_seconds < config.pod_initial_backoff_seconds) {
    errors.invalid(root.child("podMaxBackoffSeconds"), config.pod_max_backoff_seconds,
                   "must be greater than or equal to PodInitialBackoffSeconds");
  }
  checkExtenders(errors, root.child("extenders"), document.extenders);
  return errors;
}

}  // namespace podberth::scheduler::config
