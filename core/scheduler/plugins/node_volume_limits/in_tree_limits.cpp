#include "core/scheduler/plugins/node_volume_limits/in_tree_limits.h"

#include <algorithm>
#include <array>
#include <optional>

#include "core/scheduler/plugins/helper/rest_text.h"
#include "core/scheduler/plugins/helper/volumes.h"
#include "core/scheduler/plugins/names.h"
#include "core/scheduler/plugins/node_volume_limits/node_volume_limits.h"

namespace podberth::scheduler::plugins {
namespace {

struct Kind {
  std::string_view plugin;
  std::string_view in_tree_plugin;
  std::string_view limit_resource;
};
// By InTreeDisk.
constexpr std::array<Kind, 4> kKinds{{
    {names::kEBSLimits, "kubernetes.io/aws-ebs", "attachable-volumes-aws-ebs"},
    {names::kGCEPDLimits, "kubernetes.io/gce-pd", "attachable-volumes-gce-pd"},
    {names::kAzureDiskLimits, "kubernetes.io/azure-disk", "attachable-volumes-azure-disk"},
    {names::kCinderLimits, "kubernetes.io/cinder", "attachable-volumes-cinder"},
}};
const Kind& kindOf(InTreeDisk disk) { return kKinds[static_cast<std::size_t>(disk)]; }

constexpr std::int64_t kMostEbs = 39;
constexpr std::int64_t kMostEbsOnNitro = 25;
constexpr std::int64_t kMostGcePd = 16;
constexpr std::int64_t kMostAzureDisks = 16;
constexpr std::int64_t kMostCinder = 256;

constexpr const char* kClaimWithoutName = "PersistentVolumeClaim had no name";
// Stands before the name of a claim whose disk is not known. Upstream draws 32 letters, so that no disk has it.
constexpr const char* kUnknownPrefix = "\x01unknown-";

// Machines with another limit: "c5...", "m5...", "r5...", or "t3" or "z1d" anywhere in the name.
bool isNitro(const std::string& machine) {
  const bool fifth =
      machine.size() >= 2 && machine[1] == '5' && std::string_view("cmr").find(machine[0]) != std::string_view::npos;
  return fifth || machine.find("t3") != std::string::npos || machine.find("z1d") != std::string::npos;
}

std::string machineOf(const api::Node& node) {
  for (const char* label : {"beta.kubernetes.io/instance-type", "node.kubernetes.io/instance-type"}) {
    if (const api::Symbol* value = node.meta.labels.find(api::Symbol(label))) return value->str();
  }
  return {};
}

// The disk that a pod itself describes, if it is of the kind.
std::optional<std::string> inlineDisk(InTreeDisk disk, const api::Volume& volume) {
  switch (disk) {
    case InTreeDisk::kEbs:
      if (volume.aws_elastic_block_store) return volume.aws_elastic_block_store->volume_id;
      break;
    case InTreeDisk::kGcePd:
      if (volume.gce_persistent_disk) return volume.gce_persistent_disk->pd_name;
      break;
    case InTreeDisk::kAzureDisk:
      if (volume.azure_disk) return volume.azure_disk->disk_name;
      break;
    case InTreeDisk::kCinder:
      if (std::find(volume.sources.begin(), volume.sources.end(), "cinder") != volume.sources.end()) {
        return restMemberText(volume.rest, "volumeID");
      }
      break;
  }
  return std::nullopt;
}

}  // namespace

std::int64_t defaultDiskLimit(InTreeDisk disk, const api::Node& node) {
  switch (disk) {
    case InTreeDisk::kEbs:
      return isNitro(machineOf(node)) ? kMostEbsOnNitro : kMostEbs;
    case InTreeDisk::kGcePd:
      return kMostGcePd;
    case InTreeDisk::kAzureDisk:
      return kMostAzureDisks;
    case InTreeDisk::kCinder:
      return kMostCinder;
  }
  return 0;
}

InTreeLimits::InTreeLimits(InTreeDisk disk, Handle& handle)
    : disk_(disk),
      handle_(handle),
      plugin_(inTreePluginNamed(kindOf(disk).in_tree_plugin, CsiMigration::kByGates)),
      limit_resource_(kindOf(disk).limit_resource),
      exceeded_(Status(Code::kUnschedulable, kReasonMaxVolumeCount).withPlugin(kindOf(disk).plugin)) {}

std::string_view InTreeLimits::name() const { return kindOf(disk_).plugin; }

Status InTreeLimits::filter(CycleState&, const PodInfo& pod, const NodeInfo& node) {
  if (pod.pod->spec.volumes.empty()) return {};
  std::set<std::string> fresh;
  Status status = addDisksOf(*pod.pod, true, &fresh);
  if (!status.isSuccess() || fresh.empty()) return status;
  const std::shared_ptr<const api::CSINode> csi_node = handle_.listers().csi_nodes->get({}, node.name());
  if (isMigrated(*plugin_, CsiMigration::kByGates, handle_.gates()) && isMigratedOn(csi_node.get(), plugin_->name)) {
    return {};
  }

  std::set<std::string> attached;
  for (const PodInfoPtr& other : node.pods) {
    status = addDisksOf(*other->pod, false, &attached);
    if (!status.isSuccess()) return status;
  }
  std::size_t count = attached.size();
  for (const std::string& disk : fresh) count += attached.count(disk) == 0 ? 1 : 0;
  const std::int64_t limit = node.allocatable.hasScalar(limit_resource_) ? node.allocatable.scalarOf(limit_resource_)
                                                                         : defaultDiskLimit(disk_, *node.node());
  return static_cast<std::int64_t>(count) > limit ? exceeded_ : Status();
}

Status InTreeLimits::addDisksOf(const api::Pod& pod, bool new_pod, std::set<std::string>* disks) const {
  for (const api::Volume& volume : pod.spec.volumes) {
    if (std::optional<std::string> disk = inlineDisk(disk_, volume)) {
      disks->insert(std::move(*disk));
      continue;
    }
    const std::optional<UsedClaim> used = usedClaim(pod, volume);
    if (!used) continue;
    if (used->name.empty()) return Status::error(kClaimWithoutName);
    const api::PersistentVolumeClaimPtr claim =
        handle_.listers().persistent_volume_claims->get(pod.meta.ns, used->name);
    if (claim == nullptr) {
      if (!new_pod) continue;
      return Status::error("looking up PVC " + pod.meta.ns + "/" + used->name + ": " +
                           notFoundText(kClaimResource, used->name));
    }
    if (used->ephemeral) {
      const std::string error = whyNotForPod(pod, *claim);
      if (!error.empty()) return Status::error(error);
    }
    api::PersistentVolumePtr bound;
    if (!claim->spec.volume_name.empty()) {
      bound = handle_.listers().persistent_volumes->get({}, claim->spec.volume_name);
    }
    if (bound == nullptr) {
      if (isProvisioned(*claim)) disks->insert(kUnknownPrefix + claim->key());
    } else if (bound->source == plugin_->source) {
      disks->insert(bound->in_tree_id);
    }
  }
  return {};
}

// Whether the claim's class makes disks of the kind. The beta annotation does not count here.
bool InTreeLimits::isProvisioned(const api::PersistentVolumeClaim& claim) const {
  if (!claim.spec.storage_class_name) return false;
  const auto storage_class = handle_.listers().storage_classes->get({}, *claim.spec.storage_class_name);
  return storage_class != nullptr && storage_class->provisioner == plugin_->name;
}

}  // namespace podberth::scheduler::plugins
