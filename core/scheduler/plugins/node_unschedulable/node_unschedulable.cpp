#include "core/scheduler/plugins/node_unschedulable/node_unschedulable.h"

#include "core/api/tolerations.h"
#include "core/scheduler/plugins/helper/sign.h"

namespace podberth::scheduler::plugins {
namespace {

bool toleratesUnschedulable(const api::Pod& pod, bool comparison_operators) {
  static const api::Taint taint = [] {
    api::Taint t;
    t.key = kTaintNodeUnschedulable;
    t.effect = "NoSchedule";
    return t;
  }();
  return api::toleratesAny(pod.spec.tolerations, taint, comparison_operators);
}

// A node that came schedulable, or became so.
HintResult afterNodeChange(const api::Pod&, const api::Object* old_object, const api::Object* new_object) {
  const api::Node* before = api::as<api::Node>(old_object);
  const api::Node* now = api::as<api::Node>(new_object);
  const bool was_closed = before == nullptr || before->spec.unschedulable;
  return was_closed && !now->spec.unschedulable ? HintResult::queue() : HintResult::skip();
}

}  // namespace

NodeUnschedulable::NodeUnschedulable(bool comparison_operators)
    : comparison_operators_(comparison_operators),
      unschedulable_(
          Status(Code::kUnschedulableAndUnresolvable, kReasonNodeUnschedulable).withPlugin(names::kNodeUnschedulable)) {
}

std::vector<ClusterEventWithHint> NodeUnschedulable::eventsToRegister() const {
  return {{ClusterEvent{EventResource::kNode, action::kAdd | action::kUpdateNodeTaint, {}}, afterNodeChange},
          {ClusterEvent{EventResource::kTargetPod, action::kUpdatePodToleration, {}},
           [operators = comparison_operators_](const api::Pod&, const api::Object*, const api::Object* new_object) {
             const api::Pod* now = api::as<api::Pod>(new_object);
             return toleratesUnschedulable(*now, operators) ? HintResult::queue() : HintResult::skip();
           }}};
}

Status NodeUnschedulable::filter(CycleState&, const PodInfo& pod, const NodeInfo& node) {
  if (!node.node()->spec.unschedulable || toleratesUnschedulable(*pod.pod, comparison_operators_)) return {};
  return unschedulable_;
}

std::vector<SignFragment> NodeUnschedulable::sign(const api::Pod& pod, bool& signable) const {
  signable = true;
  return {{std::string(sign::kTolerations), sign::tolerations(pod)}};
}

std::unique_ptr<Plugin> newNodeUnschedulable(const config::PluginArgs&, Handle& handle, std::string*) {
  return std::make_unique<NodeUnschedulable>(handle.gates().enabled("TaintTolerationComparisonOperators"));
}

}  // namespace podberth::scheduler::plugins
