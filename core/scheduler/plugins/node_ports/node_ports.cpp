#include "core/scheduler/plugins/node_ports/node_ports.h"

#include "core/api/pod_util.h"
#include "core/scheduler/plugins/helper/sign.h"

namespace podberth::scheduler::plugins {
namespace {

// That PreFilter ran; the ports themselves are the pod's.
struct FilterState : StateData {};
constexpr StateKey<FilterState> kFilterState{"PreFilterNodePorts"};
constexpr const char* kNoFilterState = "reading \"PreFilterNodePorts\" from cycleState: not found";

std::vector<HostPort> hostPortsOf(const api::Pod& pod) {
  std::vector<HostPort> ports;
  for (const api::ContainerPort& p : api::hostPorts(pod)) {
    HostPort port;
    port.ip = p.host_ip;
    port.protocol = p.protocol;
    port.port = p.host_port;
    ports.push_back(std::move(port));
  }
  return ports;
}

// A pod that has gone from a node (or from its nomination) and had one of the ports.
HintResult afterAssignedPodDelete(const api::Pod& pod, const api::Object* old_object, const api::Object*) {
  const api::Pod* deleted = api::as<api::Pod>(old_object);
  if (deleted->spec.node_name.empty() && deleted->status.nominated_node_name.empty()) return HintResult::skip();
  const std::vector<HostPort> freed = hostPortsOf(*deleted);
  if (freed.empty()) return HintResult::skip();
  HostPortInfo used;
  for (const HostPort& p : freed) used.add(p.ip, p.protocol, p.port);
  return portsFit(hostPortsOf(pod), used) ? HintResult::skip() : HintResult::queue();
}

}  // namespace

bool portsFit(const std::vector<HostPort>& wanted, const HostPortInfo& used) {
  if (used.empty()) return true;
  for (const HostPort& p : wanted) {
    if (used.conflicts(p.ip, p.protocol, p.port)) return false;
  }
  return true;
}

NodePorts::NodePorts(const NodePortsRules& rules)
    : rules_(rules), taken_(Status(Code::kUnschedulable, kReasonNodePorts).withPlugin(names::kNodePorts)) {}

std::vector<ClusterEventWithHint> NodePorts::eventsToRegister() const {
  return {{ClusterEvent{EventResource::kAssignedPod, action::kDelete, {}}, afterAssignedPodDelete},
          {ClusterEvent{EventResource::kNode, action::kAdd, {}}, nullptr}};
}

Status NodePorts::preFilter(CycleState& state, const PodInfo& pod, const std::vector<NodeInfo*>&, PreFilterResult&) {
  if (rules_.skips && pod.host_ports.empty()) return Status(Code::kSkip);
  state.write(kFilterState, std::make_shared<FilterState>());
  return {};
}

Status NodePorts::filter(CycleState& state, const PodInfo& pod, const NodeInfo& node) {
  if (state.read(kFilterState) == nullptr) return Status::error(kNoFilterState);
  return portsFit(pod.host_ports, node.used_ports) ? Status() : taken_;
}

std::vector<SignFragment> NodePorts::sign(const api::Pod& pod, bool& signable) const {
  signable = true;
  return {{std::string(sign::kHostPorts), sign::hostPorts(pod)}};
}

std::unique_ptr<Plugin> newNodePorts(const config::PluginArgs&, Handle&, std::string*) {
  return std::make_unique<NodePorts>();
}

}  // namespace podberth::scheduler::plugins
