// Small questions about pods. Upstream: k8s.io/kubernetes/pkg/api/v1/pod/util.go, pkg/apis/core/helper/qos/qos.go,
// pkg/scheduler/util/utils.go, k8s.io/component-helpers/storage/ephemeral.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/api/pod.h"
#include "core/clock/time.h"

namespace podberth::api {

// podutil.UpdatePodCondition: sets a condition at time `now`; its transition time stays if its status does. True if
// anything changed.
bool updatePodCondition(PodStatus& status, PodCondition condition, clock::Time now);

// qos.ComputePodQOS: "Guaranteed", "Burstable" or "BestEffort".
const char* computePodQOS(const Pod& pod);
// qos.GetPodQOS: status.qosClass if it is set.
std::string podQOS(const Pod& pod);

// Ports that a pod takes on its node: those of sidecars, then those of the containers.
std::vector<ContainerPort> hostPorts(const Pod& pod);

// The claim that belongs to an ephemeral volume of a pod.
std::string ephemeralClaimName(const Pod& pod, const Volume& volume);
// The name of the claim that a volume uses; "" if it uses none.
std::string claimNameOf(const Pod& pod, const Volume& volume);
// "namespace/name" of the claims that a pod uses, in the order of its volumes.
std::vector<std::string> claimKeys(const Pod& pod);
// metav1.IsControlledBy: whether `object` has `owner` as its controller.
bool isControlledBy(const ObjectMeta& object, const ObjectMeta& owner);
// metav1.GetControllerOf: the owner that is the controller, or null.
const OwnerReference* controllerOf(const ObjectMeta& object);

}  // namespace podberth::api
