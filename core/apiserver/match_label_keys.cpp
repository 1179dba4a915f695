#include "core/apiserver/defaulting.h"

namespace podberth::apiserver {

namespace {

void merge(std::optional<api::LabelSelector>& selector, const std::vector<std::string>& keys, const char* op,
           const api::LabelSet& labels) {
  if (!selector) return;  // it selects nothing, and still does
  for (const std::string& key : keys) {
    const api::Symbol* value = labels.find(api::Symbol(key));
    if (value == nullptr) continue;
    api::LabelSelectorRequirement requirement;
    requirement.key = key;
    requirement.op = op;
    requirement.values.push_back(value->str());
    selector->match_expressions.push_back(std::move(requirement));
  }
}

void merge(api::PodAffinityTerm& term, const api::LabelSet& labels) {
  merge(term.label_selector, term.match_label_keys, "In", labels);
  merge(term.label_selector, term.mismatch_label_keys, "NotIn", labels);
}

void merge(std::optional<api::PodAffinity>& affinity, const api::LabelSet& labels) {
  if (!affinity) return;
  for (api::WeightedPodAffinityTerm& term : affinity->preferred) merge(term.term, labels);
  for (api::PodAffinityTerm& term : affinity->required) merge(term, labels);
}

}  // namespace

void mergeMatchLabelKeys(api::Pod& pod, const scheduler::FeatureGates& gates) {
  if (pod.spec.affinity && gates.enabled("MatchLabelKeysInPodAffinity")) {
    merge(pod.spec.affinity->pod, pod.meta.labels);
    merge(pod.spec.affinity->pod_anti, pod.meta.labels);
  }
  if (pod.spec.topology_spread_constraints.empty() || !gates.enabled("MatchLabelKeysInPodTopologySpread") ||
      !gates.enabled("MatchLabelKeysInPodTopologySpreadSelectorMerge")) {
    return;
  }
  for (api::TopologySpreadConstraint& constraint : pod.spec.topology_spread_constraints) {
    merge(constraint.label_selector, constraint.match_label_keys, "In", pod.meta.labels);
  }
}

}  // namespace podberth::apiserver
