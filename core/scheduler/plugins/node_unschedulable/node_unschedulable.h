// NodeUnschedulable (Filter): a cordoned node (spec.unschedulable) takes only pods that tolerate the taint
// node.kubernetes.io/unschedulable:NoSchedule.
// Upstream: pkg/scheduler/framework/plugins/nodeunschedulable/node_unschedulable.go.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/scheduler/config/types.h"
#include "core/scheduler/framework/handle.h"
#include "core/scheduler/plugins/names.h"

namespace podberth::scheduler::plugins {

inline constexpr const char* kReasonNodeUnschedulable = "node(s) were unschedulable";
inline constexpr const char* kTaintNodeUnschedulable = "node.kubernetes.io/unschedulable";

class NodeUnschedulable : public Plugin {
 public:
  static constexpr Points kPoints = Point::kPreFilter | Point::kFilter;
  // `comparison_operators`: the gate TaintTolerationComparisonOperators.
  explicit NodeUnschedulable(bool comparison_operators = false);
  std::string_view name() const override { return names::kNodeUnschedulable; }
  Points points() const override { return kPoints; }
  bool hasEvents() const override { return true; }
  std::vector<ClusterEventWithHint> eventsToRegister() const override;
  Status filter(CycleState& state, const PodInfo& pod, const NodeInfo& node) override;
  bool hasSign() const override { return true; }
  std::vector<SignFragment> sign(const api::Pod& pod, bool& signable) const override;

 private:
  bool comparison_operators_;
  Status unschedulable_;
};

std::unique_ptr<Plugin> newNodeUnschedulable(const config::PluginArgs& args, Handle& handle, std::string* error);

}  // namespace podberth::scheduler::plugins
