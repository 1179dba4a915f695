// Upstream: pkg/scheduler/apis/config/validation/validation_pluginargs.go, component-helpers' nodeaffinity,
// labels.NewRequirement.
#include <algorithm>
#include <set>

#include "core/api/go_text.h"
#include "core/api/names.h"
#include "core/scheduler/config/expand.h"
#include "core/scheduler/config/validate.h"

namespace podberth::scheduler::config {
namespace {

using api::field::ErrorList;
using api::field::jsonString;
using api::field::jsonStrings;
using api::field::Path;
using api::field::raw;
using api::field::Shown;
using api::field::shown;
using api::names::isLabelKey;
using api::names::isLabelValue;
using api::names::joined;

constexpr std::int32_t kMaxCustomPriorityScore = 10;
constexpr std::int64_t kSecond = 1'000'000'000;
constexpr const char* kRatio = "RequestedToCapacityRatio";
constexpr const char* kStrategies[] = {"LeastAllocated", "MostAllocated", kRatio};

void check(ErrorList& errors, const Path& path, const DefaultPreemptionArgs& args) {
  const Path percentage = path.child("minCandidateNodesPercentage");
  const Path absolute = path.child("minCandidateNodesAbsolute");
  const std::int32_t p = args.min_candidate_nodes_percentage;
  const std::int32_t a = args.min_candidate_nodes_absolute;
  if (p < 0 || p > 100) errors.invalid(percentage, p, "not in valid range [0, 100]");
  if (a < 0) errors.invalid(absolute, a, "not in valid range [0, inf)");
  if (p == 0 && a == 0) {
    errors.invalid(percentage, p, "cannot be zero at the same time as minCandidateNodesAbsolute");
    errors.invalid(absolute, a, "cannot be zero at the same time as minCandidateNodesPercentage");
  }
}

void check(ErrorList& errors, const Path& path, const InterPodAffinityArgs& args) {
  const std::int32_t weight = args.hard_pod_affinity_weight;
  if (weight < 0 || weight > 100)
    errors.invalid(path.child("hardPodAffinityWeight"), weight, "not in valid range [0, 100]");
}

void checkLabelName(ErrorList& errors, const Path& path, const std::string& name) {
  for (const std::string& complaint : isLabelKey(name, errors.wording())) errors.invalid(path, shown(name), complaint);
}

void check(ErrorList& errors, const Path& path, const PodTopologySpreadArgs& args) {
  const std::string& type = args.defaulting_type;
  if (type != "System" && type != "List") {
    errors.notSupported(path.child("defaultingType"), jsonString(type), {"System", "List"});
  } else if (type == "System" && !args.default_constraints.empty()) {
    errors.invalid(path.child("defaultingType"), jsonString(type), "when .defaultConstraints are not empty");
  }
  const Path constraints = path.child("defaultConstraints");
  for (std::size_t i = 0; i < args.default_constraints.size(); ++i) {
    const api::TopologySpreadConstraint& c = args.default_constraints[i];
    const Path at = constraints.index(i);
    if (c.max_skew <= 0) errors.invalid(at.child("maxSkew"), c.max_skew, "not in valid range (0, inf)");
    if (c.topology_key.empty()) {
      errors.required(at.child("topologyKey"), "can not be empty");
    } else {
      checkLabelName(errors, at.child("topologyKey"), c.topology_key);
    }
    if (c.when_unsatisfiable.empty()) {
      errors.required(at.child("whenUnsatisfiable"), "can not be empty");
    } else if (c.when_unsatisfiable != "DoNotSchedule" && c.when_unsatisfiable != "ScheduleAnyway") {
      errors.notSupported(at.child("whenUnsatisfiable"), jsonString(c.when_unsatisfiable),
                          {"DoNotSchedule", "ScheduleAnyway"});
    }
    if (c.label_selector.has_value()) {
      errors.forbidden(at.child("labelSelector"),
                       "constraint must not define a selector, as they deduced for each pod");
    }
    const auto same = [&](const api::TopologySpreadConstraint& other) {
      return c.topology_key == other.topology_key && c.when_unsatisfiable == other.when_unsatisfiable;
    };
    const auto here = args.default_constraints.begin() + static_cast<std::ptrdiff_t>(i);
    if (std::find_if(args.default_constraints.begin(), here, same) != here) {
      errors.duplicate(at, shown("{" + c.topology_key + ", " + c.when_unsatisfiable + "}"));
    }
  }
}

void checkShape(ErrorList& errors, const Path& path, const std::vector<UtilizationShapePoint>& shape,
                const Rules& rules) {
  if (shape.empty()) {
    errors.required(path, "at least one point must be specified");
    return;
  }
  for (std::size_t i = 1; i < shape.size(); ++i) {
    if (shape[i - 1].utilization < shape[i].utilization) continue;
    errors.invalid(path.index(i).child("utilization"), shape[i].utilization, rules.shape_order);
    break;
  }
  for (std::size_t i = 0; i < shape.size(); ++i) {
    if (shape[i].utilization < 0 || shape[i].utilization > 100) {
      errors.invalid(path.index(i).child("utilization"), shape[i].utilization, "not in valid range [0, 100]");
    }
    if (shape[i].score < 0 || shape[i].score > kMaxCustomPriorityScore) {
      errors.invalid(path.index(i).child("score"), shape[i].score, "not in valid range [0, 10]");
    }
  }
}

void check(ErrorList& errors, const Path& path, const NodeResourcesBalancedAllocationArgs& args) {
  std::set<std::string> seen;
  for (std::size_t i = 0; i < args.resources.size(); ++i) {
    const Path at = path.child("resources").index(i);
    const ResourceSpec& resource = args.resources[i];
    if (!seen.insert(resource.name).second) errors.duplicate(at.child("name"), shown(resource.name));
    if (resource.weight != 1) errors.invalid(at.child("weight"), resource.weight, "must be 1");
  }
}

// The values as json.Marshal writes them: a list that was not given is null.
Shown shownValues(const std::vector<std::string>& values, const Path& path, const ArgsContext& context) {
  if (values.empty() && context.empty_lists.count(path.pointer()) != 0) return raw("[]", "[]string{}");
  return jsonStrings(values);
}

void checkExpression(ErrorList& errors, const Path& path, const api::NodeSelectorRequirement& requirement,
                     const ArgsContext& context) {
  static const std::vector<std::string_view> operators{"In", "NotIn", "Exists", "DoesNotExist", "Gt", "Lt"};
  if (std::find(operators.begin(), operators.end(), requirement.op) == operators.end()) {
    static const std::vector<std::string_view> unnamed;
    errors.notSupported(path.child("operator"), jsonString(requirement.op),
                        context.rules().names_node_operators ? operators : unnamed);
    return;
  }
  const std::vector<std::string> complaints = isLabelKey(requirement.key, errors.wording());
  if (!complaints.empty()) errors.invalid(path.child("key"), shown(requirement.key), joined(complaints, "; "));
  const std::vector<std::string>& values = requirement.values;
  const Path at = path.child("values");
  if ((requirement.op == "In" || requirement.op == "NotIn") && values.empty()) {
    errors.invalid(at, shownValues(values, at, context), "for 'in', 'notin' operators, values set can't be empty");
  }
  if ((requirement.op == "Exists" || requirement.op == "DoesNotExist") && !values.empty()) {
    errors.invalid(at, shownValues(values, at, context), "values set must be empty for exists and does not exist");
  }
  if (requirement.op == "Gt" || requirement.op == "Lt") {
    if (values.size() != 1) {
      errors.invalid(at, shownValues(values, at, context), "for 'Gt', 'Lt' operators, exactly one value is required");
    }
    std::int64_t ignored = 0;
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (api::go::parseInt64(values[i], ignored)) continue;
      errors.invalid(at.index(i), shown(values[i]), "for 'Gt', 'Lt' operators, the value must be an integer");
    }
  }
  for (std::size_t i = 0; i < values.size(); ++i) {
    const std::vector<std::string> wrong = isLabelValue(values[i], errors.wording());
    if (!wrong.empty()) {
      errors.invalid(at.index(i).inMessage(requirement.key), shown(values[i]), joined(wrong, "; "));
    }
  }
}

void checkField(ErrorList& errors, const Path& path, const api::NodeSelectorRequirement& requirement,
                const ArgsContext& context) {
  if (requirement.op != "In" && requirement.op != "NotIn") {
    errors.notSupported(path.child("operator"), jsonString(requirement.op), {"In", "NotIn"});
  } else if (requirement.values.size() != 1) {
    const Path at = path.child("values");
    errors.invalid(at, shownValues(requirement.values, at, context), "must have one element");
  }
}

void checkTerm(ErrorList& errors, const Path& path, const api::NodeSelectorTerm& term, const ArgsContext& context) {
  for (std::size_t i = 0; i < term.match_expressions.size(); ++i) {
    checkExpression(errors, path.child("matchExpressions").index(i), term.match_expressions[i], context);
  }
  for (std::size_t i = 0; i < term.match_fields.size(); ++i) {
    checkField(errors, path.child("matchFields").index(i), term.match_fields[i], context);
  }
}

void check(ErrorList& errors, const Path& path, const NodeAffinityArgs& args, const ArgsContext& context) {
  if (!args.added_affinity.has_value()) return;
  const Path added = path.child("addedAffinity");
  if (args.added_affinity->required.has_value()) {
    const Path terms = added.child("requiredDuringSchedulingIgnoredDuringExecution").child("nodeSelectorTerms");
    for (std::size_t i = 0; i < args.added_affinity->required->terms.size(); ++i) {
      checkTerm(errors, terms.index(i), args.added_affinity->required->terms[i], context);
    }
  }
  const Path preferred = added.child("preferredDuringSchedulingIgnoredDuringExecution");
  for (std::size_t i = 0; i < args.added_affinity->preferred.size(); ++i) {
    const api::PreferredSchedulingTerm& term = args.added_affinity->preferred[i];
    if (term.weight != 0) checkTerm(errors, preferred.index(i).inDocument("preference"), term.preference, context);
  }
}

void check(ErrorList& errors, const Path& path, const VolumeBindingArgs& args, const ArgsContext& context) {
  if (args.bind_timeout_seconds < 0) {
    errors.invalid(path.child("bindTimeoutSeconds"), args.bind_timeout_seconds,
                   "invalid BindTimeoutSeconds, should not be a negative value");
  }
  const Path shape = path.child("shape");
  const std::string gate(context.rules().shape_gate);
  if (context.gates.enabled(gate)) {
    checkShape(errors, shape, args.shape, context.rules());
  } else if (args.has_shape) {
    errors.invalid(shape, shownShape(args.shape),
                   "unexpected field `shape`, remove it or turn on the feature gate " + gate);
  }
}

void check(ErrorList& errors, const Path& path, const DynamicResourcesArgs& args, const FeatureGates& gates) {
  const auto text = [](std::int64_t duration) { return jsonString(api::go::durationString(duration)); };
  if (args.filter_timeout_ns.has_value()) {
    if (!gates.enabled("DRASchedulerFilterTimeout")) {
      errors.forbidden(path.child("filterTimeout"), "DRASchedulingFilterTimeout feature gate is disabled");
    } else if (*args.filter_timeout_ns < 0) {
      errors.invalid(path.child("filterTimeout"), text(*args.filter_timeout_ns), "must be zero or positive");
    }
  }
  if (args.binding_timeout_ns.has_value()) {
    if (!gates.enabled("DRADeviceBindingConditions") || !gates.enabled("DRAResourceClaimDeviceStatus")) {
      errors.forbidden(path.child("bindingTimeout"),
                       "DRADeviceBindingConditions or DRAResourceClaimDeviceStatus feature gate is disabled");
    } else if (*args.binding_timeout_ns < kSecond) {
      errors.invalid(path.child("bindingTimeout"), text(*args.binding_timeout_ns), "must be at least 1 second");
    }
  }
}

void checkWeights(ErrorList& errors, const Path& path, const std::vector<ResourceSpec>& resources) {
  for (std::size_t i = 0; i < resources.size(); ++i) {
    const ResourceSpec& resource = resources[i];
    if (resource.weight > 0 && resource.weight <= 100) continue;
    errors.invalid(path.index(i).child("weight"), resource.weight,
                   "resource weight of " + resource.name + " not in valid range (0, 100]");
  }
}

bool isStrategy(const std::string& type) {
  return std::find(std::begin(kStrategies), std::end(kStrategies), type) != std::end(kStrategies);
}

void checkStrategy(ErrorList& errors, const Path& path, const NodeResourcesFitArgs& args, const Rules& rules) {
  const std::string& type = args.scoring_strategy;
  if (!isStrategy(type)) {
    errors.notSupported(path.child("type"), jsonString(type), {std::begin(kStrategies), std::end(kStrategies)});
  }
  checkWeights(errors, path.child("resources"), args.resources);
  const Path ratio = path.child("requestedToCapacityRatio");
  if (type == kRatio) {
    if (args.has_ratio) {
      checkShape(errors, ratio.child("shape"), args.shape, rules);
    } else {
      errors.required(ratio, "must be specified when type is RequestedToCapacityRatio");
    }
  } else if (args.has_ratio) {
    errors.forbidden(ratio, "must be nil when type is not RequestedToCapacityRatio");
  }
}

}  // namespace

