// Tells the trace what every node would say to a pod, on a cycle state of its own: nothing that the scheduler decides
// depends on it.
#pragma once

#include "core/scheduler/framework/runtime.h"
#include "core/trace/entry.h"

namespace podberth::scheduler {

// Fills in the nodes, what PreFilter said, the filters and the scores of all nodes, and the rejections of every filter
// plugin at the nodes that do not fit.
void diagnose(Framework& framework, FrameworkShared& shared, const PodInfo& pod, trace::Cycle& cycle);

}  // namespace podberth::scheduler
