// The parts of the scheduler; each of the files beside this one implements one of them.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/scheduler/cache/cache.h"
#include "core/scheduler/extender.h"
#include "core/scheduler/framework/runtime.h"
#include "core/scheduler/queue/pod_queue.h"
#include "core/scheduler/scheduler.h"

namespace podberth::scheduler {

class SchedulerImpl final : public Scheduler {
 public:
  explicit SchedulerImpl(const Dependencies& deps);
  ~SchedulerImpl() override;

  // A profile's plugins in the order of expanded.all, made with `framework` as their handle; null with the error's
  // text.
  using MakePlugins =
      std::function<bool(const config::Profile& profile, Framework& framework, config::ExpandedPlugins* expanded,
                         std::vector<std::unique_ptr<Plugin>>* plugins, std::string* error)>;
  // Makes the profiles, the queue and the event handlers. Returns the error's text, "" if all went well.
  std::string init(const config::Configuration& config, const MakePlugins& make_plugins);

  void run() override { queue_->run(); }
  bool poppable() const override { return queue_->poppable(); }
  bool scheduleOne() override;
  std::vector<QueuedPodView> activeQ() const override;
  std::vector<QueuedPodView> backoffQ() const override;
  std::vector<QueuedPodView> unschedulablePods() const override;
  trace::Queues queues() const override { return queue_->queues(); }

  Cache& cache() { return cache_; }
  PodQueue& queue() { return *queue_; }

 private:
  // What a scheduling cycle came to.
  struct Result {
    std::string host;
    int evaluated = 0;
    int feasible = 0;
    bool detailed = false;               // whether the trace wants to know `looked_at`
    std::vector<api::Symbol> looked_at;  // the nodes that were evaluated, if not all were
    api::Symbol hint;
    std::optional<NominatingInfo> nominating;
  };
  // Why schedulePod found no node: none fits (fit), there are none (no_nodes), or an error (text).
  struct Failure {
    bool failed = false;
    bool no_nodes = false;
    std::shared_ptr<FitError> fit;
    std::string text;
  };
  // A pod on its way to its node.
  struct Binding {
    Framework* framework = nullptr;
    std::shared_ptr<CycleState> state;
    QueuedPodInfoPtr info;  // with the assumed pod
    std::string host;
    bool pre_bind = false;  // some PreBind plugin has work to do
    const api::PodPtr& pod() const { return info->info->pod; }
  };
  using BindingPtr = std::shared_ptr<Binding>;
  // What v1.24 does in another way.
  class V1_24;
  // How a release goes about it: chosen once, by its CycleRules (way.cpp).
  struct Way {
    void (*schedule_one)(SchedulerImpl& scheduler, const QueuedPodInfoPtr& info);
    Failure (*schedule_pod)(SchedulerImpl& scheduler, Framework& framework, CycleState& state,
                            const QueuedPodInfo& info, Result& result);
    void (*add_event_handlers)(SchedulerImpl& scheduler, const std::map<EventResource, std::int64_t>& resources);
    // After an ignorable extender has failed to bind the next one is asked.
    bool passes_over_failed_binders;
  };
  static const Way& wayOf(release::CycleRules rules);
  // While it lives, log entries that name no pod are about this one.
  class LogScope;

  // schedule_one.cpp: the scheduling cycle.
  void scheduleOnePod(const QueuedPodInfoPtr& info);
  Framework* frameworkFor(const api::Pod& pod);
  bool skipPod(Framework& framework, const api::Pod& pod);
  Status schedulingCycle(Framework& framework, const std::shared_ptr<CycleState>& state, const QueuedPodInfoPtr& info,
                         Result& result, QueuedPodInfoPtr& assumed);
  Status schedulingAlgorithm(Framework& framework, CycleState& state, const QueuedPodInfo& info, Result& result);
  Failure recordedSchedulePod(Framework& framework, CycleState& state, const QueuedPodInfo& info, Result& result);
  Failure schedulePod(Framework& framework, CycleState& state, const QueuedPodInfo& info, Result& result);
  // Counts the feasible and the rejected nodes and, where the trace wants it, names them.
  void noteEvaluated(const std::vector<NodeToStatus::Entry>& rejected, Result& result) const;
  Status findNodesThatFit(Framework& framework, CycleState& state, const QueuedPodInfo& info, Diagnosis& diagnosis,
                          api::Symbol& hint);
  void evaluateNominatedNode(Framework& framework, CycleState& state, const PodInfo& pod, api::Symbol hint,
                             Diagnosis& diagnosis);
  Status findNodesThatPassFilters(Framework& framework, CycleState& state, const PodInfo& pod, Diagnosis& diagnosis,
                                  const std::vector<NodeInfo*>& nodes);
  Status findNodesThatPassExtenders(const PodInfo& pod, Diagnosis& diagnosis);
  bool anyExtender(bool (Extender::*can)() const) const;
  std::int32_t nodesToFind(const Framework& framework, std::int32_t all) const;
  Status prioritize(Framework& framework, CycleState& state, const PodInfo& pod);
  Status assumeAndReserve(Framework& framework, CycleState& state, const QueuedPodInfoPtr& info,
                          const std::string& host, QueuedPodInfoPtr& assumed);
  Status assume(Framework& framework, const QueuedPodInfo& info, const std::string& host, QueuedPodInfoPtr& assumed);
  Status rejectedByHost(const Status& status, const std::string& host) const;
  std::string unreserveAndForget(Framework& framework, CycleState& state, const api::PodPtr& pod,
                                 const std::string& host);

