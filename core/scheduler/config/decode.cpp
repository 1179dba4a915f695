// The fields of a KubeSchedulerConfiguration, and how its decoding puts its errors together.
// Upstream: k8s.io/kube-scheduler/config/v1/types.go, apimachinery's runtime/serializer/{json,versioning}.
#include <algorithm>
#include <utility>

#include "core/api/go_text.h"
#include "core/api/raw_json.h"
#include "core/scheduler/config/document.h"

namespace podberth::scheduler::config {
namespace {

using api::go::quote;

constexpr const char* kMetaStruct =
    "struct { APIVersion string \"json:\\\"apiVersion,omitempty\\\"\"; Kind string \"json:\\\"kind,omitempty\\\"\" }";

struct Kind {
  std::string group;
  std::string version;
  std::string kind;
  std::string groupVersion() const { return group.empty() ? version : group + "/" + version; }
  std::string groupKind() const { return group.empty() ? kind : kind + "." + group; }
};

bool isFolded(const std::string& key, std::string_view name) {
  return std::equal(key.begin(), key.end(), name.begin(), name.end(), [](char a, char b) {
    return a == b || (a >= 'A' && a <= 'Z' && a + ('a' - 'A') == b) || (b >= 'A' && b <= 'Z' && b + ('a' - 'A') == a);
  });
}

// SimpleMetaFactory.Interpret: reads apiVersion and kind, of whatever case; of several the last in `text`, the object
// as it was written, counts. Returns the error or "".
std::string interpret(const Json& json, std::string_view text, Kind& out) {
  constexpr const char* kPrefix = "couldn't get version/kind; json parse error: json: cannot unmarshal ";
  if (json.is_null()) return "";
  if (!json.is_object()) return std::string(kPrefix) + kindOf(json) + " into Go value of type " + kMetaStruct;
  std::string api_version;
  std::string error;
  for (const std::string& key : api::rawKeys(text)) {
    for (const char* name : {"apiVersion", "kind"}) {
      const auto value = json.find(key);
      if (!isFolded(key, name) || value == json.end() || value->is_null()) continue;
      if (const auto* given = value->get_ptr<const std::string*>()) {
        (*name == 'k' ? out.kind : api_version) = *given;
      } else if (error.empty()) {
        error = std::string(kPrefix) + kindOf(*value) + " into Go struct field ." + name + " of type string";
      }
    }
  }
  if (!error.empty()) return error;
  if (api_version.empty() || api_version == "/") return "";
  const std::size_t slash = api_version.find('/');
  if (slash == std::string::npos) {
    out.version = api_version;
    return "";
  }
  if (api_version.find('/', slash + 1) != std::string::npos) return "unexpected GroupVersion string: " + api_version;
  out.group = api_version.substr(0, slash);
  out.version = api_version.substr(slash + 1);
  return "";
}

std::string notRegistered(const Kind& kind, const Rules& rules) {
  return "no kind " + quote(kind.kind) + " is registered for version " + quote(kind.groupVersion()) + " in scheme " +
         quote(rules.scheme);
}

std::string strictError(const std::vector<std::string>& errors) {
  std::string text = "strict decoding error: ";
  for (std::size_t i = 0; i < errors.size(); ++i) text += (i == 0 ? "" : ", ") + errors[i];
  return text;
}

void decodePluginSet(Decoder& decoder, const Json& json, PluginPoint& out) {
  const auto plugins = [&decoder](std::vector<PluginRef>& list) {
    return [&decoder, &list](const Json& array) {
      decoder.array(array, "[]config.Plugin", [&](std::size_t, const Json& element) {
        list.emplace_back();
        PluginRef& ref = list.back();
        decoder.object(element, "config.Plugin",
                       {decoder.field("name", ref.name), decoder.field("weight", ref.weight)});
      });
    };
  };
  decoder.object(json, "config.PluginSet",
                 {{"enabled", plugins(out.enabled), nullptr}, {"disabled", plugins(out.disabled), nullptr}});
}

void decodePlugins(Decoder& decoder, const Json& json, Plugins& out) {
  std::vector<Decoder::Field> fields;
  const auto add = [&](const char* name, PluginPoint& point) {
    fields.push_back({name, [&decoder, &point](const Json& set) { decodePluginSet(decoder, set, point); }, nullptr});
  };
  add("queueSort", out.queue_sort);
  add("preFilter", out.pre_filter);
  add("filter", out.filter);
  add("postFilter", out.post_filter);
  add("preScore", out.pre_score);
  add("score", out.score);
  add("reserve", out.reserve);
  add("permit", out.permit);
  add("preBind", out.pre_bind);
  add("bind", out.bind);
  add("postBind", out.post_bind);
  add("multiPoint", out.multi_point);
  if (decoder.schema().rules.pre_enqueue) {
    add("preEnqueue", out.pre_enqueue);
    add("placementGenerate", out.placement_generate);
    add("placementScore", out.placement_score);
    add("podGroupPostFilter", out.pod_group_post_filter);
  }
  decoder.object(json, "config.Plugins", fields);
}

void decodePluginConfig(Decoder& decoder, const Json& json, std::vector<PluginConfigDocument>& out) {
  decoder.array(json, "[]config.PluginConfig", [&](std::size_t, const Json& element) {
    out.emplace_back();
    PluginConfigDocument& config = out.back();
    decoder.object(
        element, "config.PluginConfig",
        {decoder.field("name", config.name), {"args", [&](const Json& args) { config.args = args; }, nullptr}});
  });
}

void decodeProfile(Decoder& decoder, const Json& json, ProfileDocument& out) {
  const auto plugins = [&](const Json& value) {
    if (value.is_null()) return;
    out.plugins.emplace();
    decodePlugins(decoder, value, *out.plugins);
  };
  const auto plugin_config = [&](const Json& list) { decodePluginConfig(decoder, list, out.plugin_config); };
  std::vector<Decoder::Field> fields{decoder.field("schedulerName", out.scheduler_name),
                                     {"plugins", plugins, nullptr},
                                     {"pluginConfig", plugin_config, nullptr}};
  if (decoder.schema().rules.profile_percentage) {
    fields.push_back(decoder.field("percentageOfNodesToScore", out.percentage_of_nodes_to_score));
  }
  decoder.object(json, "config.KubeSchedulerProfile", fields);
}

void decodeTls(Decoder& decoder, const Json& json) {
  bool insecure = false;
  std::string text;
  const auto bytes = [&decoder](const Json& value) { decoder.readBytes(value); };
  decoder.object(json, "config.ExtenderTLSConfig",
                 {decoder.field("insecure", insecure),
                  decoder.field("serverName", text),
                  decoder.field("certFile", text),
                  decoder.field("keyFile", text),
                  decoder.field("caFile", text),
                  {"certData", bytes, nullptr},
                  {"keyData", bytes, nullptr},
                  {"caData", bytes, nullptr}});
}

void decodeExtender(Decoder& decoder, const Json& json, Extender& out) {
  bool flag = false;
  std::int64_t timeout = 0;
  decoder.object(json, "config.Extender",
                 {decoder.field("urlPrefix", out.url_prefix),
                  decoder.field("filterVerb", out.filter_verb),
                  decoder.field("preemptVerb", out.preempt_verb),
                  decoder.field("prioritizeVerb", out.prioritize_verb),
                  decoder.field("weight", out.weight),
                  decoder.field("bindVerb", out.bind_verb),
                  decoder.field("enableHTTPS", flag),
                  {"tlsConfig", [&](const Json& tls) { decodeTls(decoder, tls); }, nullptr},
                  {"httpTimeout", [&](const Json& value) { decoder.readDuration(value, timeout); }, nullptr},
                  decoder.field("nodeCacheCapable", out.node_cache_capable),
                  {"managedResources",
                   [&](const Json& list) {
                     decoder.array(list, "[]config.ExtenderManagedResource", [&](std::size_t, const Json& element) {
                       out.managed_resources.emplace_back();
                       ManagedResource& resource = out.managed_resources.back();
                       decoder.object(element, "config.ExtenderManagedResource",
                                      {decoder.field("name", resource.name),
                                       decoder.field("ignoredByScheduler", resource.ignored_by_scheduler)});
                     });
                   },
                   nullptr},
                  decoder.field("ignorable", out.ignorable)});
}

void decodeLeaderElection(Decoder& decoder, const Json& json) {
  bool elect = false;
  std::string text;
  std::int64_t time = 0;
  const auto duration = [&](const Json& value) { decoder.readDuration(value, time); };
  decoder.object(json, "v1alpha1.LeaderElectionConfiguration",
                 {decoder.field("leaderElect", elect),
                  {"leaseDuration", duration, nullptr},
                  {"renewDeadline", duration, nullptr},
                  {"retryPeriod", duration, nullptr},
                  decoder.field("resourceLock", text),
                  decoder.field("resourceName", text),
                  decoder.field("resourceNamespace", text)});
}

void decodeClientConnection(Decoder& decoder, const Json& json, Document& out) {
  std::string text;
  decoder.object(json, "v1alpha1.ClientConnectionConfiguration",
                 {decoder.field("kubeconfig", text),
                  decoder.field("acceptContentTypes", text),
                  decoder.field("contentType", text),
                  {"qps", [&](const Json& value) { decoder.readFloat(value); }, nullptr},
                  decoder.field("burst", out.client_burst)});
}

// All that the decoding of one document collects.
struct Collected {
  std::vector<std::string> strict;
  std::vector<api::Issue> issues;
  std::set<std::string> empty_lists;

