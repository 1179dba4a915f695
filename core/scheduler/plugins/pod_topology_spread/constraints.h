// Topology spread constraints ready to be asked, and the counts of pods that they speak of.
// Upstream: pkg/scheduler/framework/plugins/podtopologyspread/common.go.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/api/labels.h"
#include "core/api/pod.h"
#include "core/scheduler/plugins/helper/required_node_affinity.h"
#include "core/scheduler/plugins/helper/topology_counts.h"

namespace podberth::scheduler::plugins {

inline constexpr std::string_view kLabelHostname = "kubernetes.io/hostname";
inline constexpr std::string_view kLabelTopologyZone = "topology.kubernetes.io/zone";
inline constexpr std::string_view kDoNotSchedule = "DoNotSchedule";
inline constexpr std::string_view kScheduleAnyway = "ScheduleAnyway";

struct SpreadRules {
  bool skips = true;                    // pods without constraints are passed by from PreFilter and from PreScore on
  bool merges_match_label_keys = true;  // the gate MatchLabelKeysInPodTopologySpread
  bool has_min_domains = true;          // else a key without any domain has as many pods as one can think of
  bool has_inclusion_policies = true;   // else the node affinity is always honored, taints never
  bool empty_selector_counts = false;   // a selector of everything counts all pods, else none
  const char* pre_filter_error = "get constraints from pod: ";
};

struct SpreadConstraint {
  std::int32_t max_skew = 0;
  api::Symbol topology_key;
  api::Selector selector;
  std::int32_t min_domains = 1;
  bool honor_affinity = true;      // nodes that the pod's nodeSelector and node affinity rule out do not count
  bool honor_taints = false;       // nor nodes with taints that it does not tolerate
  bool counts_everything = false;  // an empty selector counts all pods, else none
};
using SpreadConstraints = std::vector<SpreadConstraint>;

// The constraints of that action (kDoNotSchedule, kScheduleAnyway), compiled. False, with upstream's text in *error, if
// a selector is malformed.
bool compileConstraints(const std::vector<api::TopologySpreadConstraint>& constraints, const api::LabelSet& pod_labels,
                        std::string_view action, const SpreadRules& rules, SpreadConstraints* out, std::string* error);

bool hasAllTopologyKeys(const api::LabelSet& node_labels, const SpreadConstraints& constraints);
// Whether the node counts for the constraint (its inclusion policies).
bool takesPart(const SpreadConstraint& constraint, const api::Pod& pod, const RequiredNodeAffinity& affinity,
               const api::Node& node);

// Pods that match each constraint's selector in the pod's namespace, by topology value, over the nodes that take part.
// The same for all pods that ask for the same.
class SpreadCounts {
 public:
  // With `require_all_keys`, nodes that lack any of the keys take no part; else what they lack is the value "".
  SpreadCounts(const api::Pod& pod, api::Symbol ns, const SpreadConstraints& constraints, bool require_all_keys,
               SnapshotIndex& index);

  bool isFor(const api::Pod& pod, api::Symbol ns, const SpreadConstraints& constraints, bool require_all_keys) const;
  static std::size_t hash(api::Symbol ns, const SpreadConstraints& constraints, bool require_all_keys);
  void update(const SnapshotIndex& index);

  const TopologyKey& key(std::size_t constraint) const { return *keys_[constraint]; }
  const Tally& tally(std::size_t constraint) const { return tallies_[constraint]; }
  // Pods on a node that the constraint is about and that are not on their way out.
  static std::int32_t countPods(const NodeInfo& node, const SpreadConstraint& constraint, api::Symbol ns);

 private:
  api::Symbol ns_;
  SpreadConstraints constraints_;
  bool require_all_keys_ = true;
  bool honors_affinity_ = false;
  bool honors_taints_ = false;
  api::Pod asker_;  // only what decides which nodes take part: node selector, required node affinity, tolerations
  RequiredNodeAffinity affinity_;
  std::vector<TopologyKey*> keys_;
  std::vector<Tally> tallies_;
  SnapshotIndex::Cursor cursor_;
};

}  // namespace podberth::scheduler::plugins
