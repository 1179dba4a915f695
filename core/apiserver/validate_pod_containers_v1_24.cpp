// The containers of a pod in the order in which Kubernetes 1.24 checks them: probes first, some of them twice; init and
// ephemeral containers through the rules of the others.
#include <vector>

#include "core/apiserver/shown_structure.h"
#include "core/apiserver/validation.h"

namespace podberth::apiserver {

namespace {

constexpr std::string_view kNotInit = "must not be set for init containers";
constexpr std::string_view kNotEphemeral = "cannot be set for an Ephemeral Container";

// Go source, with all addresses as 0x0 (shown_structure.h).
std::string shownPointer(const Json& object, const char* key, const char* type) {
  return std::string("(*") + type + ")(" + (member(object, key) == nullptr ? "nil" : "0x0") + ")";
}

Shown shownLifecycle(const Json& lifecycle) {
  constexpr ShownField kFields[] = {{"PostStart", "postStart", "*core.LifecycleHandler"},
                                    {"PreStop", "preStop", "*core.LifecycleHandler"},
                                    {nullptr, nullptr, nullptr}};
  return shownStructure(lifecycle, "core.Lifecycle", kFields);
}

Shown shownProbe(const Json& probe) {
  const auto seconds = [&](const char* key, std::int64_t by_default) {
    const std::int64_t value = integerOf(probe, key).value_or(0);
    return std::to_string(value == 0 ? by_default : value);
  };
  return raw(
      "", "core.Probe{ProbeHandler:core.ProbeHandler{Exec:" + shownPointer(probe, "exec", "core.ExecAction") +
              ", HTTPGet:" + shownPointer(probe, "httpGet", "core.HTTPGetAction") +
              ", TCPSocket:" + shownPointer(probe, "tcpSocket", "core.TCPSocketAction") +
              ", GRPC:" + shownPointer(probe, "grpc", "core.GRPCAction") +
              "}, InitialDelaySeconds:" + seconds("initialDelaySeconds", 0) +
              ", TimeoutSeconds:" + seconds("timeoutSeconds", 1) + ", PeriodSeconds:" + seconds("periodSeconds", 10) +
              ", SuccessThreshold:" + seconds("successThreshold", 1) +
              ", FailureThreshold:" + seconds("failureThreshold", 3) +
              ", TerminationGracePeriodSeconds:" + shownPointer(probe, "terminationGracePeriodSeconds", "int64") + "}");
}

enum class PortsOf { kAll, kEach };

void validateList(const std::vector<api::Container>& containers, PortsOf ports, const api::PodSpec& spec,
                  const VolumeNames& volumes, const Path& path, const PodOptions& options, ErrorList& errors) {
  if (containers.empty()) {
    errors.required(path);
    return;
  }
  std::set<std::string> names;
  for (std::size_t i = 0; i < containers.size(); ++i) {
    const api::Container& container = containers[i];
    const Json rest = parseRest(container.rest);
    const Path at = path.index(i);
    if (container.name.empty()) {
      errors.required(at.child("name"));
    } else {
      validateDnsLabel(container.name, at.child("name"), errors);
    }
    if (!names.insert(container.name).second) errors.duplicate(at.child("name"), shown(container.name));
    if (container.image.empty()) errors.required(at.child("image"));
    validateLifecycle(rest, spec, at, errors);
    validateProbe(rest, "livenessProbe", ProbeKind::kLiveness, spec, at, errors);
    const auto grace = integerOf(objectOf(rest, "readinessProbe"), "terminationGracePeriodSeconds");
    if (grace) {
      errors.invalid(at.child("readinessProbe").child("terminationGracePeriodSeconds"), number(*grace),
                     "must not be set for readinessProbes");
    }
    validateProbe(rest, "startupProbe", ProbeKind::kStartup, spec, at, errors);
    for (const char* probe : {"livenessProbe", "startupProbe"}) {
      const std::int64_t threshold = integerOf(objectOf(rest, probe), "successThreshold").value_or(0);
      if (threshold == 0 || threshold == 1) continue;  // 0 has been given the default
      errors.invalid(at.child(probe).child("successThreshold"), number(threshold), "must be 1");
    }
    const std::string policy = stringOf(rest, "terminationMessagePolicy");
    if (!policy.empty() && policy != "File" && policy != "FallbackToLogsOnError") {
      errors.invalid(at.child("terminationMessagePolicy"), jsonString(policy),
                     "must be 'File' or 'FallbackToLogsOnError'");
    }
    validateProbe(rest, "readinessProbe", ProbeKind::kReadiness, spec, at, errors);
    validatePorts(container.ports, at.child("ports"), errors);
    validateEnv(rest, at, options, errors);
    validateVolumeMounts(rest, volumes, at, errors);
    validatePullPolicy(container.image_pull_policy, at.child("imagePullPolicy"), errors);
    validateResourceRequirements(container.resources, ResourceOwner::kContainer, {}, at.child("resources"), options,
                                 errors);
    validateContainerSecurity(rest, /*host_users=*/false, at, errors);
  }
  if (ports == PortsOf::kAll) {
    validateHostPortConflicts(containers, 0, containers.size(), path, 0, errors);
  } else {
    for (std::size_t i = 0; i < containers.size(); ++i) {
      validateHostPortConflicts(containers, i, i + 1, path, i, errors);
    }
  }
}

void validateInit(const api::PodSpec& spec, const VolumeNames& volumes, const Path& path, const PodOptions& options,
                  ErrorList& errors) {
  const std::vector<api::Container>& containers = spec.init_containers;
  if (containers.empty()) return;
  validateList(containers, PortsOf::kEach, spec, volumes, path, options, errors);
  std::set<std::string> names;
  for (const api::Container& container : spec.containers) names.insert(container.name);
  for (std::size_t i = 0; i < containers.size(); ++i) {
    const Path at = path.index(i);
    if (names.count(containers[i].name) != 0) errors.duplicate(at.child("name"), shown(containers[i].name));
    if (!containers[i].name.empty()) names.insert(containers[i].name);
    const Json rest = parseRest(containers[i].rest);
    for (const char* field : {"lifecycle", "livenessProbe", "readinessProbe", "startupProbe"}) {
      const Json* value = member(rest, field);
      if (value == nullptr) continue;
      const bool lifecycle = std::string_view(field) == "lifecycle";
      errors.invalid(at.child(field), lifecycle ? shownLifecycle(*value) : shownProbe(*value), kNotInit);
    }
  }
}

void validateEphemeral(const api::PodSpec& spec, const VolumeNames& volumes, const Path& path,
                       const PodOptions& options, ErrorList& errors) {
  std::set<std::string> names;
  for (const api::Container& container : spec.containers) names.insert(container.name);
  for (const api::Container& container : spec.init_containers) names.insert(container.name);
  for (std::size_t i = 0; i < spec.ephemeral_containers.size(); ++i) {
    const api::Container& container = spec.ephemeral_containers[i];
    const Json rest = parseRest(container.rest);
    const Path at = path.index(i);
    const std::string target = stringOf(rest, "targetContainerName");
    if (!target.empty() && names.count(target) == 0) errors.notFound(at.child("targetContainerName"), shown(target));
    if (container.name.empty()) {
      errors.required(at, "ephemeralContainer requires a name");
      continue;
    }
    // As a list of one: upstream's path has another index then.
    validateList({container}, PortsOf::kAll, spec, volumes, at, options, errors);
    validateImageWhitespace(container, at.index(0), errors);
    if (!names.insert(container.name).second) errors.duplicate(at.child("name"), shown(container.name));
    if (!container.ports.empty()) errors.forbidden(at.child("ports"), kNotEphemeral);
    if (!container.resources.limits.empty() || !container.resources.requests.empty()) {
      errors.forbidden(at.child("resources"), kNotEphemeral);
    }
    for (const char* field : {"livenessProbe", "readinessProbe", "startupProbe", "lifecycle"}) {
      if (member(rest, field) != nullptr) errors.forbidden(at.child(field), kNotEphemeral);
    }
    const Json& mounts = listOf(rest, "volumeMounts");
    for (std::size_t j = 0; j < mounts.size(); ++j) {
      for (const char* field : {"subPath", "subPathExpr"}) {
        if (stringOf(mounts[j], field).empty()) continue;
        errors.forbidden(at.child("volumeMounts").index(j).child(field), kNotEphemeral);
      }
    }
  }
}

}  // namespace

void validateAllContainersProbesFirst(const api::PodSpec& spec, const VolumeNames& volumes, const Path& path,
                                      const PodOptions& options, ErrorList& errors) {
  validateList(spec.containers, PortsOf::kAll, spec, volumes, path.child("containers"), options, errors);
  validateInit(spec, volumes, path.child("initContainers"), options, errors);
  validateEphemeral(spec, volumes, path.child("ephemeralContainers"), options, errors);
}

}  // namespace podberth::apiserver
