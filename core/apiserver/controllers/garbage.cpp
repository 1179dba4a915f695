#include "core/apiserver/controllers/garbage.h"

#include <cmath>
#include <cstdlib>
#include <vector>

#include "core/api/decode.h"
#include "core/api/pod_util.h"
#include "core/api/workload.h"

namespace podberth::apiserver {

namespace {

constexpr clock::Duration kQuarantine = 40 * clock::kSecond;
constexpr double kLongestRun = 366.0 * 24 * 3600;  // seconds

// The pod's own word for how long it runs; negative if it says nothing that can be read.
clock::Duration runTime(const api::Pod& pod) {
  const auto it = pod.meta.annotations.find(kRunsForAnnotation);
  if (it == pod.meta.annotations.end()) return -1;
  const Json value = Json::parse(it->second, nullptr, false);
  if (!value.is_number()) return -1;
  const double seconds = value.get<double>();
  if (!(seconds >= 0) || seconds > kLongestRun) return -1;
  return static_cast<clock::Duration>(std::floor(seconds * 1e9));
}

}  // namespace

void GarbageCollector::hear(const api::ObjectPtr& old_object, const api::ObjectPtr& new_object) {
  const api::Object& object = new_object != nullptr ? *new_object : *old_object;
  if (object.kind == api::Kind::kNode && new_object == nullptr) watchNode(object.meta.name);
  if (object.kind != api::Kind::kPod) return;
  if (new_object == nullptr) {
    ending_.erase(object.meta.uid);
    return;
  }
  const auto& pod = static_cast<const api::Pod&>(object);
  if (!pod.assigned()) return;
  if (mirror_.get(api::Kind::kNode, pod.spec.node_name) == nullptr) watchNode(pod.spec.node_name);
  if (!pod.terminal()) watchEnd(pod);
}

void GarbageCollector::watchNode(const std::string& node) {
  if (!missing_nodes_.insert(node).second) return;
  loop_.after(kQuarantine, [this, node] {
    missing_nodes_.erase(node);
    if (mirror_.get(api::Kind::kNode, node) != nullptr) return;
    api::Node gone;
    gone.kind_name = "Node";
    gone.meta.name = node;
    std::vector<api::ObjectPtr> pods;
    for (const auto& item : mirror_.podsOn(node)) pods.push_back(item.second);
    for (const api::ObjectPtr& pod : pods) writer_.remove(*pod, gone);
  });
}

void GarbageCollector::watchEnd(const api::Pod& pod) {
  const clock::Duration time = runTime(pod);
  if (time < 0 || !ending_.insert(pod.meta.uid).second) return;
  loop_.after(time, [this, key = pod.key(), uid = pod.meta.uid] {
    const api::PodPtr now = mirror_.get<api::Pod>(key);
    if (now == nullptr || now->meta.uid != uid || !isActive(*now)) return;
    auto ended = std::make_shared<api::Pod>(*now);
    ended->meta.resource_version = 0;
    ended->status.phase = "Succeeded";
    writer_.replace("end", std::move(ended), *now);
  });
}

void GarbageCollector::collect(const api::Object& owner) {
  std::vector<api::ObjectPtr> dependents;
  for (const auto& item : mirror_.podsOf(owner)) dependents.push_back(item.second.pod);
  for (const auto& item : mirror_.objectsOf(owner.meta.uid)) {
    if (item.second->kind == api::Kind::kReplicaSet) dependents.push_back(item.second);
  }
  for (const api::ObjectPtr& object : dependents) writer_.remove(*object, owner);
}

}  // namespace podberth::apiserver
