// What the controllers know of the cluster: copies of the objects as the watches told of them.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>

#include "core/api/node.h"
#include "core/api/pod.h"
#include "core/apiserver/server.h"

namespace podberth::apiserver {

class Mirror {
 public:
  using Objects = std::map<std::string, api::ObjectPtr>;  // by "namespace/name"
  using Pods = std::map<std::string, api::PodPtr>;
  // Told after the mirror has changed; old_object is null for what is new, new_object for what is gone.
  using Listener = std::function<void(const api::ObjectPtr& old_object, const api::ObjectPtr& new_object)>;

  explicit Mirror(Server& server) : server_(server) {}
  // Lists and watches. The listener hears of every object, those that are there already first.
  void start(Listener listener);

  const Objects& all(api::Kind kind) const;
  api::ObjectPtr get(api::Kind kind, const std::string& key) const;
  template <class T>
  std::shared_ptr<const T> get(const std::string& key) const {
    return api::as<T>(get(T::kKind, key));
  }
  // Pods whose controller has that uid; of "" those that have none.
  const Pods& podsOf(const std::string& controller_uid) const;

 private:
  void put(const api::ObjectPtr& object);
  void drop(const api::ObjectPtr& object);

  Server& server_;
  Listener listener_;
  std::map<api::Kind, Objects> objects_;
  std::map<std::string, Pods> pods_of_;
};

}  // namespace podberth::apiserver
