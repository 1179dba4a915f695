// The plugins of v1.24. Upstream (v1.24): pkg/scheduler/framework/plugins/registry.go and
// pkg/scheduler/apis/config/v1beta3/default_plugins.go.
#pragma once

#include <vector>

#include "core/scheduler/plugins/registry.h"

namespace podberth::scheduler::plugins {

// In the order of the default configuration (of v1beta3), then what is there but not enabled by default.
const std::vector<PluginFactory>& registryV1_24();

}  // namespace podberth::scheduler::plugins
