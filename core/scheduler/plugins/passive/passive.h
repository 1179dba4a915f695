// Stand-ins for plugins that are not simulated yet: each does what upstream's does when no object concerns it.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/scheduler/config/types.h"
#include "core/scheduler/framework/handle.h"
#include "core/scheduler/plugins/names.h"

namespace podberth::scheduler::plugins {

// Skips PreFilter, and PreScore if `skips_score`; otherwise it scores 0 for every node, and so takes part.
class PassivePlugin : public Plugin {
 public:
  PassivePlugin(std::string_view name, Points points, bool skips_score)
      : name_(name), points_(points), skips_score_(skips_score) {}
  std::string_view name() const override { return name_; }
  Points points() const override { return points_; }
  // No events: it never rejects a pod.
  bool hasEvents() const override { return true; }
  Status preFilter(CycleState& state, const PodInfo& pod, const std::vector<NodeInfo*>& nodes,
                   PreFilterResult& result) override;
  Status preScore(CycleState& state, const PodInfo& pod, const std::vector<NodeInfo*>& nodes) override;
  Status score(CycleState& state, const PodInfo& pod, const NodeInfo& node, std::int64_t& score) override;
  // The volumes, as all plugins of volumes do.
  bool hasSign() const override { return true; }
  std::vector<SignFragment> sign(const api::Pod& pod, bool& signable) const override;

 private:
  std::string_view name_;
  Points points_;
  bool skips_score_;
};

// The points of the plugins stood in for.
inline constexpr Points kVolumeRestrictionsPoints = Point::kPreFilter | Point::kFilter;
inline constexpr Points kNodeVolumeLimitsPoints = Point::kPreFilter | Point::kFilter;
inline constexpr Points kVolumeZonePoints = Point::kPreFilter | Point::kFilter;
inline constexpr Points kVolumeBindingPoints =
    Point::kPreFilter | Point::kFilter | Point::kReserve | Point::kPreBind | Point::kPreScore | Point::kScore;

std::unique_ptr<Plugin> newVolumeRestrictionsStandIn(const config::PluginArgs& args, Handle& handle,
                                                     std::string* error);
std::unique_ptr<Plugin> newNodeVolumeLimitsStandIn(const config::PluginArgs& args, Handle& handle, std::string* error);
std::unique_ptr<Plugin> newVolumeZoneStandIn(const config::PluginArgs& args, Handle& handle, std::string* error);
std::unique_ptr<Plugin> newVolumeBindingStandIn(const config::PluginArgs& args, Handle& handle, std::string* error);

// Plugins of features that are off by default and not simulated: asking for one is an error.
std::unique_ptr<Plugin> newNotSimulated(const config::PluginArgs& args, Handle& handle, std::string* error);

}  // namespace podberth::scheduler::plugins
