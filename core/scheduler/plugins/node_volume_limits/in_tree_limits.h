// EBSLimits, GCEPDLimits, AzureDiskLimits and CinderLimits (Filter): how many disks of one kind can be attached to a
// node, for disks that Kubernetes itself attaches; where a CSI driver has taken over the kind, NodeVolumeLimits counts.
// Upstream (v1.24): pkg/scheduler/framework/plugins/nodevolumelimits/non_csi.go.
#pragma once

#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <string_view>

#include "core/scheduler/config/types.h"
#include "core/scheduler/framework/handle.h"
#include "core/scheduler/plugins/helper/csi_translation.h"

namespace podberth::scheduler::plugins {

enum class InTreeDisk { kEbs, kGcePd, kAzureDisk, kCinder };

// How many fit on a node that does not say. EBS depends on the type of the machine.
std::int64_t defaultDiskLimit(InTreeDisk disk, const api::Node& node);

class InTreeLimits : public Plugin {
 public:
  static constexpr Points kPoints = static_cast<Points>(Point::kFilter);
  InTreeLimits(InTreeDisk disk, Handle& handle);
  std::string_view name() const override;
  Points points() const override { return kPoints; }
  Status filter(CycleState& state, const PodInfo& pod, const NodeInfo& node) override;

 private:
  // Adds names of the pod's disks. A claim that is missing is an error for a new pod only.
  Status addDisksOf(const api::Pod& pod, bool new_pod, std::set<std::string>* disks) const;
  bool isProvisioned(const api::PersistentVolumeClaim& claim) const;

  InTreeDisk disk_;
  Handle& handle_;
  const InTreePlugin* plugin_;
  api::Symbol limit_resource_;
  Status exceeded_;
};

}  // namespace podberth::scheduler::plugins
