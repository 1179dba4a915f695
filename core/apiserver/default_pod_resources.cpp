#include "core/api/pod_requests.h"
#include "core/apiserver/defaulting.h"
#include "core/apiserver/validation.h"

namespace podberth::apiserver {

namespace {

// Huge pages cannot be overcommitted: the pod's limit is what its containers have.
void defaultHugePageLimits(api::ResourceRequirements& resources, const api::ResourceList& container_limits) {
  for (const auto& [name, limit] : container_limits) {
    if (!isHugePageResource(name) || resources.requests.has(name) || resources.limits.has(name)) continue;
    resources.limits.set(name, limit);
  }
}

void defaultRequests(api::ResourceRequirements& resources, const api::ResourceList& container_requests) {
  for (const auto& [name, request] : container_requests) {
    if (resources.requests.has(name) || !api::isSupportedPodLevelResource(name) || !isOvercommitAllowed(name)) continue;
    resources.requests.set(name, request);
  }
  for (const auto& [name, limit] : resources.limits) {
    if (!resources.requests.has(name) && api::isSupportedPodLevelResource(name)) resources.requests.set(name, limit);
  }
}

bool allContainersLimit(const api::PodSpec& spec, api::Symbol name) {
  for (const auto* containers : {&spec.init_containers, &spec.containers, &spec.ephemeral_containers}) {
    for (const api::Container& container : *containers) {
      if (!container.resources.limits.has(name)) return false;
    }
  }
  return true;
}

void defaultLimits(api::Pod& pod, const api::ResourceList& container_limits) {
  api::ResourceRequirements& resources = *pod.spec.resources;
  for (const auto& [name, request] : resources.requests) {
    if (!api::isSupportedPodLevelResource(name) || resources.limits.has(name)) continue;
    const api::Quantity* limit = container_limits.find(name);
    if (limit == nullptr || !allContainersLimit(pod.spec, name)) continue;
    resources.limits.set(name, request.compare(*limit) > 0 ? request : *limit);
  }
}

}  // namespace

void defaultPodLevelResources(api::Pod& pod, const scheduler::FeatureGates& gates) {
  if (!pod.spec.resources || !gates.enabled("PodLevelResources")) return;
  api::ResourceRequirements& resources = *pod.spec.resources;
  const bool fixed = gates.enabled("PodLevelResourcesFixDefaulting");
  if (resources.limits.empty() && (resources.requests.empty())) return;
  const api::ResourceList requests = api::aggregateContainerRequests(pod);
  const api::ResourceList limits = api::aggregateContainerLimits(pod);
  defaultHugePageLimits(resources, limits);
  // Before the fix requests were completed only for pods with limits, and limits never.
  if (fixed || !resources.limits.empty()) defaultRequests(resources, requests);
  if (fixed) defaultLimits(pod, limits);
}

}  // namespace podberth::apiserver
