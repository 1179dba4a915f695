// What every API object has.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/api/labels.h"
#include "core/clock/time.h"

namespace podberth::api {

// The kinds the scheduler reads, and the workloads that the controllers beside it turn into pods. kOther: known to
// Kubernetes, stored and counted, but for ResourceClaims never looked at.
enum class Kind {
  kPod,
  kNode,
  kNamespace,
  kPriorityClass,
  kPersistentVolume,
  kPersistentVolumeClaim,
  kStorageClass,
  kCSINode,
  kCSIDriver,
  kCSIStorageCapacity,
  kVolumeAttachment,
  kPodDisruptionBudget,
  kService,
  kReplicationController,
  kReplicaSet,
  kStatefulSet,
  kDeployment,
  kDaemonSet,
  kJob,
  kOther,
};
// "Pod", "Node", ...; "" for kOther.
std::string_view kindName(Kind kind);

struct OwnerReference {
  std::string api_version;
  std::string kind;
  std::string name;
  std::string uid;
  std::optional<bool> controller;
  std::optional<bool> block_owner_deletion;
  friend bool operator==(const OwnerReference& a, const OwnerReference& b) {
    return a.api_version == b.api_version && a.kind == b.kind && a.name == b.name && a.uid == b.uid &&
           a.controller == b.controller && a.block_owner_deletion == b.block_owner_deletion;
  }
};

struct ObjectMeta {
  std::string name;
  std::string generate_name;
  std::string ns;  // namespace; "" for kinds without
  std::string uid;
  std::int64_t resource_version = 0;  // 0 = none
  std::int64_t generation = 0;
  std::optional<clock::Time> creation_timestamp;
  std::optional<clock::Time> deletion_timestamp;
  std::optional<std::int64_t> deletion_grace_period_seconds;
  LabelSet labels;
  std::map<std::string, std::string> annotations;
  std::vector<OwnerReference> owner_references;
  std::vector<std::string> finalizers;
};

// Base of all objects. Objects in the store, the informers and the scheduler are shared and never changed: whoever
// wants another version copies first.
struct Object {
  explicit Object(Kind k) : kind(k) {}
  virtual ~Object() = default;
  Object(const Object&) = default;
  Object& operator=(const Object&) = default;

  Kind kind;
  std::string kind_name;    // as given; for kOther the only name
  std::string api_version;  // the version in which it is stored
  ObjectMeta meta;
  // Everything that was given and that no field here models, as canonical JSON (keys sorted); "" if there is none.
  // It takes part in "has anything changed?" and in nothing else.
  std::string rest;

  // "namespace/name", or the name of an object without a namespace.
  std::string key() const { return meta.ns.empty() ? meta.name : meta.ns + "/" + meta.name; }
};

using ObjectPtr = std::shared_ptr<const Object>;

// The object as a T, or null if it is of another kind. T::kKind names its kind.
template <class T>
const T* as(const Object* object) {
  return object != nullptr && object->kind == T::kKind ? static_cast<const T*>(object) : nullptr;
}
template <class T>
std::shared_ptr<const T> as(const ObjectPtr& object) {
  return object != nullptr && object->kind == T::kKind ? std::static_pointer_cast<const T>(object) : nullptr;
}

}  // namespace podberth::api
