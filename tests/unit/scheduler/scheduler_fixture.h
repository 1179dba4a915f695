// A scheduler with one plugin whose answers a test decides, and what it writes, publishes and logs.
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/scheduler/scheduler_impl.h"

namespace podberth::scheduler {

// Sorts by the time of arrival, rejects and scores nodes as a test says, and binds through the client.
class FakePlugin : public Plugin {
 public:
  explicit FakePlugin(Handle& handle) : handle_(handle) {}
  std::string_view name() const override { return "Fake"; }
  Points points() const override {
    return Point::kQueueSort | Point::kFilter | Point::kPostFilter | Point::kScore | Point::kReserve | Point::kPermit |
           Point::kBind;
  }
  bool less(const QueuedPodInfo& a, const QueuedPodInfo& b) const override { return a.timestamp < b.timestamp; }
  Status filter(CycleState&, const PodInfo&, const NodeInfo& node) override {
    ++filtered;
    const auto it = rejects.find(node.name().str());
    return it == rejects.end() ? Status() : it->second;
  }
  Status postFilter(CycleState&, const PodInfo&, const NodeToStatus&, PostFilterResult&) override {
    return Status(Code::kUnschedulable, "nobody to preempt");
  }
  Status score(CycleState&, const PodInfo&, const NodeInfo& node, std::int64_t& score) override {
    score = scores[node.name().str()];
    return {};
  }
  Status reserve(CycleState&, const api::PodPtr&, const std::string&) override { return reserve_status; }
  Status permit(CycleState&, const api::PodPtr&, const std::string&, clock::Duration& timeout) override {
    timeout = 2 * clock::kSecond;
    return permit_status;
  }
  void bind(CycleState&, const api::PodPtr& pod, const std::string& node, std::function<void(Status)> done) override {
    handle_.client().bindPod(
        *pod, node, [done](const ApiError& error) { done(error.failed ? Status::error(error.message) : Status()); });
  }

  std::map<std::string, Status> rejects;
  std::map<std::string, std::int64_t> scores;
  Status reserve_status, permit_status;
  int filtered = 0;

 private:
  Handle& handle_;
};

class FakeInformers : public informers::InformerFactory {
 public:
  void addEventHandler(api::Kind kind, informers::ResourceEventHandler handler) override {
    handlers[kind].push_back(std::move(handler));
  }
  std::map<api::Kind, std::vector<informers::ResourceEventHandler>> handlers;
};

class PodLister : public Lister<api::Pod> {
 public:
  std::shared_ptr<const api::Pod> get(std::string_view ns, std::string_view name) const override {
    const auto it = pods.find(std::string(ns) + "/" + std::string(name));
    return it == pods.end() ? nullptr : it->second;
  }
  std::vector<std::shared_ptr<const api::Pod>> list(std::string_view) const override { return {}; }
  std::map<std::string, api::PodPtr> pods;
};

// Writes down what it is told; answers at once.
class FakeClient : public ApiClient {
 public:
  void bindPod(const api::Pod& pod, const std::string& node, Done done) override {
    writes.push_back("bind " + pod.meta.name + " " + node);
    ApiError error;
    error.failed = !bind_error.empty();
    error.message = bind_error;
    done(error);
  }
  void patchPodStatus(const api::Pod& pod, const std::optional<api::PodCondition>& condition,
                      const std::optional<std::string>& nominated, Done done) override {
    std::string text = "patch " + pod.meta.name;
    if (condition.has_value()) text += " " + condition->reason + ": " + condition->message;
    if (nominated.has_value()) text += " nominated=" + *nominated;
    writes.push_back(text);
    done(ApiError::ok());
  }
  void deletePod(const api::Pod&, Done done) override { done(ApiError::ok()); }
  ApiError updatePersistentVolumeClaim(const api::PersistentVolumeClaim&, api::PersistentVolumeClaimPtr*) override {
    return ApiError::ok();
  }
  ApiError updatePersistentVolume(const api::PersistentVolume&, api::PersistentVolumePtr*) override {
    return ApiError::ok();
  }
  std::vector<std::string> writes;
  std::string bind_error;
};

class SchedulerTest : public ::testing::Test {
 protected:
  explicit SchedulerTest(const release::Release& release = release::newest()) : gates_(release) {}

  void SetUp() override {
    loop_.reset(clock::kEpoch);
    recorder_.points = false;
    listers_.pods = &pods_;
    Dependencies deps;
    deps.loop = &loop_;
    deps.recorder = &recorder_;
    deps.gates = &gates_;
    deps.lots = &lots_;
    deps.client = &client_;
    deps.informers = &informers_;
    deps.listers = &listers_;
    scheduler_ = std::make_unique<SchedulerImpl>(deps);
    config::Configuration config;
    config::Profile profile;
    profile.scheduler_name = "default-scheduler";
    config.profiles.push_back(profile);
    const auto make = [this](const config::Profile&, Framework& framework, config::ExpandedPlugins* expanded,
                             std::vector<std::unique_ptr<Plugin>>* plugins, std::string*) {
      auto plugin = std::make_unique<FakePlugin>(framework);
      plugin_ = plugin.get();
      plugins->push_back(std::move(plugin));
      for (auto* list : {&expanded->queue_sort, &expanded->filter, &expanded->post_filter, &expanded->reserve,
                         &expanded->permit, &expanded->bind, &expanded->all}) {
        list->push_back("Fake");
      }
      expanded->score.emplace_back("Fake", 1);
      return true;
    };
    ASSERT_EQ(scheduler_->init(config, make), "");
  }

  void addNode(const std::string& name) {
    auto node = std::make_shared<api::Node>();
    node->meta.name = name;
    for (auto& h : informers_.handlers[api::Kind::kNode]) h.on_add(node);
  }
  api::PodPtr addPod(const std::string& name) {
    auto pod = std::make_shared<api::Pod>();
    pod->meta.name = name;
    pod->meta.ns = "default";
    pod->meta.uid = "uid-" + name;
    pod->meta.resource_version = 1;
    pod->spec.scheduler_name = "default-scheduler";
    pods_.pods[pod->key()] = pod;
    for (auto& h : informers_.handlers[api::Kind::kPod]) h.on_add(pod);
    return pod;
  }
  const trace::Cycle& lastCycle() {
    const trace::Cycle* last = nullptr;
    for (const trace::Entry& e : recorder_.entries()) {
      if (e.type == trace::Type::kCycle) last = e.cycle.get();
    }
    return *last;
  }
  std::string events() {
    std::string out;
    for (const trace::Entry& e : recorder_.entries()) {
      if (e.type == trace::Type::kEvent) out += e.reason + ": " + e.message + "\n";
    }
    return out;
  }
  std::string logs() {
    std::string out;
    for (const trace::Entry& e : recorder_.entries()) {
      if (e.type == trace::Type::kLog) out += e.pod + " " + e.message + ": " + e.error + "\n";
    }
    return out;
  }

  clock::EventLoop loop_;
  trace::Recorder recorder_{loop_};
  FeatureGates gates_;
  Lots lots_;
  FakeClient client_;
  FakeInformers informers_;
  PodLister pods_;
  Listers listers_;
  FakePlugin* plugin_ = nullptr;
  std::unique_ptr<SchedulerImpl> scheduler_;
};

}  // namespace podberth::scheduler
