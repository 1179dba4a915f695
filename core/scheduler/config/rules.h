// What each release knows of a KubeSchedulerConfiguration: its versions, its fields, and the words of its errors. What
// differs between releases is named here, and nowhere else in this room.
// Upstream: k8s.io/kube-scheduler/config/{v1,v1beta2,v1beta3}, pkg/scheduler/apis/config.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/api/wording.h"
#include "core/release/release.h"

namespace podberth::scheduler::config {

inline constexpr const char* kGroup = "kubescheduler.config.k8s.io";
inline constexpr const char* kConfigurationKind = "KubeSchedulerConfiguration";

// A version of the schema.
struct Version {
  std::string_view name;  // "v1beta3"
  // The default plugins stand at multiPoint, and what is given there counts. Formerly each point had its own default
  // plugins, multiPoint was read and dropped, and merging forgot what had been disabled.
  bool multi_point = true;
  bool bind_addresses = false;  // healthzBindAddress and metricsBindAddress

  std::string groupVersion() const { return std::string(kGroup) + "/" + std::string(name); }
};

// Which arguments of NodeResourcesFit its factory refuses.
enum class FitArgsRules {
  kByStrategy,  // the strategy has to be known, and has a ratio if and only if it needs one
  kByPart,      // each part is checked for itself; that the strategy is known is checked last
};

struct Rules {
  std::vector<Version> versions;
  std::string_view default_version;  // of a scenario that gives no configuration
  // A document of v1, which the release does not have, is read as this version. "" = not.
  std::string_view v1_is_read_as;
  // How the scheme names itself in errors: by where it was made, for a program that takes Kubernetes as Go modules;
  // kube-scheduler as built in Kubernetes' own repository says "pkg/scheduler/apis/config/scheme/scheme.go:29".
  const char* scheme;
  const api::Wording* wording;
  bool null_is_default;  // a document that is null is as good as none

  // Fields.
  bool pre_enqueue;                // and the points of pod groups
  bool profile_percentage;         // percentageOfNodesToScore of a profile
  bool delay_cache;                // delayCacheUntilActive
  bool ignore_preferred_terms;     // of InterPodAffinity
  bool constraint_policies;        // of PodTopologySpread's constraints: node policies, matchLabelKeys
  bool dynamic_resources_args;     // DynamicResources has typed arguments
  bool inlined_structs_are_named;  // "KubeSchedulerConfiguration.TypeMeta.kind" in errors of decoding

  // Validation.
  bool removed_plugins;       // plugins of former versions are refused
  bool names_node_operators;  // the operators of node selectors are listed when another is refused
  std::string_view queue_sort_differs;
  std::string_view queue_sort_args_differ;
  bool empty_equals_nil;         // an empty list is the same as none when those arguments are compared
  bool queue_sorts_by_spelling;  // arguments that differ in spaces alone differ, when a profile is made
  std::string_view shape_order;  // of the points of a shape
  std::string_view shape_gate;   // the gate that allows VolumeBinding a shape
  bool shape_falls;              // the default shape prefers volumes with room left
  FitArgsRules fit_args;

  // The making of a profile.
  bool counts_queue_sorts;     // its number is told when it is not one
  bool binder_before_weights;  // which is looked at first
  std::string_view no_binder;  // "%s" = the profile's name, quoted
  std::string_view overflow;   // of the sum of weights
};

const Rules& rulesOf(release::ConfigRules rules);
// Null if the release has no such version.
const Version* findVersion(const Rules& rules, std::string_view name);

}  // namespace podberth::scheduler::config