  void take(const Decoder& decoder) {
    issues.insert(issues.end(), decoder.issues().begin(), decoder.issues().end());
    empty_lists.insert(decoder.emptyLists().begin(), decoder.emptyLists().end());
  }
};

// Decodes the arguments of all profiles, and collects what is wrong with them.
class ArgsDecoding {
 public:
  ArgsDecoding(const Schema& schema, std::string_view text, Collected& collected)
      : schema_(schema), text_(text), collected_(collected) {}

  // Returns the error that ends the decoding or "".
  std::string run(Document& document) {
    for (std::size_t i = 0; i < document.profiles.size(); ++i) {
      ProfileDocument& profile = document.profiles[i];
      profile.args.resize(profile.plugin_config.size());
      for (std::size_t j = 0; j < profile.plugin_config.size(); ++j) {
        profile_ = "[" + std::to_string(i) + "]";
        plugin_ = "[" + std::to_string(j) + "]";
        pointer_ = "/profiles/" + std::to_string(i) + "/pluginConfig/" + std::to_string(j) + "/args";
        std::string error = decode(profile.plugin_config[j], profile.args[j]);
        if (!error.empty()) return error;
      }
    }
    return "";
  }
  // What converting the arguments finds, after all of them have been decoded: those of another version.
  const std::string& conversionError() const { return conversion_error_; }

