#include "core/scheduler/plugins/dynamic_resources/claims.h"

#include <nlohmann/json.hpp>
#include <optional>

#include "core/api/go_text.h"

namespace podberth::scheduler::plugins {
namespace {

using api::go::quote;
using Json = nlohmann::json;

Json parse(const std::string& text) {
  Json json = text.empty() ? Json::object() : Json::parse(text, nullptr, false);
  return json.is_object() ? json : Json::object();
}

// A member of an object; null if there is none.
const Json& member(const Json& object, const char* key) {
  static const Json null;
  if (!object.is_object()) return null;
  const auto it = object.find(key);
  return it == object.end() ? null : *it;
}

std::optional<std::string> textOf(const Json& object, const char* key) {
  const Json& value = member(object, key);
  if (!value.is_string()) return std::nullopt;
  return value.get<std::string>();
}

Json statusOf(const api::OtherObject& claim) {
  const Json object = parse(claim.rest);
  return member(object, "status");
}

bool isControlledBy(const api::ObjectMeta& meta, const api::Pod& pod) {
  for (const api::OwnerReference& owner : meta.owner_references) {
    if (owner.controller.value_or(false)) return owner.uid == pod.meta.uid;
  }
  return false;
}

// The name that stands in the pod's status for a claim made of a template. The outer nullopt: not made yet; the inner
// one: none is needed.
std::optional<std::optional<std::string>> generatedName(const Json& pod_status, const std::string& entry) {
  const Json& statuses = member(pod_status, "resourceClaimStatuses");
  if (!statuses.is_array()) return std::nullopt;
  for (const Json& status : statuses) {
    if (textOf(status, "name") == entry) return textOf(status, "resourceClaimName");
  }
  return std::nullopt;
}

}  // namespace

std::string resourceClaimsOf(const api::Pod& pod, const ResourceClaimLister& lister,
                             std::vector<ResourceClaimPtr>* out) {
  if (pod.spec.resource_claims.empty()) return {};
  const std::string pod_name = "pod \"" + pod.meta.ns + "/" + pod.meta.name + "\"";
  const Json spec = parse(pod.spec.rest);
  const Json status = parse(pod.status.rest);
  const Json& entries = member(spec, "resourceClaims");
  if (!entries.is_array()) return {};
  for (const Json& entry : entries) {
    const std::string entry_name = textOf(entry, "name").value_or("");
    std::optional<std::string> name = textOf(entry, "resourceClaimName");
    bool generated = false;
    if (!name) {
      if (!textOf(entry, "resourceClaimTemplateName")) {
        return pod_name + ", spec.resourceClaim " + quote(entry_name) + ": none of the supported fields are set";
      }
      const std::optional<std::optional<std::string>> made = generatedName(status, entry_name);
      if (!made) return pod_name + ": ResourceClaim not created yet";
      if (!*made) continue;
      name = *made;
      generated = true;
    }
    ResourceClaimPtr claim = lister.get(pod.meta.ns, *name);
    if (claim == nullptr) return "could not find ResourceClaim " + quote(pod.meta.ns + "/" + *name);
    if (claim->meta.deletion_timestamp) return "resourceclaim " + quote(claim->meta.name) + " is being deleted";
    if (generated && !isControlledBy(claim->meta, pod)) {
      return "ResourceClaim " + claim->meta.ns + "/" + claim->meta.name + " was not created for Pod " + pod.meta.ns +
             "/" + pod.meta.name + " (Pod is not owner)";
    }
    if (out != nullptr) out->push_back(std::move(claim));
  }
  return {};
}

bool isAllocated(const api::OtherObject& claim) {
  const Json status = statusOf(claim);
  return member(status, "allocation").is_object();
}

bool isPlainlyAllocated(const api::OtherObject& claim) {
  const Json status = statusOf(claim);
  const Json& allocation = member(status, "allocation");
  if (!allocation.is_object() || !member(allocation, "nodeSelector").is_null()) return false;
  const Json& results = member(member(allocation, "devices"), "results");
  if (!results.is_array()) return true;
  for (const Json& result : results) {
    for (const char* key : {"bindingConditions", "bindingFailureConditions", "skipNodeOperations"}) {
      if (!member(result, key).is_null()) return false;
    }
  }
  return true;
}

bool sameClaimStatus(const api::OtherObject& a, const api::OtherObject& b) { return statusOf(a) == statusOf(b); }

}  // namespace podberth::scheduler::plugins
