// Statuses put together from two. Upstream: pkg/registry/core/pod/strategy.go (podStatusStrategy).
#pragma once

#include "core/api/pod.h"

namespace podberth::apiserver {

// `base` with the fields that `given` has.
api::PodStatus overlaid(api::PodStatus base, const api::PodStatus& given);
// What an update of the status may not take away: the QoS class and the observed generations.
void preserveStatus(api::PodStatus& status, const api::PodStatus& old_status);

}  // namespace podberth::apiserver
