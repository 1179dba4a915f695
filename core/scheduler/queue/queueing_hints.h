// Which plugin wants to hear of which event, and what it says to it. Upstream: buildQueueingHintMap and unionedGVKs in
// pkg/scheduler/scheduler.go, fillEnqueueExtensions in pkg/scheduler/framework/runtime/framework.go.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "core/scheduler/framework/events.h"
#include "core/scheduler/framework/extender.h"
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
  // The hints whose registered event matches, in the order of registration. Valid as long as the map does not change.
  std::vector<const PluginHint*> matching(const ClusterEvent& event) const;
  bool anyMatching(const ClusterEvent& event) const;
  const std::vector<Item>& items() const { return items_; }

 private:
  std::vector<Item> items_;
};

// The hints of a profile whose plugins are `plugins`, each plugin once. Plugins that do not reject pods (PreEnqueue,
// PreFilter, Filter, Reserve, Permit) are left out. One that does not say which events it wants (hasEvents() false)
// wants every one, and so do extenders if there are any. Events of kPod count for assigned, unscheduled and target
// pods.
QueueingHintMap buildQueueingHintMap(const std::vector<const Plugin*>& plugins, bool extenders);

// Which actions on which resource any plugin of any profile has registered: what the scheduler has to watch.
std::map<EventResource, std::int64_t> unionedResources(const std::map<std::string, QueueingHintMap>& hints_by_profile);

}  // namespace podberth::scheduler
