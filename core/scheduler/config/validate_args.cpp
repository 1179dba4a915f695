// Upstream: pkg/scheduler/apis/config/validation/validation_pluginargs.go, component-helpers' nodeaffinity,
// labels.NewRequirement.
#include <algorithm>
#include <set>

#include "core/api/validation.h"
#include "core/scheduler/config/expand.h"
#include "core/scheduler/config/validate.h"

namespace podberth::scheduler::config {
namespace {

constexpr std::int32_t kMaxCustomPriorityScore = 10;
constexpr std::int64_t kSecond = 1'000'000'000;
constexpr const char* kRatio = "RequestedToCapacityRatio";

FieldErrors check(const FieldPath& path, const DefaultPreemptionArgs& args) {
  FieldErrors errors;
  const FieldPath percentage = path.child("minCandidateNodesPercentage");
  const FieldPath absolute = path.child("minCandidateNodesAbsolute");
  const std::int32_t p = args.min_candidate_nodes_percentage;
  const std::int32_t a = args.min_candidate_nodes_absolute;
  if (p < 0 || p > 100) errors.push_back(invalid(percentage, p, "not in valid range [0, 100]"));
  if (a < 0) errors.push_back(invalid(absolute, a, "not in valid range [0, inf)"));
  if (p == 0 && a == 0) {
    errors.push_back(invalid(percentage, p, "cannot be zero at the same time as minCandidateNodesAbsolute"));
    errors.push_back(invalid(absolute, a, "cannot be zero at the same time as minCandidateNodesPercentage"));
  }
  return errors;
}

FieldErrors check(const FieldPath& path, const InterPodAffinityArgs& args) {
  const std::int32_t weight = args.hard_pod_affinity_weight;
  if (weight >= 0 && weight <= 100) return {};
  return {invalid(path.child("hardPodAffinityWeight"), weight, "not in valid range [0, 100]")};
}

void checkLabelName(FieldErrors& errors, const FieldPath& path, const std::string& name) {
  for (const std::string& complaint : api::validation::labelKey(name))
    errors.push_back(invalid(path, quote(name), complaint));
}

FieldErrors check(const FieldPath& path, const PodTopologySpreadArgs& args) {
  FieldErrors errors;
  const std::string& type = args.defaulting_type;
  if (type != "System" && type != "List") {
    errors.push_back(notSupported(path.child("defaultingType"), jsonString(type), {"System", "List"}));
  } else if (type == "System" && !args.default_constraints.empty()) {
    errors.push_back(invalid(path.child("defaultingType"), jsonString(type), "when .defaultConstraints are not empty"));
  }
  const FieldPath constraints = path.child("defaultConstraints");
  for (std::size_t i = 0; i < args.default_constraints.size(); ++i) {
    const api::TopologySpreadConstraint& c = args.default_constraints[i];
    const FieldPath at = constraints.index(i);
    if (c.max_skew <= 0) errors.push_back(invalid(at.child("maxSkew"), c.max_skew, "not in valid range (0, inf)"));
    if (c.topology_key.empty()) {
      errors.push_back(required(at.child("topologyKey"), "can not be empty"));
    } else {
      checkLabelName(errors, at.child("topologyKey"), c.topology_key);
    }
    if (c.when_unsatisfiable.empty()) {
      errors.push_back(required(at.child("whenUnsatisfiable"), "can not be empty"));
    } else if (c.when_unsatisfiable != "DoNotSchedule" && c.when_unsatisfiable != "ScheduleAnyway") {
      errors.push_back(notSupported(at.child("whenUnsatisfiable"), jsonString(c.when_unsatisfiable),
                                    {"DoNotSchedule", "ScheduleAnyway"}));
    }
    if (c.label_selector.has_value()) {
      errors.push_back(
          forbidden(at.child("labelSelector"), "constraint must not define a selector, as they deduced for each pod"));
    }
    const auto same = [&](const api::TopologySpreadConstraint& other) {
      return c.topology_key == other.topology_key && c.when_unsatisfiable == other.when_unsatisfiable;
    };
    const auto here = args.default_constraints.begin() + static_cast<std::ptrdiff_t>(i);
    if (std::find_if(args.default_constraints.begin(), here, same) != here) {
      errors.push_back(duplicate(at, quote("{" + c.topology_key + ", " + c.when_unsatisfiable + "}")));
    }
  }
  return errors;
}

void checkShape(FieldErrors& errors, const FieldPath& path, const std::vector<UtilizationShapePoint>& shape) {
  if (shape.empty()) {
    errors.push_back(required(path, "at least one point must be specified"));
    return;
  }
  for (std::size_t i = 1; i < shape.size(); ++i) {
    if (shape[i - 1].utilization < shape[i].utilization) continue;
    errors.push_back(
        invalid(path.index(i).child("utilization"), shape[i].utilization, "values must be sorted in increasing order"));
    break;
  }
  for (std::size_t i = 0; i < shape.size(); ++i) {
    if (shape[i].utilization < 0 || shape[i].utilization > 100) {
      errors.push_back(
          invalid(path.index(i).child("utilization"), shape[i].utilization, "not in valid range [0, 100]"));
    }
    if (shape[i].score < 0 || shape[i].score > kMaxCustomPriorityScore) {
      errors.push_back(invalid(path.index(i).child("score"), shape[i].score, "not in valid range [0, 10]"));
    }
  }
}

FieldErrors check(const FieldPath& path, const NodeResourcesBalancedAllocationArgs& args) {
  FieldErrors errors;
  std::set<std::string> seen;
  for (std::size_t i = 0; i < args.resources.size(); ++i) {
    const FieldPath at = path.child("resources").index(i);
    const ResourceSpec& resource = args.resources[i];
    if (!seen.insert(resource.name).second) errors.push_back(duplicate(at.child("name"), quote(resource.name)));
    if (resource.weight != 1) errors.push_back(invalid(at.child("weight"), resource.weight, "must be 1"));
  }
  return errors;
}

// The values as json.Marshal writes them: a list that was not given is null.
std::string valuesJson(const std::vector<std::string>& values, const FieldPath& path, const ArgsContext& context) {
  if (values.empty() && context.empty_lists.count(path.pointer()) == 0) return "null";
  return jsonStrings(values);
}

void checkExpression(FieldErrors& errors, const FieldPath& path, const api::NodeSelectorRequirement& requirement,
                     const ArgsContext& context) {
  static const std::vector<std::string> operators{"In", "NotIn", "Exists", "DoesNotExist", "Gt", "Lt"};
  if (std::find(operators.begin(), operators.end(), requirement.op) == operators.end()) {
    errors.push_back(notSupported(path.child("operator"), jsonString(requirement.op), operators));
    return;
  }
  FieldErrors own;
  const std::vector<std::string> complaints = api::validation::labelKey(requirement.key);
  if (!complaints.empty())
    own.push_back(invalid(path.child("key"), quote(requirement.key), api::validation::join(complaints, "; ")));
  const std::vector<std::string>& values = requirement.values;
  const FieldPath at = path.child("values");
  if ((requirement.op == "In" || requirement.op == "NotIn") && values.empty()) {
    own.push_back(
        invalid(at, valuesJson(values, at, context), "for 'in', 'notin' operators, values set can't be empty"));
  }
  if ((requirement.op == "Exists" || requirement.op == "DoesNotExist") && !values.empty()) {
    own.push_back(
        invalid(at, valuesJson(values, at, context), "values set must be empty for exists and does not exist"));
  }
  if (requirement.op == "Gt" || requirement.op == "Lt") {
    if (values.size() != 1) {
      own.push_back(
          invalid(at, valuesJson(values, at, context), "for 'Gt', 'Lt' operators, exactly one value is required"));
    }
    std::int64_t ignored = 0;
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (api::validation::parseInt64(values[i], ignored)) continue;
      own.push_back(invalid(at.index(i), quote(values[i]), "for 'Gt', 'Lt' operators, the value must be an integer"));
    }
  }
  for (std::size_t i = 0; i < values.size(); ++i) {
    const std::vector<std::string> wrong = api::validation::labelValue(values[i]);
    if (!wrong.empty()) {
      own.push_back(invalid(at.index(i).key(requirement.key), quote(values[i]), api::validation::join(wrong, "; ")));
    }
  }
  append(errors, std::move(own));
}

void checkField(FieldErrors& errors, const FieldPath& path, const api::NodeSelectorRequirement& requirement,
                const ArgsContext& context) {
  if (requirement.op != "In" && requirement.op != "NotIn") {
    errors.push_back(notSupported(path.child("operator"), jsonString(requirement.op), {"In", "NotIn"}));
  } else if (requirement.values.size() != 1) {
    const FieldPath at = path.child("values");
    errors.push_back(invalid(at, valuesJson(requirement.values, at, context), "must have one element"));
  }
}

void checkTerm(FieldErrors& errors, const FieldPath& path, const api::NodeSelectorTerm& term,
               const ArgsContext& context) {
  for (std::size_t i = 0; i < term.match_expressions.size(); ++i) {
    checkExpression(errors, path.child("matchExpressions").index(i), term.match_expressions[i], context);
  }
  for (std::size_t i = 0; i < term.match_fields.size(); ++i) {
    checkField(errors, path.child("matchFields").index(i), term.match_fields[i], context);
  }
}

FieldErrors check(const FieldPath& path, const NodeAffinityArgs& args, const ArgsContext& context) {
  FieldErrors errors;
  if (!args.added_affinity.has_value()) return errors;
  const FieldPath added = path.child("addedAffinity");
  if (args.added_affinity->required.has_value()) {
    const FieldPath terms = added.child("requiredDuringSchedulingIgnoredDuringExecution").child("nodeSelectorTerms");
    for (std::size_t i = 0; i < args.added_affinity->required->terms.size(); ++i) {
      checkTerm(errors, terms.index(i), args.added_affinity->required->terms[i], context);
    }
  }
  const FieldPath preferred = added.child("preferredDuringSchedulingIgnoredDuringExecution");
  for (std::size_t i = 0; i < args.added_affinity->preferred.size(); ++i) {
    const api::PreferredSchedulingTerm& term = args.added_affinity->preferred[i];
    if (term.weight != 0) checkTerm(errors, preferred.index(i).inDocument("preference"), term.preference, context);
  }
  return errors;
}

FieldErrors check(const FieldPath& path, const VolumeBindingArgs& args, const FeatureGates& gates) {
  FieldErrors errors;
  if (args.bind_timeout_seconds < 0) {
    errors.push_back(invalid(path.child("bindTimeoutSeconds"), args.bind_timeout_seconds,
                             "invalid BindTimeoutSeconds, should not be a negative value"));
  }
  const FieldPath shape = path.child("shape");
  if (gates.enabled("StorageCapacityScoring")) {
    checkShape(errors, shape, args.shape);
  } else if (args.has_shape) {
    errors.push_back(invalid(shape, shapeJson(args.shape),
                             "unexpected field `shape`, remove it or turn on the feature gate StorageCapacityScoring"));
  }
  return errors;
}

FieldErrors check(const FieldPath& path, const DynamicResourcesArgs& args, const FeatureGates& gates) {
  FieldErrors errors;
  const auto text = [](std::int64_t duration) { return jsonString(durationString(duration)); };
  if (args.filter_timeout_ns.has_value()) {
    if (!gates.enabled("DRASchedulerFilterTimeout")) {
      errors.push_back(forbidden(path.child("filterTimeout"), "DRASchedulingFilterTimeout feature gate is disabled"));
    } else if (*args.filter_timeout_ns < 0) {
      errors.push_back(invalid(path.child("filterTimeout"), text(*args.filter_timeout_ns), "must be zero or positive"));
    }
  }
  if (args.binding_timeout_ns.has_value()) {
    if (!gates.enabled("DRADeviceBindingConditions") || !gates.enabled("DRAResourceClaimDeviceStatus")) {
      errors.push_back(
          forbidden(path.child("bindingTimeout"),
                    "DRADeviceBindingConditions or DRAResourceClaimDeviceStatus feature gate is disabled"));
    } else if (*args.binding_timeout_ns < kSecond) {
      errors.push_back(
          invalid(path.child("bindingTimeout"), text(*args.binding_timeout_ns), "must be at least 1 second"));
    }
  }
  return errors;
}

}  // namespace

