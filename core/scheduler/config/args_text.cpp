#include "core/scheduler/config/args_text.h"

#include <utility>

#include "core/api/go_text.h"
#include "core/api/raw_json.h"

namespace podberth::scheduler::config {
namespace {

// A value in three spellings: as json.Marshal and %#v write it, and whole, with what is behind its pointers.
struct Part {
  std::string json;
  std::string go;
  std::string whole;
  bool empty = false;  // left out of the JSON where a field may be
};

Part number(std::int64_t value) {
  const std::string text = std::to_string(value);
  return {text, text, text, value == 0};
}

Part boolean(bool value) {
  const std::string text = value ? "true" : "false";
  return {text, text, text, !value};
}

Part string(std::string_view value) {
  const std::string go = api::go::quote(value);
  return {api::go::jsonString(value), go, go, value.empty()};
}

// `type` is the Go type that is pointed to; `to` null: a nil pointer.
Part pointer(const char* type, const Part* to) {
  const std::string go = std::string("(*") + type;
  if (to == nullptr) return {"null", go + ")(nil)", "nil", true};
  return {to->json, go + ")(0x0)", "&" + to->whole, false};
}

// The fields of a struct. What only ever stands behind a pointer needs no type: its Go spelling is never seen.
class Struct {
 public:
  // The API's own types name their fields in JSON, from a small letter on; the configuration's do not.
  enum class Names { kGo, kJson };
  explicit Struct(std::string type, Names names = Names::kGo) : names_(names) { part_.go = std::move(type) + "{"; }

  Struct& add(std::string_view name, const Part& value, bool omit_empty = false) {
    if (!omit_empty || !value.empty) {
      std::string key(name);
      if (names_ == Names::kJson) key[0] = static_cast<char>(key[0] - 'A' + 'a');
      part_.json += (part_.json.empty() ? "{\"" : ",\"") + key + "\":" + value.json;
    }
    addGo(std::string(name) + ":" + value.go);
    part_.whole += (part_.whole.empty() ? "{" : ", ") + value.whole;
    return *this;
  }
  // What every kind of arguments begins with; JSON leaves it out.
  Struct& addTypeMeta() {
    addGo(R"(TypeMeta:v1.TypeMeta{Kind:"", APIVersion:""})");
    return *this;
  }

  Part done() {
    part_.json += part_.json.empty() ? "{}" : "}";
    part_.go += "}";
    part_.whole += part_.whole.empty() ? "{}" : "}";
    return std::move(part_);
  }

 private:
  void addGo(const std::string& text) { part_.go += (part_.go.back() == '{' ? "" : ", ") + text; }

  Names names_;
  Part part_;
};

// The parts of arguments. `at` is always where a part stands in the document: only that tells a list that was given
// empty from one that was not given.
class Writer {
 public:
  explicit Writer(const ArgsContext& context) : context_(context) {}

