// What the controllers know of the cluster: copies of the objects as the watches told of them.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "core/api/node.h"
#include "core/api/pod.h"
#include "core/apiserver/controllers/pods.h"
#include "core/apiserver/server.h"
#include "core/clock/event_loop.h"

namespace podberth::apiserver {

class Mirror {
 public:
  using Objects = std::map<std::string, api::ObjectPtr>;  // by "namespace/name"
  using Pods = MirroredPods;
  // Told after the mirror has changed; old_object is null for what is new, new_object for what is gone.
  using Listener = std::function<void(const api::ObjectPtr& old_object, const api::ObjectPtr& new_object)>;

  // The pods of one controller. Counted as they come and go, so that nobody has to look at all of them.
  struct Owned {
    Pods pods;
    int active = 0;
    int available = 0;
    int unended = 0;  // neither succeeded nor failed
  };

  Mirror(Server& server, const clock::EventLoop& loop) : server_(server), loop_(loop) {}
  // Lists and watches. The listener hears of every object, those that are there already first.
  void start(Listener listener);

  const Objects& all(api::Kind kind) const;
  api::ObjectPtr get(api::Kind kind, const std::string& key) const;
  template <class T>
  std::shared_ptr<const T> get(const std::string& key) const {
    return api::as<T>(get(T::kKind, key));
  }
  const Owned& owned(const api::Object& controller) const;
  const Pods& podsOf(const api::Object& controller) const { return owned(controller).pods; }
  // Pods without a controller.
  const Pods& strays() const;
  // Other objects whose controller has that uid, by key.
  const Objects& objectsOf(const std::string& controller_uid) const;
  // The pods that are on a node, by key.
  const std::map<std::string, api::PodPtr>& podsOn(const std::string& node) const;

  // Pods of a controller that have come to it, or have got other labels, since this was asked last; all of them if the
  // controller is not what it was then.
  std::vector<api::PodPtr> takeUnclaimed(const api::Object& controller);
  // Whether there may be strays that the controller has not looked at yet.
  bool takeStraysChanged(const api::Object& controller);
  // Forgets what was asked for a controller.
  void forget(const api::Object& controller);

 private:
  struct Claims {
    std::vector<std::string> unclaimed;  // keys
    std::int64_t version = -1;           // of the controller, as of the last time
    std::int64_t strays = -1;
    std::int64_t strays_version = -1;
  };

  void put(const api::ObjectPtr& object, const api::ObjectPtr& old_object);
  void putPod(const api::PodPtr& pod, const api::Pod* old_pod, clock::Time ready_since);
  // Returns since when the pod was ready, if it was one.
  clock::Time drop(const api::ObjectPtr& object);

  Server& server_;
  const clock::EventLoop& loop_;
  Listener listener_;
  std::map<api::Kind, Objects> objects_;
  std::map<std::string, Owned> owned_;         // by the controller's namespace and uid; "": the strays
  std::map<std::string, Objects> dependents_;  // by the controller's uid; what is no pod
  std::map<std::string, std::map<std::string, api::PodPtr>> on_node_;
  std::map<std::string, Claims> claims_;
  std::int64_t strays_ = 0;  // grows when there is a new pod without a controller, or one with other labels
};

}  // namespace podberth::apiserver
