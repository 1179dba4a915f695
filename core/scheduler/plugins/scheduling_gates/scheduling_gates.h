// SchedulingGates (PreEnqueue): a pod with scheduling gates does not enter the queue.
// Upstream: pkg/scheduler/framework/plugins/schedulinggates/scheduling_gates.go, KEP-3521.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/scheduler/config/types.h"
#include "core/scheduler/framework/handle.h"
#include "core/scheduler/plugins/names.h"

namespace podberth::scheduler::plugins {

// "waiting for scheduling gates: [a b]"
std::string waitingForGatesMessage(const std::vector<std::string>& gates);

class SchedulingGates : public Plugin {
 public:
  static constexpr Points kPoints = static_cast<Points>(Point::kPreEnqueue);
  std::string_view name() const override { return names::kSchedulingGates; }
  Points points() const override { return kPoints; }
  bool hasEvents() const override { return true; }
  std::vector<ClusterEventWithHint> eventsToRegister() const override;
  Status preEnqueue(const api::Pod& pod) override;
};

std::unique_ptr<Plugin> newSchedulingGates(const config::PluginArgs& args, Handle& handle, std::string* error);

}  // namespace podberth::scheduler::plugins
