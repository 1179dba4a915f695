// Which plugin wants to hear of which event, and what it says to it. Upstream: buildQueueingHintMap and unionedGVKs in
// pkg/scheduler/scheduler.go, QueueingHintMap in pkg/scheduler/backend/queue/scheduling_queue.go.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "core/scheduler/framework/events.h"
#include "core/scheduler/framework/plugin.h"

namespace podberth::scheduler {

struct PluginHint {
  std::string plugin;
  QueueingHintFn hint;  // empty: always kQueue
};

// Hints of one profile, by registered event. Upstream is a Go map without an order; here events stand in the order of
// their first registration.
class QueueingHintMap {
 public:
  using Item = std::pair<ClusterEvent, std::vector<PluginHint>>;
  void add(const ClusterEvent& event, PluginHint hint);
  const std::vector<Item>& items() const { return items_; }
  bool empty() const { return items_.empty(); }

 private:
  std::vector<Item> items_;
};

// The hints of a profile whose plugins are `plugins`, each plugin once. A plugin that does not say which events it
// wants (hasEvents() false) wants every one; events of kPod are unrolled into those of assigned, unscheduled and target
// pods.
QueueingHintMap buildQueueingHintMap(const std::vector<const Plugin*>& plugins);

// Which actions on which resource any plugin of any profile has registered: what the scheduler has to watch.
std::map<EventResource, std::int64_t> unionedResources(const std::map<std::string, QueueingHintMap>& hints_by_profile);

}  // namespace podberth::scheduler