 private:
  std::string fail(const std::string& message) {
    collected_.issues.push_back({api::Issue::Severity::kError, pointer_, message});
    return message;
  }

  std::string decode(const PluginConfigDocument& config, PluginArgs& out) {
    const std::string own_kind = config.name + "Args";
    if (!isArgsKind(own_kind, schema_.rules)) {
      if (!config.args.is_null()) {  // kept as it was written
        OtherArgs other;
        other.json = std::string(api::rawValue(text_, pointer_));
        out = std::move(other);
      }
      return "";
    }
    const std::string place = "decoding .profiles" + profile_ + ".pluginConfig" + plugin_ + ": ";
    const std::string prefix = place + "decoding args for plugin " + config.name + ": ";
    Kind kind;
    std::string error = interpret(config.args, api::rawValue(text_, pointer_), kind);
    if (!error.empty()) return fail(prefix + error);
    if (kind.kind.empty()) kind.kind = own_kind;
    if (kind.version.empty() && kind.group.empty()) kind.group = kGroup;
    if (kind.version.empty() && kind.group == kGroup) kind.version = schema_.version.name;
    if (kind.version.empty()) {
      return fail(prefix + "Object 'apiVersion' is missing in '" + std::string(api::rawValue(text_, pointer_)) + "'");
    }
    const Version* version = kind.group == kGroup ? findVersion(schema_.rules, kind.version) : nullptr;
    if (version == nullptr || (!isArgsKind(kind.kind, schema_.rules) && kind.kind != kConfigurationKind)) {
      return fail(prefix + notRegistered(kind, schema_.rules));
    }
    const Schema schema{schema_.rules, *version};
    Decoder decoder(schema, pointer_, text_);
    if (kind.kind == kConfigurationKind) {
      Document ignored;
      decodeConfiguration(decoder, config.args, ignored);
    } else {
      out = decodeArgs(decoder, kind.kind, config.args);
    }
    collected_.take(decoder);
    if (!decoder.error().empty()) return prefix + decoder.error();
    if (kind.kind != own_kind) {
      return fail(place + "args for plugin " + config.name + " were not of type " + own_kind + "." + kGroup + ", got " +
                  kind.groupKind());
    }
    if (version != &schema_.version && conversion_error_.empty()) {
      conversion_error_ =
          fail("converting .Profiles" + profile_ + ".PluginConfig" + plugin_ +
               ".Args into internal type: no kind is registered for the type " + std::string(version->name) + "." +
               own_kind + " in scheme " + quote(schema_.rules.scheme));
    }
    if (!decoder.strictErrors().empty()) {
      collected_.strict.push_back(place + "strict decoding error: decoding args for plugin " + config.name + ": " +
                                  strictError(decoder.strictErrors()));
    }
    return "";
  }

