#include "core/apiserver/defaulting.h"
#include "core/apiserver/json_view.h"

namespace podberth::apiserver {

namespace {

constexpr const char* kFilesystem = "Filesystem";
constexpr std::string_view kNamespaceLabel = "kubernetes.io/metadata.name";

// The one range of addresses is the first of the ranges; where they differ, the one is right.
void matchPodCidrs(api::NodeSpec& spec) {
  if (spec.rest.empty() && spec.pod_cidrs.empty()) return;
  Json rest = parseRest(spec.rest);
  const std::string one = stringOf(rest, "podCIDR");
  if (!one.empty() && (spec.pod_cidrs.empty() || spec.pod_cidrs.front() != one)) spec.pod_cidrs.assign(1, one);
  if (!spec.pod_cidrs.empty()) rest["podCIDR"] = spec.pod_cidrs.front();
  spec.rest = dumpRest(rest);
}

void defaultNode(api::Node& node) {
  matchPodCidrs(node.spec);
  if (node.status.allocatable.empty()) node.status.allocatable = node.status.capacity;
  roundUp(node.status.capacity);
  roundUp(node.status.allocatable);
}

void defaultVolume(api::PersistentVolume& volume) {
  if (volume.phase.empty()) volume.phase = "Pending";
  if (!volume.volume_mode) volume.volume_mode = kFilesystem;
  roundUp(volume.capacity);
}

void defaultClaim(api::PersistentVolumeClaim& claim) {
  if (claim.phase.empty()) claim.phase = "Pending";
  if (!claim.spec.volume_mode) claim.spec.volume_mode = kFilesystem;
  roundUp(claim.spec.requests);
}

void defaultDriver(api::CSIDriver& driver, const scheduler::FeatureGates& gates) {
  if (!driver.attach_required) driver.attach_required = true;
  if (!driver.storage_capacity) driver.storage_capacity = false;
  if (!driver.prevent_pod_scheduling_if_missing && gates.enabled("VolumeLimitScaling")) {
    driver.prevent_pod_scheduling_if_missing = false;
  }
}

// A controller without a selector selects the pods of its template.
void defaultController(api::ReplicationController& controller) {
  if (controller.spec_rest.empty()) return;
  const Json spec = parseRest(controller.spec_rest);
  const Json& labels = objectOf(objectOf(objectOf(spec, "template"), "metadata"), "labels");
  api::LabelSet set;
  for (const auto& [key, value] : labels.items()) {
    if (value.is_string()) set.set(key, value.get_ref<const std::string&>());
  }
  if (set.empty()) return;
  if (controller.selector.empty()) controller.selector = set;
  if (controller.meta.labels.empty()) controller.meta.labels = set;
}

}  // namespace

void setDefaults(api::Object& object, const scheduler::FeatureGates& gates) {
  switch (object.kind) {
    case api::Kind::kPod:
      setPodDefaults(static_cast<api::Pod&>(object));
      break;
    case api::Kind::kNode:
      defaultNode(static_cast<api::Node&>(object));
      break;
    case api::Kind::kNamespace:
      if (!object.meta.name.empty()) object.meta.labels.set(kNamespaceLabel, object.meta.name);
      break;
    case api::Kind::kPriorityClass: {
      auto& priority_class = static_cast<api::PriorityClass&>(object);
      if (!priority_class.preemption_policy) priority_class.preemption_policy = "PreemptLowerPriority";
      break;
    }
    case api::Kind::kPersistentVolume:
      defaultVolume(static_cast<api::PersistentVolume&>(object));
      break;
    case api::Kind::kPersistentVolumeClaim:
      defaultClaim(static_cast<api::PersistentVolumeClaim&>(object));
      break;
    case api::Kind::kStorageClass: {
      auto& storage_class = static_cast<api::StorageClass&>(object);
      if (!storage_class.volume_binding_mode) storage_class.volume_binding_mode = "Immediate";
      break;
    }
    case api::Kind::kCSIDriver:
      defaultDriver(static_cast<api::CSIDriver&>(object), gates);
      break;
    case api::Kind::kReplicationController:
      defaultController(static_cast<api::ReplicationController&>(object));
      break;
    default:
      break;
  }
}

}  // namespace podberth::apiserver
