// From a comparison of the Go types of k8s.io/api v0.24.17 with those of the newest release.
#include "core/api/schema_release.h"

#include <algorithm>
#include <iterator>

namespace podberth::api {
namespace {

struct LaterField {
  std::string_view structure;
  std::string_view field;
};

// By name.
constexpr LaterField kAfterV1_24[] = {
    {"CSIDriverSpec", "nodeAllocatableUpdatePeriodSeconds"},
    {"CSIDriverSpec", "preventPodSchedulingIfMissing"},
    {"CSIDriverSpec", "seLinuxMount"},
    {"CSIDriverSpec", "serviceAccountTokenInSecrets"},
    {"CSINode", "status"},
    {"CSIPersistentVolumeSource", "nodeExpandSecretRef"},
    {"ConfigMapVolumeSource", "defaultUser"},
    {"Container", "resizePolicy"},
    {"Container", "restartPolicy"},
    {"Container", "restartPolicyRules"},
    {"ContainerStatus", "allocatedResources"},
    {"ContainerStatus", "allocatedResourcesStatus"},
    {"ContainerStatus", "resources"},
    {"ContainerStatus", "stopSignal"},
    {"ContainerStatus", "user"},
    {"ContainerStatus", "volumeMounts"},
    {"DeploymentStatus", "terminatingReplicas"},
    {"DownwardAPIVolumeFile", "user"},
    {"DownwardAPIVolumeSource", "defaultUser"},
    {"EmptyDirVolumeSource", "mode"},
    {"EnvVarSource", "fileKeyRef"},
    {"EphemeralContainer", "resizePolicy"},
    {"EphemeralContainer", "restartPolicy"},
    {"EphemeralContainer", "restartPolicyRules"},
    {"GRPCAction", "mode"},
    {"HTTPGetAction", "protocol"},
    {"JobSpec", "backoffLimitPerIndex"},
    {"JobSpec", "managedBy"},
    {"JobSpec", "maxFailedIndexes"},
    {"JobSpec", "podFailurePolicy"},
    {"JobSpec", "podReplacementPolicy"},
    {"JobSpec", "scheduling"},
    {"JobSpec", "successPolicy"},
    {"JobStatus", "failedIndexes"},
    {"JobStatus", "terminating"},
    {"KeyToPath", "user"},
    {"Lifecycle", "stopSignal"},
    {"LifecycleHandler", "sleep"},
    {"LoadBalancerIngress", "ipMode"},
    {"NodeSpec", "podPreemptionPolicy"},
    {"NodeStatus", "declaredFeatures"},
    {"NodeStatus", "features"},
    {"NodeStatus", "runtimeHandlers"},
    {"NodeSystemInfo", "runningInUserNamespace"},
    {"NodeSystemInfo", "swap"},
    {"PersistentVolumeClaimSpec", "volumeAttributesClassName"},
    {"PersistentVolumeClaimStatus", "allocatedResourceStatuses"},
    {"PersistentVolumeClaimStatus", "currentVolumeAttributesClassName"},
    {"PersistentVolumeClaimStatus", "healthStatus"},
    {"PersistentVolumeClaimStatus", "modifyVolumeStatus"},
    {"PersistentVolumeSpec", "volumeAttributesClassName"},
    {"PersistentVolumeStatus", "lastPhaseTransitionTime"},
    {"PodAffinityTerm", "matchLabelKeys"},
    {"PodAffinityTerm", "mismatchLabelKeys"},
    {"PodCondition", "observedGeneration"},
    {"PodDisruptionBudgetSpec", "unhealthyPodEvictionPolicy"},
    {"PodSecurityContext", "appArmorProfile"},
    {"PodSecurityContext", "seLinuxChangePolicy"},
    {"PodSecurityContext", "supplementalGroupsPolicy"},
    {"PodSpec", "evictionResponders"},
    {"PodSpec", "hostUsers"},
    {"PodSpec", "hostnameOverride"},
    {"PodSpec", "resourceClaims"},
    {"PodSpec", "resources"},
    {"PodSpec", "schedulingGates"},
    {"PodSpec", "schedulingGroup"},
    {"PodStatus", "allocatedResources"},
    {"PodStatus", "extendedResourceClaimStatus"},
    {"PodStatus", "hostIPs"},
    {"PodStatus", "nodeAllocatableResourceClaimStatuses"},
    {"PodStatus", "observedGeneration"},
    {"PodStatus", "resize"},
    {"PodStatus", "resourceClaimStatuses"},
    {"PodStatus", "resources"},
    {"PodStatus", "volumeHealth"},
    {"ProjectedVolumeSource", "defaultUser"},
    {"ReplicaSetStatus", "terminatingReplicas"},
    {"ResourceRequirements", "claims"},
    {"SecretVolumeSource", "defaultUser"},
    {"SecurityContext", "appArmorProfile"},
    {"ServiceAccountTokenProjection", "user"},
    {"ServiceSpec", "trafficDistribution"},
    {"StatefulSetSpec", "ordinals"},
    {"TopologySpreadConstraint", "matchLabelKeys"},
    {"TopologySpreadConstraint", "nodeAffinityPolicy"},
    {"TopologySpreadConstraint", "nodeTaintsPolicy"},
    {"TypedObjectReference", "namespace"},
    {"Volume", "image"},
    {"VolumeError", "errorCode"},
    {"VolumeMount", "bindMountOptions"},
    {"VolumeMount", "recursiveReadOnly"},
    {"VolumeProjection", "clusterTrustBundle"},
    {"VolumeProjection", "podCertificate"},
};

struct LaterVersion {
  std::string_view group;
  std::string_view version;
};

constexpr LaterVersion kVersionsAfterV1_24[] = {
    {"admissionregistration.k8s.io", "v1alpha1"},
    {"authentication.k8s.io", "v1alpha1"},
    {"certificates.k8s.io", "v1alpha1"},
    {"coordination.k8s.io", "v1alpha2"},
    {"flowcontrol.apiserver.k8s.io", "v1"},
    {"flowcontrol.apiserver.k8s.io", "v1beta3"},
    {"lifecycle.k8s.io", "v1alpha1"},
    {"resource.k8s.io", "v1"},
    {"resource.k8s.io", "v1alpha3"},
    {"resource.k8s.io", "v1beta1"},
    {"resource.k8s.io", "v1beta2"},
    {"scheduling.k8s.io", "v1alpha3"},
    {"storagemigration.k8s.io", "v1"},
    {"storagemigration.k8s.io", "v1beta1"},
};

struct LaterKind {
  std::string_view group;
  std::string_view version;
  std::string_view kind;
};

// In versions of groups that there were.
constexpr LaterKind kKindsAfterV1_24[] = {
    {"admissionregistration.k8s.io", "v1", "MutatingAdmissionPolicy"},
    {"admissionregistration.k8s.io", "v1", "MutatingAdmissionPolicyBinding"},
    {"admissionregistration.k8s.io", "v1", "ValidatingAdmissionPolicy"},
    {"admissionregistration.k8s.io", "v1", "ValidatingAdmissionPolicyBinding"},
    {"admissionregistration.k8s.io", "v1beta1", "MutatingAdmissionPolicy"},
    {"admissionregistration.k8s.io", "v1beta1", "MutatingAdmissionPolicyBinding"},
    {"admissionregistration.k8s.io", "v1beta1", "ValidatingAdmissionPolicy"},
    {"admissionregistration.k8s.io", "v1beta1", "ValidatingAdmissionPolicyBinding"},
    {"authentication.k8s.io", "v1", "SelfSubjectReview"},
    {"authentication.k8s.io", "v1beta1", "SelfSubjectReview"},
    {"certificates.k8s.io", "v1", "ClusterTrustBundle"},
    {"certificates.k8s.io", "v1", "PodCertificateRequest"},
    {"certificates.k8s.io", "v1beta1", "ClusterTrustBundle"},
    {"certificates.k8s.io", "v1beta1", "PodCertificateRequest"},
    {"coordination.k8s.io", "v1beta1", "LeaseCandidate"},
    {"networking.k8s.io", "v1", "IPAddress"},
    {"networking.k8s.io", "v1", "ServiceCIDR"},
    {"networking.k8s.io", "v1beta1", "IPAddress"},
    {"networking.k8s.io", "v1beta1", "ServiceCIDR"},
    {"scheduling.k8s.io", "v1beta1", "PodGroup"},
    {"scheduling.k8s.io", "v1beta1", "Workload"},
    {"storage.k8s.io", "v1", "VolumeAttributesClass"},
    {"storage.k8s.io", "v1alpha1", "VolumeAttributesClass"},
    {"storage.k8s.io", "v1beta1", "VolumeAttributesClass"},
};

}  // namespace

bool isLaterField(release::AdmissionRules rules, std::string_view structure, std::string_view field) {
  if (rules != release::AdmissionRules::kV1_24) return false;
  return std::any_of(std::begin(kAfterV1_24), std::end(kAfterV1_24),
                     [&](const LaterField& later) { return later.field == field && later.structure == structure; });
}

bool isLaterKind(release::AdmissionRules rules, std::string_view group, std::string_view version,
                 std::string_view kind) {
  if (rules != release::AdmissionRules::kV1_24) return false;
  for (const LaterVersion& later : kVersionsAfterV1_24) {
    if (later.group == group && later.version == version) return true;
  }
  return std::any_of(std::begin(kKindsAfterV1_24), std::end(kKindsAfterV1_24), [&](const LaterKind& later) {
    return later.group == group && later.version == version && later.kind == kind;
  });
}

}  // namespace podberth::api
