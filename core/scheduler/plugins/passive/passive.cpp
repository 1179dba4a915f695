#include "core/scheduler/plugins/passive/passive.h"

#include "core/scheduler/plugins/helper/sign.h"

namespace podberth::scheduler::plugins {

Status PassivePlugin::preFilter(CycleState&, const PodInfo&, const std::vector<NodeInfo*>&, PreFilterResult&) {
  return Status(Code::kSkip);
}

Status PassivePlugin::preScore(CycleState&, const PodInfo&, const std::vector<NodeInfo*>&) {
  return skips_score_ ? Status(Code::kSkip) : Status();
}

Status PassivePlugin::score(CycleState&, const PodInfo&, const NodeInfo&, std::int64_t& score) {
  score = 0;
  return {};
}

std::vector<SignFragment> PassivePlugin::sign(const api::Pod& pod, bool& signable) const {
  signable = true;
  return {{std::string(sign::kVolumes), sign::volumes(pod)}};
}

std::unique_ptr<Plugin> newVolumeRestrictionsStandIn(const config::PluginArgs&, Handle&, std::string*) {
  return std::make_unique<PassivePlugin>(names::kVolumeRestrictions, kVolumeRestrictionsPoints, true);
}
std::unique_ptr<Plugin> newNodeVolumeLimitsStandIn(const config::PluginArgs&, Handle&, std::string*) {
  return std::make_unique<PassivePlugin>(names::kNodeVolumeLimits, kNodeVolumeLimitsPoints, true);
}
std::unique_ptr<Plugin> newVolumeZoneStandIn(const config::PluginArgs&, Handle&, std::string*) {
  return std::make_unique<PassivePlugin>(names::kVolumeZone, kVolumeZonePoints, true);
}
std::unique_ptr<Plugin> newVolumeBindingStandIn(const config::PluginArgs&, Handle&, std::string*) {
  return std::make_unique<PassivePlugin>(names::kVolumeBinding, kVolumeBindingPoints, false);
}

std::unique_ptr<Plugin> newNotSimulated(const config::PluginArgs&, Handle&, std::string* error) {
  *error = "this plugin is not simulated yet";
  return nullptr;
}

}  // namespace podberth::scheduler::plugins
