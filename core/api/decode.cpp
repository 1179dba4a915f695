#include "core/api/decode.h"

#include <algorithm>
#include <cstring>

#include "core/api/decode_kinds.h"
#include "core/api/go_text.h"
#include "core/api/normalize.h"
#include "core/api/schema.h"
#include "core/api/schema_release.h"
#include "core/api/workload.h"

namespace podberth::api {
namespace {

const char* const kKindStruct =
    "struct { APIVersion string \"json:\\\"apiVersion,omitempty\\\"\"; Kind string \"json:\\\"kind,omitempty\\\"\" }";
const char* const kScheme = "pkg/runtime/scheme.go:111";
const char* const kNotAnObject = "object does not implement the Object interfaces";

bool sameIgnoringCase(const std::string& a, const char* b) {
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; };
  return a.size() == std::strlen(b) &&
         std::equal(a.begin(), a.end(), b, [&](char x, char y) { return lower(x) == lower(y); });
}

const char* typeWord(const Json& json) {
  return json.is_array()     ? "array"
         : json.is_string()  ? "string"
         : json.is_boolean() ? "bool"
         : json.is_object()  ? "object"
                             : "number";
}

struct GroupVersionKind {
  std::string group;
  std::string version;
  std::string kind;
  std::string groupVersion() const { return group.empty() ? version : group + "/" + version; }
};

// What kind the JSON says it is. Returns upstream's error text or "". The names of these two fields are read without
// regard to case.
std::string interpret(const Json& json, std::string_view written, GroupVersionKind& out) {
  const auto missing = [&](const char* what) {
    const std::string text =
        written.empty() ? json.dump(-1, ' ', false, Json::error_handler_t::replace) : std::string(written);
    return std::string("Object '") + what + "' is missing in '" + text + "'";
  };
  const std::string unreadable = "couldn't get version/kind; json parse error: json: cannot unmarshal ";
  if (json.is_null()) return missing("Kind");
  if (!json.is_object()) return unreadable + typeWord(json) + " into Go value of type " + kKindStruct;
  std::string api_version;
  for (const auto& item : json.items()) {
    const bool kind = sameIgnoringCase(item.key(), "kind");
    if ((!kind && !sameIgnoringCase(item.key(), "apiVersion")) || item.value().is_null()) continue;
    if (!item.value().is_string()) {
      return unreadable + typeWord(item.value()) + " into Go struct field ." + (kind ? "kind" : "apiVersion") +
             " of type string";
    }
    (kind ? out.kind : api_version) = item.value().get<std::string>();
  }
  const auto slashes = std::count(api_version.begin(), api_version.end(), '/');
  if (slashes > 1) return "unexpected GroupVersion string: " + api_version;
  const std::size_t slash = api_version.find('/');
  out.version = slash == std::string::npos ? api_version : api_version.substr(slash + 1);
  if (slash != std::string::npos) out.group = api_version.substr(0, slash);
  if (out.kind.empty()) return missing("Kind");
  return out.version.empty() ? missing("apiVersion") : "";
}

const SchemaKindEntry* entryOf(const GroupVersionKind& gvk) {
  for (int i = 0; i < kSchemaKindCount; ++i) {
    const SchemaKindEntry& e = kSchemaKinds[i];
    if (gvk.kind == e.kind && gvk.group == e.group && gvk.version == e.version) return &e;
  }
  return nullptr;
}

ObjectMeta decodeMeta(Fields& m) {
  ObjectMeta meta;
  meta.name = m.text("name");
  meta.generate_name = m.text("generateName");
  meta.ns = m.text("namespace");
  meta.uid = m.text("uid");
  if (!go::parseInt64(m.text("resourceVersion"), meta.resource_version)) meta.resource_version = 0;
  meta.generation = m.integer("generation");
  meta.creation_timestamp = m.time("creationTimestamp");
  meta.deletion_timestamp = m.time("deletionTimestamp");
  meta.deletion_grace_period_seconds = m.maybeInteger("deletionGracePeriodSeconds");
  meta.labels = m.labels("labels");
  meta.annotations = m.textMap("annotations");
  meta.finalizers = m.texts("finalizers");
  m.forEach("ownerReferences", [&](Fields f) {
    OwnerReference ref;
    ref.api_version = f.text("apiVersion");
    ref.kind = f.text("kind");
    ref.name = f.text("name");
    ref.uid = f.text("uid");
    ref.controller = f.maybeFlag("controller");
    ref.block_owner_deletion = f.maybeFlag("blockOwnerDeletion");
    meta.owner_references.push_back(std::move(ref));
  });
  return meta;
}

std::shared_ptr<Object> decodeOther(Fields& object, const std::string& kind) {
  auto other = std::make_shared<OtherObject>();
  other->rest = canonical(object.json());
  Issue issue;
  issue.severity = Issue::Severity::kInfo;
  issue.message = kind == "ResourceClaim"
                      ? "a ResourceClaim that is allocated counts as it is; for others no devices are allocated here"
                      : kind + " is stored but not simulated";
  object.context().issues.push_back(std::move(issue));
  return other;
}

std::shared_ptr<Object> decodeKind(Fields& object, const GroupVersionKind& gvk) {
  const std::string& kind = gvk.kind;
  if (kind == "Pod") return decodePod(object);
  if (kind == "Node") return decodeNode(object);
  if (kind == "Namespace") return decodeNamespace(object);
  if (kind == "PriorityClass") return decodePriorityClass(object);
  if (kind == "PersistentVolume") return decodePersistentVolume(object);
  if (kind == "PersistentVolumeClaim") return decodePersistentVolumeClaim(object);
  if (kind == "StorageClass") return decodeStorageClass(object);
  if (kind == "CSINode") return decodeCSINode(object);
  if (kind == "CSIDriver") return decodeCSIDriver(object);
  if (kind == "CSIStorageCapacity") return decodeCSIStorageCapacity(object);
  if (kind == "VolumeAttachment") return decodeVolumeAttachment(object);
  if (kind == "PodDisruptionBudget") return decodePodDisruptionBudget(object, gvk.version);
  if (kind == "Service") return decodeService(object);
  if (kind == "ReplicationController") return decodeReplicationController(object);
  if (kind == "ReplicaSet") return decodeReplicaSet(object);
  if (kind == "Deployment") return decodeDeployment(object);
  if (kind == "DaemonSet") return decodeDaemonSet(object);
  if (kind == "Job") return decodeJob(object);
  return decodeStatefulSet(object);
}

// Null members of an object that nobody looks into, which equal absent ones.
Json withoutNulls(const Json& json) {
  if (json.is_object()) {
    Json out = Json::object();
    for (const auto& item : json.items()) {
      if (!item.value().is_null()) out[item.key()] = withoutNulls(item.value());
    }
    return out;
  }
  return json;
}

}  // namespace

