// A plugin's handle in tests: nothing behind it but what a test puts there.
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "core/scheduler/framework/handle.h"

namespace podberth::testkit {

// Remembers bindings and lets the test decide how they end.
class FakeClient : public scheduler::ApiClient {
 public:
  void bindPod(const api::Pod& pod, const std::string& node, Done done) override {
    bound.push_back(pod.key() + " to " + node);
    pending.push_back(std::move(done));
  }
  void patchPodStatus(const api::Pod&, const std::optional<api::PodCondition>&, const std::optional<std::string>&,
                      Done done) override {
    done(scheduler::ApiError::ok());
  }
  void deletePod(const api::Pod&, Done done) override { done(scheduler::ApiError::ok()); }
  scheduler::ApiError updatePersistentVolumeClaim(const api::PersistentVolumeClaim&,
                                                  api::PersistentVolumeClaimPtr*) override {
    return scheduler::ApiError::ok();
  }
  scheduler::ApiError updatePersistentVolume(const api::PersistentVolume&, api::PersistentVolumePtr*) override {
    return scheduler::ApiError::ok();
  }
  std::vector<std::string> bound;
  std::vector<Done> pending;
};

class FakeInformers : public informers::InformerFactory {
 public:
  void addEventHandler(api::Kind, informers::ResourceEventHandler) override {}
};

class FakeNominator : public scheduler::PodNominator {
 public:
  void addNominatedPod(const scheduler::PodInfoPtr&, const std::optional<scheduler::NominatingInfo>&) override {}
  void deleteNominatedPodIfExists(const api::Pod&) override {}
  std::vector<scheduler::PodInfoPtr> nominatedPodsForNode(api::Symbol) const override { return {}; }
};

class FakeHandle : public scheduler::Handle {
 public:
  const scheduler::Snapshot& snapshot() const override { return snapshot_; }
  const scheduler::Listers& listers() const override { return listers_; }
  scheduler::ApiClient& client() override { return fake_client; }
  informers::InformerFactory& informers() override { return informers_; }
  scheduler::PodNominator& nominator() override { return nominator_; }
  clock::EventLoop& loop() override { return loop_; }
  const scheduler::FeatureGates& gates() const override { return feature_gates; }
  scheduler::Lots& lots() override { return drawn; }
  std::string_view profileName() const override { return "default-scheduler"; }
  void event(const api::Pod&, std::string_view, const std::string&) override {}
  void logError(const std::string&, const std::string&, const std::string&) override {}
  void activate(const std::vector<api::PodPtr>&) override {}
  void moveAllToActiveOrBackoffQueue(const scheduler::ClusterEvent&, const api::ObjectPtr&,
                                     const api::ObjectPtr&) override {}
  scheduler::Status runFilterPluginsWithNominatedPods(scheduler::CycleState&, const scheduler::PodInfo&,
                                                      scheduler::NodeInfo&) override {
    return {};
  }
  scheduler::Status runPreFilterExtensionAddPod(scheduler::CycleState&, const scheduler::PodInfo&,
                                                const scheduler::PodInfo&, const scheduler::NodeInfo&) override {
    return {};
  }
  scheduler::Status runPreFilterExtensionRemovePod(scheduler::CycleState&, const scheduler::PodInfo&,
                                                   const scheduler::PodInfo&, const scheduler::NodeInfo&) override {
    return {};
  }
  scheduler::WaitingPod* waitingPod(const std::string&) override { return nullptr; }
  bool cancelPodInPreBind(const std::string&, const std::string&) override { return false; }

  FakeClient fake_client;
  scheduler::FeatureGates feature_gates;
  scheduler::Lots drawn;
  scheduler::Snapshot snapshot_;

 private:
  scheduler::Listers listers_;
  FakeInformers informers_;
  FakeNominator nominator_;
  clock::EventLoop loop_;
};

}  // namespace podberth::testkit
