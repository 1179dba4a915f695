#include "core/scheduler/plugins/helper/normalize_score.h"

#include <algorithm>

#include "core/scheduler/plugins/helper/arithmetic.h"

namespace podberth::scheduler::plugins {

void defaultNormalizeScore(std::int64_t max_priority, bool reverse, std::vector<NodeScore>& scores) {
  std::int64_t highest = 0;
  for (const NodeScore& s : scores) highest = std::max(highest, s.score);
  if (highest == 0) {
    if (reverse) {
      for (NodeScore& s : scores) s.score = max_priority;
    }
    return;
  }
  for (NodeScore& s : scores) {
    const std::int64_t scaled = wrappingMul(max_priority, s.score) / highest;
    s.score = reverse ? max_priority - scaled : scaled;
  }
}

}  // namespace podberth::scheduler::plugins
