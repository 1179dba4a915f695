// PrioritySort (QueueSort): pods of higher priority first, among equals the one that has waited longer.
// Upstream: pkg/scheduler/framework/plugins/queuesort/priority_sort.go.
#pragma once

#include <memory>
#include <string>

#include "core/scheduler/config/types.h"
#include "core/scheduler/framework/handle.h"
#include "core/scheduler/plugins/names.h"

namespace podberth::scheduler::plugins {

class PrioritySort : public Plugin {
 public:
  static constexpr Points kPoints = static_cast<Points>(Point::kQueueSort);
  std::string_view name() const override { return names::kPrioritySort; }
  Points points() const override { return kPoints; }
  bool less(const QueuedPodInfo& a, const QueuedPodInfo& b) const override;
};

std::unique_ptr<Plugin> newPrioritySort(const config::PluginArgs& args, Handle& handle, std::string* error);

}  // namespace podberth::scheduler::plugins
