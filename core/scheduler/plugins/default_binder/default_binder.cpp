#include "core/scheduler/plugins/default_binder/default_binder.h"

namespace podberth::scheduler::plugins {

void DefaultBinder::bind(CycleState&, const api::PodPtr& pod, const std::string& node,
                         std::function<void(Status)> done) {
  handle_.client().bindPod(*pod, node, [done = std::move(done)](const ApiError& error) {
    done(error.failed ? Status::error(error.message) : Status());
  });
}

std::unique_ptr<Plugin> newDefaultBinder(const config::PluginArgs&, Handle& handle, std::string*) {
  return std::make_unique<DefaultBinder>(handle);
}

}  // namespace podberth::scheduler::plugins
