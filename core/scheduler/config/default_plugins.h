// The plugins of a profile that says nothing. Upstream:
// pkg/scheduler/apis/config/{v1,v1beta2,v1beta3}/default_plugins.go.
#pragma once

#include "core/scheduler/config/rules.h"
#include "core/scheduler/config/types.h"
#include "core/scheduler/framework/handle.h"

namespace podberth::scheduler::config {

// Of the gates' release.
Plugins defaultPlugins(const Version& version, const FeatureGates& gates);

}  // namespace podberth::scheduler::config
