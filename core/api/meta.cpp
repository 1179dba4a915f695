#include "core/api/meta.h"

namespace podberth::api {

std::string_view kindName(Kind kind) {
  switch (kind) {
    case Kind::kPod:
      return "Pod";
    case Kind::kNode:
      return "Node";
    case Kind::kNamespace:
      return "Namespace";
    case Kind::kPriorityClass:
      return "PriorityClass";
    case Kind::kPersistentVolume:
      return "PersistentVolume";
    case Kind::kPersistentVolumeClaim:
      return "PersistentVolumeClaim";
    case Kind::kStorageClass:
      return "StorageClass";
    case Kind::kCSINode:
      return "CSINode";
    case Kind::kCSIDriver:
      return "CSIDriver";
    case Kind::kCSIStorageCapacity:
      return "CSIStorageCapacity";
    case Kind::kVolumeAttachment:
      return "VolumeAttachment";
    case Kind::kPodDisruptionBudget:
      return "PodDisruptionBudget";
    case Kind::kService:
      return "Service";
    case Kind::kReplicationController:
      return "ReplicationController";
    case Kind::kReplicaSet:
      return "ReplicaSet";
    case Kind::kStatefulSet:
      return "StatefulSet";
    case Kind::kDeployment:
      return "Deployment";
    case Kind::kDaemonSet:
      return "DaemonSet";
    case Kind::kJob:
      return "Job";
    case Kind::kOther:
      break;
  }
  return "";
}

}  // namespace podberth::api
