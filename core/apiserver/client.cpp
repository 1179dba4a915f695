#include "core/apiserver/client.h"

#include <utility>

#include "core/api/go_text.h"
#include "core/api/pod_util.h"
#include "core/apiserver/api_errors.h"

namespace podberth::apiserver {

namespace {

constexpr const char* kBindingResource = "pods/binding";
constexpr const char* kSelectedNodeAnnotation = "volume.kubernetes.io/selected-node";
constexpr const char* kBindCompletedAnnotation = "pv.kubernetes.io/bind-completed";
constexpr const char* kBoundByControllerAnnotation = "pv.kubernetes.io/bound-by-controller";
constexpr const char* kProvisionedDriver = "csi.example.com";
constexpr const char* kHostnameLabel = "kubernetes.io/hostname";

clock::Time seconds(clock::Time t) { return t / clock::kSecond; }

bool sameSecond(const std::optional<clock::Time>& a, const std::optional<clock::Time>& b) {
  if (a.has_value() != b.has_value()) return false;
  return !a || seconds(*a) == seconds(*b);
}

// The fields of a condition that a patch from `from` to `to` sends.
struct ConditionPatch {
  bool status = false;
  bool reason = false;
  bool message = false;
  bool transition = false;
  bool probe = false;
  bool generation = false;
  bool any() const { return status || reason || message || transition || probe || generation; }
};

ConditionPatch difference(const api::PodCondition& from, const api::PodCondition& to) {
  ConditionPatch patch;
  patch.status = from.status != to.status;
  patch.reason = from.reason != to.reason;
  patch.message = from.message != to.message;
  patch.transition = !sameSecond(from.last_transition_time, to.last_transition_time);
  patch.probe = !sameSecond(from.last_probe_time, to.last_probe_time);
  patch.generation = from.observed_generation != to.observed_generation;
  return patch;
}

// A strategic merge: lists of conditions are merged by type.
void apply(const ConditionPatch& patch, const api::PodCondition& wanted, api::PodStatus& status) {
  api::PodCondition* target = nullptr;
  for (api::PodCondition& condition : status.conditions) {
    if (target == nullptr && condition.type == wanted.type) target = &condition;
  }
  if (target == nullptr) {
    status.conditions.emplace_back();
    target = &status.conditions.back();
    target->type = wanted.type;
  }
  if (patch.status) target->status = wanted.status;
  if (patch.reason) target->reason = wanted.reason;
  if (patch.message) target->message = wanted.message;
  if (patch.transition) target->last_transition_time = wanted.last_transition_time;
  if (patch.probe) target->last_probe_time = wanted.last_probe_time;
  if (patch.generation) target->observed_generation = wanted.observed_generation;
}

}  // namespace

void Client::later(const api::Pod& pod, const char* verb, Write write, Done done) {
  std::string turn = pod.key() + " " + verb;
  loop_.after(write_latency_, [this, turn = std::move(turn), write = std::move(write), done = std::move(done)] {
    loop_.write(turn, [write, done] {
      const scheduler::ApiError error = write();
      if (done) done(error);
    });
  });
}

void Client::bindPod(const api::Pod& pod, const std::string& node, Done done) {
  later(
      pod, "bind",
      [this, ns = pod.meta.ns, name = pod.meta.name, uid = pod.meta.uid, node] { return bind(ns, name, uid, node); },
      std::move(done));
}

scheduler::ApiError Client::bind(const std::string& ns, const std::string& name, const std::string& uid,
                                 const std::string& node) {
  const api::PodPtr stored = server_.get<api::Pod>(ns, name);
  if (stored == nullptr) return notFound(resourceName(api::Kind::kPod), name);
  // The oracle of v1.24 looks at nothing but whether the pod has a node.
  const bool all_checks = gates_.release().admission != release::AdmissionRules::kV1_24;
  if (all_checks && !uid.empty() && uid != stored->meta.uid) {
    return conflict(kBindingResource, name,
                    "Precondition failed: UID in precondition: " + uid + ", UID in object meta: " + stored->meta.uid);
  }
  if (all_checks && stored->meta.deletion_timestamp) {
    return conflict(kBindingResource, name, "pod " + name + " is being deleted, cannot be assigned to a host");
  }
  if (stored->assigned()) {
    return conflict(kBindingResource, name,
                    "pod " + name + " is already assigned to node " + api::go::quote(stored->spec.node_name));
  }
  if (all_checks && !stored->spec.scheduling_gates.empty()) {
    return conflict(kBindingResource, name, "pod " + name + " has non-empty .spec.schedulingGates");
  }
  auto bound = std::make_shared<api::Pod>(*stored);
  bound->spec.node_name = node;
  if (gates_.enabled("ClearingNominatedNodeNameAfterBinding")) bound->status.nominated_node_name.clear();
  api::PodCondition condition;
  condition.type = "PodScheduled";
  condition.status = "True";
  api::updatePodCondition(bound->status, std::move(condition), loop_.now());
  auto started = std::make_shared<api::Pod>(*bound);
  const scheduler::ApiError error = server_.replace(std::move(bound));
  if (error.failed) return error;
  trace::Entry& entry = recorder_.add(trace::Type::kBind, stored->key());
  entry.node = node;
  // The kubelet starts it at once.
  started->meta.resource_version = 0;
  started->status.start_time = loop_.now();
  return server_.replace(std::move(started));
}

void Client::patchPodStatus(const api::Pod& pod, const std::optional<api::PodCondition>& condition,
                            const std::optional<std::string>& nominated_node, Done done) {
  ConditionPatch patch;
  api::PodCondition wanted;
  if (condition) {
    api::PodStatus status = pod.status;
    api::updatePodCondition(status, *condition, loop_.now());
    wanted = *status.condition(condition->type);
    const api::PodCondition* own = pod.status.condition(condition->type);
    patch = difference(own != nullptr ? *own : api::PodCondition(), wanted);
  }
  const bool nominates = nominated_node && *nominated_node != pod.status.nominated_node_name;
  if (!patch.any() && !nominates) {
    if (done) done(scheduler::ApiError::ok());
    return;
  }
  const auto write = [this, ns = pod.meta.ns, name = pod.meta.name, patch, wanted, nominates,
                      node = nominated_node.value_or("")]() -> scheduler::ApiError {
    const api::PodPtr stored = server_.get<api::Pod>(ns, name);
    if (stored == nullptr) return notFound(resourceName(api::Kind::kPod), name);
    auto patched = std::make_shared<api::Pod>(*stored);
    if (patch.any()) apply(patch, wanted, patched->status);
    if (nominates) patched->status.nominated_node_name = node;
    return server_.replace(std::move(patched));
  };
  later(pod, "patch", write, std::move(done));
}

void Client::deletePod(const api::Pod& pod, Done done) {
  later(
      pod, "delete",
      [this, ns = pod.meta.ns, name = pod.meta.name, key = pod.key()] {
        recorder_.add(trace::Type::kEvict, key);
        return server_.erase(api::Kind::kPod, ns, name);
      },
      std::move(done));
}

scheduler::ApiError Client::updatePersistentVolumeClaim(const api::PersistentVolumeClaim& claim,
                                                        api::PersistentVolumeClaimPtr* updated) {
  auto wanted = std::make_shared<api::PersistentVolumeClaim>(claim);
  if (volumeWriteLatency() > 0) wanted->meta.resource_version = 0;  // the last one wins
  const auto selected = claim.meta.annotations.find(kSelectedNodeAnnotation);
  const bool waits = selected != claim.meta.annotations.end() && !selected->second.empty();
  const scheduler::ApiError error =
      waits && claim.spec.volume_name.empty() ? provision(std::move(wanted)) : server_.replace(std::move(wanted));
  if (!error.failed && updated != nullptr) {
    *updated = server_.get<api::PersistentVolumeClaim>(claim.meta.ns, claim.meta.name);
  }
  return error;
}

scheduler::ApiError Client::updatePersistentVolume(const api::PersistentVolume& volume,
                                                   api::PersistentVolumePtr* updated) {
  auto wanted = std::make_shared<api::PersistentVolume>(volume);
  if (volumeWriteLatency() > 0) wanted->meta.resource_version = 0;
  api::PersistentVolumeClaimPtr claim;
  if (volume.claim_ref) claim = server_.get<api::PersistentVolumeClaim>(volume.claim_ref->ns, volume.claim_ref->name);
  scheduler::ApiError error;
  if (claim != nullptr && claim->spec.volume_name.empty()) {
    error = bindVolume(std::move(wanted), std::make_shared<api::PersistentVolumeClaim>(*claim));
  } else {
    error = server_.replace(std::move(wanted));
  }
  if (!error.failed && updated != nullptr) *updated = server_.get<api::PersistentVolume>("", volume.meta.name);
  return error;
}

scheduler::ApiError Client::provision(std::shared_ptr<api::PersistentVolumeClaim> claim) {
  const std::string node = claim->meta.annotations[kSelectedNodeAnnotation];
  trace::Entry& entry = recorder_.add(trace::Type::kProvision, claim->key());
  entry.node = node;

  auto volume = std::make_shared<api::PersistentVolume>();
  volume->kind_name = "PersistentVolume";
  volume->api_version = "v1";
  volume->meta.name = "pvc-" + claim->meta.ns + "-" + claim->meta.name;
  volume->capacity = claim->spec.requests;
  volume->access_modes = claim->spec.access_modes;
  volume->storage_class_name = claim->spec.storage_class_name.value_or("");
  api::ObjectReference reference;
  reference.kind = "PersistentVolumeClaim";
  reference.ns = claim->meta.ns;
  reference.name = claim->meta.name;
  reference.uid = claim->meta.uid;
  volume->claim_ref = std::move(reference);
  volume->source = "csi";
  volume->csi_driver = kProvisionedDriver;
  volume->csi_volume_handle = claim->meta.name;
  api::NodeSelectorRequirement requirement;
  requirement.key = kHostnameLabel;
  requirement.op = "In";
  requirement.values.push_back(node);
  api::NodeSelectorTerm term;
  term.match_expressions.push_back(std::move(requirement));
  volume->node_affinity.emplace();
  volume->node_affinity->terms.push_back(std::move(term));
  volume->phase = "Bound";
  const std::string name = volume->meta.name;
  // A volume of that name may be there already: then it is taken.
  if (server_.get<api::PersistentVolume>("", name) == nullptr) {
    const scheduler::ApiError error = server_.insert(std::move(volume));
    if (error.failed) return error;
  }
  claim->spec.volume_name = name;
  claim->meta.annotations[kBindCompletedAnnotation] = "yes";
  claim->phase = "Bound";
  return server_.replace(std::move(claim));
}

scheduler::ApiError Client::bindVolume(std::shared_ptr<api::PersistentVolume> volume,
                                       std::shared_ptr<api::PersistentVolumeClaim> claim) {
  const std::string name = volume->meta.name;
  claim->spec.volume_name = name;
  claim->meta.annotations[kBindCompletedAnnotation] = "yes";
  claim->meta.annotations[kBoundByControllerAnnotation] = "yes";
  claim->phase = "Bound";
  volume->phase = "Bound";
  const scheduler::ApiError error = server_.replace(std::move(volume));
  if (error.failed) return error;
  trace::Entry& entry = recorder_.add(trace::Type::kBindVolume, claim->key());
  entry.node = name;
  return server_.replace(std::move(claim));
}

}  // namespace podberth::apiserver
