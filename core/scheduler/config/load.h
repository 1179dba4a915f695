// Reads a KubeSchedulerConfiguration as kube-scheduler --config does: strict decoding, defaulting, validation.
// Upstream: pkg/scheduler/apis/config/{v1,v1beta2,v1beta3,scheme,validation}. The release is that of the gates.
#pragma once

#include <string>
#include <string_view>
#include <vector>

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

// `text` is the document as it was written, in sound JSON; "" = the default configuration. Of several errors of one
// kind upstream reports the first, or all in the document's order, some messages show its text, and a field may be
// given twice: that is why it is not a parsed document. rawValue() (raw_json.h) finds it within a scenario's text.
Loaded load(std::string_view text, const FeatureGates& gates);

}  // namespace podberth::scheduler::config
