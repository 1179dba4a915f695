#include "core/scheduler/plugins/volume_restrictions/volume_restrictions.h"

#include <algorithm>
#include <set>

#include "core/scheduler/plugins/helper/volumes.h"

namespace podberth::scheduler::plugins {
namespace {

constexpr const char* kReadWriteOncePod = "ReadWriteOncePod";
constexpr const char* kNoFilterState = "cannot read \"PreFilterVolumeRestrictions\" from cycleState";

struct FilterState : StateData {
  std::set<std::string> exclusive_claims;  // names of the pod's ReadWriteOncePod claims
  int uses = 0;                            // of these claims by other pods
  std::shared_ptr<StateData> clone() const override { return std::make_shared<FilterState>(*this); }

  // Upstream looks at the names alone: a claim of the same name in another namespace counts.
  void count(const api::Pod& pod, int times) {
    for (const api::Volume& volume : pod.spec.volumes) {
      if (volume.persistent_volume_claim && exclusive_claims.count(volume.persistent_volume_claim->claim_name) != 0) {
        uses += times;
      }
    }
  }
};
constexpr StateKey<FilterState> kFilterState{"PreFilterVolumeRestrictions"};

bool isKnownDisk(const api::Volume& v) {
  return v.gce_persistent_disk || v.aws_elastic_block_store || v.rbd || v.iscsi;
}

bool haveOverlap(const std::vector<std::string>& a, const std::vector<std::string>& b) {
  for (const std::string& text : a) {
    if (std::find(b.begin(), b.end(), text) != b.end()) return true;
  }
  return false;
}

bool conflictWithAnyOf(const api::Pod& pod, const std::vector<PodInfoPtr>& others) {
  for (const api::Volume& volume : pod.spec.volumes) {
    if (!isKnownDisk(volume)) continue;
    for (const PodInfoPtr& other : others) {
      if (disksConflict(volume, *other->pod)) return true;
    }
  }
  return false;
}

HintResult afterAssignedPodDelete(const api::Pod& pod, const api::Object* old_object, const api::Object*) {
  const api::Pod* deleted = api::as<api::Pod>(old_object);
  if (deleted->meta.ns != pod.meta.ns) return HintResult::skip();
  for (const api::Volume& volume : pod.spec.volumes) {
    if (isKnownDisk(volume) && disksConflict(volume, *deleted)) return HintResult::queue();
  }
  // Whether the claim that both use is a ReadWriteOncePod one is not looked up.
  for (const api::Volume& volume : pod.spec.volumes) {
    if (!volume.persistent_volume_claim) continue;
    for (const api::Volume& freed : deleted->spec.volumes) {
      if (freed.persistent_volume_claim &&
          freed.persistent_volume_claim->claim_name == volume.persistent_volume_claim->claim_name) {
        return HintResult::queue();
      }
    }
  }
  return HintResult::skip();
}

HintResult afterClaimAdd(const api::Pod& pod, const api::Object*, const api::Object* new_object) {
  const auto* claim = api::as<api::PersistentVolumeClaim>(new_object);
  return usesClaim(pod, *claim, false) ? HintResult::queue() : HintResult::skip();
}

}  // namespace

bool disksConflict(const api::Volume& volume, const api::Pod& pod) {
  for (const api::Volume& other : pod.spec.volumes) {
    if (volume.gce_persistent_disk && other.gce_persistent_disk) {
      const auto& a = *volume.gce_persistent_disk;
      const auto& b = *other.gce_persistent_disk;
      if (a.pd_name == b.pd_name && !(a.read_only && b.read_only)) return true;
    }
    if (volume.aws_elastic_block_store && other.aws_elastic_block_store &&
        volume.aws_elastic_block_store->volume_id == other.aws_elastic_block_store->volume_id) {
      return true;
    }
    if (volume.iscsi && other.iscsi) {
      if (volume.iscsi->iqn == other.iscsi->iqn && !(volume.iscsi->read_only && other.iscsi->read_only)) return true;
    }
    if (volume.rbd && other.rbd) {
      const auto& a = *volume.rbd;
      const auto& b = *other.rbd;
      if (haveOverlap(a.monitors, b.monitors) && a.pool == b.pool && a.image == b.image &&
          !(a.read_only && b.read_only)) {
        return true;
      }
    }
  }
  return false;
}

VolumeRestrictions::VolumeRestrictions(Handle& handle, const VolumeRestrictionsRules& rules)
    : handle_(handle),
      rules_(rules),
      disk_conflict_(Status(Code::kUnschedulable, kReasonDiskConflict).withPlugin(names::kVolumeRestrictions)),
      claim_conflict_(
          Status(Code::kUnschedulable, kReasonReadWriteOncePodConflict).withPlugin(names::kVolumeRestrictions)) {}

std::vector<ClusterEventWithHint> VolumeRestrictions::eventsToRegister() const {
  return {{ClusterEvent{EventResource::kAssignedPod, action::kDelete, {}}, afterAssignedPodDelete},
          {ClusterEvent{EventResource::kNode, action::kAdd, {}}, nullptr},
          {ClusterEvent{EventResource::kPersistentVolumeClaim, action::kAdd, {}}, afterClaimAdd}};
}

Status VolumeRestrictions::preFilter(CycleState& state, const PodInfo& pod_info, const std::vector<NodeInfo*>& nodes,
                                     PreFilterResult&) {
  using ExclusiveClaims = VolumeRestrictionsRules::ExclusiveClaims;
  if (rules_.exclusive_claims == ExclusiveClaims::kIgnored) return {};
  const api::Pod& pod = *pod_info.pod;
  auto filter_state = std::make_shared<FilterState>();
  bool has_disk = false;
  for (const api::Volume& volume : pod.spec.volumes) {
    if (isKnownDisk(volume)) has_disk = true;
    if (!volume.persistent_volume_claim) continue;
    const std::string& name = volume.persistent_volume_claim->claim_name;
    const api::PersistentVolumeClaimPtr claim = handle_.listers().persistent_volume_claims->get(pod.meta.ns, name);
    if (claim == nullptr) return Status(Code::kUnschedulableAndUnresolvable, notFoundText(kClaimResource, name));
    const std::vector<std::string>& modes = claim->spec.access_modes;
    if (std::find(modes.begin(), modes.end(), kReadWriteOncePod) != modes.end()) {
      filter_state->exclusive_claims.insert(name);
    }
  }
  if (rules_.exclusive_claims == ExclusiveClaims::kRejected) {
    for (const std::string& name : filter_state->exclusive_claims) {
      const std::string claim = pod.meta.ns + "/" + name;
      for (const NodeInfo* node : nodes) {
        if (node->pvc_ref_counts.of(claim) <= 0) continue;
        return Status(Code::kUnschedulableAndUnresolvable, kReasonReadWriteOncePodElsewhere);
      }
    }
    return {};
  }
  for (const std::string& name : filter_state->exclusive_claims) {
    if (handle_.snapshot().isPVCUsedByPods(pod.meta.ns + "/" + name)) ++filter_state->uses;
  }
  if (!has_disk && filter_state->uses == 0) return Status(Code::kSkip);
  state.write(kFilterState, std::move(filter_state));
  return {};
}

Status VolumeRestrictions::addPod(CycleState& state, const PodInfo&, const PodInfo& to_add, const NodeInfo&) {
  FilterState* filter_state = state.read(kFilterState);
  if (filter_state == nullptr) return Status::error(kNoFilterState);
  filter_state->count(*to_add.pod, 1);
  return {};
}

Status VolumeRestrictions::removePod(CycleState& state, const PodInfo&, const PodInfo& to_remove, const NodeInfo&) {
  FilterState* filter_state = state.read(kFilterState);
  if (filter_state == nullptr) return Status::error(kNoFilterState);
  filter_state->count(*to_remove.pod, -1);
  return {};
}

Status VolumeRestrictions::filter(CycleState& state, const PodInfo& pod, const NodeInfo& node) {
  if (conflictWithAnyOf(*pod.pod, node.pods)) return disk_conflict_;
  if (rules_.exclusive_claims != VolumeRestrictionsRules::ExclusiveClaims::kPreemptible) return {};
  const FilterState* filter_state = state.read(kFilterState);
  if (filter_state == nullptr) return Status::error(kNoFilterState);
  return filter_state->uses > 0 ? claim_conflict_ : Status();
}

std::vector<SignFragment> VolumeRestrictions::sign(const api::Pod& pod, bool& signable) const {
  return signVolumes(pod, signable);
}

std::unique_ptr<Plugin> newVolumeRestrictions(const config::PluginArgs&, Handle& handle, std::string*) {
  return std::make_unique<VolumeRestrictions>(handle);
}

}  // namespace podberth::scheduler::plugins
