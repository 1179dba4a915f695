#include "core/scheduler/plugins/passive/passive.h"

#include <algorithm>

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

std::vector<ClusterEventWithHint> NoPreemption::eventsToRegister() const {
  return {{ClusterEvent{EventResource::kAssignedPod, action::kDelete, {}},
           [](const api::Pod&, const api::Object*, const api::Object*) { return HintResult::skip(); }}};
}

Status NoPreemption::postFilter(CycleState&, const PodInfo& pod, const NodeToStatus& statuses, PostFilterResult&) {
  if (pod.pod->spec.preemption_policy == "Never") {
    return Status(Code::kUnschedulable, "preemption: not eligible due to preemptionPolicy=Never.");
  }
  const std::size_t all = handle_.snapshot().size();
  const std::size_t tried = statuses.nodesForCode(handle_.snapshot(), Code::kUnschedulable).size();
  std::vector<std::string> parts;
  if (tried > 0) parts.push_back(std::to_string(tried) + " No preemption victims found for incoming pod");
  if (all > tried) parts.push_back(std::to_string(all - tried) + " Preemption is not helpful for scheduling");
  std::sort(parts.begin(), parts.end());
  std::string text = "preemption: 0/" + std::to_string(all) + " nodes are available";
  for (std::size_t i = 0; i < parts.size(); ++i) text += (i == 0 ? ": " : ", ") + parts[i];
  return Status(Code::kUnschedulable, text + ".");
}

std::unique_ptr<Plugin> newDefaultPreemptionStandIn(const config::PluginArgs&, Handle& handle, std::string*) {
  return std::make_unique<NoPreemption>(handle);
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
