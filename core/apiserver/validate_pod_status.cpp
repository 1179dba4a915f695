// The statuses of pods on updates.
#include <algorithm>
#include <limits>

#include "core/apiserver/validation.h"

namespace podberth::apiserver {

namespace {

constexpr std::string_view kNotBack = "may not be transitioned to non-terminated state";

const api::Container* containerNamed(const std::vector<api::Container>& containers, const std::string& name) {
  for (const api::Container& container : containers) {
    if (container.name == name) return &container;
  }
  return nullptr;
}

bool byExitCode(const std::string& policy, std::int64_t exit_code) {
  return policy == "OnFailure" ? exit_code != 0 : policy != "Never";
}

// podutil.ContainerShouldRestart.
bool shouldRestart(const api::Container& container, const api::PodSpec& spec, std::int64_t exit_code,
                   bool restart_all) {
  if (!container.restart_policy) return byExitCode(spec.restart_policy, exit_code);
  const Json rest = parseRest(container.rest);
  for (const Json& rule : listOf(rest, "restartPolicyRules")) {
    const Json* codes = member(rule, "exitCodes");
    if (codes == nullptr) continue;
    bool listed = false;
    for (const Json& code : listOf(*codes, "values")) {
      listed = listed || (code.is_number_integer() && code.get<std::int64_t>() == exit_code);
    }
    const std::string op = stringOf(*codes, "operator");
    if ((op != "In" || !listed) && (op != "NotIn" || listed)) continue;
    const std::string action = stringOf(rule, "action");
    if (action == "Restart" || (restart_all && action == "RestartAllContainers")) return true;
    break;
  }
  const std::string& policy = *container.restart_policy;
  if (policy == "Always" || policy == "Never" || policy == "OnFailure") return byExitCode(policy, exit_code);
  return byExitCode(spec.restart_policy, exit_code);
}

bool anyMayRestartAll(const api::PodSpec& spec) {
  for (const auto* containers : {&spec.init_containers, &spec.containers}) {
    for (const api::Container& container : *containers) {
      const Json rest = parseRest(container.rest);
      for (const Json& rule : listOf(rest, "restartPolicyRules")) {
        if (stringOf(rule, "action") == "RestartAllContainers") return true;
      }
    }
  }
  return false;
}

std::optional<std::int64_t> terminatedWith(const api::ContainerStatus& status) {
  const Json rest = parseRest(status.rest);
  const Json* terminated = member(objectOf(rest, "state"), "terminated");
  if (terminated == nullptr) return std::nullopt;
  return integerOf(*terminated, "exitCode").value_or(0);
}

// A container that has ended for good must not come back to life.
void validateStateTransitions(const std::vector<api::ContainerStatus>& statuses,
                              const std::vector<api::ContainerStatus>& old, const api::PodSpec& spec,
                              const std::vector<api::Container>& containers, const Path& path,
                              const PodOptions& options, ErrorList& errors) {
  if (old.empty()) return;
  if (options.allow_restart_rules && options.allow_restart_all && anyMayRestartAll(spec)) return;
  for (std::size_t i = 0; i < old.size(); ++i) {
    const auto exit_code = terminatedWith(old[i]);
    if (!exit_code) continue;
    for (const api::ContainerStatus& status : statuses) {
      if (status.name != old[i].name || terminatedWith(status)) continue;
      const api::Container* container = containerNamed(containers, status.name);
      if (container == nullptr || !shouldRestart(*container, spec, *exit_code, options.allow_restart_all)) {
        errors.forbidden(path.index(i).child("state"), kNotBack);
      }
      break;
    }
  }
}

void validateConditions(const std::vector<api::PodCondition>& conditions, const Path& path, ErrorList& errors) {
  for (std::size_t i = 0; i < conditions.size(); ++i) {
    const api::PodCondition& condition = conditions[i];
    if (condition.observed_generation < 0) {
      errors.invalid(path.index(i).child("observedGeneration"), number(condition.observed_generation),
                     "must be a non-negative integer");
    }
    if (condition.type == "PodScheduled" || condition.type == "Ready" || condition.type == "Initialized") continue;
    validateQualifiedName(condition.type,
                          Path(path.index(i).child("Type").text(), path.index(i).child("type").pointer()), errors);
  }
}

// The addresses of a pod, or of its host: `one` must be the first of `many`, which are at most one of each family.
void validateAddresses(const Json& rest, const Json& old_rest, const char* one, const char* many, bool both_or_none,
                       bool strict, ErrorList& errors) {
  const Json& list = listOf(rest, many);
  const std::string single = stringOf(rest, one);
  const Path path = Path("status").child(many);
  if (list.empty() && (!both_or_none || single.empty())) return;
  const auto mismatch = [&] {
    if (!list.empty() && single != stringOf(list[0], "ip")) {
      errors.invalid(path.index(0).child("ip"), shown(stringOf(list[0], "ip")),
                     "must be equal to `" + std::string(one) + "`");
    }
  };
  if (!both_or_none) mismatch();
  std::set<std::string> known;
  for (const Json& item : listOf(old_rest, many)) known.insert(stringOf(item, "ip"));
  bool v4 = false;
  bool v6 = false;
  std::string all = "[";
  for (std::size_t i = 0; i < list.size(); ++i) {
    const std::string ip = stringOf(list[i], "ip");
    if (known.count(ip) == 0) errors.invalidEach(path.index(i), shown(ip), isIpForLegacyField(ip, strict));
    v4 = v4 || ipFamily(ip) == IpFamily::kV4;
    v6 = v6 || ipFamily(ip) == IpFamily::kV6;
    all += (i > 0 ? ",{\"IP\":" : "{\"IP\":") + go::jsonString(ip) + "}";
  }
  const Shown value = list.empty() ? null() : raw(all + "]");
  if (list.size() > 1 && (!(v4 && v6) || list.size() > 2)) {
    errors.invalid(path, value, "may specify no more than one IP for each IP family");
  }
  if (!both_or_none) return;
  if (single.empty() != list.empty()) {
    errors.invalid(path, value, "podIP and podIPs must either both be set or both be unset");
  } else {
    mismatch();
  }
}

void validateEphemeralTransitions(const Json& statuses, const Json& old, const Path& path, ErrorList& errors) {
  const auto ended = [](const Json& status) { return member(objectOf(status, "state"), "terminated") != nullptr; };
  for (std::size_t i = 0; i < old.size(); ++i) {
    if (!ended(old[i])) continue;
    for (const Json& status : statuses) {
      if (stringOf(status, "name") != stringOf(old[i], "name") || ended(status)) continue;
      errors.forbidden(path.index(i).child("state"), kNotBack);
    }
  }
}

void validateClaimStatuses(const Json& statuses, const api::PodSpec& spec, const Path& path, ErrorList& errors) {
  std::set<std::string> names;
  for (std::size_t i = 0; i < statuses.size(); ++i) {
    const Path at = path.index(i);
    const std::string name = stringOf(statuses[i], "name");
    const auto& claims = spec.resource_claims;
    if (std::find(claims.begin(), claims.end(), name) == claims.end()) {
      errors.invalid(at.child("name"), shown(name), "must match the name of an entry in `spec.resourceClaims`");
    }
    if (!names.insert(name).second) errors.duplicate(at.child("name"), shown(name));
    if (member(statuses[i], "resourceClaimName") == nullptr) continue;
    const std::string claim = stringOf(statuses[i], "resourceClaimName");
    errors.invalidEach(at.child("resourceClaimName"), jsonString(claim), isDns1123Subdomain(claim, errors.wording()));
  }
}

const api::Container* anyContainerNamed(const api::PodSpec& spec, const std::string& name) {
  const api::Container* container = containerNamed(spec.containers, name);
  return container != nullptr ? container : containerNamed(spec.init_containers, name);
}

// The claim that was made for extended resources.
void validateExtendedClaim(const Json& rest, const api::PodSpec& spec, const Path& status_path, ErrorList& errors) {
  const Json* claim = member(rest, "extendedResourceClaimStatus");
  if (claim == nullptr) return;
  const Path path = status_path.child("extendedResourceClaimStatus");
  const Json& mappings = listOf(*claim, "requestMappings");
  if (mappings.empty()) {
    errors.required(path.child("requestMappings"), "at least one request mapping is required");
  }
  std::set<std::vector<std::string>> seen;
  for (std::size_t i = 0; i < mappings.size(); ++i) {
    const Path at = path.child("requestMappings").index(i);
    const std::string container_name = stringOf(mappings[i], "containerName");
    const std::string resource = stringOf(mappings[i], "resourceName");
    const std::string request = stringOf(mappings[i], "requestName");
    const api::Container* container = anyContainerNamed(spec, container_name);
    if (container == nullptr) {
      errors.invalid(at.child("containerName"), shown(container_name),
                     "must match the name of an entry in spec.initContainers.name or spec.containers.name");
    } else if (!container->resources.requests.has(api::Symbol(resource))) {
      errors.invalid(at.child("resourceName"), shown(resource),
                     "must match the extended resource name of an entry in spec.initContainers.resources.requests or "
                     "spec.containers.resources.requests");
    }
    validateDnsLabel(request, Path(path.child("requestName").text(), at.child("requestName").pointer()), errors);
    if (seen.insert({container_name, resource, request}).second) continue;
    for (const char* key : {"containerName", "resourceName", "requestName"}) {
      errors.duplicate(at.child(key), shown(stringOf(mappings[i], key)));
    }
  }
  const std::string name = stringOf(*claim, "resourceClaimName");
  if (name.empty()) {
    errors.required(path.child("resourceClaimName"));
  } else {
    validateDnsSubdomain(name, path.child("resourceClaimName"), errors);
  }
}

void validateUsers(const Json& statuses, const api::PodSpec& spec, const Path& path, ErrorList& errors) {
  for (std::size_t i = 0; i < statuses.size(); ++i) {
    const Json* user = member(objectOf(statuses[i], "user"), "linux");
    if (user == nullptr) continue;
    const Path at = path.index(i).child("user").child("linux");
    if (spec.os_name == "windows") {
      errors.forbidden(at, "cannot be set for a windows pod");
      continue;
    }
    constexpr std::int64_t kMaxUid = std::numeric_limits<std::uint32_t>::max();
    const std::int64_t uid = integerOf(*user, "uid").value_or(0);
    if (uid < 0 || uid > kMaxUid) errors.invalid(at.child("uid"), number(uid), inclusiveRangeError(0, kMaxUid));
    validateId(*user, "gid", at, errors);
    validateIds(*user, "supplementalGroups", at, errors);
  }
}

// Whether a container uses what a status calls "claim:NAME" or "claim:NAME/REQUEST".
bool usesClaim(const api::Container& container, const std::string& said, const Json& pod_status) {
  const Json resources = parseRest(container.resources.rest);
  for (const Json& claim : listOf(resources, "claims")) {
    const std::string request = stringOf(claim, "request");
    if (said == "claim:" + stringOf(claim, "name") + (request.empty() ? "" : "/" + request)) return true;
  }
  const Json& extended = objectOf(pod_status, "extendedResourceClaimStatus");
  for (const Json& mapping : listOf(extended, "requestMappings")) {
    const api::Quantity* amount = container.resources.requests.find(api::Symbol(stringOf(mapping, "resourceName")));
    if (stringOf(mapping, "containerName") == container.name && amount != nullptr && !amount->isZero() &&
        said == "claim:" + stringOf(extended, "resourceClaimName") + "/" + stringOf(mapping, "requestName")) {
      return true;
    }
  }
  return false;
}

void validateHealth(const Json& statuses, const std::vector<api::Container>& containers, const Json& pod_status,
                    const Path& path, ErrorList& errors) {
  for (std::size_t i = 0; i < statuses.size(); ++i) {
    const api::Container* container = containerNamed(containers, stringOf(statuses[i], "name"));
    const Json& allocated = listOf(statuses[i], "allocatedResourcesStatus");
    for (std::size_t j = 0; j < allocated.size(); ++j) {
      const Path at = path.index(i).child("allocatedResourcesStatus").index(j);
      const std::string name = stringOf(allocated[j], "name");
      if (container != nullptr && name.compare(0, 6, "claim:") == 0) {
        if (!usesClaim(*container, name, pod_status)) {
          errors.invalid(at.child("name"), jsonString(name),
                         "must match one of the container's resource claims as 'claim:<claimName>/<requestName>' when "
                         "container.resources.claims[*].request is set or 'claim:<claimName>' when it is empty");
        }
      } else if (container != nullptr && !container->resources.requests.has(api::Symbol(name))) {
        errors.invalid(at.child("name"), jsonString(name), "must match one of the container's resource requests");
      }
      const Json& resources = listOf(allocated[j], "resources");
      std::set<std::string> ids;
      for (std::size_t k = 0; k < resources.size(); ++k) {
        const Path place = at.child("resources").index(k);
        const std::string health = stringOf(resources[k], "health");
        if (health != "Healthy" && health != "Unhealthy" && health != "Unknown") {
          errors.notSupported(place.child("health"), jsonString(health), {"Healthy", "Unhealthy", "Unknown"});
        }
        const std::string id = stringOf(resources[k], "resourceID");
        if (!ids.insert(id).second) errors.duplicate(place.child("resourceID"), jsonString(id));
      }
    }
  }
}

}  // namespace

void validatePodStatusUpdate(const api::Pod& pod, const api::Pod& old_pod, const PodOptions& options,
                             ErrorList& errors) {
  const Path meta("metadata");
  const Path path("status");
  const api::PodStatus& status = pod.status;
  const api::PodStatus& old = old_pod.status;
  validateObjectMetaUpdate(pod, old_pod, meta, errors);
  validateAnnotationUpdates(pod, old_pod, options, meta.child("annotations"), errors);
  validateConditions(status.conditions, path.child("conditions"), errors);
  const Path nominated = path.child("nominatedNodeName");
  if (status.nominated_node_name != old.nominated_node_name && !status.nominated_node_name.empty()) {
    validateDnsSubdomain(status.nominated_node_name, nominated, errors);
    if (options.clear_nominated_after_binding && !old_pod.spec.node_name.empty()) {
      errors.forbidden(nominated, "may not be set on pods that are already bound to a node");
    }
  }
  if (status.observed_generation < 0) {
    errors.invalid(path.child("observedGeneration"), number(status.observed_generation),
                   "must be a non-negative integer");
  }
  if (status.qos_class != old.qos_class) {
    errors.invalid(path.child("qosClass"), jsonString(status.qos_class), kImmutableMessage);
  }
  validateStateTransitions(status.container_statuses, old.container_statuses, old_pod.spec, old_pod.spec.containers,
                           path.child("containerStatuses"), options, errors);
  validateStateTransitions(status.init_container_statuses, old.init_container_statuses, old_pod.spec,
                           old_pod.spec.init_containers, path.child("initContainerStatuses"), options, errors);
  const Json rest = parseRest(status.rest);
  const Json old_rest = parseRest(old.rest);
  const Json& ephemeral = listOf(rest, "ephemeralContainerStatuses");
  const Path ephemeral_path = path.child("ephemeralContainerStatuses");
  validateEphemeralTransitions(ephemeral, listOf(old_rest, "ephemeralContainerStatuses"), ephemeral_path, errors);
  validateClaimStatuses(listOf(rest, "resourceClaimStatuses"), pod.spec, path.child("resourceClaimStatuses"), errors);
  validateExtendedClaim(rest, pod.spec, path, errors);
  validateAddresses(rest, old_rest, "podIP", "podIPs", /*both_or_none=*/true, options.strict_ip, errors);
  validateAddresses(rest, old_rest, "hostIP", "hostIPs", /*both_or_none=*/false, options.strict_ip, errors);
  // The parts of containers' statuses that are kept as JSON.
  const auto details = [](const std::vector<api::ContainerStatus>& statuses) {
    Json list = Json::array();
    for (const api::ContainerStatus& one : statuses) {
      list.push_back(parseRest(one.rest));
      list.back()["name"] = one.name;
    }
    return list;
  };
  const Json containers = details(status.container_statuses);
  const Json init_containers = details(status.init_container_statuses);
  validateUsers(containers, pod.spec, path.child("containerStatuses"), errors);
  validateUsers(init_containers, pod.spec, path.child("initContainerStatuses"), errors);
  validateUsers(ephemeral, pod.spec, ephemeral_path, errors);
  if (!options.resource_health) return;
  validateHealth(containers, pod.spec.containers, rest, path.child("containerStatuses"), errors);
  validateHealth(init_containers, pod.spec.init_containers, rest, path.child("initContainerStatuses"), errors);
  for (std::size_t i = 0; i < ephemeral.size(); ++i) {
    if (listOf(ephemeral[i], "allocatedResourcesStatus").empty()) continue;
    errors.forbidden(ephemeral_path.index(i).child("allocatedResourcesStatus"),
                     "must not be specified in container status");
  }
}

}  // namespace podberth::apiserver
