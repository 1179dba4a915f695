#include "core/scheduler/plugins/registry_v1_24.h"

#include "core/scheduler/plugins/default_binder/default_binder.h"
#include "core/scheduler/plugins/default_preemption/default_preemption.h"
#include "core/scheduler/plugins/helper/registered.h"
#include "core/scheduler/plugins/image_locality/image_locality.h"
#include "core/scheduler/plugins/inter_pod_affinity/inter_pod_affinity.h"
#include "core/scheduler/plugins/names.h"
#include "core/scheduler/plugins/node_affinity/node_affinity.h"
#include "core/scheduler/plugins/node_name/node_name.h"
#include "core/scheduler/plugins/node_ports/node_ports.h"
#include "core/scheduler/plugins/node_resources_balanced_allocation/balanced_allocation.h"
#include "core/scheduler/plugins/node_resources_fit/node_resources_fit.h"
#include "core/scheduler/plugins/node_unschedulable/node_unschedulable.h"
#include "core/scheduler/plugins/node_volume_limits/in_tree_limits.h"
#include "core/scheduler/plugins/node_volume_limits/node_volume_limits.h"
#include "core/scheduler/plugins/pod_topology_spread/pod_topology_spread.h"
#include "core/scheduler/plugins/priority_sort/priority_sort.h"
#include "core/scheduler/plugins/selector_spread/selector_spread.h"
#include "core/scheduler/plugins/taint_toleration/taint_toleration.h"
#include "core/scheduler/plugins/volume_binding/volume_binding.h"
#include "core/scheduler/plugins/volume_restrictions/volume_restrictions.h"
#include "core/scheduler/plugins/volume_zone/volume_zone.h"

