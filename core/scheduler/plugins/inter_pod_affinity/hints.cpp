#include "core/scheduler/plugins/inter_pod_affinity/hints.h"

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "core/base/sort.h"
#include "core/scheduler/framework/node_info.h"

namespace podberth::scheduler::plugins {
namespace {

// Required terms of a pod's affinity or anti-affinity. False, with upstream's text in *error, if one is malformed.
bool termsOf(const api::Pod& pod, bool anti, std::vector<AffinityTerm>* out, std::string* error) {
  if (!pod.spec.affinity.has_value()) return true;
  const std::optional<api::PodAffinity>& affinity = anti ? pod.spec.affinity->pod_anti : pod.spec.affinity->pod;
  if (!affinity.has_value()) return true;
  for (const api::PodAffinityTerm& term : affinity->required) {
    AffinityTerm compiled;
    compiled.selector = api::Selector::from(term.label_selector, error);
    if (error->empty()) compiled.namespace_selector = api::Selector::from(term.namespace_selector, error);
    if (!error->empty()) return false;
    if (term.namespaces.empty() && !term.namespace_selector.has_value()) {
      compiled.namespaces.emplace_back(pod.meta.ns);
    } else {
      for (const std::string& ns : term.namespaces) compiled.namespaces.emplace_back(ns);
      base::stableSort(compiled.namespaces, std::less<>());
    }
    compiled.topology_key = api::Symbol(term.topology_key);
    out->push_back(std::move(compiled));
  }
  return true;
}

bool matchesAll(const std::vector<AffinityTerm>& terms, const api::Pod& pod) {
  return !terms.empty() &&
         std::all_of(terms.begin(), terms.end(), [&](const AffinityTerm& term) { return term.matches(pod, {}); });
}

bool matchesAny(const std::vector<AffinityTerm>& terms, const api::Pod& pod) {
  return std::any_of(terms.begin(), terms.end(), [&](const AffinityTerm& term) { return term.matches(pod, {}); });
}

bool isNowhere(const api::Pod* pod) {
  return pod != nullptr && pod->spec.node_name.empty() && pod->status.nominated_node_name.empty();
}

HintResult failed(const std::string& error) { return {QueueingHint::kQueue, error}; }

}  // namespace

HintResult affinityHintAfterAssignedPodChange(const api::Pod& pod, const api::Object* old_object,
                                              const api::Object* new_object) {
  const api::Pod* before = api::as<api::Pod>(old_object);
  const api::Pod* after = api::as<api::Pod>(new_object);
  if (isNowhere(after) || isNowhere(before)) return HintResult::skip();

  std::string error;
  std::vector<AffinityTerm> terms;
  std::vector<AffinityTerm> anti_terms;
  if (!termsOf(pod, false, &terms, &error) || !termsOf(pod, true, &anti_terms, &error)) return failed(error);

  if (before != nullptr && after != nullptr) {
    if (!matchesAll(terms, *before) && matchesAll(terms, *after)) return HintResult::queue();
    if (matchesAny(anti_terms, *before) && !matchesAny(anti_terms, *after)) return HintResult::queue();
    return HintResult::skip();
  }
  if (after != nullptr) return matchesAll(terms, *after) ? HintResult::queue() : HintResult::skip();
  if (before == nullptr) return HintResult::skip();

  if (matchesAny(anti_terms, *before)) return HintResult::queue();
  std::vector<AffinityTerm> theirs;
  if (!termsOf(*before, true, &theirs, &error)) return failed(error);
  return matchesAny(theirs, pod) ? HintResult::queue() : HintResult::skip();
}

HintResult affinityHintAfterNodeChange(const api::Pod& pod, const api::Object* old_object,
                                       const api::Object* new_object) {
  const api::Node* before = api::as<api::Node>(old_object);
  const api::Node* after = api::as<api::Node>(new_object);
  if (after == nullptr) return HintResult::queue();

  std::string error;
  std::vector<AffinityTerm> terms;
  if (!termsOf(pod, false, &terms, &error)) return failed(error);
  for (const AffinityTerm& term : terms) {
    const api::Symbol* now = after->meta.labels.find(term.topology_key);
    const api::Symbol* then = before == nullptr ? nullptr : before->meta.labels.find(term.topology_key);
    // The node has come into a domain, or into another one.
    if (now != nullptr && (then == nullptr || *then != *now)) return HintResult::queue();
  }

  std::vector<AffinityTerm> anti_terms;
  if (!termsOf(pod, true, &anti_terms, &error)) return failed(error);
  for (const AffinityTerm& term : anti_terms) {
    // Nobody looks whether there are pods against it in the new node's domain.
    if (before == nullptr) return HintResult::queue();
    const api::Symbol* now = after->meta.labels.find(term.topology_key);
    const api::Symbol* then = before->meta.labels.find(term.topology_key);
    // The node has left a domain, be it for another one.
    if (then != nullptr && (now == nullptr || *then != *now)) return HintResult::queue();
  }
  return HintResult::skip();
}

}  // namespace podberth::scheduler::plugins
