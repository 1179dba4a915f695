#include "core/api/pod_util.h"

#include "core/api/pod_requests.h"

namespace podberth::api {
namespace {

enum class Qos { kNone, kBestEffort, kBurstable, kGuaranteed };

Qos qosOf(const ResourceRequirements& resources, Symbol name) {
  static const Quantity kZero;
  const Quantity* request = resources.requests.find(name);
  const Quantity* limit = resources.limits.find(name);
  const Quantity& r = request != nullptr ? *request : kZero;
  const Quantity& l = limit != nullptr ? *limit : kZero;
  if (r != l) return Qos::kBurstable;
  return r.isZero() ? Qos::kBestEffort : Qos::kGuaranteed;
}

Qos qosOf(const ResourceRequirements& resources) {
  if (resources.requests.empty() && resources.limits.empty()) return Qos::kBestEffort;
  const Qos cpu = qosOf(resources, resource::kCPU);
  const Qos memory = qosOf(resources, resource::kMemory);
  return cpu == memory ? cpu : Qos::kBurstable;
}

Qos qosOf(const Pod& pod) {
  if (isPodLevelResourcesSet(pod)) return qosOf(*pod.spec.resources);
  Qos result = Qos::kNone;
  for (const auto* containers : {&pod.spec.init_containers, &pod.spec.containers}) {
    for (const Container& c : *containers) {
      const Qos one = qosOf(c.resources);
      if (one == Qos::kBurstable || (result != Qos::kNone && result != one)) return Qos::kBurstable;
      result = one;
    }
  }
  return result;
}

}  // namespace

bool updatePodCondition(PodStatus& status, PodCondition condition, clock::Time now) {
  condition.last_transition_time = now;
  for (PodCondition& old : status.conditions) {
    if (old.type != condition.type) continue;
    if (old.status == condition.status) condition.last_transition_time = old.last_transition_time;
    const bool equal = condition.status == old.status && condition.reason == old.reason &&
                       condition.message == old.message && condition.last_probe_time == old.last_probe_time &&
                       condition.last_transition_time == old.last_transition_time;
    old = std::move(condition);
    return !equal;
  }
  status.conditions.push_back(std::move(condition));
  return true;
}

const char* computePodQOS(const Pod& pod) {
  switch (qosOf(pod)) {
    case Qos::kGuaranteed:
      return "Guaranteed";
    case Qos::kBurstable:
      return "Burstable";
    case Qos::kBestEffort:
    case Qos::kNone:
      break;
  }
  return "BestEffort";
}

std::string podQOS(const Pod& pod) {
  return pod.status.qos_class.empty() ? std::string(computePodQOS(pod)) : pod.status.qos_class;
}

std::vector<ContainerPort> hostPorts(const Pod& pod) {
  std::vector<ContainerPort> ports;
  const auto take = [&](const Container& c) {
    for (const ContainerPort& p : c.ports) {
      if (p.host_port > 0) ports.push_back(p);
    }
  };
  for (const Container& c : pod.spec.init_containers) {
    if (c.isSidecar()) take(c);
  }
  for (const Container& c : pod.spec.containers) take(c);
  return ports;
}

std::string ephemeralClaimName(const Pod& pod, const Volume& volume) { return pod.meta.name + "-" + volume.name; }

std::string claimNameOf(const Pod& pod, const Volume& volume) {
  if (volume.persistent_volume_claim) return volume.persistent_volume_claim->claim_name;
  return volume.ephemeral != nullptr ? ephemeralClaimName(pod, volume) : std::string();
}

std::vector<std::string> claimKeys(const Pod& pod) {
  std::vector<std::string> keys;
  for (const Volume& volume : pod.spec.volumes) {
    if (volume.persistent_volume_claim || volume.ephemeral != nullptr) {
      keys.push_back(pod.meta.ns + "/" + claimNameOf(pod, volume));
    }
  }
  return keys;
}

const OwnerReference* controllerOf(const ObjectMeta& object) {
  for (const OwnerReference& ref : object.owner_references) {
    if (ref.controller.value_or(false)) return &ref;
  }
  return nullptr;
}

bool isControlledBy(const ObjectMeta& object, const ObjectMeta& owner) {
  const OwnerReference* ref = controllerOf(object);
  return ref != nullptr && ref->uid == owner.uid;
}

}  // namespace podberth::api
