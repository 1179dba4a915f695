// The annotations of pods and nodes that the API server knows.
#include <limits>

#include "core/api/go_parse.h"
#include "core/apiserver/validation.h"

namespace podberth::apiserver {

namespace {

constexpr std::string_view kDeletionCost = "controller.kubernetes.io/pod-deletion-cost";
constexpr std::string_view kTolerations = "scheduler.alpha.kubernetes.io/tolerations";
constexpr std::string_view kTaints = "scheduler.alpha.kubernetes.io/taints";
constexpr std::string_view kPreferAvoidPods = "scheduler.alpha.kubernetes.io/preferAvoidPods";
constexpr std::string_view kSeccompOfPod = "seccomp.security.alpha.kubernetes.io/pod";
constexpr std::string_view kSeccompPrefix = "container.seccomp.security.alpha.kubernetes.io/";
constexpr std::string_view kLocalhost = "localhost/";

// The value of an annotation, or null.
const std::string* annotation(const api::ObjectMeta& meta, std::string_view key) {
  const auto it = meta.annotations.find(std::string(key));
  return it == meta.annotations.end() ? nullptr : &it->second;
}

// helper.GetDeletionCostFromPodAnnotations: a 32-bit number without a plus sign or leading zeros.
bool isDeletionCost(const std::string& text) {
  if (text.empty() || (text[0] != '-' && text != "0" && (text[0] < '1' || text[0] > '9'))) return false;
  std::int64_t value = 0;
  return go::parseInt64(text, value) && value >= std::numeric_limits<std::int32_t>::min() &&
         value <= std::numeric_limits<std::int32_t>::max();
}

// ---- annotations that hold JSON ----

// Go finds members whatever the case of their names.
const Json* memberLike(const Json& object, const char* key) {
  if (const Json* exact = member(object, key)) return exact;
  const std::string wanted = lowered(key);
  if (!object.is_object()) return nullptr;
  for (const auto& [name, value] : object.items()) {
    if (lowered(name) == wanted && !value.is_null()) return &value;
  }
  return nullptr;
}

// Takes members of the right type, and remembers what was wrong first.
class Reader {
 public:
  // `type` is the Go type of the whole.
  Reader(const std::string& text, const char* type) : type_(type), error_(go::jsonSyntaxError(text)) {
    if (error_.empty()) json_ = Json::parse(text, nullptr, /*allow_exceptions=*/false);
  }
  const Json& json() const { return json_; }
  const std::string& error() const { return error_; }

  const Json& list(const Json& owner, const char* key) { return get(owner, key, Json::value_t::array); }
  const Json& object(const Json& owner, const char* key) { return get(owner, key, Json::value_t::object); }
  std::string text(const Json& owner, const char* key) {
    const Json& found = get(owner, key, Json::value_t::string);
    return found.is_string() ? found.get<std::string>() : std::string();
  }
  void time(const Json& owner, const char* key) {
    const std::string value = text(owner, key);
    if (error_.empty() && memberLike(owner, key) != nullptr) {
      error_ = go::parseTimeError(value, go::TimeLayout::kSeconds);
    }
  }
  // Of the whole or of an item: null counts as one without members.
  bool is(const Json& value, Json::value_t type) {
    if (value.is_null() || value.type() == type) return value.type() == type;
    mismatch(value);
    return false;
  }
  void mismatch(const Json& value) {
    const char* what = value.is_number() ? "number" : value.is_boolean() ? "bool" : value.type_name();
    if (error_.empty()) error_ = std::string("json: cannot unmarshal ") + what + " into Go value of type " + type_;
  }

 private:
  const Json& get(const Json& owner, const char* key, Json::value_t type) {
    static const Json kNone;
    const Json* found = memberLike(owner, key);
    return found != nullptr && is(*found, type) ? *found : kNone;
  }

