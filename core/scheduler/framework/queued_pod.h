// A pod in the scheduling queue. Upstream: pkg/scheduler/framework/types.go (QueuedPodInfo, QueueingParams).
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/scheduler/framework/events.h"
#include "core/scheduler/framework/node_info.h"

namespace podberth::scheduler {

struct QueuedPodInfo {
  PodInfoPtr info;
  clock::Time timestamp = 0;  // when it was last added to the queue
  std::int64_t stamp = 0;     // grows with each timestamp set; for queues that tell equal ones apart
  clock::Time flush_timestamp = 0;
  int attempts = 0;                    // grows when popped
  clock::Time backoff_expiration = 0;  // 0 = none
  int unschedulable_count = 0;         // attempts that ended unschedulable; backoff grows with it
  int consecutive_errors_count = 0;    // attempts in a row that ended in an error
  bool was_flushed_from_unschedulable = false;
  std::optional<clock::Time> initial_attempt_timestamp;
  std::vector<std::string> unschedulable_plugins;  // sorted, each once
  std::vector<std::string> pending_plugins;
  std::string gating_plugin;  // not empty: gated
  std::vector<ClusterEvent> gating_plugin_events;
  std::optional<std::string> signature;  // of opportunistic batching; nullopt = cannot be batched

  const api::Pod& pod() const { return *info->pod; }
  bool gated() const { return !gating_plugin.empty(); }
  std::int32_t priority() const { return pod().priority(); }
  void clearRejectorPlugins() {
    unschedulable_plugins.clear();
    pending_plugins.clear();
    gating_plugin.clear();
    gating_plugin_events.clear();
  }
};
using QueuedPodInfoPtr = std::shared_ptr<QueuedPodInfo>;

}  // namespace podberth::scheduler
