#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>

#include "core/scheduler/plugins/helper/go_log.h"
#include "core/scheduler/plugins/pod_topology_spread/pod_topology_spread.h"

namespace podberth::scheduler::plugins {
namespace {

Status missingState() {
  return Status::error("error reading \"" + std::string(kSpreadPreScoreStateKey.name) +
                       "\" from cycleState: not found");
}

bool isHostname(api::Symbol key) {
  static const api::Symbol kHostname{kLabelHostname};
  return key == kHostname;
}

// Domains of a key with few values weigh less, so that a count in one of many hosts is not watered down by one of few
// zones.
double normalizingWeight(std::int64_t domains) { return goLog(static_cast<double>(domains + 2)); }

// What `pods` of them in a domain count for; tolerated skew is added so that small differences matter less.
double scoreForCount(std::int64_t pods, std::int32_t max_skew, double weight) {
  return static_cast<double>(pods) * weight + static_cast<double>(max_skew - 1);
}

}  // namespace

bool PodTopologySpread::isIgnored(const SpreadPreScoreState& state, int row, const NodeInfo& node) const {
  if (!state.require_all_keys) return false;
  for (std::size_t i = 0; i < state.constraints.size(); ++i) {
    if (row >= 0 ? state.counts->key(i).valueAt(row) == kNoValue
                 : !node.node()->meta.labels.has(state.constraints[i].topology_key)) {
      return true;
    }
  }
  return false;
}

Status PodTopologySpread::preScore(CycleState& state, const PodInfo& pod, const std::vector<NodeInfo*>& nodes) {
  if (handle_.snapshot().size() == 0) return Status(Code::kSkip);
  auto s = std::make_shared<SpreadPreScoreState>();
  // The system's defaults are lenient: a node without a zone still spreads by host.
  s->require_all_keys = !pod.pod->spec.topology_spread_constraints.empty() || !system_defaulted_;
  std::string error;
  if (!constraintsOf(*pod.pod, kScheduleAnyway, &s->constraints, &error)) {
    return Status::error("calculating preScoreState: " + error);
  }
  if (s->constraints.empty()) {
    if (rules_.skips) return Status(Code::kSkip);
    state.write(kSpreadPreScoreStateKey, std::move(s));
    return {};
  }
  s->counts = countsFor(pod, s->constraints, s->require_all_keys);

  // How many domains the nodes that are left have; a missing label is a domain of its own where it is tolerated.
  std::int64_t ignored = 0;
  std::vector<std::int64_t> domains(s->constraints.size());
  std::vector<std::vector<bool>> seen(s->constraints.size());
  for (const NodeInfo* node : nodes) {
    const int row = index_.rowOf(*node);
    if (isIgnored(*s, row, *node)) {
      ++ignored;
      continue;
    }
    for (std::size_t i = 0; i < s->constraints.size(); ++i) {
      if (isHostname(s->constraints[i].topology_key)) continue;
      const TopologyValue value = index_.valueOf(s->counts->key(i), row, *node);
      // One place for the missing label, in front of the values. An empty value is the same domain.
      const std::size_t place =
          value == kNoValue || value == s->counts->key(i).find(api::Symbol()) ? 0 : static_cast<std::size_t>(value) + 1;
      if (place >= seen[i].size()) seen[i].resize(place + 1);
      if (!seen[i][place]) {
        seen[i][place] = true;
        ++domains[i];
      }
    }
  }
  for (std::size_t i = 0; i < s->constraints.size(); ++i) {
    const bool hostname = isHostname(s->constraints[i].topology_key);
    s->weights.push_back(normalizingWeight(hostname ? static_cast<std::int64_t>(nodes.size()) - ignored : domains[i]));
  }
  state.write(kSpreadPreScoreStateKey, std::move(s));
  return {};
}

Status PodTopologySpread::score(CycleState& state, const PodInfo& pod, const NodeInfo& node, std::int64_t& score) {
  const SpreadPreScoreState* s = state.read(kSpreadPreScoreStateKey);
  if (s == nullptr) return missingState();
  score = 0;
  const int row = index_.rowOf(node);
  if (isIgnored(*s, row, node)) return {};
  double sum = 0;
  for (std::size_t i = 0; i < s->constraints.size(); ++i) {
    const SpreadConstraint& c = s->constraints[i];
    const TopologyValue value = index_.valueOf(s->counts->key(i), row, node);
    if (value == kNoValue) continue;
    std::int64_t pods = 0;
    if (!isHostname(c.topology_key)) {
      pods = s->counts->tally(i).podsAt(value);
    } else if (index_.isCurrent(row, node)) {
      pods = s->counts->tally(i).podsOnRow(row);
    } else {
      pods = SpreadCounts::countPods(node, c, pod.ns);
    }
    sum += scoreForCount(pods, c.max_skew, s->weights[i]);
  }
  score = static_cast<std::int64_t>(std::round(sum));
  return {};
}

Status PodTopologySpread::normalizeScore(CycleState& state, const PodInfo& /*pod*/, std::vector<NodeScore>& scores) {
  const SpreadPreScoreState* s = state.read(kSpreadPreScoreStateKey);
  if (s == nullptr) return missingState();
  std::int64_t lowest = std::numeric_limits<std::int64_t>::max();
  std::int64_t highest = 0;
  std::vector<bool> ignored(scores.size());
  for (std::size_t i = 0; i < scores.size(); ++i) {
    ignored[i] = isIgnored(*s, index_.rowOf(*scores[i].node), *scores[i].node);
    if (ignored[i]) continue;
    lowest = std::min(lowest, scores[i].score);
    highest = std::max(highest, scores[i].score);
  }
  for (std::size_t i = 0; i < scores.size(); ++i) {
    if (ignored[i]) {
      scores[i].score = 0;
    } else if (highest == 0) {
      scores[i].score = kMaxNodeScore;
    } else {
      scores[i].score = kMaxNodeScore * (highest + lowest - scores[i].score) / highest;
    }
  }
  return {};
}

}  // namespace podberth::scheduler::plugins
