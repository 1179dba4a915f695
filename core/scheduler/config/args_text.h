// Arguments of plugins as Go would print and compare them: errors show them, and the profiles of a configuration must
// agree in those of their queueSort plugin.
// Upstream: pkg/scheduler/apis/config/types_pluginargs.go, validation.validateCommonQueueSort.
#pragma once

#include <string>

#include "core/api/field_error.h"
#include "core/scheduler/config/validate.h"

namespace podberth::scheduler::config {

struct ArgsText {
  api::field::Shown shown;  // pointers below the arguments as 0x0
  std::string whole;        // equal for arguments that are equal, and for no others
};

// `pointer`: where the arguments stand in the document ("/profiles/0/pluginConfig/1/args").
ArgsText argsText(const PluginArgs& args, const std::string& pointer, const ArgsContext& context);

}  // namespace podberth::scheduler::config