  Part args(const DefaultPreemptionArgs& args, const std::string&) const {
    return of("DefaultPreemptionArgs")
        .add("MinCandidateNodesPercentage", number(args.min_candidate_nodes_percentage))
        .add("MinCandidateNodesAbsolute", number(args.min_candidate_nodes_absolute))
        .done();
  }
  Part args(const InterPodAffinityArgs& args, const std::string&) const {
    Struct out = of("InterPodAffinityArgs");
    out.add("HardPodAffinityWeight", number(args.hard_pod_affinity_weight));
    if (rules().ignore_preferred_terms) {
      out.add("IgnorePreferredTermsOfExistingPods", boolean(args.ignore_preferred_terms_of_existing_pods));
    }
    return out.done();
  }
  Part args(const NodeAffinityArgs& args, const std::string& at) const {
    const Part added =
        args.added_affinity.has_value() ? nodeAffinity(*args.added_affinity, at + "/addedAffinity") : Part();
    return of("NodeAffinityArgs")
        .add("AddedAffinity", pointer("v1.NodeAffinity", args.added_affinity.has_value() ? &added : nullptr))
        .done();
  }
  Part args(const NodeResourcesBalancedAllocationArgs& args, const std::string& at) const {
    return of("NodeResourcesBalancedAllocationArgs")
        .add("Resources", resources(args.resources, at + "/resources"))
        .done();
  }
  Part args(const NodeResourcesFitArgs& args, const std::string& at) const {
    const std::string strategy_at = at + "/scoringStrategy";
    const Part ratio =
        Struct("").add("Shape", shape(args.shape, strategy_at + "/requestedToCapacityRatio/shape")).done();
    const Part strategy = Struct("")
                              .add("Type", string(args.scoring_strategy))
                              .add("Resources", resources(args.resources, strategy_at + "/resources"))
                              .add("RequestedToCapacityRatio", pointer("", args.has_ratio ? &ratio : nullptr))
                              .done();
    return of("NodeResourcesFitArgs")
        .add("IgnoredResources", strings(args.ignored_resources, at + "/ignoredResources"))
        .add("IgnoredResourceGroups", strings(args.ignored_resource_groups, at + "/ignoredResourceGroups"))
        .add("ScoringStrategy", pointer("config.ScoringStrategy", &strategy))
        .done();
  }
  Part args(const PodTopologySpreadArgs& args, const std::string& at) const {
    const auto constraint = [this](const api::TopologySpreadConstraint& c, const std::string& there) {
      return spreadConstraint(c, there);
    };
    return of("PodTopologySpreadArgs")
        .add("DefaultConstraints",
             list(args.default_constraints, "v1.TopologySpreadConstraint", at + "/defaultConstraints", constraint))
        .add("DefaultingType", string(args.defaulting_type))
        .done();
  }
  Part args(const VolumeBindingArgs& args, const std::string& at) const {
    return of("VolumeBindingArgs")
        .add("BindTimeoutSeconds", number(args.bind_timeout_seconds))
        .add("Shape", shape(args.shape, at + "/shape"))
        .done();
  }
  Part args(const DynamicResourcesArgs& args, const std::string&) const {
    return of("DynamicResourcesArgs")
        .add("FilterTimeout", duration(args.filter_timeout_ns))
        .add("BindingTimeout", duration(args.binding_timeout_ns))
        .done();
  }
  // Bytes are printed as pointers are: 0x0.
  Part args(const OtherArgs& args, const std::string&) const {
    std::string bytes;
    for (std::size_t i = 0; i < args.json.size(); ++i) bytes += i == 0 ? "0x0" : ", 0x0";
    return {api::go::escapeHtml(api::compactJson(args.json)),
            "runtime.Unknown{TypeMeta:runtime.TypeMeta{APIVersion:\"\", Kind:\"\"}, Raw:[]uint8{" + bytes +
                "}, ContentEncoding:\"\", ContentType:\"application/json\"}",
            args.json, false};
  }
  Part args(std::monostate, const std::string&) const {
    const api::field::Shown null = api::field::null();
    return {null.json, null.go, "nil", true};
  }

 private:
  const Rules& rules() const { return context_.rules(); }

  static Struct of(const char* kind) { return std::move(Struct(std::string("config.") + kind).addTypeMeta()); }

  template <class T, class Each>
  Part list(const std::vector<T>& items, const char* type, const std::string& at, Each each) const {
    const std::string go = std::string("[]") + type;
    if (items.empty()) {
      const bool given = context_.empty_lists.count(at) != 0;
      return {given ? "[]" : "null", go + (given ? "{}" : "(nil)"), given && !rules().empty_equals_nil ? "[]" : "nil",
              true};
    }
    Part out;
    for (std::size_t i = 0; i < items.size(); ++i) {
      const Part part = each(items[i], at + "/" + std::to_string(i));
      out.json += (i == 0 ? "[" : ",") + part.json;
      out.go += (i == 0 ? go + "{" : ", ") + part.go;
      out.whole += (i == 0 ? "[" : ", ") + part.whole;
    }
    out.json += "]";
    out.go += "}";
    out.whole += "]";
    return out;
  }
  Part strings(const std::vector<std::string>& items, const std::string& at) const {
    return list(items, "string", at, [](const std::string& item, const std::string&) { return string(item); });
  }
  Part resources(const std::vector<ResourceSpec>& items, const std::string& at) const {
    return list(items, "config.ResourceSpec", at, [](const ResourceSpec& item, const std::string&) {
      return Struct("config.ResourceSpec").add("Name", string(item.name)).add("Weight", number(item.weight)).done();
    });
  }
  Part shape(const std::vector<UtilizationShapePoint>& items, const std::string& at) const {
    return list(items, "config.UtilizationShapePoint", at, [](const UtilizationShapePoint& item, const std::string&) {
      return Struct("config.UtilizationShapePoint")
          .add("Utilization", number(item.utilization))
          .add("Score", number(item.score))
          .done();
    });
  }
  static Part duration(const std::optional<std::int64_t>& nanoseconds) {
    if (!nanoseconds.has_value()) return pointer("", nullptr);
    const Part value = string(api::go::durationString(*nanoseconds));
    return pointer("", &value);
  }
  static Part optionalString(const std::optional<std::string>& text) {
    if (!text.has_value()) return pointer("", nullptr);
    const Part value = string(*text);
    return pointer("", &value);
  }

