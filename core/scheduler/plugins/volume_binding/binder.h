// Decides for a pod and a node which volumes its claims get, keeps these decisions until the API server knows them, and
// sees to it that they come true. Upstream: pkg/scheduler/framework/plugins/volumebinding/binder.go.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/api/storage.h"
#include "core/scheduler/framework/handle.h"
#include "core/scheduler/plugins/helper/csi_translation.h"
#include "core/scheduler/plugins/volume_binding/assume_cache.h"
#include "core/scheduler/plugins/volume_binding/matching.h"

namespace podberth::scheduler::plugins {

inline constexpr const char* kReasonBindConflict = "node(s) didn't find available persistent volumes to bind";
inline constexpr const char* kReasonNodeConflict = "node(s) didn't match PersistentVolume's node affinity";
inline constexpr const char* kReasonNodeConflictOld = "node(s) had volume node affinity conflict";
inline constexpr const char* kReasonNotEnoughSpace = "node(s) did not have enough free storage";
inline constexpr const char* kReasonVolumeNotExist =
    "node(s) unavailable due to one or more pvc(s) bound to non-existent pv(s)";

struct VolumeBindingRules {
  const char* node_conflict = kReasonNodeConflict;
  CsiMigration migration = CsiMigration::kDone;
  AssumeTexts assume_texts = AssumeTexts::kResource;
  bool skips = true;                                         // pods without claims are passed by from PreFilter on
  const char* no_volumes = "no pod volume found for node ";  // followed by the node
  const char* timeout = "context deadline exceeded";
  bool looks_at_deadline = false;     // whether all is bound is asked a last time when the time is up
  bool zero_timeout_forever = false;  // no time to bind means all the time in the world
  const char* scoring_gate = "StorageCapacityScoring";
  bool knows_attributes_classes = true;
  bool needs_provisions = false;  // where Reserve is turned off, PreBind misses volumes to be made too
  bool scores_provisions = true;  // volumes that are to be made count where there are no others
};

struct StaticBinding {
  api::PersistentVolumeClaimPtr claim;
  api::PersistentVolumePtr volume;
};
struct DynamicProvision {
  api::PersistentVolumeClaimPtr claim;
  std::shared_ptr<const api::CSIStorageCapacity> node_capacity;  // null if none was looked for
};
// The decision for one node.
struct PodVolumes {
  std::vector<StaticBinding> bindings;
  std::vector<DynamicProvision> provisions;
  bool assumed = false;  // Reserve has taken it for a fact
};

// A pod's claims, sorted out, and what is looked up for them once and asked for every node.
struct PodClaims {
  std::vector<api::PersistentVolumeClaimPtr> bound;
  std::vector<api::PersistentVolumeClaimPtr> immediate;  // unbound, though they do not wait for a pod
  std::vector<WaitingClaim> waiting;
  std::map<std::string, std::vector<Candidate>> candidates;  // by storage class, for the waiting claims

  struct BoundVolume {
    explicit BoundVolume(api::PersistentVolumePtr v) : volume(std::move(v)) {}
    api::PersistentVolumePtr volume;  // null if there is none
    std::unique_ptr<VolumeAffinity> own;
    std::unique_ptr<VolumeAffinity> translated;  // as the CSI driver of an in-tree volume has it
  };
  std::map<std::string, BoundVolume> bound_volumes;  // by name; filled as asked for

  struct Capacity {
    std::shared_ptr<const api::CSIStorageCapacity> object;
    std::int64_t limit = 0;  // bytes
    api::Selector topology;
  };
  std::map<std::string, std::vector<Capacity>> capacities;  // by storage class; filled as asked for
};

// The binding of a pod's volumes under way.
struct BindRun {
  std::vector<StaticBinding> bindings;
  std::vector<api::PersistentVolumeClaimPtr> claims;
  std::size_t writes = 0;     // done so far
  bool write_waited = false;  // the next write has taken its time
  bool written = false;       // all are done; from then on:
  clock::Time next = 0;
  clock::Time deadline = 0;
};

class VolumeBinder {
 public:
  VolumeBinder(Handle& handle, clock::Duration bind_timeout, const VolumeBindingRules& rules = {});

  // Sorts out the pod's claims. An error if one is missing, or not the pod's.
  std::string claimsOf(const api::Pod& pod, PodClaims* claims) const;
  // The reasons why the pod's volumes cannot be had on the node; none: *volumes says how. Or an error.
  std::vector<std::string> find(PodClaims& claims, const api::Node& node, PodVolumes* volumes,
                                std::string* error) const;
  // Takes the decision for a fact. *all_bound: there was nothing to decide.
  std::string assume(const api::Pod& pod, const std::string& node, PodVolumes& volumes, bool* all_bound);
  void revert(const PodVolumes& volumes);

  // What is missing for that if Reserve was turned off; "" if nothing is.
  std::string missing(const api::Pod& pod, const PodVolumes& volumes) const;
  // What the API server has to be told: each binding, then each claim that waits for its volume.
  static BindRun start(const PodVolumes& volumes);
  static bool hasWrites(const BindRun& run) { return run.writes < run.bindings.size() + run.claims.size(); }
  // Tells it the next thing; on an error nothing is to be waited for.
  std::string writeNext(BindRun* run);
  // Whether all claims are bound by now.
  bool finished(const api::Pod& pod, const std::string& node, const BindRun& run, std::string* error) const;
  clock::Duration bindTimeout() const { return bind_timeout_; }

 private:
  // Whether the volume is to be seen as its CSI driver has it. An error if it cannot be.
  bool isTranslated(const api::PersistentVolume& volume, const api::CSINode* csi_node, std::string* error) const;
  VolumeAffinity affinityOf(const api::PersistentVolume& volume, const api::CSINode* csi_node,
                            std::string* error) const;
  bool isFullyBound(const api::Pod& pod, const api::Volume& volume) const;
  bool checkBound(PodClaims& claims, const api::Node& node, bool* found, std::string* error) const;
  bool checkProvisions(PodClaims& claims, const std::vector<api::PersistentVolumeClaimPtr>& to_provision,
                       const api::Node& node, bool* sufficient, PodVolumes* volumes, std::string* error) const;
  bool hasEnoughCapacity(PodClaims& claims, const api::PersistentVolumeClaim& claim, const api::StorageClass& of,
                         const api::Node& node, std::shared_ptr<const api::CSIStorageCapacity>* capacity) const;
  const std::vector<PodClaims::Capacity>& capacitiesOf(PodClaims& claims, const std::string& storage_class) const;

  Handle& handle_;
  VolumeBindingRules rules_;
  clock::Duration bind_timeout_;
  AttributesClasses attributes_classes_;
  AssumeCache<api::PersistentVolumeClaim> claims_;
  AssumeCache<api::PersistentVolume> volumes_;
};

}  // namespace podberth::scheduler::plugins
