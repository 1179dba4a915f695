// What the plugins of volumes share: the claims that a pod's volumes use, storage classes, and the texts of what is
// missing. Upstream: k8s.io/component-helpers/storage/{volume,ephemeral}, the generated listers' errors.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/api/pod.h"
#include "core/api/storage.h"
#include "core/scheduler/framework/plugin.h"

namespace podberth::scheduler::plugins {

inline constexpr std::string_view kWaitForFirstConsumer = "WaitForFirstConsumer";
inline constexpr const char* kSelectedNodeAnnotation = "volume.kubernetes.io/selected-node";
inline constexpr const char* kBindCompletedAnnotation = "pv.kubernetes.io/bind-completed";
inline constexpr const char* kBoundByControllerAnnotation = "pv.kubernetes.io/bound-by-controller";

// The class that a claim asks for or a volume has; the beta annotation, if it is there, decides. "" = none.
const std::string& storageClassOf(const api::PersistentVolumeClaim& claim);
const std::string& storageClassOf(const api::PersistentVolume& volume);

// The claim, in the pod's namespace, that a volume of the pod is.
struct UsedClaim {
  std::string name;
  bool ephemeral = false;  // made for the pod, out of a template
};
std::optional<UsedClaim> usedClaim(const api::Pod& pod, const api::Volume& volume);
// Whether the pod has a volume of the claim "name"; ephemeral ones count if `with_ephemeral`.
bool usesClaim(const api::Pod& pod, const api::PersistentVolumeClaim& claim, bool with_ephemeral);

// Why the claim is not the pod's ephemeral volume; "" if it is.
std::string whyNotForPod(const api::Pod& pod, const api::PersistentVolumeClaim& claim);

// `persistentvolumeclaim "a" not found`; `resource` is as listers have it, in the singular and with its group.
std::string notFoundText(std::string_view resource, std::string_view name);
inline constexpr std::string_view kClaimResource = "persistentvolumeclaim";
inline constexpr std::string_view kVolumeResource = "persistentvolume";
inline constexpr std::string_view kStorageClassResource = "storageclass.storage.k8s.io";

// The signature of all plugins of volumes.
std::vector<SignFragment> signVolumes(const api::Pod& pod, bool& signable);

}  // namespace podberth::scheduler::plugins
