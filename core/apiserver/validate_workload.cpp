// Upstream: pkg/apis/apps/validation/validation.go. Values of whole structures are printed as they are written in YAML,
// where upstream prints its internal types.
#include <string>

#include "core/api/workload.h"
#include "core/apiserver/validation.h"
#include "core/apiserver/workload.h"

namespace podberth::apiserver {

namespace {

constexpr std::string_view kAlways = "Always";

const Path& specPath() {
  static const Path kSpec("spec");
  return kSpec;
}

// A value that is a number or a text, as it prints.
Shown shownAmount(const Json& value) { return raw(value.dump(-1, ' ', false, Json::error_handler_t::replace)); }

bool isPercent(const std::string& text) {
  if (text.size() < 2 || text.back() != '%') return false;
  return text.find_first_not_of("0123456789") == text.size() - 1;
}

// The number, of a percentage without its sign.
std::int64_t amount(const Json& value) {
  if (value.is_number_integer()) return value.get<std::int64_t>();
  if (!value.is_string()) return 0;
  std::int64_t number = 0;
  for (char c : value.get_ref<const std::string&>()) {
    if (c < '0' || c > '9') break;
    number = number * 10 + (c - '0');
    if (number > 1000000000) break;
  }
  return number;
}

void validateIntOrPercent(const Json& value, const Path& path, ErrorList& errors) {
  if (value.is_string()) {
    if (!isPercent(value.get_ref<const std::string&>())) {
      errors.invalid(path, shownAmount(value),
                     "a valid percent string must be a numeric string followed by an ending '%' (e.g. '1%',  or '93%', "
                     "regex used for validation is '[0-9]+%')");
    }
    return;
  }
  validateNonNegative(amount(value), path, errors);
}

void validateNotMoreThanAll(const Json& value, const Path& path, ErrorList& errors) {
  if (!value.is_string() || !isPercent(value.get_ref<const std::string&>()) || amount(value) <= 100) return;
  errors.invalid(path, shownAmount(value), "must not be greater than 100%");
}

Json memberOr(const Json& object, const char* key, Json fallback) {
  const Json* found = member(object, key);
  return found != nullptr ? *found : fallback;
}

Shown shownStrategy(const Json& strategy) {
  const Json* rolling = member(strategy, "rollingUpdate");
  return raw("{\"Type\":" + go::jsonString(stringOf(strategy, "type")) +
             ",\"RollingUpdate\":" + (rolling == nullptr ? "null" : shownAmount(*rolling).json) + "}");
}

void validateSelector(const api::Object& object, const char* empty_text, ErrorList& errors) {
  const std::optional<api::LabelSelector>& selector = selectorOf(object);
  const Path path = specPath().child("selector");
  if (!selector) {
    errors.required(path);
    return;
  }
  validateLabelSelector(selector, false, path, errors);
  if (selector->match_labels.empty() && selector->match_expressions.empty()) {
    errors.invalid(path, shownSelector(selector), empty_text);
  }
}

// The template's pods must be restarted always and have no deadline.
void validateLongRunning(const api::Pod& pod, const char* kind, ErrorList& errors) {
  const Path spec = specPath().child("template").child("spec");
  if (pod.spec.restart_policy != kAlways) {
    errors.notSupported(spec.child("restartPolicy"), jsonString(pod.spec.restart_policy), {kAlways});
  }
  if (pod.spec.active_deadline_seconds) {
    errors.forbidden(spec.child("activeDeadlineSeconds"),
                     "activeDeadlineSeconds in " + std::string(kind) + " is not Supported");
  }
}

void validateReplicaSetTemplate(const api::Object& object, const api::Pod& pod, const PodOptions& options,
                                ErrorList& errors) {
  std::string error;
  api::Selector::from(selectorOf(object), &error);
  if (!error.empty()) {
    errors.invalid(specPath().child("selector"), shownSelector(selectorOf(object)), "invalid label selector");
    return;
  }
  validateSelectorMatches(selectorOf(object), pod.meta.labels, true, errors);
  validatePodTemplate(pod, specPath().child("template"), options, errors);
  validateLongRunning(pod, "ReplicaSet", errors);
}

void validateReplicaSetSpec(const api::Object& object, const Json& spec, const api::Pod& pod, const PodOptions& options,
                            ErrorList& errors) {
  validateNonNegativeMember(spec, "replicas", specPath(), errors);
  validateNonNegativeMember(spec, "minReadySeconds", specPath(), errors);
  validateSelector(object, "empty selector is invalid for deployment", errors);
  validateReplicaSetTemplate(object, pod, options, errors);
}

void validateDeploymentStrategy(const Json& strategy, ErrorList& errors) {
  const Path path = specPath().child("strategy");
  const std::string type = stringOf(strategy, "type");
  const Path rolling_path = path.child("rollingUpdate");
  if (type == "Recreate") {
    if (member(strategy, "rollingUpdate") != nullptr) {
      errors.forbidden(rolling_path, "may not be specified when strategy `type` is 'Recreate'");
    }
  } else if (type.empty() || type == "RollingUpdate") {
    const Json& rolling = objectOf(strategy, "rollingUpdate");
    const Json unavailable = memberOr(rolling, "maxUnavailable", "25%");
    const Json surge = memberOr(rolling, "maxSurge", "25%");
    validateIntOrPercent(unavailable, rolling_path.child("maxUnavailable"), errors);
    validateIntOrPercent(surge, rolling_path.child("maxSurge"), errors);
    if (amount(unavailable) == 0 && amount(surge) == 0) {
      errors.invalid(rolling_path.child("maxUnavailable"), shownAmount(unavailable),
                     "may not be 0 when `maxSurge` is 0");
    }
    validateNotMoreThanAll(unavailable, rolling_path.child("maxUnavailable"), errors);
  } else {
    errors.notSupported(path, shownStrategy(strategy), {"Recreate", "RollingUpdate"});
  }
}

void validateDeploymentSpec(const api::Object& object, const Json& spec, const api::Pod& pod, const PodOptions& options,
                            ErrorList& errors) {
  validateNonNegativeMember(spec, "replicas", specPath(), errors);
  validateSelector(object, "empty selector is invalid for deployment", errors);
  validateReplicaSetTemplate(object, pod, options, errors);
  validateDeploymentStrategy(objectOf(spec, "strategy"), errors);
  validateNonNegativeMember(spec, "minReadySeconds", specPath(), errors);
  validateNonNegativeMember(spec, "revisionHistoryLimit", specPath(), errors);
  validateNonNegativeMember(spec, "progressDeadlineSeconds", specPath(), errors);
  const std::int64_t deadline = integerOf(spec, "progressDeadlineSeconds").value_or(600);
  if (deadline <= integerOf(spec, "minReadySeconds").value_or(0)) {
    errors.invalid(specPath().child("progressDeadlineSeconds"), number(deadline),
                   "must be greater than minReadySeconds");
  }
}

void validateStatefulSetStrategy(const Json& strategy, ErrorList& errors) {
  const Path path = specPath().child("updateStrategy");
  const Path rolling_path = path.child("rollingUpdate");
  const std::string type = stringOf(strategy, "type");
  const Json* rolling = member(strategy, "rollingUpdate");
  if (type == "OnDelete") {
    if (rolling != nullptr) {
      errors.invalid(rolling_path, shownAmount(*rolling), "only allowed for updateStrategy 'RollingUpdate'");
    }
  } else if (type.empty() || type == "RollingUpdate") {
    if (rolling == nullptr) return;
    validateNonNegativeMember(*rolling, "partition", rolling_path, errors);
    const Json* unavailable = member(*rolling, "maxUnavailable");
    if (unavailable == nullptr) return;
    const Path at = rolling_path.child("maxUnavailable");
    validateIntOrPercent(*unavailable, at, errors);
    if (amount(*unavailable) == 0) errors.invalid(at, shownAmount(*unavailable), "cannot be 0");
    validateNotMoreThanAll(*unavailable, at, errors);
  } else {
    errors.invalid(path, shownStrategy(strategy), "must be 'RollingUpdate' or 'OnDelete'");
  }
}

// The template with what the controller overwrites: host names, and the volumes of the claim templates.
Json templateOfStatefulSet(const Json& spec) {
  Json out = objectOf(spec, "template");
  Json& pod = out["spec"];
  if (!pod.is_object()) pod = Json::object();
  pod.erase("hostname");
  pod.erase("subdomain");
  const Json& claims = listOf(spec, "volumeClaimTemplates");
  if (claims.empty()) return out;
  std::set<std::string> names;
  for (const Json& claim : claims) names.insert(stringOf(objectOf(claim, "metadata"), "name"));
  Json volumes = Json::array();
  for (const std::string& name : names) {
    volumes.push_back(Json{{"name", name}, {"persistentVolumeClaim", {{"claimName", name}}}});
  }
  for (const Json& volume : listOf(pod, "volumes")) {
    if (names.count(stringOf(volume, "name")) == 0) volumes.push_back(volume);
  }
  pod["volumes"] = std::move(volumes);
  return out;
}

void validateClaimTemplates(const Json& claims, const PodOptions& options, ErrorList& errors) {
  const Path path = specPath().child("volumeClaimTemplates");
  for (std::size_t i = 0; i < claims.size(); ++i) {
    Json claim = claims[i];
    claim["apiVersion"] = "v1";
    claim["kind"] = "PersistentVolumeClaim";
    const api::Decoded decoded = api::decode(claim);
    const auto* object = api::as<api::PersistentVolumeClaim>(decoded.object.get());
    if (object == nullptr) continue;
    validateClaimSpec(object->spec, objectOf(claim, "spec"), path.index(i).child("spec"), options, errors);
  }
}

void validateStatefulSetSpec(const api::Object& object, const Json& spec, const PodOptions& options,
                             ErrorList& errors) {
  const std::string management = stringOf(spec, "podManagementPolicy");
  if (!management.empty() && management != "OrderedReady" && management != "Parallel") {
    errors.invalid(specPath().child("podManagementPolicy"), jsonString(management),
                   "must be 'OrderedReady' or 'Parallel'");
  }
  validateStatefulSetStrategy(objectOf(spec, "updateStrategy"), errors);
  const Json& retention = objectOf(spec, "persistentVolumeClaimRetentionPolicy");
  for (const char* key : {"whenDeleted", "whenScaled"}) {
    const std::string policy = stringOf(retention, key);
    if (policy.empty() || policy == "Retain" || policy == "Delete") continue;
    errors.notSupported(specPath().child("persistentVolumeClaimRetentionPolicy").child(key), jsonString(policy),
                        {"Retain", "Delete"});
  }
  validateClaimTemplates(listOf(spec, "volumeClaimTemplates"), options, errors);
  validateNonNegativeMember(spec, "replicas", specPath(), errors);
  validateNonNegativeMember(spec, "minReadySeconds", specPath(), errors);
  validateNonNegative(integerOf(objectOf(spec, "ordinals"), "start").value_or(0),
                      specPath().child("ordinals").child("start"), errors);
  const std::string service = stringOf(spec, "serviceName");
  if (!service.empty()) validateDnsLabel(service, specPath().child("serviceName"), errors);
  validateSelector(object, "empty selector is invalid for statefulset", errors);
  const std::shared_ptr<api::Pod> pod = podOfTemplate(templateOfStatefulSet(spec), object.meta.ns);
  std::string error;
  api::Selector::from(selectorOf(object), &error);
  if (!error.empty()) {
    errors.invalid(specPath().child("selector"), shownSelector(selectorOf(object)), "");
  } else {
    validateSelectorMatches(selectorOf(object), pod->meta.labels, true, errors);
    validatePodTemplate(*pod, specPath().child("template"), options, errors);
  }
  validateLongRunning(*pod, "StatefulSet", errors);
}

void validateDaemonSetSpec(const api::Object& object, const Json& spec, const api::Pod& pod, const PodOptions& options,
                           ErrorList& errors) {
  const std::optional<api::LabelSelector>& selector = selectorOf(object);
  const Path selector_path = specPath().child("selector");
  validateLabelSelector(selector, options.allow_invalid_label_value_in_selector, selector_path, errors);
  validateSelectorMatches(selector, pod.meta.labels, false, errors);
  if (selector && selector->match_labels.empty() && selector->match_expressions.empty()) {
    errors.invalid(selector_path, shownSelector(selector), "empty selector is invalid for daemonset");
  }
  validatePodTemplate(pod, specPath().child("template"), options, errors);
  validateLongRunning(pod, "DaemonSet", errors);
  validateNonNegativeMember(spec, "minReadySeconds", specPath(), errors);
  const Json& strategy = objectOf(spec, "updateStrategy");
  const std::string type = stringOf(strategy, "type");
  const Path path = specPath().child("updateStrategy");
  if (type.empty() || type == "RollingUpdate") {
    const Json& rolling = objectOf(strategy, "rollingUpdate");
    const Path at = path.child("rollingUpdate");
    const Json unavailable = memberOr(rolling, "maxUnavailable", 1);
    const Json surge = memberOr(rolling, "maxSurge", 0);
    validateIntOrPercent(unavailable, at.child("maxUnavailable"), errors);
    validateIntOrPercent(surge, at.child("maxSurge"), errors);
    validateNotMoreThanAll(unavailable, at.child("maxUnavailable"), errors);
    validateNotMoreThanAll(surge, at.child("maxSurge"), errors);
    if (amount(unavailable) != 0 && amount(surge) != 0) {
      errors.invalid(at.child("maxSurge"), shownAmount(surge), "may not be set when maxUnavailable is non-zero");
    } else if (amount(unavailable) == 0 && amount(surge) == 0) {
      errors.required(at.child("maxUnavailable"), "cannot be 0 when maxSurge is 0");
    }
  } else if (type != "OnDelete") {
    errors.notSupported(path, shownStrategy(strategy), {"RollingUpdate", "OnDelete"});
  }
  validateNonNegativeMember(spec, "revisionHistoryLimit", specPath(), errors);
}

// Upstream: pkg/apis/core/validation, ValidateReplicationControllerSpec.
void validateReplicationController(const api::Object& object, const Json& spec, const api::Pod& pod,
                                   const PodOptions& options, ErrorList& errors) {
  const api::LabelSet& selector = static_cast<const api::ReplicationController&>(object).selector;
  const Path path = specPath().child("template");
  validateNonNegativeMember(spec, "minReadySeconds", specPath(), errors);
  if (selector.empty()) errors.required(specPath().child("selector"));
  validateNonNegativeMember(spec, "replicas", specPath(), errors);
  if (member(spec, "template") == nullptr) {
    errors.required(path);
    return;
  }
  if (!selector.empty() && !selectionOf(object).matches(pod.meta.labels)) {
    errors.invalid(path.child("metadata").child("labels"), shownLabels(pod.meta.labels),
                   "`selector` does not match template `labels`");
  }
  validatePodTemplate(pod, path, options, errors);
  validateLongRunning(pod, "ReplicationController", errors);
}

}  // namespace

Shown shownLabels(const api::LabelSet& labels) {
  if (labels.empty()) return null();
  std::string text = "{";
  for (const auto& [key, value] : labels) {
    if (text.size() > 1) text += ",";
    text += go::jsonString(key.str()) + ":" + go::jsonString(value.str());
  }
  return raw(text + "}");
}

Shown shownSelector(const std::optional<api::LabelSelector>& selector) {
  if (!selector) return null();
  std::string text = "{";
  if (!selector->match_labels.empty()) text += "\"matchLabels\":" + shownLabels(selector->match_labels).json;
  if (!selector->match_expressions.empty()) {
    text += text.size() > 1 ? ",\"matchExpressions\":[" : "\"matchExpressions\":[";
    for (const api::LabelSelectorRequirement& r : selector->match_expressions) {
      if (text.back() == '}') text += ",";
      text += "{\"key\":" + go::jsonString(r.key) + ",\"operator\":" + go::jsonString(r.op);
      if (!r.values.empty()) text += ",\"values\":" + jsonStrings(r.values).json;
      text += "}";
    }
    text += "]";
  }
  return raw(text + "}");
}

void validateSelectorMatches(const std::optional<api::LabelSelector>& selector, const api::LabelSet& labels,
                             bool unless_empty, ErrorList& errors) {
  std::string error;
  const api::Selector compiled = api::Selector::from(selector, &error);
  if (!error.empty() || (unless_empty && compiled.empty()) || compiled.matches(labels)) return;
  errors.invalid(specPath().child("template").child("metadata").child("labels"), shownLabels(labels),
                 "`selector` does not match template `labels`");
}

void validateImmutable(bool same, const Shown& value, const Path& path, ErrorList& errors) {
  if (!same) errors.invalid(path, value, kImmutableMessage);
}

void validateNonNegativeMember(const Json& spec, const char* key, const Path& path, ErrorList& errors) {
  validateNonNegative(integerOf(spec, key).value_or(0), path.child(key), errors);
}

void validateWorkload(const api::Object& object, const api::Object* old_object, const scheduler::FeatureGates& gates,
                      ErrorList& errors) {
  const Json spec = specOf(object);
  std::shared_ptr<api::Pod> old_pod;
  if (old_object != nullptr) old_pod = podOfTemplate(objectOf(specOf(*old_object), "template"), object.meta.ns);
  const PodOptions options = podOptions(old_pod.get(), gates);
  const std::shared_ptr<api::Pod> pod = podOfTemplate(objectOf(spec, "template"), object.meta.ns);
  const Path meta("metadata");
  if (old_object != nullptr) {
    validateObjectMetaUpdate(object, *old_object, meta, errors);
  } else {
    const bool label = object.kind == api::Kind::kStatefulSet;
    validateObjectMeta(object, /*namespaced=*/true, label ? nameIsDns1123Label : nameIsDns1123Subdomain, meta, errors);
  }
  const auto keep_selector = [&] {
    if (old_object == nullptr) return;
    validateImmutable(selectorOf(object) == selectorOf(*old_object), shownSelector(selectorOf(object)),
                      specPath().child("selector"), errors);
  };
  switch (object.kind) {
    case api::Kind::kReplicationController:
      validateReplicationController(object, spec, *pod, options, errors);
      break;
    case api::Kind::kReplicaSet:
      validateReplicaSetSpec(object, spec, *pod, options, errors);
      keep_selector();
      break;
    case api::Kind::kDeployment:
      validateDeploymentSpec(object, spec, *pod, options, errors);
      keep_selector();
      break;
    case api::Kind::kDaemonSet:
      keep_selector();
      validateDaemonSetSpec(object, spec, *pod, options, errors);
      break;
    case api::Kind::kStatefulSet: {
      validateStatefulSetSpec(object, spec, options, errors);
      keep_selector();
      if (old_object == nullptr) break;
      const Json old_spec = specOf(*old_object);
      const auto keep = [&](const char* key, const Json& fallback) {
        const Json now = memberOr(spec, key, fallback);
        validateImmutable(now == memberOr(old_spec, key, fallback), shownAmount(now), specPath().child(key), errors);
      };
      keep("volumeClaimTemplates", nullptr);
      keep("serviceName", "");
      keep("podManagementPolicy", "OrderedReady");
      break;
    }
    default:
      if (old_object == nullptr) validateGeneratedSelector(object, spec, pod->meta.labels, errors);
      validateJobSpec(object, spec, *pod, options, errors);
      if (old_object != nullptr) validateJobSpecUpdate(object, *old_object, errors);
      break;
  }
}

}  // namespace podberth::apiserver
