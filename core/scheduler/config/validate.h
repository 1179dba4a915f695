// Whether the scheduler starts with a configuration. Upstream: pkg/scheduler/apis/config/validation, component-base's
// config/validation.
#pragma once

#include "core/api/field_error.h"
#include "core/scheduler/config/document.h"
#include "core/scheduler/config/types.h"
#include "core/scheduler/framework/handle.h"

namespace podberth::scheduler::config {

// In upstream's order. Leader election is not looked at: the simulator has one scheduler, as if it were switched off.
// `document` is what `config` was made of: it has the extenders, and tells empty lists from missing ones.
api::field::ErrorList validate(const Configuration& config, const Document& document, const FeatureGates& gates);

// What validating one plugin's arguments needs to know beside them.
struct ArgsContext {
  const FeatureGates& gates;
  const std::set<std::string>& empty_lists;  // Document::empty_lists

  const Rules& rules() const { return rulesOf(gates.release().config); }
};

// The arguments of one plugin, as validation.Validate...Args checks them. NodeResourcesFitArgs only when its plugin is
// made.
void validateArgs(api::field::ErrorList& errors, const api::field::Path& path, const PluginArgs& args,
                  const ArgsContext& context);
void validateNodeResourcesFitArgs(api::field::ErrorList& errors, const api::field::Path& path,
                                  const NodeResourcesFitArgs& args, const Rules& rules);

// Shape points as an error shows them.
api::field::Shown shownShape(const std::vector<UtilizationShapePoint>& shape);

}  // namespace podberth::scheduler::config
