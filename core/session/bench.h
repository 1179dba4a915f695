// Times the scheduler's decisions, as the benchmark of the real scheduler does: the pods that the steps create are all
// queued, then taken through their cycles; what is timed is filtering, scoring and selecting, without preemption and
// binding.
#pragma once

#include <cstdint>
#include <string>

#include "core/session/scenario.h"

namespace podberth::session {

// `clock` returns nanoseconds of a steady clock. The answer is one JSON object: scheduler, pods, bound, decide_s,
// decide_p50_us, decide_p99_us.
std::string bench(const Scenario& scenario, std::int64_t (*clock)());

}  // namespace podberth::session
