// The taints that keep pods away, by the name plugins know them by. The rules are in core/api/tolerations.h.
#pragma once

#include <vector>

#include "core/api/tolerations.h"

namespace podberth::scheduler::plugins {

// The first NoSchedule or NoExecute taint that no toleration tolerates; null if there is none.
inline const api::Taint* findUntoleratedTaint(const std::vector<api::Taint>& taints,
                                              const std::vector<api::Toleration>& tolerations,
                                              bool comparison_operators = false) {
  return taints.empty() ? nullptr : api::findUntoleratedHardTaint(taints, tolerations, comparison_operators);
}

}  // namespace podberth::scheduler::plugins
