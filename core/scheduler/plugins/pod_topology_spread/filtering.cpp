#include <utility>

#include "core/scheduler/plugins/pod_topology_spread/pod_topology_spread.h"

namespace podberth::scheduler::plugins {
namespace {

Status missingState() {
  return Status::error("reading \"" + std::string(kSpreadPreFilterStateKey.name) + "\" from cycleState: not found");
}

// Notes that a domain now has so many pods. Only the first path is sure to be a minimum afterwards.
void updatePaths(SpreadPreFilterState::Paths* paths, TopologyValue value, std::int64_t pods) {
  auto& [first, second] = *paths;
  if (value == first.value || value == second.value) {
    (value == first.value ? first : second).pods = pods;
    if (first.pods > second.pods) std::swap(first, second);
    return;
  }
  SpreadPreFilterState::Path path;
  path.value = value;
  path.pods = pods;
  if (pods < first.pods) {
    second = first;
    first = path;
  } else if (pods < second.pods) {
    second = path;
  }
}

}  // namespace

std::int64_t SpreadPreFilterState::podsAt(std::size_t constraint, TopologyValue value) const {
  std::int64_t pods = counts->tally(constraint).podsAt(value);
  for (const Change& c : changes) {
    if (c.constraint == constraint && c.value == value) return pods + c.pods;
  }
  return pods;
}

void SpreadPreFilterState::change(std::size_t constraint, TopologyValue value, std::int64_t delta) {
  for (Change& c : changes) {
    if (c.constraint == constraint && c.value == value) {
      c.pods += delta;
      return;
    }
  }
  Change c;
  c.constraint = constraint;
  c.value = value;
  c.pods = delta;
  changes.push_back(c);
}

std::int64_t SpreadPreFilterState::minPods(std::size_t constraint) const {
  if (counts->tally(constraint).domains() < (*constraints)[constraint].min_domains) return 0;
  return paths[constraint][0].pods;
}

std::shared_ptr<SpreadCounts> PodTopologySpread::countsFor(const PodInfo& pod, const SpreadConstraints& constraints,
                                                           bool require_all_keys) {
  index_.sync(handle_.snapshot());
  const std::size_t hash = SpreadCounts::hash(pod.ns, constraints, require_all_keys);
  std::shared_ptr<SpreadCounts> counts = counts_.find(
      hash, [&](const SpreadCounts& c) { return c.isFor(*pod.pod, pod.ns, constraints, require_all_keys); });
  if (counts == nullptr) {
    counts = std::make_shared<SpreadCounts>(*pod.pod, pod.ns, constraints, require_all_keys, index_);
    counts_.insert(hash, counts);
  }
  counts->update(index_);
  return counts;
}

Status PodTopologySpread::preFilter(CycleState& state, const PodInfo& pod, const std::vector<NodeInfo*>& /*nodes*/,
                                    PreFilterResult& /*result*/) {
  auto constraints = std::make_shared<SpreadConstraints>();
  std::string error;
  if (!constraintsOf(*pod.pod, kDoNotSchedule, constraints.get(), &error)) {
    return Status::error(rules_.pre_filter_error + error);
  }
  if (constraints->empty()) {
    if (rules_.skips) return Status(Code::kSkip);
    auto nothing = std::make_shared<SpreadPreFilterState>();
    nothing->constraints = std::move(constraints);
    state.write(kSpreadPreFilterStateKey, std::move(nothing));
    return {};
  }

  auto s = std::make_shared<SpreadPreFilterState>();
  s->counts = countsFor(pod, *constraints, true);
  s->paths.resize(constraints->size());
  for (std::size_t i = 0; i < constraints->size(); ++i) {
    s->self_match.push_back((*constraints)[i].selector.matches(pod.pod->meta.labels));
    SpreadPreFilterState::Paths* paths = &s->paths[i];
    s->counts->tally(i).forEachDomain([paths](TopologyValue value, std::int64_t pods) {
      if (pods < (*paths)[1].pods) updatePaths(paths, value, pods);
    });
  }
  s->constraints = std::move(constraints);
  state.write(kSpreadPreFilterStateKey, std::move(s));
  return {};
}

Status PodTopologySpread::updateWithPod(CycleState& state, const PodInfo& pod, const PodInfo& changed,
                                        const NodeInfo& node, int delta) const {
  SpreadPreFilterState* s = state.read(kSpreadPreFilterStateKey);
  if (s == nullptr) return missingState();
  if (changed.ns != pod.ns || node.node() == nullptr) return {};
  if (!hasAllTopologyKeys(node.node()->meta.labels, *s->constraints)) return {};
  const RequiredNodeAffinity affinity(*pod.pod);
  const int row = index_.rowOf(node);
  for (std::size_t i = 0; i < s->constraints->size(); ++i) {
    const SpreadConstraint& c = (*s->constraints)[i];
    if (!c.selector.matches(changed.pod->meta.labels)) continue;
    if (!takesPart(c, *pod.pod, affinity, *node.node())) continue;
    const TopologyValue value = index_.valueOf(s->counts->key(i), row, node);
    s->change(i, value, delta);
    updatePaths(&s->paths[i], value, s->podsAt(i, value));
  }
  return {};
}

Status PodTopologySpread::addPod(CycleState& state, const PodInfo& pod, const PodInfo& to_add, const NodeInfo& node) {
  return updateWithPod(state, pod, to_add, node, 1);
}

Status PodTopologySpread::removePod(CycleState& state, const PodInfo& pod, const PodInfo& to_remove,
                                    const NodeInfo& node) {
  return updateWithPod(state, pod, to_remove, node, -1);
}

Status PodTopologySpread::filter(CycleState& state, const PodInfo& /*pod*/, const NodeInfo& node) {
  static const Status kNoLabel(Code::kUnschedulableAndUnresolvable, std::string(kReasonNodeLabelNotMatch));
  static const Status kTooSkewed(Code::kUnschedulable, std::string(kReasonConstraintsNotMatch));

  const SpreadPreFilterState* s = state.read(kSpreadPreFilterStateKey);
  if (s == nullptr) return missingState();
  const int row = index_.rowOf(node);
  for (std::size_t i = 0; i < s->constraints->size(); ++i) {
    const SpreadConstraint& c = (*s->constraints)[i];
    const TopologyValue value = index_.valueOf(s->counts->key(i), row, node);
    if (value == kNoValue && !node.node()->meta.labels.has(c.topology_key)) return kNoLabel;
    const std::int64_t skew = s->podsAt(i, value) + (s->self_match[i] ? 1 : 0) - s->minPods(i);
    if (skew > c.max_skew) return kTooSkewed;
  }
  return {};
}

}  // namespace podberth::scheduler::plugins
