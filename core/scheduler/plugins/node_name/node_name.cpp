#include "core/scheduler/plugins/node_name/node_name.h"

#include "core/scheduler/plugins/helper/sign.h"

namespace podberth::scheduler::plugins {

NodeName::NodeName()
    : mismatch_(Status(Code::kUnschedulableAndUnresolvable, kReasonNodeName).withPlugin(names::kNodeName)) {}

std::vector<ClusterEventWithHint> NodeName::eventsToRegister() const {
  return {{ClusterEvent{EventResource::kNode, action::kAdd, {}}, nullptr}};
}

Status NodeName::preFilter(CycleState&, const PodInfo& pod, const std::vector<NodeInfo*>&, PreFilterResult& result) {
  if (!pod.node_name.empty()) result.node_names = std::vector<api::Symbol>(1, pod.node_name);
  return {};
}

Status NodeName::filter(CycleState&, const PodInfo& pod, const NodeInfo& node) {
  if (pod.node_name.empty() || pod.node_name == node.name()) return {};
  return mismatch_;
}

std::vector<SignFragment> NodeName::sign(const api::Pod& pod, bool& signable) const {
  signable = true;
  return {{std::string(sign::kNodeName), pod.spec.node_name}};
}

std::unique_ptr<Plugin> newNodeName(const config::PluginArgs&, Handle&, std::string*) {
  return std::make_unique<NodeName>();
}

}  // namespace podberth::scheduler::plugins