  // binding_cycle.cpp: from the host to the bound pod. What waits goes on through the event loop.
  void startBinding(const BindingPtr& binding);
  void waitOnPermit(const BindingPtr& binding);
  void preBind(const BindingPtr& binding);
  void bind(const BindingPtr& binding);
  // Asks the extenders that bind, from the one at `next` on; if none does, the plugins.
  void bindWithExtenders(const BindingPtr& binding, std::size_t next, const std::function<void(const Status&)>& done);
  void bindingFailed(const BindingPtr& binding, const Status& status);

  // failure.cpp: what becomes of a pod that was not scheduled. Calls `then` when all has been said and written.
  void handleFailure(Framework& framework, const QueuedPodInfo& info, const Status& status,
                     const std::optional<NominatingInfo>& nominating, std::function<void()> then);
  // Sends what has changed in the pod's status, if anything; `done` gets the error.
  void updatePod(const api::PodPtr& pod, std::optional<api::PodCondition> condition,
                 const std::optional<NominatingInfo>& nominating, std::function<void(const ApiError&)> done);

  // event_handlers.cpp: what the informers say.
  void addEventHandlers(const std::map<EventResource, std::int64_t>& resources);
  void onNodeAdd(const api::NodePtr& node);
  void onNodeUpdate(const api::NodePtr& old_node, const api::NodePtr& new_node);
  void onNodeDelete(const api::NodePtr& node);
  void onPodAdd(const api::PodPtr& pod);
  void onPodUpdate(const api::PodPtr& old_pod, const api::PodPtr& new_pod);
  void onPodDelete(const api::PodPtr& pod, bool final_state_unknown);
  void addAssignedPod(const api::PodPtr& pod);
  void updateAssignedPod(const api::PodPtr& old_pod, const api::PodPtr& new_pod);
  void deleteAssignedPod(const api::PodPtr& pod);
  void updateQueuedPod(const api::PodPtr& old_pod, const api::PodPtr& new_pod);
  void deleteQueuedPod(const api::PodPtr& pod, bool in_binding);
  void assumedPodDeleted(const api::PodPtr& event_pod);
  bool responsibleFor(const api::Pod& pod) const {
    return frameworks_.find(pod.spec.scheduler_name) != frameworks_.end();
  }

  void log(const std::string& message, const std::string& error, const std::string& pod = {});
  QueuedPodView view(const QueuedPodInfo& info) const;

  Dependencies deps_;
  const Way& way_;
  WaitingPods waiting_pods_;
  PodsInPreBind pods_in_pre_bind_;
  Snapshot snapshot_;
  FrameworkShared shared_;
  Cache cache_;
  std::vector<std::unique_ptr<Extender>> extenders_;
  std::map<std::string, std::unique_ptr<Framework>> frameworks_;  // by profile
  std::unique_ptr<PodQueue> queue_;
  std::string snapshot_error_;  // of the attempt under way
  std::int32_t percentage_of_nodes_to_score_ = 0;
  bool batching_ = false;
  bool nominated_node_for_expectation_ = false;
  std::size_t next_start_ = 0;  // where the next cycle begins to look at nodes
  trace::Recorder* recorder_ = nullptr;
  std::shared_ptr<trace::Cycle> cycle_;  // of the cycle under way

  // Buffers, kept from cycle to cycle.
  std::vector<NodeInfo*> feasible_;
  std::vector<NodeInfo*> candidates_;
  std::vector<std::unique_ptr<NodeInfo>> bare_nodes_;  // that extenders have sent back in this cycle
  ScoreTable scores_;
};

class SchedulerImpl::LogScope {
 public:
  LogScope(SchedulerImpl& scheduler, const api::Pod& pod) : current_(scheduler.shared_.current_pod), before_(current_) {
    current_ = pod.key();
  }
  ~LogScope() { current_ = before_; }
  LogScope(const LogScope&) = delete;
  LogScope& operator=(const LogScope&) = delete;

 private:
  std::string& current_;
  std::string before_;
};

// The kind of object whose informer tells of events on the resource; nullopt if the resource is not simulated, or has
// handlers of its own (pods and nodes).
std::optional<api::Kind> informerKindOf(EventResource resource);

// The text of an Event, cut to what the API server takes.
std::string truncatedNote(const std::string& message);

// No node is left of a nomination.
inline NominatingInfo clearNominatedNode() { return {NominatingMode::kOverride, {}}; }

inline constexpr const char* kNoNodesAvailable = "no nodes available to schedule pods";

}  // namespace podberth::scheduler
