// The selector of a pod's siblings, taken from the services and the controller that it belongs to.
// Upstream: pkg/scheduler/framework/plugins/helper/spread.go.
#pragma once

#include "core/api/labels.h"
#include "core/api/pod.h"
#include "core/scheduler/framework/handle.h"

namespace podberth::scheduler::plugins {

// Empty (which selects everything) if the pod belongs to nothing that has a selector.
api::Selector defaultSelector(const api::Pod& pod, const Listers& listers);

}  // namespace podberth::scheduler::plugins
