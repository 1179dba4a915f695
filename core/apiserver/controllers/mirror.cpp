#include "core/apiserver/controllers/mirror.h"

#include <utility>

#include "core/api/pod_util.h"

namespace podberth::apiserver {

namespace {

// Owners come before what they own.
constexpr api::Kind kKinds[] = {api::Kind::kNode,        api::Kind::kPersistentVolumeClaim,
                                api::Kind::kDeployment,  api::Kind::kReplicaSet,
                                api::Kind::kStatefulSet, api::Kind::kDaemonSet,
                                api::Kind::kJob,         api::Kind::kPod};

std::string controllerUid(const api::Object& object) {
  const api::OwnerReference* controller = api::controllerOf(object.meta);
  return controller == nullptr ? std::string() : controller->uid;
}

}  // namespace

void Mirror::start(Listener listener) {
  for (api::Kind kind : kKinds) {
    for (const api::ObjectPtr& object : server_.list(kind)) put(object);
    server_.watch(kind, nullptr, [this](const WatchEvent& event) {
      const api::ObjectPtr old_object = get(event.object->kind, event.object->key());
      if (old_object != nullptr) drop(old_object);
      const bool deleted = event.type == WatchEvent::Type::kDeleted;
      if (!deleted) put(event.object);
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

const Mirror::Pods& Mirror::podsOf(const std::string& controller_uid) const {
  static const Pods kNone;
  const auto found = pods_of_.find(controller_uid);
  return found == pods_of_.end() ? kNone : found->second;
}

void Mirror::put(const api::ObjectPtr& object) {
  objects_[object->kind][object->key()] = object;
  if (api::PodPtr pod = api::as<api::Pod>(object)) pods_of_[controllerUid(*object)][object->key()] = std::move(pod);
}

void Mirror::drop(const api::ObjectPtr& object) {
  objects_[object->kind].erase(object->key());
  if (object->kind != api::Kind::kPod) return;
  const auto owned = pods_of_.find(controllerUid(*object));
  if (owned == pods_of_.end()) return;
  owned->second.erase(object->key());
  if (owned->second.empty()) pods_of_.erase(owned);
}

}  // namespace podberth::apiserver
