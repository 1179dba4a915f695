// VolumeBinding: bound volumes must be usable on the node; claims that wait for a pod get a volume that is there or one
// that is made for them. Works at PreFilter, Filter, PreScore, Score, Reserve and PreBind; PreBind asks once a second
// whether the claims are bound. Upstream: pkg/scheduler/framework/plugins/volumebinding/{volume_binding,scorer}.go,
// KEP-490, KEP-1472, KEP-4049.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/scheduler/config/types.h"
#include "core/scheduler/framework/handle.h"
#include "core/scheduler/plugins/helper/shape_score.h"
#include "core/scheduler/plugins/names.h"
#include "core/scheduler/plugins/volume_binding/binder.h"

namespace podberth::scheduler::plugins {

inline constexpr const char* kReasonUnboundImmediate = "pod has unbound immediate PersistentVolumeClaims";

// Bytes that a pod wants of a storage class, and what there is.
struct StorageUse {
  std::int64_t requested = 0;
  std::int64_t capacity = 0;
};
// The mean of the classes' scores; 0 if there is no class.
std::int64_t storageScore(const FunctionShape& shape, const std::map<std::string, StorageUse>& by_class);
// What is scored: the volumes that are there, or, if there are none of them and `with_provisions`, those to be made.
std::map<std::string, StorageUse> storageUseOf(const PodVolumes& volumes, bool with_provisions = true);

class VolumeBinding : public Plugin {
 public:
  static constexpr Points kPoints =
      Point::kPreFilter | Point::kFilter | Point::kReserve | Point::kPreBind | Point::kPreScore | Point::kScore;
  VolumeBinding(const config::VolumeBindingArgs& args, Handle& handle, const VolumeBindingRules& rules = {});
  std::string_view name() const override { return names::kVolumeBinding; }
  Points points() const override { return kPoints; }
  bool hasEvents() const override { return true; }
  std::vector<ClusterEventWithHint> eventsToRegister() const override;
  // Skip for pods without claims.
  Status preFilter(CycleState& state, const PodInfo& pod, const std::vector<NodeInfo*>& nodes,
                   PreFilterResult& result) override;
  Status filter(CycleState& state, const PodInfo& pod, const NodeInfo& node) override;
  Status preScore(CycleState& state, const PodInfo& pod, const std::vector<NodeInfo*>& nodes) override;
  Status score(CycleState& state, const PodInfo& pod, const NodeInfo& node, std::int64_t& score) override;
  Status reserve(CycleState& state, const api::PodPtr& pod, const std::string& node) override;
  void unreserve(CycleState& state, const api::PodPtr& pod, const std::string& node) override;
  Status preBindPreFlight(CycleState& state, const api::PodPtr& pod, const std::string& node) override;
  PreBindProgress preBind(CycleState& state, const api::PodPtr& pod, const std::string& node) override;
  bool hasSign() const override { return true; }
  std::vector<SignFragment> sign(const api::Pod& pod, bool& signable) const override;

 private:
  std::string noVolumesFor(const std::string& node) const;
  // Whether the pod uses claims; what is wrong with one of them goes to *error.
  bool hasClaims(const api::Pod& pod, std::string* error) const;

  Handle& handle_;
  VolumeBindingRules rules_;
  VolumeBinder binder_;
  std::optional<FunctionShape> shape_;  // if the gate of scoring is on
  Status unbound_immediate_;
};

// The arguments, with a shape in any case: `default_shape` if there is none.
config::VolumeBindingArgs volumeBindingArgs(const config::PluginArgs& args,
                                            const std::vector<config::UtilizationShapePoint>& default_shape);
std::unique_ptr<Plugin> newVolumeBinding(const config::PluginArgs& args, Handle& handle, std::string* error);

}  // namespace podberth::scheduler::plugins
