// What goes when something else has gone, and what ends by itself: the pods (and ReplicaSets) of a workload that was
// deleted, the pods of a node that was deleted, and pods that say how long they run.
// Upstream: pkg/controller/garbagecollector, pkg/controller/podgc (whose pods go 40 s after their node, at the next of
// its rounds; here there are no rounds).
#pragma once

#include <functional>
#include <map>
#include <set>
#include <string>

#include "core/apiserver/controllers/mirror.h"
#include "core/apiserver/controllers/writer.h"
#include "core/clock/event_loop.h"

namespace podberth::apiserver {

// An annotation of pods, in seconds: that long after they were bound they have done their work ("Succeeded"). There is
// no kubelet here that could know.
inline constexpr const char* kRunsForAnnotation = "podberth/runs-for-seconds";

class GarbageCollector {
 public:
  GarbageCollector(clock::EventLoop& loop, const Mirror& mirror, Writer& writer)
      : loop_(loop), mirror_(mirror), writer_(writer) {}

  // To be told of every change.
  void hear(const api::ObjectPtr& old_object, const api::ObjectPtr& new_object);
  // Removes what belonged to a workload that is gone.
  void collect(const api::Object& owner);

 private:
  void watchNode(const std::string& node);
  void watchEnd(const api::Pod& pod);

  clock::EventLoop& loop_;
  const Mirror& mirror_;
  Writer& writer_;
  std::set<std::string> missing_nodes_;  // whose time is running
  std::set<std::string> ending_;         // uids of pods whose time is running or is up
};

}  // namespace podberth::apiserver
