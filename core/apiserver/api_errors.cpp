#include "core/apiserver/api_errors.h"

#include <algorithm>
#include <array>

#include "core/api/go_text.h"
#include "core/api/names.h"

namespace podberth::apiserver {

namespace {

constexpr std::array<std::string_view, 13> kClusterScoped = {
    "Node",         "Namespace",     "PersistentVolume", "PriorityClass",    "RuntimeClass",
    "StorageClass", "CSINode",       "CSIDriver",        "VolumeAttachment", "VolumeAttributesClass",
    "DeviceClass",  "ResourceSlice", "DeviceTaintRule"};

std::string about(std::string_view resource, std::string_view name) {
  return std::string(resource) + " " + api::go::quote(name);
}

}  // namespace

std::string_view groupOf(std::string_view api_version) {
  const std::size_t slash = api_version.find('/');
  return slash == std::string_view::npos ? std::string_view() : api_version.substr(0, slash);
}

std::string_view groupOf(api::Kind kind) {
  switch (kind) {
    case api::Kind::kPriorityClass:
      return "scheduling.k8s.io";
    case api::Kind::kStorageClass:
    case api::Kind::kCSINode:
    case api::Kind::kCSIDriver:
    case api::Kind::kCSIStorageCapacity:
    case api::Kind::kVolumeAttachment:
      return "storage.k8s.io";
    case api::Kind::kPodDisruptionBudget:
      return "policy";
    case api::Kind::kReplicaSet:
    case api::Kind::kStatefulSet:
    case api::Kind::kDeployment:
    case api::Kind::kDaemonSet:
      return "apps";
    case api::Kind::kJob:
      return "batch";
    default:
      return "";
  }
}

std::string resourceName(std::string_view group, std::string_view kind) {
  std::string name = api::names::lowered(kind);
  if (name.size() >= 9 && name.compare(name.size() - 9, 9, "endpoints") == 0) {
    // has no other plural
  } else if (!name.empty() && name.back() == 's') {
    name += "es";
  } else if (!name.empty() && name.back() == 'y') {
    name.back() = 'i';
    name += "es";
  } else {
    name += "s";
  }
  return group.empty() ? name : name + "." + std::string(group);
}

std::string resourceName(api::Kind kind) { return resourceName(groupOf(kind), api::kindName(kind)); }

std::string resourceName(const api::Object& object) {
  if (object.kind != api::Kind::kOther) return resourceName(object.kind);
  return resourceName(groupOf(object.api_version), object.kind_name);
}

bool isClusterScoped(std::string_view kind) {
  return std::find(kClusterScoped.begin(), kClusterScoped.end(), kind) != kClusterScoped.end();
}

scheduler::ApiError notFound(std::string_view resource, std::string_view name) {
  scheduler::ApiError error;
  error.failed = true;
  error.not_found = true;
  error.message = about(resource, name) + " not found";
  return error;
}

scheduler::ApiError alreadyExists(std::string_view resource, std::string_view name) {
  scheduler::ApiError error;
  error.failed = true;
  error.message = about(resource, name) + " already exists";
  return error;
}

scheduler::ApiError conflict(std::string_view resource, std::string_view name, std::string_view why) {
  scheduler::ApiError error;
  error.failed = true;
  error.conflict = true;
  error.message = "Operation cannot be fulfilled on " + about(resource, name) + ": " + std::string(why);
  return error;
}

std::string forbidden(std::string_view resource, std::string_view name, std::string_view why) {
  return name.empty() ? std::string(resource) + " is forbidden: " + std::string(why)
                      : about(resource, name) + " is forbidden: " + std::string(why);
}

}  // namespace podberth::apiserver
