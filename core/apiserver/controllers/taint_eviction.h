// Evicts pods from nodes with taints NoExecute that they do not tolerate, or have tolerated for as long as they said.
// Upstream: pkg/controller/tainteviction.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "core/api/node.h"
#include "core/api/pod.h"
#include "core/apiserver/controllers/mirror.h"
#include "core/apiserver/controllers/writer.h"
#include "core/clock/event_loop.h"

namespace podberth::apiserver {

class TaintEviction {
 public:
  TaintEviction(clock::EventLoop& loop, const Mirror& mirror, Writer& writer, clock::Duration latency)
      : loop_(loop), mirror_(mirror), writer_(writer), latency_(latency) {}

  // To be told of every change.
  void hear(const api::ObjectPtr& old_object, const api::ObjectPtr& new_object);
  // When the next pod goes that does not wait for its time, -1 if none does.
  clock::Time due() const { return urgent_.empty() ? -1 : *urgent_.begin(); }

 private:
  struct Eviction {
    clock::Time since = 0;
    clock::Time at = 0;
    bool waits = false;  // for the end of its toleration
    clock::EventLoop::TimerId timer = 0;
  };

  void hearNode(const api::Node* old_node, const api::Node& node);
  void judge(const api::Pod& pod, const std::vector<api::Taint>& taints);
  void plan(const api::Pod& pod, clock::Time since, clock::Time at, bool waits);
  void cancel(const std::string& key);
  void drop(std::map<std::string, Eviction>::iterator eviction);

  clock::EventLoop& loop_;
  const Mirror& mirror_;
  Writer& writer_;
  clock::Duration latency_;
  std::map<std::string, Eviction> planned_;  // by the pod's key
  std::multiset<clock::Time> urgent_;        // when those of them are due that do not wait
};

}  // namespace podberth::apiserver
