// InterPodAffinity: pods that want, or do not want, to be in one topology domain with other pods. Required terms
// filter, preferred terms score; the terms of pods that run count for incoming pods as well. Extension points:
// PreFilter, Filter, PreScore, Score. Upstream: pkg/scheduler/framework/plugins/interpodaffinity (plugin.go,
// filtering.go, scoring.go), with the gate InterPodAffinityHostnameFastPath off, as it is by default.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/scheduler/config/types.h"
#include "core/scheduler/framework/handle.h"
#include "core/scheduler/plugins/inter_pod_affinity/term_counts.h"

namespace podberth::scheduler::plugins {

inline constexpr std::string_view kReasonAffinityRulesNotMatch = "node(s) didn't match pod affinity rules";
inline constexpr std::string_view kReasonAntiAffinityRulesNotMatch = "node(s) didn't match pod anti-affinity rules";
inline constexpr std::string_view kReasonExistingAntiAffinityRulesNotMatch =
    "node(s) didn't satisfy existing pods anti-affinity rules";

struct InterPodAffinityRules {
  // Where no term of any pod is of interest, the plugin is passed by from PreFilter (or PreScore) on. Then pods that
  // are only nominated to a node do not count with their terms either.
  bool skips = true;
};

// What PreFilter leaves for Filter. Good until the plugin sees another snapshot.
struct AffinityPreFilterState : StateData {
  // Differences from the counts, made by AddPod and RemovePod.
  struct Change {
    const TopologyKey* key = nullptr;
    TopologyValue value = kNoValue;
    std::int64_t pods = 0;
  };
  using Changes = std::vector<Change>;
  // Terms of running pods that reject the incoming pod, by topology key.
  struct Rejecting {
    const TopologyKey* key = nullptr;
    std::vector<const ExistingTermIndex::Term*> terms;
  };

  std::vector<AffinityTerm> affinity_terms;  // of the incoming pod, namespaces resolved
  std::vector<AffinityTerm> anti_affinity_terms;
  api::LabelSet ns_labels;  // of the incoming pod's namespace
  bool matches_itself = false;
  std::shared_ptr<const IncomingTermCounts> affinity;       // null without terms
  std::shared_ptr<const IncomingTermCounts> anti_affinity;  // null without terms
  std::vector<Rejecting> rejecting;
  Changes affinity_changes;
  Changes anti_affinity_changes;
  Changes rejecting_changes;
  // Topology pairs where some pod matches all affinity terms.
  std::int64_t affinity_pairs = 0;

  std::shared_ptr<StateData> clone() const override { return std::make_shared<AffinityPreFilterState>(*this); }
};
inline constexpr StateKey<AffinityPreFilterState> kAffinityPreFilterStateKey{"PreFilterInterPodAffinity"};

// What PreScore leaves for Score. Good until the plugin sees another snapshot.
struct AffinityPreScoreState : StateData {
  struct Incoming {  // pods that a preferred term of the incoming pod matches
    const TopologyKey* key = nullptr;
    const Tally* tally = nullptr;
    std::int64_t weight = 0;
  };
  std::shared_ptr<const IncomingTermCounts> counts;
  std::vector<Incoming> incoming;
  std::vector<const ExistingTermIndex::Term*> existing;  // terms of running pods that match the incoming pod
};
inline constexpr StateKey<AffinityPreScoreState> kAffinityPreScoreStateKey{"PreScoreInterPodAffinity"};

class InterPodAffinity : public Plugin {
 public:
  static constexpr Points kPoints = Point::kPreFilter | Point::kFilter | Point::kPreScore | Point::kScore;
  InterPodAffinity(const config::InterPodAffinityArgs& args, Handle& handle, const InterPodAffinityRules& rules = {});

  std::string_view name() const override;
  Points points() const override { return kPoints; }

  bool hasEvents() const override { return true; }
  std::vector<ClusterEventWithHint> eventsToRegister() const override;

  Status preFilter(CycleState& state, const PodInfo& pod, const std::vector<NodeInfo*>& nodes,
                   PreFilterResult& result) override;
  bool hasPreFilterExtensions() const override { return true; }
  Status addPod(CycleState& state, const PodInfo& pod, const PodInfo& to_add, const NodeInfo& node) override;
  Status removePod(CycleState& state, const PodInfo& pod, const PodInfo& to_remove, const NodeInfo& node) override;
  Status filter(CycleState& state, const PodInfo& pod, const NodeInfo& node) override;

  Status preScore(CycleState& state, const PodInfo& pod, const std::vector<NodeInfo*>& nodes) override;
  Status score(CycleState& state, const PodInfo& pod, const NodeInfo& node, std::int64_t& score) override;
  bool hasNormalizeScore() const override { return true; }
  Status normalizeScore(CycleState& state, const PodInfo& pod, std::vector<NodeScore>& scores) override;

  bool hasSign() const override { return true; }
  std::vector<SignFragment> sign(const api::Pod& pod, bool& signable) const override;

 private:
  // The term of an incoming pod with the namespaces that its namespace selector selects now.
  AffinityTerm resolved(const AffinityTerm& term) const;
  api::LabelSet namespaceLabels(api::Symbol ns) const;
  std::shared_ptr<const IncomingTermCounts> countsFor(const std::vector<AffinityTerm>& terms,
                                                      IncomingTermCounts::Mode mode);
  Status updateWithPod(CycleState& state, const PodInfo& pod, const PodInfo& changed, const NodeInfo& node, int delta);
  bool satisfiesAffinity(const AffinityPreFilterState& state, int row, const NodeInfo& node) const;
  bool satisfiesAntiAffinity(const AffinityPreFilterState& state, int row, const NodeInfo& node) const;
  bool satisfiesExistingAntiAffinity(const AffinityPreFilterState& state, int row, const NodeInfo& node) const;

  Handle& handle_;
  config::InterPodAffinityArgs args_;
  InterPodAffinityRules rules_;
  SnapshotIndex index_;
  RecentlyUsed<IncomingTermCounts> counts_;
  ExistingTermIndex required_anti_affinity_;  // of running pods
  ExistingTermIndex scoring_;                 // terms of running pods that score
};

// Arguments of another type count as none: the defaults. (What they may be is checked where they are read.)
std::unique_ptr<Plugin> newInterPodAffinity(const config::PluginArgs& args, Handle& handle, std::string* error);

}  // namespace podberth::scheduler::plugins
