// A pod's requests as schedulers before in-place resize and pod-level resources add them up: container by container,
// each amount rounded up to a whole number first, of the spec alone. Upstream (v1.24): pkg/scheduler/framework/types.go
// (calculateResource) and pkg/scheduler/util/pod_resources.go.
#pragma once

#include <cstdint>
#include <memory>

#include "core/api/pod.h"
#include "core/release/release.h"
#include "core/scheduler/framework/node_info.h"

namespace podberth::scheduler {

class FeatureGates;

// What a container counts with, where that is asked for, if it says nothing of CPU or memory.
inline constexpr std::int64_t kDefaultMilliCpuRequest = 100;
inline constexpr std::int64_t kDefaultMemoryRequest = 200 * 1024 * 1024;

// The sum over the containers, or the most that one init container asks for, and the overhead.
Resource requestsByContainer(const api::Pod& pod);

// The same of CPU and memory, with a minimum for containers that ask for none.
struct NonZeroRequests {
  std::int64_t milli_cpu = 0;
  std::int64_t memory = 0;
};
NonZeroRequests nonZeroRequestsByContainer(const api::Pod& pod);

// A container's amount of one resource; milli-CPU, bytes, counts. `minimum`: as above.
std::int64_t containerRequest(const api::ResourceList& requests, api::Symbol name, bool minimum);

// How pods and nodes are counted.
struct Counting {
  Counting(release::FrameworkRules of = release::FrameworkRules::kV1_37) : rules(of) {}
  explicit Counting(const FeatureGates& gates);

  release::FrameworkRules rules;
  bool local_storage = true;  // ephemeral storage; v1.24 has a gate for it
};

// A pod with what it takes of its node as the release counts it: v1.24 by container, and of its containers' ports those
// of init containers never.
std::shared_ptr<PodInfo> makePodInfo(api::PodPtr pod, const Counting& counting);

}  // namespace podberth::scheduler
