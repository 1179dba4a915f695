// Distributes what has happened to the listeners. Upstream: client-go/tools/cache/shared_informer.go (sharedProcessor,
// processorListener), controller.go (FilteringResourceEventHandler).
#pragma once

#include <cstddef>
#include <deque>
#include <functional>
#include <vector>

#include "core/informers/handler.h"

namespace podberth::informers {

// A handler that hears only of objects that `filter` lets through: one that comes to pass the filter is an addition,
// one that no longer passes it a deletion.
ResourceEventHandler filtering(std::function<bool(const api::Object&)> filter, ResourceEventHandler handler);

struct Notification {
  enum class Type { kAdd, kUpdate, kDelete };
  Type type = Type::kAdd;
  api::ObjectPtr old_object;  // of kUpdate
  api::ObjectPtr object;
  bool final_state_unknown = false;  // of kDelete
};

class SharedProcessor {
 public:
  // `resyncs`: the listener also hears of Sync deltas, which tell nothing new.
  void addListener(ResourceEventHandler handler, bool resyncs = false);
  // Puts it into the queue of every listener; with `sync` only of those that asked for resyncs.
  void distribute(const Notification& notification, bool sync);
  // Lets each listener work off its queue, in the order in which they were added.
  void run();
  std::size_t listeners() const { return listeners_.size(); }
  // Gives a new listener what the store holds already.
  void feed(std::size_t listener, const std::vector<api::ObjectPtr>& objects);

 private:
  struct Listener {
    ResourceEventHandler handler;
    bool resyncs = false;
    std::deque<Notification> pending;
  };
  std::vector<Listener> listeners_;
};

}  // namespace podberth::informers
