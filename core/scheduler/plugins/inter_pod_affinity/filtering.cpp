#include <algorithm>
#include <utility>

#include "core/scheduler/plugins/inter_pod_affinity/inter_pod_affinity.h"

namespace podberth::scheduler::plugins {
namespace {

using Changes = AffinityPreFilterState::Changes;

Status missingState() {
  return Status::error("error reading \"" + std::string(kAffinityPreFilterStateKey.name) +
                       "\" from cycleState: not found");
}

std::int64_t changeAt(const Changes& changes, const TopologyKey* key, TopologyValue value) {
  for (const AffinityPreFilterState::Change& c : changes) {
    if (c.key == key && c.value == value) return c.pods;
  }
  return 0;
}

void change(Changes* changes, const TopologyKey* key, TopologyValue value, std::int64_t delta) {
  for (AffinityPreFilterState::Change& c : *changes) {
    if (c.key == key && c.value == value) {
      c.pods += delta;
      return;
    }
  }
  AffinityPreFilterState::Change c;
  c.key = key;
  c.value = value;
  c.pods = delta;
  changes->push_back(c);
}

}  // namespace

Status InterPodAffinity::preFilter(CycleState& state, const PodInfo& pod, const std::vector<NodeInfo*>& /*nodes*/,
                                   PreFilterResult& /*result*/) {
  if (!pod.parse_error.empty()) {
    return Status(Code::kUnschedulableAndUnresolvable, "parsing pod: " + pod.parse_error);
  }
  index_.sync(handle_.snapshot());
  required_anti_affinity_.update(index_, [](const NodeInfo& node, auto add) {
    for (const PodInfoPtr& existing : node.pods_with_required_anti_affinity) {
      for (const AffinityTerm& term : existing->required_anti_affinity_terms) add(term, 1);
    }
  });

  const api::LabelSet ns_labels = namespaceLabels(pod.ns);
  std::vector<AffinityPreFilterState::Rejecting> rejecting;
  for (const auto& term : required_anti_affinity_.terms()) {
    if (term->pods == 0 || !termMatches(term->term, pod.ns, pod.pod->meta.labels, ns_labels)) continue;
    auto it = std::find_if(rejecting.begin(), rejecting.end(), [&](const auto& r) { return r.key == term->key; });
    if (it == rejecting.end()) {
      rejecting.emplace_back();
      it = std::prev(rejecting.end());
      it->key = term->key;
    }
    it->terms.push_back(term.get());
  }
  if (rules_.skips && rejecting.empty() && pod.required_affinity_terms.empty() &&
      pod.required_anti_affinity_terms.empty()) {
    return Status(Code::kSkip);
  }

  auto s = std::make_shared<AffinityPreFilterState>();
  s->rejecting = std::move(rejecting);
  s->ns_labels = ns_labels;
  for (const AffinityTerm& term : pod.required_affinity_terms) s->affinity_terms.push_back(resolved(term));
  for (const AffinityTerm& term : pod.required_anti_affinity_terms) s->anti_affinity_terms.push_back(resolved(term));
  s->affinity = countsFor(s->affinity_terms, IncomingTermCounts::Mode::kAll);
  s->anti_affinity = countsFor(s->anti_affinity_terms, IncomingTermCounts::Mode::kEach);
  s->matches_itself = matchesAllTerms(s->affinity_terms, pod);
  for (std::size_t i = 0; s->affinity != nullptr && i < s->affinity->size(); ++i) {
    s->affinity_pairs += s->affinity->tally(i).nonZero();
  }
  state.write(kAffinityPreFilterStateKey, std::move(s));
  return {};
}

Status InterPodAffinity::updateWithPod(CycleState& state, const PodInfo& pod, const PodInfo& changed,
                                       const NodeInfo& node, int delta) {
  AffinityPreFilterState* s = state.read(kAffinityPreFilterStateKey);
  if (s == nullptr) return missingState();
  const int row = index_.rowOf(node);
  for (const AffinityTerm& term : changed.required_anti_affinity_terms) {
    if (!termMatches(term, pod.ns, pod.pod->meta.labels, s->ns_labels)) continue;
    const TopologyKey* key = &index_.key(term.topology_key);
    const TopologyValue value = index_.valueOf(*key, row, node);
    if (value == kNoValue) continue;
    change(&s->rejecting_changes, key, value, delta);
    if (std::none_of(s->rejecting.begin(), s->rejecting.end(), [&](const auto& r) { return r.key == key; })) {
      s->rejecting.emplace_back();
      s->rejecting.back().key = key;
    }
  }
  if (s->affinity != nullptr && matchesAllTerms(s->affinity_terms, changed)) {
    for (std::size_t i = 0; i < s->affinity->size(); ++i) {
      const TopologyKey* key = &s->affinity->key(i);
      const TopologyValue value = index_.valueOf(*key, row, node);
      if (value == kNoValue) continue;
      const std::int64_t before = s->affinity->tally(i).podsAt(value) + changeAt(s->affinity_changes, key, value);
      change(&s->affinity_changes, key, value, delta);
      if (before == 0) ++s->affinity_pairs;
      if (before + delta == 0) --s->affinity_pairs;
    }
  }
  for (const AffinityTerm& term : s->anti_affinity_terms) {
    if (!termMatches(term, changed.ns, changed.pod->meta.labels, {})) continue;
    const TopologyKey* key = &index_.key(term.topology_key);
    const TopologyValue value = index_.valueOf(*key, row, node);
    if (value != kNoValue) change(&s->anti_affinity_changes, key, value, delta);
  }
  return {};
}

Status InterPodAffinity::addPod(CycleState& state, const PodInfo& pod, const PodInfo& to_add, const NodeInfo& node) {
  return updateWithPod(state, pod, to_add, node, 1);
}

Status InterPodAffinity::removePod(CycleState& state, const PodInfo& pod, const PodInfo& to_remove,
                                   const NodeInfo& node) {
  return updateWithPod(state, pod, to_remove, node, -1);
}

// All of the node's domains must have a pod that matches all terms. The first pod of a group that wants to be together
// matches only itself: it may go to any node with the keys.
bool InterPodAffinity::satisfiesAffinity(const AffinityPreFilterState& state, int row, const NodeInfo& node) const {
  if (state.affinity == nullptr) return true;
  bool pods_exist = true;
  for (std::size_t i = 0; i < state.affinity->size(); ++i) {
    const TopologyKey* key = &state.affinity->key(i);
    const TopologyValue value = index_.valueOf(*key, row, node);
    if (value == kNoValue) return false;
    if (state.affinity->tally(i).podsAt(value) + changeAt(state.affinity_changes, key, value) <= 0) pods_exist = false;
  }
  return pods_exist || (state.affinity_pairs == 0 && state.matches_itself);
}

bool InterPodAffinity::satisfiesAntiAffinity(const AffinityPreFilterState& state, int row, const NodeInfo& node) const {
  if (state.anti_affinity == nullptr) return true;
  // Terms with the same key count together.
  for (std::size_t i = 0; i < state.anti_affinity->size(); ++i) {
    const TopologyKey* key = &state.anti_affinity->key(i);
    const TopologyValue value = index_.valueOf(*key, row, node);
    if (value == kNoValue) continue;
    std::int64_t pods = changeAt(state.anti_affinity_changes, key, value);
    for (std::size_t j = 0; j < state.anti_affinity->size(); ++j) {
      if (&state.anti_affinity->key(j) == key) pods += state.anti_affinity->tally(j).podsAt(value);
    }
    if (pods > 0) return false;
  }
  return true;
}

bool InterPodAffinity::satisfiesExistingAntiAffinity(const AffinityPreFilterState& state, int row,
                                                     const NodeInfo& node) const {
  for (const AffinityPreFilterState::Rejecting& rejecting : state.rejecting) {
    const TopologyValue value = index_.valueOf(*rejecting.key, row, node);
    if (value == kNoValue) continue;
    std::int64_t pods = changeAt(state.rejecting_changes, rejecting.key, value);
    for (const ExistingTermIndex::Term* term : rejecting.terms) pods += term->weightAt(value);
    if (pods > 0) return false;
  }
  return true;
}

Status InterPodAffinity::filter(CycleState& state, const PodInfo& /*pod*/, const NodeInfo& node) {
  static const Status kAffinity(Code::kUnschedulableAndUnresolvable, std::string(kReasonAffinityRulesNotMatch));
  static const Status kAntiAffinity(Code::kUnschedulable, std::string(kReasonAntiAffinityRulesNotMatch));
  static const Status kExisting(Code::kUnschedulable, std::string(kReasonExistingAntiAffinityRulesNotMatch));

  const AffinityPreFilterState* s = state.read(kAffinityPreFilterStateKey);
  if (s == nullptr) return missingState();
  const int row = index_.rowOf(node);
  if (!satisfiesAffinity(*s, row, node)) return kAffinity;
  if (!satisfiesAntiAffinity(*s, row, node)) return kAntiAffinity;
  if (!satisfiesExistingAntiAffinity(*s, row, node)) return kExisting;
  return {};
}

}  // namespace podberth::scheduler::plugins
