// TaintToleration (Filter, Score): a node with a NoSchedule or NoExecute taint takes only pods that tolerate it; nodes
// with fewer untolerated PreferNoSchedule taints score higher. Upstream:
// pkg/scheduler/framework/plugins/tainttoleration/taint_toleration.go.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/scheduler/config/types.h"
#include "core/scheduler/framework/handle.h"
#include "core/scheduler/plugins/names.h"

namespace podberth::scheduler::plugins {

inline constexpr const char* kReasonUntoleratedTaint = "node(s) had untolerated taint(s)";
// Followed by "key: value}" of the first such taint.
inline constexpr const char* kReasonThisUntoleratedTaint = "node(s) had untolerated taint {";

struct TaintTolerationRules {
  bool names_taint = false;           // the reason names the first untolerated taint
  bool comparison_operators = false;  // the gate TaintTolerationComparisonOperators
};

// How many PreferNoSchedule taints none of the tolerations tolerates. Tolerations of other effects must have been left
// out.
std::int64_t countUntoleratedPreferences(const std::vector<api::Taint>& taints,
                                         const std::vector<const api::Toleration*>& tolerations,
                                         bool comparison_operators = false);

class TaintToleration : public Plugin {
 public:
  static constexpr Points kPoints = Point::kPreFilter | Point::kFilter | Point::kPreScore | Point::kScore;
  explicit TaintToleration(const TaintTolerationRules& rules = {});
  std::string_view name() const override { return names::kTaintToleration; }
  Points points() const override { return kPoints; }
  bool hasEvents() const override { return true; }
  std::vector<ClusterEventWithHint> eventsToRegister() const override;
  Status filter(CycleState& state, const PodInfo& pod, const NodeInfo& node) override;
  Status preScore(CycleState& state, const PodInfo& pod, const std::vector<NodeInfo*>& nodes) override;
  // The number of untolerated taints: the fewer the better, which normalizeScore turns round.
  Status score(CycleState& state, const PodInfo& pod, const NodeInfo& node, std::int64_t& score) override;
  bool hasNormalizeScore() const override { return true; }
  Status normalizeScore(CycleState& state, const PodInfo& pod, std::vector<NodeScore>& scores) override;
  bool hasSign() const override { return true; }
  std::vector<SignFragment> sign(const api::Pod& pod, bool& signable) const override;

 private:
  // The first taint that keeps the pod away; null if none does.
  const api::Taint* untolerated(const api::Node& node, const api::Pod& pod) const;

  TaintTolerationRules rules_;
  Status untolerated_;
};

std::unique_ptr<Plugin> newTaintToleration(const config::PluginArgs& args, Handle& handle, std::string* error);

}  // namespace podberth::scheduler::plugins
