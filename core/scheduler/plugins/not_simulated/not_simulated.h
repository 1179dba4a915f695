// Plugins of features that are off by default and not simulated.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "core/scheduler/framework/handle.h"
#include "core/scheduler/framework/plugin.h"

namespace podberth::scheduler::plugins {

// While the gate of its feature is off, such a plugin has nothing to do: there are no pod groups, and no pod waits for
// a resize. While it is on, the plugin cannot be made: null, with the reason in *error.
std::unique_ptr<Plugin> makeNotSimulated(std::string_view name, Points points, std::string_view gate, Handle& handle,
                                         std::string* error);

}  // namespace podberth::scheduler::plugins
