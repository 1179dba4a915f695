#include "core/scheduler/plugins/sample_reserve/sample_reserve.h"

namespace podberth::scheduler::plugins {

std::unique_ptr<Plugin> newSampleReserve(const config::PluginArgs& args, Handle& /*handle*/, std::string* error) {
  config::SampleArgs own;
  if (!sampleArgs(config::kSampleReserve, args, &own, error)) return nullptr;
  return std::make_unique<SampleReserve>(std::move(own));
}

}  // namespace podberth::scheduler::plugins
