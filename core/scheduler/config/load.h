// Reads a KubeSchedulerConfiguration as kube-scheduler --config does: strict decoding, defaulting, validation.
// Upstream: pkg/scheduler/apis/config/{v1,v1beta2,v1beta3,scheme,validation}. The release is that of the gates.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "core/api/decode.h"
#include "core/scheduler/config/extender.h"
#include "core/scheduler/config/types.h"
#include "core/scheduler/framework/handle.h"

namespace podberth::scheduler::config {

struct Loaded {
  Configuration config;
  std::vector<Extender> extenders;
  // Why the scheduler would not start, in upstream's words with pointers printed as 0x0; "" if it would. Errors that
  // only making the plugins can find (an unknown plugin, a plugin that does not extend a point) come from the profile's
  // factory.
  std::string error;
  std::vector<api::Issue> issues;  // the same, and warnings, each at its place in the document
};

// `json` null = the default configuration. `text` is the document as it was written ("": as it is written shortest): of
// several errors of one kind upstream reports the first, or all in the document's order, and some messages show its
// text; a field given twice is seen only there. rawValue() (raw_json.h) finds it within a scenario's text.
Loaded load(const nlohmann::ordered_json& json, const FeatureGates& gates, std::string_view text = {});
// The same without the order of the document: its fields count as sorted by name.
Loaded load(const nlohmann::json& json, const FeatureGates& gates);

}  // namespace podberth::scheduler::config
