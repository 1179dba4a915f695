#include "core/scheduler/plugins/pod_topology_spread/pod_topology_spread.h"

#include <utility>

#include "core/scheduler/plugins/helper/default_selector.h"
#include "core/scheduler/plugins/names.h"

namespace podberth::scheduler::plugins {
namespace {

constexpr std::string_view kGateMatchLabelKeys = "MatchLabelKeysInPodTopologySpread";
// Enough for the kinds of pods that a cluster sees in a row; each costs a few bytes a node.
constexpr std::size_t kCountsKept = 128;

std::vector<api::TopologySpreadConstraint> systemDefaults() {
  api::TopologySpreadConstraint host;
  host.topology_key = std::string(kLabelHostname);
  host.when_unsatisfiable = std::string(kScheduleAnyway);
  host.max_skew = 3;
  api::TopologySpreadConstraint zone = host;
  zone.topology_key = std::string(kLabelTopologyZone);
  zone.max_skew = 5;
  return {host, zone};
}

bool matchesAny(const SpreadConstraints& constraints, const api::LabelSet& labels) {
  return std::any_of(constraints.begin(), constraints.end(),
                     [&](const SpreadConstraint& c) { return c.selector.matches(labels); });
}

// Only pods on a node, or about to be, of the same namespace count.
bool involved(const api::Pod& incoming, const api::Pod& spreading) {
  if (incoming.spec.node_name.empty() && incoming.status.nominated_node_name.empty()) return false;
  return incoming.meta.ns == spreading.meta.ns;
}

HintResult afterLabelChange(const api::Pod& old_pod, const api::Pod& new_pod, const SpreadConstraints& constraints) {
  if (old_pod.meta.labels == new_pod.meta.labels) return HintResult::skip();
  for (const SpreadConstraint& c : constraints) {
    if (c.selector.matches(old_pod.meta.labels) != c.selector.matches(new_pod.meta.labels)) return HintResult::queue();
  }
  return HintResult::skip();
}

bool topologyChanged(const api::LabelSet& before, const api::LabelSet& after, const SpreadConstraints& constraints) {
  for (const SpreadConstraint& c : constraints) {
    const api::Symbol* a = before.find(c.topology_key);
    const api::Symbol* b = after.find(c.topology_key);
    if ((a == nullptr ? api::Symbol() : *a) != (b == nullptr ? api::Symbol() : *b)) return true;
  }
  return false;
}

}  // namespace

PodTopologySpread::PodTopologySpread(const config::PodTopologySpreadArgs& args, Handle& handle,
                                     const SpreadRules& rules)
    : handle_(handle),
      default_constraints_(args.defaulting_type == "System" ? systemDefaults() : args.default_constraints),
      system_defaulted_(args.defaulting_type == "System"),
      rules_(rules),
      counts_(kCountsKept) {}

std::string_view PodTopologySpread::name() const { return names::kPodTopologySpread; }

bool PodTopologySpread::constraintsOf(const api::Pod& pod, std::string_view action, SpreadConstraints* out,
                                      std::string* error) const {
  const bool own = !pod.spec.topology_spread_constraints.empty();
  const std::vector<api::TopologySpreadConstraint>& given =
      own ? pod.spec.topology_spread_constraints : default_constraints_;
  if (!compileConstraints(given, pod.meta.labels, action, rules_, out, error)) {
    *error = std::string(own ? "obtaining pod's " : "setting default ") + (action == kDoNotSchedule ? "hard" : "soft") +
             " topology spread constraints: " + *error;
    return false;
  }
  if (own || out->empty()) return true;
  const api::Selector selector = defaultSelector(pod, handle_.listers());
  if (selector.empty()) {
    out->clear();
    return true;
  }
  for (SpreadConstraint& c : *out) c.selector = selector;
  return true;
}

std::vector<ClusterEventWithHint> PodTopologySpread::eventsToRegister() const {
  const auto hint = [this](HintResult (PodTopologySpread::*f)(const api::Pod&, const api::Object*, const api::Object*)
                               const) {
    return [this, f](const api::Pod& pod, const api::Object* old_object, const api::Object* new_object) {
      return (this->*f)(pod, old_object, new_object);
    };
  };
  ClusterEventWithHint assigned;
  assigned.event.resource = EventResource::kAssignedPod;
  assigned.event.action = action::kAdd | action::kUpdatePodLabel | action::kDelete;
  assigned.hint = hint(&PodTopologySpread::afterAssignedPodChange);
  ClusterEventWithHint target;
  target.event.resource = EventResource::kTargetPod;
  target.event.action = action::kUpdatePodToleration | action::kUpdatePodLabel;
  target.hint = hint(&PodTopologySpread::afterTargetPodChange);
  ClusterEventWithHint node;
  node.event.resource = EventResource::kNode;
  node.event.action = action::kAdd | action::kDelete | action::kUpdateNodeLabel | action::kUpdateNodeTaint;
  node.hint = hint(&PodTopologySpread::afterNodeChange);
  return {assigned, target, node};
}

HintResult PodTopologySpread::afterTargetPodChange(const api::Pod& pod, const api::Object* old_object,
                                                   const api::Object* new_object) const {
  const api::Pod* before = api::as<api::Pod>(old_object);
  const api::Pod* after = api::as<api::Pod>(new_object);
  if (before == nullptr || after == nullptr) return HintResult::queue();
  SpreadConstraints constraints;
  std::string error;
  if (!constraintsOf(pod, kDoNotSchedule, &constraints, &error)) return {QueueingHint::kQueue, error};
  // A new toleration can make more nodes take part.
  if (!(before->spec.tolerations == after->spec.tolerations) &&
      std::any_of(constraints.begin(), constraints.end(), [](const SpreadConstraint& c) { return c.honor_taints; })) {
    return HintResult::queue();
  }
  return afterLabelChange(*before, *after, constraints);
}

HintResult PodTopologySpread::afterAssignedPodChange(const api::Pod& pod, const api::Object* old_object,
                                                     const api::Object* new_object) const {
  const api::Pod* before = api::as<api::Pod>(old_object);
  const api::Pod* after = api::as<api::Pod>(new_object);
  if ((after != nullptr && !involved(*after, pod)) || (before != nullptr && !involved(*before, pod))) {
    return HintResult::skip();
  }
  SpreadConstraints constraints;
  std::string error;
  if (!constraintsOf(pod, kDoNotSchedule, &constraints, &error)) return {QueueingHint::kQueue, error};
  if (before != nullptr && after != nullptr) return afterLabelChange(*before, *after, constraints);
  const api::Pod* changed = after != nullptr ? after : before;
  if (changed == nullptr) return HintResult::skip();
  return matchesAny(constraints, changed->meta.labels) ? HintResult::queue() : HintResult::skip();
}

HintResult PodTopologySpread::afterNodeChange(const api::Pod& pod, const api::Object* old_object,
                                              const api::Object* new_object) const {
  const api::Node* before = api::as<api::Node>(old_object);
  const api::Node* after = api::as<api::Node>(new_object);
  SpreadConstraints constraints;
  std::string error;
  if (!constraintsOf(pod, kDoNotSchedule, &constraints, &error)) return {QueueingHint::kQueue, error};
  const bool matched = before != nullptr && hasAllTopologyKeys(before->meta.labels, constraints);
  const bool matches = after != nullptr && hasAllTopologyKeys(after->meta.labels, constraints);
  if (before != nullptr && after != nullptr) {
    if (matched != matches) return HintResult::queue();
    const bool moved = matches && (topologyChanged(before->meta.labels, after->meta.labels, constraints) ||
                                   !(before->spec.taints == after->spec.taints));
    return moved ? HintResult::queue() : HintResult::skip();
  }
  return matched || matches ? HintResult::queue() : HintResult::skip();
}

std::vector<SignFragment> PodTopologySpread::sign(const api::Pod& pod, bool& signable) const {
  // Where such a pod may go depends on the pods that went before it.
  signable = pod.spec.topology_spread_constraints.empty() && default_constraints_.empty();
  return {};
}

std::unique_ptr<Plugin> newPodTopologySpread(const config::PluginArgs& args, Handle& handle, std::string* /*error*/) {
  const auto* given = std::get_if<config::PodTopologySpreadArgs>(&args);
  SpreadRules rules;
  rules.merges_match_label_keys = handle.gates().enabled(kGateMatchLabelKeys);
  return std::make_unique<PodTopologySpread>(given != nullptr ? *given : config::PodTopologySpreadArgs(), handle,
                                             rules);
}

}  // namespace podberth::scheduler::plugins
