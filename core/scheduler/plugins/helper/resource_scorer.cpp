#include "core/scheduler/plugins/helper/resource_scorer.h"

#include "core/api/pod_requests.h"
#include "core/scheduler/plugins/helper/resource_names.h"

namespace podberth::scheduler::plugins {
namespace {
// schedutil.DefaultMilliCPURequest and DefaultMemoryRequest.
constexpr std::int64_t kDefaultMilliCpuRequest = 100;
constexpr std::int64_t kDefaultMemoryRequest = 200 * 1024 * 1024;
}  // namespace

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
