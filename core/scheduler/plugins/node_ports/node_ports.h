// NodePorts (PreFilter, Filter): the host ports that a pod wants must be free on the node.
// Upstream: pkg/scheduler/framework/plugins/nodeports/node_ports.go.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/scheduler/config/types.h"
#include "core/scheduler/framework/handle.h"
#include "core/scheduler/plugins/names.h"

namespace podberth::scheduler::plugins {

inline constexpr const char* kReasonNodePorts = "node(s) didn't have free ports for the requested pod ports";

// Whether none of the wanted ports is in use. The address 0.0.0.0 is every address.
bool portsFit(const std::vector<HostPort>& wanted, const HostPortInfo& used);

struct NodePortsRules {
  bool skips = true;  // pods that want no host port are passed by from PreFilter on
};

class NodePorts : public Plugin {
 public:
  static constexpr Points kPoints = Point::kPreFilter | Point::kFilter;
  explicit NodePorts(const NodePortsRules& rules = {});
  std::string_view name() const override { return names::kNodePorts; }
  Points points() const override { return kPoints; }
  bool hasEvents() const override { return true; }
  std::vector<ClusterEventWithHint> eventsToRegister() const override;
  // Skip if the pod wants no host port (and the rules say so).
  Status preFilter(CycleState& state, const PodInfo& pod, const std::vector<NodeInfo*>& nodes,
                   PreFilterResult& result) override;
  Status filter(CycleState& state, const PodInfo& pod, const NodeInfo& node) override;
  bool hasSign() const override { return true; }
  std::vector<SignFragment> sign(const api::Pod& pod, bool& signable) const override;

 private:
  NodePortsRules rules_;
  Status taken_;
};

std::unique_ptr<Plugin> newNodePorts(const config::PluginArgs& args, Handle& handle, std::string* error);

}  // namespace podberth::scheduler::plugins
