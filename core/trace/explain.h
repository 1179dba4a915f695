// A trace in plain words: what happened, and why.
#pragma once

#include <string>
#include <vector>

#include "core/trace/entry.h"

namespace podberth::trace {

// One sentence about an entry: "web-2: NodeResourcesFit rejected 2 of 3 nodes (Insufficient cpu)". `op_kind`,
// `op_object_kind` and `op_name` tell of an operation what it was ("create", "Pod", "default/web-2").
struct OpWords {
  std::string op;
  std::string kind;
  std::string name;
  std::string seconds;  // of advance
};
std::string sentence(const Entry& entry, const OpWords& op);

// Why a cycle ended as it did, line by line.
std::vector<std::string> why(const std::string& pod, const Cycle& cycle);

// "3 pods", "1 pod".
std::string plural(std::size_t n, const std::string& noun);
// The name of a pod without its namespace where that is "default".
std::string shortName(const std::string& key);

}  // namespace podberth::trace
