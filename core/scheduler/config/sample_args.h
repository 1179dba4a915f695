// The arguments of the sample plugins, which Kubernetes does not have: rules that say what becomes of which pod.
// examples/SAMPLE-PLUGINS.md describes them for those who write them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/api/decode.h"
#include "core/api/labels.h"
#include "core/api/pod.h"
#include "core/clock/time.h"

namespace podberth::scheduler::config {

struct SampleRule {
  enum class Result { kPass, kReject, kError, kWait };
  api::Selector pods;                             // for which pods
  std::optional<std::vector<std::string>> nodes;  // on which nodes; any if not given
  // How often it holds for one pod, from the first time on; always if not given.
  std::optional<std::int64_t> times;

  Result result = Result::kPass;
  std::string message;        // of kReject and kError
  clock::Duration after = 0;  // PreBind: how long it takes

  // Permit, kWait: the framework rejects the pod after `timeout`; until then the first of these that comes true ends
  // the waiting.
  clock::Duration timeout = 60 * clock::kSecond;
  std::optional<clock::Duration> approve_after;
  std::optional<clock::Duration> deny_after;
  std::string deny_message;
  // Approved as soon as `approve_count` pods of the namespace that are selected have a node or wait here.
  std::optional<api::Selector> approve_pods;
  std::int64_t approve_count = 0;
};

struct SampleArgs {
  std::vector<SampleRule> rules;
  // The first rule for the pod on the node that has not held `times` before; null if there is none. `uses` counts, by
  // rule, how often each has held for this pod.
  const SampleRule* find(const api::Pod& pod, std::string_view node, const std::vector<std::int64_t>& uses) const;
};

inline constexpr std::string_view kSamplePermit = "SamplePermit";
inline constexpr std::string_view kSampleReserve = "SampleReserve";
inline constexpr std::string_view kSamplePreBind = "SamplePreBind";
bool isSamplePlugin(std::string_view plugin);

// Reads a sample plugin's arguments, JSON or "" for none. False if they are wrong; every mistake is an issue at its
// place, a JSON pointer into the arguments.
bool readSampleArgs(std::string_view plugin, const std::string& json, SampleArgs& out, std::vector<api::Issue>& issues);

}  // namespace podberth::scheduler::config
