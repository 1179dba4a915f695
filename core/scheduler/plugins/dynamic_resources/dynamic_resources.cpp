#include "core/scheduler/plugins/dynamic_resources/dynamic_resources.h"

#include <algorithm>

#include "core/scheduler/plugins/dynamic_resources/claims.h"
#include "core/scheduler/plugins/helper/normalize_score.h"

namespace podberth::scheduler::plugins {
namespace {

// That PreFilter ran: later points fail without it.
struct ClaimState : StateData {
  std::vector<ResourceClaimPtr> claims;
};
constexpr StateKey<ClaimState> kClaimState{"DynamicResources"};
constexpr const char* kNotFound = "not found";

Status needState(const CycleState& state) {
  return state.read(kClaimState) == nullptr ? Status::error(kNotFound) : Status();
}

}  // namespace

std::vector<ClusterEventWithHint> DynamicResources::eventsToRegister() const {
  // Classes and slices are not simulated: their events never come.
  const auto after_claim = [this](const api::Pod& pod, const api::Object* old_object, const api::Object* new_object) {
    return afterClaimChange(pod, old_object, new_object);
  };
  const auto after_pod = [this](const api::Pod&, const api::Object*, const api::Object* new_object) {
    return claimsOf(*api::as<api::Pod>(new_object), nullptr).empty() ? HintResult::queue() : HintResult::skip();
  };
  return {
      {ClusterEvent{EventResource::kNode, action::kAdd | action::kUpdateNodeLabel | action::kUpdateNodeAllocatable, {}},
       nullptr},
      {ClusterEvent{EventResource::kResourceClaim, action::kAdd | action::kUpdate | action::kDelete, {}}, after_claim},
      {ClusterEvent{EventResource::kTargetPod, action::kUpdatePodGeneratedResourceClaim, {}}, after_pod},
      {ClusterEvent{EventResource::kDeviceClass, action::kAdd | action::kUpdate, {}}, nullptr},
      {ClusterEvent{EventResource::kResourceSlice, action::kAdd | action::kUpdate, {}}, nullptr}};
}

std::string DynamicResources::claimsOf(const api::Pod& pod, std::vector<ResourceClaimPtr>* claims) const {
  if (pod.spec.resource_claims.empty()) return {};
  return resourceClaimsOf(pod, *handle_.listers().resource_claims, claims);
}

// Queues what the pod was waiting for: the claim has come, or something about its status is new. Devices given back may
// help any pod.
HintResult DynamicResources::afterClaimChange(const api::Pod& pod, const api::Object* old_object,
                                              const api::Object* new_object) const {
  const auto* before = api::as<api::OtherObject>(old_object);
  const auto* now = api::as<api::OtherObject>(new_object);
  if (now == nullptr) return isAllocated(*before) ? HintResult::queue() : HintResult::skip();
  std::vector<ResourceClaimPtr> claims;
  if (!claimsOf(pod, &claims).empty()) return HintResult::skip();
  if (before != nullptr && isAllocated(*before) && !isAllocated(*now)) return HintResult::queue();
  const bool uses = std::any_of(claims.begin(), claims.end(),
                                [&](const ResourceClaimPtr& claim) { return claim->meta.uid == now->meta.uid; });
  if (!uses) return HintResult::skip();
  return before != nullptr && sameClaimStatus(*before, *now) ? HintResult::skip() : HintResult::queue();
}

Status DynamicResources::preEnqueue(const api::Pod& pod) {
  std::string error = claimsOf(pod, nullptr);
  return error.empty() ? Status() : Status(Code::kUnschedulableAndUnresolvable, std::move(error));
}

Status DynamicResources::preFilter(CycleState& state, const PodInfo& pod, const std::vector<NodeInfo*>&,
                                   PreFilterResult&) {
  auto claim_state = std::make_shared<ClaimState>();
  std::vector<ResourceClaimPtr>& claims = claim_state->claims;
  std::string error = claimsOf(*pod.pod, &claims);
  const bool simulated = std::all_of(claims.begin(), claims.end(),
                                     [](const ResourceClaimPtr& claim) { return isPlainlyAllocated(*claim); });
  const bool none = claims.empty();
  state.write(kClaimState, std::move(claim_state));
  if (!error.empty()) return Status(Code::kUnschedulableAndUnresolvable, std::move(error));
  if (none) return Status(Code::kSkip);
  return simulated ? Status() : Status::error(kClaimsNotSimulated);
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
  const ClaimState* claim_state = state.read(kClaimState);
  if (claim_state == nullptr) return Status::error(kNotFound);
  return claim_state->claims.empty() ? Status(Code::kSkip) : Status();
}

std::vector<SignFragment> DynamicResources::sign(const api::Pod& pod, bool& signable) const {
  signable = pod.spec.resource_claims.empty();
  return {};
}

std::unique_ptr<Plugin> newDynamicResources(const config::PluginArgs&, Handle& handle, std::string*) {
  return std::make_unique<DynamicResources>(handle);
}

}  // namespace podberth::scheduler::plugins
