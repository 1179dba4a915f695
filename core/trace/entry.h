// What the core tells about a run, entry by entry. The fields are those of the trace that the real scheduler's trace is
// compared with; names that begin with "x-" are our own and take no part in the comparison.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/clock/time.h"

namespace podberth::trace {

enum class Type {
  kOp,
  kState,
  kCycle,
  kMove,
  kSkip,
  kInFlight,
  kPreEnqueue,
  kBind,
  kEvict,
  kProvision,
  kBindVolume,
  kEvent,
  kLog,
  kConfig,
  kInformer,  // a hop of an object through an informer; off by default
  kPoint,     // "x-point": an extension point ran for a pod
  kControl,   // "x-control": a controller wrote an object (`pod`; its kind is `point`): `reason` says how, `message`
              // whose
  kExtender,  // an extender was asked; only where a scenario says what extenders answer
};
// "op", "state", ..., "x-point".
const char* typeName(Type type);

struct NodeStatus {  // result of a filter at a node, or of PreFilter
  std::string code;
  std::string plugin;
  std::vector<std::string> reasons;
};

struct PluginScore {
  std::string plugin;
  std::int64_t raw = 0;
  std::int64_t normalized = 0;  // before the weight
  std::int64_t weighted = 0;
};
struct NodeScores {
  std::int64_t total = 0;
  std::vector<PluginScore> plugins;
};

struct PostFilter {
  std::string code;
  std::string nominated;
  std::string message;
};

struct Queues {  // pods by name, sorted
  std::vector<std::string> active;
  std::vector<std::string> backoff;
  std::vector<std::string> unschedulable;
};

// A scheduling cycle. `filters` and `scores` are an evaluation of every node on a cycle state of its own; the scheduler
// itself looked at `evaluated` of them.
struct Cycle {
  std::string profile;
  int attempt = 0;
  std::vector<std::string> nodes;
  std::optional<NodeStatus> pre_filter;
  std::optional<std::vector<std::string>> pre_filter_nodes;
  std::vector<std::pair<std::string, NodeStatus>> filters;  // by node, in the order of `nodes`
  std::vector<std::pair<std::string, NodeScores>> scores;
  std::string hint;
  std::string host;
  int evaluated = 0;
  int feasible = 0;
  std::string error;
  std::vector<std::string> unschedulable_plugins;
  std::vector<std::string> pending_plugins;
  std::optional<PostFilter> post_filter;
  bool post_filter_is_ours = false;  // the real scheduler's trace does not have it
  Queues state;
  bool summary = false;  // filters and scores were left out; they can be computed again on demand
  // Our own: filter verdicts of every plugin at every node (not only the first that said no), for the page.
  std::vector<std::pair<std::string, std::vector<NodeStatus>>> x_verdicts;
  // Our own: the extenders that were asked about nodes, and the weights of those that score.
  bool x_extenders = false;
  std::vector<std::pair<std::string, std::int64_t>> x_extender_weights;
  // Our own: the nodes that the scheduler itself looked at, sorted; empty if those are all.
  std::vector<std::string> x_looked_at;
};

// A call of an extender and its answer.
struct ExtenderCall {
  std::string name;  // of the extender, as the scenario calls it
  std::string url;
  std::string verb;                                         // filter, prioritize, preempt, bind
  std::vector<std::string> nodes;                           // that it was asked about
  std::vector<std::pair<std::string, std::string>> failed;  // filter: nodes with the reason
  std::vector<std::pair<std::string, std::string>> unresolvable;
  std::vector<std::pair<std::string, std::int64_t>> scores;               // prioritize: nodes with 0 to 10
  std::int64_t weight = 0;                                                // prioritize
  std::vector<std::pair<std::string, std::vector<std::string>>> victims;  // preempt: nodes that are left, with the pods
  std::string error;                                                      // why the call failed
  bool ignored = false;                                                   // the error has no consequences
};

struct PodState {
  std::string node;
  std::string nominated;
  std::string condition;
  std::string message;
  friend bool operator==(const PodState& a, const PodState& b) {
    return a.node == b.node && a.nominated == b.nominated && a.condition == b.condition && a.message == b.message;
  }
};

struct Entry {
  clock::Time at = 0;
  Type type = Type::kOp;
  std::string pod;
  std::string node;
  std::string event;
  std::string queue;          // Active, Backoff, Unschedulable
  std::string queueing_hint;  // "0", "1", "2"; "" = none
  std::vector<std::string> plugins;
  std::string plugin;
  std::string reason;
  std::string message;
  std::string error;
  std::string rejected;
  bool sent_first = false;  // of kOp: the trace file has it once more before, as not rejected
  std::string op_json;      // of kOp: the step as JSON text
  std::string point;        // of kPoint and kInformer
  std::shared_ptr<Cycle> cycle;
  std::shared_ptr<ExtenderCall> extender;
  std::optional<Queues> state;
  std::map<std::string, PodState> pods;
  std::vector<std::string> gone;
  // Of kMove to backoffQ: when its backoff ends; of kMove and kCycle: attempts so far. Our own.
  clock::Time x_until = 0;
  int x_attempts = 0;
};

}  // namespace podberth::trace
