// What NodeResourcesFit and NodeResourcesBalancedAllocation have in common: how much of each resource named in their
// arguments a node has, and how much of it is taken. Upstream: pkg/scheduler/framework/plugins/noderesources/
// resource_allocation.go.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/api/pod.h"
#include "core/scheduler/config/types.h"
#include "core/scheduler/framework/node_info.h"

namespace podberth::scheduler::plugins {

// A pod's requests as written (status and in-place resize do not count for a pod that is not on a node).
Resource specRequests(const api::Pod& pod);

// A resource that is scored.
struct ScoredResource {
  enum class Kind { kCpu, kMemory, kEphemeralStorage, kOther };
  Kind kind = Kind::kOther;
  bool scalar = false;  // left out for pods that do not ask for it
  api::Symbol name;
  std::int64_t weight = 1;
};
std::vector<ScoredResource> scoredResources(const std::vector<config::ResourceSpec>& specs);
// As v1.24 has them: a resource that is named twice counts once, with its last weight.
std::vector<ScoredResource> distinctResources(const std::vector<config::ResourceSpec>& specs);

// One of them at a node; milli-CPU, bytes, counts. `allocatable` 0: the node or the pod has nothing to do with it.
struct Usage {
  std::int64_t allocatable = 0;
  std::int64_t allocated = 0;  // without the pod
  std::int64_t requested = 0;  // with the pod
};
// `taken` counts for CPU and memory: the node's plain requests, or those with a minimum for containers that ask for
// none.
inline Usage usageOf(const ScoredResource& resource, std::int64_t pod_request, const NodeInfo& node,
                     const Resource& taken) {
  Usage u;
  switch (resource.kind) {
    case ScoredResource::Kind::kCpu:
      u.allocatable = node.allocatable.milli_cpu;
      u.allocated = taken.milli_cpu;
      break;
    case ScoredResource::Kind::kMemory:
      u.allocatable = node.allocatable.memory;
      u.allocated = taken.memory;
      break;
    case ScoredResource::Kind::kEphemeralStorage:
      u.allocatable = node.allocatable.ephemeral_storage;
      u.allocated = node.requested.ephemeral_storage;
      break;
    case ScoredResource::Kind::kOther:
      if (pod_request == 0 && resource.scalar) return u;
      u.allocatable = node.allocatable.scalarOf(resource.name);
      if (u.allocatable != 0) u.allocated = node.requested.scalarOf(resource.name);
      break;
  }
  // Sums wrap as Go's do: requests may be as large as the largest int64.
  u.requested =
      static_cast<std::int64_t>(static_cast<std::uint64_t>(u.allocated) + static_cast<std::uint64_t>(pod_request));
  return u;
}

// What the pod asks of each resource, in their order.
enum class RequestKind {
  kNonZero,  // with a minimum for containers that ask for no CPU or memory; pod-level resources do not count
  kPlain,    // as written or, while a resize goes on, as the kubelet has it
};
std::vector<std::int64_t> podRequestsOf(const api::Pod& pod, const std::vector<ScoredResource>& resources,
                                        RequestKind kind);
// As v1.24 adds them up: rounded container by container. The overhead is taken in whole CPUs (a quarter counts as one),
// and that number as milli-CPU, which is an error of that release.
std::vector<std::int64_t> podRequestsByContainer(const api::Pod& pod, const std::vector<ScoredResource>& resources,
                                                 RequestKind kind);

}  // namespace podberth::scheduler::plugins
