// Plugins of features that are off by default and not simulated: asking for one is an error.
#pragma once

#include <memory>
#include <string>

#include "core/scheduler/config/types.h"
#include "core/scheduler/framework/handle.h"

namespace podberth::scheduler::plugins {

// Always null, with the reason in *error.
std::unique_ptr<Plugin> newNotSimulated(const config::PluginArgs& args, Handle& handle, std::string* error);

}  // namespace podberth::scheduler::plugins
