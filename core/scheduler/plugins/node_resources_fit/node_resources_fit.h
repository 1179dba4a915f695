// NodeResourcesFit (PreFilter, Filter, Score): a node must have room for what the pod requests; the score says how full
// the node would be, by one of three strategies. Upstream:
// pkg/scheduler/framework/plugins/noderesources/{fit,resource_allocation,least_allocated,most_allocated,
// requested_to_capacity_ratio}.go. Extended resources that a DeviceClass stands behind are not simulated.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "core/scheduler/config/types.h"
#include "core/scheduler/framework/handle.h"
#include "core/scheduler/plugins/helper/resource_scorer.h"
#include "core/scheduler/plugins/helper/shape_score.h"
#include "core/scheduler/plugins/names.h"
#include "core/scheduler/plugins/node_resources_fit/fits.h"

namespace podberth::scheduler::plugins {

// Scores of one resource, 0..100, for a node of that capacity of which `requested` would be taken.
std::int64_t leastRequestedScore(std::int64_t requested, std::int64_t capacity);
std::int64_t mostRequestedScore(std::int64_t requested, std::int64_t capacity);
std::int64_t capacityRatioScore(const FunctionShape& shape, std::int64_t requested, std::int64_t capacity);

struct FitRules {
  bool by_container = false;       // requests are rounded and added up container by container, of the spec alone
  bool checks_zeros = false;       // see findLack
  bool tells_unresolvable = true;  // a request of more than the node has in all is one that no preemption helps
};

// How a node is scored: the weighted mean of the resources' scores.
class FitScorer {
 public:
  enum class Strategy { kLeastAllocated, kMostAllocated, kRequestedToCapacityRatio };
  // False if the strategy does not exist.
  static bool parse(const std::string& name, Strategy* out);

  FitScorer() = default;
  FitScorer(Strategy strategy, std::vector<ScoredResource> resources, FunctionShape shape);
  const std::vector<ScoredResource>& resources() const { return resources_; }
  // `pod_requests` in the order of the resources.
  std::int64_t score(const std::vector<std::int64_t>& pod_requests, const NodeInfo& node) const;

 private:
  Strategy strategy_ = Strategy::kLeastAllocated;
  std::vector<ScoredResource> resources_;
  FunctionShape shape_;
};

class NodeResourcesFit : public Plugin {
 public:
  static constexpr Points kPoints = Point::kPreFilter | Point::kFilter | Point::kPreScore | Point::kScore;
  NodeResourcesFit(const config::NodeResourcesFitArgs& args, FitScorer::Strategy strategy, const FitRules& rules = {});
  std::string_view name() const override { return names::kNodeResourcesFit; }
  Points points() const override { return kPoints; }
  bool hasEvents() const override { return true; }
  std::vector<ClusterEventWithHint> eventsToRegister() const override;
  Status preFilter(CycleState& state, const PodInfo& pod, const std::vector<NodeInfo*>& nodes,
                   PreFilterResult& result) override;
  Status filter(CycleState& state, const PodInfo& pod, const NodeInfo& node) override;
  Status preScore(CycleState& state, const PodInfo& pod, const std::vector<NodeInfo*>& nodes) override;
  Status score(CycleState& state, const PodInfo& pod, const NodeInfo& node, std::int64_t& score) override;
  bool hasSign() const override { return true; }
  std::vector<SignFragment> sign(const api::Pod& pod, bool& signable) const override;

 private:
  const Status& statusOf(const Lack& lack);
  std::vector<std::int64_t> scoredRequests(const api::Pod& pod) const;

  FitRules rules_;
  IgnoredResources ignored_;
  FitScorer scorer_;
  std::vector<Status> plain_;  // by mask and unresolvable; made when first asked for
  std::map<std::tuple<unsigned, bool, std::vector<api::Symbol>>, Status> with_scalar_;
};

// Null, with the text in *error, if the strategy does not exist.
template <class P = NodeResourcesFit, class... Before>
std::unique_ptr<Plugin> makeNodeResourcesFit(const config::PluginArgs& args, std::string* error, const FitRules& rules,
                                             Before&&... before) {
  const auto* given = std::get_if<config::NodeResourcesFitArgs>(&args);
  const config::NodeResourcesFitArgs own = given != nullptr ? *given : config::NodeResourcesFitArgs();
  FitScorer::Strategy strategy = FitScorer::Strategy::kLeastAllocated;
  if (FitScorer::parse(own.scoring_strategy, &strategy)) {
    return std::make_unique<P>(std::forward<Before>(before)..., own, strategy, rules);
  }
  *error = "scoring strategy " + own.scoring_strategy + " is not supported";
  return nullptr;
}
std::unique_ptr<Plugin> newNodeResourcesFit(const config::PluginArgs& args, Handle& handle, std::string* error);

}  // namespace podberth::scheduler::plugins
