#include "core/scheduler/config/rules.h"

namespace podberth::scheduler::config {
namespace {

Rules v1_37() {
  Rules rules;
  rules.versions = {{"v1", true, false}};
  rules.default_version = "v1";
  rules.v1_is_read_as = "";
  rules.scheme = "pkg/runtime/scheme.go:111";
  rules.wording = &api::kWording;
  rules.null_is_default = true;
  rules.pre_enqueue = true;
  rules.profile_percentage = true;
  rules.delay_cache = true;
  rules.ignore_preferred_terms = true;
  rules.constraint_policies = true;
  rules.dynamic_resources_args = true;
  rules.inlined_structs_are_named = true;
  rules.removed_plugins = true;
  rules.names_node_operators = true;
  rules.queue_sort_differs = "must be the same for all profiles";
  rules.queue_sort_args_differ = "queueSort must be the same for all profiles";
  rules.empty_equals_nil = true;
  rules.queue_sorts_by_spelling = false;
  rules.shape_order = "values must be sorted in increasing order";
  rules.shape_gate = "StorageCapacityScoring";
  rules.shape_falls = true;
  rules.fit_args = FitArgsRules::kByStrategy;
  rules.counts_queue_sorts = true;
  rules.binder_before_weights = true;
  rules.no_binder = "at least one bind plugin is needed for profile with scheduler name %s";
  rules.overflow = "score plugins: total score of Score plugins could overflow";
  return rules;
}

Rules v1_24() {
  Rules rules;
  rules.versions = {{"v1beta2", false, true}, {"v1beta3", true, false}};
  rules.default_version = "v1beta3";
  rules.v1_is_read_as = "v1beta3";
  rules.scheme = "pkg/runtime/scheme.go:100";
  rules.wording = &api::kWordingV1_24;
  rules.null_is_default = false;
  rules.pre_enqueue = false;
  rules.profile_percentage = false;
  rules.delay_cache = false;
  rules.ignore_preferred_terms = false;
  rules.constraint_policies = false;
  rules.dynamic_resources_args = false;
  rules.inlined_structs_are_named = false;
  rules.removed_plugins = false;
  rules.names_node_operators = false;
  rules.queue_sort_differs = "has to match for all profiles";
  rules.queue_sort_args_differ = "has to match for all profiles";
  rules.empty_equals_nil = false;
  rules.queue_sorts_by_spelling = true;
  rules.shape_order = "utilization values must be sorted in increasing order";
  rules.shape_gate = "VolumeCapacityPriority";
  rules.shape_falls = false;
  rules.fit_args = FitArgsRules::kByPart;
  rules.counts_queue_sorts = false;
  rules.binder_before_weights = false;
  rules.no_binder = "at least one bind plugin is needed";
  rules.overflow = "total score of Score plugins could overflow";
  return rules;
}

}  // namespace

const Rules& rulesOf(release::ConfigRules rules) {
  static const Rules newest = v1_37();
  static const Rules older = v1_24();
  switch (rules) {
    case release::ConfigRules::kV1_24:
      return older;
    case release::ConfigRules::kV1_37:
      break;
  }
  return newest;
}

const Version* findVersion(const Rules& rules, std::string_view name) {
  for (const Version& version : rules.versions) {
    if (version.name == name) return &version;
  }
  return nullptr;
}

}  // namespace podberth::scheduler::config
