#include "core/scheduler/framework/events.h"

#include <map>

#include "core/api/pod_requests.h"

namespace podberth::scheduler {
namespace {

constexpr std::string_view kPodPreemptionPolicyField = "\"podPreemptionPolicy\":";

// ActionType.String(): only single actions and the two collective ones have a name.
std::string_view actionName(std::int64_t actions) {
  switch (actions) {
    case action::kAdd:
      return "Add";
    case action::kDelete:
      return "Delete";
    case action::kUpdateNodeAllocatable:
      return "UpdateNodeAllocatable";
    case action::kUpdateNodeLabel:
      return "UpdateNodeLabel";
    case action::kUpdateNodeTaint:
      return "UpdateNodeTaint";
    case action::kUpdateNodeCondition:
      return "UpdateNodeCondition";
    case action::kUpdateNodeAnnotation:
      return "UpdateNodeAnnotation";
    case action::kUpdateNodeDeclaredFeature:
      return "UpdateNodeDeclaredFeature";
    case action::kUpdateNodePreemptionPolicy:
      return "UpdateNodePreemptionPolicy";
    case action::kUpdatePodLabel:
      return "UpdatePodLabel";
    case action::kUpdatePodScaleDown:
      return "UpdatePodScaleDown";
    case action::kUpdatePodScaleUp:
      return "UpdatePodScaleUp";
    case action::kUpdatePodToleration:
      return "UpdatePodToleration";
    case action::kUpdatePodSchedulingGatesEliminated:
      return "UpdatePodSchedulingGatesEliminated";
    case action::kUpdatePodGeneratedResourceClaim:
      return "UpdatePodGeneratedResourceClaim";
    case action::kAll:
      return "All";
    case action::kUpdate:
      return "Update";
    default:
      return "";
  }
}

bool matchResources(EventResource registered, EventResource incoming) {
  if (registered == EventResource::kWildCard || registered == incoming) return true;
  return registered == EventResource::kPod &&
         (incoming == EventResource::kAssignedPod || incoming == EventResource::kUnscheduledPod ||
          incoming == EventResource::kTargetPod);
}

// Whether `b` asks for less of anything that `a` asks for, or for nothing of it.
bool asksForLess(const api::ResourceList& a, const api::ResourceList& b) {
  for (const auto& [name, quantity] : a) {
    const api::Quantity* other = b.find(name);
    if (other == nullptr || quantity.milliValue() > other->milliValue()) return true;
  }
  return false;
}

api::ResourceList requestsOf(const api::Pod& pod, bool pod_level_resize) {
  api::PodResourcesOptions options;
  options.use_status_resources = true;
  options.in_place_pod_level_resize = pod_level_resize;
  return api::podRequests(pod, options);
}

// A pod's requests follow from these; most updates leave them alone.
bool sameRequestSources(const api::Pod& a, const api::Pod& b) {
  return a.spec.containers == b.spec.containers && a.spec.init_containers == b.spec.init_containers &&
         a.spec.overhead == b.spec.overhead && a.spec.resources == b.spec.resources &&
         a.status.conditions == b.status.conditions && a.status.container_statuses == b.status.container_statuses &&
         a.status.init_container_statuses == b.status.init_container_statuses &&
         a.status.resources == b.status.resources && a.status.allocated_resources == b.status.allocated_resources;
}

std::map<std::string, std::string> conditionStatuses(const api::Node& node) {
  std::map<std::string, std::string> statuses;
  for (const api::NodeCondition& condition : node.status.conditions) statuses[condition.type] = condition.status;
  return statuses;
}

// spec.podPreemptionPolicy as text, out of the fields that are kept as canonical JSON; it is a plain object. Nothing
// else reads it, which is why it is no field of its own.
std::string_view preemptionPolicy(const api::Node& node) {
  const std::string_view rest = node.spec.rest;
  const std::size_t field = rest.find(kPodPreemptionPolicyField);
  if (field == std::string_view::npos) return {};
  int depth = 0;
  for (std::size_t i = field; i < rest.size(); ++i) {
    if (rest[i] == '{') ++depth;
    if (rest[i] == '}' && --depth <= 0) return rest.substr(field, i - field);
  }
  return rest.substr(field);
}

void addEvent(std::vector<ClusterEvent>& events, EventResource resource, std::int64_t actions) {
  ClusterEvent event;
  event.resource = resource;
  event.action = actions;
  events.push_back(event);
}

}  // namespace

std::string_view eventResourceName(EventResource resource) {
  switch (resource) {
    case EventResource::kPod:
      return "Pod";
    case EventResource::kAssignedPod:
      return "AssignedPod";
    case EventResource::kUnscheduledPod:
      return "UnscheduledPod";
    case EventResource::kTargetPod:
      return "TargetPod";
    case EventResource::kNode:
      return "Node";
    case EventResource::kPersistentVolume:
      return "PersistentVolume";
    case EventResource::kPersistentVolumeClaim:
      return "PersistentVolumeClaim";
    case EventResource::kCSINode:
      return "storage.k8s.io/CSINode";
    case EventResource::kCSIDriver:
      return "storage.k8s.io/CSIDriver";
    case EventResource::kVolumeAttachment:
      return "storage.k8s.io/VolumeAttachment";
    case EventResource::kCSIStorageCapacity:
      return "storage.k8s.io/CSIStorageCapacity";
    case EventResource::kStorageClass:
      return "storage.k8s.io/StorageClass";
    case EventResource::kResourceClaim:
      return "resource.k8s.io/ResourceClaim";
    case EventResource::kResourceSlice:
      return "resource.k8s.io/ResourceSlice";
    case EventResource::kDeviceClass:
      return "resource.k8s.io/DeviceClass";
    case EventResource::kPodGroup:
      return "scheduling.k8s.io/PodGroup";
    case EventResource::kWildCard:
      return "*";
  }
  return "";
}

std::string ClusterEvent::label() const {
  if (!custom_label.empty()) return std::string(custom_label);
  std::string text(eventResourceName(resource));
  text += actionName(action);
  return text;
}

bool matchClusterEvents(const ClusterEvent& registered, const ClusterEvent& incoming) {
  // An event that is broader than what was registered (a general Update against one kind of update) does not match.
  return registered.isWildCard() ||
         (matchResources(registered.resource, incoming.resource) && (registered.action & incoming.action) != 0 &&
          incoming.action <= registered.action);
}

bool matchAnyClusterEvent(const ClusterEvent& incoming, const std::vector<ClusterEvent>& registered) {
  for (const ClusterEvent& event : registered) {
    if (matchClusterEvents(event, incoming)) return true;
  }
  return false;
}

std::vector<ClusterEvent> podSchedulingPropertiesChange(const api::Pod& new_pod, const api::Pod& old_pod,
                                                        bool is_target_pod, bool pod_level_resize) {
  const EventResource resource = new_pod.assigned() ? EventResource::kAssignedPod
                                 : is_target_pod    ? EventResource::kTargetPod
                                                    : EventResource::kUnscheduledPod;
  std::vector<ClusterEvent> out;
  if (new_pod.meta.labels != old_pod.meta.labels) addEvent(out, resource, action::kUpdatePodLabel);
  if (!sameRequestSources(new_pod, old_pod)) {
    const api::ResourceList now = requestsOf(new_pod, pod_level_resize);
    const api::ResourceList before = requestsOf(old_pod, pod_level_resize);
    if (asksForLess(before, now)) addEvent(out, resource, action::kUpdatePodScaleDown);
    if (asksForLess(now, before)) addEvent(out, resource, action::kUpdatePodScaleUp);
  }
  if (new_pod.spec.scheduling_gates.empty() && !old_pod.spec.scheduling_gates.empty()) {
    addEvent(out, resource, action::kUpdatePodSchedulingGatesEliminated);
  }
  // Validation lets tolerations only be added.
  if (new_pod.spec.tolerations.size() != old_pod.spec.tolerations.size()) {
    addEvent(out, resource, action::kUpdatePodToleration);
  }
  if (out.empty()) addEvent(out, resource, action::kUpdate);
  return out;
}

std::vector<ClusterEvent> nodeSchedulingPropertiesChange(const api::Node& new_node, const api::Node& old_node) {
  std::vector<ClusterEvent> out;
  const auto changed = [&out](std::int64_t actions) { addEvent(out, EventResource::kNode, actions); };
  if (old_node.spec.unschedulable && !new_node.spec.unschedulable) changed(action::kUpdateNodeTaint);
  if (new_node.status.allocatable != old_node.status.allocatable) changed(action::kUpdateNodeAllocatable);
  if (new_node.meta.labels != old_node.meta.labels) changed(action::kUpdateNodeLabel);
  if (!(new_node.spec.taints == old_node.spec.taints)) changed(action::kUpdateNodeTaint);
  if (conditionStatuses(new_node) != conditionStatuses(old_node)) changed(action::kUpdateNodeCondition);
  if (new_node.meta.annotations != old_node.meta.annotations) changed(action::kUpdateNodeAnnotation);
  if (preemptionPolicy(new_node) != preemptionPolicy(old_node)) changed(action::kUpdateNodePreemptionPolicy);
  if (new_node.status.declared_features != old_node.status.declared_features) {
    changed(action::kUpdateNodeDeclaredFeature);
  }
  return out;
}

}  // namespace podberth::scheduler
