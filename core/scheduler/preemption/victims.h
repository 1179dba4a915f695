// Victims of preemption: who is spared first, whose disruption budget is violated, and which node's victims matter
// least. Upstream: pkg/scheduler/framework/preemption/{types.go,util.go}, pickOneNodeForPreemption,
// pkg/scheduler/util/utils.go.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/api/pod.h"
#include "core/api/workload.h"
#include "core/clock/time.h"
#include "core/scheduler/framework/extender.h"
#include "core/scheduler/framework/node_info.h"

namespace podberth::scheduler::preemption {

// When the pod started; `now` for pods that have not.
clock::Time podStartTime(const api::Pod& pod, clock::Time now);

// Higher priority first, then the one that started earlier.
bool moreImportant(const api::Pod& a, const api::Pod& b, clock::Time now);

// True if scheduler preemption is what the pod is terminating for.
bool terminatingByPreemption(const api::Pod& pod);

using Budgets = std::vector<std::shared_ptr<const api::PodDisruptionBudget>>;

// Splits victims, in their order, into those whose eviction would violate a disruption budget and the others. Each
// victim uses up the budgets that select it, up to the first one that it violates or, with `of_all`, every one; pods in
// a budget's disruptedPods are already counted for.
void splitByBudgets(const std::vector<PodInfoPtr>& victims, const Budgets& budgets, bool of_all,
                    std::vector<PodInfoPtr>* violating, std::vector<PodInfoPtr>* others);

// A node on which the preemptor fits once the victims, of whom there is at least one, are gone.
using Candidate = NodeVictims;

// The candidates whose victims matter least, by name: fewest budget violations; lowest highest priority; smallest sum
// of priorities; fewest victims; the latest start of the earliest of the highest-priority victims.
std::vector<const Candidate*> equallyGood(const std::vector<Candidate>& candidates, clock::Time now);
// The first of them by name, where upstream leaves it to the order of a Go map. Null if there are no candidates.
const Candidate* pickOne(const std::vector<Candidate>& candidates, clock::Time now);

// Several errors as one: each different text once.
std::string aggregate(const std::vector<std::string>& errors);

}  // namespace podberth::scheduler::preemption
