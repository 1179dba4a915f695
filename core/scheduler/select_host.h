// Which of the nodes with the most points a pod goes to, where that is drawn (TiePolicy::kLots): reservoir sampling
// over the nodes in their order. Upstream (v1.24): selectHost in pkg/scheduler/schedule_one.go.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/scheduler/framework/lots.h"
#include "core/scheduler/framework/node_info.h"

namespace podberth::scheduler {

// Position in `nodes`, which is not empty; `totals` are their points. A choice to follow that is not among the best is
// refused, and lots are drawn.
std::size_t selectHost(const std::vector<NodeInfo*>& nodes, const std::vector<std::int64_t>& totals, Lots& lots);

}  // namespace podberth::scheduler
