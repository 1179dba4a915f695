#include <algorithm>

#include "core/apiserver/validation.h"

namespace podberth::apiserver {

namespace {

constexpr std::string_view kOnlySidecars = "may not be set for init containers without restartPolicy=Always";
constexpr std::string_view kNotEphemeral = "cannot be set for an Ephemeral Container";
constexpr std::string_view kWhitespace = "must not have leading or trailing whitespace";

void validateTerminationMessagePolicy(const Json& rest, const Path& path, ErrorList& errors) {
  const std::string policy = stringOf(rest, "terminationMessagePolicy");
  if (policy.empty() || policy == "File" || policy == "FallbackToLogsOnError") return;
  errors.notSupported(path.child("terminationMessagePolicy"), jsonString(policy), {"File", "FallbackToLogsOnError"});
}

// What holds for all kinds of containers.
void validateCommon(const api::Container& container, const Json& rest, const api::PodSpec& spec,
                    const VolumeNames& volumes, const Path& path, const PodOptions& options, ErrorList& errors) {
  if (container.name.empty()) {
    errors.required(path.child("name"));
  } else {
    validateDnsLabel(container.name, path.child("name"), errors);
  }
  if (container.image.empty()) errors.required(path.child("image"));
  validateTerminationMessagePolicy(rest, path, errors);
  validatePorts(container.ports, path.child("ports"), errors);
  validateEnv(rest, path, options, errors);
  validateVolumeMounts(rest, volumes, path, errors);
  validatePullPolicy(container.image_pull_policy, path.child("imagePullPolicy"), errors);
  validateResourceRequirements(container.resources, ResourceOwner::kContainer, spec.resource_claims,
                               path.child("resources"), options, errors);
  validateResizePolicy(rest, path.child("resizePolicy"), spec.restart_policy, errors);
  if (member(rest, "securityContext") == nullptr) return;
  const Json pod = parseRest(spec.rest);
  const Json* users = member(pod, "hostUsers");
  const bool host_users = users == nullptr || !users->is_boolean() || users->get<bool>();
  validateContainerSecurity(rest, host_users, path, errors);
}

void validateInitRestartPolicy(const api::Container& container, const Json& rest, const Path& path,
                               const PodOptions& options, ErrorList& errors) {
  const bool rules = !listOf(rest, "restartPolicyRules").empty();
  if (!container.restart_policy) {
    if (rules) errors.required(path.child("restartPolicy"), "must specify restartPolicy when restart rules are used");
    return;
  }
  if (!options.allow_restart_rules) {
    if (!container.isSidecar()) {
      errors.notSupported(path.child("restartPolicy"), jsonString(*container.restart_policy), {"Always"});
    }
    return;
  }
  if (container.isSidecar() && !options.allow_restart_all) {
    if (rules) {
      errors.forbidden(path.child("restartPolicyRules"),
                       "restartPolicyRules are not allowed for init containers with restart policy Always");
    }
    return;
  }
  validateRestartRules(container.restart_policy, rest, path, options, errors);
}

}  // namespace

void validatePorts(const std::vector<api::ContainerPort>& ports, const Path& path, ErrorList& errors) {
  std::set<std::string> names;
  for (std::size_t i = 0; i < ports.size(); ++i) {
    const api::ContainerPort& port = ports[i];
    const Path at = path.index(i);
    if (!port.name.empty()) {
      const Messages messages = isPortName(port.name, errors.wording());
      if (!messages.empty()) {
        errors.invalidEach(at.child("name"), shown(port.name), messages);
      } else if (!names.insert(port.name).second) {
        errors.duplicate(at.child("name"), shown(port.name));
      }
    }
    if (port.container_port == 0) {
      errors.required(at.child("containerPort"));
    } else {
      errors.invalidEach(at.child("containerPort"), number(port.container_port), isPortNumber(port.container_port));
    }
    if (port.host_port != 0) {
      errors.invalidEach(at.child("hostPort"), number(port.host_port), isPortNumber(port.host_port));
    }
    if (port.protocol.empty()) {
      errors.required(at.child("protocol"));
    } else if (port.protocol != "TCP" && port.protocol != "UDP" && port.protocol != "SCTP") {
      errors.notSupported(at.child("protocol"), jsonString(port.protocol), {"SCTP", "TCP", "UDP"});
    }
  }
}

void validateHostPortConflicts(const std::vector<api::Container>& containers, std::size_t first, std::size_t last,
                               const Path& path, std::size_t path_from, ErrorList& errors) {
  std::set<std::string> taken;
  for (std::size_t i = first; i < last; ++i) {
    const auto& ports = containers[i].ports;
    for (std::size_t j = 0; j < ports.size(); ++j) {
      if (ports[j].host_port == 0) continue;
      const std::string key = ports[j].protocol + "/" + ports[j].host_ip + "/" + std::to_string(ports[j].host_port);
      if (taken.insert(key).second) continue;
      const Path told = path.index(i - path_from).child("ports").index(j).child("hostPort");
      const Path real = path.index(i).child("ports").index(j).child("hostPort");
      errors.duplicate(Path(told.text(), real.pointer()), shown(key));
    }
  }
}

void validatePullPolicy(std::string_view policy, const Path& path, ErrorList& errors) {
  if (policy.empty()) {
    errors.required(path);
  } else if (policy != "Always" && policy != "IfNotPresent" && policy != "Never") {
    errors.notSupported(path, jsonString(policy), {"Always", "IfNotPresent", "Never"});
  }
}

void validateContainers(const api::PodSpec& spec, const VolumeNames& volumes, const Path& path,
                        const PodOptions& options, ErrorList& errors) {
  if (spec.containers.empty()) {
    errors.required(path);
    return;
  }
  std::set<std::string> names;
  for (std::size_t i = 0; i < spec.containers.size(); ++i) {
    const api::Container& container = spec.containers[i];
    const Json rest = parseRest(container.rest);
    const Path at = path.index(i);
    validateCommon(container, rest, spec, volumes, at, options, errors);
    if (!names.insert(container.name).second) errors.duplicate(at.child("name"), shown(container.name));
    validateLifecycleAndProbes(rest, spec, at, errors);
    if (options.allow_restart_rules) {
      validateRestartRules(container.restart_policy, rest, at, options, errors);
    } else if (container.restart_policy) {
      errors.forbidden(at.child("restartPolicy"), "may not be set for non-init containers");
    }
  }
  validateHostPortConflicts(spec.containers, 0, spec.containers.size(), path, 0, errors);
}

void validateInitContainers(const api::PodSpec& spec, const VolumeNames& volumes, const Path& path,
                            const PodOptions& options, ErrorList& errors) {
  std::set<std::string> names;
  for (const api::Container& container : spec.containers) names.insert(container.name);
  for (std::size_t i = 0; i < spec.init_containers.size(); ++i) {
    const api::Container& container = spec.init_containers[i];
    const Json rest = parseRest(container.rest);
    const Path at = path.index(i);
    validateCommon(container, rest, spec, volumes, at, options, errors);
    validateInitRestartPolicy(container, rest, at, options, errors);
    if (names.count(container.name) != 0) {
      errors.duplicate(at.child("name"), shown(container.name));
    } else if (!container.name.empty()) {
      names.insert(container.name);
    }
    // They run one by one: only within one of them can ports collide. Upstream then counts from 0.
    validateHostPortConflicts(spec.init_containers, i, i + 1, path, i, errors);
    if (container.isSidecar()) {
      validateLifecycleAndProbes(rest, spec, at, errors);
    } else {
      for (const char* field : {"lifecycle", "livenessProbe", "readinessProbe", "startupProbe"}) {
        if (member(rest, field) != nullptr) errors.forbidden(at.child(field), kOnlySidecars);
      }
    }
    if (container.isSidecar() || options.allow_restart_container_for_init) continue;
    const Json& policies = listOf(rest, "resizePolicy");
    for (std::size_t j = 0; j < policies.size(); ++j) {
      if (stringOf(policies[j], "restartPolicy") != "RestartContainer") continue;
      errors.invalid(at.child("resizePolicy").index(j).child("restartPolicy"), jsonString("RestartContainer"),
                     "must not be set to 'RestartContainer' for non-sidecar initContainers");
    }
  }
}

void validateEphemeralContainers(const api::PodSpec& spec, const VolumeNames& volumes, const Path& path,
                                 const PodOptions& options, ErrorList& errors) {
  std::set<std::string> others;
  for (const api::Container& container : spec.containers) others.insert(container.name);
  for (const api::Container& container : spec.init_containers) others.insert(container.name);
  std::set<std::string> names = others;
  for (std::size_t i = 0; i < spec.ephemeral_containers.size(); ++i) {
    const api::Container& container = spec.ephemeral_containers[i];
    const Json rest = parseRest(container.rest);
    const Path at = path.index(i);
    validateCommon(container, rest, spec, volumes, at, options, errors);
    validateImageWhitespace(container, at, errors);
    if (!names.insert(container.name).second) errors.duplicate(at.child("name"), shown(container.name));
    const std::string target = stringOf(rest, "targetContainerName");
    if (!target.empty() && others.count(target) == 0) errors.notFound(at.child("targetContainerName"), shown(target));
    if (!container.ports.empty()) errors.forbidden(at.child("ports"), kNotEphemeral);
    if (!container.resources.limits.empty() || !container.resources.requests.empty()) {
      errors.forbidden(at.child("resources"), kNotEphemeral);
    }
    if (member(rest, "resizePolicy") != nullptr) errors.forbidden(at.child("resizePolicy"), kNotEphemeral);
    if (container.restart_policy) errors.forbidden(at.child("restartPolicy"), kNotEphemeral);
    for (const char* field : {"livenessProbe", "readinessProbe", "startupProbe", "lifecycle"}) {
      if (member(rest, field) != nullptr) errors.forbidden(at.child(field), kNotEphemeral);
    }
  }
}

void validateHostNetworkPorts(const api::PodSpec& spec, const Path& path, ErrorList& errors) {
  if (!spec.host_network) return;
  for (std::size_t i = 0; i < spec.containers.size(); ++i) {
    const auto& ports = spec.containers[i].ports;
    for (std::size_t j = 0; j < ports.size(); ++j) {
      if (ports[j].host_port == ports[j].container_port) continue;
      const Path at = path.child("containers").index(i).child("ports").index(j);
      if (errors.rules().host_ports_by_container_port) {
        errors.invalid(at.child("containerPort"), number(ports[j].container_port),
                       "must match `hostPort` when `hostNetwork` is true");
      } else {
        errors.invalid(at.child("hostPort"), number(ports[j].host_port),
                       "must match `containerPort` when `hostNetwork` is true");
      }
    }
  }
}

void validateImageWhitespace(const api::Container& container, const Path& path, ErrorList& errors) {
  const auto space = [](char c) { return c == ' ' || (c >= '\t' && c <= '\r'); };
  const std::string& image = container.image;
  if (image.empty() || (!space(image.front()) && !space(image.back()))) return;
  errors.invalid(path.child("image"), shown(image), kWhitespace);
}

}  // namespace podberth::apiserver
