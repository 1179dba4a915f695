#include "core/scheduler/framework/batch.h"

#include <utility>

#include "core/scheduler/framework/runtime.h"

namespace podberth::scheduler {
namespace {

constexpr clock::Duration kMaxAge = 500 * clock::kMillisecond;

}  // namespace

api::Symbol OpportunisticBatch::nodeHint(CycleState& state, const PodInfo& pod,
                                         const std::optional<std::string>& signature, std::int64_t cycle) {
  if (!usable(pod, signature, cycle) || !refresh(state, pod)) return {};
  return nodes_.pop().name;
}

void OpportunisticBatch::store(const std::optional<std::string>& signature, api::Symbol hinted, api::Symbol chosen,
                               SortedNodes others, std::int64_t cycle) {
  has_last_ = true;
  last_cycle_ = cycle;
  last_node_ = chosen;
  if (hinted == chosen) return;
  has_state_ = signature.has_value() && !others.empty();
  if (!has_state_) {
    nodes_ = SortedNodes();
    return;
  }
  signature_ = *signature;
  nodes_ = std::move(others);
  created_ = framework_.loop().now();
}

bool OpportunisticBatch::usable(const PodInfo& pod, const std::optional<std::string>& signature,
                                std::int64_t cycle) const {
  return has_state_ && !nodes_.empty() && has_last_ && cycle == last_cycle_ + 1 &&
         pod.pod->status.nominated_node_name.empty() && signature.has_value() && *signature == signature_ &&
         framework_.loop().now() <= created_ + kMaxAge;
}

// The node that the last pod got is out of the list: if this pod fits there as well, it comes back with new scores.
bool OpportunisticBatch::refresh(CycleState& state, const PodInfo& pod) {
  NodeInfo* node = framework_.snapshot().get(last_node_);
  if (node == nullptr) return false;
  const Status status = framework_.runFilter(state, pod, *node);
  if (status.isSuccess()) return rescore(state, pod, *node);
  return status.isRejected();
}

bool OpportunisticBatch::rescore(const CycleState& state, const PodInfo& pod, NodeInfo& node) {
  const std::size_t columns = framework_.scorePlugins().size();
  ScoreTable table;
  table.nodes.reserve(nodes_.size() + 1);
  table.raw.reserve((nodes_.size() + 1) * columns);
  std::vector<ScoredNode> scored;
  scored.reserve(nodes_.size() + 1);
  for (const ScoredNode& candidate : nodes_.unordered()) {
    NodeInfo* info = framework_.snapshot().get(candidate.name);
    if (info == nullptr) return false;
    const std::int64_t* raw = nodes_.rawOf(candidate);
    table.nodes.push_back(info);
    table.raw.insert(table.raw.end(), raw, raw + columns);
    scored.push_back(candidate);
  }
  table.nodes.push_back(&node);
  table.raw.resize(table.raw.size() + columns, 0);
  ScoredNode last;
  last.name = node.name();
  scored.push_back(last);

  CycleState own = state.clone();
  if (!framework_.runPreScore(own, pod, table.nodes).isSuccess()) return false;
  if (!framework_.runRawScore(own, pod, node, table.raw.data() + (table.nodes.size() - 1) * columns).isSuccess())
    return false;
  if (!framework_.normalizeScores(own, pod, table).isSuccess()) return false;
  for (std::size_t r = 0; r < scored.size(); ++r) {
    scored[r].total = table.totals[r];
    scored[r].row = static_cast<std::int32_t>(r);
  }
  nodes_ = SortedNodes(std::move(scored), std::move(table.raw), columns);
  return true;
}

}  // namespace podberth::scheduler
