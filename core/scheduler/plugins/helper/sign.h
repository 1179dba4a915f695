// Texts for signatures: two are equal exactly if the values are. Upstream: k8s.io/kube-scheduler/framework/signers.go.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/api/pod.h"

namespace podberth::scheduler::plugins::sign {

inline constexpr std::string_view kDynamicResources = "v1.Pod.Spec.DynamicResources";
inline constexpr std::string_view kImageNames = "v1.Pod.Spec.CanonicalImageNames()";
inline constexpr std::string_view kLabels = "v1.Pod.Labels";
inline constexpr std::string_view kNodeName = "v1.Pod.Spec.NodeName";
inline constexpr std::string_view kNodeAffinity = "v1.Pod.Spec.Affinity.NodeAffinity";
inline constexpr std::string_view kNodeSelector = "v1.Pod.Spec.Affinity.NodeSelector";
inline constexpr std::string_view kHostPorts = "v1.Pod.Spec.HostPorts()";
inline constexpr std::string_view kResources = "v1.Pod.Spec.ContainerRequestsAndOverheads()";
inline constexpr std::string_view kSchedulerName = "v1.Pod.Spec.SchedulerName";
inline constexpr std::string_view kTolerations = "v1.Pod.Spec.Tolerations";
inline constexpr std::string_view kVolumes = "v1.Pod.Spec.Volumes.NonSyntheticSources()";
inline constexpr std::string_view kFeatures = "v1.Pod.Spec.RequiredFeatures()";

// Appends `text` with its length, so that what follows cannot be mistaken for a part of it.
void append(std::string& out, std::string_view text);
// The same for a list.
std::string list(const std::vector<std::string>& texts);

// Sorted by key and value.
std::string tolerations(const api::Pod& pod);
std::string nodeSelector(const api::Pod& pod);
// Terms, requirements and values in any order are the same.
std::string nodeAffinity(const api::Pod& pod);
// The numbers of all host ports, sorted, each once.
std::string hostPorts(const api::Pod& pod);

// The volumes but config maps and secrets, sorted.
std::string volumes(const api::Pod& pod);
// What the pod requests, as NodeResourcesFit reads it.
std::string resources(const api::Pod& pod);

}  // namespace podberth::scheduler::plugins::sign
