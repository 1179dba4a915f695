#include "core/scheduler/plugins/node_declared_features/node_declared_features.h"

#include <algorithm>

#include "core/scheduler/plugins/helper/rest_text.h"
#include "core/scheduler/plugins/helper/sign.h"

namespace podberth::scheduler::plugins {
namespace {

struct FilterState : StateData {
  std::vector<std::string> features;
};
constexpr StateKey<FilterState> kFilterState{"PreFilterNodeDeclaredFeatures"};
constexpr const char* kNoFilterState = "error reading \"PreFilterNodeDeclaredFeatures\" from cycle-state: not found";

constexpr const char* kRestartAllContainers = "RestartAllContainersOnContainerExits";
constexpr const char* kUserNamespacesHostNetwork = "UserNamespacesHostNetworkSupport";
constexpr const char* kVolumeBindMountOptions = "VolumeBindMountOptions";

HintResult afterNodeChange(const api::Pod&, const api::Object* old_object, const api::Object* new_object) {
  const api::Node* before = api::as<api::Node>(old_object);
  const api::Node* now = api::as<api::Node>(new_object);
  const bool same = before != nullptr && before->status.declared_features == now->status.declared_features;
  return same ? HintResult::skip() : HintResult::queue();
}

HintResult afterTargetPodUpdate(const api::Pod&, const api::Object* old_object, const api::Object* new_object) {
  const bool same =
      requiredFeatures(*api::as<api::Pod>(old_object)) == requiredFeatures(*api::as<api::Pod>(new_object));
  return same ? HintResult::skip() : HintResult::queue();
}

}  // namespace

std::vector<std::string> requiredFeatures(const api::Pod& pod) {
  bool restart_all = false;
  bool mount_options = false;
  for (const auto* containers : {&pod.spec.containers, &pod.spec.init_containers, &pod.spec.ephemeral_containers}) {
    const bool ephemeral = containers == &pod.spec.ephemeral_containers;
    for (const api::Container& c : *containers) {
      restart_all = restart_all || (!ephemeral && restHasMember(c.rest, "action", "\"RestartAllContainers\""));
      mount_options = mount_options || restHasMember(c.rest, "bindMountOptions", "[\"");
    }
  }
  std::vector<std::string> features;
  if (restart_all) features.emplace_back(kRestartAllContainers);
  if (pod.spec.host_network && restHasMember(pod.spec.rest, "hostUsers", "false")) {
    features.emplace_back(kUserNamespacesHostNetwork);
  }
  if (mount_options) features.emplace_back(kVolumeBindMountOptions);
  return features;
}

NodeDeclaredFeatures::NodeDeclaredFeatures()
    : missing_(Status(Code::kUnschedulableAndUnresolvable, kReasonNodeDeclaredFeatures)
                   .withPlugin(names::kNodeDeclaredFeatures)) {}

std::vector<ClusterEventWithHint> NodeDeclaredFeatures::eventsToRegister() const {
  return {{ClusterEvent{EventResource::kNode, action::kAdd | action::kUpdateNodeDeclaredFeature, {}}, afterNodeChange},
          {ClusterEvent{EventResource::kTargetPod, action::kUpdate, {}}, afterTargetPodUpdate}};
}

Status NodeDeclaredFeatures::preFilter(CycleState& state, const PodInfo& pod, const std::vector<NodeInfo*>&,
                                       PreFilterResult&) {
  std::vector<std::string> features = requiredFeatures(*pod.pod);
  if (features.empty()) return Status(Code::kSkip);
  auto data = std::make_shared<FilterState>();
  data->features = std::move(features);
  state.write(kFilterState, std::move(data));
  return {};
}

Status NodeDeclaredFeatures::filter(CycleState& state, const PodInfo&, const NodeInfo& node) {
  const FilterState* data = state.read(kFilterState);
  if (data == nullptr) return Status::error(kNoFilterState);
  for (const std::string& feature : data->features) {
    const std::vector<std::string>& declared = node.declared_features;
    if (std::find(declared.begin(), declared.end(), feature) == declared.end()) return missing_;
  }
  return {};
}

std::vector<SignFragment> NodeDeclaredFeatures::sign(const api::Pod& pod, bool& signable) const {
  signable = true;
  return {{std::string(sign::kFeatures), sign::list(requiredFeatures(pod))}};
}

std::unique_ptr<Plugin> newNodeDeclaredFeatures(const config::PluginArgs&, Handle&, std::string*) {
  return std::make_unique<NodeDeclaredFeatures>();
}

}  // namespace podberth::scheduler::plugins
