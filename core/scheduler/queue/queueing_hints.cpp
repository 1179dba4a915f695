#include "core/scheduler/queue/queueing_hints.h"

namespace podberth::scheduler {
namespace {

// framework.UnrollWildCardResource: what a plugin hears of that does not say what it wants.
constexpr EventResource kAllResources[] = {
    EventResource::kAssignedPod,  EventResource::kUnscheduledPod,   EventResource::kTargetPod,
    EventResource::kNode,         EventResource::kPersistentVolume, EventResource::kPersistentVolumeClaim,
    EventResource::kCSINode,      EventResource::kCSIDriver,        EventResource::kCSIStorageCapacity,
    EventResource::kStorageClass, EventResource::kResourceClaim,    EventResource::kDeviceClass,
};

constexpr Points kRejectingPoints =
    Point::kPreEnqueue | Point::kPreFilter | Point::kFilter | Point::kReserve | Point::kPermit;

void addAllEvents(QueueingHintMap& map, std::string_view plugin) {
  for (const EventResource resource : kAllResources) {
    ClusterEvent event;
    event.resource = resource;
    event.action = action::kAll;
    PluginHint hint;
    hint.plugin = plugin;
    map.add(event, std::move(hint));
  }
}

void addEvent(QueueingHintMap& map, std::string_view plugin, const ClusterEventWithHint& registered) {
  PluginHint hint;
  hint.plugin = plugin;
  hint.hint = registered.hint;
  if (registered.event.resource != EventResource::kPod) {
    map.add(registered.event, std::move(hint));
    return;
  }
  for (const EventResource resource :
       {EventResource::kAssignedPod, EventResource::kUnscheduledPod, EventResource::kTargetPod}) {
    ClusterEvent event;
    event.resource = resource;
    event.action = registered.event.action;
    map.add(event, hint);
  }
}

}  // namespace

void QueueingHintMap::add(const ClusterEvent& event, PluginHint hint) {
  for (Item& item : items_) {
    if (item.first == event) {
      item.second.push_back(std::move(hint));
      return;
    }
  }
  items_.emplace_back(event, std::vector<PluginHint>());
  items_.back().second.push_back(std::move(hint));
}

std::vector<const PluginHint*> QueueingHintMap::matching(const ClusterEvent& event) const {
  std::vector<const PluginHint*> out;
  for (const Item& item : items_) {
    if (!matchClusterEvents(item.first, event)) continue;
    for (const PluginHint& hint : item.second) out.push_back(&hint);
  }
  return out;
}

bool QueueingHintMap::anyMatching(const ClusterEvent& event) const {
  for (const Item& item : items_) {
    if (matchClusterEvents(item.first, event)) return true;
  }
  return false;
}

QueueingHintMap buildQueueingHintMap(const std::vector<const Plugin*>& plugins, bool extenders) {
  QueueingHintMap map;
  if (extenders) addAllEvents(map, kExtenderName);
  for (const Plugin* plugin : plugins) {
    if ((plugin->points() & kRejectingPoints) == 0) continue;
    if (!plugin->hasEvents()) {
      addAllEvents(map, plugin->name());
      continue;
    }
    for (const ClusterEventWithHint& registered : plugin->eventsToRegister()) addEvent(map, plugin->name(), registered);
  }
  return map;
}

std::map<EventResource, std::int64_t> unionedResources(const std::map<std::string, QueueingHintMap>& hints_by_profile) {
  std::map<EventResource, std::int64_t> actions;
  for (const auto& [profile, hints] : hints_by_profile) {
    for (const auto& [event, plugins] : hints.items()) actions[event.resource] |= event.action;
  }
  return actions;
}

}  // namespace podberth::scheduler
