// What the workloads have in common: ReplicationControllers, ReplicaSets, Deployments, StatefulSets, DaemonSets and
// Jobs select pods and hold a template for them. Beside the selector their specs are JSON; these functions read it with
// the API server's defaults.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "core/api/labels.h"
#include "core/api/meta.h"
#include "core/api/pod.h"
#include "core/apiserver/json_view.h"
#include "core/clock/time.h"

namespace podberth::apiserver {

inline constexpr const char* kJobNameLabel = "batch.kubernetes.io/job-name";
inline constexpr const char* kControllerUidLabel = "batch.kubernetes.io/controller-uid";
inline constexpr const char* kLegacyJobNameLabel = "job-name";
inline constexpr const char* kLegacyControllerUidLabel = "controller-uid";

bool isWorkload(api::Kind kind);
bool isWorkload(std::string_view kind);  // by the name of the kind
// The following of workloads only; selectorOf not of ReplicationControllers, whose selectors are plain labels.
const std::optional<api::LabelSelector>& selectorOf(const api::Object& workload);
// The pods that it is responsible for; nothing if it does not say.
api::Selector selectionOf(const api::Object& workload);
// The spec without its selector.
Json specOf(const api::Object& workload);

// No workload gets more pods than this, whatever it asks for.
inline constexpr std::int32_t kMaxReplicas = 20000;
// spec.replicas, 1 if it is not said; at most kMaxReplicas.
std::int32_t replicasOf(const Json& spec);
// spec.minReadySeconds.
clock::Duration minReadyOf(const Json& spec);
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
// How often the template of a DaemonSet has changed, as an annotation; its pods carry it as a label.
inline constexpr const char* kTemplateGeneration = "deprecated.daemonset.template.generation";
// Keeps that number; `old_set` is null of a new one. Upstream: pkg/registry/apps/daemonset/strategy.go.
void numberTemplate(api::Object& daemon_set, const api::Object* old_set);
// An update need not spell out what was generated.
void keepJobSelector(api::Object& job, const api::Object& old_job);

}  // namespace podberth::apiserver
