// The rules that pods and nodes must obey, in the order in which the API server checks them.
// Upstream: pkg/apis/core/validation/validation.go, pkg/api/pod/util.go, k8s.io/apimachinery/pkg/api/validation.
// README.md lists what is checked and what is accepted unchecked.
#pragma once

#include <functional>
#include <initializer_list>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/api/field_error.h"
#include "core/api/go_text.h"
#include "core/api/ip.h"
#include "core/api/names.h"
#include "core/api/node.h"
#include "core/api/pod.h"
#include "core/api/storage.h"
#include "core/apiserver/json_view.h"
#include "core/apiserver/rules.h"
#include "core/scheduler/framework/handle.h"

namespace podberth::apiserver {

// The words of errors and the syntax of names are those of all documents.
namespace go = api::go;
using namespace api::names;  // NOLINT: all of it is the vocabulary of these rules
using api::field::jsonString;
using api::field::jsonStrings;
using api::field::null;
using api::field::number;
using api::field::Path;
using api::field::raw;
using api::field::Shown;
using api::field::shown;

inline constexpr std::string_view kNegativeMessage = "must be greater than or equal to 0";
inline constexpr std::string_view kNotPositiveMessage = "must be greater than zero";
inline constexpr std::string_view kImmutableMessage = "field is immutable";
inline constexpr std::string_view kMirrorPodAnnotation = "kubernetes.io/config.mirror";
inline constexpr std::string_view kAppArmorPrefix = "container.apparmor.security.beta.kubernetes.io/";

// What a pod may do: the feature gates, and what the pod did already before an update.
struct PodOptions {
  bool allow_invalid_deletion_cost = false;
  bool allow_indivisible_huge_pages = false;
  bool allow_invalid_label_value_in_selector = false;
  bool allow_invalid_label_value_in_node_affinity = false;
  bool allow_invalid_spread_selector = false;
  bool allow_spread_match_label_keys = true;
  bool allow_spread_match_label_keys_merge = true;
  bool old_violates_match_label_keys = false;
  bool old_violates_legacy_match_label_keys = false;
  bool allow_toleration_comparison = false;
  bool allow_restart_rules = true;
  bool allow_restart_all = true;
  bool allow_restart_container_for_init = false;
  bool allow_env_files = true;
  bool pod_level_resources = true;
  bool strict_ip = true;
  bool clear_nominated_after_binding = true;
  bool expanded_dns = true;
  bool read_write_once_pod = true;
  bool windows_host_process = true;
  bool only_recursive_labels = false;  // of SELinux
  bool host_network_of_users = false;  // with user namespaces
  bool resource_health = true;         // statuses tell of it
};
PodOptions podOptions(const api::Pod* old_pod, const scheduler::FeatureGates& gates);

// ---- metadata (validate_meta.cpp) ----
using NameRule = Messages (*)(std::string_view name, bool prefix, const api::Wording& wording);
void validateLabelName(std::string_view name, const Path& path, ErrorList& errors);
void validateLabels(const api::LabelSet& labels, const Path& path, ErrorList& errors);
inline constexpr std::size_t kAnnotationsLimit = 256 * 1024;
void validateAnnotations(const std::map<std::string, std::string>& annotations, const Path& path, ErrorList& errors);
void validateLabelSelector(const std::optional<api::LabelSelector>& selector, bool allow_invalid_values,
                           const Path& path, ErrorList& errors);
void validateQualifiedName(std::string_view value, const Path& path, ErrorList& errors);
void validateDnsLabel(std::string_view value, const Path& path, ErrorList& errors);
void validateDnsSubdomain(std::string_view value, const Path& path, ErrorList& errors);
void validateNonNegative(std::int64_t value, const Path& path, ErrorList& errors);
void validatePositive(std::int64_t value, const Path& path, ErrorList& errors);
// A new object's metadata, with the additional rule for finalizers that core kinds have.
void validateObjectMeta(const api::Object& object, bool namespaced, NameRule name_rule, const Path& path,
                        ErrorList& errors);
void validateObjectMetaUpdate(const api::Object& object, const api::Object& old_object, const Path& path,
                              ErrorList& errors);
// What the API server checks for all kinds before an update (rest.validateCommonFields).
void validateCommonUpdate(const api::Object& object, const api::Object& old_object, bool namespaced, ErrorList& errors);

// ---- pods ----
void validatePodCreate(const api::Pod& pod, const PodOptions& options, ErrorList& errors);  // validate_pod.cpp
void validatePodMetadataAndSpec(const api::Pod& pod, const PodOptions& options, ErrorList& errors);
void validatePodUpdate(const api::Pod& pod, const api::Pod& old_pod,
                       const PodOptions& options,  // validate_pod_update.cpp
                       ErrorList& errors);
void validatePodStatusUpdate(const api::Pod& pod, const api::Pod& old_pod,
                             const PodOptions& options,  // validate_pod_status.cpp
                             ErrorList& errors);
// The template of a workload's pods, as a pod; `path` is the template's.
void validatePodTemplate(const api::Pod& pod, const Path& path, const PodOptions& options, ErrorList& errors);
bool samePodSpec(const api::PodSpec& a, const api::PodSpec& b);

// validate_annotations.cpp
void validatePodAnnotations(const api::Pod& pod, const PodOptions& options, const Path& path, ErrorList& errors);
void validateAnnotationUpdates(const api::Pod& pod, const api::Pod& old_pod, const PodOptions& options,
                               const Path& path, ErrorList& errors);
bool hasInvalidDeletionCost(const api::ObjectMeta& meta);
// That annotations with profiles of seccomp and AppArmor say what the fields say; `path` is the spec's.
void validateProfilesMatch(const api::Pod& pod, const Path& path, ErrorList& errors);
void validateNodeAnnotations(const api::ObjectMeta& meta, const Path& path, ErrorList& errors);

// validate_projections.cpp
void requireMembers(const Json& source, std::initializer_list<const char*> keys, const Path& path, ErrorList& errors);
void validateFiles(const Json& source, const Path& path, ErrorList& errors);  // of secrets and config maps
void validateDownwardApi(const Json& source, const Path& path, ErrorList& errors);
void validateProjected(const Json& volume, const Path& path, ErrorList& errors);

// validate_pod_volumes.cpp. Returns the volumes that are sound, by their index in the spec: others may refer to those.
struct VolumeNames {
  std::set<std::string> all;
  std::set<std::string> claims;  // of persistentVolumeClaim and ephemeral
  std::set<std::string> empty_dirs;
  std::set<std::string> images;
};
VolumeNames validateVolumes(const api::Pod& pod, const Path& path, const PodOptions& options, ErrorList& errors);
void validateLocalDescendingPath(std::string_view target, const Path& path, ErrorList& errors);
bool hasBacksteps(std::string_view target);
void validatePathNoBacksteps(std::string_view target, const Path& path, ErrorList& errors);
void validatePullPolicy(std::string_view policy, const Path& path, ErrorList& errors);

// validate_pod_containers.cpp
void validateContainers(const api::PodSpec& spec, const VolumeNames& volumes, const Path& path,
                        const PodOptions& options, ErrorList& errors);
void validateInitContainers(const api::PodSpec& spec, const VolumeNames& volumes, const Path& path,
                            const PodOptions& options, ErrorList& errors);
void validateEphemeralContainers(const api::PodSpec& spec, const VolumeNames& volumes, const Path& path,
                                 const PodOptions& options, ErrorList& errors);
void validatePorts(const std::vector<api::ContainerPort>& ports, const Path& path, ErrorList& errors);
// Of the containers from `first` to `last`, which the path counts from `path_from`.
void validateHostPortConflicts(const std::vector<api::Container>& containers, std::size_t first, std::size_t last,
                               const Path& path, std::size_t path_from, ErrorList& errors);
// The older order of it all (validate_pod_containers_v1_24.cpp).
void validateAllContainersProbesFirst(const api::PodSpec& spec, const VolumeNames& volumes, const Path& path,
                                      const PodOptions& options, ErrorList& errors);
void validateHostNetworkPorts(const api::PodSpec& spec, const Path& path, ErrorList& errors);
void validateImageWhitespace(const api::Container& container, const Path& path, ErrorList& errors);

// validate_container_details.cpp: what containers keep as JSON.
// Who is told of the pod's own fields and resources.
enum class FieldsOf { kVariable, kVolume };
void validateFieldSelector(const Json& selector, FieldsOf of, const Path& path, ErrorList& errors);
void validateResourceSelector(const Json& selector, FieldsOf of, const Path& path, ErrorList& errors);
void validateEnv(const Json& container, const Path& path, const PodOptions& options, ErrorList& errors);
void validateVolumeMounts(const Json& container, const VolumeNames& volumes, const Path& path, ErrorList& errors);
void validateResizePolicy(const Json& container, const Path& path, std::string_view pod_restart_policy,
                          ErrorList& errors);
void validateRestartRules(const std::optional<std::string>& policy, const Json& container, const Path& path,
                          const PodOptions& options, ErrorList& errors);
void validateLifecycle(const Json& container, const api::PodSpec& spec, const Path& path, ErrorList& errors);
enum class ProbeKind { kLiveness, kReadiness, kStartup };
void validateProbe(const Json& container, const char* key, ProbeKind kind, const api::PodSpec& spec, const Path& path,
                   ErrorList& errors);
void validateLifecycleAndProbes(const Json& container, const api::PodSpec& spec, const Path& path, ErrorList& errors);

// validate_security.cpp
void validateContainerSecurity(const Json& container, bool host_users, const Path& path, ErrorList& errors);
// A pod that shares its processes may not have the host's.
void validateProcessSharing(const Json& rest, const Path& path, ErrorList& errors);
void validatePodSecurity(const api::PodSpec& spec, const Json& rest, const Path& path, const PodOptions& options,
                         ErrorList& errors);
// The id of a user or a group.
void validateId(const Json& owner, const char* key, const Path& path, ErrorList& errors);
void validateIds(const Json& owner, const char* key, const Path& path, ErrorList& errors);
// A member that must be one of those, if it is there.
void validateChoice(const Json& owner, const char* key, const std::vector<std::string_view>& choices, const Path& path,
                    ErrorList& errors);
// In upstream's order: init containers first.
void forEachContainer(const api::PodSpec& spec, const Path& path,
                      const std::function<void(const api::Container&, const Path&)>& visit);
void forEachSecurityContext(const api::PodSpec& spec, const Path& path,
                            const std::function<void(const Json&, const Path&)>& visit);

// validate_windows.cpp
void validateWindowsOptions(const Json& context, const Path& path, ErrorList& errors);
void validateHostProcess(const api::PodSpec& spec, const Json& rest, const Path& path, const PodOptions& options,
                         ErrorList& errors);
// What a pod may not have on the operating system that it names.
void validateOs(const api::PodSpec& spec, const Json& rest, const Path& path, ErrorList& errors);

// validate_pod_resources.cpp
enum class ResourceOwner { kContainer, kPod };
void validateResourceRequirements(const api::ResourceRequirements& resources, ResourceOwner owner,
                                  const std::vector<std::string>& claim_names, const Path& path,
                                  const PodOptions& options, ErrorList& errors);
void validatePodResources(const api::Pod& pod, const Path& path, const PodOptions& options, ErrorList& errors);
void validateOverhead(const api::PodSpec& spec, const Path& path, const PodOptions& options, ErrorList& errors);
// Not negative, and whole where the resource is counted.
void validateResourceQuantity(api::Symbol name, const api::Quantity& value, const Path& path, ErrorList& errors);
bool usesIndivisibleHugePages(const api::PodSpec& spec);

// validate_pod_scheduling.cpp
void validateAffinity(const api::PodSpec& spec, const Path& path, const PodOptions& options, ErrorList& errors);
void validateTopologySpread(const api::PodSpec& spec, const Path& path, const PodOptions& options, ErrorList& errors);
void validateTolerations(const std::vector<api::Toleration>& tolerations, const Path& path, const PodOptions& options,
                         ErrorList& errors);
void validateSchedulingGates(const api::PodSpec& spec, const Path& path, ErrorList& errors);
void validateTaintEffect(const std::string& effect, bool allow_empty, const Path& path, ErrorList& errors);
bool spreadViolatesMatchLabelKeys(const api::PodSpec& spec);
bool spreadViolatesLegacyMatchLabelKeys(const api::PodSpec& spec);

bool isHugePageResource(std::string_view name);
bool isOvercommitAllowed(std::string_view name);
bool isExtendedResource(std::string_view name);

// validate_claim.cpp: the spec of a claim template, decoded and as it was given.
void validateClaimSpec(const api::PersistentVolumeClaimSpec& spec, const Json& given, const Path& path,
                       const PodOptions& options, ErrorList& errors);

// ---- workloads (validate_workload.cpp, validate_job.cpp) ----
// ReplicaSets, Deployments, StatefulSets, DaemonSets and Jobs. `old_object` is null when one is created. Upstream:
// pkg/apis/apps/validation, pkg/apis/batch/validation.
void validateWorkload(const api::Object& object, const api::Object* old_object, const scheduler::FeatureGates& gates,
                      ErrorList& errors);
void validateGeneratedSelector(const api::Object& job, const Json& spec, const api::LabelSet& labels,
                               ErrorList& errors);
void validateJobSpec(const api::Object& job, const Json& spec, const api::Pod& pod, const PodOptions& options,
                     ErrorList& errors);
void validateJobSpecUpdate(const api::Object& job, const api::Object& old_job, ErrorList& errors);
// What is wrong if the selector does not select the pods of the template.
void validateSelectorMatches(const std::optional<api::LabelSelector>& selector, const api::LabelSet& labels,
                             bool unless_empty, ErrorList& errors);
void validateImmutable(bool same, const Shown& value, const Path& path, ErrorList& errors);
void validateNonNegativeMember(const Json& spec, const char* key, const Path& path, ErrorList& errors);
Shown shownSelector(const std::optional<api::LabelSelector>& selector);
Shown shownLabels(const api::LabelSet& labels);

// ---- nodes (validate_node.cpp) ----
void validateTaints(const std::vector<api::Taint>& taints, const Path& path, ErrorList& errors);
void validateNode(const api::Node& node, const PodOptions& options, ErrorList& errors);
void validateNodeUpdate(const api::Node& node, const api::Node& old_node, ErrorList& errors);

}  // namespace podberth::apiserver
