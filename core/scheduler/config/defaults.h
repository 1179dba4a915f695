// What a configuration is made of where nothing was given. Upstream:
// pkg/scheduler/apis/config/{v1,v1beta2,v1beta3}/{defaults,default_plugins}.go.
#pragma once

#include "core/scheduler/config/document.h"
#include "core/scheduler/config/types.h"
#include "core/scheduler/framework/handle.h"

namespace podberth::scheduler::config {

// The custom sets merged into the default ones: what is disabled goes, what is enabled again is replaced in its place,
// the rest comes behind.
Plugins mergePlugins(const Version& version, const Plugins& defaults, const Plugins& custom);
// Defaults that depend on feature gates.
void setArgsDefaults(PluginArgs& args, const FeatureGates& gates);
// Defaulting and conversion to what the scheduler works with.
Configuration toConfiguration(const Document& document, const FeatureGates& gates);

}  // namespace podberth::scheduler::config
