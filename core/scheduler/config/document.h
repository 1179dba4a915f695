// A KubeSchedulerConfiguration as it was written, decoded but not defaulted.
// Upstream: k8s.io/kube-scheduler/config/{v1,v1beta2,v1beta3} (types.go, types_pluginargs.go).
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/api/decode.h"
#include "core/scheduler/config/decoder.h"
#include "core/scheduler/config/extender.h"
#include "core/scheduler/config/types.h"

namespace podberth::scheduler::config {

struct PluginConfigDocument {
  std::string name;
  Json args;  // null if not given
};

struct ProfileDocument {
  std::optional<std::string> scheduler_name;
  std::optional<std::int32_t> percentage_of_nodes_to_score;
  std::optional<Plugins> plugins;
  std::vector<PluginConfigDocument> plugin_config;
  // Of plugin_config, in its order: the typed arguments of a plugin that has some, OtherArgs or nothing of another.
  std::vector<PluginArgs> args;
};

struct Document {
  const Version* version = nullptr;  // null: the default one
  std::optional<std::int32_t> parallelism;
  std::optional<std::int32_t> percentage_of_nodes_to_score;
  std::optional<std::int64_t> pod_initial_backoff_seconds;
  std::optional<std::int64_t> pod_max_backoff_seconds;
  std::int32_t client_burst = 0;
  std::vector<ProfileDocument> profiles;
  std::vector<Extender> extenders;
  std::string healthz_bind_address;
  std::string metrics_bind_address;
  // JSON pointers of lists and maps that were given, empty; some messages tell them from those that were not.
  std::set<std::string> empty_lists;
};

struct DecodedDocument {
  Document document;
  std::string error;  // upstream's text, "" if it can be read
  std::vector<api::Issue> issues;
};

// Decodes a whole configuration strictly, its plugins' arguments too. `text` is the document as it was written: the
// message for a missing kind or apiVersion shows it.
DecodedDocument decodeDocument(const Json& json, const std::string& text, const Rules& rules);

// Decodes the fields of a KubeSchedulerConfiguration, but not the arguments within.
void decodeConfiguration(Decoder& decoder, const Json& json, Document& out);

// The kinds of arguments that a release has ("NodeAffinityArgs").
bool isArgsKind(std::string_view kind, const Rules& rules);
// Decodes arguments of that kind and sets their defaults where that needs no feature gate.
PluginArgs decodeArgs(Decoder& decoder, std::string_view kind, const Json& json);

}  // namespace podberth::scheduler::config
