// What a pod asks for as a whole: the sum over its containers, or the most that its init containers need at one time,
// with pod-level resources and overhead. Upstream: k8s.io/component-helpers/resource/helpers.go; KEP 753 (sidecars),
// 1287 (resize in place), 2837 (pod-level resources).
#pragma once

#include "core/api/pod.h"
#include "core/api/resources.h"

namespace podberth::api {

// The defaults are those of PodResourcesOptions{}: nothing but the spec counts.
struct PodResourcesOptions {
  // Look at the status too: the greatest of what is wanted, allocated and in use counts while a resize is under way.
  bool use_status_resources = false;
  // The same for pod-level resources (gate InPlacePodLevelResourcesVerticalScaling, on by default).
  bool in_place_pod_level_resize = false;
  bool exclude_overhead = false;
  bool skip_pod_level_resources = false;
  bool skip_container_level_resources = false;
  // Requests that a container has if it does not say.
  const ResourceList* non_missing_container_requests = nullptr;
};

ResourceList podRequests(const Pod& pod, const PodResourcesOptions& options = {});
ResourceList podLimits(const Pod& pod, const PodResourcesOptions& options = {});
// podRequests without pod-level resources and overhead.
ResourceList aggregateContainerRequests(const Pod& pod, const PodResourcesOptions& options = {});
ResourceList aggregateContainerLimits(const Pod& pod, const PodResourcesOptions& options = {});

// cpu, memory and huge pages.
bool isSupportedPodLevelResource(Symbol name);
// Whether the pod sets pod-level requests or limits of a supported resource; whether it sets such requests.
bool isPodLevelResourcesSet(const Pod& pod);
bool isPodLevelRequestsSet(const Pod& pod);
bool isPodLevelLimitsSet(const Pod& pod);
bool isPodResizeInfeasible(const Pod& pod);
bool isPodResizeDeferred(const Pod& pod);

// Sums and maxima, resource by resource.
void addTo(ResourceList& list, const ResourceList& more);
void maxInto(ResourceList& list, const ResourceList& other);

}  // namespace podberth::api
