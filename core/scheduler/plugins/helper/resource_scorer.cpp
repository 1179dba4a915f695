#include "core/scheduler/plugins/helper/resource_scorer.h"

#include <algorithm>

#include "core/api/pod_requests.h"
#include "core/scheduler/framework/container_requests.h"
#include "core/scheduler/plugins/helper/resource_names.h"

namespace podberth::scheduler::plugins {
Resource specRequests(const api::Pod& pod) {
  Resource out;
  out.setMax(api::podRequests(pod));
  return out;
}

std::vector<ScoredResource> scoredResources(const std::vector<config::ResourceSpec>& specs) {
  std::vector<ScoredResource> out;
  for (const config::ResourceSpec& spec : specs) {
    ScoredResource r;
    r.name = api::Symbol(spec.name);
    r.weight = spec.weight;
    if (r.name == api::resource::kCPU) {
      r.kind = ScoredResource::Kind::kCpu;
    } else if (r.name == api::resource::kMemory) {
      r.kind = ScoredResource::Kind::kMemory;
    } else if (r.name == api::resource::kEphemeralStorage) {
      r.kind = ScoredResource::Kind::kEphemeralStorage;
    } else {
      r.scalar = isScalarResource(r.name);
    }
    out.push_back(r);
  }
  return out;
}

std::vector<ScoredResource> distinctResources(const std::vector<config::ResourceSpec>& specs) {
  std::vector<config::ResourceSpec> distinct;
  for (const config::ResourceSpec& spec : specs) {
    const auto same = std::find_if(distinct.begin(), distinct.end(),
                                   [&](const config::ResourceSpec& other) { return other.name == spec.name; });
    if (same == distinct.end()) {
      distinct.push_back(spec);
    } else {
      same->weight = spec.weight;
    }
  }
  return scoredResources(distinct);
}

std::vector<std::int64_t> podRequestsByContainer(const api::Pod& pod, const std::vector<ScoredResource>& resources,
                                                 RequestKind kind) {
  const bool minimum = kind == RequestKind::kNonZero;
  std::vector<std::int64_t> out;
  out.reserve(resources.size());
  for (const ScoredResource& r : resources) {
    std::int64_t request = 0;
    for (const api::Container& c : pod.spec.containers) {
      request += containerRequest(c.resources.requests, r.name, minimum);
    }
    for (const api::Container& c : pod.spec.init_containers) {
      request = std::max(request, containerRequest(c.resources.requests, r.name, minimum));
    }
    if (const api::Quantity* overhead = pod.spec.overhead.find(r.name)) request += overhead->value();
    out.push_back(request);
  }
  return out;
}

std::vector<std::int64_t> podRequestsOf(const api::Pod& pod, const std::vector<ScoredResource>& resources,
                                        RequestKind kind) {
  api::ResourceList minimum;
  api::PodResourcesOptions options;
  if (kind == RequestKind::kNonZero) {
    minimum.set(api::resource::kCPU, api::Quantity::fromMilli(kDefaultMilliCpuRequest));
    minimum.set(api::resource::kMemory, api::Quantity::fromInt(kDefaultMemoryRequest));
    options.skip_pod_level_resources = true;
    options.non_missing_container_requests = &minimum;
  } else {
    options.use_status_resources = true;
    options.in_place_pod_level_resize = true;
  }
  const api::ResourceList requests = api::podRequests(pod, options);
  std::vector<std::int64_t> out;
  out.reserve(resources.size());
  for (const ScoredResource& r : resources) {
    const api::Quantity* q = requests.find(r.name);
    if (q == nullptr) {
      out.push_back(0);
    } else {
      out.push_back(r.kind == ScoredResource::Kind::kCpu ? q->milliValue() : q->value());
    }
  }
  return out;
}

}  // namespace podberth::scheduler::plugins
