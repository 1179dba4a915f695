#include "core/informers/indexer.h"

#include <utility>

namespace podberth::informers {

std::vector<std::string> namespaceIndexFunc(const api::Object& object) { return {object.meta.ns}; }

bool Indexer::addIndexer(const std::string& name, IndexFunc func) {
  if (indices_.count(name) != 0) return false;
  Index& index = indices_[name];
  index.func = std::move(func);
  for (const auto& [key, object] : items_) {
    for (const std::string& value : index.func(*object)) index.keys[value].insert(key);
  }
  return true;
}

void Indexer::update(const api::ObjectPtr& object) {
  const std::string key = object->key();
  api::ObjectPtr& slot = items_[key];
  updateIndices(slot, object, key);
  slot = object;
}

void Indexer::remove(const std::string& key) {
  auto it = items_.find(key);
  if (it == items_.end()) return;
  updateIndices(it->second, nullptr, key);
  items_.erase(it);
}

void Indexer::replace(const std::vector<api::ObjectPtr>& objects) {
  items_.clear();
  for (auto& [name, index] : indices_) index.keys.clear();
  for (const api::ObjectPtr& object : objects) update(object);
}

api::ObjectPtr Indexer::get(const std::string& key) const {
  auto it = items_.find(key);
  return it == items_.end() ? nullptr : it->second;
}

std::vector<api::ObjectPtr> Indexer::list() const {
  std::vector<api::ObjectPtr> out;
  out.reserve(items_.size());
  for (const auto& [key, object] : items_) out.push_back(object);
  return out;
}

std::vector<std::string> Indexer::listKeys() const {
  std::vector<std::string> out;
  out.reserve(items_.size());
  for (const auto& [key, object] : items_) out.push_back(key);
  return out;
}

std::vector<api::ObjectPtr> Indexer::byIndex(const std::string& index, const std::string& value) const {
  std::vector<api::ObjectPtr> out;
  auto it = indices_.find(index);
  if (it == indices_.end()) return out;
  auto keys = it->second.keys.find(value);
  if (keys == it->second.keys.end()) return out;
  for (const std::string& key : keys->second) out.push_back(get(key));
  return out;
}

std::vector<api::ObjectPtr> Indexer::index(const std::string& index, const api::Object& object) const {
  std::vector<api::ObjectPtr> out;
  auto it = indices_.find(index);
  if (it == indices_.end()) return out;
  std::set<std::string> found;
  for (const std::string& value : it->second.func(object)) {
    auto keys = it->second.keys.find(value);
    if (keys != it->second.keys.end()) found.insert(keys->second.begin(), keys->second.end());
  }
  for (const std::string& key : found) out.push_back(get(key));
  return out;
}

std::vector<std::string> Indexer::indexValues(const std::string& index) const {
  std::vector<std::string> out;
  auto it = indices_.find(index);
  if (it == indices_.end()) return out;
  for (const auto& [value, keys] : it->second.keys) out.push_back(value);
  return out;
}

void Indexer::updateIndices(const api::ObjectPtr& old_object, const api::ObjectPtr& new_object,
                            const std::string& key) {
  for (auto& [name, index] : indices_) {
    if (old_object != nullptr) {
      for (const std::string& value : index.func(*old_object)) {
        auto it = index.keys.find(value);
        if (it == index.keys.end()) continue;
        it->second.erase(key);
        if (it->second.empty()) index.keys.erase(it);
      }
    }
    if (new_object != nullptr) {
      for (const std::string& value : index.func(*new_object)) index.keys[value].insert(key);
    }
  }
}

}  // namespace podberth::informers
