// The scheduler's client, and what the rest of the cluster does when the scheduler writes: the binding of pods, the
// kubelet's start of them, and the volume controller. Upstream behaviours: pkg/registry/core/pod/storage/storage.go
// (BindingREST), pkg/controller/volume/persistentvolume, pkg/scheduler/util/utils.go (PatchPodStatus).
#pragma once

#include <memory>

#include "core/apiserver/server.h"
#include "core/scheduler/framework/handle.h"
#include "core/trace/recorder.h"

namespace podberth::apiserver {

class Client : public scheduler::ApiClient {
 public:
  // `write_latency` in nanoseconds: what each write to a pod takes before it waits for its turn.
  Client(Server& server, clock::EventLoop& loop, trace::Recorder& recorder, const scheduler::FeatureGates& gates,
         clock::Duration write_latency)
      : server_(server), loop_(loop), recorder_(recorder), gates_(gates), write_latency_(write_latency) {}

  void bindPod(const api::Pod& pod, const std::string& node, Done done) override;
  void patchPodStatus(const api::Pod& pod, const std::optional<api::PodCondition>& condition,
                      const std::optional<std::string>& nominated_node, Done done) override;
  void deletePod(const api::Pod& pod, Done done) override;
  scheduler::ApiError updatePersistentVolumeClaim(const api::PersistentVolumeClaim& claim,
                                                  api::PersistentVolumeClaimPtr* updated) override;
  scheduler::ApiError updatePersistentVolume(const api::PersistentVolume& volume,
                                             api::PersistentVolumePtr* updated) override;
  clock::Duration volumeWriteLatency() const override {
    return gates_.release().volume_writes == release::VolumeWrites::kTakeTime ? write_latency_ : 0;
  }

 private:
  using Write = std::function<scheduler::ApiError()>;
  // Does a write to a pod when it has taken its time and its turn has come.
  void later(const api::Pod& pod, const char* verb, Write write, Done done);
  scheduler::ApiError bind(const std::string& ns, const std::string& name, const std::string& uid,
                           const std::string& node);
  // Makes the volume that a claim waits for on its selected node, and binds the two.
  scheduler::ApiError provision(std::shared_ptr<api::PersistentVolumeClaim> claim);
  // Completes the binding of a volume that the scheduler has given to a claim.
  scheduler::ApiError bindVolume(std::shared_ptr<api::PersistentVolume> volume,
                                 std::shared_ptr<api::PersistentVolumeClaim> claim);

  Server& server_;
  clock::EventLoop& loop_;
  trace::Recorder& recorder_;
  const scheduler::FeatureGates& gates_;
  clock::Duration write_latency_;
};

}  // namespace podberth::apiserver
