// From a profile's plugin sets to the plugins that run at each extension point.
// Upstream: pkg/scheduler/framework/runtime/framework.go (NewFramework), pkg/scheduler/profile/profile.go.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/scheduler/config/types.h"
#include "core/scheduler/framework/plugin.h"

namespace podberth::scheduler::config {

// Names of plugins, each list in the order in which they run.
struct ExpandedPlugins {
  std::vector<std::string> pre_enqueue, queue_sort, pre_filter, filter, post_filter, pre_score, reserve, permit,
      pre_bind, bind, post_bind;
  std::vector<std::pair<std::string, std::int32_t>>
      score;  // with their weights; never 0; only the last can be negative
  // Every plugin to be made, each once: in the order of multiPoint, then of the extension points. Upstream walks a map.
  std::vector<std::string> all;
};

// Where a known plugin works; nullopt for a plugin that is not in the registry.
using PointsOf = std::function<std::optional<Points>(std::string_view)>;

// The known plugins that a profile needs (ExpandedPlugins::all). Upstream makes them, and reports what their factories
// refuse, before it looks at the extension points.
std::vector<std::string> pluginsNeeded(const Profile& profile, const PointsOf& points_of);

// Expands multiPoint and checks as runtime.NewFramework does. Returns upstream's error text or "". What a factory
// refuses has been checked here as far as it follows from the arguments alone (pluginArgsError); any other refusal is
// the caller's to word with factoryError().
std::string expandPlugins(const Profile& profile, const PointsOf& points_of, ExpandedPlugins& out);

// Why the plugin's factory would refuse arguments that have passed validation, or "". Only NodeResourcesFit does:
// upstream's validation of a configuration never reaches its arguments (it looks for "NodeResourcesFitArgs").
std::string pluginArgsError(const Profile& profile, const std::string& plugin);

// The texts around the errors of one profile, as scheduler.New reports them.
std::string factoryError(std::string_view plugin, const std::string& error);  // initializing plugin "X": error
std::string profileError(const Profile& profile,
                         const std::string& error);  // initializing profiles: creating profile ...

// profile.NewMap's checks across profiles, in the order of the profiles. Returns the error with its wrapping, or "".
class ProfileChecker {
 public:
  // `queue_sort`: the profile's queue sort plugin after expansion.
  std::string check(const Profile& profile, const std::string& queue_sort);

 private:
  std::vector<std::string> names_;
  std::string queue_sort_;
  PluginArgs queue_sort_args_;
};

}  // namespace podberth::scheduler::config
