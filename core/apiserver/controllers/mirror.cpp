#include "core/apiserver/controllers/mirror.h"

#include <utility>

#include "core/api/pod_util.h"

namespace podberth::apiserver {

namespace {

// Owners come before what they own.
constexpr api::Kind kKinds[] = {api::Kind::kNode,       api::Kind::kPersistentVolumeClaim, api::Kind::kDeployment,
                                api::Kind::kReplicaSet, api::Kind::kStatefulSet,           api::Kind::kDaemonSet,
                                api::Kind::kJob,        api::Kind::kReplicationController, api::Kind::kPod};

const std::string& controllerUid(const api::Object& object) {
  static const std::string kNone;
  const api::OwnerReference* controller = api::controllerOf(object.meta);
  return controller == nullptr ? kNone : controller->uid;
}

std::string keyOf(const api::Object& controller) { return controller.meta.ns + "/" + controller.meta.uid; }

// Under which key a pod's controller has its pods.
std::string ownerOf(const api::Pod& pod) {
  const std::string& uid = controllerUid(pod);
  return uid.empty() ? std::string() : pod.meta.ns + "/" + uid;
}

void count(Mirror::Owned& owned, const api::Pod& pod, int by) {
  if (isActive(pod)) owned.active += by;
  if (isAvailable(pod)) owned.available += by;
  if (!pod.terminal()) owned.unended += by;
}

template <class Map>
const typename Map::mapped_type& valueOf(const Map& map, const std::string& key) {
  static const typename Map::mapped_type kNone{};
  const auto found = map.find(key);
  return found == map.end() ? kNone : found->second;
}

template <class Map>
void eraseFrom(Map& map, const std::string& outer, const std::string& inner) {
  const auto found = map.find(outer);
  if (found == map.end()) return;
  found->second.erase(inner);
  if (found->second.empty()) map.erase(found);
}

// When a pod that is ready became so: as its condition says, or just now. What was there from the start has been ready
// since it was started.
clock::Time readySince(const api::Pod& pod, clock::Time now, bool from_start) {
  const api::PodCondition* ready = pod.status.condition("Ready");
  if (ready != nullptr && ready->last_transition_time) return *ready->last_transition_time;
  if (!from_start) return now;
  if (pod.status.start_time) return *pod.status.start_time;
  return pod.meta.creation_timestamp.value_or(now);
}

}  // namespace

void Mirror::start(Listener listener) {
  for (api::Kind kind : kKinds) {
    for (const api::ObjectPtr& object : server_.list(kind)) put(object, nullptr);
    server_.watch(kind, nullptr, [this](const WatchEvent& event) {
      const api::ObjectPtr old_object = get(event.object->kind, event.object->key());
      const bool deleted = event.type == WatchEvent::Type::kDeleted;
      if (deleted) {
        if (old_object != nullptr) drop(old_object);
      } else {
        put(event.object, old_object);
      }
      listener_(deleted && old_object == nullptr ? event.object : old_object, deleted ? nullptr : event.object);
    });
  }
  listener_ = std::move(listener);
  for (api::Kind kind : kKinds) {
    for (const auto& item : all(kind)) listener_(nullptr, item.second);
  }
}

const Mirror::Objects& Mirror::all(api::Kind kind) const {
  static const Objects kNone;
  const auto found = objects_.find(kind);
  return found == objects_.end() ? kNone : found->second;
}

api::ObjectPtr Mirror::get(api::Kind kind, const std::string& key) const {
  const Objects& objects = all(kind);
  const auto found = objects.find(key);
  return found == objects.end() ? nullptr : found->second;
}

const Mirror::Owned& Mirror::owned(const api::Object& controller) const { return valueOf(owned_, keyOf(controller)); }

const Mirror::Pods& Mirror::strays() const { return valueOf(owned_, "").pods; }

const Mirror::Objects& Mirror::objectsOf(const std::string& controller_uid) const {
  return valueOf(dependents_, controller_uid);
}

const std::map<std::string, api::PodPtr>& Mirror::podsOn(const std::string& node) const {
  return valueOf(on_node_, node);
}

std::vector<api::PodPtr> Mirror::takeUnclaimed(const api::Object& controller) {
  Claims& claims = claims_[keyOf(controller)];
  const Pods& pods = podsOf(controller);
  std::vector<api::PodPtr> out;
  if (claims.version != controller.meta.resource_version) {
    for (const auto& item : pods) out.push_back(item.second.pod);
  } else {
    for (const std::string& key : claims.unclaimed) {
      const auto pod = pods.find(key);
      if (pod != pods.end()) out.push_back(pod->second.pod);
    }
  }
  claims.version = controller.meta.resource_version;
  claims.unclaimed.clear();
  return out;
}

bool Mirror::takeStraysChanged(const api::Object& controller) {
  Claims& claims = claims_[keyOf(controller)];
  const bool changed = claims.strays != strays_ || claims.strays_version != controller.meta.resource_version;
  claims.strays = strays_;
  claims.strays_version = controller.meta.resource_version;
  return changed;
}

void Mirror::forget(const api::Object& controller) { claims_.erase(keyOf(controller)); }

void Mirror::put(const api::ObjectPtr& object, const api::ObjectPtr& old_object) {
  const clock::Time was_ready = old_object == nullptr ? -1 : drop(old_object);
  objects_[object->kind][object->key()] = object;
  if (api::PodPtr pod = api::as<api::Pod>(object)) {
    putPod(pod, api::as<api::Pod>(old_object.get()), was_ready);
  } else if (const std::string& uid = controllerUid(*object); !uid.empty()) {
    dependents_[uid][object->key()] = object;
  }
}

void Mirror::putPod(const api::PodPtr& pod, const api::Pod* old_pod, clock::Time was_ready) {
  const std::string owner = ownerOf(*pod);
  const std::string key = pod->key();
  Owned& owned = owned_[owner];
  MirroredPod& mirrored = owned.pods[key];
  mirrored.pod = pod;
  if (isReady(*pod)) {
    mirrored.ready_since = was_ready >= 0 ? was_ready : readySince(*pod, loop_.now(), !listener_);
  }
  count(owned, *pod, 1);
  if (pod->assigned()) on_node_[pod->spec.node_name][key] = pod;
  if (old_pod != nullptr && ownerOf(*old_pod) == owner && old_pod->meta.labels == pod->meta.labels) return;
  if (owner.empty()) {
    ++strays_;
  } else if (const auto claims = claims_.find(owner); claims != claims_.end()) {
    claims->second.unclaimed.push_back(key);
  }
}

clock::Time Mirror::drop(const api::ObjectPtr& object) {
  const std::string key = object->key();
  objects_[object->kind].erase(key);
  const api::Pod* pod = api::as<api::Pod>(object.get());
  if (pod == nullptr) {
    if (const std::string& uid = controllerUid(*object); !uid.empty()) eraseFrom(dependents_, uid, key);
    return -1;
  }
  if (pod->assigned()) eraseFrom(on_node_, pod->spec.node_name, key);
  const auto owned = owned_.find(ownerOf(*pod));
  if (owned == owned_.end()) return -1;
  const auto mirrored = owned->second.pods.find(key);
  if (mirrored == owned->second.pods.end()) return -1;
  const clock::Time ready_since = mirrored->second.ready_since;
  count(owned->second, *pod, -1);
  owned->second.pods.erase(mirrored);
  if (owned->second.pods.empty()) owned_.erase(owned);
  return ready_since;
}

}  // namespace podberth::apiserver
