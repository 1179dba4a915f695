// What the informers say goes to the cache and to the queue, as in v1.24. Upstream: pkg/scheduler/eventhandlers.go.
#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "core/api/tolerations.h"
#include "core/scheduler/plugins/helper/required_node_affinity.h"
#include "core/scheduler/plugins/node_ports/node_ports.h"
#include "core/scheduler/plugins/node_resources_fit/fits.h"
#include "core/scheduler/scheduler_v1_24.h"

namespace podberth::scheduler {
namespace {

constexpr std::string_view kWaitForFirstConsumer = "WaitForFirstConsumer";

// An event's label is made of a short name of the kind and what happened.
ClusterEvent eventOf(EventResource resource, std::int64_t actions) {
  ClusterEvent event{resource, actions, {}};
  struct Names {
    EventResource resource;
    std::string_view added;
    std::string_view updated;
    std::string_view deleted;
  };
  constexpr Names kNames[] = {
      {EventResource::kCSINode, "CSINodeAdd", "CSINodeUpdate", "CSINodeDelete"},
      {EventResource::kCSIDriver, "CSIDriverAdd", "CSIDriverUpdate", "CSIDriverDelete"},
      {EventResource::kCSIStorageCapacity, "CSIStorageCapacityAdd", "CSIStorageCapacityUpdate",
       "CSIStorageCapacityDelete"},
      {EventResource::kPersistentVolume, "PvAdd", "PvUpdate", "PvDelete"},
      {EventResource::kPersistentVolumeClaim, "PvcAdd", "PvcUpdate", "PvcDelete"},
      {EventResource::kStorageClass, "StorageClassAdd", "StorageClassUpdate", ""},
  };
  for (const Names& names : kNames) {
    if (names.resource != resource) continue;
    event.custom_label = actions == action::kAdd      ? names.added
                         : actions == action::kUpdate ? names.updated
                                                      : names.deleted;
  }
  return event;
}

std::map<std::string, std::string> conditionStatuses(const api::Node& node) {
  std::map<std::string, std::string> statuses;
  for (const api::NodeCondition& condition : node.status.conditions) statuses[condition.type] = condition.status;
  return statuses;
}

// The first thing that makes the node better for pods; null if nothing does.
const ClusterEvent* nodeChange(const api::Node& new_node, const api::Node& old_node) {
  if (old_node.spec.unschedulable && !new_node.spec.unschedulable) return &events_v1_24::kNodeSpecUnschedulableChange;
  if (new_node.status.allocatable != old_node.status.allocatable) return &events_v1_24::kNodeAllocatableChange;
  if (new_node.meta.labels != old_node.meta.labels) return &events_v1_24::kNodeLabelChange;
  if (!(new_node.spec.taints == old_node.spec.taints)) return &events_v1_24::kNodeTaintChange;
  if (conditionStatuses(new_node) != conditionStatuses(old_node)) return &events_v1_24::kNodeConditionChange;
  return nullptr;
}

// Whether the pod could run on the node as it is: resources, node affinity, name, ports and NoSchedule taints. What
// preemption could do is left aside.
bool admits(const NodeInfo& node, const PodInfo& info) {
  const api::Pod& pod = *info.pod;
  // As in the filter of this release: a node of which more is taken than it has lacks even nothing.
  const plugins::FitRequest request = plugins::fitRequest(info.requests, {}, true);
  if (!plugins::findLack(request, node.pods.size(), node.allocatable, node.requested, true).none()) return false;
  if (!plugins::RequiredNodeAffinity(pod).matches(*node.node())) return false;
  if (!pod.spec.node_name.empty() && pod.spec.node_name != node.node()->meta.name) return false;
  if (!plugins::portsFit(info.host_ports, node.used_ports)) return false;
  const auto keeps_away = [](const api::Taint& taint) { return taint.effect == "NoSchedule"; };
  return api::findMatchingUntoleratedTaint(node.node()->spec.taints, pod.spec.tolerations, keeps_away) == nullptr;
}

}  // namespace

void SchedulerImpl::V1_24::addEventHandlers(const std::map<EventResource, std::int64_t>& resources) {
  SchedulerImpl& s = s_;
  informers::ResourceEventHandler pods;
  pods.on_add = [&s](const api::ObjectPtr& o) { V1_24(s).onPodAdd(api::as<api::Pod>(o)); };
  pods.on_update = [&s](const api::ObjectPtr& o, const api::ObjectPtr& n) {
    V1_24(s).onPodUpdate(api::as<api::Pod>(o), api::as<api::Pod>(n));
  };
  pods.on_delete = [&s](const api::ObjectPtr& o, bool unknown) { V1_24(s).onPodDelete(api::as<api::Pod>(o), unknown); };
  s.deps_.informers->addEventHandler(api::Kind::kPod, std::move(pods));

  informers::ResourceEventHandler nodes;
  nodes.on_add = [&s](const api::ObjectPtr& o) { V1_24(s).onNodeAdd(api::as<api::Node>(o)); };
  nodes.on_update = [&s](const api::ObjectPtr& o, const api::ObjectPtr& n) {
    V1_24(s).onNodeUpdate(api::as<api::Node>(o), api::as<api::Node>(n));
  };
  nodes.on_delete = [&s](const api::ObjectPtr& o, bool) { V1_24(s).onNodeDelete(api::as<api::Node>(o)); };
  s.deps_.informers->addEventHandler(api::Kind::kNode, std::move(nodes));

  for (const auto& [resource, actions] : resources) addResourceHandler(resource, actions);
}

void SchedulerImpl::V1_24::addResourceHandler(EventResource resource, std::int64_t actions) {
  const std::optional<api::Kind> kind = informerKindOf(resource);
  if (!kind.has_value()) return;
  SchedulerImpl& s = s_;
  const bool classes = resource == EventResource::kStorageClass;
  informers::ResourceEventHandler handler;
  if ((actions & action::kAdd) != 0) {
    handler.on_add = [&s, classes, event = eventOf(resource, action::kAdd)](const api::ObjectPtr& object) {
      // Of a new class only one that binds late can help.
      const auto* added = classes ? api::as<api::StorageClass>(object.get()) : nullptr;
      if (added != nullptr && added->volume_binding_mode != kWaitForFirstConsumer) return;
      V1_24(s).moveAll(event);
    };
  }
  if ((actions & action::kUpdate) != 0) {
    handler.on_update = [&s, event = eventOf(resource, action::kUpdate)](const api::ObjectPtr&, const api::ObjectPtr&) {
      V1_24(s).moveAll(event);
    };
  }
  if ((actions & action::kDelete) != 0 && !classes) {
    handler.on_delete = [&s, event = eventOf(resource, action::kDelete)](const api::ObjectPtr&, bool) {
      V1_24(s).moveAll(event);
    };
  }
  s.deps_.informers->addEventHandler(*kind, std::move(handler));
}

void SchedulerImpl::V1_24::onNodeAdd(const api::NodePtr& node) {
  const NodeInfo& info = s_.cache_.addNode(node);
  moveAll(events_v1_24::kNodeAdd, [&info](const PodInfo& pod) { return admits(info, pod); });
}

void SchedulerImpl::V1_24::onNodeUpdate(const api::NodePtr& old_node, const api::NodePtr& new_node) {
  const NodeInfo& info = s_.cache_.updateNode(old_node.get(), new_node);
  const ClusterEvent* event = nodeChange(*new_node, *old_node);
  if (event != nullptr) moveAll(*event, [&info](const PodInfo& pod) { return admits(info, pod); });
}

void SchedulerImpl::V1_24::onNodeDelete(const api::NodePtr& node) {
  const std::string error = s_.cache_.removeNode(*node);
  if (!error.empty()) s_.log("Scheduler cache RemoveNode failed", error);
}

void SchedulerImpl::V1_24::onPodAdd(const api::PodPtr& pod) {
  if (pod->assigned()) {
    const std::string error = s_.cache_.addPod(pod);
    if (!error.empty()) s_.log("Scheduler cache AddPod failed", error, pod->key());
    s_.queue_->assignedPodAdded(pod);
  } else if (s_.responsibleFor(*pod)) {
    s_.queue_->add(pod);
  }
}

void SchedulerImpl::V1_24::onPodUpdate(const api::PodPtr& old_pod, const api::PodPtr& new_pod) {
  const bool was_waiting = !old_pod->assigned() && s_.responsibleFor(*old_pod);
  if (!new_pod->assigned()) {
    if (!was_waiting) return onPodAdd(new_pod);
    if (!s_.responsibleFor(*new_pod)) return removeQueued(old_pod);
    // An object that has not changed must not bring its pod back into the queue.
    if (old_pod->meta.resource_version == new_pod->meta.resource_version) return;
    if (!s_.cache_.isAssumedPod(*new_pod)) s_.queue_->update(old_pod, new_pod);
    return;
  }
  if (!old_pod->assigned()) {
    onPodAdd(new_pod);
    if (was_waiting) removeQueued(old_pod);
    return;
  }
  const std::string error = s_.cache_.updatePod(*old_pod, new_pod);
  if (!error.empty()) s_.log("Scheduler cache UpdatePod failed", error, old_pod->key());
  s_.queue_->assignedPodUpdated(old_pod, new_pod);
}

void SchedulerImpl::V1_24::onPodDelete(const api::PodPtr& pod, bool final_state_unknown) {
  // A stale object does not tell whether the pod had a node by now.
  if (final_state_unknown || pod->assigned()) removeAssigned(pod);
  if ((final_state_unknown || !pod->assigned()) && s_.responsibleFor(*pod)) removeQueued(pod);
}

void SchedulerImpl::V1_24::removeAssigned(const api::PodPtr& pod) {
  const std::string error = s_.cache_.removePod(*pod);
  if (!error.empty()) s_.log("Scheduler cache RemovePod failed", error, pod->key());
  moveAll(events_v1_24::kAssignedPodDelete);
}

void SchedulerImpl::V1_24::removeQueued(const api::PodPtr& pod) {
  s_.queue_->remove(*pod);
  Framework* framework = s_.frameworkFor(*pod);
  if (framework == nullptr) {
    s_.log("Unable to get profile", "profile not found for scheduler name \"" + pod->spec.scheduler_name + "\"",
           pod->key());
    return;
  }
  // A pod that waits for Permit is assumed and gives its place back.
  if (framework->rejectWaitingPod(pod->meta.uid)) moveAll(events_v1_24::kAssignedPodDelete);
}

}  // namespace podberth::scheduler
