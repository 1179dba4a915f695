// NodeVolumeLimits: how many volumes of a CSI driver can be attached to a node. Works at PreFilter and Filter. Counted
// are the volumes of the pods on the node and of its VolumeAttachments; in-tree volumes count for the driver that has
// taken over their plugin, unbound claims for their class's provisioner.
// Upstream: pkg/scheduler/framework/plugins/nodevolumelimits/csi.go, KEP-554, KEP-4876, KEP-5030.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "core/scheduler/config/types.h"
#include "core/scheduler/framework/handle.h"
#include "core/scheduler/plugins/helper/csi_translation.h"
#include "core/scheduler/plugins/names.h"

namespace podberth::scheduler::plugins {

inline constexpr const char* kReasonMaxVolumeCount = "node(s) exceed max volume count";
inline constexpr const char* kDriverNotInstalled = " CSI driver is not installed on the node";

struct NodeVolumeLimitsRules {
  bool counts_inline = true;       // in-tree volumes that the pod itself describes
  bool counts_attachments = true;  // the node's VolumeAttachments
  bool reads_node = false;         // limits are also in the node's allocatable; those of its CSINode come before them
  CsiMigration migration = CsiMigration::kDone;
  bool asks_csi_node = false;  // in-tree volumes count where the CSINode says that they are migrated; else where it is
  Code missing_claim = Code::kUnschedulableAndUnresolvable;
};

// Drivers by a name that is the volume's alone, "driver/handle".
using AttachableVolumes = std::map<std::string, std::string>;

// Whether the limits hold with the new volumes, which the attached ones may include. `limits` are by driver; a driver
// without one has no limit.
bool withinLimits(const std::map<std::string, std::int64_t>& limits, const AttachableVolumes& attached,
                  const AttachableVolumes& from_attachments, AttachableVolumes fresh);

class NodeVolumeLimits : public Plugin {
 public:
  static constexpr Points kPoints = Point::kPreFilter | Point::kFilter;
  explicit NodeVolumeLimits(Handle& handle, const NodeVolumeLimitsRules& rules = {});
  std::string_view name() const override { return names::kNodeVolumeLimits; }
  Points points() const override { return kPoints; }
  bool hasEvents() const override { return true; }
  std::vector<ClusterEventWithHint> eventsToRegister() const override;
  // Skip for pods without a volume that could count.
  Status preFilter(CycleState& state, const PodInfo& pod, const std::vector<NodeInfo*>& nodes,
                   PreFilterResult& result) override;
  Status filter(CycleState& state, const PodInfo& pod, const NodeInfo& node) override;
  bool hasSign() const override { return true; }
  std::vector<SignFragment> sign(const api::Pod& pod, bool& signable) const override;

 private:
  bool isMigratedTo(const InTreePlugin& plugin, const api::CSINode* csi_node) const;
  std::map<std::string, std::int64_t> limitsFor(const AttachableVolumes& volumes, const NodeInfo& node,
                                                const api::CSINode* csi_node) const;
  // Adds the pod's volumes that can be attached. A claim that is missing is an error for a new pod only.
  Status addVolumesOf(const api::Pod& pod, const api::CSINode* csi_node, bool new_pod, AttachableVolumes* out) const;
  Status addInline(const api::Volume& volume, const api::CSINode* csi_node, AttachableVolumes* out) const;
  void addClaim(const api::PersistentVolumeClaim& claim, const api::CSINode* csi_node, AttachableVolumes* out) const;
  void addUnbound(const api::PersistentVolumeClaim& claim, const api::CSINode* csi_node, AttachableVolumes* out) const;
  void addAttachment(const api::VolumeAttachment& attachment, AttachableVolumes* out) const;
  bool isInstalled(const std::string& driver, const api::CSINode* csi_node) const;

  Handle& handle_;
  NodeVolumeLimitsRules rules_;
  bool scaling_ = false;  // VolumeLimitScaling
  Status exceeded_;
};

std::unique_ptr<Plugin> newNodeVolumeLimits(const config::PluginArgs& args, Handle& handle, std::string* error);

}  // namespace podberth::scheduler::plugins