  // A requirement of a node selector, and of a label selector.
  template <class Requirement>
  Part requirements(const std::vector<Requirement>& items, const std::string& at) const {
    return list(items, "", at, [this](const Requirement& item, const std::string& there) {
      return Struct("", Struct::Names::kJson)
          .add("Key", string(item.key))
          .add("Operator", string(item.op))
          .add("Values", strings(item.values, there + "/values"), true)
          .done();
    });
  }
  Part term(const api::NodeSelectorTerm& term, const std::string& at) const {
    return Struct("", Struct::Names::kJson)
        .add("MatchExpressions", requirements(term.match_expressions, at + "/matchExpressions"), true)
        .add("MatchFields", requirements(term.match_fields, at + "/matchFields"), true)
        .done();
  }
  Part nodeAffinity(const api::NodeAffinity& affinity, const std::string& at) const {
    const std::string required_at = at + "/requiredDuringSchedulingIgnoredDuringExecution";
    const std::string preferred_at = at + "/preferredDuringSchedulingIgnoredDuringExecution";
    Part required;
    if (affinity.required.has_value()) {
      required =
          Struct("", Struct::Names::kJson)
              .add("NodeSelectorTerms",
                   list(affinity.required->terms, "", required_at + "/nodeSelectorTerms",
                        [this](const api::NodeSelectorTerm& t, const std::string& there) { return term(t, there); }))
              .done();
    }
    const Part preferred = list(affinity.preferred, "", preferred_at,
                                [this](const api::PreferredSchedulingTerm& p, const std::string& there) {
                                  return Struct("", Struct::Names::kJson)
                                      .add("Weight", number(p.weight))
                                      .add("Preference", term(p.preference, there + "/preference"))
                                      .done();
                                });
    return Struct("", Struct::Names::kJson)
        .add("RequiredDuringSchedulingIgnoredDuringExecution",
             pointer("", affinity.required.has_value() ? &required : nullptr), true)
        .add("PreferredDuringSchedulingIgnoredDuringExecution", preferred, true)
        .done();
  }
  Part labels(const api::LabelSet& labels, const std::string& at) const {
    std::map<std::string, std::string> sorted;
    for (const auto& [key, value] : labels) sorted.emplace(key.str(), value.str());
    if (sorted.empty()) {
      const bool given = context_.empty_lists.count(at) != 0 && !rules().empty_equals_nil;
      return {"{}", "", given ? "{}" : "nil", true};
    }
    Part out;
    for (const auto& [key, value] : sorted) {
      out.json += (out.json.empty() ? "{" : ",") + api::go::jsonString(key) + ":" + api::go::jsonString(value);
    }
    out.json += "}";
    out.whole = out.json;
    return out;
  }
  Part labelSelector(const api::LabelSelector& selector, const std::string& at) const {
    return Struct("", Struct::Names::kJson)
        .add("MatchLabels", labels(selector.match_labels, at + "/matchLabels"), true)
        .add("MatchExpressions", requirements(selector.match_expressions, at + "/matchExpressions"), true)
        .done();
  }
  Part spreadConstraint(const api::TopologySpreadConstraint& c, const std::string& at) const {
    Struct out("v1.TopologySpreadConstraint", Struct::Names::kJson);
    out.add("MaxSkew", number(c.max_skew));
    out.add("TopologyKey", string(c.topology_key));
    out.add("WhenUnsatisfiable", string(c.when_unsatisfiable));
    const Part selector =
        c.label_selector.has_value() ? labelSelector(*c.label_selector, at + "/labelSelector") : Part();
    out.add("LabelSelector", pointer("v1.LabelSelector", c.label_selector.has_value() ? &selector : nullptr), true);
    const Part domains = number(c.min_domains.value_or(0));
    out.add("MinDomains", pointer("int32", c.min_domains.has_value() ? &domains : nullptr), true);
    if (rules().constraint_policies) {
      out.add("NodeAffinityPolicy", optionalString(c.node_affinity_policy), true);
      out.add("NodeTaintsPolicy", optionalString(c.node_taints_policy), true);
      out.add("MatchLabelKeys", strings(c.match_label_keys, at + "/matchLabelKeys"), true);
    }
    return out.done();
  }

  const ArgsContext& context_;
};

}  // namespace

ArgsText argsText(const PluginArgs& args, const std::string& pointer, const ArgsContext& context) {
  const Writer writer(context);
  Part part = std::visit([&](const auto& typed) { return writer.args(typed, pointer); }, args);
  return {api::field::raw(std::move(part.json), std::move(part.go)), std::move(part.whole)};
}

}  // namespace podberth::scheduler::config
