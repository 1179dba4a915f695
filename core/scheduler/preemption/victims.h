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
// victim uses up the budgets that select it; pods in a budget's disruptedPods are already counted for.
void splitByBudgets(const std::vector<PodInfoPtr>& victims, const Budgets& budgets, std::vector<PodInfoPtr>* violating,
                    std::vector<PodInfoPtr>* others);

// A node on which the preemptor fits once the victims are gone.
struct Candidate {
  std::string node;
  std::vector<api::PodPtr> victims;  // from the most important one on; never empty
  std::int64_t pdb_violations = 0;
};

// The candidate whose victims matter least: fewest budget violations; lowest highest priority; smallest sum of
// priorities; fewest victims; the latest start of the earliest of the highest-priority victims. Upstream leaves the
// rest to the order of a Go map: here it is the first by name. Null if there are no candidates.
const Candidate* pickOne(const std::vector<Candidate>& candidates, clock::Time now);

}  // namespace podberth::scheduler::preemption
