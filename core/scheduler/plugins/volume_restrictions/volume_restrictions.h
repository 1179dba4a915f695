// VolumeRestrictions: a disk that only one pod may write to, and a claim of the access mode ReadWriteOncePod, which
// only one pod may use. Works at PreFilter and Filter. Upstream:
// pkg/scheduler/framework/plugins/volumerestrictions/volume_restrictions.go, KEP-2485.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/scheduler/config/types.h"
#include "core/scheduler/framework/handle.h"
#include "core/scheduler/plugins/names.h"

namespace podberth::scheduler::plugins {

inline constexpr const char* kReasonDiskConflict = "node(s) had no available disk";
inline constexpr const char* kReasonReadWriteOncePodConflict =
    "node(s) unavailable due to PersistentVolumeClaim with ReadWriteOncePod access mode already in-use by another pod";

// Older: one such pod for the whole cluster, found before any node is looked at.
inline constexpr const char* kReasonReadWriteOncePodElsewhere =
    "node has pod using PersistentVolumeClaim with the same name and ReadWriteOncePod access mode";

struct VolumeRestrictionsRules {
  // What becomes of pods whose ReadWriteOncePod claim another pod uses.
  enum class ExclusiveClaims {
    kPreemptible,  // rejected node by node, so that preemption may help
    kRejected,     // rejected for good in PreFilter
    kIgnored,      // nothing; the access mode is not looked at
  };
  ExclusiveClaims exclusive_claims = ExclusiveClaims::kPreemptible;
};

// Whether a volume (of one of the four kinds of disks that the plugin knows) and a pod's volumes are one disk that both
// may not mount.
bool disksConflict(const api::Volume& volume, const api::Pod& pod);

class VolumeRestrictions : public Plugin {
 public:
  static constexpr Points kPoints = Point::kPreFilter | Point::kFilter;
  explicit VolumeRestrictions(Handle& handle, const VolumeRestrictionsRules& rules = {});
  std::string_view name() const override { return names::kVolumeRestrictions; }
  Points points() const override { return kPoints; }
  bool hasEvents() const override { return true; }
  std::vector<ClusterEventWithHint> eventsToRegister() const override;
  // Skip for pods without such disks whose ReadWriteOncePod claims, if any, nobody uses.
  Status preFilter(CycleState& state, const PodInfo& pod, const std::vector<NodeInfo*>& nodes,
                   PreFilterResult& result) override;
  bool hasPreFilterExtensions() const override {
    return rules_.exclusive_claims == VolumeRestrictionsRules::ExclusiveClaims::kPreemptible;
  }
  Status addPod(CycleState& state, const PodInfo& pod, const PodInfo& to_add, const NodeInfo& node) override;
  Status removePod(CycleState& state, const PodInfo& pod, const PodInfo& to_remove, const NodeInfo& node) override;
  Status filter(CycleState& state, const PodInfo& pod, const NodeInfo& node) override;
  bool hasSign() const override { return true; }
  std::vector<SignFragment> sign(const api::Pod& pod, bool& signable) const override;

 private:
  Handle& handle_;
  VolumeRestrictionsRules rules_;
  Status disk_conflict_;
  Status claim_conflict_;
};

std::unique_ptr<Plugin> newVolumeRestrictions(const config::PluginArgs& args, Handle& handle, std::string* error);

}  // namespace podberth::scheduler::plugins
