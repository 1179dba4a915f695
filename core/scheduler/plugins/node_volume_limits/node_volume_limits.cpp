#include "core/scheduler/plugins/node_volume_limits/node_volume_limits.h"

#include <algorithm>

#include "core/scheduler/plugins/helper/attach_limits.h"
#include "core/scheduler/plugins/helper/volumes.h"

namespace podberth::scheduler::plugins {
namespace {

constexpr const char* kClaimWithoutName = "PersistentVolumeClaim had no name";
// Stands before the handle of a volume that does not exist yet. Upstream draws 32 letters, so that no volume has it.
constexpr const char* kUnboundPrefix = "\x01unbound-";

// The attachments by node, so that not every node has to look through all of them.
struct LimitsState : StateData {
  std::map<std::string, std::vector<std::shared_ptr<const api::VolumeAttachment>>> attachments;
};
constexpr StateKey<LimitsState> kLimitsState{"PreFilterNodeVolumeLimits"};

bool mayCount(const api::Volume& volume) {
  return volume.persistent_volume_claim || volume.ephemeral != nullptr || inTreePluginOf(volume) != nullptr;
}

std::map<std::string, std::int64_t> limitsOf(const api::CSINode& csi_node) {
  std::map<std::string, std::int64_t> limits;
  for (const api::CSINodeDriver& driver : csi_node.drivers) {
    if (driver.count) limits[driver.name] = *driver.count;
  }
  return limits;
}

std::string uniqueName(const std::string& driver, const std::string& handle) { return driver + "/" + handle; }

std::string conversionError(const api::Volume& volume, const std::string& error) {
  return "converting volume(" + volume.name + ") from inline to csi: " + error;
}

HintResult afterCSINodeUpdate(const api::Pod&, const api::Object* old_object, const api::Object* new_object) {
  const auto* before = api::as<api::CSINode>(old_object);
  const auto* now = api::as<api::CSINode>(new_object);
  std::map<std::string, std::int32_t> old_limits;
  for (const api::CSINodeDriver& driver : before->drivers) old_limits[driver.name] = driver.count.value_or(0);
  for (const api::CSINodeDriver& driver : now->drivers) {
    const auto it = old_limits.find(driver.name);
    if (driver.count.value_or(0) > (it == old_limits.end() ? 0 : it->second)) return HintResult::queue();
  }
  return HintResult::skip();
}

HintResult afterAssignedPodDelete(const api::Pod&, const api::Object* old_object, const api::Object*) {
  const api::Pod* deleted = api::as<api::Pod>(old_object);
  if (deleted->spec.node_name.empty() && deleted->status.nominated_node_name.empty()) return HintResult::skip();
  const std::vector<api::Volume>& volumes = deleted->spec.volumes;
  return std::any_of(volumes.begin(), volumes.end(), mayCount) ? HintResult::queue() : HintResult::skip();
}

HintResult afterClaimAdd(const api::Pod& pod, const api::Object*, const api::Object* new_object) {
  const auto* claim = api::as<api::PersistentVolumeClaim>(new_object);
  return usesClaim(pod, *claim, true) ? HintResult::queue() : HintResult::skip();
}

// Upstream does not think of ephemeral volumes here.
HintResult afterAttachmentDelete(const api::Pod& pod, const api::Object* old_object, const api::Object*) {
  const auto* deleted = api::as<api::VolumeAttachment>(old_object);
  for (const api::Volume& volume : pod.spec.volumes) {
    if (volume.persistent_volume_claim) return HintResult::queue();
    const InTreePlugin* plugin = inTreePluginOf(volume);
    if (plugin == nullptr) continue;
    std::string error;
    csiHandle(volume, &error);
    if (!error.empty()) {
      HintResult result = HintResult::queue();
      result.error = conversionError(volume, error);
      return result;
    }
    if (deleted->attacher == plugin->driver) return HintResult::queue();
  }
  return HintResult::skip();
}

}  // namespace

bool withinLimits(const std::map<std::string, std::int64_t>& limits, const AttachableVolumes& attached,
                  const AttachableVolumes& from_attachments, AttachableVolumes fresh) {
  std::map<std::string, std::int64_t> counts;
  for (const auto& [volume, driver] : attached) {
    fresh.erase(volume);
    ++counts[driver];
  }
  for (const auto& [volume, driver] : from_attachments) {
    if (attached.count(volume) == 0) ++counts[driver];
  }
  std::map<std::string, std::int64_t> fresh_counts;
  for (const auto& [volume, driver] : fresh) ++fresh_counts[driver];
  for (const auto& [driver, count] : fresh_counts) {
    const auto limit = limits.find(driver);
    if (limit != limits.end() && counts[driver] + count > limit->second) return false;
  }
  return true;
}

NodeVolumeLimits::NodeVolumeLimits(Handle& handle, const NodeVolumeLimitsRules& rules)
    : handle_(handle),
      rules_(rules),
      scaling_(handle.gates().enabled("VolumeLimitScaling")),
      exceeded_(Status(Code::kUnschedulable, kReasonMaxVolumeCount).withPlugin(names::kNodeVolumeLimits)) {}

std::vector<ClusterEventWithHint> NodeVolumeLimits::eventsToRegister() const {
  return {{ClusterEvent{EventResource::kCSINode, action::kAdd, {}}, nullptr},
          {ClusterEvent{EventResource::kCSINode, action::kUpdate, {}}, afterCSINodeUpdate},
          {ClusterEvent{EventResource::kAssignedPod, action::kDelete, {}}, afterAssignedPodDelete},
          {ClusterEvent{EventResource::kPersistentVolumeClaim, action::kAdd, {}}, afterClaimAdd},
          {ClusterEvent{EventResource::kVolumeAttachment, action::kDelete, {}}, afterAttachmentDelete}};
}

Status NodeVolumeLimits::preFilter(CycleState& state, const PodInfo& pod, const std::vector<NodeInfo*>&,
                                   PreFilterResult&) {
  const std::vector<api::Volume>& volumes = pod.pod->spec.volumes;
  if (std::none_of(volumes.begin(), volumes.end(), mayCount)) return Status(Code::kSkip);
  auto limits_state = std::make_shared<LimitsState>();
  for (std::shared_ptr<const api::VolumeAttachment>& attachment : handle_.listers().volume_attachments->list()) {
    limits_state->attachments[attachment->node_name].push_back(std::move(attachment));
  }
  state.write(kLimitsState, std::move(limits_state));
  return {};
}

Status NodeVolumeLimits::filter(CycleState& state, const PodInfo& pod, const NodeInfo& node) {
  if (pod.pod->spec.volumes.empty()) return {};
  const std::shared_ptr<const api::CSINode> csi_node = handle_.listers().csi_nodes->get({}, node.name());

  AttachableVolumes fresh;
  Status status = addVolumesOf(*pod.pod, csi_node.get(), true, &fresh);
  if (!status.isSuccess()) return status;
  if (fresh.empty()) return {};
  if (scaling_) {
    for (const auto& [volume, driver] : fresh) {
      if (!isInstalled(driver, csi_node.get())) return Status(Code::kUnschedulable, driver + kDriverNotInstalled);
    }
  }
  const std::map<std::string, std::int64_t> limits = limitsFor(fresh, node, csi_node.get());
  if (limits.empty()) return {};

  AttachableVolumes attached;
  for (const PodInfoPtr& other : node.pods) {
    status = addVolumesOf(*other->pod, csi_node.get(), false, &attached);
    if (!status.isSuccess()) return status;
  }
  AttachableVolumes from_attachments;
  if (!rules_.counts_attachments) {
    return withinLimits(limits, attached, from_attachments, std::move(fresh)) ? Status() : exceeded_;
  }
  if (const LimitsState* limits_state = state.read(kLimitsState)) {
    const auto it = limits_state->attachments.find(node.name().str());
    if (it != limits_state->attachments.end()) {
      for (const auto& attachment : it->second) addAttachment(*attachment, &from_attachments);
    }
  } else {
    for (const auto& attachment : handle_.listers().volume_attachments->list()) {
      if (attachment->node_name == node.name().str()) addAttachment(*attachment, &from_attachments);
    }
  }
  return withinLimits(limits, attached, from_attachments, std::move(fresh)) ? Status() : exceeded_;
}

bool NodeVolumeLimits::isMigratedTo(const InTreePlugin& plugin, const api::CSINode* csi_node) const {
  if (csi_node == nullptr || !isMigrated(plugin, rules_.migration, handle_.gates())) return false;
  return !rules_.asks_csi_node || isMigratedOn(csi_node, plugin.name);
}

// By driver; of the node's own limits only those that matter to `volumes`.
std::map<std::string, std::int64_t> NodeVolumeLimits::limitsFor(const AttachableVolumes& volumes, const NodeInfo& node,
                                                                const api::CSINode* csi_node) const {
  std::map<std::string, std::int64_t> limits;
  if (csi_node != nullptr) limits = limitsOf(*csi_node);
  if (!rules_.reads_node) return limits;
  for (const auto& [volume, driver] : volumes) {
    const api::Symbol name(csiLimitResource(driver));
    if (node.allocatable.hasScalar(name)) limits.emplace(driver, node.allocatable.scalarOf(name));
  }
  return limits;
}

Status NodeVolumeLimits::addVolumesOf(const api::Pod& pod, const api::CSINode* csi_node, bool new_pod,
                                      AttachableVolumes* out) const {
  for (const api::Volume& volume : pod.spec.volumes) {
    const std::optional<UsedClaim> used = usedClaim(pod, volume);
    if (!used) {
      const Status status = rules_.counts_inline ? addInline(volume, csi_node, out) : Status();
      if (!status.isSuccess()) return status;
      continue;
    }
    if (used->name.empty()) return Status::error(kClaimWithoutName);
    const api::PersistentVolumeClaimPtr claim =
        handle_.listers().persistent_volume_claims->get(pod.meta.ns, used->name);
    if (claim == nullptr) {
      if (!new_pod) continue;
      return Status(rules_.missing_claim, "looking up PVC " + pod.meta.ns + "/" + used->name + ": " +
                                              notFoundText(kClaimResource, used->name));
    }
    if (used->ephemeral) {
      const std::string error = whyNotForPod(pod, *claim);
      if (!error.empty()) return Status::error(error);
    }
    addClaim(*claim, csi_node, out);
  }
  return {};
}

Status NodeVolumeLimits::addInline(const api::Volume& volume, const api::CSINode* csi_node,
                                   AttachableVolumes* out) const {
  const InTreePlugin* plugin = inTreePluginOf(volume);
  if (plugin == nullptr || !isMigratedTo(*plugin, csi_node)) return {};
  std::string error;
  const std::string handle = csiHandle(volume, &error);
  if (!error.empty()) return Status::error(conversionError(volume, error));
  (*out)[uniqueName(plugin->driver, handle)] = plugin->driver;
  return {};
}

void NodeVolumeLimits::addClaim(const api::PersistentVolumeClaim& claim, const api::CSINode* csi_node,
                                AttachableVolumes* out) const {
  api::PersistentVolumePtr volume;
  if (!claim.spec.volume_name.empty()) {
    volume = handle_.listers().persistent_volumes->get({}, claim.spec.volume_name);
  }
  if (volume == nullptr) {
    addUnbound(claim, csi_node, out);
    return;
  }
  std::string driver = volume->csi_driver;
  std::string handle = volume->csi_volume_handle;
  if (volume->source != "csi") {
    const InTreePlugin* plugin = inTreePluginOf(*volume);
    if (plugin == nullptr || !isMigratedTo(*plugin, csi_node)) return;
    std::string error;
    handle = csiHandle(*volume, &error);
    if (!error.empty()) return;
    driver = plugin->driver;
  }
  if (!driver.empty() && !handle.empty()) (*out)[uniqueName(driver, handle)] = driver;
}

void NodeVolumeLimits::addUnbound(const api::PersistentVolumeClaim& claim, const api::CSINode* csi_node,
                                  AttachableVolumes* out) const {
  const std::string& class_name = storageClassOf(claim);
  if (class_name.empty()) return;
  const std::shared_ptr<const api::StorageClass> storage_class = handle_.listers().storage_classes->get({}, class_name);
  if (storage_class == nullptr) return;
  std::string driver = storage_class->provisioner;
  if (const InTreePlugin* plugin = inTreePluginNamed(driver, rules_.migration)) {
    if (!isMigratedTo(*plugin, csi_node)) return;
    driver = plugin->driver;
  }
  if (!driver.empty()) (*out)[uniqueName(driver, kUnboundPrefix + claim.key())] = driver;
}

void NodeVolumeLimits::addAttachment(const api::VolumeAttachment& attachment, AttachableVolumes* out) const {
  if (attachment.attacher.empty() || !attachment.persistent_volume_name) return;
  const api::PersistentVolumePtr volume =
      handle_.listers().persistent_volumes->get({}, *attachment.persistent_volume_name);
  if (volume == nullptr || volume->source != "csi") return;
  (*out)[uniqueName(attachment.attacher, volume->csi_volume_handle)] = attachment.attacher;
}

// A driver that does not ask for it, or is none that is known, counts as installed everywhere.
bool NodeVolumeLimits::isInstalled(const std::string& driver, const api::CSINode* csi_node) const {
  const std::shared_ptr<const api::CSIDriver> csi_driver = handle_.listers().csi_drivers->get({}, driver);
  if (csi_driver == nullptr || !csi_driver->prevent_pod_scheduling_if_missing.value_or(false)) return true;
  if (csi_node == nullptr) return false;
  return std::any_of(csi_node->drivers.begin(), csi_node->drivers.end(),
                     [&](const api::CSINodeDriver& d) { return d.name == driver; });
}

std::vector<SignFragment> NodeVolumeLimits::sign(const api::Pod& pod, bool& signable) const {
  return signVolumes(pod, signable);
}

std::unique_ptr<Plugin> newNodeVolumeLimits(const config::PluginArgs&, Handle& handle, std::string*) {
  return std::make_unique<NodeVolumeLimits>(handle);
}

}  // namespace podberth::scheduler::plugins
