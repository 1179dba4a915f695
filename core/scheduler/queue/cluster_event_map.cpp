#include "core/scheduler/queue/cluster_event_map.h"

#include <algorithm>

namespace podberth::scheduler {
namespace {

constexpr EventResource kMainKinds[] = {EventResource::kPod,
                                        EventResource::kNode,
                                        EventResource::kCSINode,
                                        EventResource::kPersistentVolume,
                                        EventResource::kPersistentVolumeClaim,
                                        EventResource::kStorageClass};

}  // namespace

void ClusterEventMap::add(const Plugin& plugin) {
  const std::string name(plugin.name());
  if (plugin.hasEvents()) {
    for (const ClusterEventWithHint& registered : plugin.eventsToRegister()) add(registered.event, name);
    return;
  }
  for (const EventResource resource : kMainKinds) add(ClusterEvent{resource, action::kAll}, name);
}

void ClusterEventMap::add(const ClusterEvent& event, const std::string& plugin) {
  const auto known =
      std::find_if(items_.begin(), items_.end(), [&event](const auto& item) { return item.first == event; });
  if (known != items_.end()) {
    known->second.insert(plugin);
    return;
  }
  items_.emplace_back(event, std::set<std::string>{plugin});
}

bool ClusterEventMap::concerns(const ClusterEvent& event, const std::vector<std::string>& plugins) const {
  if (event.isWildCard()) return true;
  for (const auto& [registered, names] : items_) {
    const bool matches =
        registered.isWildCard() || (registered.resource == event.resource && (registered.action & event.action) != 0);
    if (!matches) continue;
    for (const std::string& plugin : plugins) {
      if (names.count(plugin) != 0) return true;
    }
  }
  return false;
}

std::map<EventResource, std::int64_t> ClusterEventMap::resources() const {
  std::map<EventResource, std::int64_t> actions;
  for (const auto& [event, names] : items_) actions[event.resource] |= event.action;
  return actions;
}

}  // namespace podberth::scheduler
