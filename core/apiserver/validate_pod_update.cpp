#include <algorithm>
#include <limits>

#include "core/apiserver/validation.h"

namespace podberth::apiserver {

namespace {

constexpr std::string_view kUpdatable =
    "pod updates may not change fields other than `spec.containers[*].image`,`spec.initContainers[*].image`,"
    "`spec.activeDeadlineSeconds`,`spec.tolerations` (only additions to existing tolerations),"
    "`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)";

// The names of the fields that differ.
std::vector<std::string> changedFields(const api::PodSpec& a, const api::PodSpec& b) {
  std::vector<std::string> out;
  const auto note = [&](bool same, const char* name) {
    if (!same) out.push_back(name);
  };
  note(a.volumes == b.volumes, "volumes");
  note(a.init_containers == b.init_containers, "initContainers");
  note(a.containers == b.containers, "containers");
  note(a.ephemeral_containers == b.ephemeral_containers, "ephemeralContainers");
  note(a.restart_policy == b.restart_policy, "restartPolicy");
  note(a.termination_grace_period_seconds == b.termination_grace_period_seconds, "terminationGracePeriodSeconds");
  note(a.active_deadline_seconds == b.active_deadline_seconds, "activeDeadlineSeconds");
  note(a.dns_policy == b.dns_policy, "dnsPolicy");
  note(a.node_selector == b.node_selector, "nodeSelector");
  note(a.node_name == b.node_name, "nodeName");
  note(a.host_network == b.host_network, "hostNetwork");
  note(a.affinity == b.affinity, "affinity");
  note(a.scheduler_name == b.scheduler_name, "schedulerName");
  note(a.tolerations == b.tolerations, "tolerations");
  note(a.priority_class_name == b.priority_class_name, "priorityClassName");
  note(a.priority == b.priority, "priority");
  note(a.preemption_policy == b.preemption_policy, "preemptionPolicy");
  note(a.overhead == b.overhead, "overhead");
  note(a.topology_spread_constraints == b.topology_spread_constraints, "topologySpreadConstraints");
  note(a.os_name == b.os_name, "os");
  note(a.scheduling_gates == b.scheduling_gates, "schedulingGates");
  note(a.resource_claims == b.resource_claims, "resourceClaims");
  note(a.resources == b.resources, "resources");
  note(a.pod_group == b.pod_group, "schedulingGroup");
  if (a.rest != b.rest) {
    const Json left = parseRest(a.rest);
    const Json right = parseRest(b.rest);
    for (const auto& [key, value] : left.items()) {
      const Json* other = member(right, key.c_str());
      if (other == nullptr || *other != value) out.push_back(key);
    }
    for (const auto& [key, value] : right.items()) {
      if (member(left, key.c_str()) == nullptr) out.push_back(key);
    }
  }
  return out;
}

// False if there is no point in looking further.
bool validateContainerUpdates(const std::vector<api::Container>& containers, const std::vector<api::Container>& old,
                              const Path& path, ErrorList& errors) {
  if (containers.size() != old.size()) {
    errors.forbidden(path, "pod updates may not add or remove containers");
    return false;
  }
  for (std::size_t i = 0; i < containers.size(); ++i) {
    if (containers[i].image.empty()) errors.required(path.index(i).child("image"));
    validateImageWhitespace(containers[i], path.index(i), errors);
  }
  return true;
}

// False if there is no point in looking further.
bool validateDeadlineUpdate(const std::optional<std::int64_t>& deadline, const std::optional<std::int64_t>& old,
                            const Path& path, ErrorList& errors) {
  constexpr std::int64_t kMost = std::numeric_limits<std::int32_t>::max();
  if (!deadline) {
    if (old) errors.invalid(path, null(), "must not update from a positive integer to nil value");
    return true;
  }
  if (*deadline < 0 || *deadline > kMost) {
    errors.invalid(path, number(*deadline), inclusiveRangeError(0, kMost));
    return false;
  }
  if (old && *old < *deadline) {
    errors.invalid(path, number(*deadline), "must be less than or equal to previous value");
    return false;
  }
  return true;
}

void validateTolerationUpdate(const std::vector<api::Toleration>& tolerations, const std::vector<api::Toleration>& old,
                              const Path& path, const PodOptions& options, ErrorList& errors) {
  for (const api::Toleration& known : old) {
    const bool found = std::any_of(tolerations.begin(), tolerations.end(), [&](api::Toleration candidate) {
      candidate.toleration_seconds = known.toleration_seconds;
      return candidate == known;
    });
    if (found) continue;
    errors.forbidden(path, "existing toleration can not be modified except its tolerationSeconds");
    return;
  }
  validateTolerations(tolerations, path, options, errors);
}

void validateGateUpdate(const std::vector<std::string>& gates, const std::vector<std::string>& old, const Path& path,
                        ErrorList& errors) {
  for (std::size_t i = 0; i < gates.size(); ++i) {
    const auto later = std::find(gates.begin() + static_cast<std::ptrdiff_t>(i) + 1, gates.end(), gates[i]);
    if (later != gates.end() || std::find(old.begin(), old.end(), gates[i]) != old.end()) continue;
    errors.forbidden(path.index(i).child("name"),
                     "only deletion is allowed, but found new scheduling gate '" + gates[i] + "'");
  }
}

std::string requirementsJson(const std::vector<api::NodeSelectorRequirement>& requirements) {
  if (requirements.empty()) return "null";
  std::string out = "[";
  for (const api::NodeSelectorRequirement& requirement : requirements) {
    if (out.size() > 1) out += ",";
    out += "{\"Key\":" + go::jsonString(requirement.key) + ",\"Operator\":" + go::jsonString(requirement.op) +
           ",\"Values\":" + go::jsonStringsOrNull(requirement.values) + "}";
  }
  return out + "]";
}

std::string termJson(const api::NodeSelectorTerm& term) {
  return "{\"MatchExpressions\":" + requirementsJson(term.match_expressions) +
         ",\"MatchFields\":" + requirementsJson(term.match_fields) + "}";
}

std::string termsJson(const std::vector<api::NodeSelectorTerm>& terms) {
  if (terms.empty()) return "null";
  std::string out = "[";
  for (const api::NodeSelectorTerm& term : terms) out += (out.size() > 1 ? "," : "") + termJson(term);
  return out + "]";
}

std::string labelsJson(const api::LabelSet& labels) {
  if (labels.empty()) return "null";
  std::string out = "{";
  for (const auto& [key, value] : labels) {
    if (out.size() > 1) out += ",";
    out += go::jsonString(key) + ":" + go::jsonString(value);
  }
  return out + "}";
}

bool startsWithAll(const std::vector<api::NodeSelectorRequirement>& requirements,
                   const std::vector<api::NodeSelectorRequirement>& old) {
  return requirements.size() >= old.size() && std::equal(old.begin(), old.end(), requirements.begin());
}

bool onlyAdds(const api::NodeSelectorTerm& term, const api::NodeSelectorTerm& old) {
  if (old.match_expressions.empty() && old.match_fields.empty() &&
      (!term.match_expressions.empty() || !term.match_fields.empty())) {
    return false;
  }
  return startsWithAll(term.match_expressions, old.match_expressions) &&
         startsWithAll(term.match_fields, old.match_fields);
}

void validateNodeAffinityUpdate(const std::optional<api::NodeAffinity>& affinity,
                                const std::optional<api::NodeAffinity>& old, const Path& path, ErrorList& errors) {
  if (!old || !old->required) return;
  const std::vector<api::NodeSelectorTerm>& old_terms = old->required->terms;
  std::vector<api::NodeSelectorTerm> terms;
  if (affinity && affinity->required) terms = affinity->required->terms;
  const Path at = path.child("requiredDuringSchedulingIgnoredDuringExecution").child("nodeSelectorTerms");
  if (!old_terms.empty() && old_terms.size() != terms.size()) {
    errors.invalid(at, raw(termsJson(terms)), "no additions/deletions to non-empty NodeSelectorTerms list are allowed");
    return;
  }
  for (std::size_t i = 0; i < old_terms.size(); ++i) {
    if (onlyAdds(terms[i], old_terms[i])) continue;
    errors.invalid(at.index(i), raw(termJson(terms[i])), "only additions are allowed (no mutations or deletions)");
  }
}

// Pods that wait behind a scheduling gate may still be narrowed. Makes what may change in `munged` equal to the old
// spec.
void validateGatedUpdate(api::PodSpec& munged, const api::PodSpec& old, const Path& path, ErrorList& errors) {
  if (munged.node_selector != old.node_selector) {
    for (const auto& [key, value] : old.node_selector) {
      const api::Symbol* now = munged.node_selector.find(key);
      if (now != nullptr && *now == value) continue;
      errors.invalid(path.child("nodeSelector"), raw(labelsJson(munged.node_selector)),
                     "only additions to spec.nodeSelector are allowed (no mutations or deletions)");
      break;
    }
    munged.node_selector = old.node_selector;
  }
  const std::optional<api::NodeAffinity> none;
  const std::optional<api::NodeAffinity> old_affinity = old.affinity ? old.affinity->node : none;
  const std::optional<api::NodeAffinity> new_affinity = munged.affinity ? munged.affinity->node : none;
  if (old_affinity == new_affinity) return;
  validateNodeAffinityUpdate(new_affinity, old_affinity, path.child("affinity").child("nodeAffinity"), errors);
  if (!munged.affinity) {
    munged.affinity.emplace();
    munged.affinity->node = old_affinity;
  } else if (!old.affinity && !munged.affinity->pod && !munged.affinity->pod_anti) {
    munged.affinity.reset();
  } else {
    munged.affinity->node = old_affinity;
  }
}

}  // namespace

bool samePodSpec(const api::PodSpec& a, const api::PodSpec& b) { return changedFields(a, b).empty(); }

void validatePodUpdate(const api::Pod& pod, const api::Pod& old_pod, const PodOptions& options, ErrorList& errors) {
  const Path meta("metadata");
  const Path path("spec");
  const api::PodSpec& spec = pod.spec;
  const api::PodSpec& old = old_pod.spec;
  validateObjectMetaUpdate(pod, old_pod, meta, errors);
  validatePodMetadataAndSpec(pod, options, errors);
  validateAnnotationUpdates(pod, old_pod, options, meta.child("annotations"), errors);
  if (!validateContainerUpdates(spec.containers, old.containers, path.child("containers"), errors)) return;
  if (!validateContainerUpdates(spec.init_containers, old.init_containers, path.child("initContainers"), errors))
    return;
  if (!validateDeadlineUpdate(spec.active_deadline_seconds, old.active_deadline_seconds,
                              path.child("activeDeadlineSeconds"), errors)) {
    return;
  }
  validateTolerationUpdate(spec.tolerations, old.tolerations, path.child("tolerations"), options, errors);
  validateGateUpdate(spec.scheduling_gates, old.scheduling_gates, path.child("schedulingGates"), errors);
  if (samePodSpec(spec, old)) return;

  api::PodSpec munged = spec;
  for (std::size_t i = 0; i < munged.containers.size(); ++i) munged.containers[i].image = old.containers[i].image;
  for (std::size_t i = 0; i < munged.init_containers.size(); ++i) {
    munged.init_containers[i].image = old.init_containers[i].image;
  }
  munged.active_deadline_seconds = old.active_deadline_seconds;
  munged.scheduling_gates = old.scheduling_gates;
  munged.tolerations = old.tolerations;
  if (old.termination_grace_period_seconds && *old.termination_grace_period_seconds < 0 &&
      munged.termination_grace_period_seconds == std::int64_t{1}) {
    munged.termination_grace_period_seconds = old.termination_grace_period_seconds;
  }
  if (!old.scheduling_gates.empty()) validateGatedUpdate(munged, old, path, errors);
  const std::vector<std::string> changed = changedFields(old, munged);
  if (changed.empty()) return;
  // Upstream prints a textual difference of the two specs here; we name the fields.
  errors.forbidden(path, std::string(kUpdatable) + "\n@@ " + joined(changed, ", ") + " @@\n");
}

}  // namespace podberth::apiserver
