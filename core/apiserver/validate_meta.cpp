#include <algorithm>
#include <cstdio>

#include "core/api/go_parse.h"
#include "core/apiserver/validation.h"

namespace podberth::apiserver {

namespace {

constexpr int kMaxManager = 128;
constexpr int kMaxSubresource = 256;
constexpr std::string_view kOrphanFinalizer = "orphan";
constexpr std::string_view kForegroundFinalizer = "foregroundDeletion";
constexpr std::string_view kKubernetesFinalizer = "kubernetes";

Shown shownOwner(const api::OwnerReference& owner) {
  struct Field {
    const char* key;
    const char* name;
    const std::string& value;
  };
  std::string json;
  std::string source;
  for (const Field& field : {Field{"{\"apiVersion\":", "v1.OwnerReference{APIVersion:", owner.api_version},
                             Field{",\"kind\":", ", Kind:", owner.kind}, Field{",\"name\":", ", Name:", owner.name},
                             Field{",\"uid\":", ", UID:", owner.uid}}) {
    json += field.key + go::jsonString(field.value);
    source += field.name + go::quote(field.value);
  }
  const auto flag = [&](const std::optional<bool>& value, const char* key, const char* name) {
    if (value) json.append(key).append(*value ? "true" : "false");
    source.append(name).append(value ? ":(*bool)(0x0)" : ":(*bool)(nil)");
  };
  flag(owner.controller, ",\"controller\":", ", Controller");
  flag(owner.block_owner_deletion, ",\"blockOwnerDeletion\":", ", BlockOwnerDeletion");
  return raw(json + "}", source + "}");
}

// schema.FromAPIVersionAndKind: neither, of what is no version.
void splitVersion(const api::OwnerReference& owner, std::string_view* group, std::string_view* version) {
  const auto parts = split(owner.api_version, '/');
  if (parts.size() == 1) {
    *version = parts[0];
  } else if (parts.size() == 2) {
    *group = parts[0];
    *version = parts[1];
  }
}

void validateBannedOwner(const api::OwnerReference& owner, std::string_view group, std::string_view version,
                         const Path& path, ErrorList& errors) {
  if (group.empty() && version == "v1" && owner.kind == "Event") {
    errors.invalid(path, shownOwner(owner), "/v1, Kind=Event is disallowed from being an owner");
  }
}

void validateOwnerWithoutIndex(const api::OwnerReference& owner, const Path& path, ErrorList& errors) {
  std::string_view group;
  std::string_view version;
  splitVersion(owner, &group, &version);
  if (version.empty()) errors.invalid(path.child("apiVersion"), shown(owner.api_version), "version must not be empty");
  if (owner.kind.empty()) errors.invalid(path.child("kind"), shown(""), "kind must not be empty");
  if (owner.name.empty()) errors.invalid(path.child("name"), shown(""), "name must not be empty");
  if (owner.uid.empty()) errors.invalid(path.child("uid"), shown(""), "uid must not be empty");
  validateBannedOwner(owner, group, version, path, errors);
}

void validateOwnerReference(const api::OwnerReference& owner, const Path& path, ErrorList& errors) {
  std::string_view group;
  std::string_view version;
  splitVersion(owner, &group, &version);
  if (owner.api_version.empty()) {
    errors.required(path.child("apiVersion"), "must not be empty");
  } else if (version.empty()) {
    errors.invalid(path.child("apiVersion"), shown(owner.api_version), "must be <group>/<version> or <version>");
  }
  if (owner.kind.empty()) errors.required(path.child("kind"), "must not be empty");
  if (owner.name.empty()) errors.required(path.child("name"), "must not be empty");
  if (owner.uid.empty()) errors.required(path.child("uid"), "must not be empty");
  validateBannedOwner(owner, group, version, path, errors);
}

void validateOwnerReferences(const std::vector<api::OwnerReference>& owners, const Path& path, ErrorList& errors) {
  std::string first_controller;
  for (std::size_t i = 0; i < owners.size(); ++i) {
    if (errors.rules().owners_by_index) {
      validateOwnerReference(owners[i], path.index(i), errors);
    } else {
      validateOwnerWithoutIndex(owners[i], Path(path.text(), path.index(i).pointer()), errors);
    }
    if (!owners[i].controller.value_or(false)) continue;
    const bool indexed = errors.rules().owners_by_index;
    const std::string name = indexed ? owners[i].kind + "/" + owners[i].name : owners[i].name;
    if (first_controller.empty()) {
      first_controller = name;
      continue;
    }
    std::string json;
    std::string source;
    for (const api::OwnerReference& owner : owners) {
      const Shown one = shownOwner(owner);
      json += (json.empty() ? "[" : ",") + one.json;
      source += (source.empty() ? "[]v1.OwnerReference{" : ", ") + one.go;
    }
    errors.invalid(path, raw(json + "]", source + "}"),
                   "Only one reference can have Controller set to true. Found \"true\" in references for " +
                       first_controller + " and " + name);
  }
}

void validateFinalizers(const std::vector<std::string>& finalizers, const Path& path, ErrorList& errors) {
  bool orphan = false;
  bool foreground = false;
  for (const std::string& finalizer : finalizers) {
    errors.invalidEach(path, shown(finalizer), isLabelKey(finalizer, errors.wording()));
    orphan = orphan || finalizer == kOrphanFinalizer;
    foreground = foreground || finalizer == kForegroundFinalizer;
  }
  if (orphan && foreground) {
    errors.invalid(path, jsonStrings(finalizers), "finalizer orphan and foregroundDeletion cannot be both set");
  }
}

// Core kinds: a finalizer without a domain must be a standard one.
void validateKubeFinalizers(const std::vector<std::string>& finalizers, const Path& path, ErrorList& errors) {
  for (std::size_t i = 0; i < finalizers.size(); ++i) {
    const std::string& name = finalizers[i];
    if (name.find('/') != std::string::npos) continue;
    if (name == kKubernetesFinalizer || name == kOrphanFinalizer || name == kForegroundFinalizer) continue;
    errors.invalid(path.index(i), shown(name), "name is neither a standard finalizer name nor is it fully qualified");
  }
}

Messages pathSegment(std::string_view name, bool prefix, const api::Wording&) {
  return prefix ? isPathSegmentPrefix(name) : isPathSegmentName(name);
}

void validateManagedFields(const std::string& rest, const Path& path, ErrorList& errors) {
  if (rest.find("\"managedFields\"") == std::string::npos) return;
  const Json object = parseRest(rest);
  const Json& list = listOf(objectOf(object, "metadata"), "managedFields");
  for (std::size_t i = 0; i < list.size(); ++i) {
    const Path at = path.index(i);
    const std::string operation = stringOf(list[i], "operation");
    if (operation != "Apply" && operation != "Update") {
      if (!errors.rules().lists_operations) {
        errors.invalid(at.child("operation"), jsonString(operation), "must be `Apply` or `Update`");
      } else if (operation.empty()) {
        errors.required(at.child("operation"), "must not be empty");
      } else {
        errors.notSupported(at.child("operation"), jsonString(operation), {"Apply", "Update"});
      }
    }
    const std::string type = stringOf(list[i], "fieldsType");
    if (!type.empty() && type != "FieldsV1") {
      errors.invalid(at.child("fieldsType"), shown(type), "must be `FieldsV1`");
    }
    const std::string manager = stringOf(list[i], "manager");
    if (manager.size() > kMaxManager) errors.tooLong(at.child("manager"), kMaxManager);
    for (std::size_t k = 0; k < manager.size();) {
      std::uint32_t rune = 0;
      const std::size_t length = std::max<std::size_t>(go::decodeRune(std::string_view(manager).substr(k), rune), 1);
      if (!go::isPrint(rune)) {
        char code[16];
        std::snprintf(code, sizeof code, "U+%04X", rune);
        errors.invalid(at.child("manager"), shown(manager),
                       std::string("invalid character ") + code + " (at position " + std::to_string(k) + ")");
      }
      k += length;
    }
    if (stringOf(list[i], "subresource").size() > kMaxSubresource) {
      errors.tooLong(at.child("subresource"), kMaxSubresource);
    }
  }
}

void validateMetaAccessor(const api::Object& object, bool namespaced, NameRule name_rule, const Path& path,
                          ErrorList& errors) {
  const api::ObjectMeta& meta = object.meta;
  if (!meta.generate_name.empty()) {
    errors.invalidEach(path.child("generateName"), shown(meta.generate_name),
                       name_rule(meta.generate_name, true, errors.wording()));
  }
  if (meta.name.empty()) {
    errors.required(path.child("name"), "name or generateName is required");
  } else {
    errors.invalidEach(path.child("name"), shown(meta.name), name_rule(meta.name, false, errors.wording()));
  }
  if (namespaced) {
    if (meta.ns.empty()) {
      errors.required(path.child("namespace"));
    } else {
      errors.invalidEach(path.child("namespace"), shown(meta.ns), nameIsDns1123Label(meta.ns, false, errors.wording()));
    }
  } else if (!meta.ns.empty()) {
    errors.forbidden(path.child("namespace"), "not allowed on this type");
  }
  validateNonNegative(meta.generation, path.child("generation"), errors);
  validateLabels(meta.labels, path.child("labels"), errors);
  validateAnnotations(meta.annotations, path.child("annotations"), errors);
  validateOwnerReferences(meta.owner_references, path.child("ownerReferences"), errors);
  validateFinalizers(meta.finalizers, path.child("finalizers"), errors);
  validateManagedFields(object.rest, path.child("managedFields"), errors);
}

void validateMetaAccessorUpdate(const api::Object& object, const api::Object& old_object, const Path& path,
                                ErrorList& errors) {
  const api::ObjectMeta& meta = object.meta;
  const api::ObjectMeta& old_meta = old_object.meta;
  if (old_meta.deletion_timestamp) {
    std::set<std::string> extra(meta.finalizers.begin(), meta.finalizers.end());
    for (const std::string& known : old_meta.finalizers) extra.erase(known);
    if (!extra.empty()) {
      std::string list;
      for (const std::string& finalizer : extra) list += (list.empty() ? "" : ", ") + go::quote(finalizer);
      errors.forbidden(
          path.child("finalizers"),
          "no new finalizers can be added if the object is being deleted, found new finalizers []string{" + list + "}");
    }
  }
  validateNonNegative(meta.generation, path.child("generation"), errors);
  if (meta.deletion_timestamp != old_meta.deletion_timestamp) {
    errors.invalid(path.child("deletionTimestamp"),
                   meta.deletion_timestamp ? jsonString(clock::formatRfc3339(*meta.deletion_timestamp)) : null(),
                   kImmutableMessage);
  }
  if (meta.deletion_grace_period_seconds != old_meta.deletion_grace_period_seconds) {
    errors.invalid(path.child("deletionGracePeriodSeconds"),
                   meta.deletion_grace_period_seconds ? number(*meta.deletion_grace_period_seconds) : null(),
                   kImmutableMessage);
  }
  validateLabels(meta.labels, path.child("labels"), errors);
  validateAnnotations(meta.annotations, path.child("annotations"), errors);
  validateOwnerReferences(meta.owner_references, path.child("ownerReferences"), errors);
  validateManagedFields(object.rest, path.child("managedFields"), errors);
}

}  // namespace

void validateAnnotations(const std::map<std::string, std::string>& annotations, const Path& path, ErrorList& errors) {
  std::size_t size = 0;
  for (const auto& [key, value] : annotations) {
    errors.invalidEach(path, shown(key), isLabelKey(lowered(key), errors.wording()));
    size += key.size() + value.size();
  }
  if (size > kAnnotationsLimit) errors.tooLong(path, static_cast<int>(kAnnotationsLimit));
}

void validateNonNegative(std::int64_t value, const Path& path, ErrorList& errors) {
  if (value < 0) errors.invalid(path, number(value), kNegativeMessage);
}

void validatePositive(std::int64_t value, const Path& path, ErrorList& errors) {
  if (value <= 0) errors.invalid(path, number(value), kNotPositiveMessage);
}

void validateLabelName(std::string_view name, const Path& path, ErrorList& errors) {
  errors.invalidEach(path, shown(name), isLabelKey(name, errors.wording()));
}

void validateQualifiedName(std::string_view value, const Path& path, ErrorList& errors) {
  errors.invalidEach(path, shown(value), isLabelKey(value, errors.wording()));
}

void validateDnsLabel(std::string_view value, const Path& path, ErrorList& errors) {
  errors.invalidEach(path, shown(value), isDns1123Label(value, errors.wording()));
}

void validateDnsSubdomain(std::string_view value, const Path& path, ErrorList& errors) {
  errors.invalidEach(path, shown(value), isDns1123Subdomain(value, errors.wording()));
}

void validateLabels(const api::LabelSet& labels, const Path& path, ErrorList& errors) {
  for (const auto& [key, value] : labels) {
    validateLabelName(key, path, errors);
    errors.invalidEach(path, shown(value), isLabelValue(value, errors.wording()));
  }
}

void validateLabelSelector(const std::optional<api::LabelSelector>& selector, bool allow_invalid_values,
                           const Path& path, ErrorList& errors) {
  if (!selector) return;
  validateLabels(selector->match_labels, path.child("matchLabels"), errors);
  for (std::size_t i = 0; i < selector->match_expressions.size(); ++i) {
    const api::LabelSelectorRequirement& requirement = selector->match_expressions[i];
    const Path at = path.child("matchExpressions").index(i);
    if (requirement.op == "In" || requirement.op == "NotIn") {
      if (requirement.values.empty()) {
        errors.required(at.child("values"), "must be specified when `operator` is 'In' or 'NotIn'");
      }
    } else if (requirement.op == "Exists" || requirement.op == "DoesNotExist") {
      if (!requirement.values.empty()) {
        errors.forbidden(at.child("values"), "may not be specified when `operator` is 'Exists' or 'DoesNotExist'");
      }
    } else {
      errors.invalid(at.child("operator"), jsonString(requirement.op), "not a valid selector operator");
    }
    validateLabelName(requirement.key, at.child("key"), errors);
    if (allow_invalid_values || !errors.rules().selector_values) continue;
    for (std::size_t v = 0; v < requirement.values.size(); ++v) {
      errors.invalidEach(at.child("values").index(v), shown(requirement.values[v]),
                         isLabelValue(requirement.values[v], errors.wording()));
    }
  }
}

void validateObjectMeta(const api::Object& object, bool namespaced, NameRule name_rule, const Path& path,
                        ErrorList& errors) {
  validateMetaAccessor(object, namespaced, name_rule, path, errors);
  validateKubeFinalizers(object.meta.finalizers, path.child("finalizers"), errors);
}

void validateObjectMetaUpdate(const api::Object& object, const api::Object& old_object, const Path& path,
                              ErrorList& errors) {
  validateMetaAccessorUpdate(object, old_object, path, errors);
  validateKubeFinalizers(object.meta.finalizers, path.child("finalizers"), errors);
}

void validateCommonUpdate(const api::Object& object, const api::Object& old_object, bool namespaced,
                          ErrorList& errors) {
  const Path path("metadata");
  validateMetaAccessor(object, namespaced, pathSegment, path, errors);
  validateMetaAccessorUpdate(object, old_object, path, errors);
}

}  // namespace podberth::apiserver
