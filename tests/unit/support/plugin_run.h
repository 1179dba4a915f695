// Runs single plugins in tests and puts what they say into short lines.
#pragma once

#include <string>
#include <vector>

#include "core/scheduler/framework/plugin.h"
#include "tests/unit/support/builders.h"

namespace podberth::testkit {

// "Success", or "Unschedulable: reason; reason".
inline std::string text(const scheduler::Status& status) {
  std::string out(scheduler::codeName(status.code()));
  for (std::size_t i = 0; i < status.reasons().size(); ++i) out += (i == 0 ? ": " : "; ") + status.reasons()[i];
  return out;
}

// PreFilter, then Filter unless PreFilter has said something else than Success.
inline std::string filterText(scheduler::Plugin& plugin, const scheduler::PodInfoPtr& pod, scheduler::NodeInfo node) {
  scheduler::CycleState state;
  scheduler::PreFilterResult narrowed;
  std::vector<scheduler::NodeInfo*> nodes(1, &node);
  if (has(plugin.points(), scheduler::Point::kPreFilter)) {
    const scheduler::Status status = plugin.preFilter(state, *pod, nodes, narrowed);
    if (!status.isSuccess()) return "PreFilter " + text(status);
  }
  return text(plugin.filter(state, *pod, node));
}

// PreScore and the scores of the nodes, before and after NormalizeScore; empty if PreScore skips.
struct Scores {
  std::string pre_score;
  std::vector<std::int64_t> raw;
  std::vector<std::int64_t> normalized;
};
inline Scores scoresOf(scheduler::Plugin& plugin, const scheduler::PodInfoPtr& pod,
                       std::vector<scheduler::NodeInfo> infos) {
  Scores out;
  scheduler::CycleState state;
  std::vector<scheduler::NodeInfo*> nodes;
  for (scheduler::NodeInfo& info : infos) nodes.push_back(&info);
  if (has(plugin.points(), scheduler::Point::kPreScore)) {
    const scheduler::Status status = plugin.preScore(state, *pod, nodes);
    out.pre_score = text(status);
    if (!status.isSuccess()) return out;
  }
  std::vector<scheduler::NodeScore> scores;
  for (scheduler::NodeInfo* node : nodes) {
    scheduler::NodeScore s;
    s.node = node;
    const scheduler::Status status = plugin.score(state, *pod, *node, s.score);
    if (!status.isSuccess()) out.pre_score += " Score " + text(status);
    out.raw.push_back(s.score);
    scores.push_back(s);
  }
  if (plugin.hasNormalizeScore()) {
    const scheduler::Status status = plugin.normalizeScore(state, *pod, scores);
    if (!status.isSuccess()) out.pre_score += " NormalizeScore " + text(status);
  }
  for (const scheduler::NodeScore& s : scores) out.normalized.push_back(s.score);
  return out;
}

// What the hint that the plugin registered for the event says: "Queue", "Skip"; "none" without a registration.
inline std::string hintText(const scheduler::Plugin& plugin, scheduler::EventResource resource, std::int64_t action,
                            const api::PodPtr& pod, const api::Object* old_object, const api::Object* new_object) {
  for (const scheduler::ClusterEventWithHint& e : plugin.eventsToRegister()) {
    if (e.event.resource != resource || (e.event.action & action) == 0) continue;
    if (!e.hint) return "Queue";
    const scheduler::HintResult result = e.hint(*pod, old_object, new_object);
    if (!result.error.empty()) return "error: " + result.error;
    return result.hint == scheduler::QueueingHint::kQueue ? "Queue" : "Skip";
  }
  return "none";
}

}  // namespace podberth::testkit
