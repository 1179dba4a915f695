// What the server behind an extender's URL answers, as rules instead of a program. The documents that say so are read
// in the session room; examples/EXTENDERS.md describes them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/api/labels.h"
#include "core/api/pod.h"
#include "core/clock/time.h"
#include "core/scheduler/framework/node_info.h"

namespace podberth::scheduler {

struct ExtenderRule {
  enum class Answer {
    kAccept,        // filter: the node passes; preempt: the node stays a candidate; bind: the pod is bound
    kReject,        // filter: the node fails, `text` says why
    kUnresolvable,  // the same, and evicting pods would not help
    kScore,         // prioritize: `score`
    kDrop,          // preempt: the node is no candidate any more
    kVictims,       // preempt: `victims` are to go instead
    // The whole call fails:
    kError,        // the answer carries the error `text`
    kStatus,       // the HTTP status is `score`
    kUnreachable,  // there is no answer; `text` is the network's error
  };
  // When the rule holds: for which pods, and between which times (since the scheduler's start; `until` excluded).
  api::Selector pods;
  std::string ns;        // "" = any
  std::string resource;  // that the pod asks for; "" = any
  clock::Duration from = 0;
  std::optional<clock::Duration> until;
  // For which nodes: all, or those named, and of them those selected.
  std::optional<std::vector<std::string>> node_names;
  api::Selector nodes;

  Answer answer = Answer::kAccept;
  std::string text;
  std::int64_t score = 0;
  std::vector<std::string> victims;  // "namespace/name", or "name" in the namespace of the pod
  bool bound = false;                // bind: the pod has been bound although the call fails

  bool fails() const { return answer >= Answer::kError; }
  bool holds(const api::Pod& pod, clock::Duration since_start) const;
  bool concerns(const api::Node& node) const;
};

// The answers of one extender. Of each list the first rule that holds and concerns the node decides; without one, the
// node passes, scores 0, stays a candidate, and the pod is bound. Rules that fail the call come before all others.
struct ExtenderServer {
  std::string name;        // of the document
  std::string url_prefix;  // by which the configuration knows it
  std::vector<ExtenderRule> filter, prioritize, preempt, bind;
};

std::string withoutSlashes(std::string url);  // at its end
// Whether the server is the one of the extender with that urlPrefix.
bool answersFor(const ExtenderServer& server, const std::string& url_prefix);

// The rule for a node; null if there is none.
const ExtenderRule* ruleFor(const std::vector<ExtenderRule>& rules, const api::Pod& pod, clock::Duration since_start,
                            const api::Node& node);
// The rule by which a call about these nodes fails; null if it does not.
const ExtenderRule* failureOf(const std::vector<ExtenderRule>& rules, const api::Pod& pod, clock::Duration since_start,
                              const std::vector<const api::Node*>& nodes);

// Whether a container of the pod asks for the resource, or limits it.
bool asksFor(const api::Pod& pod, const std::string& resource);

}  // namespace podberth::scheduler
