#include "core/scheduler/plugins/sample_pre_bind/sample_pre_bind.h"

namespace podberth::scheduler::plugins {

Status SamplePreBind::preBindPreFlight(CycleState& /*state*/, const api::PodPtr& pod, const std::string& node) {
  return rules_.find(*pod, node) == nullptr ? Status(Code::kSkip) : Status();
}

PreBindProgress SamplePreBind::preBind(CycleState& state, const api::PodPtr& pod, const std::string& node) {
  const SamplePreBindState* begun = state.read(kSamplePreBindStateKey);
  if (begun == nullptr) {
    auto first = std::make_shared<SamplePreBindState>();
    first->rule = rules_.use(*pod, node);
    first->ready = handle_.loop().now() + (first->rule == nullptr ? 0 : first->rule->after);
    begun = first.get();
    state.write(kSamplePreBindStateKey, std::move(first));
  }
  if (handle_.loop().now() < begun->ready) return PreBindProgress::waitUntil(begun->ready);
  return PreBindProgress::done(sampleStatus(begun->rule));
}

std::unique_ptr<Plugin> newSamplePreBind(const config::PluginArgs& args, Handle& handle, std::string* error) {
  config::SampleArgs own;
  if (!sampleArgs(config::kSamplePreBind, args, &own, error)) return nullptr;
  return std::make_unique<SamplePreBind>(std::move(own), handle);
}

}  // namespace podberth::scheduler::plugins