Shown shownShape(const std::vector<UtilizationShapePoint>& shape) {
  Shown out;
  for (const UtilizationShapePoint& point : shape) {
    const std::string utilization = std::to_string(point.utilization);
    const std::string score = std::to_string(point.score);
    out.json += (out.json.empty() ? "" : ",") + ("{\"Utilization\":" + utilization) + ",\"Score\":" + score + "}";
    out.go += (out.go.empty() ? "" : ", ") + ("config.UtilizationShapePoint{Utilization:" + utilization) +
              ", Score:" + score + "}";
  }
  return raw("[" + out.json + "]", "[]config.UtilizationShapePoint{" + out.go + "}");
}

void validateArgs(ErrorList& errors, const Path& path, const PluginArgs& args, const ArgsContext& context) {
  if (const auto* a = std::get_if<DefaultPreemptionArgs>(&args)) return check(errors, path, *a);
  if (const auto* a = std::get_if<InterPodAffinityArgs>(&args)) return check(errors, path, *a);
  if (const auto* a = std::get_if<NodeAffinityArgs>(&args)) return check(errors, path, *a, context);
  if (const auto* a = std::get_if<NodeResourcesBalancedAllocationArgs>(&args)) return check(errors, path, *a);
  if (const auto* a = std::get_if<PodTopologySpreadArgs>(&args)) return check(errors, path, *a);
  if (const auto* a = std::get_if<VolumeBindingArgs>(&args)) return check(errors, path, *a, context);
  if (const auto* a = std::get_if<DynamicResourcesArgs>(&args)) return check(errors, path, *a, context.gates);
}

