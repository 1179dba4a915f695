// Runs a profile's plugins at the extension points. Upstream: pkg/scheduler/framework/runtime/framework.go.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/scheduler/config/expand.h"
#include "core/scheduler/framework/batch.h"
#include "core/scheduler/framework/extender.h"
#include "core/scheduler/framework/handle.h"
#include "core/scheduler/framework/plugin.h"
#include "core/scheduler/framework/sorted_nodes.h"
#include "core/scheduler/framework/waiting_pods.h"
#include "core/trace/recorder.h"

namespace podberth::scheduler {

// Scores of nodes. Buffers are kept from one use to the next.
struct ScoreTable {
  std::vector<NodeInfo*> nodes;
  std::vector<std::size_t> plugins;           // that scored: positions in Framework::scorePlugins()
  std::vector<std::vector<NodeScore>> lists;  // by position in `plugins`; normalised, not yet weighted
  std::vector<std::int64_t> raw;              // row by node, column by position in Framework::scorePlugins()
  std::vector<std::int64_t> totals;           // by node
};

// What all profiles of a scheduler share. Everything must outlive the frameworks.
struct FrameworkShared {
  const Snapshot* snapshot = nullptr;
  const Listers* listers = nullptr;
  ApiClient* client = nullptr;
  informers::InformerFactory* informers = nullptr;
  clock::EventLoop* loop = nullptr;
  trace::Recorder* recorder = nullptr;
  const FeatureGates* gates = nullptr;
  Lots* lots = nullptr;
  Extenders extenders;
  WaitingPods* waiting_pods = nullptr;
  PodsInPreBind* pods_in_pre_bind = nullptr;
  // Set before the first pod comes.
  PodNominator* nominator = nullptr;
  std::function<void(const std::vector<api::PodPtr>&)> activate;
  std::function<void(const ClusterEvent&, const api::ObjectPtr&, const api::ObjectPtr&)> move_all;
  // The pod ("namespace/name") that the scheduler is busy with: log entries that name none are about it.
  std::string current_pod;
  // Nothing is recorded: somebody only wants to know what would be.
  bool quiet = false;
};

class Framework final : public Handle {
 public:
  struct ScorePlugin {
    Plugin* plugin = nullptr;
    std::int64_t weight = 1;
    std::size_t index = 0;  // in the profile's list of plugins
  };

  Framework(std::string profile_name, std::optional<std::int32_t> percentage_of_nodes_to_score,
            FrameworkShared& shared);

  // `plugins` are those of expanded.all, in that order, made with this framework as their handle.
  void setPlugins(const config::ExpandedPlugins& expanded, std::vector<std::unique_ptr<Plugin>> plugins);

  const std::optional<std::int32_t>& percentageOfNodesToScore() const { return percentage_; }
  bool hasFilterPlugins() const { return !filter_.empty(); }
  bool hasPostFilterPlugins() const { return !post_filter_.empty(); }
  bool hasScorePlugins() const { return !score_.empty(); }
  const std::vector<ScorePlugin>& scorePlugins() const { return score_; }
  std::vector<Plugin*> preEnqueuePlugins() const;
  std::vector<Plugin*> filterPlugins() const;
  // Whether Filter passes the plugin by because of what it said in PreFilter.
  bool skipsFilter(const CycleState& state, std::size_t filter_plugin) const {
    return state.skip_filter[filter_[filter_plugin].index];
  }
  Plugin* queueSort() const { return queue_sort_.empty() ? nullptr : queue_sort_.front().plugin; }
  // Plugins that may reject pods for good (at PreEnqueue, PreFilter, Filter, Reserve or Permit): their events count.
  std::vector<const Plugin*> enqueueExtensions() const;
  std::vector<const Plugin*> allPlugins() const;

  // What two pods have in common that get the same answers; nullopt if that cannot be said of the pod.
  std::optional<std::string> signPod(const api::Pod& pod) const;
  OpportunisticBatch& batch() { return batch_; }
  const Extenders& extenders() const { return shared_.extenders; }

  // `plugins_with_nodes`: plugins that narrowed the nodes, sorted (none, unless stated so upstream, on a failure).
  Status runPreFilter(CycleState& state, const PodInfo& pod, PreFilterResult& result,
                      std::vector<std::string>& plugins_with_nodes);
  Status runFilter(CycleState& state, const PodInfo& pod, const NodeInfo& node);
  Status runPostFilter(CycleState& state, const PodInfo& pod, const NodeToStatus& statuses, PostFilterResult& result);
  Status runPreScore(CycleState& state, const PodInfo& pod, const std::vector<NodeInfo*>& nodes);
  // Scores table.nodes.
  Status runScore(CycleState& state, const PodInfo& pod, ScoreTable& table);
  // The raw scores of one node, a column each; columns of plugins that are skipped are left alone.
  Status runRawScore(CycleState& state, const PodInfo& pod, const NodeInfo& node, std::int64_t* row);
  // Normalises and weighs the raw scores of `table` anew.
  Status normalizeScores(CycleState& state, const PodInfo& pod, ScoreTable& table);

