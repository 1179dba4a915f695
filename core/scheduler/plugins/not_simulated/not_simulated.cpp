#include "core/scheduler/plugins/not_simulated/not_simulated.h"

namespace podberth::scheduler::plugins {

std::unique_ptr<Plugin> newNotSimulated(const config::PluginArgs&, Handle&, std::string* error) {
  *error = "this plugin is not simulated yet";
  return nullptr;
}

}  // namespace podberth::scheduler::plugins
