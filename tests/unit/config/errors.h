// How the tests of this room ask for the error of a configuration.
#pragma once

#include <gtest/gtest.h>

#include <cstddef>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/scheduler/config/expand.h"
#include "core/scheduler/config/load.h"

namespace podberth::scheduler::config {

// Where upstream's plugins work.
inline std::optional<Points> inTreePoints(std::string_view name) {
  constexpr Points enqueue = static_cast<Points>(Point::kPreEnqueue);
  constexpr Points filter = Point::kPreFilter | Point::kFilter;
  constexpr Points score = Point::kPreScore | Point::kScore;
  constexpr Points assume = Point::kReserve | Point::kPreBind;
  static const std::map<std::string_view, Points> points{
      {"SchedulingGates", enqueue},
      {"PrioritySort", static_cast<Points>(Point::kQueueSort)},
      {"NodeName", filter},
      {"NodeUnschedulable", filter},
      {"TaintToleration", filter | score},
      {"NodeAffinity", filter | score},
      {"NodePorts", filter},
      {"NodeResourcesFit", filter | score},
      {"VolumeRestrictions", filter},
      {"NodeVolumeLimits", filter},
      {"VolumeBinding", filter | score | assume},
      {"VolumeZone", filter},
      {"PodTopologySpread", filter | score},
      {"InterPodAffinity", filter | score},
      {"DynamicResources", enqueue | filter | Point::kPostFilter | Point::kScore | assume},
      {"DefaultPreemption", enqueue | Point::kPostFilter},
      {"NodeResourcesBalancedAllocation", score},
      {"ImageLocality", static_cast<Points>(Point::kScore)},
      {"DefaultBinder", static_cast<Points>(Point::kBind)},
      {"NodeDeclaredFeatures", filter},
  };
  const auto found = points.find(name);
  return found == points.end() ? std::nullopt : std::optional<Points>(found->second);
}

struct Case {
  const char* name;
  const char* config;
  std::vector<const char*> gates_off;
  const char* error;
};

enum class Until { kValidated, kPluginsMade };

// The first error of making the plugins of all profiles.
inline std::string profilesError(const Configuration& config, const PointsOf& points_of) {
  ProfileChecker checker;
  for (const Profile& profile : config.profiles) {
    ExpandedPlugins expanded;
    std::string error = expandPlugins(profile, points_of, expanded);
    if (!error.empty()) return profileError(profile, error);
    error = checker.check(profile, expanded.queue_sort[0]);
    if (!error.empty()) return error;
  }
  return "";
}

// The first error of reading the configuration and, if asked for, of making its plugins.
inline std::string errorOf(const Case& c, Until until) {
  FeatureGates gates;
  for (const char* gate : c.gates_off) {
    std::string error;
    if (!gates.set(gate, false, &error)) return error;
  }
  const Loaded loaded = load(c.config, gates);
  if (!loaded.error.empty() || until == Until::kValidated) return loaded.error;
  return profilesError(loaded.config, inTreePoints);
}

template <std::size_t N>
void expectErrors(const Case (&cases)[N], Until until) {
  for (const Case& c : cases) {
    SCOPED_TRACE(c.name);
    EXPECT_EQ(errorOf(c, until), c.error) << c.config;
  }
}

}  // namespace podberth::scheduler::config
