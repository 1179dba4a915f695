// Brings raw scores to 0..max. Upstream: pkg/scheduler/framework/plugins/helper/normalize_score.go.
#pragma once

#include <cstdint>
#include <vector>

#include "core/scheduler/framework/plugin.h"

namespace podberth::scheduler::plugins {

// The highest score becomes `max_priority`, the others in proportion (truncated); `reverse` turns them round
// afterwards. If no score is above zero they stay, or, reversed, all become `max_priority`.
void defaultNormalizeScore(std::int64_t max_priority, bool reverse, std::vector<NodeScore>& scores);

}  // namespace podberth::scheduler::plugins
