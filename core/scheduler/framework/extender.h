// A scheduler extender: a server beside the scheduler that is asked about pods at some points of a cycle.
// Upstream: k8s.io/kube-scheduler/framework/extender.go.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/api/pod.h"
#include "core/scheduler/framework/cycle_state.h"
#include "core/scheduler/framework/node_info.h"

namespace podberth::scheduler {

// The name under which pods are rejected by an extender.
inline constexpr std::string_view kExtenderName = "Extender";

// Who would have to go from a node, as preemption and its extenders pass it on.
struct NodeVictims {
  std::string node;
  std::vector<api::PodPtr> victims;  // from the most important one on
  std::int64_t pdb_violations = 0;
};

class Extender {
 public:
  // Nodes by their positions among those asked about, with the reasons for the failed ones. Anything else counts only
  // if `error` is empty.
  struct Filtered {
    std::string error;
    std::vector<std::size_t> passed;
    std::vector<std::pair<std::size_t, std::string>> failed;
    std::vector<std::pair<std::size_t, std::string>> unresolvable;  // preemption would not help there
  };
  struct Scored {
    std::string error;
    std::vector<std::int64_t> scores;  // by position, 0 to 10
  };
  struct Preempted {
    std::string error;
    std::vector<NodeVictims> victims;
  };

  virtual ~Extender() = default;
  // How answers of the extender are shown: not upstream's name, which is the URL.
  virtual const std::string& name() const = 0;
  // An error of it does not fail the attempt.
  virtual bool isIgnorable() const = 0;
  // Whether it is asked about the pod at all.
  virtual bool isInterested(const api::Pod& pod) const = 0;
  virtual bool isFilter() const = 0;
  virtual bool isPrioritizer() const = 0;
  virtual bool isBinder() const = 0;
  virtual bool supportsPreemption() const = 0;
  // It knows the nodes by name. Others are sent whole node objects, and the ones they send back are all that the rest
  // of the cycle has: nodes without their pods and images.
  virtual bool isNodeCacheCapable() const = 0;
  virtual std::int64_t weight() const = 0;

  virtual Filtered filter(const api::Pod& pod, const std::vector<NodeInfo*>& nodes) = 0;
  virtual Scored prioritize(const api::Pod& pod, const std::vector<NodeInfo*>& nodes) = 0;
  virtual Preempted processPreemption(const api::Pod& pod, const std::vector<NodeVictims>& victims) = 0;
  // Calls `done` with the error, "" if the pod is bound.
  virtual void bind(const api::Pod& pod, const std::string& node, std::function<void(const std::string&)> done) = 0;
};

using Extenders = std::vector<Extender*>;

// What PostFilter plugins find in the cycle's state: the extenders, in the order in which they are asked. Not there if
// there are none. Upstream's handle has them.
struct ExtendersState : StateData {
  const Extenders* extenders = nullptr;
};
inline constexpr StateKey<ExtendersState> kExtendersStateKey{"Extenders"};

}  // namespace podberth::scheduler
