// Cluster events: what happens that could make a pod schedulable. Upstream: k8s.io/kube-scheduler/framework/types.go
// and pkg/scheduler/framework/events.go.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "core/api/meta.h"
#include "core/api/node.h"
#include "core/api/pod.h"

namespace podberth::scheduler {

namespace action {
inline constexpr std::int64_t kAdd = 1 << 0;
inline constexpr std::int64_t kDelete = 1 << 1;
inline constexpr std::int64_t kUpdateNodeAllocatable = 1 << 2;
inline constexpr std::int64_t kUpdateNodeLabel = 1 << 3;
inline constexpr std::int64_t kUpdateNodeTaint = 1 << 4;
inline constexpr std::int64_t kUpdateNodeCondition = 1 << 5;
inline constexpr std::int64_t kUpdateNodeAnnotation = 1 << 6;
inline constexpr std::int64_t kUpdateNodeDeclaredFeature = 1 << 7;
inline constexpr std::int64_t kUpdateNodePreemptionPolicy = 1 << 8;
inline constexpr std::int64_t kUpdatePodLabel = 1 << 9;
inline constexpr std::int64_t kUpdatePodScaleDown = 1 << 10;
inline constexpr std::int64_t kUpdatePodScaleUp = 1 << 11;
inline constexpr std::int64_t kUpdatePodToleration = 1 << 12;
inline constexpr std::int64_t kUpdatePodSchedulingGatesEliminated = 1 << 13;
inline constexpr std::int64_t kUpdatePodGeneratedResourceClaim = 1 << 14;
inline constexpr std::int64_t kAll = (1 << 15) - 1;
inline constexpr std::int64_t kUpdate = kAll & ~(kAdd | kDelete);
}  // namespace action

enum class EventResource {
  kPod,
  kAssignedPod,
  kUnscheduledPod,
  kTargetPod,
  kNode,
  kPersistentVolume,
  kPersistentVolumeClaim,
  kCSINode,
  kCSIDriver,
  kVolumeAttachment,
  kCSIStorageCapacity,
  kStorageClass,
  kResourceClaim,
  kResourceSlice,
  kDeviceClass,
  kPodGroup,
  kWildCard,
};
// "Pod", "storage.k8s.io/CSINode", "*", ...
std::string_view eventResourceName(EventResource resource);

struct ClusterEvent {
  EventResource resource = EventResource::kWildCard;
  std::int64_t action = 0;
  std::string_view custom_label = {};  // a literal

  // "AssignedPodAdd", "NodeUpdateNodeTaint", "UnschedulableTimeout", ...
  std::string label() const;
  bool isWildCard() const { return resource == EventResource::kWildCard && action == action::kAll; }
  friend bool operator==(const ClusterEvent& a, const ClusterEvent& b) {
    return a.resource == b.resource && a.action == b.action && a.custom_label == b.custom_label;
  }
};

// Whether a plugin that registered `registered` wants to hear of `incoming` (framework.MatchClusterEvents).
bool matchClusterEvents(const ClusterEvent& registered, const ClusterEvent& incoming);
bool matchAnyClusterEvent(const ClusterEvent& incoming, const std::vector<ClusterEvent>& registered);

// What an update of a pod or a node changes that matters to scheduling; several events or none, in upstream's order. A
// pod's update is a general kUpdate if it is nothing in particular. `pod_level_resize`:
// InPlacePodLevelResourcesVerticalScaling.
std::vector<ClusterEvent> podSchedulingPropertiesChange(const api::Pod& new_pod, const api::Pod& old_pod,
                                                        bool is_target_pod, bool pod_level_resize = true);
std::vector<ClusterEvent> nodeSchedulingPropertiesChange(const api::Node& new_node, const api::Node& old_node);

namespace events {
// The events that the scheduler itself names (framework.EventUnscheduledPodAdd and so on).
inline constexpr ClusterEvent kUnscheduledPodAdd{EventResource::kUnscheduledPod, action::kAdd, {}};
inline constexpr ClusterEvent kUnscheduledPodUpdate{EventResource::kUnscheduledPod, action::kUpdate, {}};
inline constexpr ClusterEvent kUnscheduledPodDelete{EventResource::kUnscheduledPod, action::kDelete, {}};
inline constexpr ClusterEvent kAssignedPodAdd{EventResource::kAssignedPod, action::kAdd, {}};
inline constexpr ClusterEvent kAssignedPodUpdate{EventResource::kAssignedPod, action::kUpdate, {}};
inline constexpr ClusterEvent kAssignedPodDelete{EventResource::kAssignedPod, action::kDelete, {}};
inline constexpr ClusterEvent kUnschedulableTimeout{EventResource::kWildCard, action::kAll, "UnschedulableTimeout"};
inline constexpr ClusterEvent kForceActivate{EventResource::kWildCard, action::kAll, "ForceActivate"};
inline constexpr std::string_view kScheduleAttemptFailure = "ScheduleAttemptFailure";
inline constexpr std::string_view kBackoffComplete = "BackoffComplete";
inline constexpr std::string_view kPopFromBackoffQ = "PopFromBackoffQ";
}  // namespace events

// The events of v1.24, which have names of their own (pkg/scheduler/internal/queue/events.go).
namespace events_v1_24 {
inline constexpr ClusterEvent kAssignedPodAdd{EventResource::kPod, action::kAdd, "AssignedPodAdd"};
inline constexpr ClusterEvent kAssignedPodUpdate{EventResource::kPod, action::kUpdate, "AssignedPodUpdate"};
inline constexpr ClusterEvent kAssignedPodDelete{EventResource::kPod, action::kDelete, "AssignedPodDelete"};
inline constexpr ClusterEvent kNodeAdd{EventResource::kNode, action::kAdd, "NodeAdd"};
inline constexpr ClusterEvent kNodeSpecUnschedulableChange{EventResource::kNode, action::kUpdateNodeTaint,
                                                           "NodeSpecUnschedulableChange"};
inline constexpr ClusterEvent kNodeAllocatableChange{EventResource::kNode, action::kUpdateNodeAllocatable,
                                                     "NodeAllocatableChange"};
inline constexpr ClusterEvent kNodeLabelChange{EventResource::kNode, action::kUpdateNodeLabel, "NodeLabelChange"};
inline constexpr ClusterEvent kNodeTaintChange{EventResource::kNode, action::kUpdateNodeTaint, "NodeTaintChange"};
inline constexpr ClusterEvent kNodeConditionChange{EventResource::kNode, action::kUpdateNodeCondition,
                                                   "NodeConditionChange"};
}  // namespace events_v1_24

enum class QueueingHint { kQueueSkip, kQueue };

struct HintResult {
  QueueingHint hint = QueueingHint::kQueueSkip;
  std::string error;  // if not empty, the queue takes the hint as kQueue and logs this
  static HintResult queue() { return {QueueingHint::kQueue, {}}; }
  static HintResult skip() { return {QueueingHint::kQueueSkip, {}}; }
};

// Whether an event could make `pod`, which the plugin rejected before, schedulable. `old_object` is null for an
// addition, `new_object` for a deletion; api::as<> gives them their type.
using QueueingHintFn =
    std::function<HintResult(const api::Pod& pod, const api::Object* old_object, const api::Object* new_object)>;

struct ClusterEventWithHint {
  ClusterEvent event;
  QueueingHintFn hint;  // empty: always kQueue
};

}  // namespace podberth::scheduler