namespace podberth::scheduler::plugins {
namespace {

using config::PluginArgs;

// What each plugin waits for. Nodes and pods are told apart by no more than their kind in this release, and there are
// no hints.
constexpr std::int64_t kAddOrUpdate = action::kAdd | action::kUpdate;
constexpr ClusterEvent kNodeAny{EventResource::kNode, kAddOrUpdate, {}};
constexpr ClusterEvent kNodeAdd{EventResource::kNode, action::kAdd, {}};
constexpr ClusterEvent kNodeAddOrLabel{EventResource::kNode, action::kAdd | action::kUpdateNodeLabel, {}};
constexpr ClusterEvent kPodGone{EventResource::kPod, action::kDelete, {}};
constexpr ClusterEvent kPodAny{EventResource::kPod, action::kAll, {}};

const Registration& nodeUnschedulable() {
  static const Registration r{
      static_cast<Points>(Point::kFilter), true, {{EventResource::kNode, action::kAdd | action::kUpdateNodeTaint, {}}}};
  return r;
}
const Registration& nodeName() {
  static const Registration r{static_cast<Points>(Point::kFilter), true, {kNodeAny}};
  return r;
}
const Registration& taintToleration() {
  static const Registration r{Point::kFilter | Point::kPreScore | Point::kScore, true, {kNodeAny}};
  return r;
}
const Registration& nodeAffinity() {
  static const Registration r{Point::kPreFilter | Point::kFilter | Point::kPreScore | Point::kScore, true, {kNodeAny}};
  return r;
}
const Registration& nodePorts() {
  static const Registration r{Point::kPreFilter | Point::kFilter, true, {kPodGone, kNodeAny}};
  return r;
}
const Registration& nodeResourcesFit() {
  static const Registration r{Point::kPreFilter | Point::kFilter | Point::kScore, true, {kPodGone, kNodeAny}};
  return r;
}
const Registration& volumeRestrictions() {
  static const Registration r{Point::kPreFilter | Point::kFilter,
                              true,
                              {kPodGone, kNodeAdd, {EventResource::kPersistentVolumeClaim, kAddOrUpdate, {}}}};
  return r;
}
const Registration& inTreeLimits() {
  static const Registration r{static_cast<Points>(Point::kFilter), true, {kNodeAdd, kPodGone}};
  return r;
}
const Registration& nodeVolumeLimits() {
  static const Registration r{
      static_cast<Points>(Point::kFilter), true, {{EventResource::kCSINode, action::kAdd, {}}, kPodGone}};
  return r;
}
const Registration& volumeBinding() {
  static const Registration r{Point::kPreFilter | Point::kFilter | Point::kReserve | Point::kPreBind | Point::kScore,
                              true,
                              {{EventResource::kStorageClass, kAddOrUpdate, {}},
                               {EventResource::kPersistentVolumeClaim, kAddOrUpdate, {}},
                               {EventResource::kPersistentVolume, kAddOrUpdate, {}},
                               kNodeAddOrLabel,
                               {EventResource::kCSINode, kAddOrUpdate, {}},
                               {EventResource::kCSIDriver, kAddOrUpdate, {}},
                               {EventResource::kCSIStorageCapacity, kAddOrUpdate, {}}}};
  return r;
}
const Registration& volumeZone() {
  static const Registration r{static_cast<Points>(Point::kFilter),
                              true,
                              {{EventResource::kStorageClass, action::kAdd, {}},
                               kNodeAddOrLabel,
                               {EventResource::kPersistentVolumeClaim, action::kAdd, {}},
                               {EventResource::kPersistentVolume, kAddOrUpdate, {}}}};
  return r;
}
const Registration& podTopologySpread() {
  static const Registration r{
      Point::kPreFilter | Point::kFilter | Point::kPreScore | Point::kScore,
      true,
      {kPodAny, {EventResource::kNode, action::kAdd | action::kDelete | action::kUpdateNodeLabel, {}}}};
  return r;
}
const Registration& interPodAffinity() {
  static const Registration r{
      Point::kPreFilter | Point::kFilter | Point::kPreScore | Point::kScore, true, {kPodAny, kNodeAddOrLabel}};
  return r;
}
const Registration& defaultPreemption() {
  static const Registration r{static_cast<Points>(Point::kPostFilter), false, {}};
  return r;
}
const Registration& balancedAllocation() {
  static const Registration r{static_cast<Points>(Point::kScore), false, {}};
  return r;
}

template <class Args>
Args argsOf(const PluginArgs& args) {
  const auto* given = std::get_if<Args>(&args);
  return given != nullptr ? *given : Args();
}

// The rules of each plugin as this release has them.
std::unique_ptr<Plugin> makeNodeUnschedulable(const PluginArgs&, Handle&, std::string*) {
  return std::make_unique<Registered<NodeUnschedulable>>(nodeUnschedulable());
}

std::unique_ptr<Plugin> makeNodeName(const PluginArgs&, Handle&, std::string*) {
  return std::make_unique<Registered<NodeName>>(nodeName());
}

std::unique_ptr<Plugin> makeTaintToleration(const PluginArgs&, Handle&, std::string*) {
  TaintTolerationRules rules;
  rules.names_taint = true;
  return std::make_unique<Registered<TaintToleration>>(taintToleration(), rules);
}

std::unique_ptr<Plugin> makeOldNodeAffinity(const PluginArgs& args, Handle&, std::string* error) {
  NodeAffinityRules rules;
  rules.skips = false;
  rules.any_contradiction_rejects = true;
  return makeNodeAffinity<Registered<NodeAffinity>>(args, error, rules, nodeAffinity());
}

std::unique_ptr<Plugin> makeNodePorts(const PluginArgs&, Handle&, std::string*) {
  NodePortsRules rules;
  rules.skips = false;
  return std::make_unique<Registered<NodePorts>>(nodePorts(), rules);
}

std::unique_ptr<Plugin> makeOldNodeResourcesFit(const PluginArgs& args, Handle&, std::string* error) {
  FitRules rules;
  rules.by_container = true;
  rules.checks_zeros = true;
  rules.tells_unresolvable = false;
  return makeNodeResourcesFit<Registered<NodeResourcesFit>>(args, error, rules, nodeResourcesFit());
}

std::unique_ptr<Plugin> makeVolumeRestrictions(const PluginArgs&, Handle& handle, std::string*) {
  using ExclusiveClaims = VolumeRestrictionsRules::ExclusiveClaims;
  VolumeRestrictionsRules rules;
  rules.exclusive_claims =
      handle.gates().enabled("ReadWriteOncePod") ? ExclusiveClaims::kRejected : ExclusiveClaims::kIgnored;
  return std::make_unique<Registered<VolumeRestrictions>>(volumeRestrictions(), handle, rules);
}

template <InTreeDisk disk>
std::unique_ptr<Plugin> makeInTreeLimits(const PluginArgs&, Handle& handle, std::string*) {
  return std::make_unique<Registered<InTreeLimits>>(inTreeLimits(), disk, handle);
}

std::unique_ptr<Plugin> makeNodeVolumeLimits(const PluginArgs&, Handle& handle, std::string*) {
  NodeVolumeLimitsRules rules;
  rules.counts_inline = false;
  rules.counts_attachments = false;
  rules.reads_node = true;
  rules.migration = CsiMigration::kByGates;
  rules.asks_csi_node = true;
  rules.missing_claim = Code::kError;
  return std::make_unique<Registered<NodeVolumeLimits>>(nodeVolumeLimits(), handle, rules);
}

std::unique_ptr<Plugin> makeVolumeBinding(const PluginArgs& args, Handle& handle, std::string*) {
  VolumeBindingRules rules;
  rules.node_conflict = kReasonNodeConflictOld;
  rules.migration = CsiMigration::kByGates;
  rules.assume_texts = AssumeTexts::kType;
  rules.skips = false;
  rules.no_volumes = "no pod volumes found for node ";
  rules.timeout = "timed out waiting for the condition";
  rules.looks_at_deadline = true;
  rules.zero_timeout_forever = true;
  rules.scoring_gate = "VolumeCapacityPriority";
  rules.knows_attributes_classes = false;
  rules.needs_provisions = true;
  rules.scores_provisions = false;
  return std::make_unique<Registered<VolumeBinding>>(volumeBinding(), volumeBindingArgs(args, {{0, 0}, {100, 10}}),
                                                     handle, rules);
}

std::unique_ptr<Plugin> makeVolumeZone(const PluginArgs&, Handle& handle, std::string*) {
  VolumeZoneRules rules;
  rules.at_pre_filter = false;
  rules.later_names = false;
  return std::make_unique<Registered<VolumeZone>>(volumeZone(), handle, rules);
}

std::unique_ptr<Plugin> makePodTopologySpread(const PluginArgs& args, Handle& handle, std::string*) {
  SpreadRules rules;
  rules.skips = false;
  rules.merges_match_label_keys = false;
  rules.has_min_domains = handle.gates().enabled("MinDomainsInPodTopologySpread");
  rules.has_inclusion_policies = false;
  rules.empty_selector_counts = true;
  rules.pre_filter_error = "";
  return std::make_unique<Registered<PodTopologySpread>>(podTopologySpread(),
                                                         argsOf<config::PodTopologySpreadArgs>(args), handle, rules);
}

std::unique_ptr<Plugin> makeInterPodAffinity(const PluginArgs& args, Handle& handle, std::string*) {
  InterPodAffinityRules rules;
  rules.skips = false;
  return std::make_unique<Registered<InterPodAffinity>>(interPodAffinity(), argsOf<config::InterPodAffinityArgs>(args),
                                                        handle, rules);
}

std::unique_ptr<Plugin> makeDefaultPreemption(const PluginArgs& args, Handle& handle, std::string*) {
  return std::make_unique<Registered<DefaultPreemption>>(defaultPreemption(),
                                                         argsOf<config::DefaultPreemptionArgs>(args), handle);
}

std::unique_ptr<Plugin> makeBalancedAllocation(const PluginArgs& args, Handle&, std::string*) {
  BalancedAllocationRules rules;
  rules.by_container = true;
  rules.scores_change = false;
  rules.leaves_out_nothing = false;
  return std::make_unique<Registered<NodeResourcesBalancedAllocation>>(
      balancedAllocation(), argsOf<config::NodeResourcesBalancedAllocationArgs>(args), rules);
}

std::unique_ptr<Plugin> makeImageLocality(const PluginArgs&, Handle& handle, std::string*) {
  ImageLocalityRules rules;
  rules.containers_only = true;
  return std::make_unique<ImageLocality>(handle, rules);
}

}  // namespace

const std::vector<PluginFactory>& registryV1_24() {
  static const std::vector<PluginFactory> all = {
      {names::kPrioritySort, PrioritySort::kPoints, 0, newPrioritySort},
      {names::kNodeUnschedulable, nodeUnschedulable().points, 0, makeNodeUnschedulable},
      {names::kNodeName, nodeName().points, 0, makeNodeName},
      {names::kTaintToleration, taintToleration().points, 3, makeTaintToleration},
      {names::kNodeAffinity, nodeAffinity().points, 2, makeOldNodeAffinity},
      {names::kNodePorts, nodePorts().points, 0, makeNodePorts},
      {names::kNodeResourcesFit, nodeResourcesFit().points, 1, makeOldNodeResourcesFit},
      {names::kVolumeRestrictions, volumeRestrictions().points, 0, makeVolumeRestrictions},
      {names::kEBSLimits, inTreeLimits().points, 0, makeInTreeLimits<InTreeDisk::kEbs>},
      {names::kGCEPDLimits, inTreeLimits().points, 0, makeInTreeLimits<InTreeDisk::kGcePd>},
      {names::kNodeVolumeLimits, nodeVolumeLimits().points, 0, makeNodeVolumeLimits},
      {names::kAzureDiskLimits, inTreeLimits().points, 0, makeInTreeLimits<InTreeDisk::kAzureDisk>},
      {names::kVolumeBinding, volumeBinding().points, 1, makeVolumeBinding},
      {names::kVolumeZone, volumeZone().points, 0, makeVolumeZone},
      {names::kPodTopologySpread, podTopologySpread().points, 2, makePodTopologySpread},
      {names::kInterPodAffinity, interPodAffinity().points, 2, makeInterPodAffinity},
      {names::kDefaultPreemption, defaultPreemption().points, 0, makeDefaultPreemption},
      {names::kNodeResourcesBalancedAllocation, balancedAllocation().points, 1, makeBalancedAllocation},
      {names::kImageLocality, ImageLocality::kPoints, 1, makeImageLocality},
      {names::kDefaultBinder, DefaultBinder::kPoints, 0, newDefaultBinder},
      {names::kSelectorSpread, SelectorSpread::kPoints, 0, newSelectorSpread},
      {names::kCinderLimits, inTreeLimits().points, 0, makeInTreeLimits<InTreeDisk::kCinder>},
  };
  return all;
}

}  // namespace podberth::scheduler::plugins
