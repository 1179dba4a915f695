#include "core/scheduler/plugins/dynamic_resources/dynamic_resources.h"

#include "core/scheduler/plugins/helper/normalize_score.h"

namespace podberth::scheduler::plugins {
namespace {

// That PreFilter ran: later points fail without it.
struct ClaimState : StateData {};
constexpr StateKey<ClaimState> kClaimState{"DynamicResources"};
constexpr const char* kNotFound = "not found";

HintResult always(const api::Pod&, const api::Object*, const api::Object*) { return HintResult::queue(); }

Status needState(const CycleState& state) {
  return state.read(kClaimState) == nullptr ? Status::error(kNotFound) : Status();
}

}  // namespace

std::vector<ClusterEventWithHint> DynamicResources::eventsToRegister() const {
  // Claims, classes and slices are not simulated: their events never come.
  return {
      {ClusterEvent{EventResource::kNode, action::kAdd | action::kUpdateNodeLabel | action::kUpdateNodeAllocatable, {}},
       nullptr},
      {ClusterEvent{EventResource::kResourceClaim, action::kAdd | action::kUpdate | action::kDelete, {}}, nullptr},
      {ClusterEvent{EventResource::kTargetPod, action::kUpdatePodGeneratedResourceClaim, {}}, always},
      {ClusterEvent{EventResource::kDeviceClass, action::kAdd | action::kUpdate, {}}, nullptr},
      {ClusterEvent{EventResource::kResourceSlice, action::kAdd | action::kUpdate, {}}, nullptr}};
}

Status DynamicResources::preFilter(CycleState& state, const PodInfo& pod, const std::vector<NodeInfo*>&,
                                   PreFilterResult&) {
  state.write(kClaimState, std::make_shared<ClaimState>());
  if (!pod.pod->spec.resource_claims.empty()) return Status::error(kClaimsNotSimulated);
  return Status(Code::kSkip);
}

Status DynamicResources::filter(CycleState& state, const PodInfo&, const NodeInfo&) { return needState(state); }

Status DynamicResources::postFilter(CycleState& state, const PodInfo&, const NodeToStatus&, PostFilterResult&) {
  if (state.read(kClaimState) == nullptr) return Status::error(kNotFound);
  return Status(Code::kUnschedulable);
}

Status DynamicResources::score(CycleState& state, const PodInfo&, const NodeInfo&, std::int64_t& score) {
  score = 0;
  return needState(state);
}

Status DynamicResources::normalizeScore(CycleState&, const PodInfo&, std::vector<NodeScore>& scores) {
  defaultNormalizeScore(kMaxNodeScore, false, scores);
  return {};
}

Status DynamicResources::reserve(CycleState& state, const api::PodPtr&, const std::string&) { return needState(state); }

Status DynamicResources::preBindPreFlight(CycleState& state, const api::PodPtr&, const std::string&) {
  if (state.read(kClaimState) == nullptr) return Status::error(kNotFound);
  return Status(Code::kSkip);
}

std::vector<SignFragment> DynamicResources::sign(const api::Pod& pod, bool& signable) const {
  signable = pod.spec.resource_claims.empty();
  return {};
}

std::unique_ptr<Plugin> newDynamicResources(const config::PluginArgs&, Handle&, std::string*) {
  return std::make_unique<DynamicResources>();
}

}  // namespace podberth::scheduler::plugins