  const char* type_;
  std::string error_;
  Json json_;
};

void validateTolerationsAnnotation(const std::string& text, const Path& path, const PodOptions& options,
                                   ErrorList& errors) {
  Reader reader(text, "[]core.Toleration");
  std::vector<api::Toleration> tolerations;
  if (reader.is(reader.json(), Json::value_t::array)) {
    for (const Json& item : reader.json()) {
      reader.is(item, Json::value_t::object);
      api::Toleration toleration;
      toleration.key = reader.text(item, "Key");
      toleration.op = reader.text(item, "Operator");
      toleration.value = reader.text(item, "Value");
      toleration.effect = reader.text(item, "Effect");
      if (const Json* seconds = memberLike(item, "TolerationSeconds")) {
        if (seconds->is_number_integer()) {
          toleration.toleration_seconds = seconds->get<std::int64_t>();
        } else {
          reader.mismatch(*seconds);
        }
      }
      tolerations.push_back(std::move(toleration));
    }
  }
  if (!reader.error().empty()) return errors.invalid(path, shown(kTolerations), reader.error());
  validateTolerations(tolerations, path.child(kTolerations), options, errors);
}

void validateTaintsAnnotation(const std::string& text, const Path& path, ErrorList& errors) {
  Reader reader(text, "[]core.Taint");
  std::vector<api::Taint> taints;
  if (reader.is(reader.json(), Json::value_t::array)) {
    for (const Json& item : reader.json()) {
      reader.is(item, Json::value_t::object);
      api::Taint taint;
      taint.key = reader.text(item, "Key");
      taint.value = reader.text(item, "Value");
      taint.effect = reader.text(item, "Effect");
      reader.time(item, "TimeAdded");
      clock::Time added = 0;
      if (clock::parseRfc3339(reader.text(item, "TimeAdded"), added)) taint.time_added = added;
      taints.push_back(std::move(taint));
    }
  }
  if (!reader.error().empty()) return errors.invalid(path, shown(kTaints), reader.error());
  validateTaints(taints, path.child(kTaints), errors);
}

void validatePreferAvoidPods(const std::string& text, const Path& path, ErrorList& errors) {
  Reader reader(text, "v1.AvoidPods");
  ErrorList found(errors.rules());
  if (reader.is(reader.json(), Json::value_t::object)) {
    const Json& entries = reader.list(reader.json(), "preferAvoidPods");
    for (std::size_t i = 0; i < entries.size(); ++i) {
      reader.is(entries[i], Json::value_t::object);
      reader.time(entries[i], "evictionTime");
      reader.text(entries[i], "reason");
      reader.text(entries[i], "message");
      const Path at = path.child(kPreferAvoidPods).index(i).child("PodSignature");
      const Json& controller = reader.object(reader.object(entries[i], "podSignature"), "podController");
      if (controller.is_null()) {
        found.required(at);
        continue;
      }
      for (const char* key : {"apiVersion", "kind", "name", "uid"}) reader.text(controller, key);
      for (const char* key : {"controller", "blockOwnerDeletion"}) {
        const Json* flag = memberLike(controller, key);
        if (flag != nullptr) reader.is(*flag, Json::value_t::boolean);
      }
      if (const Json* flag = memberLike(controller, "controller"); flag != nullptr && *flag == false) {
        found.invalid(at.child("PodController").child("Controller"), raw("false"), "must point to a controller");
      }
    }
  }
  if (!reader.error().empty()) {
    return errors.invalid(path.child("AvoidPods"), shown(kPreferAvoidPods), reader.error());
  }
  errors.append(found);
}

// ---- profiles ----

void validateSeccompAnnotation(const std::string& key, const std::string& profile, const Path& path,
                               ErrorList& errors) {
  if (profile == "runtime/default" || profile == "docker/default" || profile == "unconfined") return;
  if (profile.starts_with(kLocalhost)) {
    validateLocalDescendingPath(std::string_view(profile).substr(kLocalhost.size()), path.child(key), errors);
  } else {
    errors.invalid(path.child(key), shown(profile), "must be a valid seccomp profile");
  }
}

bool hasContainer(const api::PodSpec& spec, std::string_view name) {
  bool found = false;
  forEachContainer(spec, Path(),
                   [&](const api::Container& container, const Path&) { found = found || container.name == name; });
  return found;
}

void validateAppArmorAnnotation(const std::string& key, const std::string& profile, const api::PodSpec& spec,
                                const Path& path, ErrorList& errors) {
  const std::string container = key.substr(kAppArmorPrefix.size());
  if (!hasContainer(spec, container)) errors.invalid(path.key(key), shown(container), "container not found");
  if (profile.empty() || profile == "runtime/default" || profile == "unconfined" || profile.starts_with(kLocalhost)) {
    return;
  }
  errors.invalid(path.key(key), shown(profile), "invalid AppArmor profile name: " + go::quote(profile));
}

// What an annotation and the field that took its place say must be the same.
void validateProfileMatches(const std::string* said, const Json* profile, const char* what, bool docker,
                            const Path& path, ErrorList& errors) {
  if (said == nullptr || profile == nullptr) return;
  const std::string type = stringOf(*profile, "type");
  const auto differs = [&](const char* key, const char* word) {
    errors.forbidden(path.child(key), std::string(what) + " " + word + " in annotation and field must match");
  };
  if (type == "Unconfined") {
    if (*said != "unconfined") differs("type", "type");
  } else if (type == "RuntimeDefault") {
    if (*said != "runtime/default" && !(docker && *said == "docker/default")) differs("type", "type");
  } else if (type == "Localhost") {
    if (!said->starts_with(kLocalhost)) {
      differs("type", "type");
    } else if (member(*profile, "localhostProfile") == nullptr ||
               stringOf(*profile, "localhostProfile") != said->substr(kLocalhost.size())) {
      differs("localhostProfile", "profile");
    }
  }
}

}  // namespace

bool hasInvalidDeletionCost(const api::ObjectMeta& meta) {
  const std::string* cost = annotation(meta, kDeletionCost);
  return cost != nullptr && !isDeletionCost(*cost);
}

void validatePodAnnotations(const api::Pod& pod, const PodOptions& options, const Path& path, ErrorList& errors) {
  const auto& annotations = pod.meta.annotations;
  if (annotations.empty()) return;
  const std::string* mirror = annotation(pod.meta, kMirrorPodAnnotation);
  if (mirror != nullptr && pod.spec.node_name.empty()) {
    errors.invalid(path.key(kMirrorPodAnnotation), shown(*mirror),
                   "must set spec.nodeName if mirror pod annotation is set");
  }
  const std::string* tolerations = annotation(pod.meta, kTolerations);
  if (tolerations != nullptr && !tolerations->empty()) {
    validateTolerationsAnnotation(*tolerations, path, options, errors);
  }
  if (!options.allow_invalid_deletion_cost && hasInvalidDeletionCost(pod.meta)) {
    errors.invalid(path.key(kDeletionCost), shown(*annotation(pod.meta, kDeletionCost)), "must be a 32bit integer");
  }
  const std::string* seccomp = annotation(pod.meta, kSeccompOfPod);
  if (seccomp != nullptr) validateSeccompAnnotation(std::string(kSeccompOfPod), *seccomp, path, errors);
  for (const auto& [key, value] : annotations) {
    if (key.starts_with(kSeccompPrefix)) validateSeccompAnnotation(key, value, path, errors);
  }
  for (const auto& [key, value] : annotations) {
    if (key.starts_with(kAppArmorPrefix)) validateAppArmorAnnotation(key, value, pod.spec, path, errors);
  }
}

void validateAnnotationUpdates(const api::Pod& pod, const api::Pod& old_pod, const PodOptions& options,
                               const Path& path, ErrorList& errors) {
  const auto& annotations = pod.meta.annotations;
  const auto& old = old_pod.meta.annotations;
  for (const auto& [key, value] : old) {
    const auto now = annotations.find(key);
    if (now != annotations.end() && now->second == value) continue;
    if (key.starts_with(kAppArmorPrefix)) {
      errors.forbidden(path.key(key), "may not remove or update AppArmor annotations");
    }
    if (key == kMirrorPodAnnotation) errors.forbidden(path.key(key), "may not remove or update mirror pod annotation");
  }
  for (const auto& [key, value] : annotations) {
    if (old.count(key) != 0) continue;
    if (key.starts_with(kAppArmorPrefix)) {
      errors.forbidden(path.key(key), "may not add AppArmor annotations");
    }
    if (key == kMirrorPodAnnotation) errors.forbidden(path.key(key), "may not add mirror pod annotation");
  }
  validatePodAnnotations(pod, options, path, errors);
}

void validateNodeAnnotations(const api::ObjectMeta& meta, const Path& path, ErrorList& errors) {
  const std::string* taints = annotation(meta, kTaints);
  if (taints != nullptr && !taints->empty()) validateTaintsAnnotation(*taints, path, errors);
  const std::string* avoided = annotation(meta, kPreferAvoidPods);
  if (avoided != nullptr && !avoided->empty()) validatePreferAvoidPods(*avoided, path, errors);
}

void validateProfilesMatch(const api::Pod& pod, const Path& path, ErrorList& errors) {
  if (pod.meta.annotations.empty()) return;
  const Json rest = parseRest(pod.spec.rest);
  const Json& of_pod = objectOf(rest, "securityContext");
  validateProfileMatches(annotation(pod.meta, kSeccompOfPod), member(of_pod, "seccompProfile"), "seccomp", true,
                         path.child("securityContext").child("seccompProfile"), errors);
  const auto each = [&](std::string_view prefix, const char* key, const Json* by_default, const char* what) {
    forEachContainer(pod.spec, path, [&](const api::Container& container, const Path& at) {
      const Json own = parseRest(container.rest);
      const Json* profile = member(objectOf(own, "securityContext"), key);
      validateProfileMatches(annotation(pod.meta, std::string(prefix) + container.name),
                             profile == nullptr ? by_default : profile, what, key[0] == 's',
                             at.child("securityContext").child(key), errors);
    });
  };
  each(kSeccompPrefix, "seccompProfile", nullptr, "seccomp");
  if (pod.spec.os_name != "windows") {
    each(kAppArmorPrefix, "appArmorProfile", member(of_pod, "appArmorProfile"), "apparmor");
  }
}

}  // namespace podberth::apiserver
