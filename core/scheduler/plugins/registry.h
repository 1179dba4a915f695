// All plugins there are, in one explicit list a release. Upstream: pkg/scheduler/framework/plugins/registry.go.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/release/release.h"
#include "core/scheduler/config/types.h"
#include "core/scheduler/framework/handle.h"

namespace podberth::scheduler::plugins {

struct PluginFactory {
  std::string_view name;
  Points points;                // where its plugin works
  std::int32_t default_weight;  // of the default configuration; 0 if it does not score
  // Null, with upstream's text in *error, if the arguments do not do. The handle must outlive the plugin.
  std::unique_ptr<Plugin> (*make)(const config::PluginArgs& args, Handle& handle, std::string* error);
};

// In the order of the default configuration, then what is there but not enabled by default.
const std::vector<PluginFactory>& registry(release::PluginSet set);
// Plugins of our own, for teaching. They are there only where a scenario asks for them: upstream has none of them, and
// says so of every unknown plugin.
const std::vector<PluginFactory>& sampleRegistry();
// Null if there is no such plugin.
const PluginFactory* find(release::PluginSet set, std::string_view name, bool samples = false);
// Where a plugin works; the form in which config::expandPlugins asks.
std::function<std::optional<Points>(std::string_view)> pointsOf(release::PluginSet set, bool samples);

}  // namespace podberth::scheduler::plugins
