// Which plugins have registered for which event, without hints: all profiles in one map. Upstream (v1.24):
// fillEventToPluginMap in pkg/scheduler/framework/runtime/framework.go, podMatchesEvent in
// pkg/scheduler/internal/queue/scheduling_queue.go.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "core/scheduler/framework/events.h"
#include "core/scheduler/framework/plugin.h"

namespace podberth::scheduler {

class ClusterEventMap {
 public:
  // Registers a plugin's events; one that does not say which it wants gets those of the main kinds.
  void add(const Plugin& plugin);
  void add(const ClusterEvent& event, const std::string& plugin);
  // Whether any of the plugins (sorted names) has registered for the event.
  bool concerns(const ClusterEvent& event, const std::vector<std::string>& plugins) const;
  // Which actions on which resource anybody has registered: what the scheduler has to watch.
  std::map<EventResource, std::int64_t> resources() const;

 private:
  std::vector<std::pair<ClusterEvent, std::set<std::string>>> items_;
};

}  // namespace podberth::scheduler
