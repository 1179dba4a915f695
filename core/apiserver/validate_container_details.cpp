#include <algorithm>

#include "core/apiserver/validation.h"

namespace podberth::apiserver {

namespace {

constexpr std::string_view kOneHandler = "may not specify more than 1 handler type";
constexpr std::string_view kExclusive = "may not have more than one field specified at a time";

Messages envVarName(std::string_view name, const ErrorList& errors) {
  return errors.rules().relaxed_env_names ? isRelaxedEnvVarName(name) : isEnvVarName(name);
}

void validateKeySelector(const Json& selector, const Path& path, ErrorList& errors) {
  const std::string name = stringOf(selector, "name");
  validateDnsSubdomain(name, path.child("name"), errors);
  const std::string key = stringOf(selector, "key");
  if (key.empty()) {
    errors.required(path.child("key"));
  } else {
    errors.invalidEach(path.child("key"), shown(key), isConfigMapKey(key));
  }
}

void validateFileSelector(const Json& selector, const Path& path, ErrorList& errors) {
  const std::string key = stringOf(selector, "key");
  if (key.empty()) {
    errors.required(path.child("key"));
  } else {
    errors.invalidEach(path.child("key"), shown(key), isRelaxedEnvVarName(key));
  }
  const std::string volume = stringOf(selector, "volumeName");
  if (volume.empty()) {
    errors.required(path.child("volumeName"));
  } else {
    validateDnsLabel(volume, path.child("volumeName"), errors);
  }
  const std::string target = stringOf(selector, "path");
  if (target.empty()) {
    errors.required(path.child("path"));
  } else {
    validatePathNoBacksteps(target, path.child("path"), errors);
  }
}

void validateValueFrom(const Json& variable, const Path& path, const PodOptions& options, ErrorList& errors) {
  const Json* from = member(variable, "valueFrom");
  if (from == nullptr) return;
  int sources = 0;
  if (const Json* source = member(*from, "fieldRef")) {
    ++sources;
    validateFieldSelector(*source, FieldsOf::kVariable, path.child("fieldRef"), errors);
  }
  if (const Json* source = member(*from, "resourceFieldRef")) {
    ++sources;
    validateResourceSelector(*source, FieldsOf::kVariable, path.child("resourceFieldRef"), errors);
  }
  for (const char* kind : {"configMapKeyRef", "secretKeyRef"}) {
    const Json* source = member(*from, kind);
    if (source == nullptr) continue;
    ++sources;
    validateKeySelector(*source, path.child(kind), errors);
  }
  if (const Json* source = member(*from, "fileKeyRef"); source != nullptr && options.allow_env_files) {
    ++sources;
    validateFileSelector(*source, path.child("fileKeyRef"), errors);
  }
  if (sources == 0) {
    errors.invalid(path, shown(""),
                   options.allow_env_files
                       ? "must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef`, `secretKeyRef` or "
                         "`fileKeyRef`"
                       : "must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef` or `secretKeyRef`");
  } else if (!stringOf(variable, "value").empty()) {
    errors.invalid(path, shown(""), "may not be specified when `value` is not empty");
  } else if (sources > 1) {
    errors.invalid(path, shown(""), kExclusive);
  }
}

void validateEnvFrom(const Json& container, const Path& path, ErrorList& errors) {
  const Json& list = listOf(container, "envFrom");
  for (std::size_t i = 0; i < list.size(); ++i) {
    const Path at = path.index(i);
    const std::string prefix = stringOf(list[i], "prefix");
    if (!prefix.empty()) errors.invalidEach(at.child("prefix"), shown(prefix), envVarName(prefix, errors));
    int sources = 0;
    for (const char* kind : {"configMapRef", "secretRef"}) {
      const Json* source = member(list[i], kind);
      if (source == nullptr) continue;
      ++sources;
      const std::string name = stringOf(*source, "name");
      if (name.empty()) {
        errors.required(at.child(kind).child("name"));
      } else {
        errors.invalidEach(at.child(kind).child("name"), shown(name),
                           nameIsDns1123Subdomain(name, true, errors.wording()));
      }
    }
    if (sources == 0) errors.invalid(path, shown(""), "must specify one of: `configMapRef` or `secretRef`");
    if (sources > 1) errors.invalid(path, shown(""), kExclusive);
  }
}

// A port by number or by name.
void validatePortOrName(const Json& action, const Path& path, ErrorList& errors) {
  const Json* port = member(action, "port");
  if (port != nullptr && port->is_string()) {
    const std::string name = port->get<std::string>();
    errors.invalidEach(path.child("port"), shown(name), isPortName(name, errors.wording()));
    return;
  }
  const std::int64_t value = integerOf(action, "port").value_or(0);
  errors.invalidEach(path.child("port"), number(value), isPortNumber(value));
}

void validateHttpGet(const Json& action, const Path& path, ErrorList& errors) {
  validatePortOrName(action, path, errors);
  const std::string scheme = stringOf(action, "scheme");
  if (!scheme.empty() && scheme != "HTTP" && scheme != "HTTPS") {
    errors.notSupported(path.child("scheme"), jsonString(scheme), {"HTTP", "HTTPS"});
  }
  for (const Json& header : listOf(action, "httpHeaders")) {
    const std::string name = stringOf(header, "name");
    errors.invalidEach(path.child("httpHeaders"), shown(name), isHttpHeaderName(name));
  }
  const std::string protocol = stringOf(action, "protocol");
  validateChoice(action, "protocol", {"HTTP1", "HTTP2"}, path, errors);
  if (protocol != "HTTP2") return;
  const std::string host = stringOf(action, "host");
  if (!scheme.empty() && scheme != "HTTP") {
    errors.invalid(path.child("protocol"), jsonString(protocol), "is only supported with HTTP (H2C)");
  } else if (!host.empty()) {
    errors.invalid(path.child("host"), shown(host), "must be empty when `protocol` is \"HTTP2\"");
  }
}

enum class HandlerOf { kProbe, kLifecycle };

void validateHandler(const Json& handler, HandlerOf of, const api::PodSpec& spec, const Path& path, ErrorList& errors) {
  int handlers = 0;
  for (const char* kind : {"exec", "httpGet", "tcpSocket", "grpc", "sleep"}) {
    const std::string_view name = kind;
    if ((name == "grpc" && of == HandlerOf::kLifecycle) || (name == "sleep" && of == HandlerOf::kProbe)) continue;
    const Json* action = member(handler, kind);
    if (action == nullptr) continue;
    const Path at = path.child(kind);
    if (++handlers > 1) {
      errors.forbidden(at, kOneHandler);
    } else if (name == "exec") {
      if (listOf(*action, "command").empty()) errors.required(at.child("command"));
    } else if (name == "httpGet") {
      validateHttpGet(*action, at, errors);
    } else if (name == "sleep") {
      const std::int64_t seconds = integerOf(*action, "seconds").value_or(0);
      const auto grace = spec.termination_grace_period_seconds;
      if (grace && (seconds < 0 || seconds > *grace)) {
        errors.invalid(
            at, number(seconds),
            "must be non-negative and less than terminationGracePeriodSeconds (" + std::to_string(*grace) + ")");
      }
    } else {
      validatePortOrName(*action, at, errors);
      if (name == "grpc") validateChoice(*action, "mode", {"Plaintext", "TLS"}, at, errors);
    }
  }
  if (handlers == 0) errors.required(path, "must specify a handler type");
}

void validateStopSignal(const Json& lifecycle, const api::PodSpec& spec, const Path& path, ErrorList& errors) {
  if (member(lifecycle, "stopSignal") == nullptr) return;
  if (spec.os_name == "windows") {
    validateChoice(lifecycle, "stopSignal", {"SIGKILL", "SIGTERM"}, path, errors);
  } else if (spec.os_name == "linux") {
    std::vector<std::string> signals = {"SIGRTMAX", "SIGRTMIN"};
    for (const char* name :
         {"ABRT", "ALRM", "BUS",  "CHLD", "CLD",  "CONT", "FPE",  "HUP",    "ILL",    "INT",  "IO",   "IOT",
          "KILL", "PIPE", "POLL", "PROF", "PWR",  "QUIT", "SEGV", "STOP",   "STKFLT", "SYS",  "TERM", "TRAP",
          "TSTP", "TTIN", "TTOU", "URG",  "USR1", "USR2", "XCPU", "VTALRM", "XFSZ",   "WINCH"}) {
      signals.push_back(std::string("SIG") + name);
    }
    for (int i = 1; i <= 15; ++i) {
      signals.push_back("SIGRTMIN+" + std::to_string(i));
      if (i < 15) signals.push_back("SIGRTMAX-" + std::to_string(i));
    }
    std::sort(signals.begin(), signals.end());
    validateChoice(lifecycle, "stopSignal", {signals.begin(), signals.end()}, path, errors);
  } else if (spec.os_name.empty()) {
    errors.forbidden(path.child("stopSignal"), "may not be set for containers with empty `spec.os.name`");
  }
}

void validateBindOptions(const Json& mount, bool image, const Path& path, ErrorList& errors) {
  const Json& options = listOf(mount, "bindMountOptions");
  std::vector<std::string> seen;
  for (std::size_t i = 0; i < options.size(); ++i) {
    const std::string option = options[i].is_string() ? options[i].get<std::string>() : std::string();
    if (option != "nodev" && option != "noexec" && option != "nosuid") {
      errors.notSupported(path.index(i), shown(option), {"nodev", "noexec", "nosuid"});
    }
    if (std::find(seen.begin(), seen.end(), option) != seen.end()) errors.duplicate(path.index(i), shown(option));
    seen.push_back(option);
  }
  if (image && !seen.empty()) {
    errors.invalid(path, jsonStrings(seen), "bindMountOptions may not be used with image volumes");
  }
}

void validateMountOptions(const Json& mount, bool privileged, const Path& path, ErrorList& errors) {
  const std::string propagation = stringOf(mount, "mountPropagation");
  validateChoice(mount, "mountPropagation", {"Bidirectional", "HostToContainer", "None"}, path, errors);
  if (propagation == "Bidirectional" && !privileged) {
    errors.forbidden(path.child("mountPropagation"),
                     "Bidirectional mount propagation is available only to privileged containers");
  }
  const std::string recursive = stringOf(mount, "recursiveReadOnly");
  validateChoice(mount, "recursiveReadOnly", {"Disabled", "Enabled", "IfPossible"}, path, errors);
  if (recursive != "Enabled" && recursive != "IfPossible") return;
  const Path at = path.child("recursiveReadOnly");
  if (!boolOf(mount, "readOnly")) errors.forbidden(at, "may only be specified when readOnly is true");
  if (!propagation.empty() && propagation != "None") {
    errors.forbidden(at, "may only be specified when mountPropagation is None or not specified");
  }
}

}  // namespace

// A field of the pod that it may be told, by its path.
void validateFieldSelector(const Json& selector, FieldsOf of, const Path& path, ErrorList& errors) {
  const std::string version = stringOf(selector, "apiVersion");
  std::string field = stringOf(selector, "fieldPath");
  if (field.empty()) return errors.required(path.child("fieldPath"));
  const auto wrong = [&](const std::string& what) {
    errors.invalid(path.child("fieldPath"), shown(field), "error converting fieldPath: " + what + field);
  };
  if (!version.empty() && version != "v1") {
    return errors.invalid(path.child("fieldPath"), shown(field),
                          "error converting fieldPath: unsupported pod version: " + version);
  }
  const std::size_t open = field.find("['");
  if (open != std::string::npos && open > 0 && field.size() >= open + 4 && field.substr(field.size() - 2) == "']") {
    const std::string name = field.substr(0, open);
    const std::string subscript = field.substr(open + 2, field.size() - open - 4);
    if (name != "metadata.annotations" && name != "metadata.labels") {
      return wrong("field label does not support subscript: ");
    }
    const std::string key = name == "metadata.labels" ? subscript : lowered(subscript);
    errors.invalidEach(path, shown(errors.rules().subscripts_lowered ? key : subscript),
                       isLabelKey(key, errors.wording()));
    return;
  }
  if (field == "spec.host") field = "spec.nodeName";
  struct Known {
    std::string_view field;
    bool variable;
    bool volume;
  };
  constexpr Known kFields[] = {{"metadata.annotations", false, true},
                               {"metadata.labels", false, true},
                               {"metadata.name", true, true},
                               {"metadata.namespace", true, true},
                               {"metadata.uid", true, true},
                               {"spec.nodeName", true, false},
                               {"spec.restartPolicy", false, false},
                               {"spec.schedulerName", false, false},
                               {"spec.serviceAccountName", true, false},
                               {"status.hostIP", true, false},
                               {"status.hostIPs", true, false},
                               {"status.phase", false, false},
                               {"status.podIP", true, false},
                               {"status.podIPs", true, false}};
  std::vector<std::string_view> supported;
  bool known = false;
  for (const Known& one : kFields) {
    if (one.field == "status.hostIPs" && !errors.rules().host_ips) continue;
    const bool fits = of == FieldsOf::kVolume ? one.volume : one.variable;
    if (one.field == field && fits) return;
    known = known || one.field == field;
    if (fits) supported.push_back(one.field);
  }
  if (!known) return wrong("field label not supported: ");
  errors.notSupported(path.child("fieldPath"), shown(field), supported);
}

// What part of its own resources a container may ask for, and in what unit.
void validateResourceSelector(const Json& selector, FieldsOf of, const Path& path, ErrorList& errors) {
  const std::string resource = stringOf(selector, "resource");
  const std::vector<std::string_view> resources = {"limits.cpu",   "limits.ephemeral-storage",   "limits.memory",
                                                   "requests.cpu", "requests.ephemeral-storage", "requests.memory"};
  const bool huge =
      resource.compare(0, 19, "requests.hugepages-") == 0 || resource.compare(0, 17, "limits.hugepages-") == 0;
  if (of == FieldsOf::kVolume && stringOf(selector, "containerName").empty()) {
    errors.required(path.child("containerName"));
  } else if (resource.empty()) {
    errors.required(path.child("resource"));
  } else if (!huge && std::find(resources.begin(), resources.end(), resource) == resources.end()) {
    errors.notSupported(path.child("resource"), shown(resource), resources);
  }
  const auto divisor = api::Quantity::parse(stringOf(selector, "divisor"));
  if (!divisor || divisor->isZero()) return;
  const std::string unit = divisor->str();
  const std::vector<std::string_view> sizes = {"1",   "1k",  "1M",  "1G",  "1T",  "1P", "1E",
                                               "1Ki", "1Mi", "1Gi", "1Ti", "1Pi", "1Ei"};
  const bool sized = std::find(sizes.begin(), sizes.end(), unit) != sizes.end();
  const std::size_t dot = resource.find('.');
  const std::string name = dot == std::string::npos ? std::string() : resource.substr(dot + 1);
  const std::string only_sizes =
      "only divisor's values 1, 1k, 1M, 1G, 1T, 1P, 1E, 1Ki, 1Mi, 1Gi, 1Ti, 1Pi, 1Ei are "
      "supported with the ";
  std::string message;
  if (name == "cpu" && unit != "1m" && unit != "1") {
    message = "only divisor's values 1m and 1 are supported with the cpu resource";
  } else if (name == "memory" && !sized) {
    message = only_sizes + "memory resource";
  } else if (name == "ephemeral-storage" && !sized) {
    message = only_sizes + "local ephemeral storage resource";
  } else if (huge && !sized) {
    message = only_sizes + "hugepages resource";
  }
  if (!message.empty()) errors.invalid(path.child("divisor"), shown(resource), message);
}

void validateEnv(const Json& container, const Path& path, const PodOptions& options, ErrorList& errors) {
  const Json& variables = listOf(container, "env");
  for (std::size_t i = 0; i < variables.size(); ++i) {
    const Path at = path.child("env").index(i);
    const std::string name = stringOf(variables[i], "name");
    if (name.empty()) {
      errors.required(at.child("name"));
    } else {
      errors.invalidEach(at.child("name"), shown(name), envVarName(name, errors));
    }
    validateValueFrom(variables[i], at.child("valueFrom"), options, errors);
  }
  validateEnvFrom(container, path.child("envFrom"), errors);
}

void validateVolumeMounts(const Json& container, const VolumeNames& volumes, const Path& path, ErrorList& errors) {
  const Json& mounts = listOf(container, "volumeMounts");
  const Json& devices = listOf(container, "volumeDevices");
  if (mounts.empty() && devices.empty()) return;
  std::map<std::string, std::string> device_paths;
  for (const Json& device : devices) device_paths[stringOf(device, "name")] = stringOf(device, "devicePath");
  std::map<std::string, std::string> mount_paths;
  for (const Json& mount : mounts) mount_paths[stringOf(mount, "name")] = stringOf(mount, "mountPath");
  const auto holds = [](const std::map<std::string, std::string>& paths, const std::string& target) {
    return std::any_of(paths.begin(), paths.end(), [&](const auto& item) { return item.second == target; });
  };
  const bool privileged = boolOf(objectOf(container, "securityContext"), "privileged");

  std::set<std::string> seen;
  const Path mounts_path = path.child("volumeMounts");
  for (std::size_t i = 0; i < mounts.size(); ++i) {
    const Path at = mounts_path.index(i);
    const std::string name = stringOf(mounts[i], "name");
    const std::string target = stringOf(mounts[i], "mountPath");
    if (name.empty()) errors.required(at.child("name"));
    if (volumes.all.count(name) == 0) errors.notFound(at.child("name"), shown(name));
    if (target.empty()) errors.required(at.child("mountPath"));
    if (!seen.insert(target).second) errors.invalid(at.child("mountPath"), shown(target), "must be unique");
    if (device_paths.count(name) != 0) {
      errors.invalid(at.child("name"), shown(name), "must not already exist in volumeDevices");
    }
    if (holds(device_paths, target)) {
      errors.invalid(at.child("mountPath"), shown(target), "must not already exist as a path in volumeDevices");
    }
    const std::string sub_path = stringOf(mounts[i], "subPath");
    const std::string expression = stringOf(mounts[i], "subPathExpr");
    if (!sub_path.empty()) {
      validateLocalDescendingPath(sub_path, Path(mounts_path.child("subPath").text(), at.child("subPath").pointer()),
                                  errors);
    }
    if (!expression.empty()) {
      if (!sub_path.empty()) {
        errors.invalid(at.child("subPathExpr"), shown(expression), "subPathExpr and subPath are mutually exclusive");
      }
      validateLocalDescendingPath(
          expression, Path(mounts_path.child("subPathExpr").text(), at.child("subPathExpr").pointer()), errors);
    }
    validateMountOptions(mounts[i], privileged, Path(mounts_path.text(), at.pointer()), errors);
    validateBindOptions(mounts[i], volumes.images.count(name) != 0, at.child("bindMountOptions"), errors);
  }

  std::set<std::string> names;
  std::set<std::string> targets;
  for (std::size_t i = 0; i < devices.size(); ++i) {
    const Path at = path.child("volumeDevices").index(i);
    const std::string name = stringOf(devices[i], "name");
    const std::string target = stringOf(devices[i], "devicePath");
    if (name.empty()) errors.required(at.child("name"));
    if (names.count(name) != 0) errors.invalid(at.child("name"), shown(name), "must be unique");
    const bool matched = volumes.all.count(name) != 0;
    if (matched && volumes.claims.count(name) == 0) {
      errors.invalid(at.child("name"), shown(name),
                     "can only use volume source type of PersistentVolumeClaim or Ephemeral for block mode");
    }
    if (!matched) errors.notFound(at.child("name"), shown(name));
    if (target.empty()) errors.required(at.child("devicePath"));
    if (targets.count(target) != 0) errors.invalid(at.child("devicePath"), shown(target), "must be unique");
    if (!target.empty() && hasBacksteps(target)) {
      errors.invalid(at.child("devicePath"), shown(target), "can not contain backsteps ('..')");
    } else {
      targets.insert(target);
    }
    if (mount_paths.count(name) != 0) {
      errors.invalid(at.child("name"), shown(name), "must not already exist in volumeMounts");
    }
    if (holds(mount_paths, target)) {
      errors.invalid(at.child("devicePath"), shown(target), "must not already exist as a path in volumeMounts");
    }
    if (!name.empty()) names.insert(name);
  }
}

void validateResizePolicy(const Json& container, const Path& path, std::string_view pod_restart_policy,
                          ErrorList& errors) {
  const Json& policies = listOf(container, "resizePolicy");
  std::set<std::string> seen;
  for (std::size_t i = 0; i < policies.size(); ++i) {
    const std::string name = stringOf(policies[i], "resourceName");
    const std::string policy = stringOf(policies[i], "restartPolicy");
    const Path place(path.text(), path.index(i).pointer());
    if (!seen.insert(name).second) errors.duplicate(path.index(i), jsonString(name));
    if (name.empty()) {
      errors.required(place);
    } else if (name != "cpu" && name != "memory") {
      errors.notSupported(place, jsonString(name), {"cpu", "memory"});
    }
    if (policy.empty()) {
      errors.required(place);
    } else if (policy != "NotRequired" && policy != "RestartContainer") {
      errors.notSupported(place, jsonString(policy), {"NotRequired", "RestartContainer"});
    }
    if (pod_restart_policy == "Never" && policy != "NotRequired") {
      errors.invalid(place, jsonString(policy), "must be 'NotRequired' when pod `restartPolicy` is 'Never'");
    }
  }
}

void validateRestartRules(const std::optional<std::string>& policy, const Json& container, const Path& path,
                          const PodOptions& options, ErrorList& errors) {
  const Json& rules = listOf(container, "restartPolicyRules");
  if (!policy) {
    if (rules.empty()) return;
    errors.required(path.child("restartPolicy"), "must specify restartPolicy when restart rules are used");
  } else if (*policy != "Always" && *policy != "Never" && *policy != "OnFailure") {
    errors.notSupported(path.child("restartPolicy"), jsonString(*policy), {"Always", "Never", "OnFailure"});
  }
  if (rules.size() > 20) errors.tooMany(path.child("restartPolicyRules"), rules.size(), 20);
  for (std::size_t i = 0; i < rules.size(); ++i) {
    const Path at = path.child("restartPolicyRules").index(i);
    const std::string action = stringOf(rules[i], "action");
    if (action != "Restart" && !(options.allow_restart_all && action == "RestartAllContainers")) {
      std::vector<std::string_view> actions = {"Restart"};
      if (options.allow_restart_all) actions.push_back("RestartAllContainers");
      errors.notSupported(at.child("action"), jsonString(action), actions);
    }
    const Json* codes = member(rules[i], "exitCodes");
    if (codes == nullptr) {
      errors.required(at.child("exitCodes"), "must be specified");
      continue;
    }
    const std::string op = stringOf(*codes, "operator");
    if (op != "In" && op != "NotIn") {
      errors.notSupported(at.child("exitCodes").child("operator"), jsonString(op), {"In", "NotIn"});
    }
    const std::size_t values = listOf(*codes, "values").size();
    if (values > 255) errors.tooMany(at.child("exitCodes").child("values"), values, 255);
  }
}

void validateProbe(const Json& container, const char* key, ProbeKind kind, const api::PodSpec& spec, const Path& path,
                   ErrorList& errors) {
  const Json* probe = member(container, key);
  if (probe == nullptr) return;
  const Path at = path.child(key);
  validateHandler(*probe, HandlerOf::kProbe, spec, at, errors);
  for (const char* field :
       {"initialDelaySeconds", "timeoutSeconds", "periodSeconds", "successThreshold", "failureThreshold"}) {
    validateNonNegative(integerOf(*probe, field).value_or(0), at.child(field), errors);
  }
  const auto grace = integerOf(*probe, "terminationGracePeriodSeconds");
  if (grace && *grace <= 0) {
    errors.invalid(at.child("terminationGracePeriodSeconds"), number(*grace), "must be greater than 0");
  }
  if (errors.rules().containers == ContainerOrder::kProbesFirst) return;  // the rest is checked for itself
  if (kind == ProbeKind::kReadiness) {
    if (grace) {
      errors.invalid(at.child("terminationGracePeriodSeconds"), number(*grace), "must not be set for readinessProbes");
    }
    return;
  }
  const std::int64_t threshold = integerOf(*probe, "successThreshold").value_or(0);
  if (threshold != 0 && threshold != 1) {  // 0 has been given the default
    errors.invalid(at.child("successThreshold"), number(threshold), "must be 1");
  }
}

void validateLifecycle(const Json& container, const api::PodSpec& spec, const Path& path, ErrorList& errors) {
  const Json* lifecycle = member(container, "lifecycle");
  if (lifecycle == nullptr) return;
  for (const char* hook : {"postStart", "preStop"}) {
    const Json* handler = member(*lifecycle, hook);
    if (handler == nullptr) continue;
    validateHandler(*handler, HandlerOf::kLifecycle, spec, path.child("lifecycle").child(hook), errors);
  }
  validateStopSignal(*lifecycle, spec, path.child("lifecycle"), errors);
}

void validateLifecycleAndProbes(const Json& container, const api::PodSpec& spec, const Path& path, ErrorList& errors) {
  validateLifecycle(container, spec, path, errors);
  validateProbe(container, "livenessProbe", ProbeKind::kLiveness, spec, path, errors);
  validateProbe(container, "readinessProbe", ProbeKind::kReadiness, spec, path, errors);
  validateProbe(container, "startupProbe", ProbeKind::kStartup, spec, path, errors);
}

}  // namespace podberth::apiserver