void validateNodeResourcesFitArgs(ErrorList& errors, const Path& path, const NodeResourcesFitArgs& args,
                                  const Rules& rules) {
  for (std::size_t i = 0; i < args.ignored_resources.size(); ++i) {
    checkLabelName(errors, path.child("ignoredResources").index(i), args.ignored_resources[i]);
  }
  for (std::size_t i = 0; i < args.ignored_resource_groups.size(); ++i) {
    const Path at = path.child("ignoredResourceGroups").index(i);
    const std::string& group = args.ignored_resource_groups[i];
    if (group.find('/') != std::string::npos) {
      errors.invalid(at, shown(group), "resource group name can't contain '/'");
    }
    checkLabelName(errors, at, group);
  }
  if (rules.fit_args == FitArgsRules::kByStrategy) {
    checkStrategy(errors, path.child("scoringStrategy"), args, rules);
    return;
  }
  checkWeights(errors, path.child("resources"), args.resources);
  if (args.has_ratio) checkShape(errors, path.child("shape"), args.shape, rules);
}

std::string pluginArgsError(const Profile& profile, const std::string& plugin) {
  const PluginArgs* args = profile.args(plugin);
  const auto* fit = args == nullptr ? nullptr : std::get_if<NodeResourcesFitArgs>(args);
  if (plugin != "NodeResourcesFit" || fit == nullptr) return "";
  ErrorList errors(*profile.rules->wording);
  validateNodeResourcesFitArgs(errors, Path(), *fit, *profile.rules);
  if (!errors.empty() || profile.rules->fit_args == FitArgsRules::kByStrategy) return errors.str();
  if (!isStrategy(fit->scoring_strategy)) return "scoring strategy " + fit->scoring_strategy + " is not supported";
  // The release crashes; no trace shows it.
  if (fit->scoring_strategy == kRatio && !fit->has_ratio)
    return "the scheduler crashes without requestedToCapacityRatio";
  return "";
}

}  // namespace podberth::scheduler::config
