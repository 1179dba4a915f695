// What the sample plugins have in common: their arguments, and how often each rule has held for each pod.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/scheduler/config/sample_args.h"
#include "core/scheduler/config/types.h"
#include "core/scheduler/framework/status.h"

namespace podberth::scheduler::plugins {

// A plugin's own arguments. False, with the text of the first mistake, if they are wrong.
bool sampleArgs(std::string_view plugin, const config::PluginArgs& args, config::SampleArgs* out, std::string* error);

class SampleRules {
 public:
  explicit SampleRules(config::SampleArgs args) : args_(std::move(args)) {}
  const config::SampleArgs& args() const { return args_; }
  // The rule for the pod on the node; null if there is none.
  const config::SampleRule* find(const api::Pod& pod, std::string_view node) const;
  // The same, and it counts as one more time that the rule has held for the pod.
  const config::SampleRule* use(const api::Pod& pod, std::string_view node);

 private:
  config::SampleArgs args_;
  std::map<std::string, std::vector<std::int64_t>> uses_;  // by uid, then by rule
};

// The status of a rule that says pass, reject or error.
Status sampleStatus(const config::SampleRule* rule);

}  // namespace podberth::scheduler::plugins
