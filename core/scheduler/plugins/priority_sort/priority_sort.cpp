#include "core/scheduler/plugins/priority_sort/priority_sort.h"

namespace podberth::scheduler::plugins {

bool PrioritySort::less(const QueuedPodInfo& a, const QueuedPodInfo& b) const {
  const std::int32_t pa = a.priority();
  const std::int32_t pb = b.priority();
  return pa > pb || (pa == pb && a.timestamp < b.timestamp);
}

std::unique_ptr<Plugin> newPrioritySort(const config::PluginArgs&, Handle&, std::string*) {
  return std::make_unique<PrioritySort>();
}

}  // namespace podberth::scheduler::plugins
