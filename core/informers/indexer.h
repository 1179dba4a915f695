// The store of an informer: objects by key, and indices over them. Upstream:
// client-go/tools/cache/thread_safe_store.go, index.go. (Nothing here runs in parallel, so there is no lock.)
#pragma once

#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "core/api/meta.h"

namespace podberth::informers {

// The values under which an object is found in an index.
using IndexFunc = std::function<std::vector<std::string>(const api::Object&)>;

inline constexpr const char* kNamespaceIndex = "namespace";
// The index of objects by their namespace (cache.MetaNamespaceIndexFunc).
std::vector<std::string> namespaceIndexFunc(const api::Object& object);

class Indexer {
 public:
  // Adds an index, over the objects that are there too. False if there is one of that name already.
  bool addIndexer(const std::string& name, IndexFunc func);

  void add(const api::ObjectPtr& object) { update(object); }
  void update(const api::ObjectPtr& object);
  void remove(const std::string& key);
  // Takes these objects for all there are.
  void replace(const std::vector<api::ObjectPtr>& objects);

  // Null if there is none.
  api::ObjectPtr get(const std::string& key) const;
  // In the order of the keys.
  std::vector<api::ObjectPtr> list() const;
  std::vector<std::string> listKeys() const;
  // The objects that an index has under a value, in the order of their keys; none if there is no such index.
  std::vector<api::ObjectPtr> byIndex(const std::string& index, const std::string& value) const;
  // Objects that share a value of the index with `object`.
  std::vector<api::ObjectPtr> index(const std::string& index, const api::Object& object) const;
  std::vector<std::string> indexValues(const std::string& index) const;
  std::size_t size() const { return items_.size(); }

 private:
  struct Index {
    IndexFunc func;
    std::map<std::string, std::set<std::string>> keys;  // by value
  };
  void updateIndices(const api::ObjectPtr& old_object, const api::ObjectPtr& new_object, const std::string& key);

  std::map<std::string, api::ObjectPtr> items_;
  std::map<std::string, Index> indices_;
};

}  // namespace podberth::informers
