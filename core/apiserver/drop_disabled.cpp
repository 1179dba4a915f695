// Fields of feature gates that are off go before a pod is validated. Upstream: pkg/api/pod/util.go.
#include "core/apiserver/defaulting.h"
#include "core/apiserver/json_view.h"
#include "core/apiserver/validation.h"

namespace podberth::apiserver {

namespace {

// Where a field is: in the spec, in each container, in each volume. A path may have "*" for all items or members.
enum class Within { kContainer, kVolume };
struct GatedField {
  const char* gate;
  Within within;
  std::string_view path;
};

constexpr GatedField kFields[] = {
    {"AtomicWriteVolumeUserFields", Within::kVolume, "*/defaultUser"},
    {"AtomicWriteVolumeUserFields", Within::kVolume, "*/items/*/user"},
    {"AtomicWriteVolumeUserFields", Within::kVolume, "projected/sources/*/*/items/*/user"},
    {"AtomicWriteVolumeUserFields", Within::kVolume, "projected/sources/*/*/user"},
    {"ClusterTrustBundleProjection", Within::kVolume, "projected/sources/*/clusterTrustBundle"},
    {"ContainerStopSignals", Within::kContainer, "lifecycle/stopSignal"},
    {"EmptyDirVolumeMode", Within::kVolume, "emptyDir/mode"},
    {"GRPCContainerProbeTLS", Within::kContainer, "*/grpc/mode"},
    {"H2CContainerProbe", Within::kContainer, "*/httpGet/protocol"},
    {"H2CContainerProbe", Within::kContainer, "lifecycle/*/httpGet/protocol"},
    {"PodCertificateRequest", Within::kVolume, "projected/sources/*/podCertificate"},
    {"VolumeBindMountOptions", Within::kContainer, "volumeMounts/*/bindMountOptions"},
};

constexpr GatedField kFieldsV1_24[] = {
    {"CSIInlineVolume", Within::kVolume, "csi"},
    {"LocalStorageCapacityIsolation", Within::kVolume, "emptyDir/sizeLimit"},
    {"ProbeTerminationGracePeriod", Within::kContainer, "livenessProbe/terminationGracePeriodSeconds"},
    {"ProbeTerminationGracePeriod", Within::kContainer, "startupProbe/terminationGracePeriodSeconds"},
};

bool erase(Json& value, std::string_view path) {
  const std::size_t slash = path.find('/');
  const std::string key(path.substr(0, slash));
  if (slash == std::string_view::npos) return value.is_object() && value.erase(key) != 0;
  const std::string_view rest = path.substr(slash + 1);
  bool changed = false;
  if (key == "*") {
    if (!value.is_structured()) return false;
    for (Json& item : value) changed = erase(item, rest) || changed;
    return changed;
  }
  const auto it = value.is_object() ? value.find(key) : value.end();
  if (it == value.end()) return false;
  changed = erase(*it, rest);
  // Nothing is left of a lifecycle that only had a signal.
  if (changed && key == "lifecycle" && it->empty()) value.erase(it);
  return changed;
}

void eraseFrom(std::string& text, std::string_view path) {
  const std::string key = "\"" + std::string(path.substr(path.rfind('/') + 1)) + "\"";
  if (text.find(key) == std::string::npos) return;
  Json object = parseRest(text);
  if (erase(object, path)) text = dumpRest(object);
}

std::vector<std::vector<api::Container>*> containersOf(api::PodSpec& spec) {
  return {&spec.init_containers, &spec.containers, &spec.ephemeral_containers};
}

void dropField(api::PodSpec& spec, const GatedField& field) {
  if (field.within == Within::kContainer) {
    for (auto* containers : containersOf(spec)) {
      for (api::Container& container : *containers) eraseFrom(container.rest, field.path);
    }
    return;
  }
  for (api::Volume& volume : spec.volumes) eraseFrom(volume.rest, field.path);
}

// It becomes the default one.
void resetProcMount(api::Container& container) {
  if (container.rest.find("\"procMount\"") == std::string::npos) return;
  Json rest = parseRest(container.rest);
  if (member(objectOf(rest, "securityContext"), "procMount") == nullptr) return;
  rest["securityContext"]["procMount"] = "Default";
  container.rest = dumpRest(rest);
}

void dropOlder(api::Pod& pod, const scheduler::FeatureGates& gates) {
  api::PodSpec& spec = pod.spec;
  for (const GatedField& field : kFieldsV1_24) {
    if (!gates.enabled(field.gate)) dropField(spec, field);
  }
  if (!gates.enabled("ProcMountType")) {
    for (auto* containers : containersOf(spec)) {
      for (api::Container& container : *containers) resetProcMount(container);
    }
  }
  if (!gates.enabled("MinDomainsInPodTopologySpread")) {
    for (api::TopologySpreadConstraint& constraint : spec.topology_spread_constraints) constraint.min_domains.reset();
  }
  if (!gates.enabled("AppArmor")) {
    auto& annotations = pod.meta.annotations;
    for (auto it = annotations.begin(); it != annotations.end();) {
      it = it->first.starts_with(kAppArmorPrefix) ? annotations.erase(it) : std::next(it);
    }
  }
  if (!gates.enabled("EphemeralContainers")) spec.ephemeral_containers.clear();
  if (!gates.enabled("IdentifyPodOS")) spec.os_name.clear();
}

}  // namespace

void dropDisabledFields(api::Pod& pod, const scheduler::FeatureGates& gates) {
  for (const char* annotation :
       {"pod.beta.kubernetes.io/init-containers", "pod.alpha.kubernetes.io/init-containers",
        "pod.beta.kubernetes.io/init-container-statuses", "pod.alpha.kubernetes.io/init-container-statuses"}) {
    pod.meta.annotations.erase(annotation);
  }
  if (rulesOf(gates.release().admission).older_gates) return dropOlder(pod, gates);
  api::PodSpec& spec = pod.spec;
  for (const GatedField& field : kFields) {
    if (!gates.enabled(field.gate)) dropField(spec, field);
  }
  if (spec.resources && !gates.enabled("PodLevelResources")) spec.resources.reset();
  if (!gates.enabled("MatchLabelKeysInPodTopologySpread")) {
    for (api::TopologySpreadConstraint& constraint : spec.topology_spread_constraints) {
      constraint.match_label_keys.clear();
    }
  }
  if (!spec.rest.empty()) {
    Json rest = parseRest(spec.rest);
    if (rest.contains("schedulingGroup") && !gates.enabled("GenericWorkload")) {
      rest.erase("schedulingGroup");
      spec.pod_group.reset();
    }
    if (!gates.enabled("EvictionRequestAPI")) rest.erase("evictionResponders");
    spec.rest = dumpRest(rest);
  }
  if (!gates.enabled("ContainerRestartRules")) {
    for (api::Container& container : spec.containers) container.restart_policy.reset();
    for (api::Container& container : spec.init_containers) {
      if (!container.isSidecar()) container.restart_policy.reset();
    }
  }
}

}  // namespace podberth::apiserver
