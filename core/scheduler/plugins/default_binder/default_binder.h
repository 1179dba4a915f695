// DefaultBinder (Bind): binds pods by a write to the API server.
// Upstream: pkg/scheduler/framework/plugins/defaultbinder/default_binder.go.
#pragma once

#include <memory>
#include <string>

#include "core/scheduler/config/types.h"
#include "core/scheduler/framework/handle.h"
#include "core/scheduler/plugins/names.h"

namespace podberth::scheduler::plugins {

class DefaultBinder : public Plugin {
 public:
  static constexpr Points kPoints = static_cast<Points>(Point::kBind);
  explicit DefaultBinder(Handle& handle) : handle_(handle) {}
  std::string_view name() const override { return names::kDefaultBinder; }
  Points points() const override { return kPoints; }
  // An Error status with the API server's text if the write fails.
  void bind(CycleState& state, const api::PodPtr& pod, const std::string& node,
            std::function<void(Status)> done) override;

 private:
  Handle& handle_;
};

std::unique_ptr<Plugin> newDefaultBinder(const config::PluginArgs& args, Handle& handle, std::string* error);

}  // namespace podberth::scheduler::plugins
