// How a score comes about, with its numbers, in words. The arithmetic is done again with the plugins' own functions;
// what does not lead to the score that was given is not said.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/scheduler/config/types.h"
#include "core/session/board.h"
#include "core/trace/entry.h"

namespace podberth::session {

struct ScoreQuestion {
  const trace::Cycle& cycle;
  const Board& board;  // as it was when the cycle began
  std::string pod;     // "namespace/name"
  std::string node;
  std::string plugin;
  const scheduler::config::PluginArgs* args;  // of the plugin; may be null
  std::int64_t weight;
};

// Line by line; empty if the plugin gave the node no score.
std::vector<std::string> scoreWords(const ScoreQuestion& question);

}  // namespace podberth::session
