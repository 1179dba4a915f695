#include <algorithm>

#include "core/apiserver/shown_structure.h"
#include "core/apiserver/validation.h"

namespace podberth::apiserver {

namespace {

constexpr std::string_view kCidrFixed = "node updates may not change podCIDR except from \"\" to valid";
constexpr std::size_t kMaxFeatureName = 253;

// Upstream says that taints are in the metadata.
Path taintsPath() { return Path("metadata.taints", "/spec/taints"); }

Shown shownTaint(const api::Taint& taint) {
  const std::string json =
      "{\"Key\":" + go::jsonString(taint.key) + ",\"Value\":" + go::jsonString(taint.value) +
      ",\"Effect\":" + go::jsonString(taint.effect) + ",\"TimeAdded\":" +
      (taint.time_added ? go::jsonString(clock::formatRfc3339(*taint.time_added)) : std::string("null")) + "}";
  return raw(json, "core.Taint{Key:" + go::quote(taint.key) + ", Value:" + go::quote(taint.value) +
                       ", Effect:" + go::quote(taint.effect) + ", TimeAdded:" +
                       (taint.time_added ? go::sourceTime(clock::formatRfc3339(*taint.time_added)) : "<nil>") + "}");
}

void validateResources(const api::Node& node, ErrorList& errors) {
  const auto check = [&](const api::ResourceList& list, const char* name) {
    for (const auto& [resource, value] : list) {
      validateResourceQuantity(resource, value, Path("status").child(name).child(resource), errors);
    }
  };
  check(node.status.capacity, "capacity");
  check(node.status.allocatable, "allocatable");
}

// ^[A-Z][a-zA-Z0-9]*(\/[a-zA-Z][a-zA-Z0-9]*)*$
bool isFeatureName(std::string_view name) {
  const auto upper = [](char c) { return c >= 'A' && c <= 'Z'; };
  const auto letter = [&](char c) { return upper(c) || (c >= 'a' && c <= 'z'); };
  const auto parts = split(name, '/');
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (parts[i].empty()) return false;
    if (i == 0 ? !upper(parts[i].front()) : !letter(parts[i].front())) return false;
    for (const char c : parts[i]) {
      if (!letter(c) && (c < '0' || c > '9')) return false;
    }
  }
  return true;
}

void validateDeclaredFeatures(const std::vector<std::string>& features, ErrorList& errors) {
  const Path path = Path("status").child("declaredFeatures");
  for (std::size_t i = 0; i < features.size(); ++i) {
    const std::string& name = features[i];
    if (name.size() > kMaxFeatureName) {
      errors.invalid(path.index(i), shown(name),
                     "invalid feature name " + go::quote(name) + ": must be no more than 253 characters");
    } else if (!isFeatureName(name)) {
      errors.invalid(
          path.index(i), shown(name),
          "invalid feature name " + go::quote(name) +
              ": must start with an UpperCamelCase segment, with subsequent segments separated by '/' (e.g., "
              "MyFeature or MyFeature/mySubFeature), and contain only alphanumeric characters and slashes");
    }
    if (i + 1 == features.size()) continue;
    const std::string& next = features[i + 1];
    if (name == next) {
      errors.duplicate(path.index(i + 1), shown(next));
    } else if (name > next) {
      errors.invalid(path.index(i + 1), shown(next), "list must be sorted alphabetically");
    }
  }
}

void validateSloppyPodCidrs(const std::vector<std::string>& cidrs, const Path& path, ErrorList& errors) {
  for (std::size_t i = 0; i < cidrs.size(); ++i) {
    if (cidrFamily(cidrs[i]) != IpFamily::kNone) continue;
    errors.invalid(path.index(i), jsonStrings(cidrs), "must be valid CIDR");
  }
  if (cidrs.size() < 2) return;
  bool v4 = false;
  bool v6 = false;
  for (const std::string& cidr : cidrs) {
    const IpFamily family = cidrFamily(cidr);
    v4 = v4 || family == IpFamily::kV4;
    v6 = v6 || family == IpFamily::kV6;
    if (family != IpFamily::kNone) continue;
    errors.internal(path, "invalid PodCIDRs. failed to check with dual stack with error:failed to parse cidr value:" +
                              go::quote(cidr) + " with error:invalid CIDR address: " + cidr);
    v4 = false;
    break;
  }
  if (!(v4 && v6) || cidrs.size() > 2) {
    errors.invalid(path, jsonStrings(cidrs), "may specify no more than one CIDR for each IP family");
  }
  std::set<std::string> seen;
  for (std::size_t i = 0; i < cidrs.size(); ++i) {
    if (!seen.insert(cidrs[i]).second) errors.duplicate(path.index(i), shown(cidrs[i]));
  }
}

void validatePodCidrs(const std::vector<std::string>& cidrs, bool strict, ErrorList& errors) {
  const Path path = Path("spec").child("podCIDRs");
  if (!errors.rules().strict_ips) return validateSloppyPodCidrs(cidrs, path, errors);
  for (std::size_t i = 0; i < cidrs.size(); ++i) {
    errors.invalidEach(path.index(i), shown(cidrs[i]), isCidrForLegacyField(cidrs[i], strict));
  }
  if (cidrs.size() < 2) return;
  bool v4 = false;
  bool v6 = false;
  for (std::size_t i = 0; i < cidrs.size(); ++i) {
    const IpFamily family = cidrFamily(cidrs[i]);
    if (family == IpFamily::kNone) {
      errors.internal(path, "invalid PodCIDRs. failed to check with dual stack with error:invalid CIDR[" +
                                std::to_string(i) + "]: <nil> (invalid CIDR address: " + cidrs[i] + ")");
      v4 = false;
      break;
    }
    v4 = v4 || family == IpFamily::kV4;
    v6 = v6 || family == IpFamily::kV6;
  }
  if (!(v4 && v6) || cidrs.size() > 2) {
    errors.invalid(path, jsonStrings(cidrs), "may specify no more than one CIDR for each IP family");
  }
}

void validateSwap(const Json& status, ErrorList& errors) {
  const Json& swap = objectOf(objectOf(status, "nodeInfo"), "swap");
  const auto capacity = integerOf(swap, "capacity");
  if (capacity) {
    validatePositive(*capacity, Path("metadata.nodeSwapStatus.capacity", "/status/nodeInfo/swap/capacity"), errors);
  }
}

void validateAddresses(const Json& status, ErrorList& errors) {
  const Json& addresses = listOf(status, "addresses");
  std::set<std::pair<std::string, std::string>> seen;
  for (std::size_t i = 0; i < addresses.size(); ++i) {
    const std::string type = stringOf(addresses[i], "type");
    const std::string address = stringOf(addresses[i], "address");
    if (seen.emplace(type, address).second) continue;
    constexpr ShownField kFields[] = {
        {"Type", "type", "string"}, {"Address", "address", "string"}, {nullptr, nullptr, nullptr}};
    errors.duplicate(Path("status").child("addresses").index(i),
                     shownStructure(addresses[i], "core.NodeAddress", kFields));
  }
}

// The configuration that a kubelet takes from a config map; in a status it has to say which state of the map.
void validateConfigSource(const Json& source, bool in_status, const Path& path, ErrorList& errors) {
  const Json* map = member(source, "configMap");
  if (map == nullptr) {
    constexpr ShownField kFields[] = {{"ConfigMap", "configMap", "*core.ConfigMapNodeConfigSource"},
                                      {nullptr, nullptr, nullptr}};
    errors.invalid(path, shownStructure(source, "core.NodeConfigSource", kFields),
                   "exactly one reference subfield must be non-nil");
    return;
  }
  const Path at = path.child("configMap");
  for (const char* key : {"uid", "resourceVersion"}) {
    if (!in_status && !stringOf(*map, key).empty()) {
      errors.forbidden(at.child(key), std::string(key) + " must not be set in spec");
    }
  }
  if (in_status) requireMembers(*map, {"uid", "resourceVersion"}, at, errors);
  const auto check = [&](const char* key, Messages (*rule)(std::string_view, const api::Wording&)) {
    const std::string value = stringOf(*map, key);
    requireMembers(*map, {key}, at, errors);
    if (!value.empty()) errors.invalidEach(at.child(key), shown(value), rule(value, errors.wording()));
  };
  check("namespace", isDns1123Label);
  check("name", isDns1123Subdomain);
  check("kubeletConfigKey", [](std::string_view key, const api::Wording&) { return isConfigMapKey(key); });
}

void validateConfigSources(const api::Node& node, ErrorList& errors) {
  if (node.spec.rest.find("\"configSource\"") != std::string::npos) {
    const Json spec = parseRest(node.spec.rest);
    const Json* source = member(spec, "configSource");
    if (source != nullptr) validateConfigSource(*source, false, Path("spec").child("configSource"), errors);
  }
  if (node.status.rest.find("\"config\"") == std::string::npos) return;
  const Json status = parseRest(node.status.rest);
  for (const char* key : {"assigned", "active", "lastKnownGood"}) {
    const Json* source = member(objectOf(status, "config"), key);
    if (source != nullptr) validateConfigSource(*source, true, Path("status").child("config").child(key), errors);
  }
}

}  // namespace

