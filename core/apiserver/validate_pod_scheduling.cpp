#include <algorithm>
#include <cerrno>
#include <cstdlib>

#include "core/apiserver/validation.h"

namespace podberth::apiserver {

namespace {

constexpr std::string_view kNoOperator = "not a valid selector operator";
constexpr std::string_view kWeightRange = "must be in the range 1-100";
constexpr std::string_view kEmptyTopologyKey = "can not be empty";
constexpr std::string_view kNoSelector = "must not be specified when labelSelector is not set";
constexpr std::string_view kInBoth = "exists in both matchLabelKeys and labelSelector";

void validateNodeSelectorRequirement(const api::NodeSelectorRequirement& requirement, bool allow_invalid_values,
                                     const Path& path, ErrorList& errors) {
  const Path values = path.child("values");
  const std::string& op = requirement.op;
  if (op == "In" || op == "NotIn") {
    if (requirement.values.empty()) errors.required(values, "must be specified when `operator` is 'In' or 'NotIn'");
  } else if (op == "Exists" || op == "DoesNotExist") {
    if (!requirement.values.empty()) {
      errors.forbidden(values, "may not be specified when `operator` is 'Exists' or 'DoesNotExist'");
    }
  } else if (op == "Gt" || op == "Lt") {
    if (requirement.values.size() != 1) {
      errors.required(values, "must be specified single value when `operator` is 'Lt' or 'Gt'");
    }
  } else {
    errors.invalid(path.child("operator"), jsonString(op), kNoOperator);
  }
  validateLabelName(requirement.key, path.child("key"), errors);
  if (allow_invalid_values || !errors.rules().selector_values) return;
  for (std::size_t i = 0; i < requirement.values.size(); ++i) {
    errors.invalidEach(values.index(i), shown(requirement.values[i]),
                       isLabelValue(requirement.values[i], errors.wording()));
  }
}

void validateNodeFieldRequirement(const api::NodeSelectorRequirement& requirement, const Path& path,
                                  ErrorList& errors) {
  if (requirement.op == "In" || requirement.op == "NotIn") {
    if (requirement.values.size() != 1) {
      errors.required(path.child("values"),
                      "must be only one value when `operator` is 'In' or 'NotIn' for node field selector");
    }
  } else {
    errors.invalid(path.child("operator"), jsonString(requirement.op), kNoOperator);
  }
  if (requirement.key != "metadata.name") {
    errors.invalid(path.child("key"), shown(requirement.key), "not a valid field selector key");
    return;
  }
  for (std::size_t i = 0; i < requirement.values.size(); ++i) {
    validateDnsSubdomain(requirement.values[i], path.child("values").index(i), errors);
  }
}

void validateNodeSelectorTerm(const api::NodeSelectorTerm& term, bool allow_invalid_values, const Path& path,
                              ErrorList& errors) {
  for (std::size_t i = 0; i < term.match_expressions.size(); ++i) {
    validateNodeSelectorRequirement(term.match_expressions[i], allow_invalid_values,
                                    path.child("matchExpressions").index(i), errors);
  }
  for (std::size_t i = 0; i < term.match_fields.size(); ++i) {
    validateNodeFieldRequirement(term.match_fields[i], path.child("matchFields").index(i), errors);
  }
}

void validateNodeAffinity(const api::NodeAffinity& affinity, const Path& path, const PodOptions& options,
                          ErrorList& errors) {
  if (affinity.required) {
    const Path terms = path.child("requiredDuringSchedulingIgnoredDuringExecution").child("nodeSelectorTerms");
    if (affinity.required->terms.empty()) errors.required(terms, "must have at least one node selector term");
    for (std::size_t i = 0; i < affinity.required->terms.size(); ++i) {
      validateNodeSelectorTerm(affinity.required->terms[i], options.allow_invalid_label_value_in_node_affinity,
                               terms.index(i), errors);
    }
  }
  const Path preferred = path.child("preferredDuringSchedulingIgnoredDuringExecution");
  for (std::size_t i = 0; i < affinity.preferred.size(); ++i) {
    const api::PreferredSchedulingTerm& term = affinity.preferred[i];
    if (term.weight <= 0 || term.weight > 100) {
      errors.invalid(preferred.index(i).child("weight"), number(term.weight), kWeightRange);
    }
    // Upstream lets wrong label values pass here.
    validateNodeSelectorTerm(term.preference, true, preferred.index(i).child("preference"), errors);
  }
}

void validateLabelKeys(const std::vector<std::string>& keys, const std::optional<api::LabelSelector>& selector,
                       const Path& path, ErrorList& errors) {
  if (keys.empty()) return;
  if (!selector) {
    errors.forbidden(path, kNoSelector);
    return;
  }
  for (std::size_t i = 0; i < keys.size(); ++i) validateLabelName(keys[i], path.index(i), errors);
}

// The keys have been merged into the selector before: one that is there twice was given by the user too.
void validateMatchLabelKeys(const std::vector<std::string>& match, const std::vector<std::string>& mismatch,
                            const std::optional<api::LabelSelector>& selector, const Path& path, ErrorList& errors) {
  validateLabelKeys(match, selector, path.child("matchLabelKeys"), errors);
  validateLabelKeys(mismatch, selector, path.child("mismatchLabelKeys"), errors);
  if (selector) {
    std::map<std::string, std::size_t> places;
    for (std::size_t i = 0; i < match.size(); ++i) places[match[i]] = i;
    std::set<std::string> seen;
    for (const auto& item : selector->match_labels) seen.insert(item.first.str());
    for (const api::LabelSelectorRequirement& requirement : selector->match_expressions) {
      const auto place = places.find(requirement.key);
      if (place != places.end() && seen.count(requirement.key) != 0) {
        errors.invalid(
            Path(path.index(place->second).text(), path.child("matchLabelKeys").index(place->second).pointer()),
            shown(requirement.key), kInBoth);
      }
      seen.insert(requirement.key);
    }
  }
  for (std::size_t i = 0; i < match.size(); ++i) {
    if (std::find(mismatch.begin(), mismatch.end(), match[i]) == mismatch.end()) continue;
    errors.invalid(path.child("matchLabelKeys").index(i), shown(match[i]),
                   "exists in both matchLabelKeys and mismatchLabelKeys");
  }
}

// Before the keys were merged into the selector (gate MatchLabelKeysInPodTopologySpreadSelectorMerge off).
void validateMatchLabelKeysUnmerged(const std::vector<std::string>& match,
                                    const std::optional<api::LabelSelector>& selector, const Path& path,
                                    ErrorList& errors) {
  if (match.empty()) return;
  std::set<std::string> seen;
  if (selector) {
    for (const auto& item : selector->match_labels) seen.insert(item.first.str());
    for (const api::LabelSelectorRequirement& requirement : selector->match_expressions) seen.insert(requirement.key);
  } else {
    errors.forbidden(path, kNoSelector);
  }
  for (std::size_t i = 0; i < match.size(); ++i) {
    validateLabelName(match[i], path.index(i), errors);
    if (seen.count(match[i]) != 0) errors.invalid(path.index(i), shown(match[i]), kInBoth);
  }
}

void validatePodAffinityTerm(const api::PodAffinityTerm& term, const Path& path, const PodOptions& options,
                             ErrorList& errors) {
  const bool allow = options.allow_invalid_label_value_in_selector;
  validateLabelSelector(term.label_selector, allow, path.child("labelSelector"), errors);
  validateLabelSelector(term.namespace_selector, allow, path.child("namespaceSelector"), errors);
  for (std::size_t i = 0; i < term.namespaces.size(); ++i) {
    errors.invalidEach(Path(path.child("namespace").text(), path.child("namespaces").index(i).pointer()),
                       shown(term.namespaces[i]), nameIsDns1123Label(term.namespaces[i], false, errors.wording()));
  }
  validateMatchLabelKeys(term.match_label_keys, term.mismatch_label_keys, term.label_selector, path, errors);
  if (term.topology_key.empty()) errors.required(path.child("topologyKey"), kEmptyTopologyKey);
  validateLabelName(term.topology_key, path.child("topologyKey"), errors);
}

void validatePodAffinity(const api::PodAffinity& affinity, const Path& path, const PodOptions& options,
                         ErrorList& errors) {
  const Path required = path.child("requiredDuringSchedulingIgnoredDuringExecution");
  for (std::size_t i = 0; i < affinity.required.size(); ++i) {
    validatePodAffinityTerm(affinity.required[i], required.index(i), options, errors);
  }
  const Path preferred = path.child("preferredDuringSchedulingIgnoredDuringExecution");
  for (std::size_t i = 0; i < affinity.preferred.size(); ++i) {
    const api::WeightedPodAffinityTerm& term = affinity.preferred[i];
    if (term.weight <= 0 || term.weight > 100) {
      errors.invalid(preferred.index(i).child("weight"), number(term.weight), kWeightRange);
    }
    validatePodAffinityTerm(term.term, preferred.index(i).child("podAffinityTerm"), options, errors);
  }
}

void validateInclusionPolicy(const std::optional<std::string>& policy, const Path& path, ErrorList& errors) {
  if (policy && *policy != "Honor" && *policy != "Ignore") {
    errors.notSupported(path, jsonString(*policy), {"Honor", "Ignore"});
  }
}

// strconv.ParseInt(value, 10, 64): its error text, "" if there is none.
std::string parseIntError(const std::string& value) {
  std::size_t digits = !value.empty() && (value[0] == '-' || value[0] == '+') ? 1 : 0;
  bool syntax = digits == value.size();
  for (std::size_t i = digits; i < value.size(); ++i) syntax = syntax || value[i] < '0' || value[i] > '9';
  if (syntax) return "strconv.ParseInt: parsing " + go::quote(value) + ": invalid syntax";
  errno = 0;
  std::strtoll(value.c_str(), nullptr, 10);
  if (errno == ERANGE) return "strconv.ParseInt: parsing " + go::quote(value) + ": value out of range";
  return "";
}

// The value alone, or the whole toleration.
Shown shownToleration(const api::Toleration& toleration, const ErrorList& errors) {
  if (errors.rules().toleration_values) return shown(toleration.value);
  // Upstream shows the address of the seconds.
  return raw("", "core.Toleration{Key:" + go::quote(toleration.key) + ", Operator:" + go::quote(toleration.op) +
                     ", Value:" + go::quote(toleration.value) + ", Effect:" + go::quote(toleration.effect) +
                     ", TolerationSeconds:(*int64)(" + (toleration.toleration_seconds ? "0x0" : "nil") + ")}");
}

void validateTolerationOperator(const api::Toleration& toleration, const Path& path, const PodOptions& options,
                                ErrorList& errors) {
  const Path at = path.child("operator");
  if (toleration.op.empty() || toleration.op == "Equal") {
    const Messages messages = isLabelValue(toleration.value, errors.wording());
    if (!messages.empty()) errors.invalid(at, shown(toleration.value), joined(messages, ";"));
  } else if (toleration.op == "Exists") {
    if (!toleration.value.empty()) {
      errors.invalid(at, shownToleration(toleration, errors), "value must be empty when `operator` is 'Exists'");
    }
  } else if (toleration.op == "Lt" || toleration.op == "Gt") {
    if (!options.allow_toleration_comparison) {
      std::vector<std::string_view> operators = {"Equal", "Exists"};
      if (errors.rules().comparing_tolerations_are_named) operators.insert(operators.end(), {"Lt", "Gt"});
      errors.notSupported(at, jsonString(toleration.op), operators);
      return;
    }
    errors.invalidEach(path.child("value"), shown(toleration.value), isDecimalInteger(toleration.value));
    const std::string error = parseIntError(toleration.value);
    if (!error.empty()) errors.invalid(path.child("value"), shown(toleration.value), error);
  } else {
    errors.notSupported(at, jsonString(toleration.op), {"Equal", "Exists"});
  }
}

}  // namespace

void validateAffinity(const api::PodSpec& spec, const Path& path, const PodOptions& options, ErrorList& errors) {
  if (!spec.affinity) return;
  if (spec.affinity->node) validateNodeAffinity(*spec.affinity->node, path.child("nodeAffinity"), options, errors);
  if (spec.affinity->pod) validatePodAffinity(*spec.affinity->pod, path.child("podAffinity"), options, errors);
  if (spec.affinity->pod_anti) {
    validatePodAffinity(*spec.affinity->pod_anti, path.child("podAntiAffinity"), options, errors);
  }
}

void validateTopologySpread(const api::PodSpec& spec, const Path& path, const PodOptions& options, ErrorList& errors) {
  const auto& constraints = spec.topology_spread_constraints;
  for (std::size_t i = 0; i < constraints.size(); ++i) {
    const api::TopologySpreadConstraint& constraint = constraints[i];
    const Path at = path.index(i);
    validatePositive(constraint.max_skew, at.child("maxSkew"), errors);
    if (constraint.topology_key.empty()) errors.required(at.child("topologyKey"), kEmptyTopologyKey);
    const std::string& action = constraint.when_unsatisfiable;
    if (action != "DoNotSchedule" && action != "ScheduleAnyway") {
      errors.notSupported(at.child("whenUnsatisfiable"), jsonString(action), {"DoNotSchedule", "ScheduleAnyway"});
    }
    for (std::size_t j = i + 1; j < constraints.size(); ++j) {
      if (constraints[j].topology_key != constraint.topology_key || constraints[j].when_unsatisfiable != action)
        continue;
      errors.duplicate(Path(at.child("{topologyKey, whenUnsatisfiable}").text(), at.pointer()),
                       shown("{" + constraint.topology_key + ", " + action + "}"));
      break;
    }
    if (constraint.min_domains) {
      validatePositive(*constraint.min_domains, at.child("minDomains"), errors);
      if (action != "DoNotSchedule") {
        errors.invalid(at.child("minDomains"), number(*constraint.min_domains),
                       "can only use minDomains if whenUnsatisfiable=DoNotSchedule, not " + action);
      }
    }
    validateInclusionPolicy(constraint.node_affinity_policy, at.child("nodeAffinityPolicy"), errors);
    validateInclusionPolicy(constraint.node_taints_policy, at.child("nodeTaintsPolicy"), errors);
    const bool merged = options.allow_spread_match_label_keys &&
                        (options.allow_spread_match_label_keys_merge ? !options.old_violates_match_label_keys
                                                                     : options.old_violates_legacy_match_label_keys);
    if (merged) {
      validateMatchLabelKeys(constraint.match_label_keys, {}, constraint.label_selector, at, errors);
    } else {
      validateMatchLabelKeysUnmerged(constraint.match_label_keys, constraint.label_selector, at.child("matchLabelKeys"),
                                     errors);
    }
    if (!options.allow_invalid_spread_selector && errors.rules().selector_values) {
      validateLabelSelector(constraint.label_selector, false, at.child("labelSelector"), errors);
    }
  }
}

bool spreadViolatesMatchLabelKeys(const api::PodSpec& spec) {
  ErrorList errors;
  for (const api::TopologySpreadConstraint& constraint : spec.topology_spread_constraints) {
    validateMatchLabelKeys(constraint.match_label_keys, {}, constraint.label_selector, Path("spec"), errors);
  }
  return !errors.empty();
}

bool spreadViolatesLegacyMatchLabelKeys(const api::PodSpec& spec) {
  ErrorList errors;
  for (const api::TopologySpreadConstraint& constraint : spec.topology_spread_constraints) {
    validateMatchLabelKeysUnmerged(constraint.match_label_keys, constraint.label_selector, Path("spec"), errors);
  }
  return !errors.empty();
}

void validateTaintEffect(const std::string& effect, bool allow_empty, const Path& path, ErrorList& errors) {
  if (!allow_empty && effect.empty()) {
    errors.required(path);
  } else if (effect != "NoSchedule" && effect != "PreferNoSchedule" && effect != "NoExecute") {
    errors.notSupported(path, jsonString(effect), {"NoSchedule", "PreferNoSchedule", "NoExecute"});
  }
}

void validateTolerations(const std::vector<api::Toleration>& tolerations, const Path& path, const PodOptions& options,
                         ErrorList& errors) {
  for (std::size_t i = 0; i < tolerations.size(); ++i) {
    const api::Toleration& toleration = tolerations[i];
    const Path at = path.index(i);
    if (!toleration.key.empty()) validateLabelName(toleration.key, at.child("key"), errors);
    if (toleration.key.empty() && toleration.op != "Exists") {
      errors.invalid(at.child("operator"), jsonString(toleration.op),
                     "operator must be Exists when `key` is empty, which means \"match all values and all keys\"");
    }
    if (toleration.toleration_seconds && toleration.effect != "NoExecute") {
      errors.invalid(at.child("effect"), jsonString(toleration.effect),
                     "effect must be 'NoExecute' when `tolerationSeconds` is set");
    }
    validateTolerationOperator(toleration, at, options, errors);
    if (!toleration.effect.empty()) validateTaintEffect(toleration.effect, true, at.child("effect"), errors);
  }
}

void validateSchedulingGates(const api::PodSpec& spec, const Path& path, ErrorList& errors) {
  std::set<std::string> seen;
  for (std::size_t i = 0; i < spec.scheduling_gates.size(); ++i) {
    const std::string& gate = spec.scheduling_gates[i];
    validateQualifiedName(gate, path.index(i), errors);
    if (!seen.insert(gate).second) errors.duplicate(path.index(i), shown(gate));
  }
}

}  // namespace podberth::apiserver
