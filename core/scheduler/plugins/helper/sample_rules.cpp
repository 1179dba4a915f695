#include "core/scheduler/plugins/helper/sample_rules.h"

namespace podberth::scheduler::plugins {

bool sampleArgs(std::string_view plugin, const config::PluginArgs& args, config::SampleArgs* out, std::string* error) {
  const auto* given = std::get_if<config::OtherArgs>(&args);
  std::vector<api::Issue> issues;
  if (config::readSampleArgs(plugin, given == nullptr ? std::string() : given->json, *out, issues)) return true;
  *error = "args" + issues.front().path + ": " + issues.front().message;
  return false;
}

const config::SampleRule* SampleRules::find(const api::Pod& pod, std::string_view node) const {
  static const std::vector<std::int64_t> kNever;
  const auto it = uses_.find(pod.meta.uid);
  return args_.find(pod, node, it == uses_.end() ? kNever : it->second);
}

const config::SampleRule* SampleRules::use(const api::Pod& pod, std::string_view node) {
  const config::SampleRule* rule = find(pod, node);
  if (rule == nullptr || !rule->times.has_value()) return rule;
  std::vector<std::int64_t>& uses = uses_[pod.meta.uid];
  uses.resize(args_.rules.size());
  ++uses[static_cast<std::size_t>(rule - args_.rules.data())];
  return rule;
}

Status sampleStatus(const config::SampleRule* rule) {
  if (rule == nullptr) return {};
  switch (rule->result) {
    case config::SampleRule::Result::kReject:
      return Status(Code::kUnschedulable, rule->message);
    case config::SampleRule::Result::kError:
      return Status::error(rule->message);
    default:
      return {};
  }
}

}  // namespace podberth::scheduler::plugins