  const Schema& schema_;
  std::string_view text_;
  Collected& collected_;
  std::string profile_;  // the index of the profile and of the plugin, in brackets
  std::string plugin_;
  std::string pointer_;
  std::string conversion_error_;
};

}  // namespace

void decodeConfiguration(Decoder& decoder, const Json& json, Document& out) {
  std::string text;
  bool flag = false;
  Decoder::Field kind = decoder.field("kind", text);
  Decoder::Field api_version = decoder.field("apiVersion", text);
  kind.embedded = "TypeMeta";
  api_version.embedded = "TypeMeta";
  Decoder::Field profiling = decoder.field("enableProfiling", flag);
  Decoder::Field contention = decoder.field("enableContentionProfiling", flag);
  profiling.embedded = "DebuggingConfiguration";
  contention.embedded = "DebuggingConfiguration";
  const auto profiles = [&](const Json& list) {
    decoder.array(list, "[]config.KubeSchedulerProfile", [&](std::size_t, const Json& element) {
      out.profiles.emplace_back();
      decodeProfile(decoder, element, out.profiles.back());
    });
  };
  const auto extenders = [&](const Json& list) {
    decoder.array(list, "[]config.Extender", [&](std::size_t, const Json& element) {
      out.extenders.emplace_back();
      decodeExtender(decoder, element, out.extenders.back());
    });
  };
  std::vector<Decoder::Field> fields{
      kind,
      api_version,
      decoder.field("parallelism", out.parallelism),
      {"leaderElection", [&](const Json& value) { decodeLeaderElection(decoder, value); }, nullptr},
      {"clientConnection", [&](const Json& value) { decodeClientConnection(decoder, value, out); }, nullptr},
      profiling,
      contention,
      decoder.field("percentageOfNodesToScore", out.percentage_of_nodes_to_score),
      decoder.field("podInitialBackoffSeconds", out.pod_initial_backoff_seconds),
      decoder.field("podMaxBackoffSeconds", out.pod_max_backoff_seconds),
      {"profiles", profiles, nullptr},
      {"extenders", extenders, nullptr}};
  if (decoder.schema().rules.delay_cache) fields.push_back(decoder.field("delayCacheUntilActive", flag));
  if (decoder.schema().version.bind_addresses) {
    fields.push_back(decoder.field("healthzBindAddress", out.healthz_bind_address));
    fields.push_back(decoder.field("metricsBindAddress", out.metrics_bind_address));
  }
  decoder.object(json, "config.KubeSchedulerConfiguration", fields);
}

DecodedDocument decodeDocument(const Json& json, const std::string& text, const Rules& rules) {
  DecodedDocument out;
  const auto fail = [&](const std::string& error) {
    out.error = error;
    out.issues.push_back({api::Issue::Severity::kError, "", error});
    return out;
  };
  Kind kind;
  const std::string error = interpret(json, text, kind);
  if (!error.empty()) return fail(error);
  if (kind.kind.empty()) return fail("Object 'Kind' is missing in '" + text + "'");
  if (kind.version.empty()) return fail("Object 'apiVersion' is missing in '" + text + "'");
  const bool is_configuration = kind.kind == kConfigurationKind;
  out.document.version = kind.group == kGroup ? findVersion(rules, kind.version) : nullptr;
  if (out.document.version == nullptr || (!is_configuration && !isArgsKind(kind.kind, rules))) {
    return fail(notRegistered(kind, rules));
  }
  const Schema schema{rules, *out.document.version};
  Decoder decoder(schema, "", text);
  if (is_configuration) {
    decodeConfiguration(decoder, json, out.document);
  } else {
    decodeArgs(decoder, kind.kind, json);
  }
  Collected collected;
  collected.take(decoder);
  collected.strict = decoder.strictErrors();
  out.error = decoder.error();
  ArgsDecoding arguments(schema, text, collected);
  if (out.error.empty()) out.error = arguments.run(out.document);
  if (out.error.empty()) out.error = arguments.conversionError();
  if (out.error.empty() && !collected.strict.empty()) out.error = strictError(collected.strict);
  if (out.error.empty() && !is_configuration) {
    out.error =
        "couldn't decode as KubeSchedulerConfiguration, got " + kind.groupVersion() + ", Kind=" + kind.kind + ": ";
    collected.issues.push_back({api::Issue::Severity::kError, "/kind", out.error});
  }
  out.issues = std::move(collected.issues);
  out.document.empty_lists = std::move(collected.empty_lists);
  return out;
}

}  // namespace podberth::scheduler::config
