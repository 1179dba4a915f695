// SamplePermit (Permit, Reserve), for teaching: approves, rejects or makes wait the pods that its rules name. A waiting
// pod is let go after a time, or as soon as enough pods of some kind have a node or wait as well: a gang by hand.
// Kubernetes has no such plugin; it is there only where a scenario asks for the sample plugins.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "core/scheduler/framework/handle.h"
#include "core/scheduler/plugins/helper/sample_rules.h"

namespace podberth::scheduler::plugins {

class SamplePermit : public Plugin {
 public:
  // Reserve only for Unreserve: a pod that has lost its place is counted no longer.
  static constexpr Points kPoints = Point::kPermit | Point::kReserve;
  SamplePermit(config::SampleArgs args, Handle& handle);
  std::string_view name() const override { return config::kSamplePermit; }
  Points points() const override { return kPoints; }
  // A pod is worth another try when its labels change, when a pod that it would wait for has got a node, or when a node
  // comes where such pods may go. Moreover a pod that begins to wait has those activated that it waits for.
  bool hasEvents() const override { return true; }
  std::vector<ClusterEventWithHint> eventsToRegister() const override;

  Status permit(CycleState& state, const api::PodPtr& pod, const std::string& node, clock::Duration& timeout) override;
  void unreserve(CycleState& state, const api::PodPtr& pod, const std::string& node) override;

 private:
  // A pod that waits, or that has been let go and whose node the API server does not know yet.
  struct Held {
    api::PodPtr pod;
    const config::SampleRule* rule = nullptr;
    bool approved = false;
    std::uint64_t number = 0;  // of the attempt
  };

  bool enough(const config::SampleRule& rule, const std::string& ns) const;
  void approveWhereEnough();
  void activateOthers(const config::SampleRule& rule, const api::Pod& pod);
  void later(clock::Duration after, const std::string& uid, bool approve);

  Handle& handle_;
  SampleRules rules_;
  std::map<std::string, Held> held_;  // by uid
  std::uint64_t last_number_ = 0;
};

std::unique_ptr<Plugin> newSamplePermit(const config::PluginArgs& args, Handle& handle, std::string* error);

}  // namespace podberth::scheduler::plugins
