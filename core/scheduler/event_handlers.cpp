// What the informers say goes to the cache and to the queue. Upstream: pkg/scheduler/eventhandlers.go.
#include <utility>

#include "core/scheduler/scheduler_impl.h"

namespace podberth::scheduler {
namespace {

// Pods of at most this priority: they treat a nominated pod of that priority as if it ran already.
PreEnqueueCheck atMostPriority(std::int32_t priority) {
  return [priority](const PodInfo& pod) { return pod.pod->priority() <= priority; };
}

}  // namespace

std::optional<api::Kind> informerKindOf(EventResource resource) {
  switch (resource) {
    case EventResource::kPersistentVolume:
      return api::Kind::kPersistentVolume;
    case EventResource::kPersistentVolumeClaim:
      return api::Kind::kPersistentVolumeClaim;
    case EventResource::kCSINode:
      return api::Kind::kCSINode;
    case EventResource::kCSIDriver:
      return api::Kind::kCSIDriver;
    case EventResource::kVolumeAttachment:
      return api::Kind::kVolumeAttachment;
    case EventResource::kCSIStorageCapacity:
      return api::Kind::kCSIStorageCapacity;
    case EventResource::kStorageClass:
      return api::Kind::kStorageClass;
    case EventResource::kResourceClaim:
      return api::Kind::kOther;  // of which the informer has nothing but claims
    default:
      return std::nullopt;
  }
}

void SchedulerImpl::addEventHandlers(const std::map<EventResource, std::int64_t>& resources) {
  informers::ResourceEventHandler pods;
  pods.on_add = [this](const api::ObjectPtr& o) { onPodAdd(api::as<api::Pod>(o)); };
  pods.on_update = [this](const api::ObjectPtr& o, const api::ObjectPtr& n) {
    onPodUpdate(api::as<api::Pod>(o), api::as<api::Pod>(n));
  };
  pods.on_delete = [this](const api::ObjectPtr& o, bool unknown) { onPodDelete(api::as<api::Pod>(o), unknown); };
  deps_.informers->addEventHandler(api::Kind::kPod, std::move(pods));

  informers::ResourceEventHandler nodes;
  nodes.on_add = [this](const api::ObjectPtr& o) { onNodeAdd(api::as<api::Node>(o)); };
  nodes.on_update = [this](const api::ObjectPtr& o, const api::ObjectPtr& n) {
    onNodeUpdate(api::as<api::Node>(o), api::as<api::Node>(n));
  };
  nodes.on_delete = [this](const api::ObjectPtr& o, bool) { onNodeDelete(api::as<api::Node>(o)); };
  deps_.informers->addEventHandler(api::Kind::kNode, std::move(nodes));

  for (const auto& [resource, actions] : resources) {
    const std::optional<api::Kind> kind = informerKindOf(resource);
    if (!kind.has_value()) continue;
    informers::ResourceEventHandler handler;
    if ((actions & action::kAdd) != 0) {
      handler.on_add = [this, event = ClusterEvent{resource, action::kAdd}](const api::ObjectPtr& o) {
        queue_->moveAllToActiveOrBackoffQueue(event, nullptr, o);
      };
    }
    if ((actions & action::kUpdate) != 0) {
      handler.on_update = [this, event = ClusterEvent{resource, action::kUpdate}](const api::ObjectPtr& o,
                                                                                  const api::ObjectPtr& n) {
        queue_->moveAllToActiveOrBackoffQueue(event, o, n);
      };
    }
    if ((actions & action::kDelete) != 0) {
      handler.on_delete = [this, event = ClusterEvent{resource, action::kDelete}](const api::ObjectPtr& o, bool) {
        queue_->moveAllToActiveOrBackoffQueue(event, o, nullptr);
      };
    }
    deps_.informers->addEventHandler(*kind, std::move(handler));
  }
}

void SchedulerImpl::onNodeAdd(const api::NodePtr& node) {
  cache_.addNode(node);
  queue_->moveAllToActiveOrBackoffQueue(ClusterEvent{EventResource::kNode, action::kAdd}, nullptr, node);
}

void SchedulerImpl::onNodeUpdate(const api::NodePtr& old_node, const api::NodePtr& new_node) {
  cache_.updateNode(old_node.get(), new_node);
  for (const ClusterEvent& event : nodeSchedulingPropertiesChange(*new_node, *old_node)) {
    queue_->moveAllToActiveOrBackoffQueue(event, old_node, new_node);
  }
}

void SchedulerImpl::onNodeDelete(const api::NodePtr& node) {
  queue_->moveAllToActiveOrBackoffQueue(ClusterEvent{EventResource::kNode, action::kDelete}, node, nullptr);
  const std::string error = cache_.removeNode(*node);
  if (!error.empty()) log("Scheduler cache RemoveNode failed", error);
}

void SchedulerImpl::onPodAdd(const api::PodPtr& pod) {
  if (pod->assigned()) {
    addAssignedPod(pod);
  } else if (responsibleFor(*pod)) {
    queue_->add(pod);
  }
}

void SchedulerImpl::onPodUpdate(const api::PodPtr& old_pod, const api::PodPtr& new_pod) {
  if (old_pod->assigned()) {
    updateAssignedPod(old_pod, new_pod);
  } else if (new_pod->assigned()) {
    addAssignedPod(new_pod);
    if (responsibleFor(*old_pod)) deleteQueuedPod(old_pod, true);
  } else if (responsibleFor(*old_pod)) {
    updateQueuedPod(old_pod, new_pod);
  }
}

void SchedulerImpl::onPodDelete(const api::PodPtr& pod, bool final_state_unknown) {
  if (final_state_unknown) {
    // The object may be stale: whether it had a node by now is anybody's guess.
    deleteAssignedPod(pod);
    if (responsibleFor(*pod)) deleteQueuedPod(pod, false);
  } else if (pod->assigned()) {
    deleteAssignedPod(pod);
  } else if (responsibleFor(*pod)) {
    deleteQueuedPod(pod, false);
  }
}

void SchedulerImpl::addAssignedPod(const api::PodPtr& pod) {
  const std::string error = cache_.addPod(pod);
  if (!error.empty()) log("Scheduler cache AddPod failed", error, pod->key());
  queue_->assignedPodAdded(pod);
}

void SchedulerImpl::updateAssignedPod(const api::PodPtr& old_pod, const api::PodPtr& new_pod) {
  const std::string error = cache_.updatePod(*old_pod, new_pod);
  if (!error.empty()) log("Scheduler cache UpdatePod failed", error, old_pod->key());
  queue_->assignedPodUpdated(old_pod, new_pod);
}

void SchedulerImpl::deleteAssignedPod(const api::PodPtr& pod) {
  const std::string error = cache_.removePod(*pod);
  if (!error.empty()) log("Scheduler cache RemovePod failed", error, pod->key());
  queue_->moveAllToActiveOrBackoffQueue(events::kAssignedPodDelete, pod, nullptr);
}

void SchedulerImpl::updateQueuedPod(const api::PodPtr& old_pod, const api::PodPtr& new_pod) {
  if (old_pod->meta.resource_version == new_pod->meta.resource_version) return;
  if (cache_.isAssumedPod(*new_pod)) {
    if (new_pod->meta.deletion_timestamp.has_value() && !old_pod->meta.deletion_timestamp.has_value()) {
      assumedPodDeleted(new_pod);
    }
    return;
  }
  queue_->update(old_pod, new_pod);
  const std::string& nominated = old_pod->status.nominated_node_name;
  if (!nominated.empty() && nominated != new_pod->status.nominated_node_name) {
    // As if the pod had been deleted from the node: others took it for running there.
    queue_->moveAllToActiveOrBackoffQueue(events::kAssignedPodDelete, old_pod, nullptr,
                                          atMostPriority(old_pod->priority()));
  }
}

void SchedulerImpl::deleteQueuedPod(const api::PodPtr& pod, bool in_binding) {
  queue_->remove(*pod);
  if (in_binding) return;
  if (cache_.isAssumedPod(*pod)) {
    assumedPodDeleted(pod);
    return;
  }
  if (!pod->status.nominated_node_name.empty()) {
    queue_->moveAllToActiveOrBackoffQueue(events::kAssignedPodDelete, pod, nullptr, atMostPriority(pod->priority()));
  }
}

// An assumed pod was deleted: it must not hold its place any longer, though its binding goes on until it fails.
void SchedulerImpl::assumedPodDeleted(const api::PodPtr& event_pod) {
  // The cache's version has the node.
  const api::PodPtr pod = cache_.getPod(*event_pod);
  if (pod == nullptr) return;
  Framework* framework = frameworkFor(*pod);
  if (framework == nullptr) {
    log("Unable to get profile for pod", "profile not found for scheduler name \"" + pod->spec.scheduler_name + "\"",
        pod->key());
    return;
  }
  if (!framework->rejectWaitingPod(pod->meta.uid)) {
    const std::string error = cache_.removeAssumedPod(*pod);
    if (!error.empty()) log("Scheduler cache RemoveAssumedPod failed", error, pod->key());
  }
  queue_->moveAllToActiveOrBackoffQueue(events::kAssignedPodDelete, pod, nullptr);
}

}  // namespace podberth::scheduler