void validateTaints(const std::vector<api::Taint>& taints, const Path& path, ErrorList& errors) {
  std::set<std::pair<std::string, std::string>> seen;
  for (std::size_t i = 0; i < taints.size(); ++i) {
    const api::Taint& taint = taints[i];
    const Path at = path.index(i);
    validateLabelName(taint.key, at.child("key"), errors);
    const Messages messages = isLabelValue(taint.value, errors.wording());
    if (!messages.empty()) errors.invalid(at.child("value"), shown(taint.value), joined(messages, ";"));
    validateTaintEffect(taint.effect, false, at.child("effect"), errors);
    if (!seen.emplace(taint.effect, taint.key).second) {
      errors.duplicate(at, shownTaint(taint), "taints must be unique by key and effect pair");
    }
  }
}

void validateNode(const api::Node& node, const PodOptions& options, ErrorList& errors) {
  validateObjectMeta(node, /*namespaced=*/false, nameIsDns1123Subdomain, Path("metadata"), errors);
  validateNodeAnnotations(node.meta, Path("metadata").child("annotations"), errors);
  validateTaints(node.spec.taints, taintsPath(), errors);
  validateResources(node, errors);
  if (!node.status.rest.empty()) validateSwap(parseRest(node.status.rest), errors);
  validateDeclaredFeatures(node.status.declared_features, errors);
  validatePodCidrs(node.spec.pod_cidrs, options.strict_ip, errors);
}

