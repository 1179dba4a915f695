// What there is to see at one step: the queues, the cycle, the bindings under way, the nodes. A board is folded from
// the entries of a trace and the changes of pods and nodes among them; it decides nothing.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "core/api/node.h"
#include "core/api/pod.h"
#include "core/scheduler/framework/node_info.h"
#include "core/session/metrics.h"
#include "core/session/simulation.h"
#include "core/trace/entry.h"

namespace podberth::session {

enum class Lane { kNone, kActive, kBackoff, kUnschedulable, kCycle, kBinding, kNode };

// Whether an extension point belongs to the binding cycle.
bool ofBinding(const std::string& point);

// An extension point that ran in the attempt at hand.
struct PointResult {
  std::string point;
  std::string plugin;
  std::string code;
};

struct BoardPod {
  api::PodPtr object;
  scheduler::PodInfoPtr info;
  Lane lane = Lane::kNone;
  std::uint64_t since = 0;  // number of the entry that brought it to its lane
  int attempts = 0;
  clock::Time backoff_until = 0;
  std::vector<std::string> plugins;  // that rejected it
  std::string gated;                 // the PreEnqueue plugin that holds it
  std::string message;               // the last verdict, in the scheduler's words
  std::string host;                  // where its cycle or its binding takes it
  std::vector<PointResult> points;   // of the attempt
  std::string profile;
};

struct BoardNode {
  api::NodePtr object;
  scheduler::Resource requested;
  std::vector<std::string> pods;  // by name
};

class Board {
 public:
  explicit Board(release::FrameworkRules rules = release::FrameworkRules::kV1_37) : rules_(rules) {}
  void apply(const ObjectChange& change);
  void apply(const trace::Entry& entry);

  const std::map<std::string, BoardPod>& pods() const { return pods_; }
  const std::map<std::string, BoardNode>& nodes() const { return nodes_; }
  const std::vector<std::string>& nodeOrder() const { return node_order_; }
  const Metrics& metrics() const { return metrics_; }
  const std::string& inCycle() const { return in_cycle_; }  // the pod; "" if there is none
  // Pods of a lane, activeQ in the order in which they would be popped, the others as they came.
  std::vector<std::pair<std::string, const BoardPod*>> lane(Lane lane) const;
  // Pods and nodes that have changed since the last call, by name; those gone too.
  std::pair<std::vector<std::string>, std::vector<std::string>> takeChanged();
  // A number that is the same for equal boards.
  std::uint64_t hash() const;

 private:
  BoardPod* find(const std::string& key);
  void move(const std::string& key, BoardPod& pod, Lane lane);
  void place(const std::string& key, BoardPod& pod, const std::string& node);
  void unplace(const std::string& key, BoardPod& pod);
  void enterCycle(const std::string& key, BoardPod& pod);
  void touchPod(const std::string& key) { changed_pods_[key] = true; }
  void touchNode(const std::string& name) { changed_nodes_[name] = true; }

  release::FrameworkRules rules_;  // for what a pod takes of its node
  std::map<std::string, BoardPod> pods_;
  std::map<std::string, BoardNode> nodes_;
  std::vector<std::string> node_order_;
  std::string in_cycle_;
  std::uint64_t clock_ = 0;
  Metrics metrics_;
  std::map<std::string, bool> changed_pods_;
  std::map<std::string, bool> changed_nodes_;
};

// FNV-1a, 64 bits.
class Hash {
 public:
  void add(std::string_view text);
  void add(std::int64_t number);
  std::uint64_t value() const { return value_; }

 private:
  std::uint64_t value_ = 1469598103934665603ULL;
};

}  // namespace podberth::session
