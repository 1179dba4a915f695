// The scheduler's client, and what the rest of the cluster does when the scheduler writes: the binding of pods, the
// kubelet's start of them, and the volume controller. Upstream behaviours: pkg/registry/core/pod/storage/storage.go
// (BindingREST), pkg/controller/volume/persistentvolume.
#pragma once

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

 private:
  Server& server_;
  clock::EventLoop& loop_;
  trace::Recorder& recorder_;
  const scheduler::FeatureGates& gates_;
  clock::Duration write_latency_;
};

}  // namespace podberth::apiserver
