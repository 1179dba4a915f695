// What extenders have to say to preemption. Upstream: callExtenders in
// pkg/scheduler/framework/preemption/preemption.go.
#pragma once

#include <vector>

#include "core/api/pod.h"
#include "core/scheduler/framework/cycle_state.h"
#include "core/scheduler/framework/status.h"
#include "core/scheduler/preemption/victims.h"

namespace podberth::scheduler::preemption {

// Lets the extenders take candidates away, or change who is to go.
Status callExtenders(const CycleState& state, const api::Pod& pod, std::vector<Candidate>* candidates);

}  // namespace podberth::scheduler::preemption