  Status runReserve(CycleState& state, const api::PodPtr& pod, const std::string& node);
  void runUnreserve(CycleState& state, const api::PodPtr& pod, const std::string& node);
  // Wait: `waits` says for which plugins and how long at most.
  Status runPermit(CycleState& state, const api::PodPtr& pod, const std::string& node,
                   std::map<std::string, clock::Duration>& waits);
  void addWaitingPod(const api::PodPtr& pod, const std::map<std::string, clock::Duration>& waits);
  bool willWaitOnPermit(const api::Pod& pod) const;
  void waitOnPermit(const api::Pod& pod, std::function<void(const Status&)> done);
  bool rejectWaitingPod(const std::string& uid);
  Status runPreBindPreFlight(CycleState& state, const api::PodPtr& pod, const std::string& node);
  // Calls `done` once, at once or when the plugins have done waiting. `cancelable`: preemption may stop it.
  void runPreBind(const std::shared_ptr<CycleState>& state, const api::PodPtr& pod, const std::string& node,
                  bool cancelable, std::function<void(const Status&)> done);
  void runBind(const std::shared_ptr<CycleState>& state, const api::PodPtr& pod, const std::string& node,
               std::function<void(const Status&)> done);
  void runPostBind(CycleState& state, const api::PodPtr& pod, const std::string& node);
  bool markPrebound(const std::string& uid, std::string* reason) {
    return shared_.pods_in_pre_bind->markPrebound(uid, reason);
  }
  void removePodInPreBind(const std::string& uid) { shared_.pods_in_pre_bind->remove(uid); }

  // Tells the trace that an extension point has run for a pod.
  void recordPoint(const api::Pod& pod, std::string_view point, const Status& status, std::string_view plugin = {});

  // Handle.
  const Snapshot& snapshot() const override { return *shared_.snapshot; }
  const Listers& listers() const override { return *shared_.listers; }
  ApiClient& client() override { return *shared_.client; }
  informers::InformerFactory& informers() override { return *shared_.informers; }
  PodNominator& nominator() override { return *shared_.nominator; }
  clock::EventLoop& loop() override { return *shared_.loop; }
  const FeatureGates& gates() const override { return *shared_.gates; }
  std::string_view profileName() const override { return profile_name_; }
  Lots& lots() override { return *shared_.lots; }
  void event(const api::Pod& pod, std::string_view reason, const std::string& message) override;
  void logError(const std::string& message, const std::string& error, const std::string& pod = {}) override;
  void activate(const std::vector<api::PodPtr>& pods) override;
  void moveAllToActiveOrBackoffQueue(const ClusterEvent& event, const api::ObjectPtr& old_object,
                                     const api::ObjectPtr& new_object) override;
  Status runFilterPluginsWithNominatedPods(CycleState& state, const PodInfo& pod, NodeInfo& node) override;
  Status runPreFilterExtensionAddPod(CycleState& state, const PodInfo& pod, const PodInfo& to_add,
                                     const NodeInfo& node) override;
  Status runPreFilterExtensionRemovePod(CycleState& state, const PodInfo& pod, const PodInfo& to_remove,
                                        const NodeInfo& node) override;
  WaitingPod* waitingPod(const std::string& uid) override;
  bool cancelPodInPreBind(const std::string& uid, const std::string& reason) override;

 private:
  struct Entry {
    Plugin* plugin = nullptr;
    std::size_t index = 0;  // in plugins_, and so in the skip sets
    std::string name;
    bool pre_filter_extensions = false;
    // Filter: the plugin's last rejection, and the same with the plugin's name on it.
    Status rejection;
    Status named_rejection;
  };
  class PreBindRun;

  // runtime_v1_24.cpp: PreFilter as it was before plugins could be skipped and before all were asked.
  Status runPreFilterV1_24(CycleState& state, const PodInfo& pod, PreFilterResult& result);
  // Whether plugins of this release may reject a pod at Reserve, PreBind and Bind, where others only know errors.
  bool rejectsEverywhere() const { return shared_.gates->release().framework != release::FrameworkRules::kV1_24; }
  // The log's words for a plugin that failed.
  std::string failedText(std::string_view what) const {
    return rejectsEverywhere() ? "Plugin failed" : "Failed running " + std::string(what);
  }

  std::vector<Entry> entriesOf(const std::vector<std::string>& names) const;
  std::size_t indexOf(const std::string& name) const;
  Status reject(Entry& entry, const Status& status);
  void bindWith(std::size_t next, const std::shared_ptr<CycleState>& state, const api::PodPtr& pod,
                const std::string& node, std::function<void(const Status&)> done);

  std::string profile_name_;
  std::optional<std::int32_t> percentage_;
  FrameworkShared& shared_;
  std::vector<std::unique_ptr<Plugin>> plugins_;
  std::vector<Entry> pre_enqueue_, queue_sort_, pre_filter_, filter_, post_filter_, pre_score_, reserve_, permit_,
      pre_bind_, bind_, post_bind_;
  std::vector<ScorePlugin> score_;
  std::vector<const Plugin*> signers_;
  bool can_sign_ = false;
  OpportunisticBatch batch_;
};

}  // namespace podberth::scheduler
