// Admission: what becomes of the objects that are created, replaced and removed.
#include "core/apiserver/server.h"

#include <utility>

#include "core/api/schema.h"
#include "core/api/schema_release.h"
#include "core/api/storage.h"
#include "core/api/workload.h"
#include "core/apiserver/api_errors.h"
#include "core/apiserver/defaulting.h"
#include "core/apiserver/pod_status.h"
#include "core/apiserver/priority.h"
#include "core/apiserver/validation.h"
#include "core/apiserver/workload.h"

namespace podberth::apiserver {

namespace {

constexpr std::string_view kDefaultNamespace = "default";

std::string refusal(const api::Object& object, const ErrorList& errors) {
  return errors.empty() ? "" : errors.invalidObject(object.kind_name, object.meta.name);
}

// An empty but present list of allocatable resources is no reason to fill it in.
bool givesEmptyAllocatable(const nlohmann::json& object) {
  const Json& status = objectOf(object, "status");
  const Json* allocatable = member(status, "allocatable");
  return allocatable != nullptr && allocatable->is_object() && allocatable->empty();
}

// What the API server does to the metadata before every update (rest.BeforeUpdate).
void keepMeta(api::ObjectMeta& meta, const api::ObjectMeta& old_meta) {
  meta.generation = old_meta.generation;
  if (meta.uid.empty()) meta.uid = old_meta.uid;
  if (old_meta.creation_timestamp) meta.creation_timestamp = old_meta.creation_timestamp;
  if (old_meta.deletion_timestamp) meta.deletion_timestamp = old_meta.deletion_timestamp;
  if (old_meta.deletion_grace_period_seconds && !meta.deletion_grace_period_seconds) {
    meta.deletion_grace_period_seconds = old_meta.deletion_grace_period_seconds;
  }
}

// Leaves a claim bound that is.
void keepBinding(api::PersistentVolumeClaim& claim, const api::PersistentVolumeClaim& old_claim) {
  if (!claim.spec.volume_name.empty() || old_claim.spec.volume_name.empty()) return;
  claim.spec.volume_name = old_claim.spec.volume_name;
  for (const auto& [key, value] : old_claim.meta.annotations) {
    if (key.find("kubernetes.io/") != std::string::npos) claim.meta.annotations.emplace(key, value);
  }
}

// Gives an object the status of its predecessor.
void keepStatus(api::Object& object, const api::Object& old_object) {
  switch (object.kind) {
    case api::Kind::kPersistentVolume: {
      auto& volume = static_cast<api::PersistentVolume&>(object);
      const auto& old = static_cast<const api::PersistentVolume&>(old_object);
      volume.phase = old.phase;
      volume.status_rest = old.status_rest;
      return;
    }
    case api::Kind::kPersistentVolumeClaim: {
      auto& claim = static_cast<api::PersistentVolumeClaim&>(object);
      const auto& old = static_cast<const api::PersistentVolumeClaim&>(old_object);
      claim.phase = old.phase;
      claim.status_rest = old.status_rest;
      return;
    }
    case api::Kind::kPodDisruptionBudget: {
      auto& budget = static_cast<api::PodDisruptionBudget&>(object);
      const auto& old = static_cast<const api::PodDisruptionBudget&>(old_object);
      budget.disruptions_allowed = old.disruptions_allowed;
      budget.disrupted_pods = old.disrupted_pods;
      budget.status_rest = old.status_rest;
      return;
    }
    default:
      break;
  }
  if (old_object.rest.find("\"status\"") == std::string::npos) return;
  const Json old_rest = parseRest(old_object.rest);
  const Json* status = member(old_rest, "status");
  if (status == nullptr) return;
  Json rest = parseRest(object.rest);
  rest["status"] = *status;
  object.rest = dumpRest(rest);
}

}  // namespace

Server::Server(clock::EventLoop& loop, const scheduler::FeatureGates& gates)
    : loop_(loop), gates_(gates), rules_(rulesOf(gates.release().admission)) {}

Admitted Server::read(const nlohmann::json& json, std::string_view text, bool* has_status) {
  Admitted out;
  api::Decoded decoded = api::decode(json, gates_.release().admission, text);
  out.issues = std::move(decoded.issues);
  out.error = std::move(decoded.error);
  if (!out.error.empty() || decoded.object == nullptr) return out;
  *has_status = decoded.has_status;
  api::Object& object = *decoded.object;
  setDefaults(object, gates_);
  if (object.kind == api::Kind::kNode && givesEmptyAllocatable(json)) {
    static_cast<api::Node&>(object).status.allocatable = api::ResourceList();
  }
  api::ObjectMeta& meta = object.meta;
  ++sequence_;
  if (rules_.generates_names && meta.name.empty() && !meta.generate_name.empty()) {
    std::string digits = std::to_string(sequence_);
    if (digits.size() < 5) digits.insert(0, 5 - digits.size(), '0');
    meta.name = meta.generate_name + digits;
  }
  if (meta.uid.empty()) {
    meta.uid = lowered(object.kind_name) + "-" + meta.ns + "-" + meta.name + "-" + std::to_string(sequence_);
  }
  if (!meta.creation_timestamp) meta.creation_timestamp = loop_.now();
  meta.resource_version = 0;
  if (meta.ns.empty() && !isClusterScoped(object.kind_name)) meta.ns = kDefaultNamespace;
  out.object = std::move(decoded.object);
  return out;
}

Admitted Server::admit(const nlohmann::json& json, std::string_view text) {
  bool has_status = false;
  Admitted out = read(json, text, &has_status);
  if (out.object == nullptr) return out;
  ErrorList errors(rules_);
  if (out.object->kind == api::Kind::kPod) {
    out.error = admitPod(static_cast<api::Pod&>(*out.object), errors);
  } else if (out.object->kind == api::Kind::kNode) {
    out.error = admitNode(static_cast<api::Node&>(*out.object), errors);
  } else if (out.object->kind == api::Kind::kPriorityClass && rules_.writes == WriteRules::kValidationOnly) {
    kept_classes_[out.object->meta.name] = std::static_pointer_cast<const api::PriorityClass>(out.object);
  } else if (admits_workloads_ && isWorkload(out.object->kind)) {
    out.error = admitWorkload(*out.object, errors);
  }
  if (out.error.empty()) return out;
  out.object = nullptr;
  for (api::Issue& issue : errors.issues()) out.issues.push_back(std::move(issue));
  if (errors.empty()) {
    api::Issue issue;
    issue.path = "/spec/priorityClassName";
    issue.message = out.error;
    out.issues.push_back(std::move(issue));
  }
  return out;
}

std::map<std::string, std::shared_ptr<const api::PriorityClass>> Server::priorityClasses() const {
  if (rules_.writes == WriteRules::kValidationOnly) return kept_classes_;
  std::map<std::string, std::shared_ptr<const api::PriorityClass>> out;
  for (const api::ObjectPtr& object : list(api::Kind::kPriorityClass)) {
    out.emplace(object->meta.name, api::as<api::PriorityClass>(object));
  }
  return out;
}

std::string Server::admitPod(api::Pod& pod, ErrorList& errors) {
  const api::PodStatus given = pod.status;
  std::string error = resolvePriority(pod, *this);
  if (!error.empty()) return error;
  if (rules_.writes == WriteRules::kValidationOnly) return admitPodAsGiven(pod, errors);
  preparePod(pod, gates_, loop_.now());
  validatePodCreate(pod, podOptions(nullptr, gates_), errors);
  if (!errors.empty()) return refusal(pod, errors);
  pod.status = overlaid(std::move(pod.status), given);
  if (pod.assigned() && !pod.status.start_time) {  // the kubelet's part
    pod.status.start_time = loop_.now();
    if (pod.status.phase == "Pending") pod.status.phase = "Running";
  }
  return "";
}

std::string Server::admitPodAsGiven(api::Pod& pod, ErrorList& errors) {
  if (pod.status.phase.empty()) pod.status.phase = "Pending";
  if (pod.assigned() && !pod.status.start_time) {  // the kubelet's part
    pod.status.start_time = loop_.now();
    if (pod.status.phase == "Pending") pod.status.phase = "Running";
  }
  dropDisabledFields(pod, gates_);
  validatePodCreate(pod, podOptions(nullptr, gates_), errors);
  return refusal(pod, errors);
}

std::string Server::updateAsGiven(api::Object& object, const nlohmann::json& json, const api::Object& old_object) {
  if (object.kind != api::Kind::kPod) return "";
  auto& pod = static_cast<api::Pod&>(object);
  const auto& old_pod = static_cast<const api::Pod&>(old_object);
  if (pod.spec.node_name.empty()) pod.spec.node_name = old_pod.spec.node_name;
  if (listOf(objectOf(json, "status"), "conditions").empty()) pod.status = old_pod.status;
  return "";
}

std::string Server::admitNode(api::Node& node, ErrorList& errors) {
  if (rules_.writes == WriteRules::kStrategies) node.meta.ns.clear();
  validateNode(node, podOptions(nullptr, gates_), errors);
  return refusal(node, errors);
}

std::string Server::admitWorkload(api::Object& object, ErrorList& errors) {
  if (object.kind == api::Kind::kJob) generateJobSelector(object);
  if (object.kind == api::Kind::kDaemonSet) numberTemplate(object, nullptr);
  validateWorkload(object, nullptr, gates_, errors);
  return refusal(object, errors);
}

std::string Server::update(const nlohmann::json& json, std::vector<api::Issue>* issues, std::string_view text) {
  bool has_status = false;
  const bool as_given = rules_.writes == WriteRules::kValidationOnly;
  Admitted out = as_given ? admit(json, text) : read(json, text, &has_status);
  ErrorList errors(rules_);
  const auto finish = [&](std::string error) {
    if (issues != nullptr) {
      for (api::Issue& issue : errors.issues()) out.issues.push_back(std::move(issue));
      if (!error.empty() && errors.empty() && out.error.empty()) {
        api::Issue issue;
        issue.message = error;
        out.issues.push_back(std::move(issue));
      }
      *issues = std::move(out.issues);
    }
    return error;
  };
  if (out.object == nullptr) return finish(out.error);
  api::Object& object = *out.object;
  const api::ObjectPtr old = find(resourceOf(object), object.key());
  if (old == nullptr) return finish(notFound(resourceName(object), object.meta.name).message);
  object.meta.uid = old->meta.uid;
  object.meta.creation_timestamp = old->meta.creation_timestamp;
  object.meta.resource_version = old->meta.resource_version;
  std::string error;
  if (as_given) {
    error = updateAsGiven(object, json, *old);
  } else if (object.kind == api::Kind::kPod) {
    error = updatePod(static_cast<api::Pod&>(object), static_cast<const api::Pod&>(*old), errors);
  } else if (object.kind == api::Kind::kNode) {
    error = updateNode(static_cast<api::Node&>(object), static_cast<const api::Node&>(*old), has_status, errors);
  } else {
    if (object.kind == api::Kind::kPersistentVolumeClaim) {
      keepBinding(static_cast<api::PersistentVolumeClaim&>(object),
                  static_cast<const api::PersistentVolumeClaim&>(*old));
    }
    if (!has_status) keepStatus(object, *old);
  }
  if (admits_workloads_ && isWorkload(object.kind)) error = updateWorkload(object, *old, errors);
  if (!error.empty()) return finish(std::move(error));
  return finish(replace(out.object).message);
}

std::string Server::updatePod(api::Pod& pod, const api::Pod& old_pod, ErrorList& errors) {
  const api::PodStatus given = pod.status;
  api::PodSpec& spec = pod.spec;
  const api::PodSpec& old_spec = old_pod.spec;
  if (spec.node_name.empty()) spec.node_name = old_spec.node_name;
  if (spec.priority_class_name.empty()) spec.priority_class_name = old_spec.priority_class_name;
  if (!spec.priority) spec.priority = old_spec.priority;
  if (!spec.preemption_policy) spec.preemption_policy = old_spec.preemption_policy;
  // Creation has merged matchLabelKeys into the selectors, with the labels that the pod had then.
  api::Pod created = pod;
  created.meta.labels = old_pod.meta.labels;
  preparePod(created, gates_, loop_.now());
  spec = std::move(created.spec);
  pod.meta.annotations = std::move(created.meta.annotations);

  keepMeta(pod.meta, old_pod.meta);
  pod.status = old_pod.status;
  if (!spec.resources && old_spec.resources && gates_.enabled("PodLevelResourcesFixDefaulting")) {
    spec.resources = old_spec.resources;  // a client that does not know the field has dropped it
  }
  if (!samePodSpec(spec, old_spec)) ++pod.meta.generation;
  const PodOptions options = podOptions(&old_pod, gates_);
  validateCommonUpdate(pod, old_pod, /*namespaced=*/true, errors);
  validatePodUpdate(pod, old_pod, options, errors);
  if (!errors.empty()) return refusal(pod, errors);

  // The update of the status, as its own request.
  const api::Pod before = pod;
  pod.status = overlaid(std::move(pod.status), given);
  pod.meta.deletion_timestamp.reset();
  keepMeta(pod.meta, before.meta);
  pod.meta.owner_references = before.meta.owner_references;
  preserveStatus(pod.status, before.status);
  const PodOptions status_options = podOptions(&before, gates_);
  validateCommonUpdate(pod, before, /*namespaced=*/true, errors);
  validatePodStatusUpdate(pod, before, status_options, errors);
  return refusal(pod, errors);
}

std::string Server::updateNode(api::Node& node, const api::Node& old_node, bool has_status, ErrorList& errors) {
  if (!has_status) node.status = old_node.status;
  const api::NodeStatus status = node.status;
  node.meta.ns.clear();
  keepMeta(node.meta, old_node.meta);
  node.status = old_node.status;
  validateCommonUpdate(node, old_node, /*namespaced=*/false, errors);
  validateNode(node, podOptions(nullptr, gates_), errors);
  validateNodeUpdate(node, old_node, errors);
  if (!errors.empty()) return refusal(node, errors);
  const api::Node before = node;
  node.status = status;
  validateCommonUpdate(node, before, /*namespaced=*/false, errors);
  validateNodeUpdate(node, before, errors);
  return refusal(node, errors);
}

std::string Server::updateWorkload(api::Object& object, const api::Object& old_object, ErrorList& errors) {
  if (object.kind == api::Kind::kJob) keepJobSelector(object, old_object);
  if (object.kind == api::Kind::kDaemonSet) numberTemplate(object, &old_object);
  keepMeta(object.meta, old_object.meta);
  validateCommonUpdate(object, old_object, /*namespaced=*/true, errors);
  validateWorkload(object, &old_object, gates_, errors);
  return refusal(object, errors);
}

std::string Server::remove(const std::string& kind, const std::string& ns, const std::string& name,
                           bool* unknown_kind) {
  if (unknown_kind != nullptr) *unknown_kind = false;
  const std::string space = ns.empty() && !isClusterScoped(kind) ? std::string(kDefaultNamespace) : ns;
  for (int i = 0; i < static_cast<int>(api::Kind::kOther); ++i) {
    const auto known = static_cast<api::Kind>(i);
    if (api::kindName(known) == kind) return erase(known, space, name).message;
  }
  for (int i = 0; i < api::kSchemaKindCount; ++i) {
    const api::SchemaKindEntry& entry = api::kSchemaKinds[i];
    if (kind != entry.kind) continue;
    const std::string resource = resourceName(entry.group, kind);
    const std::string key = space.empty() ? name : space + "/" + name;
    return erase(Resource(api::Kind::kOther, resource), resource, key, name).message;
  }
  if (unknown_kind != nullptr) *unknown_kind = true;
  return "delete of unknown kind " + kind;
}

}  // namespace podberth::apiserver
