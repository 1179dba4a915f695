// SelectorSpread (PreScore, Score): prefers nodes and zones with fewer pods of the same services and controller. Older
// than PodTopologySpread, which has taken its place; not enabled by default in the last releases that have it. Pods
// with topology spread constraints of their own are left alone. Upstream (v1.24):
// pkg/scheduler/framework/plugins/selectorspread/selector_spread.go.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/scheduler/config/types.h"
#include "core/scheduler/framework/handle.h"
#include "core/scheduler/plugins/names.h"

namespace podberth::scheduler::plugins {

// "region:\0:zone", by the beta labels or else the later ones; "" if the node has neither.
// Upstream: k8s.io/component-helpers/node/topology (GetZoneKey).
std::string zoneKey(const api::Node& node);

// Pods of the namespace on the node that the selector selects and that are not on their way out; an empty selector
// counts none.
std::int64_t countSelected(const NodeInfo& node, const api::Selector& selector, api::Symbol ns);

// Turns counts into points, 0..100: fewer pods on the node give more; where nodes have zones, the pods in the node's
// zone count for two thirds.
void spreadCounts(std::vector<NodeScore>& scores);

class SelectorSpread : public Plugin {
 public:
  static constexpr Points kPoints = Point::kPreScore | Point::kScore;
  explicit SelectorSpread(Handle& handle) : handle_(handle) {}
  std::string_view name() const override { return names::kSelectorSpread; }
  Points points() const override { return kPoints; }
  Status preScore(CycleState& state, const PodInfo& pod, const std::vector<NodeInfo*>& nodes) override;
  Status score(CycleState& state, const PodInfo& pod, const NodeInfo& node, std::int64_t& score) override;
  bool hasNormalizeScore() const override { return true; }
  Status normalizeScore(CycleState& state, const PodInfo& pod, std::vector<NodeScore>& scores) override;

 private:
  Handle& handle_;
};

std::unique_ptr<Plugin> newSelectorSpread(const config::PluginArgs& args, Handle& handle, std::string* error);

}  // namespace podberth::scheduler::plugins