void validateNodeUpdate(const api::Node& node, const api::Node& old_node, ErrorList& errors) {
  validateObjectMetaUpdate(node, old_node, Path("metadata"), errors);
  validateNodeAnnotations(node.meta, Path("metadata").child("annotations"), errors);
  validateResources(node, errors);
  validateDeclaredFeatures(node.status.declared_features, errors);
  if (!node.status.rest.empty()) validateAddresses(parseRest(node.status.rest), errors);
  const auto& cidrs = node.spec.pod_cidrs;
  const auto& old_cidrs = old_node.spec.pod_cidrs;
  if (!old_cidrs.empty() && cidrs != old_cidrs) errors.forbidden(Path("spec").child("podCIDRs"), kCidrFixed);
  const std::string& id = node.spec.provider_id;
  const std::string& old_id = old_node.spec.provider_id;
  const Path id_path = Path("spec").child("providerID");
  if (!old_id.empty() && !id.empty() && old_id != id)
    errors.invalid(id_path, null(), "field cannot be modified once set");
  if (!old_id.empty() && id.empty()) errors.invalid(id_path, null(), "field cannot be cleared once set");
  validateConfigSources(node, errors);
  validateTaints(node.spec.taints, taintsPath(), errors);
  if (stringOf(parseRest(node.spec.rest), "externalID") != stringOf(parseRest(old_node.spec.rest), "externalID")) {
    errors.forbidden(Path("spec").child("externalID"), "may not be updated");
  }
}

}  // namespace podberth::apiserver
