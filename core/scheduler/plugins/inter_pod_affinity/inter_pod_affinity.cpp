#include "core/scheduler/plugins/inter_pod_affinity/inter_pod_affinity.h"

#include <algorithm>
#include <utility>

#include "core/base/sort.h"
#include "core/scheduler/plugins/helper/sign.h"
#include "core/scheduler/plugins/inter_pod_affinity/hints.h"
#include "core/scheduler/plugins/names.h"

namespace podberth::scheduler::plugins {
namespace {

// Enough for the kinds of pods that a cluster sees in a row; each costs a few bytes a node.
constexpr std::size_t kCountsKept = 128;

}  // namespace

InterPodAffinity::InterPodAffinity(const config::InterPodAffinityArgs& args, Handle& handle,
                                   const InterPodAffinityRules& rules)
    : handle_(handle), args_(args), rules_(rules), counts_(kCountsKept) {}

std::string_view InterPodAffinity::name() const { return names::kInterPodAffinity; }

std::vector<ClusterEventWithHint> InterPodAffinity::eventsToRegister() const {
  ClusterEventWithHint assigned;
  assigned.event.resource = EventResource::kAssignedPod;
  assigned.event.action = action::kAdd | action::kUpdatePodLabel | action::kDelete;
  assigned.hint = affinityHintAfterAssignedPodChange;
  // Other pods' anti-affinity may have been against the old labels only.
  ClusterEventWithHint target;
  target.event.resource = EventResource::kTargetPod;
  target.event.action = action::kUpdatePodLabel;
  target.hint = [](const api::Pod&, const api::Object*, const api::Object*) { return HintResult::queue(); };
  ClusterEventWithHint node;
  node.event.resource = EventResource::kNode;
  node.event.action = action::kAdd | action::kUpdateNodeLabel;
  node.hint = affinityHintAfterNodeChange;
  return {assigned, target, node};
}

AffinityTerm InterPodAffinity::resolved(const AffinityTerm& term) const {
  AffinityTerm out = term;
  // A selector of everything stays: it matches whatever the namespace is.
  if (term.namespace_selector.empty()) return out;
  if (!term.namespace_selector.selectsNothing()) {
    for (const auto& ns : handle_.listers().namespaces->list()) {
      if (term.namespace_selector.matches(ns->meta.labels)) out.namespaces.emplace_back(ns->meta.name);
    }
    base::sortUnique(out.namespaces);
  }
  out.namespace_selector = api::Selector::nothing();
  return out;
}

api::LabelSet InterPodAffinity::namespaceLabels(api::Symbol ns) const {
  const auto found = handle_.listers().namespaces->get({}, ns);
  return found == nullptr ? api::LabelSet() : found->meta.labels;
}

std::shared_ptr<const IncomingTermCounts> InterPodAffinity::countsFor(const std::vector<AffinityTerm>& terms,
                                                                      IncomingTermCounts::Mode mode) {
  if (terms.empty()) return nullptr;
  const std::size_t hash = IncomingTermCounts::hash(terms, mode);
  std::shared_ptr<IncomingTermCounts> counts =
      counts_.find(hash, [&](const IncomingTermCounts& c) { return c.isFor(terms, mode); });
  if (counts == nullptr) {
    counts = std::make_shared<IncomingTermCounts>(terms, mode, index_);
    counts_.insert(hash, counts);
  }
  counts->update(index_);
  return counts;
}

std::vector<SignFragment> InterPodAffinity::sign(const api::Pod& pod, bool& signable) const {
  const auto& affinity = pod.spec.affinity;
  signable = !affinity.has_value() || (!affinity->pod.has_value() && !affinity->pod_anti.has_value());
  // The labels count because running pods may have something for or against them.
  if (!signable || args_.ignore_preferred_terms_of_existing_pods) return {};
  SignFragment labels;
  labels.key = std::string(sign::kLabels);
  for (const auto& [key, value] : pod.meta.labels) {
    sign::append(labels.value, key);
    sign::append(labels.value, value);
  }
  return {labels};
}

std::unique_ptr<Plugin> newInterPodAffinity(const config::PluginArgs& args, Handle& handle, std::string* /*error*/) {
  const auto* given = std::get_if<config::InterPodAffinityArgs>(&args);
  return std::make_unique<InterPodAffinity>(given != nullptr ? *given : config::InterPodAffinityArgs(), handle);
}

}  // namespace podberth::scheduler::plugins
