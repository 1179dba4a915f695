// DynamicResources: a pod waits until its resource claims are there. Claims that are allocated are taken as they are
// (that the pod is written into their status is not simulated); the allocation of claims is not simulated: the cycles
// of such pods end in an error. For pods without claims the plugin is there: it scores 0 for every node, is asked after
// failed cycles, and has events. Upstream: pkg/scheduler/framework/plugins/dynamicresources/dynamicresources.go,
// KEP-4381.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/scheduler/config/types.h"
#include "core/scheduler/framework/handle.h"
#include "core/scheduler/plugins/dynamic_resources/claims.h"
#include "core/scheduler/plugins/names.h"

namespace podberth::scheduler::plugins {

inline constexpr const char* kClaimsNotSimulated =
    "spec.resourceClaims: the allocation of resource claims is not simulated yet";

class DynamicResources : public Plugin {
 public:
  static constexpr Points kPoints = Point::kPreEnqueue | Point::kPreFilter | Point::kFilter | Point::kPostFilter |
                                    Point::kScore | Point::kReserve | Point::kPreBind;
  explicit DynamicResources(Handle& handle) : handle_(handle) {}
  std::string_view name() const override { return names::kDynamicResources; }
  Points points() const override { return kPoints; }
  bool hasEvents() const override { return true; }
  std::vector<ClusterEventWithHint> eventsToRegister() const override;
  // A rejection if a claim of the pod is missing.
  Status preEnqueue(const api::Pod& pod) override;
  // Skip for pods without claims.
  Status preFilter(CycleState& state, const PodInfo& pod, const std::vector<NodeInfo*>& nodes,
                   PreFilterResult& result) override;
  Status filter(CycleState& state, const PodInfo& pod, const NodeInfo& node) override;
  // Unschedulable: nothing to deallocate. An error ("not found") if PreFilter did not come to this plugin.
  Status postFilter(CycleState& state, const PodInfo& pod, const NodeToStatus& statuses,
                    PostFilterResult& result) override;
  Status score(CycleState& state, const PodInfo& pod, const NodeInfo& node, std::int64_t& score) override;
  bool hasNormalizeScore() const override { return true; }
  Status normalizeScore(CycleState& state, const PodInfo& pod, std::vector<NodeScore>& scores) override;
  Status reserve(CycleState& state, const api::PodPtr& pod, const std::string& node) override;
  Status preBindPreFlight(CycleState& state, const api::PodPtr& pod, const std::string& node) override;
  bool hasSign() const override { return true; }
  std::vector<SignFragment> sign(const api::Pod& pod, bool& signable) const override;

 private:
  // The pod's claims; what is wrong with them, if anything.
  std::string claimsOf(const api::Pod& pod, std::vector<ResourceClaimPtr>* claims) const;
  HintResult afterClaimChange(const api::Pod& pod, const api::Object* old_object, const api::Object* new_object) const;

  Handle& handle_;
};

std::unique_ptr<Plugin> newDynamicResources(const config::PluginArgs& args, Handle& handle, std::string* error);

}  // namespace podberth::scheduler::plugins
