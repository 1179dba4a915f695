// The store of the API server and its watches.
#include <utility>

#include "core/api/workload.h"
#include "core/apiserver/api_errors.h"
#include "core/apiserver/rules.h"
#include "core/apiserver/server.h"

namespace podberth::apiserver {

namespace {

constexpr std::string_view kNamespaceLabel = "kubernetes.io/metadata.name";

clock::Time wholeSeconds(clock::Time t) {
  const clock::Time fraction = t % clock::kSecond;
  return t - (fraction < 0 ? fraction + clock::kSecond : fraction);
}

void truncate(std::optional<clock::Time>& t) {
  if (t) t = wholeSeconds(*t);
}

// Objects are stored as they are written: times lose their fractions. Pods' start times keep theirs, or all the pods
// that are started in a second would tie in preemption.
void throughTheWire(api::Object& object, const api::Object* old_object) {
  truncate(object.meta.creation_timestamp);
  truncate(object.meta.deletion_timestamp);
  switch (object.kind) {
    case api::Kind::kPod: {
      api::PodStatus& status = static_cast<api::Pod&>(object).status;
      for (api::PodCondition& condition : status.conditions) {
        truncate(condition.last_transition_time);
        truncate(condition.last_probe_time);
      }
      const api::Pod* old_pod = api::as<api::Pod>(old_object);
      if (old_pod != nullptr && status.start_time && old_pod->status.start_time &&
          wholeSeconds(*old_pod->status.start_time) == *status.start_time) {
        status.start_time = old_pod->status.start_time;
      }
      break;
    }
    case api::Kind::kNode:
      for (api::Taint& taint : static_cast<api::Node&>(object).spec.taints) truncate(taint.time_added);
      break;
    case api::Kind::kPodDisruptionBudget:
      for (auto& item : static_cast<api::PodDisruptionBudget&>(object).disrupted_pods) {
        item.second = wholeSeconds(item.second);
      }
      break;
    default:
      break;
  }
}

std::string keyOf(const std::string& ns, const std::string& name) { return ns.empty() ? name : ns + "/" + name; }

}  // namespace

Server::Resource Server::resourceOf(const api::Object& object) {
  if (object.kind != api::Kind::kOther) return Resource(object.kind, "");
  return Resource(object.kind, resourceName(object));
}

api::ObjectPtr Server::find(const Resource& resource, const std::string& key) const {
  const auto objects = objects_.find(resource);
  if (objects == objects_.end()) return nullptr;
  const auto it = objects->second.find(key);
  return it == objects->second.end() ? nullptr : it->second;
}

api::ObjectPtr Server::get(api::Kind kind, const std::string& ns, const std::string& name) const {
  return find(Resource(kind, ""), keyOf(ns, name));
}

std::vector<api::ObjectPtr> Server::list(api::Kind kind) const {
  std::vector<api::ObjectPtr> out;
  if (kind == api::Kind::kOther) {
    for (const auto& [resource, objects] : objects_) {
      if (resource.first != kind) continue;
      for (const auto& item : objects) out.push_back(item.second);
    }
    return out;
  }
  const auto objects = objects_.find(Resource(kind, ""));
  if (objects == objects_.end()) return out;
  out.reserve(objects->second.size());
  for (const auto& item : objects->second) out.push_back(item.second);
  return out;
}

std::string Server::create(std::shared_ptr<api::Object> object) {
  const std::string& ns = object->meta.ns;
  const bool is_namespace = object->kind == api::Kind::kNamespace;
  const std::string& name = is_namespace ? object->meta.name : ns;
  const api::ObjectPtr old = get(api::Kind::kNamespace, "", name);
  const bool first = !name.empty() && namespaces_.insert(name).second;
  const bool known = rules_.writes == WriteRules::kValidationOnly ? !first : old != nullptr;
  if (is_namespace) {
    object->meta.labels.set(kNamespaceLabel, object->meta.name);
    if (known) {  // an object in it has made it
      if (old != nullptr) object->meta.uid = old->meta.uid;
      return replace(std::move(object)).message;
    }
  } else if (!ns.empty() && !known) {
    auto made = std::make_shared<api::Namespace>();
    made->kind_name = "Namespace";
    made->api_version = "v1";
    made->meta.name = ns;
    made->meta.labels.set(kNamespaceLabel, ns);
    const scheduler::ApiError error = insert(std::move(made));
    if (error.failed) return error.message;
  }
  return insert(std::move(object)).message;
}

scheduler::ApiError Server::insert(std::shared_ptr<api::Object> object) {
  throughTheWire(*object, nullptr);
  auto& objects = objects_[resourceOf(*object)];
  const std::string key = object->key();
  if (objects.count(key) != 0) return alreadyExists(resourceName(*object), object->meta.name);
  object->meta.resource_version = ++resource_version_;
  const api::Kind kind = object->kind;
  api::ObjectPtr stored = std::move(object);
  objects[key] = stored;
  notify(kind, nullptr, stored);
  return scheduler::ApiError::ok();
}

scheduler::ApiError Server::replace(std::shared_ptr<api::Object> object) {
  const std::string key = object->key();
  const Resource resource = resourceOf(*object);
  const api::ObjectPtr old = find(resource, key);
  if (old == nullptr) return notFound(resourceName(*object), object->meta.name);
  throughTheWire(*object, old.get());
  if (object->meta.resource_version != 0 && object->meta.resource_version != old->meta.resource_version) {
    return conflict(resourceName(*object), object->meta.name, kModifiedMeanwhile);
  }
  if (api::semanticallyEqual(*old, *object)) return scheduler::ApiError::ok();
  object->meta.resource_version = ++resource_version_;
  const api::Kind kind = object->kind;
  api::ObjectPtr stored = std::move(object);
  objects_[resource][key] = stored;
  notify(kind, old, stored);
  return scheduler::ApiError::ok();
}

scheduler::ApiError Server::erase(api::Kind kind, const std::string& ns, const std::string& name) {
  return erase(Resource(kind, ""), resourceName(kind), keyOf(ns, name), name);
}

scheduler::ApiError Server::erase(const Resource& resource, const std::string& resource_name, const std::string& key,
                                  const std::string& name) {
  const api::ObjectPtr old = find(resource, key);
  if (old == nullptr) return notFound(resource_name, name);
  objects_[resource].erase(key);
  ++resource_version_;
  notify(resource.first, old, nullptr);
  return scheduler::ApiError::ok();
}

void Server::watch(api::Kind kind, Selects selects, Watcher watcher) {
  watches_[kind].push_back(Watch{std::move(selects), std::move(watcher)});
}

void Server::notify(api::Kind kind, const api::ObjectPtr& old_object, const api::ObjectPtr& new_object) {
  const auto watches = watches_.find(kind);
  if (watches == watches_.end()) return;
  for (const Watch& watch : watches->second) {
    const auto selected = [&](const api::ObjectPtr& object) {
      return object != nullptr && (!watch.selects || watch.selects(*object));
    };
    const bool was = selected(old_object);
    const bool is = selected(new_object);
    if (!was && !is) continue;
    WatchEvent event;
    event.type = is ? (was ? WatchEvent::Type::kModified : WatchEvent::Type::kAdded) : WatchEvent::Type::kDeleted;
    event.object = new_object;
    if (!is) {
      std::shared_ptr<api::Object> gone = api::clone(*old_object);
      gone->meta.resource_version = resource_version_;
      event.object = std::move(gone);
    }
    loop_.deliver([watcher = watch.watcher, event = std::move(event)] { watcher(event); });
  }
}

}  // namespace podberth::apiserver
