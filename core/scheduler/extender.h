// Extenders as the scheduler uses them: made from its configuration, asked one after the other. Upstream:
// pkg/scheduler/extender.go; buildExtenders in pkg/scheduler/scheduler.go; findNodesThatPassExtenders and
// prioritizeNodes in pkg/scheduler/schedule_one.go.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/scheduler/config/extender.h"
#include "core/scheduler/config/types.h"
#include "core/scheduler/extender_rules.h"
#include "core/scheduler/framework/extender.h"
#include "core/scheduler/framework/runtime.h"
#include "core/scheduler/framework/status.h"

namespace podberth::scheduler {

// The extenders' scores are of 0 to 10, the scheduler's of 0 to 100.
inline constexpr std::int64_t kMaxExtenderPriority = 10;

// An extender of the configuration, with the rules by which its server answers. Every call is told to the trace, unless
// `shared` says quiet.
class HttpExtender final : public Extender {
 public:
  // `shared` must outlive the extender.
  HttpExtender(config::Extender config, ExtenderServer server, const FrameworkShared& shared)
      : config_(std::move(config)), server_(std::move(server)), shared_(shared) {}

  const std::string& name() const override { return server_.name; }
  bool isIgnorable() const override { return config_.ignorable; }
  bool isInterested(const api::Pod& pod) const override;
  bool isFilter() const override { return !config_.filter_verb.empty(); }
  bool isPrioritizer() const override { return !config_.prioritize_verb.empty(); }
  bool isBinder() const override { return !config_.bind_verb.empty(); }
  bool supportsPreemption() const override { return !config_.preempt_verb.empty(); }
  bool isNodeCacheCapable() const override { return config_.node_cache_capable; }
  std::int64_t weight() const override { return config_.weight; }

  Filtered filter(const api::Pod& pod, const std::vector<NodeInfo*>& nodes) override;
  Scored prioritize(const api::Pod& pod, const std::vector<NodeInfo*>& nodes) override;
  Preempted processPreemption(const api::Pod& pod, const std::vector<NodeVictims>& victims) override;
  void bind(const api::Pod& pod, const std::string& node, std::function<void(const std::string&)> done) override;

 private:
  clock::Duration sinceStart() const;
  std::string url(const std::string& verb) const;
  // What the scheduler makes of a call that fails by the rule.
  std::string failure(const ExtenderRule& rule, const std::string& verb) const;
  trace::ExtenderCall call(const char* verb, const std::string& path) const;
  void record(const api::Pod& pod, trace::ExtenderCall call, bool errors_ignored);

  config::Extender config_;
  ExtenderServer server_;
  const FrameworkShared& shared_;
};

// Makes those extenders of the configuration for which there is a server, the ignorable ones last. Resources that they
// manage and the scheduler is to ignore go into the arguments of NodeResourcesFit. Returns upstream's error or "".
std::string buildExtenders(const std::vector<config::Extender>& configured, const std::vector<ExtenderServer>& servers,
                           const FrameworkShared& shared, config::Configuration& config,
                           std::vector<std::unique_ptr<Extender>>* out);

// Leaves in `nodes` those that pass the extenders. Those that do not are told to `reject`. Nodes that an extender has
// sent back whole have lost their pods: they are kept in `bare`. Null: the release finds the pods again.
Status passExtenders(const Extenders& extenders, const api::Pod& pod, std::vector<NodeInfo*>& nodes,
                     std::vector<std::unique_ptr<NodeInfo>>* bare,
                     const std::function<void(api::Symbol node, const Status&)>& reject);

// Calls `add` with what each extender that scores says: the extender, the position of the node, its score of 0 to 10
// and the points that makes.
void askExtendersForScores(
    const Extenders& extenders, const api::Pod& pod, const std::vector<NodeInfo*>& nodes,
    const std::function<void(const Extender&, std::size_t, std::int64_t score, std::int64_t points)>& add);

}  // namespace podberth::scheduler
