#include <algorithm>

#include "core/api/pod_requests.h"
#include "core/apiserver/validation.h"

namespace podberth::apiserver {

namespace {

constexpr std::string_view kHugePagesPrefix = "hugepages-";
constexpr std::string_view kRequestsPrefix = "requests.";
constexpr std::string_view kNativeDomain = "kubernetes.io/";
constexpr std::string_view kNotInteger = "must be an integer";

bool oneOf(std::string_view name, std::initializer_list<std::string_view> names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

bool isStandardContainerResource(std::string_view name) {
  return oneOf(name, {"cpu", "memory", "ephemeral-storage"}) || isHugePageResource(name);
}

bool isStandardResource(std::string_view name) {
  return oneOf(name, {"cpu",
                      "memory",
                      "ephemeral-storage",
                      "requests.cpu",
                      "requests.memory",
                      "requests.ephemeral-storage",
                      "limits.cpu",
                      "limits.memory",
                      "limits.ephemeral-storage",
                      "pods",
                      "resourcequotas",
                      "services",
                      "replicationcontrollers",
                      "secrets",
                      "configmaps",
                      "persistentvolumeclaims",
                      "storage",
                      "requests.storage",
                      "services.nodeports",
                      "services.loadbalancers"}) ||
         isHugePageResource(name) || name.starts_with("requests.hugepages-");
}

bool isNativeResource(std::string_view name) {
  return name.find('/') == std::string_view::npos || name.find(kNativeDomain) != std::string_view::npos;
}

bool isIntegerResource(std::string_view name) {
  return oneOf(name, {"pods", "resourcequotas", "services", "replicationcontrollers", "secrets", "configmaps",
                      "persistentvolumeclaims", "services.nodeports", "services.loadbalancers"}) ||
         isExtendedResource(name);
}

// As JSON, or as Go source: in thousandths and less, as fractions are.
Shown shownQuantity(const api::Quantity& value) {
  const std::string text = value.str();
  std::string_view digits = text;
  int scale = 0;
  for (const auto& [suffix, exponent] : {std::pair<char, int>{'m', -3}, {'u', -6}, {'n', -9}}) {
    if (text.back() != suffix) continue;
    digits.remove_suffix(1);
    scale = exponent;
  }
  const bool binary = value.format() == api::Quantity::Format::kBinarySI;
  const char* format = binary                                                ? "BinarySI"
                       : value.format() == api::Quantity::Format::kDecimalSI ? "DecimalSI"
                                                                             : "DecimalExponent";
  // What has more digits than fit in 64 bits, and fractions with a binary suffix, upstream keeps otherwise.
  const bool is_long = digits.size() > 18 || (binary && scale != 0);
  return raw(go::jsonString(text),
             "resource.Quantity{i:resource.int64Amount{value:" + (is_long ? "0" : std::string(digits)) +
                 ", scale:" + std::to_string(is_long ? 0 : scale) + "}, d:resource.infDecAmount{Dec:(*inf.Dec)(" +
                 (is_long ? "0x0" : "nil") + ")}, s:" + go::quote(is_long ? "" : text) + ", Format:\"" + format +
                 "\"}");
}

bool isWholeNumber(const api::Quantity& value) { return value.milliValue() % 1000 == 0; }

// Upstream's IsHugePageResourceValueDivisible.
bool hugePagesDivide(std::string_view name, const api::Quantity& value) {
  const auto page = api::Quantity::parse(name.substr(kHugePagesPrefix.size()));
  if (!page || page->sign() <= 0 || !isWholeNumber(*page)) return false;
  return value.value() % page->value() == 0;
}

// Errors of a resource's name. False if it is not even a name.
bool validateResourceName(std::string_view name, const Path& path, ErrorList& errors) {
  const Messages messages = isLabelKey(name, errors.wording());
  if (!messages.empty()) {
    errors.invalidEach(path, jsonString(name), messages);
    return false;
  }
  if (name.find('/') == std::string_view::npos && !isStandardResource(name)) {
    errors.invalid(path, jsonString(name), "must be a standard resource type or fully qualified");
    return false;
  }
  return true;
}

void validateOwnedResourceName(std::string_view name, ResourceOwner owner, const Path& path, ErrorList& errors) {
  const bool sound = validateResourceName(name, path, errors);
  if (owner == ResourceOwner::kPod) {
    if (sound && name != "cpu" && name != "memory" && !isHugePageResource(name)) {
      errors.notSupported(path, jsonString(name), {"cpu", "hugepages-", "memory"});
    }
    return;
  }
  if (name.find('/') == std::string_view::npos) {
    if (!isStandardContainerResource(name)) {
      errors.invalid(path, jsonString(name), "must be a standard resource for containers");
    }
  } else if (!isNativeResource(name) && !isExtendedResource(name)) {
    errors.invalid(path, jsonString(name), "doesn't follow extended resource name standard");
  }
}

void validateHugePages(std::string_view name, const api::Quantity& value, const Path& path, const PodOptions& options,
                       ErrorList& errors) {
  if (options.allow_indivisible_huge_pages || hugePagesDivide(name, value)) return;
  errors.invalid(path, shown(value.str()), value.str() + " is not positive integer multiple of " + std::string(name));
}

// The claims that a container refers to (resources.claims) must be among the pod's.
void validateClaimNames(const api::ResourceRequirements& resources, const std::vector<std::string>& claim_names,
                        const Path& path, ErrorList& errors) {
  if (resources.rest.empty()) return;
  const Json rest = parseRest(resources.rest);
  const Json& claims = listOf(rest, "claims");
  std::set<std::string> names;
  for (std::size_t i = 0; i < claims.size(); ++i) {
    const std::string name = stringOf(claims[i], "name");
    const std::string request = stringOf(claims[i], "request");
    const Path at = path.index(i);
    if (name.empty()) {
      errors.required(at);
      continue;
    }
    if (names.count(name) != 0) {
      errors.duplicate(at, shown(name));
    } else {
      std::string key = name;
      if (!request.empty()) {
        validateDnsLabel(request, at.child("request"), errors);
        key += "/" + request;
      }
      if (names.count(key) != 0) {
        errors.duplicate(at, shown(key));
      } else if (request.empty()) {
        for (const std::string& other : names) {
          if (other.starts_with(name + "/")) errors.duplicate(at, shown(name));
        }
      }
      names.insert(key);
    }
    if (std::find(claim_names.begin(), claim_names.end(), name) == claim_names.end()) {
      std::string detail = "must be one of the names in pod.spec.resourceClaims";
      std::set<std::string> sorted(claim_names.begin(), claim_names.end());
      sorted.erase("");
      if (sorted.empty()) {
        detail += " which is empty";
      } else {
        detail += ": " + joined(Messages(sorted.begin(), sorted.end()), ", ");
      }
      errors.notFound(at, shown(name), detail);
    }
  }
}

// Containers must fit into what the pod asks for as a whole.
void validatePodResourceConsistency(const api::Pod& pod, const Path& path, ErrorList& errors) {
  const api::PodSpec& spec = pod.spec;
  const api::ResourceRequirements& whole = *spec.resources;
  for (const auto& [name, total] : api::aggregateContainerRequests(pod)) {
    const api::Quantity* have = whole.requests.find(name);
    if (have == nullptr || total.compare(*have) <= 0) continue;
    errors.invalid(path.child("requests").key(name), shown(have->str()),
                   "must be greater than or equal to aggregate container requests of " + total.str());
  }
  for (const auto& [name, total] : api::aggregateContainerLimits(pod)) {
    if (!isHugePageResource(name)) continue;
    const api::Quantity* have = whole.limits.find(name);
    if (have == nullptr || total.compare(*have) <= 0) continue;
    errors.invalid(path.child("limits").key(name), shown(have->str()),
                   "must be greater than or equal to aggregate container limits of " + total.str());
  }
  for (std::size_t i = 0; i < spec.containers.size(); ++i) {
    for (const auto& [name, limit] : spec.containers[i].resources.limits) {
      const api::Quantity* have = whole.limits.find(name);
      if (have == nullptr || limit.compare(*have) <= 0) continue;
      const Path at(path.text() + ".containers[" + std::to_string(i) + "][" + name.str() + "].limits",
                    Path("spec").child("containers").index(i).child("resources").child("limits").key(name).pointer());
      errors.invalid(at, shown(limit.str()), "must be less than or equal to pod limits of " + have->str());
    }
  }
}

}  // namespace

bool isHugePageResource(std::string_view name) { return name.starts_with(kHugePagesPrefix); }

bool isOvercommitAllowed(std::string_view name) { return isNativeResource(name) && !isHugePageResource(name); }

bool isExtendedResource(std::string_view name) {
  if (isNativeResource(name) || name.starts_with(kRequestsPrefix)) return false;
  return isLabelKey(std::string(kRequestsPrefix) + std::string(name), api::kWording).empty();
}

bool usesIndivisibleHugePages(const api::PodSpec& spec) {
  const auto any = [](const api::ResourceList& list) {
    return std::any_of(list.begin(), list.end(), [](const api::ResourceList::Item& item) {
      return isHugePageResource(item.first) && !hugePagesDivide(item.first, item.second);
    });
  };
  for (const auto* containers : {&spec.containers, &spec.init_containers, &spec.ephemeral_containers}) {
    for (const api::Container& container : *containers) {
      if (any(container.resources.requests) || any(container.resources.limits)) return true;
    }
  }
  return any(spec.overhead);
}

void validateResourceQuantity(api::Symbol name, const api::Quantity& value, const Path& path, ErrorList& errors) {
  if (value.sign() < 0) errors.invalid(path, shown(value.str()), kNegativeMessage);
  if (isIntegerResource(name) && !isWholeNumber(value)) errors.invalid(path, shownQuantity(value), kNotInteger);
}

namespace {

std::string limitOf(api::Symbol name, const api::Quantity& limit, const ErrorList& errors) {
  return name.str() + " limit" + (errors.rules().names_limits ? " of " + limit.str() : "");
}

void validateRequirements(const api::ResourceRequirements& resources, ResourceOwner owner,
                          const std::vector<std::string>& claim_names, const Path& path, const Path& limits_path,
                          const PodOptions& options, ErrorList& errors) {
  if (resources.limits.empty() && resources.requests.empty() && resources.rest.empty()) return;
  const Path requests_path = path.child("requests");
  bool compute = false;
  bool huge_pages = false;
  const auto note = [&](api::Symbol name) {
    compute = compute || name == api::resource::kCPU || name == api::resource::kMemory;
    huge_pages = huge_pages || isHugePageResource(name);
  };
  for (const auto& [name, value] : resources.limits) {
    const Path at = limits_path.key(name);
    validateOwnedResourceName(name, owner, at, errors);
    validateResourceQuantity(name, value, at, errors);
    if (isHugePageResource(name)) validateHugePages(name, value, at, options, errors);
    note(name);
  }
  for (const auto& [name, value] : resources.requests) {
    const Path at = requests_path.key(name);
    validateOwnedResourceName(name, owner, at, errors);
    validateResourceQuantity(name, value, at, errors);
    const api::Quantity* limit = resources.limits.find(name);
    const Path place(requests_path.text(), at.pointer());
    if (limit != nullptr) {
      if (value.compare(*limit) != 0 && !isOvercommitAllowed(name)) {
        errors.invalid(place, shown(value.str()), "must be equal to " + limitOf(name, *limit, errors));
      } else if (value.compare(*limit) > 0) {
        errors.invalid(place, shown(value.str()), "must be less than or equal to " + limitOf(name, *limit, errors));
      }
    } else if (!isOvercommitAllowed(name)) {
      errors.required(limits_path, "Limit must be set for non overcommitable resources");
    }
    if (isHugePageResource(name)) validateHugePages(name, value, at, options, errors);
    note(name);
  }
  if (huge_pages && !compute) errors.forbidden(path, "HugePages require cpu or memory");
  validateClaimNames(resources, claim_names, path.child("claims"), errors);
}

}  // namespace

void validateResourceRequirements(const api::ResourceRequirements& resources, ResourceOwner owner,
                                  const std::vector<std::string>& claim_names, const Path& path,
                                  const PodOptions& options, ErrorList& errors) {
  validateRequirements(resources, owner, claim_names, path, path.child("limits"), options, errors);
}

void validateOverhead(const api::PodSpec& spec, const Path& path, const PodOptions& options, ErrorList& errors) {
  if (spec.overhead.empty()) return;
  api::ResourceRequirements limits;  // upstream checks overhead as if it were the limits of a container
  limits.limits = spec.overhead;
  validateRequirements(limits, ResourceOwner::kContainer, {}, path, Path(path.child("limits").text(), path.pointer()),
                       options, errors);
}

void validatePodResources(const api::Pod& pod, const Path& path, const PodOptions& options, ErrorList& errors) {
  const api::PodSpec& spec = pod.spec;
  if (!spec.resources) return;
  const Path at = path.child("resources");
  if (spec.os_name == "windows") {
    errors.forbidden(at, "may not be set for a windows pod");
    return;
  }
  if (member(parseRest(spec.resources->rest), "claims") != nullptr) {
    errors.forbidden(at.child("claims"), "claims may not be set for Resources at pod-level");
  }
  validateResourceRequirements(*spec.resources, ResourceOwner::kPod, spec.resource_claims, at, options, errors);
  validatePodResourceConsistency(pod, at, errors);
}

}  // namespace podberth::apiserver
