// How controllers look at pods: which of them run, since when, and which would be missed least.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "core/api/pod.h"
#include "core/clock/time.h"

namespace podberth::apiserver {

// Neither ended nor about to.
bool isActive(const api::Pod& pod);
// On a node and ready. There is no kubelet here: what is bound runs and is ready, unless a condition denies it.
bool isReady(const api::Pod& pod);
// Active and ready.
bool isAvailable(const api::Pod& pod);

// A pod, and since when it has been ready; -1 if it is not.
struct MirroredPod {
  api::PodPtr pod;
  clock::Time ready_since = -1;

  const api::Pod* operator->() const { return pod.get(); }
  const api::Pod& operator*() const { return *pod; }
  // Whether it has been available for that long.
  bool availableFor(clock::Duration least, clock::Time now) const {
    return isAvailable(*pod) && (least == 0 || ready_since + least <= now);
  }
};

using MirroredPods = std::map<std::string, MirroredPod>;  // by "namespace/name"

// What of a pod has become otherwise.
struct PodChange {
  bool active = false;  // whether it runs or will run
  bool ready = false;
  bool labels = false;
  bool node = false;

  static PodChange between(const api::Pod& old_pod, const api::Pod& new_pod);
};

// How long until one of the pods has been ready for `least`, if it goes on as it is; 0 if none will become available
// so.
clock::Duration untilAvailable(const MirroredPods& pods, clock::Duration least, clock::Time now);
// The sooner of two times to wait, of which 0 is none.
clock::Duration sooner(clock::Duration a, clock::Duration b);

// Pods in the order in which those come first that are missed least. `rank` is how many pods like it are on the same
// node. Upstream: controller.ActivePodsWithRanks.
void sortForDeletion(std::vector<MirroredPod>& pods, const std::function<int(const api::Pod&)>& rank, clock::Time now);

}  // namespace podberth::apiserver
