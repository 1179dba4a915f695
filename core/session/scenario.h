// A scenario: a cluster and what happens to it. The canonical form is JSON; its fields are in docs of the module's
// door.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "core/api/decode.h"
#include "core/clock/time.h"
#include "core/release/release.h"
#include "core/scheduler/extender_rules.h"
#include "core/scheduler/framework/lots.h"

namespace podberth::session {

// A step of a scenario.
struct Op {
  enum class Kind { kCreate, kUpdate, kDelete, kAdvance, kStep, kSettle };
  Kind kind = Kind::kSettle;
  nlohmann::json object;    // of kCreate and kUpdate
  std::string object_text;  // the object as it was written, if it does not say what it is
  std::string object_kind;  // of kDelete
  std::string ns;
  std::string name;
  clock::Duration duration = 0;  // of kAdvance
  std::string json;              // the step as it was given, for the trace
};

// How long things take in the simulated cluster, in nanoseconds.
struct Timing {
  clock::Duration operation = clock::kMillisecond;    // before each create, update and delete
  clock::Duration cycle = 10 * clock::kMillisecond;   // of a scheduling cycle
  clock::Duration write = 100 * clock::kMicrosecond;  // of each of the scheduler's writes to pods
  clock::Duration controller = clock::kMillisecond;   // before a controller acts upon what it has seen
};

struct Scenario {
  std::string name;
  const release::Release* release = &release::newest();
  std::uint64_t seed = 1;                                   // of what the release leaves to chance
  std::vector<scheduler::FollowedChoice> follow;            // choices to follow instead of drawing lots
  std::vector<std::pair<std::string, bool>> feature_gates;  // by name
  nlohmann::json config;
  std::string config_text;                          // the configuration as it was written; "" if there is none
  std::vector<nlohmann::json> objects;              // there before the scheduler starts
  std::map<std::size_t, std::string> object_texts;  // by index: of those that do not say what they are, as written
  std::vector<Op> steps;
  Timing timing;
  // Whether workloads (Deployments, Jobs, ...) become pods. Without it they are stored and nobody looks at them.
  bool controllers = false;
  std::vector<scheduler::ExtenderServer> extenders;  // what the configuration's extenders answer
  bool sample_plugins = false;                       // the registry has the sample plugins too
};

// Longest `advance`: a month.
inline constexpr clock::Duration kMaxAdvance = 31LL * 24 * 60 * clock::kMinute;
// Deepest nesting of a document.
inline constexpr int kMaxDepth = 100;
// Largest document, in bytes.
inline constexpr std::size_t kMaxBytes = 64U << 20U;

// The choices of the real scheduler in a trace of it: the host of each attempt, and the node of each preemption. False,
// with an issue, if it is no trace.
bool readFollowed(const nlohmann::json& trace, std::vector<scheduler::FollowedChoice>& out,
                  std::vector<api::Issue>& issues);

// Parses JSON text with limits on size and depth. On failure returns false and adds an issue.
bool parseJson(const std::string& text, nlohmann::json& out, std::vector<api::Issue>& issues);

// Reads a scenario. Problems of its form (not of the objects in it) are errors at their places.
// `text` is what the JSON was parsed from: with it the configuration's errors come in the order in which it was
// written, and errors that repeat a document do it to the letter.
bool readScenario(const nlohmann::json& json, Scenario& out, std::vector<api::Issue>& issues,
                  std::string_view text = {});
// `text` is that of the step; it is only asked for an object that does not say what it is.
bool readOp(const nlohmann::json& json, const std::string& path, Op& out, std::vector<api::Issue>& issues,
            std::string_view text = {});

}  // namespace podberth::session
