// When a pod that InterPodAffinity has rejected is worth another try.
// Upstream: pkg/scheduler/framework/plugins/interpodaffinity/plugin.go.
#pragma once

#include "core/scheduler/framework/events.h"

namespace podberth::scheduler::plugins {

// After a pod with a node was added, changed its labels, or was deleted. As upstream, the terms are taken as written:
// their namespace selectors are not resolved, so one that selects by labels matches no pod here (kubernetes#141953).
HintResult affinityHintAfterAssignedPodChange(const api::Pod& pod, const api::Object* old_object,
                                              const api::Object* new_object);
// After a node was added or changed its labels.
HintResult affinityHintAfterNodeChange(const api::Pod& pod, const api::Object* old_object,
                                       const api::Object* new_object);

}  // namespace podberth::scheduler::plugins
