// Opportunistic batching (KEP-5598): pods that are alike and come one after the other need not all be compared with
// every node. After a pod was scheduled, the other nodes' scores are kept; the next pod, if it has the same signature,
// is hinted to the best of them. Upstream: pkg/scheduler/framework/runtime/batch.go.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "core/api/symbol.h"
#include "core/clock/time.h"
#include "core/scheduler/framework/cycle_state.h"
#include "core/scheduler/framework/node_info.h"
#include "core/scheduler/framework/sorted_nodes.h"

namespace podberth::scheduler {

class Framework;

class OpportunisticBatch {
 public:
  explicit OpportunisticBatch(Framework& framework) : framework_(framework) {}

  // The node to try first; empty if there is no hint.
  api::Symbol nodeHint(CycleState& state, const PodInfo& pod, const std::optional<std::string>& signature,
                       std::int64_t cycle);
  // Keeps what a successful cycle came to. `others` = the nodes that were scored and not chosen.
  void store(const std::optional<std::string>& signature, api::Symbol hinted, api::Symbol chosen, SortedNodes others,
             std::int64_t cycle);

 private:
  bool usable(const PodInfo& pod, const std::optional<std::string>& signature, std::int64_t cycle) const;
  bool refresh(CycleState& state, const PodInfo& pod);
  bool rescore(const CycleState& state, const PodInfo& pod, NodeInfo& node);

  Framework& framework_;
  bool has_state_ = false;
  std::string signature_;
  SortedNodes nodes_;
  clock::Time created_ = 0;
  bool has_last_ = false;  // a cycle has succeeded before
  std::int64_t last_cycle_ = 0;
  api::Symbol last_node_;
};

}  // namespace podberth::scheduler
