// NodeResourcesBalancedAllocation (Score): prefers nodes whose resources the pod would bring nearer to being equally
// full. Upstream: pkg/scheduler/framework/plugins/noderesources/balanced_allocation.go.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/scheduler/config/types.h"
#include "core/scheduler/framework/handle.h"
#include "core/scheduler/plugins/helper/resource_scorer.h"
#include "core/scheduler/plugins/names.h"

namespace podberth::scheduler::plugins {

// (1 - the standard deviation of the fractions) * 100, truncated. Fractions are 0..1, in the order of the resources.
std::int64_t balanceOfFractions(const double* fractions, std::size_t count);

// 50..100: 75 if the pod leaves the node's balance as it is, more if it improves it.
std::int64_t balancedAllocationScore(const std::vector<ScoredResource>& resources,
                                     const std::vector<std::int64_t>& pod_requests, const NodeInfo& node);
// 0..100: the node's balance with the pod, however it was before.
std::int64_t balanceWithPod(const std::vector<ScoredResource>& resources, const std::vector<std::int64_t>& pod_requests,
                            const NodeInfo& node);

struct BalancedAllocationRules {
  bool by_container = false;       // requests are rounded and added up container by container
  bool scores_change = true;       // balancedAllocationScore; else balanceWithPod
  bool leaves_out_nothing = true;  // pods that ask for none of the resources get no points
};

class NodeResourcesBalancedAllocation : public Plugin {
 public:
  static constexpr Points kPoints = Point::kPreScore | Point::kScore;
  explicit NodeResourcesBalancedAllocation(const config::NodeResourcesBalancedAllocationArgs& args,
                                           const BalancedAllocationRules& rules = {});
  std::string_view name() const override { return names::kNodeResourcesBalancedAllocation; }
  Points points() const override { return kPoints; }
  // Skip for pods that ask for none of the resources: they would all go to the same node.
  Status preScore(CycleState& state, const PodInfo& pod, const std::vector<NodeInfo*>& nodes) override;
  Status score(CycleState& state, const PodInfo& pod, const NodeInfo& node, std::int64_t& score) override;
  bool hasSign() const override { return true; }
  std::vector<SignFragment> sign(const api::Pod& pod, bool& signable) const override;

 private:
  std::vector<std::int64_t> requestsOf(const api::Pod& pod) const;

  BalancedAllocationRules rules_;
  std::vector<ScoredResource> resources_;
};

std::unique_ptr<Plugin> newNodeResourcesBalancedAllocation(const config::PluginArgs& args, Handle& handle,
                                                           std::string* error);

}  // namespace podberth::scheduler::plugins
