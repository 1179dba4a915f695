// A plugin as a release registers it: where it works and which events it wants to hear of, where that differs from
// what the plugin itself says. Its rules are another matter: they are arguments of the plugin.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "core/scheduler/framework/plugin.h"

namespace podberth::scheduler::plugins {

struct Registration {
  Points points = 0;
  bool has_events = false;  // false: the plugin does not say, and every event counts
  std::vector<ClusterEvent> events;
};

template <class P>
class Registered : public P {
 public:
  template <class... Args>
  explicit Registered(const Registration& registration, Args&&... args)
      : P(std::forward<Args>(args)...), registration_(registration) {}

  Points points() const override { return registration_.points; }
  bool hasEvents() const override { return registration_.has_events; }
  // Without hints: each of the events is reason enough.
  std::vector<ClusterEventWithHint> eventsToRegister() const override {
    std::vector<ClusterEventWithHint> out;
    for (const ClusterEvent& event : registration_.events) out.push_back({event, nullptr});
    return out;
  }

 private:
  const Registration& registration_;
};

}  // namespace podberth::scheduler::plugins
