// SamplePreBind (PreBind), for teaching: takes its time, and fails for the pods that its rules name. Kubernetes has no
// such plugin; it is there only where a scenario asks for the sample plugins.
#pragma once

#include <memory>
#include <string>

#include "core/scheduler/framework/handle.h"
#include "core/scheduler/plugins/helper/sample_rules.h"

namespace podberth::scheduler::plugins {

// What was begun for a pod.
struct SamplePreBindState : StateData {
  const config::SampleRule* rule = nullptr;
  clock::Time ready = 0;
};
inline constexpr StateKey<SamplePreBindState> kSamplePreBindStateKey{"PreBindSamplePreBind"};

class SamplePreBind : public Plugin {
 public:
  static constexpr Points kPoints = static_cast<Points>(Point::kPreBind);
  SamplePreBind(config::SampleArgs args, Handle& handle) : handle_(handle), rules_(std::move(args)) {}
  std::string_view name() const override { return config::kSamplePreBind; }
  Points points() const override { return kPoints; }
  // Skip for pods that no rule is about.
  Status preBindPreFlight(CycleState& state, const api::PodPtr& pod, const std::string& node) override;
  PreBindProgress preBind(CycleState& state, const api::PodPtr& pod, const std::string& node) override;

 private:
  Handle& handle_;
  SampleRules rules_;
};

std::unique_ptr<Plugin> newSamplePreBind(const config::PluginArgs& args, Handle& handle, std::string* error);

}  // namespace podberth::scheduler::plugins
