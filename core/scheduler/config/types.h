// KubeSchedulerConfiguration after decoding and defaulting. Upstream: pkg/scheduler/apis/config/types.go,
// types_pluginargs.go.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "core/api/node_selector.h"
#include "core/api/pod.h"

namespace podberth::scheduler::config {

struct ResourceSpec {
  std::string name;
  std::int64_t weight = 1;
};

struct UtilizationShapePoint {
  std::int32_t utilization = 0;  // 0..100
  std::int32_t score = 0;        // 0..10
};

struct DefaultPreemptionArgs {
  std::int32_t min_candidate_nodes_percentage = 10;
  std::int32_t min_candidate_nodes_absolute = 100;
};
struct InterPodAffinityArgs {
  std::int32_t hard_pod_affinity_weight = 1;
  bool ignore_preferred_terms_of_existing_pods = false;
};
struct NodeAffinityArgs {
  std::optional<api::NodeAffinity> added_affinity;
};
struct NodeResourcesBalancedAllocationArgs {
  std::vector<ResourceSpec> resources{{"cpu", 1}, {"memory", 1}};
};
struct NodeResourcesFitArgs {
  std::vector<std::string> ignored_resources;
  std::vector<std::string> ignored_resource_groups;
  std::string scoring_strategy = "LeastAllocated";  // MostAllocated, RequestedToCapacityRatio
  std::vector<ResourceSpec> resources{{"cpu", 1}, {"memory", 1}};
  bool has_ratio = false;  // requestedToCapacityRatio was given
  std::vector<UtilizationShapePoint> shape;
};
struct PodTopologySpreadArgs {
  std::vector<api::TopologySpreadConstraint> default_constraints;
  std::string defaulting_type = "System";  // List
};
struct VolumeBindingArgs {
  std::int64_t bind_timeout_seconds = 600;
  std::vector<UtilizationShapePoint> shape;
  bool has_shape = false;  // a shape was given, even an empty one
};
struct DynamicResourcesArgs {
  std::int64_t filter_timeout_ms = 10000;  // filter_timeout_ns, cut to milliseconds; 0 = none
  std::optional<std::int64_t> filter_timeout_ns;
  std::optional<std::int64_t> binding_timeout_ns;
};
// Args of a plugin of our own, as they were written.
struct OtherArgs {
  std::string json;
};
using PluginArgs = std::variant<std::monostate, DefaultPreemptionArgs, InterPodAffinityArgs, NodeAffinityArgs,
                                NodeResourcesBalancedAllocationArgs, NodeResourcesFitArgs, PodTopologySpreadArgs,
                                VolumeBindingArgs, DynamicResourcesArgs, OtherArgs>;

struct PluginRef {
  std::string name;
  std::int32_t weight = 0;
};
struct PluginPoint {
  std::vector<PluginRef> enabled;
  std::vector<PluginRef> disabled;
};
struct Plugins {
  PluginPoint pre_enqueue, queue_sort, pre_filter, filter, post_filter, pre_score, score, reserve, permit, pre_bind,
      bind, post_bind, multi_point;
  // Points of pod groups: checked, but nothing runs there.
  PluginPoint placement_generate, placement_score, pod_group_post_filter;
};

struct Rules;

struct Profile {
  const Rules* rules = nullptr;  // of the release that has read it
  std::string scheduler_name;
  std::optional<std::int32_t> percentage_of_nodes_to_score;
  Plugins plugins;                                                // the defaults merged with what was given
  std::vector<std::pair<std::string, PluginArgs>> plugin_config;  // of every default plugin and those given
  const PluginArgs* args(const std::string& plugin) const;
};

struct Configuration {
  std::string api_version;
  std::int32_t parallelism = 16;
  std::optional<std::int32_t> percentage_of_nodes_to_score;
  std::int64_t pod_initial_backoff_seconds = 1;
  std::int64_t pod_max_backoff_seconds = 10;
  std::vector<Profile> profiles;
  std::int32_t client_burst = 100;
  bool has_extenders = false;
};

}  // namespace podberth::scheduler::config
