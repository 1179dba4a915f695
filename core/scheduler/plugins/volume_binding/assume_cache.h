// What an informer knows, and over it the objects that the scheduler takes for changed already though the API server
// has yet to hear of it. An update from the API server always wins. Upstream:
// pkg/scheduler/framework/plugins/volumebinding/passive_assume_cache.go.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "core/scheduler/framework/handle.h"
#include "core/scheduler/plugins/helper/volumes.h"

namespace podberth::scheduler::plugins {

// A kind of objects as errors have it.
struct AssumedKind {
  std::string_view resource;  // "persistentvolumes"
  std::string_view type;      // "v1.PersistentVolume"
};
enum class AssumeTexts {
  kResource,  // the API's words
  kType,      // the cache's own, as long as it had some
};

template <class T>
class AssumeCache {
 public:
  using Ptr = std::shared_ptr<const T>;
  using Source = const Lister<T>* Listers::*;
  AssumeCache(Handle& handle, Source source, const AssumedKind& kind, AssumeTexts texts = AssumeTexts::kResource)
      : handle_(handle), source_(source), kind_(kind), texts_(texts) {}

  // The informer's version; null if there is none.
  Ptr stored(std::string_view ns, std::string_view name) const { return (handle_.listers().*source_)->get(ns, name); }
  Ptr get(std::string_view ns, std::string_view name) const {
    Ptr object = stored(ns, name);
    return object == nullptr ? nullptr : latest(std::move(object));
  }
  // The assumed version of what the informer has, or that itself.
  Ptr latest(Ptr object) const {
    const auto it = assumed_.find(object->key());
    return it != assumed_.end() && sameVersion(*it->second, *object) ? it->second : object;
  }

  // The object must be made of the version that the informer has: if not, says so. "" if all is well.
  std::string assume(Ptr object) {
    forgetStale();
    const std::string key = object->key();
    const Ptr now = stored(object->meta.ns, object->meta.name);
    if (now == nullptr) return missing(key);
    if (!sameVersion(*now, *object)) {
      const std::string type = texts_ == AssumeTexts::kType ? std::string(kind_.type) + " " : std::string();
      return type + "\"" + key + "\" is out of sync (stored: " + std::to_string(now->meta.resource_version) +
             ", assume: " + std::to_string(object->meta.resource_version) + ")";
    }
    assumed_[key] = std::move(object);
    return {};
  }
  // That there is none.
  std::string missing(const std::string& key) const {
    if (texts_ == AssumeTexts::kResource) return notFoundText(kind_.resource, key);
    return "could not find " + std::string(kind_.type) + " \"" + key + "\"";
  }
  // Takes back the assumption about this version of the object.
  void restore(const T& object) {
    const auto it = assumed_.find(object.key());
    if (it != assumed_.end() && sameVersion(*it->second, object)) assumed_.erase(it);
  }

 private:
  static bool sameVersion(const T& a, const T& b) { return a.meta.resource_version == b.meta.resource_version; }
  // Upstream does so when the informer speaks; until then nobody sees what is stale here.
  void forgetStale() {
    for (auto it = assumed_.begin(); it != assumed_.end();) {
      const Ptr now = stored(it->second->meta.ns, it->second->meta.name);
      it = now == nullptr || !sameVersion(*now, *it->second) ? assumed_.erase(it) : std::next(it);
    }
  }

  Handle& handle_;
  Source source_;
  AssumedKind kind_;
  AssumeTexts texts_;
  std::map<std::string, Ptr> assumed_;
};

}  // namespace podberth::scheduler::plugins
