// NodeDeclaredFeatures (PreFilter, Filter): a pod that needs features of the kubelet fits only nodes that declare them
// in status.declaredFeatures. Upstream: pkg/scheduler/framework/plugins/nodedeclaredfeatures/nodedeclaredfeatures.go,
// k8s.io/component-helpers/nodedeclaredfeatures; KEP-5328.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/scheduler/config/types.h"
#include "core/scheduler/framework/handle.h"
#include "core/scheduler/plugins/names.h"

namespace podberth::scheduler::plugins {

inline constexpr const char* kReasonNodeDeclaredFeatures = "node(s) didn't match Pod's required features";

// The features that a pod needs where it runs, sorted.
std::vector<std::string> requiredFeatures(const api::Pod& pod);

class NodeDeclaredFeatures : public Plugin {
 public:
  static constexpr Points kPoints = Point::kPreFilter | Point::kFilter;
  NodeDeclaredFeatures();
  std::string_view name() const override { return names::kNodeDeclaredFeatures; }
  Points points() const override { return kPoints; }
  bool hasEvents() const override { return true; }
  std::vector<ClusterEventWithHint> eventsToRegister() const override;
  // Skip if the pod needs none.
  Status preFilter(CycleState& state, const PodInfo& pod, const std::vector<NodeInfo*>& nodes,
                   PreFilterResult& result) override;
  Status filter(CycleState& state, const PodInfo& pod, const NodeInfo& node) override;
  bool hasSign() const override { return true; }
  std::vector<SignFragment> sign(const api::Pod& pod, bool& signable) const override;

 private:
  Status missing_;
};

std::unique_ptr<Plugin> newNodeDeclaredFeatures(const config::PluginArgs& args, Handle& handle, std::string* error);

}  // namespace podberth::scheduler::plugins