std::string shapeJson(const std::vector<UtilizationShapePoint>& shape) {
  std::string out = "[";
  for (const UtilizationShapePoint& point : shape) {
    if (out.size() > 1) out += ',';
    out += "{\"Utilization\":" + std::to_string(point.utilization) + ",\"Score\":" + std::to_string(point.score) + "}";
  }
  return out + "]";
}

FieldErrors validateArgs(const FieldPath& path, const PluginArgs& args, const ArgsContext& context) {
  if (const auto* a = std::get_if<DefaultPreemptionArgs>(&args)) return check(path, *a);
  if (const auto* a = std::get_if<InterPodAffinityArgs>(&args)) return check(path, *a);
  if (const auto* a = std::get_if<NodeAffinityArgs>(&args)) return check(path, *a, context);
  if (const auto* a = std::get_if<NodeResourcesBalancedAllocationArgs>(&args)) return check(path, *a);
  if (const auto* a = std::get_if<PodTopologySpreadArgs>(&args)) return check(path, *a);
  if (const auto* a = std::get_if<VolumeBindingArgs>(&args)) return check(path, *a, context.gates);
  if (const auto* a = std::get_if<DynamicResourcesArgs>(&args)) return check(path, *a, context.gates);
  return {};
}

FieldErrors validateNodeResourcesFitArgs(const FieldPath& path, const NodeResourcesFitArgs& args) {
  FieldErrors errors;
  for (std::size_t i = 0; i < args.ignored_resources.size(); ++i) {
    checkLabelName(errors, path.child("ignoredResources").index(i), args.ignored_resources[i]);
  }
  for (std::size_t i = 0; i < args.ignored_resource_groups.size(); ++i) {
    const FieldPath at = path.child("ignoredResourceGroups").index(i);
    const std::string& group = args.ignored_resource_groups[i];
    if (group.find('/') != std::string::npos) {
      errors.push_back(invalid(at, quote(group), "resource group name can't contain '/'"));
    }
    checkLabelName(errors, at, group);
  }
  const FieldPath strategy = path.child("scoringStrategy");
  const std::string& type = args.scoring_strategy;
  if (type != "LeastAllocated" && type != "MostAllocated" && type != kRatio) {
    errors.push_back(
        notSupported(strategy.child("type"), jsonString(type), {"LeastAllocated", "MostAllocated", kRatio}));
  }
  for (std::size_t i = 0; i < args.resources.size(); ++i) {
    const ResourceSpec& resource = args.resources[i];
    if (resource.weight > 0 && resource.weight <= 100) continue;
    errors.push_back(invalid(strategy.child("resources").index(i).child("weight"), resource.weight,
                             "resource weight of " + resource.name + " not in valid range (0, 100]"));
  }
  const FieldPath ratio = strategy.child("requestedToCapacityRatio");
  if (type == kRatio) {
    if (args.has_ratio) {
      checkShape(errors, ratio.child("shape"), args.shape);
    } else {
      errors.push_back(required(ratio, "must be specified when type is RequestedToCapacityRatio"));
    }
  } else if (args.has_ratio) {
    errors.push_back(forbidden(ratio, "must be nil when type is not RequestedToCapacityRatio"));
  }
  return errors;
}

std::string pluginArgsError(std::string_view plugin, const PluginArgs& args) {
  const auto* fit = std::get_if<NodeResourcesFitArgs>(&args);
  if (plugin != "NodeResourcesFit" || fit == nullptr) return "";
  return aggregate(validateNodeResourcesFitArgs(FieldPath(), *fit));
}

}  // namespace podberth::scheduler::config
