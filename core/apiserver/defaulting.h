// What the API server fills in. Upstream: pkg/apis/{core,scheduling,storage}/v1/defaults.go, the generated defaults
// beside them, and what the pods' strategy does before a pod is stored (pkg/registry/core/pod/strategy.go,
// pkg/api/pod/util.go).
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "core/api/node.h"
#include "core/api/pod.h"
#include "core/api/storage.h"
#include "core/api/workload.h"
#include "core/clock/time.h"
#include "core/scheduler/framework/handle.h"

namespace podberth::apiserver {

// Fields that the scheduler does not look at are not filled in; instead, defaults that are spelled out are left out, so
// that both ways of writing an object compare equal.
void setDefaults(api::Object& object, const scheduler::FeatureGates& gates);

void setPodDefaults(api::Pod& pod);

// Quantities finer than a thousandth are rounded up to it.
void roundUp(api::ResourceList& list);

// podStrategy.PrepareForCreate: a new pod is pending, its generation is 1; fields of disabled gates go, keys of labels
// are merged into selectors, pod-level resources are completed, the QoS class is set.
void preparePod(api::Pod& pod, const scheduler::FeatureGates& gates, clock::Time now);

// Fields of gates that are off go.
void dropDisabledFields(api::Pod& pod, const scheduler::FeatureGates& gates);

// Merges matchLabelKeys and mismatchLabelKeys into the label selectors, with the pod's own labels
// (match_label_keys.cpp). Upstream: KEP 3243 (topology spread) and 3633 (pod affinity).
void mergeMatchLabelKeys(api::Pod& pod, const scheduler::FeatureGates& gates);

// Completes spec.resources (default_pod_resources.cpp). Upstream: KEP 2837.
void defaultPodLevelResources(api::Pod& pod, const scheduler::FeatureGates& gates);

// parsers.ParseImageName, as far as it decides the pull policy: whether the image's tag is "latest", said or not.
bool isLatestImage(const std::string& image);

}  // namespace podberth::apiserver
