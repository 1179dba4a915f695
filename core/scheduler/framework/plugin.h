// The extension points of the scheduling framework. Upstream: k8s.io/kube-scheduler/framework/interface.go.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/scheduler/framework/cycle_state.h"
#include "core/scheduler/framework/events.h"
#include "core/scheduler/framework/node_info.h"
#include "core/scheduler/framework/node_to_status.h"
#include "core/scheduler/framework/queued_pod.h"
#include "core/scheduler/framework/status.h"

namespace podberth::scheduler {

inline constexpr std::int64_t kMaxNodeScore = 100;
inline constexpr std::int64_t kMinNodeScore = 0;

enum class Point : unsigned {
  kPreEnqueue = 1 << 0,
  kQueueSort = 1 << 1,
  kPreFilter = 1 << 2,
  kFilter = 1 << 3,
  kPostFilter = 1 << 4,
  kPreScore = 1 << 5,
  kScore = 1 << 6,
  kReserve = 1 << 7,
  kPermit = 1 << 8,
  kPreBind = 1 << 9,
  kBind = 1 << 10,
  kPostBind = 1 << 11,
};
using Points = unsigned;  // a set of Point
constexpr Points operator|(Point a, Point b) { return static_cast<Points>(a) | static_cast<Points>(b); }
constexpr Points operator|(Points a, Point b) { return a | static_cast<Points>(b); }
constexpr bool has(Points set, Point p) { return (set & static_cast<Points>(p)) != 0; }
// "PreEnqueue", "Filter", ...
std::string_view pointName(Point p);

// Names of the nodes that PreFilter leaves; nullopt = all.
struct PreFilterResult {
  std::optional<std::vector<api::Symbol>> node_names;  // a set, sorted by text
  bool allNodes() const { return !node_names.has_value(); }
  PreFilterResult merge(const PreFilterResult& other) const;  // the intersection
};

enum class NominatingMode { kNoop, kOverride };
struct NominatingInfo {
  NominatingMode mode = NominatingMode::kNoop;
  std::string node;
};

struct PostFilterResult {
  std::optional<NominatingInfo> nominating;
};

struct NodeScore {
  NodeInfo* node = nullptr;
  std::int64_t score = 0;
};

// How a PreBind plugin that has to wait goes on: it is called again until it is done.
struct PreBindProgress {
  Status status;                      // the result, once done
  std::optional<clock::Time> resume;  // set: not done, ask again at that time
  static PreBindProgress done(Status s) { return {std::move(s), std::nullopt}; }
  static PreBindProgress waitUntil(clock::Time t) { return {Status(), t}; }
};

struct SignFragment {
  std::string key;
  std::string value;  // canonical JSON or any text that is equal only for equal values
};

// Base of all plugins. A plugin says at which points it works and overrides those functions; nobody calls the others.
class Plugin {
 public:
  virtual ~Plugin() = default;
  virtual std::string_view name() const = 0;
  virtual Points points() const = 0;

  // Which events could make a pod schedulable that this plugin has rejected. Plugins that reject pods at PreEnqueue,
  // PreFilter, Filter, Reserve or Permit implement it; for one that does not (hasEvents() false) every event counts.
  virtual bool hasEvents() const { return false; }
  virtual std::vector<ClusterEventWithHint> eventsToRegister() const { return {}; }

  virtual Status preEnqueue(const api::Pod& /*pod*/) { return {}; }
  virtual bool less(const QueuedPodInfo& /*a*/, const QueuedPodInfo& /*b*/) const { return false; }

  // `nodes` are all nodes of the snapshot.
  virtual Status preFilter(CycleState& /*state*/, const PodInfo& /*pod*/, const std::vector<NodeInfo*>& /*nodes*/,
                           PreFilterResult& /*result*/) {
    return {};
  }
  virtual bool hasPreFilterExtensions() const { return false; }
  virtual Status addPod(CycleState& /*state*/, const PodInfo& /*pod*/, const PodInfo& /*to_add*/,
                        const NodeInfo& /*node*/) {
    return {};
  }
  virtual Status removePod(CycleState& /*state*/, const PodInfo& /*pod*/, const PodInfo& /*to_remove*/,
                           const NodeInfo& /*node*/) {
    return {};
  }
  virtual Status filter(CycleState& /*state*/, const PodInfo& /*pod*/, const NodeInfo& /*node*/) { return {}; }
  virtual Status postFilter(CycleState& /*state*/, const PodInfo& /*pod*/, const NodeToStatus& /*statuses*/,
                            PostFilterResult& /*result*/) {
    return Status(Code::kUnschedulable);
  }

  virtual Status preScore(CycleState& /*state*/, const PodInfo& /*pod*/, const std::vector<NodeInfo*>& /*nodes*/) {
    return {};
  }
  virtual Status score(CycleState& /*state*/, const PodInfo& /*pod*/, const NodeInfo& /*node*/,
                       std::int64_t& /*score*/) {
    return {};
  }
  virtual bool hasNormalizeScore() const { return false; }
  virtual Status normalizeScore(CycleState& /*state*/, const PodInfo& /*pod*/, std::vector<NodeScore>& /*scores*/) {
    return {};
  }

  virtual Status reserve(CycleState& /*state*/, const api::PodPtr& /*pod*/, const std::string& /*node*/) { return {}; }
  virtual void unreserve(CycleState& /*state*/, const api::PodPtr& /*pod*/, const std::string& /*node*/) {}
  // `timeout` in nanoseconds counts when the status is Wait.
  virtual Status permit(CycleState& /*state*/, const api::PodPtr& /*pod*/, const std::string& /*node*/,
                        clock::Duration& /*timeout*/) {
    return {};
  }
  // Skip: this plugin has nothing to do in PreBind.
  virtual Status preBindPreFlight(CycleState& /*state*/, const api::PodPtr& /*pod*/, const std::string& /*node*/) {
    return Status(Code::kSkip);
  }
  virtual PreBindProgress preBind(CycleState& /*state*/, const api::PodPtr& /*pod*/, const std::string& /*node*/) {
    return PreBindProgress::done({});
  }
  // Calls `done` when the binding has been written or has failed; Skip leaves the pod to the next bind plugin.
  virtual void bind(CycleState& /*state*/, const api::PodPtr& /*pod*/, const std::string& /*node*/,
                    std::function<void(Status)> done) {
    done(Status(Code::kSkip));
  }
  virtual void postBind(CycleState& /*state*/, const api::PodPtr& /*pod*/, const std::string& /*node*/) {}

  // Opportunistic batching: what about `pod` this plugin's verdict depends on. False in `signable` if nothing can be
  // said, which makes the pod impossible to batch. Plugins that do not implement it (hasSign() false) do the same.
  virtual bool hasSign() const { return false; }
  virtual std::vector<SignFragment> sign(const api::Pod& /*pod*/, bool& signable) const {
    signable = false;
    return {};
  }
};

// "0/3 nodes are available: ..." and all that it is made of. Upstream: pkg/scheduler/framework/types.go.
struct Diagnosis {
  NodeToStatus node_to_status;
  std::vector<std::string> unschedulable_plugins;  // sorted, each once
  std::vector<std::string> pending_plugins;
  std::string pre_filter_msg;
  std::string post_filter_msg;
  void addPluginStatus(const Status& status);
};
struct FitError {
  std::size_t num_all_nodes = 0;
  Diagnosis diagnosis;
  std::string message() const;  // FitError.Error()
};

}  // namespace podberth::scheduler
