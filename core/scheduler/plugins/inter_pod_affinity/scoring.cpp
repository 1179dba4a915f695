#include <algorithm>
#include <cstdint>
#include <limits>
#include <utility>

#include "core/scheduler/plugins/inter_pod_affinity/inter_pod_affinity.h"

namespace podberth::scheduler::plugins {
namespace {

Status missingState() {
  return Status::error("failed to read \"" + std::string(kAffinityPreScoreStateKey.name) +
                       "\" from cycleState: not found");
}

}  // namespace

Status InterPodAffinity::preScore(CycleState& state, const PodInfo& pod, const std::vector<NodeInfo*>& /*nodes*/) {
  const auto& affinity = pod.pod->spec.affinity;
  const bool has_preferences =
      affinity.has_value() && ((affinity->pod.has_value() && !affinity->pod->preferred.empty()) ||
                               (affinity->pod_anti.has_value() && !affinity->pod_anti->preferred.empty()));
  if (args_.ignore_preferred_terms_of_existing_pods && !has_preferences) return Status(Code::kSkip);
  if (!pod.parse_error.empty()) return Status::error("failed to parse pod: " + pod.parse_error);

  index_.sync(handle_.snapshot());
  const std::int64_t hard_weight = args_.hard_pod_affinity_weight;
  scoring_.update(index_, [hard_weight](const NodeInfo& node, auto add) {
    for (const PodInfoPtr& existing : node.pods_with_affinity) {
      if (hard_weight > 0) {
        for (const AffinityTerm& term : existing->required_affinity_terms) add(term, hard_weight);
      }
      for (const WeightedAffinityTerm& t : existing->preferred_affinity_terms) add(t.term, t.weight);
      for (const WeightedAffinityTerm& t : existing->preferred_anti_affinity_terms)
        add(t.term, -std::int64_t{t.weight});
    }
  });

  auto s = std::make_shared<AffinityPreScoreState>();
  std::vector<AffinityTerm> terms;
  for (const WeightedAffinityTerm& t : pod.preferred_affinity_terms) terms.push_back(resolved(t.term));
  for (const WeightedAffinityTerm& t : pod.preferred_anti_affinity_terms) terms.push_back(resolved(t.term));
  s->counts = countsFor(terms, IncomingTermCounts::Mode::kEach);
  const std::size_t affinities = pod.preferred_affinity_terms.size();
  for (std::size_t i = 0; i < terms.size(); ++i) {
    if (s->counts->tally(i).nonZero() == 0) continue;
    AffinityPreScoreState::Incoming incoming;
    incoming.key = &s->counts->key(i);
    incoming.tally = &s->counts->tally(i);
    incoming.weight = i < affinities ? pod.preferred_affinity_terms[i].weight
                                     : -std::int64_t{pod.preferred_anti_affinity_terms[i - affinities].weight};
    s->incoming.push_back(incoming);
  }
  const api::LabelSet ns_labels = namespaceLabels(pod.ns);
  for (const auto& term : scoring_.terms()) {
    if (term->pods > 0 && termMatches(term->term, pod.ns, pod.pod->meta.labels, ns_labels)) {
      s->existing.push_back(term.get());
    }
  }
  if (rules_.skips && s->incoming.empty() && s->existing.empty()) return Status(Code::kSkip);
  state.write(kAffinityPreScoreStateKey, std::move(s));
  return {};
}

Status InterPodAffinity::score(CycleState& state, const PodInfo& /*pod*/, const NodeInfo& node, std::int64_t& score) {
  const AffinityPreScoreState* s = state.read(kAffinityPreScoreStateKey);
  if (s == nullptr) return missingState();
  const int row = index_.rowOf(node);
  score = 0;
  for (const AffinityPreScoreState::Incoming& incoming : s->incoming) {
    score += incoming.tally->podsAt(index_.valueOf(*incoming.key, row, node)) * incoming.weight;
  }
  for (const ExistingTermIndex::Term* term : s->existing) {
    score += term->weightAt(index_.valueOf(*term->key, row, node));
  }
  return {};
}

Status InterPodAffinity::normalizeScore(CycleState& state, const PodInfo& /*pod*/, std::vector<NodeScore>& scores) {
  if (state.read(kAffinityPreScoreStateKey) == nullptr) return missingState();
  std::int64_t lowest = std::numeric_limits<std::int64_t>::max();
  std::int64_t highest = std::numeric_limits<std::int64_t>::min();
  for (const NodeScore& s : scores) {
    lowest = std::min(lowest, s.score);
    highest = std::max(highest, s.score);
  }
  const std::int64_t range = highest - lowest;
  for (NodeScore& s : scores) {
    double normalized = 0;
    if (range > 0) {
      normalized =
          static_cast<double>(kMaxNodeScore) * (static_cast<double>(s.score - lowest) / static_cast<double>(range));
    }
    s.score = static_cast<std::int64_t>(normalized);
  }
  return {};
}

}  // namespace podberth::scheduler::plugins
