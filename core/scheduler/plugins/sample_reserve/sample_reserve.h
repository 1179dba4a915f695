// SampleReserve (Reserve), for teaching: fails for the pods that its rules name. Kubernetes has no such plugin; it is
// there only where a scenario asks for the sample plugins.
#pragma once

#include <memory>
#include <string>

#include "core/scheduler/framework/handle.h"
#include "core/scheduler/plugins/helper/sample_rules.h"

namespace podberth::scheduler::plugins {

class SampleReserve : public Plugin {
 public:
  static constexpr Points kPoints = static_cast<Points>(Point::kReserve);
  explicit SampleReserve(config::SampleArgs args) : rules_(std::move(args)) {}
  std::string_view name() const override { return config::kSampleReserve; }
  Points points() const override { return kPoints; }
  // Any event may bring a rejected pod back: nothing in the cluster changes a rule.
  Status reserve(CycleState& state, const api::PodPtr& pod, const std::string& node) override {
    static_cast<void>(state);
    return sampleStatus(rules_.use(*pod, node));
  }

 private:
  SampleRules rules_;
};

std::unique_ptr<Plugin> newSampleReserve(const config::PluginArgs& args, Handle& handle, std::string* error);

}  // namespace podberth::scheduler::plugins
