// Whether a pod's requests fit on a node. Upstream: pkg/scheduler/framework/plugins/noderesources/fit.go (fitsRequest).
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "core/api/pod.h"
#include "core/scheduler/framework/node_info.h"

namespace podberth::scheduler::plugins {

inline constexpr const char* kReasonTooManyPods = "Too many pods";
inline constexpr const char* kReasonInsufficientCpu = "Insufficient cpu";
inline constexpr const char* kReasonInsufficientMemory = "Insufficient memory";
inline constexpr const char* kReasonInsufficientEphemeralStorage = "Insufficient ephemeral-storage";
inline constexpr const char* kReasonInsufficient = "Insufficient ";  // followed by the resource's name

// A pod's requests as they are checked: milli-CPU, bytes, counts. Of the other resources only those that count.
struct FitRequest {
  std::int64_t milli_cpu = 0;
  std::int64_t memory = 0;
  std::int64_t ephemeral_storage = 0;
  std::vector<std::pair<api::Symbol, std::int64_t>> scalar;
  bool anything = false;  // false: only the number of pods is checked
};

// What the configuration leaves out; only extended resources can be.
struct IgnoredResources {
  std::set<std::string> names;
  std::set<std::string> groups;  // the part before the slash
  bool has(api::Symbol name) const;
};

// `with_zeros`: resources that are asked for with an amount of 0 are kept.
FitRequest fitRequest(const Resource& requests, const IgnoredResources& ignored, bool with_zeros = false);

// What a node lacks for a pod.
struct Lack {
  enum : unsigned { kPods = 1, kCpu = 2, kMemory = 4, kEphemeralStorage = 8 };
  unsigned mask = 0;
  std::vector<api::Symbol> scalar;  // by name
  bool unresolvable = false;        // some request is more than the node has in all, so that no preemption helps
  bool none() const { return mask == 0 && scalar.empty(); }
};
// `check_zeros`: a node of which more is taken than it has lacks even nothing.
Lack findLack(const FitRequest& request, std::size_t pods, const Resource& allocatable, const Resource& requested,
              bool check_zeros = false);

// The reasons in upstream's order.
std::vector<std::string> lackReasons(const Lack& lack);

}  // namespace podberth::scheduler::plugins
