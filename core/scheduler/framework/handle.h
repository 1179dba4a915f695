// What a plugin may use. Upstream: framework.Handle.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/api/pod.h"
#include "core/api/storage.h"
#include "core/api/workload.h"
#include "core/clock/event_loop.h"
#include "core/informers/handler.h"
#include "core/release/release.h"
#include "core/scheduler/framework/lots.h"
#include "core/scheduler/framework/plugin.h"

namespace podberth::scheduler {

// Reads from an informer's store.
template <class T>
class Lister {
 public:
  virtual ~Lister() = default;
  // Null if there is none. `ns` is "" for kinds without a namespace.
  virtual std::shared_ptr<const T> get(std::string_view ns, std::string_view name) const = 0;
  // In the order of "namespace/name". "" = of all namespaces.
  virtual std::vector<std::shared_ptr<const T>> list(std::string_view ns = {}) const = 0;
};

struct Listers {
  const Lister<api::Pod>* pods = nullptr;
  const Lister<api::Node>* nodes = nullptr;
  const Lister<api::Namespace>* namespaces = nullptr;
  const Lister<api::PersistentVolume>* persistent_volumes = nullptr;
  const Lister<api::PersistentVolumeClaim>* persistent_volume_claims = nullptr;
  const Lister<api::StorageClass>* storage_classes = nullptr;
  const Lister<api::CSINode>* csi_nodes = nullptr;
  const Lister<api::CSIDriver>* csi_drivers = nullptr;
  const Lister<api::CSIStorageCapacity>* csi_storage_capacities = nullptr;
  const Lister<api::VolumeAttachment>* volume_attachments = nullptr;
  const Lister<api::PodDisruptionBudget>* pod_disruption_budgets = nullptr;
  const Lister<api::Service>* services = nullptr;
  const Lister<api::ReplicationController>* replication_controllers = nullptr;
  const Lister<api::ReplicaSet>* replica_sets = nullptr;
  const Lister<api::StatefulSet>* stateful_sets = nullptr;
  const Lister<api::OtherObject>* resource_claims = nullptr;
};

struct ApiError {
  bool failed = false;
  bool not_found = false;
  bool conflict = false;
  std::string message;
  static ApiError ok() { return {}; }
};

// The scheduler's way to write to the API server. Writes to pods take the scenario's write latency and then wait for
// their turn; the callback comes right after the write. Writes to other objects are done at once.
class ApiClient {
 public:
  virtual ~ApiClient() = default;
  using Done = std::function<void(const ApiError&)>;
  virtual void bindPod(const api::Pod& pod, const std::string& node, Done done) = 0;
  // Replaces conditions by type and sets status.nominatedNodeName if given (util.PatchPodStatus: only what differs from
  // `pod`'s own status is sent).
  virtual void patchPodStatus(const api::Pod& pod, const std::optional<api::PodCondition>& condition,
                              const std::optional<std::string>& nominated_node, Done done) = 0;
  virtual void deletePod(const api::Pod& pod, Done done) = 0;
  virtual ApiError updatePersistentVolumeClaim(const api::PersistentVolumeClaim& claim,
                                               api::PersistentVolumeClaimPtr* updated) = 0;
  virtual ApiError updatePersistentVolume(const api::PersistentVolume& volume, api::PersistentVolumePtr* updated) = 0;
  // How long to wait before each write to a volume or a claim, in releases in which that takes time.
  virtual clock::Duration volumeWriteLatency() const { return 0; }
};

class PodNominator {
 public:
  virtual ~PodNominator() = default;
  virtual void addNominatedPod(const PodInfoPtr& pod, const std::optional<NominatingInfo>& nominating) = 0;
  virtual void deleteNominatedPodIfExists(const api::Pod& pod) = 0;
  // Pods nominated to the node, in the order in which they were.
  virtual std::vector<PodInfoPtr> nominatedPodsForNode(api::Symbol node) const = 0;
};

// A pod that Permit made wait.
class WaitingPod {
 public:
  virtual ~WaitingPod() = default;
  virtual const api::PodPtr& pod() const = 0;
  virtual std::vector<std::string> pendingPlugins() const = 0;
  virtual void allow(std::string_view plugin) = 0;
  virtual bool reject(std::string_view plugin, const std::string& message) = 0;
  virtual bool preempt(std::string_view plugin, const std::string& message) = 0;
};

// A release and its feature gates, as they are set. Whoever has the gates knows the release too.
class FeatureGates {
 public:
  explicit FeatureGates(const release::Release& release = release::newest()) : release_(&release) {}
  const release::Release& release() const { return *release_; }
  bool enabled(std::string_view gate) const;
  // False, with upstream's text in *error, if the gate does not exist or is locked.
  bool set(std::string_view gate, bool on, std::string* error);
  // Sets several at once: what they need of each other is checked after all are set. Nothing is set on an error.
  bool setAll(const std::vector<std::pair<std::string, bool>>& gates, std::string* error);

 private:
  const release::Release* release_;
  std::vector<std::pair<std::string, bool>> set_;
};

class Handle {
 public:
  virtual ~Handle() = default;
  virtual const Snapshot& snapshot() const = 0;
  virtual const Listers& listers() const = 0;
  virtual ApiClient& client() = 0;
  virtual informers::InformerFactory& informers() = 0;
  virtual PodNominator& nominator() = 0;
  virtual clock::EventLoop& loop() = 0;
  virtual const FeatureGates& gates() const = 0;
  virtual std::string_view profileName() const = 0;
  // What the release leaves to chance.
  virtual Lots& lots() = 0;

  // Publishes an Event about a pod (recorded in the trace).
  virtual void event(const api::Pod& pod, std::string_view reason, const std::string& message) = 0;
  // An error that goes to the log.
  virtual void logError(const std::string& message, const std::string& error, const std::string& pod = {}) = 0;
  // Moves pods to activeQ (keys "namespace/name").
  virtual void activate(const std::vector<api::PodPtr>& pods) = 0;
  virtual void moveAllToActiveOrBackoffQueue(const ClusterEvent& event, const api::ObjectPtr& old_object,
                                             const api::ObjectPtr& new_object) = 0;

  virtual Status runFilterPluginsWithNominatedPods(CycleState& state, const PodInfo& pod, NodeInfo& node) = 0;
  virtual Status runPreFilterExtensionAddPod(CycleState& state, const PodInfo& pod, const PodInfo& to_add,
                                             const NodeInfo& node) = 0;
  virtual Status runPreFilterExtensionRemovePod(CycleState& state, const PodInfo& pod, const PodInfo& to_remove,
                                                const NodeInfo& node) = 0;
  // Null if no such pod waits (by uid).
  virtual WaitingPod* waitingPod(const std::string& uid) = 0;
  // A pod in its PreBind: true if it could still be cancelled.
  virtual bool cancelPodInPreBind(const std::string& uid, const std::string& reason) = 0;
};

}  // namespace podberth::scheduler
