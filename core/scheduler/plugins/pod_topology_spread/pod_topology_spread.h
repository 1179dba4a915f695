// PodTopologySpread: keeps the numbers of matching pods in topology domains (zones, hosts) within each constraint's
// maxSkew of each other. DoNotSchedule constraints filter, ScheduleAnyway constraints score. A pod without constraints
// of its own gets the default ones, with the selector of its services and controller. Extension points: PreFilter,
// Filter, PreScore, Score. Upstream: pkg/scheduler/framework/plugins/podtopologyspread (plugin.go, filtering.go,
// scoring.go).
#pragma once

#include <array>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/scheduler/config/types.h"
#include "core/scheduler/framework/handle.h"
#include "core/scheduler/plugins/pod_topology_spread/constraints.h"

namespace podberth::scheduler::plugins {

inline constexpr std::string_view kReasonConstraintsNotMatch = "node(s) didn't match pod topology spread constraints";
inline constexpr std::string_view kReasonNodeLabelNotMatch =
    "node(s) didn't match pod topology spread constraints (missing required label)";

// What PreFilter leaves for Filter. Good until the plugin sees another snapshot.
struct SpreadPreFilterState : StateData {
  struct Path {
    TopologyValue value = kNoValue;
    std::int64_t pods = INT32_MAX;
  };
  // The domain with the fewest pods and another one that may be next to it.
  using Paths = std::array<Path, 2>;
  // A difference from `counts`, made by AddPod and RemovePod.
  struct Change {
    std::size_t constraint = 0;
    TopologyValue value = kNoValue;
    std::int64_t pods = 0;
  };

  std::shared_ptr<const SpreadConstraints> constraints;
  std::shared_ptr<const SpreadCounts> counts;
  std::vector<bool> self_match;
  std::vector<Paths> paths;
  std::vector<Change> changes;

  std::int64_t podsAt(std::size_t constraint, TopologyValue value) const;
  void change(std::size_t constraint, TopologyValue value, std::int64_t delta);
  // The fewest pods of any domain; 0 if there are fewer domains than the constraint wants.
  std::int64_t minPods(std::size_t constraint) const;
  std::shared_ptr<StateData> clone() const override { return std::make_shared<SpreadPreFilterState>(*this); }
};
inline constexpr StateKey<SpreadPreFilterState> kSpreadPreFilterStateKey{"PreFilterPodTopologySpread"};

// What PreScore leaves for Score. Good until the plugin sees another snapshot.
struct SpreadPreScoreState : StateData {
  SpreadConstraints constraints;
  std::shared_ptr<const SpreadCounts> counts;
  bool require_all_keys = true;
  std::vector<double> weights;  // of each constraint: the logarithm of the number of its domains, or so
};
inline constexpr StateKey<SpreadPreScoreState> kSpreadPreScoreStateKey{"PreScorePodTopologySpread"};

class PodTopologySpread : public Plugin {
 public:
  static constexpr Points kPoints = Point::kPreFilter | Point::kFilter | Point::kPreScore | Point::kScore;
  PodTopologySpread(const config::PodTopologySpreadArgs& args, Handle& handle, const SpreadRules& rules);

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
  // The pod's constraints of that action, or the default ones. False, with the text in *error, if a selector is
  // malformed.
  bool constraintsOf(const api::Pod& pod, std::string_view action, SpreadConstraints* out, std::string* error) const;
  std::shared_ptr<SpreadCounts> countsFor(const PodInfo& pod, const SpreadConstraints& constraints,
                                          bool require_all_keys);
  Status updateWithPod(CycleState& state, const PodInfo& pod, const PodInfo& changed, const NodeInfo& node,
                       int delta) const;
  bool isIgnored(const SpreadPreScoreState& state, int row, const NodeInfo& node) const;

  HintResult afterAssignedPodChange(const api::Pod& pod, const api::Object* old_object,
                                    const api::Object* new_object) const;
  HintResult afterTargetPodChange(const api::Pod& pod, const api::Object* old_object,
                                  const api::Object* new_object) const;
  HintResult afterNodeChange(const api::Pod& pod, const api::Object* old_object, const api::Object* new_object) const;

  Handle& handle_;
  std::vector<api::TopologySpreadConstraint> default_constraints_;
  bool system_defaulted_ = false;
  SpreadRules rules_;
  SnapshotIndex index_;
  RecentlyUsed<SpreadCounts> counts_;
};

// Arguments of another type count as none: the defaults. (What they may be is checked where they are read.)
std::unique_ptr<Plugin> newPodTopologySpread(const config::PluginArgs& args, Handle& handle, std::string* error);

}  // namespace podberth::scheduler::plugins
