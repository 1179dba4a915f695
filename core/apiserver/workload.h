// What the workloads have in common: ReplicaSets, Deployments, StatefulSets, DaemonSets and Jobs select pods and hold a
// template for them. Beside the selector their specs are JSON; these functions read it with the API server's defaults.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "core/api/meta.h"
#include "core/api/pod.h"
#include "core/apiserver/json_view.h"

namespace podberth::apiserver {

inline constexpr const char* kJobNameLabel = "batch.kubernetes.io/job-name";
inline constexpr const char* kControllerUidLabel = "batch.kubernetes.io/controller-uid";
inline constexpr const char* kLegacyJobNameLabel = "job-name";
inline constexpr const char* kLegacyControllerUidLabel = "controller-uid";

bool isWorkload(api::Kind kind);
// Both of workloads only.
const std::optional<api::LabelSelector>& selectorOf(const api::Object& workload);
// The spec without its selector.
Json specOf(const api::Object& workload);

// No workload gets more pods than this, whatever it asks for.
inline constexpr std::int32_t kMaxReplicas = 20000;
// spec.replicas, 1 if it is not said; at most kMaxReplicas.
std::int32_t replicasOf(const Json& spec);
// A number, or a percentage of `total`, rounded up or down, from 0 to kMaxReplicas; `fallback` (of the same two forms)
// if it is absent. Upstream: intstr.GetScaledValueFromIntOrPercent.
std::int32_t scaledValue(const Json* value, const Json& fallback, std::int32_t total, bool round_up);

// A template with the defaults of its pod, so that both ways of writing it compare equal.
Json defaultedTemplate(const Json& pod_template);

// The pod of spec.template, with defaults, but without what admission adds. Nothing in it is validated.
std::shared_ptr<api::Pod> podOfTemplate(const Json& pod_template, const std::string& ns);

// A Job's uid as its label shows it. The uids here are made of names and can be longer than a label's value may be:
// such a one is cut, and its end tells it from others.
std::string uidLabel(const std::string& uid);

// What the strategy of Jobs does before one is stored: unless manualSelector is set, a Job selects the pods that carry
// its own uid, and its template gets the labels. Upstream: pkg/registry/batch/job/strategy.go.
void generateJobSelector(api::Object& job);
// An update need not spell out what was generated.
void keepJobSelector(api::Object& job, const api::Object& old_job);

}  // namespace podberth::apiserver
