// The controllers that turn workloads into pods, on the simulated clock. They see the cluster through watches and write
// through the API server, as the real ones do. A change is acted upon `latency` after it was seen; what else is seen in
// that time counts in.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/apiserver/controllers/controller.h"
#include "core/apiserver/controllers/garbage.h"
#include "core/apiserver/controllers/mirror.h"
#include "core/apiserver/controllers/taint_eviction.h"
#include "core/apiserver/controllers/writer.h"
#include "core/apiserver/server.h"
#include "core/clock/event_loop.h"
#include "core/trace/recorder.h"

namespace podberth::apiserver {

class Controllers {
 public:
  Controllers(Server& server, clock::EventLoop& loop, trace::Recorder& recorder, clock::Duration latency);

  // Lists and watches; everything there is, is looked at once.
  void start();
  // When the next of the controllers has something to do, -1 if none has. What only waits for time to pass (a backoff,
  // a node's pods, the end of a pod) does not count.
  clock::Time due() const;

 private:
  using Key = std::pair<api::Kind, std::string>;
  struct Work {
    clock::Time at = 0;
    bool waits = false;  // for time to pass
  };

  void hear(const api::ObjectPtr& old_object, const api::ObjectPtr& new_object);
  void hearPod(const api::ObjectPtr& old_pod, const api::ObjectPtr& new_pod);
  void enqueue(api::Kind kind, const std::string& key, clock::Duration delay, bool waits = false);
  // Enqueues the controller of an object, and the controller of that; `change` of a pod, null if it came or went.
  void enqueueOwner(const api::Object& object, const PodChange* change);
  void enqueueAll(api::Kind kind);
  void run(const Key& key);

  clock::EventLoop& loop_;
  clock::Duration latency_;
  Mirror mirror_;
  Specs specs_;
  Writer writer_;
  GarbageCollector garbage_;
  TaintEviction eviction_;
  std::map<api::Kind, std::unique_ptr<Controller>> controllers_;
  std::map<Key, Work> queue_;
  std::map<Key, int> refusals_;                      // in a row
  std::multimap<clock::Time, api::ObjectPtr> gone_;  // workloads whose objects still have to go
};

}  // namespace podberth::apiserver