Decoded decode(const nlohmann::json& json) { return decode(json, release::AdmissionRules::kV1_37); }

bool saysWhatItIs(const nlohmann::json& object) {
  GroupVersionKind gvk;
  interpret(object, "-", gvk);
  return !gvk.kind.empty() && !gvk.version.empty();
}

Decoded decode(const nlohmann::json& json, release::AdmissionRules rules, std::string_view text) {
  Decoded out;
  const auto fail = [&](std::string error) {
    Issue issue;
    issue.message = error;
    out.issues.push_back(std::move(issue));
    out.error = std::move(error);
    return std::move(out);
  };
  GroupVersionKind gvk;
  if (std::string error = interpret(json, text, gvk); !error.empty()) return fail(std::move(error));
  const SchemaKindEntry* entry = entryOf(gvk);
  if (entry == nullptr || isLaterKind(rules, gvk.group, gvk.version, gvk.kind)) {
    return fail("no kind " + go::quote(gvk.kind) + " is registered for version " + go::quote(gvk.groupVersion()) +
                " in scheme " + go::quote(kScheme));
  }
  if (entry->type < 0) return fail(kNotAnObject);

  for (const auto& item : json.items()) out.has_status = out.has_status || sameIgnoringCase(item.key(), "status");
  const bool other = entry->type == kSchemaMetaType;
  Normalizer normalizer(out.issues, rules);
  Json normal;
  if (other) {
    normal = withoutNulls(json);
    const auto meta = normal.find("metadata");
    if (meta != normal.end()) *meta = normalizer.object(*meta, kSchemaMetaType, "/metadata");
  } else {
    normal = normalizer.object(json, entry->type, "");
  }
  out.error = normalizer.error();
  if (!out.error.empty()) return out;

  DecodeContext context{out.issues, {}};
  Fields object(std::move(normal), "", context);
  object.take("kind");
  object.take("apiVersion");
  Fields metadata = object.child("metadata");
  ObjectMeta meta = decodeMeta(metadata);
  out.object = other ? decodeOther(object, gvk.kind) : decodeKind(object, gvk);
  Object& result = *out.object;
  result.meta = std::move(meta);
  result.kind_name = gvk.kind;
  result.api_version = gvk.group.empty() ? entry->stored : gvk.group + "/" + entry->stored;
  if (!metadata.json().empty()) {  // what metadata has more goes with what the object has more
    Json rest = result.rest.empty() ? Json::object() : Json::parse(result.rest);
    rest["metadata"] = metadata.json();
    result.rest = canonical(rest);
  }
  return out;
}

}  // namespace podberth::api
