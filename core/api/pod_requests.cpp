#include "core/api/pod_requests.h"

#include <algorithm>

namespace podberth::api {
namespace {

const char* const kHugePagesPrefix = "hugepages-";
const char* const kResizePending = "PodResizePending";

bool anySupported(const ResourceList& list) {
  return std::any_of(list.begin(), list.end(),
                     [](const ResourceList::Item& item) { return isSupportedPodLevelResource(item.first); });
}

const ContainerStatus* findStatus(const Pod& pod, const std::string& name) {
  for (const auto* statuses : {&pod.status.container_statuses, &pod.status.init_container_statuses}) {
    for (const ContainerStatus& s : *statuses) {
      if (s.name == name) return &s;
    }
  }
  return nullptr;
}

// What one container counts for. `status` is null unless the status counts.
using Pick = const ResourceList& (*)(const Container&, const ContainerStatus* status, bool infeasible);

const ResourceList& none() {
  static const ResourceList kNone;
  return kNone;
}

const ResourceList& wantedRequests(const Container& c, const ContainerStatus*, bool) { return c.resources.requests; }
const ResourceList& allocatedRequests(const Container& c, const ContainerStatus* s, bool infeasible) {
  if (s != nullptr && !s->allocated_resources.empty()) return s->allocated_resources;
  return infeasible ? none() : c.resources.requests;
}
const ResourceList& actualRequests(const Container& c, const ContainerStatus* s, bool infeasible) {
  if (s != nullptr && s->resources && !s->resources->requests.empty()) return s->resources->requests;
  return allocatedRequests(c, s, infeasible);
}
const ResourceList& wantedLimits(const Container& c, const ContainerStatus*, bool) { return c.resources.limits; }
const ResourceList& actualLimits(const Container& c, const ContainerStatus* s, bool infeasible) {
  if (s != nullptr && s->resources && !s->resources->limits.empty()) return s->resources->limits;
  return infeasible ? none() : c.resources.limits;
}

ResourceList withMissing(const ResourceList& requests, const ResourceList& missing) {
  ResourceList out = requests;
  for (const auto& [name, quantity] : missing) {
    if (!requests.has(name)) out.set(name, Quantity().add(quantity));
  }
  return out;
}

ResourceList aggregate(const Pod& pod, const PodResourcesOptions& options, const ResourceList* missing, Pick pick) {
  const bool infeasible = options.use_status_resources && isPodResizeInfeasible(pod);
  const auto of = [&](const Container& c) {
    const ContainerStatus* status = options.use_status_resources ? findStatus(pod, c.name) : nullptr;
    const ResourceList& list = pick(c, status, infeasible);
    return missing != nullptr && !missing->empty() ? withMissing(list, *missing) : list;
  };
  ResourceList result;
  for (const Container& c : pod.spec.containers) addTo(result, of(c));
  // While an init container runs, the sidecars before it run too.
  ResourceList sidecars, at_init;
  for (const Container& c : pod.spec.init_containers) {
    ResourceList list = of(c);
    if (c.isSidecar()) {
      addTo(result, list);
      addTo(sidecars, list);
      maxInto(at_init, sidecars);
    } else {
      addTo(list, sidecars);
      maxInto(at_init, list);
    }
  }
  maxInto(result, at_init);
  return result;
}

void applyPodLevel(ResourceList& result, const ResourceList& list) {
  for (const auto& [name, quantity] : list) {
    if (isSupportedPodLevelResource(name)) result.set(name, quantity);
  }
}

}  // namespace

void addTo(ResourceList& list, const ResourceList& more) {
  for (const auto& [name, quantity] : more) {
    const Quantity* have = list.find(name);
    list.set(name, have == nullptr ? quantity : have->add(quantity));
  }
}

void maxInto(ResourceList& list, const ResourceList& other) {
  for (const auto& [name, quantity] : other) {
    const Quantity* have = list.find(name);
    if (have == nullptr || quantity.compare(*have) > 0) list.set(name, quantity);
  }
}

bool isSupportedPodLevelResource(Symbol name) {
  return name == resource::kCPU || name == resource::kMemory || name.str().rfind(kHugePagesPrefix, 0) == 0;
}

bool isPodLevelRequestsSet(const Pod& pod) { return pod.spec.resources && anySupported(pod.spec.resources->requests); }
bool isPodLevelLimitsSet(const Pod& pod) { return pod.spec.resources && anySupported(pod.spec.resources->limits); }
bool isPodLevelResourcesSet(const Pod& pod) { return isPodLevelRequestsSet(pod) || isPodLevelLimitsSet(pod); }

bool isPodResizeInfeasible(const Pod& pod) {
  const PodCondition* c = pod.status.condition(kResizePending);
  return c != nullptr && c->reason == "Infeasible";
}

bool isPodResizeDeferred(const Pod& pod) {
  const PodCondition* c = pod.status.condition(kResizePending);
  return c != nullptr && c->reason == "Deferred";
}

ResourceList aggregateContainerRequests(const Pod& pod, const PodResourcesOptions& options) {
  const ResourceList* missing = options.non_missing_container_requests;
  ResourceList wanted = aggregate(pod, options, missing, wantedRequests);
  if (!options.use_status_resources) return wanted;
  ResourceList allocated, actual;
  const PodStatus& status = pod.status;
  if (options.in_place_pod_level_resize && !status.allocated_resources.empty() && status.resources &&
      !status.resources->requests.empty()) {
    allocated = status.allocated_resources;
    actual = status.resources->requests;
  } else {
    allocated = aggregate(pod, options, missing, allocatedRequests);
    actual = aggregate(pod, options, missing, actualRequests);
  }
  ResourceList result = isPodResizeInfeasible(pod) ? ResourceList() : std::move(wanted);
  maxInto(result, actual);
  maxInto(result, allocated);
  return result;
}

ResourceList aggregateContainerLimits(const Pod& pod, const PodResourcesOptions& options) {
  ResourceList wanted = aggregate(pod, options, nullptr, wantedLimits);
  if (!options.use_status_resources) return wanted;
  const PodStatus& status = pod.status;
  const ResourceList actual = options.in_place_pod_level_resize && status.resources && !status.resources->limits.empty()
                                  ? status.resources->limits
                                  : aggregate(pod, options, nullptr, actualLimits);
  if (isPodResizeInfeasible(pod)) return actual;
  maxInto(wanted, actual);
  return wanted;
}

ResourceList podRequests(const Pod& pod, const PodResourcesOptions& options) {
  ResourceList requests;
  if (!options.skip_container_level_resources) requests = aggregateContainerRequests(pod, options);
  if (!options.skip_pod_level_resources && isPodLevelRequestsSet(pod)) {
    ResourceList level = pod.spec.resources->requests;
    if (options.in_place_pod_level_resize && options.use_status_resources && pod.status.resources) {
      if (isPodResizeInfeasible(pod)) level = ResourceList();
      maxInto(level, pod.status.resources->requests);
      maxInto(level, pod.status.allocated_resources);
    }
    applyPodLevel(requests, level);
  }
  if (!options.exclude_overhead) addTo(requests, pod.spec.overhead);
  return requests;
}

ResourceList podLimits(const Pod& pod, const PodResourcesOptions& options) {
  ResourceList limits = aggregateContainerLimits(pod, options);
  if (!options.skip_pod_level_resources && isPodLevelResourcesSet(pod)) {
    ResourceList level = pod.spec.resources->limits;
    if (options.in_place_pod_level_resize && options.use_status_resources && pod.status.resources) {
      if (isPodResizeInfeasible(pod)) level = ResourceList();
      maxInto(level, pod.status.resources->limits);
    }
    applyPodLevel(limits, level);
  }
  if (!options.exclude_overhead) {
    for (const auto& [name, quantity] : pod.spec.overhead) {
      const Quantity* have = limits.find(name);
      if (have != nullptr && !have->isZero()) limits.set(name, have->add(quantity));
    }
  }
  return limits;
}

}  // namespace podberth::api
