// The resource claims of a pod, as far as they are simulated. Claims are stored as they were given, so that what a rule
// asks of them is read out of their JSON. Upstream: k8s.io/dynamic-resource-allocation/resourceclaim/resourceclaim.go.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/api/pod.h"
#include "core/api/workload.h"
#include "core/scheduler/framework/handle.h"

namespace podberth::scheduler::plugins {

using ResourceClaimPtr = std::shared_ptr<const api::OtherObject>;
using ResourceClaimLister = Lister<api::OtherObject>;

// The claims that the pod names or that were made for it. If one is missing, not the pod's or about to go, says so in
// upstream's words.
std::string resourceClaimsOf(const api::Pod& pod, const ResourceClaimLister& lister,
                             std::vector<ResourceClaimPtr>* out);

bool isAllocated(const api::OtherObject& claim);
// Whether the claim's devices are to be had everywhere and at once: an allocation that is bound to nodes, or whose
// devices have conditions, is not simulated.
bool isPlainlyAllocated(const api::OtherObject& claim);
bool sameClaimStatus(const api::OtherObject& a, const api::OtherObject& b);

}  // namespace podberth::scheduler::plugins
