#include <algorithm>
#include <limits>

#include "core/apiserver/shown_structure.h"
#include "core/apiserver/validation.h"

namespace podberth::apiserver {

namespace {

constexpr std::size_t kMaxNameservers = 3;
constexpr std::size_t kMaxSearches = 32;
constexpr std::size_t kMaxSearchCharacters = 2048;

bool hasInvalidLabelValues(const api::PodSpec& spec) {
  if (!spec.affinity || !spec.affinity->node || !spec.affinity->node->required) return false;
  for (const api::NodeSelectorTerm& term : spec.affinity->node->required->terms) {
    for (const api::NodeSelectorRequirement& requirement : term.match_expressions) {
      for (const std::string& value : requirement.values) {
        if (!isLabelValue(value, api::kWording).empty()) return true;
      }
    }
  }
  return false;
}

bool hasInvalidSelectors(const api::PodSpec& spec) {
  if (!spec.affinity) return false;
  ErrorList errors;
  const Path nowhere("spec");
  for (const auto* affinity : {&spec.affinity->pod, &spec.affinity->pod_anti}) {
    if (!*affinity) continue;
    const auto check = [&](const api::PodAffinityTerm& term) {
      validateLabelSelector(term.label_selector, false, nowhere, errors);
      validateLabelSelector(term.namespace_selector, false, nowhere, errors);
    };
    for (const api::PodAffinityTerm& term : (*affinity)->required) check(term);
    for (const api::WeightedPodAffinityTerm& term : (*affinity)->preferred) check(term.term);
  }
  return !errors.empty();
}

bool hasInvalidSpreadSelector(const api::PodSpec& spec) {
  ErrorList errors;
  for (const api::TopologySpreadConstraint& constraint : spec.topology_spread_constraints) {
    validateLabelSelector(constraint.label_selector, false, Path("spec"), errors);
  }
  return !errors.empty();
}

bool hasRestartContainerInInit(const api::PodSpec& spec) {
  for (const api::Container& container : spec.init_containers) {
    if (container.isSidecar()) continue;
    const Json rest = parseRest(container.rest);
    for (const Json& policy : listOf(rest, "resizePolicy")) {
      if (stringOf(policy, "restartPolicy") == "RestartContainer") return true;
    }
  }
  return false;
}

bool usesTolerationComparison(const api::PodSpec& spec) {
  return std::any_of(spec.tolerations.begin(), spec.tolerations.end(),
                     [](const api::Toleration& t) { return t.op == "Lt" || t.op == "Gt"; });
}

void validateResourceClaims(const api::Pod& pod, const Json& rest, const Path& path, ErrorList& errors) {
  const Json& claims = listOf(rest, "resourceClaims");
  const bool mirror = pod.meta.annotations.count(std::string(kMirrorPodAnnotation)) != 0;
  std::set<std::string> names;
  for (std::size_t i = 0; i < claims.size(); ++i) {
    const Path at = path.index(i);
    if (mirror) {
      errors.forbidden(Path("", at.pointer()), "static pods do not support resource claims");
      continue;
    }
    const std::string name = stringOf(claims[i], "name");
    if (name.empty()) {
      errors.required(at.child("name"));
    } else if (names.count(name) != 0) {
      errors.duplicate(at.child("name"), shown(name));
    } else {
      validateDnsLabel(name, at.child("name"), errors);
      names.insert(name);
    }
    const Json* claim = member(claims[i], "resourceClaimName");
    const Json* claim_template = member(claims[i], "resourceClaimTemplateName");
    const std::string claim_name = stringOf(claims[i], "resourceClaimName");
    const std::string template_name = stringOf(claims[i], "resourceClaimTemplateName");
    constexpr ShownField kFields[] = {{"Name", "name", "string"},
                                      {"ResourceClaimName", "resourceClaimName", "*string"},
                                      {"ResourceClaimTemplateName", "resourceClaimTemplateName", "*string"},
                                      {nullptr, nullptr, nullptr}};
    const Shown whole = shownStructure(claims[i], "core.PodResourceClaim", kFields);
    if (claim != nullptr && claim_template != nullptr) {
      errors.invalid(at, whole, "at most one of `resourceClaimName` or `resourceClaimTemplateName` may be specified");
    }
    if (claim == nullptr && claim_template == nullptr) {
      errors.invalid(at, whole, "must specify one of: `resourceClaimName`, `resourceClaimTemplateName`");
    }
    if (claim != nullptr) validateDnsSubdomain(claim_name, at.child("resourceClaimName"), errors);
    if (claim_template != nullptr) validateDnsSubdomain(template_name, at.child("resourceClaimTemplateName"), errors);
  }
}

void validateRestartPolicy(const std::string& policy, const Path& path, ErrorList& errors) {
  if (policy.empty()) {
    errors.required(path);
  } else if (policy != "Always" && policy != "OnFailure" && policy != "Never") {
    errors.notSupported(path, jsonString(policy), {"Always", "OnFailure", "Never"});
  }
}

void validateDnsPolicy(const std::string& policy, const Path& path, ErrorList& errors) {
  if (policy.empty()) {
    errors.required(path);
  } else if (policy != "ClusterFirstWithHostNet" && policy != "ClusterFirst" && policy != "Default" &&
             policy != "None") {
    errors.notSupported(path, jsonString(policy), {"ClusterFirstWithHostNet", "ClusterFirst", "Default", "None"});
  }
}

Shown shownList(const Json& list) {
  std::vector<std::string> texts;
  for (const Json& item : list) texts.push_back(item.is_string() ? item.get<std::string>() : std::string());
  return jsonStrings(texts);
}

Messages ipOf(const std::string& text, const PodOptions& options, const ErrorList& errors) {
  if (errors.rules().strict_ips) return isIpForLegacyField(text, options.strict_ip);
  if (ipFamily(text) != IpFamily::kNone) return {};
  return {"must be valid IP address"};
}

void validateDnsConfig(const std::string& policy, const Json& rest, const Path& path, const PodOptions& options,
                       ErrorList& errors) {
  const Json* config = member(rest, "dnsConfig");
  if (policy == "None") {
    if (config == nullptr) {
      errors.required(path, "must provide `dnsConfig` when `dnsPolicy` is None");
      return;
    }
    if (listOf(*config, "nameservers").empty()) {
      errors.required(path.child("nameservers"), "must provide at least one DNS nameserver when `dnsPolicy` is None");
      return;
    }
  }
  if (config == nullptr) return;
  const Json& servers = listOf(*config, "nameservers");
  if (servers.size() > kMaxNameservers) {
    errors.invalid(path.child("nameservers"), shownList(servers), "must not have more than 3 nameservers");
  }
  for (std::size_t i = 0; i < servers.size(); ++i) {
    const std::string server = servers[i].is_string() ? servers[i].get<std::string>() : std::string();
    errors.invalidEach(path.child("nameservers").index(i), shown(server), ipOf(server, options, errors));
  }
  const Json& searches = listOf(*config, "searches");
  const std::size_t max_searches = options.expanded_dns ? kMaxSearches : errors.rules().max_searches;
  const std::size_t max_characters = options.expanded_dns ? kMaxSearchCharacters : errors.rules().max_search_characters;
  if (searches.size() > max_searches) {
    errors.invalid(path.child("searches"), shownList(searches),
                   "must not have more than " + std::to_string(max_searches) + " search paths");
  }
  std::size_t characters = searches.empty() ? 0 : searches.size() - 1;
  for (const Json& search : searches) {
    characters += search.is_string() ? search.get_ref<const std::string&>().size() : 0;
  }
  if (characters > max_characters) {
    errors.invalid(path.child("searches"), shownList(searches),
                   "must not have more than " + std::to_string(max_characters) +
                       " characters (including spaces) in the search list");
  }
  for (std::size_t i = 0; i < searches.size(); ++i) {
    std::string search = searches[i].is_string() ? searches[i].get<std::string>() : std::string();
    const bool underscores = errors.rules().search_underscores;
    if (underscores && search == ".") continue;
    if (!search.empty() && search.back() == '.') search.pop_back();
    errors.invalidEach(
        path.child("searches").index(i), shown(search),
        underscores ? isDns1123SubdomainWithUnderscore(search) : isDns1123Subdomain(search, errors.wording()));
  }
  const Json& entries = listOf(*config, "options");
  for (std::size_t i = 0; i < entries.size(); ++i) {
    if (stringOf(entries[i], "name").empty()) errors.required(path.child("options").index(i), "must not be empty");
  }
}

void validateReadinessGates(const Json& rest, const Path& path, ErrorList& errors) {
  const Json& gates = listOf(rest, "readinessGates");
  for (std::size_t i = 0; i < gates.size(); ++i) {
    const std::string type = stringOf(gates[i], "conditionType");
    validateQualifiedName(type, path.index(i).child("conditionType"), errors);
  }
}

void validateHostUsers(const api::PodSpec& spec, const Json& rest, const Path& path, const PodOptions& options,
                       ErrorList& errors) {
  const Json* users = member(rest, "hostUsers");
  if (users == nullptr || !users->is_boolean() || users->get<bool>()) return;
  constexpr std::string_view kNotWithUsers = "when `hostUsers` is false";
  if (spec.host_network && !options.host_network_of_users) {
    errors.forbidden(path.child("hostNetwork"), kNotWithUsers);
  }
  if (boolOf(rest, "hostPID")) errors.forbidden(Path("spec.HostPID", "/spec/hostPID"), kNotWithUsers);
  if (boolOf(rest, "hostIPC")) errors.forbidden(Path("spec.HostIPC", "/spec/hostIPC"), kNotWithUsers);
  forEachContainer(spec, path, [&](const api::Container& container, const Path& at) {
    if (listOf(parseRest(container.rest), "volumeDevices").empty()) return;
    errors.forbidden(at.child("volumeDevices"), kNotWithUsers);
  });
}

void validateHostNames(const api::PodSpec& spec, const Json& rest, const Path& path, ErrorList& errors) {
  if (member(rest, "hostnameOverride") == nullptr) return;
  const Path at = path.child("hostnameOverride");
  const std::string name = stringOf(rest, "hostnameOverride");
  if (boolOf(rest, "setHostnameAsFQDN")) errors.forbidden(at, "may not be specified when setHostnameAsFQDN is true");
  if (spec.host_network) errors.forbidden(at, "may not be specified when hostNetwork is true");
  if (name.size() > 64) errors.tooLong(at, 64);
  validateDnsSubdomain(name, at, errors);
}

void validateServiceAccount(const Json& rest, const Path& path, ErrorList& errors) {
  const std::string account = stringOf(rest, "serviceAccountName");
  if (!account.empty()) validateDnsSubdomain(account, path.child("serviceAccountName"), errors);
}

void validateHostAliases(const Json& rest, const Path& path, const PodOptions& options, ErrorList& errors) {
  const Json& aliases = listOf(rest, "hostAliases");
  for (std::size_t i = 0; i < aliases.size(); ++i) {
    const std::string ip = stringOf(aliases[i], "ip");
    const bool indexed = errors.rules().strict_ips;
    const Path at = indexed ? path.index(i) : Path(path.text(), path.index(i).pointer());
    errors.invalidEach(at.child("ip"), shown(ip), ipOf(ip, options, errors));
    const Json& names = listOf(aliases[i], "hostnames");
    for (std::size_t j = 0; j < names.size(); ++j) {
      const std::string name = names[j].is_string() ? names[j].get<std::string>() : std::string();
      const Path named = at.child("hostnames");
      validateDnsSubdomain(name, indexed ? named.index(j) : Path(named.text(), named.index(j).pointer()), errors);
    }
  }
}

// A file that variables are read from must be in an emptyDir.
void validateFileVolumes(const api::PodSpec& spec, const Path& path, const PodOptions& options, ErrorList& errors) {
  if (!options.allow_env_files) return;
  forEachContainer(spec, path, [&](const api::Container& container, const Path& place) {
    if (container.rest.find("\"fileKeyRef\"") == std::string::npos) return;
    const Json rest = parseRest(container.rest);
    const Json& variables = listOf(rest, "env");
    for (std::size_t i = 0; i < variables.size(); ++i) {
      const Json* file = member(objectOf(variables[i], "valueFrom"), "fileKeyRef");
      if (file == nullptr) continue;
      const std::string name = stringOf(*file, "volumeName");
      const Path at = place.child("env").index(i).child("valueFrom").child("fileKeyRef").child("volumeName");
      const api::Volume* volume = nullptr;
      for (const api::Volume& candidate : spec.volumes) {
        if (candidate.name == name) volume = &candidate;
      }
      if (volume == nullptr) {
        errors.notFound(at, shown(name));
      } else if (std::find(volume->sources.begin(), volume->sources.end(), "emptyDir") == volume->sources.end()) {
        errors.invalid(at, shown(name), "referenced volume must be of type emptyDir");
      }
    }
  });
}

void validatePodSpec(const api::Pod& pod, const Path& path, const PodOptions& options, ErrorList& errors) {
  const api::PodSpec& spec = pod.spec;
  const Json rest = parseRest(spec.rest);
  const bool probes_first = errors.rules().containers == ContainerOrder::kProbesFirst;
  if (errors.rules().grace_period && !spec.termination_grace_period_seconds)
    errors.required(path.child("terminationGracePeriodSeconds"));
  const VolumeNames volumes = validateVolumes(pod, path.child("volumes"), options, errors);
  validateResourceClaims(pod, rest, path.child("resourceClaims"), errors);
  if (probes_first) {
    validateAllContainersProbesFirst(spec, volumes, path, options, errors);
  } else {
    validateContainers(spec, volumes, path.child("containers"), options, errors);
    validateInitContainers(spec, volumes, path.child("initContainers"), options, errors);
    validateEphemeralContainers(spec, volumes, path.child("ephemeralContainers"), options, errors);
  }
  if (options.pod_level_resources) validatePodResources(pod, path, options, errors);
  if (!errors.rules().host_ports_by_container_port) validateHostNetworkPorts(spec, path, errors);
  validateRestartPolicy(spec.restart_policy, path.child("restartPolicy"), errors);
  validateDnsPolicy(spec.dns_policy, path.child("dnsPolicy"), errors);
  validateLabels(spec.node_selector, path.child("nodeSelector"), errors);
  if (errors.rules().host_ports_by_container_port) validateHostNetworkPorts(spec, path, errors);
  validatePodSecurity(spec, rest, path, options, errors);
  if (errors.rules().share_process_in_spec) validateProcessSharing(rest, path, errors);
  validateAffinity(spec, path.child("affinity"), options, errors);
  validateDnsConfig(spec.dns_policy, rest, path.child("dnsConfig"), options, errors);
  validateReadinessGates(rest, path.child("readinessGates"), errors);
  validateSchedulingGates(spec, path.child("schedulingGates"), errors);
  validateTopologySpread(spec, path.child("topologySpreadConstraints"), options, errors);
  validateHostProcess(spec, rest, path, options, errors);
  validateHostUsers(spec, rest, path, options, errors);
  validateHostNames(spec, rest, path, errors);
  validateServiceAccount(rest, path, errors);
  if (!spec.node_name.empty()) validateDnsSubdomain(spec.node_name, path.child("nodeName"), errors);
  constexpr std::int64_t kMaxDeadline = std::numeric_limits<std::int32_t>::max();
  if (spec.active_deadline_seconds) {
    const std::int64_t value = *spec.active_deadline_seconds;
    if (value < 1 || value > kMaxDeadline) {
      errors.invalid(path.child("activeDeadlineSeconds"), number(value), inclusiveRangeError(1, kMaxDeadline));
    }
  }
  for (const char* name : {"hostname", "subdomain"}) {
    const std::string value = stringOf(rest, name);
    if (!value.empty()) validateDnsLabel(value, path.child(name), errors);
  }
  validateTolerations(spec.tolerations, path.child("tolerations"), options, errors);
  validateHostAliases(rest, path.child("hostAliases"), options, errors);
  if (!spec.priority_class_name.empty()) {
    validateDnsSubdomain(spec.priority_class_name, path.child("priorityClassName"), errors);
  }
  if (member(rest, "runtimeClassName") != nullptr) {
    validateDnsSubdomain(stringOf(rest, "runtimeClassName"), path.child("runtimeClassName"), errors);
  }
  if (spec.preemption_policy) {
    const Path at = path.child("preemptionPolicy");
    if (spec.preemption_policy->empty()) {
      errors.required(at);
    } else if (*spec.preemption_policy != "PreemptLowerPriority" && *spec.preemption_policy != "Never") {
      errors.notSupported(at, jsonString(*spec.preemption_policy), {"PreemptLowerPriority", "Never"});
    }
  }
  validateOverhead(spec, path.child("overhead"), options, errors);
  validateOs(spec, rest, path, errors);
  validateFileVolumes(spec, path, options, errors);
}

// A token of a service account needs an account.
void validateTokenProjections(const api::PodSpec& spec, const Path& path, ErrorList& errors) {
  const bool projected = std::any_of(spec.volumes.begin(), spec.volumes.end(), [](const api::Volume& volume) {
    return std::find(volume.sources.begin(), volume.sources.end(), "projected") != volume.sources.end();
  });
  if (!projected) return;
  if (!stringOf(parseRest(spec.rest), "serviceAccountName").empty()) return;
  for (std::size_t i = 0; i < spec.volumes.size(); ++i) {
    const Json volume = parseRest(spec.volumes[i].rest);
    const Json& sources = listOf(objectOf(volume, "projected"), "sources");
    for (std::size_t j = 0; j < sources.size(); ++j) {
      if (member(sources[j], "serviceAccountToken") == nullptr) continue;
      errors.forbidden(
          path.child("volumes").index(i).child("projected").child("sources").index(j).child("serviceAccountToken"),
          "must not be specified when serviceAccountName is not set");
    }
  }
}

}  // namespace

PodOptions podOptions(const api::Pod* old_pod, const scheduler::FeatureGates& gates) {
  PodOptions options;
  options.allow_invalid_deletion_cost = !gates.enabled("PodDeletionCost");
  options.allow_spread_match_label_keys = gates.enabled("MatchLabelKeysInPodTopologySpread");
  options.allow_spread_match_label_keys_merge = gates.enabled("MatchLabelKeysInPodTopologySpreadSelectorMerge");
  options.allow_toleration_comparison = gates.enabled("TaintTolerationComparisonOperators");
  options.allow_restart_rules = gates.enabled("ContainerRestartRules");
  options.allow_restart_all = gates.enabled("RestartAllContainersOnContainerExits");
  options.allow_env_files = gates.enabled("EnvFiles");
  options.pod_level_resources = gates.enabled("PodLevelResources");
  options.strict_ip = gates.enabled("StrictIPCIDRValidation");
  options.expanded_dns =
      rulesOf(gates.release().admission).max_searches == kMaxSearches || gates.enabled("ExpandedDNSConfig");
  options.read_write_once_pod = !rulesOf(gates.release().admission).once_pod_gate || gates.enabled("ReadWriteOncePod");
  options.windows_host_process =
      !rulesOf(gates.release().admission).older_gates || gates.enabled("WindowsHostProcessContainers");
  options.resource_health = gates.enabled("ResourceHealthStatus");
  options.only_recursive_labels = !gates.enabled("SELinuxMount");
  options.host_network_of_users = gates.enabled("UserNamespacesHostNetworkSupport");
  options.clear_nominated_after_binding = gates.enabled("ClearingNominatedNodeNameAfterBinding");
  if (old_pod == nullptr) return options;
  const api::PodSpec& spec = old_pod->spec;
  options.allow_indivisible_huge_pages = usesIndivisibleHugePages(spec);
  options.allow_invalid_label_value_in_selector = hasInvalidSelectors(spec);
  options.allow_invalid_label_value_in_node_affinity = hasInvalidLabelValues(spec);
  options.allow_invalid_spread_selector = hasInvalidSpreadSelector(spec);
  if (options.allow_spread_match_label_keys) {
    if (options.allow_spread_match_label_keys_merge) {
      options.old_violates_match_label_keys = spreadViolatesMatchLabelKeys(spec);
    } else {
      options.old_violates_legacy_match_label_keys = spreadViolatesLegacyMatchLabelKeys(spec);
    }
  }
  options.allow_toleration_comparison = options.allow_toleration_comparison || usesTolerationComparison(spec);
  options.allow_restart_container_for_init = hasRestartContainerInInit(spec);
  options.allow_invalid_deletion_cost = options.allow_invalid_deletion_cost || hasInvalidDeletionCost(old_pod->meta);
  return options;
}

void validatePodTemplate(const api::Pod& pod, const Path& path, const PodOptions& options, ErrorList& errors) {
  // Upstream leaves `metadata` out of these two paths.
  const Path labels(path.text() + ".labels", path.pointer() + "/metadata/labels");
  const Path annotations(path.text() + ".annotations", path.pointer() + "/metadata/annotations");
  validateLabels(pod.meta.labels, labels, errors);
  validateAnnotations(pod.meta.annotations, annotations, errors);
  validatePodAnnotations(pod, options, annotations, errors);
  validatePodSpec(pod, path.child("spec"), options, errors);
  if (!pod.spec.ephemeral_containers.empty()) {
    errors.forbidden(path.child("spec").child("ephemeralContainers"),
                     "ephemeral containers not allowed in pod template");
  }
}

void validatePodMetadataAndSpec(const api::Pod& pod, const PodOptions& options, ErrorList& errors) {
  const Path meta("metadata");
  const Path spec("spec");
  validateObjectMeta(pod, /*namespaced=*/true, nameIsDns1123Subdomain, meta, errors);
  validatePodAnnotations(pod, options, meta.child("annotations"), errors);
  validatePodSpec(pod, spec, options, errors);
  validateTokenProjections(pod.spec, spec, errors);
  if (errors.rules().grace_period && pod.spec.termination_grace_period_seconds) {
    validateNonNegative(*pod.spec.termination_grace_period_seconds, spec.child("terminationGracePeriodSeconds"),
                        errors);
  }
  for (std::size_t i = 0; i < pod.spec.containers.size(); ++i) {
    validateImageWhitespace(pod.spec.containers[i], spec.child("containers").index(i), errors);
  }
  for (std::size_t i = 0; i < pod.spec.init_containers.size(); ++i) {
    validateImageWhitespace(pod.spec.init_containers[i], spec.child("initContainers").index(i), errors);
  }
}

void validatePodCreate(const api::Pod& pod, const PodOptions& options, ErrorList& errors) {
  validatePodMetadataAndSpec(pod, options, errors);
  const Path spec("spec");
  if (!pod.spec.ephemeral_containers.empty()) {
    errors.forbidden(spec.child("ephemeralContainers"), "cannot be set on create");
  }
  if (!pod.spec.node_name.empty() && !pod.spec.scheduling_gates.empty()) {
    errors.forbidden(spec.child("nodeName"), "cannot be set until all schedulingGates have been cleared");
  }
  validateProfilesMatch(pod, spec, errors);
}

}  // namespace podberth::apiserver
