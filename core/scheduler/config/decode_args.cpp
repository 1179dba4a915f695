// The typed arguments of plugins. Upstream: k8s.io/kube-scheduler/config/v1/types_pluginargs.go; their defaults are in
// pkg/scheduler/apis/config/v1/defaults.go.
#include <algorithm>
#include <iterator>

#include "core/scheduler/config/document.h"

namespace podberth::scheduler::config {
namespace {

using Field = Decoder::Field;

Field embedded(Field field) {
  field.embedded = "TypeMeta";
  return field;
}

// The fields of an arguments struct: its own and those of TypeMeta, which have been looked at before.
void decodeStruct(Decoder& decoder, const Json& json, const char* go_type, std::vector<Field> fields) {
  std::string ignored;
  fields.push_back(embedded(decoder.field("kind", ignored)));
  fields.push_back(embedded(decoder.field("apiVersion", ignored)));
  decoder.object(json, go_type, fields);
}

void decodeResources(Decoder& decoder, const Json& json, std::vector<ResourceSpec>& out) {
  out.clear();
  decoder.array(json, "[]config.ResourceSpec", [&](std::size_t, const Json& element) {
    out.emplace_back();
    ResourceSpec& spec = out.back();
    spec.weight = 0;
    decoder.object(element, "config.ResourceSpec",
                   {decoder.field("name", spec.name), decoder.field("weight", spec.weight)});
  });
  // No resources mean the default ones, no weight or 0 means 1.
  if (out.empty()) out = NodeResourcesBalancedAllocationArgs().resources;
  for (ResourceSpec& spec : out) {
    if (spec.weight == 0) spec.weight = 1;
  }
}

void decodeShape(Decoder& decoder, const Json& json, std::vector<UtilizationShapePoint>& out) {
  out.clear();
  decoder.array(json, "[]config.UtilizationShapePoint", [&](std::size_t, const Json& element) {
    out.emplace_back();
    UtilizationShapePoint& point = out.back();
    decoder.object(element, "config.UtilizationShapePoint",
                   {decoder.field("utilization", point.utilization), decoder.field("score", point.score)});
  });
}

// Null leaves the default.
template <class T>
Field withDefault(Decoder& decoder, const char* name, T& out) {
  return {name,
          [&decoder, &out](const Json& json) {
            if (!json.is_null()) decoder.read(json, out);
          },
          nullptr};
}

PluginArgs decodeDefaultPreemption(Decoder& decoder, const Json& json) {
  DefaultPreemptionArgs args;
  decodeStruct(decoder, json, "config.DefaultPreemptionArgs",
               {withDefault(decoder, "minCandidateNodesPercentage", args.min_candidate_nodes_percentage),
                withDefault(decoder, "minCandidateNodesAbsolute", args.min_candidate_nodes_absolute)});
  return args;
}

PluginArgs decodeInterPodAffinity(Decoder& decoder, const Json& json) {
  InterPodAffinityArgs args;
  std::vector<Field> fields{withDefault(decoder, "hardPodAffinityWeight", args.hard_pod_affinity_weight)};
  if (decoder.schema().rules.ignore_preferred_terms) {
    fields.push_back(decoder.field("ignorePreferredTermsOfExistingPods", args.ignore_preferred_terms_of_existing_pods));
  }
  decodeStruct(decoder, json, "config.InterPodAffinityArgs", std::move(fields));
  return args;
}

void decodeRequirements(Decoder& decoder, const Json& json, std::vector<api::NodeSelectorRequirement>& out) {
  decoder.array(json, "[]v1.NodeSelectorRequirement", [&](std::size_t, const Json& element) {
    out.emplace_back();
    api::NodeSelectorRequirement& requirement = out.back();
    decoder.object(
        element, "v1.NodeSelectorRequirement",
        {decoder.field("key", requirement.key),
         {"operator", [&](const Json& op) { decoder.read(op, requirement.op, "v1.NodeSelectorOperator"); }, nullptr},
         decoder.field("values", requirement.values)});
  });
}

void decodeTerm(Decoder& decoder, const Json& json, api::NodeSelectorTerm& out) {
  decoder.object(
      json, "v1.NodeSelectorTerm",
      {{"matchExpressions", [&](const Json& list) { decodeRequirements(decoder, list, out.match_expressions); },
        nullptr},
       {"matchFields", [&](const Json& list) { decodeRequirements(decoder, list, out.match_fields); }, nullptr}});
}

void decodeNodeAffinity(Decoder& decoder, const Json& json, api::NodeAffinity& out) {
  const auto required = [&](const Json& value) {
    if (value.is_null()) return;
    out.required.emplace();
    const auto terms = [&](const Json& list) {
      decoder.array(list, "[]v1.NodeSelectorTerm", [&](std::size_t, const Json& element) {
        out.required->terms.emplace_back();
        decodeTerm(decoder, element, out.required->terms.back());
      });
    };
    decoder.object(value, "v1.NodeSelector", {{"nodeSelectorTerms", terms, nullptr}});
  };
  const auto preferred = [&](const Json& list) {
    decoder.array(list, "[]v1.PreferredSchedulingTerm", [&](std::size_t, const Json& element) {
      out.preferred.emplace_back();
      api::PreferredSchedulingTerm& term = out.preferred.back();
      decoder.object(
          element, "v1.PreferredSchedulingTerm",
          {decoder.field("weight", term.weight),
           {"preference", [&](const Json& value) { decodeTerm(decoder, value, term.preference); }, nullptr}});
    });
  };
  decoder.object(json, "v1.NodeAffinity",
                 {{"requiredDuringSchedulingIgnoredDuringExecution", required, nullptr},
                  {"preferredDuringSchedulingIgnoredDuringExecution", preferred, nullptr}});
}

PluginArgs decodeNodeAffinityArgs(Decoder& decoder, const Json& json) {
  NodeAffinityArgs args;
  const auto added = [&](const Json& value) {
    if (value.is_null()) return;
    args.added_affinity.emplace();
    decodeNodeAffinity(decoder, value, *args.added_affinity);
  };
  decodeStruct(decoder, json, "config.NodeAffinityArgs", {{"addedAffinity", added, nullptr}});
  return args;
}

PluginArgs decodeBalancedAllocation(Decoder& decoder, const Json& json) {
  NodeResourcesBalancedAllocationArgs args;
  decodeStruct(decoder, json, "config.NodeResourcesBalancedAllocationArgs",
               {{"resources", [&](const Json& list) { decodeResources(decoder, list, args.resources); }, nullptr}});
  return args;
}

PluginArgs decodeFit(Decoder& decoder, const Json& json) {
  NodeResourcesFitArgs args;
  const auto ratio = [&](const Json& value) {
    if (value.is_null()) return;
    args.has_ratio = true;
    decoder.object(value, "config.RequestedToCapacityRatioParam",
                   {{"shape", [&](const Json& shape) { decodeShape(decoder, shape, args.shape); }, nullptr}});
  };
  const auto strategy = [&](const Json& value) {
    if (value.is_null()) return;
    args.scoring_strategy.clear();  // only a missing strategy has a default type
    decoder.object(
        value, "config.ScoringStrategy",
        {{"type", [&](const Json& type) { decoder.read(type, args.scoring_strategy, "config.ScoringStrategyType"); },
          nullptr},
         {"resources", [&](const Json& list) { decodeResources(decoder, list, args.resources); }, nullptr},
         {"requestedToCapacityRatio", ratio, nullptr}});
  };
  decodeStruct(decoder, json, "config.NodeResourcesFitArgs",
               {decoder.field("ignoredResources", args.ignored_resources),
                decoder.field("ignoredResourceGroups", args.ignored_resource_groups),
                {"scoringStrategy", strategy, nullptr}});
  return args;
}

void decodeLabelSelector(Decoder& decoder, const Json& json, api::LabelSelector& out) {
  const auto labels = [&](const Json& map) {
    decoder.stringMap(map, [&](const std::string& key, const std::string& value) {
      out.match_labels.set(std::string_view(key), std::string_view(value));
    });
  };
  const auto expressions = [&](const Json& list) {
    decoder.array(list, "[]v1.LabelSelectorRequirement", [&](std::size_t, const Json& element) {
      out.match_expressions.emplace_back();
      api::LabelSelectorRequirement& requirement = out.match_expressions.back();
      decoder.object(
          element, "v1.LabelSelectorRequirement",
          {decoder.field("key", requirement.key),
           {"operator", [&](const Json& op) { decoder.read(op, requirement.op, "v1.LabelSelectorOperator"); }, nullptr},
           decoder.field("values", requirement.values)});
    });
  };
  decoder.object(json, "v1.LabelSelector",
                 {{"matchLabels", labels, nullptr}, {"matchExpressions", expressions, nullptr}});
}

void decodeConstraint(Decoder& decoder, const Json& json, api::TopologySpreadConstraint& out) {
  const auto selector = [&](const Json& value) {
    if (value.is_null()) return;
    out.label_selector.emplace();
    decodeLabelSelector(decoder, value, *out.label_selector);
  };
  const auto policy = [&](std::optional<std::string>& to) {
    return [&decoder, &to](const Json& value) { decoder.read(value, to, "v1.NodeInclusionPolicy"); };
  };
  const auto when = [&](const Json& value) {
    decoder.read(value, out.when_unsatisfiable, "v1.UnsatisfiableConstraintAction");
  };
  std::vector<Field> fields{decoder.field("maxSkew", out.max_skew),
                            decoder.field("topologyKey", out.topology_key),
                            {"whenUnsatisfiable", when, nullptr},
                            {"labelSelector", selector, nullptr},
                            decoder.field("minDomains", out.min_domains)};
  if (decoder.schema().rules.constraint_policies) {
    fields.push_back({"nodeAffinityPolicy", policy(out.node_affinity_policy), nullptr});
    fields.push_back({"nodeTaintsPolicy", policy(out.node_taints_policy), nullptr});
    fields.push_back(decoder.field("matchLabelKeys", out.match_label_keys));
  }
  decoder.object(json, "v1.TopologySpreadConstraint", fields);
}

PluginArgs decodePodTopologySpread(Decoder& decoder, const Json& json) {
  PodTopologySpreadArgs args;
  const std::string default_type = args.defaulting_type;
  const auto type = [&](const Json& value) {
    decoder.read(value, args.defaulting_type, "config.PodTopologySpreadConstraintsDefaulting");
  };
  const auto constraints = [&](const Json& list) {
    decoder.array(list, "[]v1.TopologySpreadConstraint", [&](std::size_t, const Json& element) {
      args.default_constraints.emplace_back();
      decodeConstraint(decoder, element, args.default_constraints.back());
    });
  };
  decodeStruct(decoder, json, "config.PodTopologySpreadArgs",
               {{"defaultConstraints", constraints, nullptr}, {"defaultingType", type, nullptr}});
  if (args.defaulting_type.empty()) args.defaulting_type = default_type;
  return args;
}

PluginArgs decodeVolumeBinding(Decoder& decoder, const Json& json) {
  VolumeBindingArgs args;
  const auto shape = [&](const Json& value) {
    args.has_shape = !value.is_null();
    decodeShape(decoder, value, args.shape);
  };
  decodeStruct(decoder, json, "config.VolumeBindingArgs",
               {withDefault(decoder, "bindTimeoutSeconds", args.bind_timeout_seconds), {"shape", shape, nullptr}});
  return args;
}

PluginArgs decodeDynamicResources(Decoder& decoder, const Json& json) {
  DynamicResourcesArgs args;
  decodeStruct(
      decoder, json, "config.DynamicResourcesArgs",
      {{"filterTimeout", [&](const Json& value) { decoder.readDuration(value, args.filter_timeout_ns); }, nullptr},
       {"bindingTimeout", [&](const Json& value) { decoder.readDuration(value, args.binding_timeout_ns); }, nullptr}});
  return args;
}

struct ArgsKind {
  std::string_view kind;
  PluginArgs (*decode)(Decoder&, const Json&);
};

constexpr ArgsKind kArgsKinds[] = {
    {"DefaultPreemptionArgs", decodeDefaultPreemption},
    {"DynamicResourcesArgs", decodeDynamicResources},
    {"InterPodAffinityArgs", decodeInterPodAffinity},
    {"NodeAffinityArgs", decodeNodeAffinityArgs},
    {"NodeResourcesBalancedAllocationArgs", decodeBalancedAllocation},
    {"NodeResourcesFitArgs", decodeFit},
    {"PodTopologySpreadArgs", decodePodTopologySpread},
    {"VolumeBindingArgs", decodeVolumeBinding},
};

const ArgsKind* findKind(std::string_view kind, const Rules& rules) {
  if (kind == "DynamicResourcesArgs" && !rules.dynamic_resources_args) return nullptr;
  const auto found =
      std::find_if(std::begin(kArgsKinds), std::end(kArgsKinds), [&](const ArgsKind& k) { return k.kind == kind; });
  return found == std::end(kArgsKinds) ? nullptr : found;
}

}  // namespace

bool isArgsKind(std::string_view kind, const Rules& rules) { return findKind(kind, rules) != nullptr; }

PluginArgs decodeArgs(Decoder& decoder, std::string_view kind, const Json& json) {
  const ArgsKind* found = findKind(kind, decoder.schema().rules);
  return found == nullptr ? PluginArgs() : found->decode(decoder, json);
}

}  // namespace podberth::scheduler::config
