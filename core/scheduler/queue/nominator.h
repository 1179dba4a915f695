// Which pods are nominated to run on which node: preemption has made, or is making, room for them there.
// Upstream: pkg/scheduler/backend/queue/nominator.go.
#pragma once

#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/api/pod.h"
#include "core/api/symbol.h"
#include "core/scheduler/framework/handle.h"

namespace podberth::scheduler {

class Nominator {
 public:
  struct PodRef {
    std::string key;  // "namespace/name"
    std::string uid;
    // The pod with nothing but its name and uid, which is all that is known of it while it is in no queue.
    PodInfoPtr bare;
    PodInfoPtr info;  // as it was given; for queues that keep nominated pods whole
  };

  // `pods` may be null: then nobody is asked whether a pod still lives.
  explicit Nominator(const Lister<api::Pod>* pods) : pods_(pods) {}

  // Nominates to the node given, or to the one in the pod's status if none is given or the mode is kNoop. A pod that no
  // longer exists or has a node is only forgotten.
  void add(const api::Pod& pod, const std::optional<NominatingInfo>& nominating, PodInfoPtr info = nullptr);
  // Keeps the nomination through an update that does not speak of it.
  void update(const api::Pod& old_pod, const api::Pod& new_pod, PodInfoPtr info = nullptr);
  void remove(const api::Pod& pod);
  // In the order of nomination; null if there is none.
  const std::vector<PodRef>* forNode(api::Symbol node) const;

 private:
  const Lister<api::Pod>* pods_;
  std::unordered_map<api::Symbol, std::vector<PodRef>> by_node_;
  std::unordered_map<std::string, api::Symbol> node_of_;  // by uid
};

}  // namespace podberth::scheduler
