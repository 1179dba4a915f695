// NodeAffinity (PreFilter, Filter, Score): nodes must match the pod's nodeSelector, its required node affinity and the
// affinity that the configuration adds; the weights of the preferred terms that match are the score.
// Upstream: pkg/scheduler/framework/plugins/nodeaffinity/node_affinity.go.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/scheduler/config/types.h"
#include "core/scheduler/framework/handle.h"
#include "core/scheduler/plugins/helper/required_node_affinity.h"
#include "core/scheduler/plugins/names.h"

namespace podberth::scheduler::plugins {

inline constexpr const char* kReasonNodeAffinityPod = "node(s) didn't match Pod's node affinity/selector";
inline constexpr const char* kReasonNodeAffinityEnforced = "node(s) didn't match scheduler-enforced node affinity";
inline constexpr const char* kReasonNodeAffinityConflict = "pod affinity terms conflict";

struct NodeAffinityRules {
  bool skips = true;  // pods that ask for nothing are passed by from PreFilter and from PreScore on
  // One term that contradicts itself rejects the pod, whatever the others say; else only if no term is left.
  bool any_contradiction_rejects = false;
};

// Names of the nodes that the terms ask for by the field metadata.name, sorted by text; nullopt if a term asks for
// none. An empty list: the terms contradict themselves, or, with `any_contradiction`, the first terms do not all name
// nodes that can be had.
std::optional<std::vector<api::Symbol>> namedNodes(const api::NodeSelector& selector, bool any_contradiction = false);

class NodeAffinity : public Plugin {
 public:
  static constexpr Points kPoints = Point::kPreFilter | Point::kFilter | Point::kPreScore | Point::kScore;
  // The error of malformed terms goes to *error.
  NodeAffinity(const config::NodeAffinityArgs& args, std::string* error, const NodeAffinityRules& rules = {});
  std::string_view name() const override { return names::kNodeAffinity; }
  Points points() const override { return kPoints; }
  bool hasEvents() const override { return true; }
  std::vector<ClusterEventWithHint> eventsToRegister() const override;
  Status preFilter(CycleState& state, const PodInfo& pod, const std::vector<NodeInfo*>& nodes,
                   PreFilterResult& result) override;
  Status filter(CycleState& state, const PodInfo& pod, const NodeInfo& node) override;
  Status preScore(CycleState& state, const PodInfo& pod, const std::vector<NodeInfo*>& nodes) override;
  Status score(CycleState& state, const PodInfo& pod, const NodeInfo& node, std::int64_t& score) override;
  bool hasNormalizeScore() const override { return true; }
  Status normalizeScore(CycleState& state, const PodInfo& pod, std::vector<NodeScore>& scores) override;
  bool hasSign() const override { return true; }
  std::vector<SignFragment> sign(const api::Pod& pod, bool& signable) const override;

 private:
  HintResult afterNodeChange(const api::Pod& pod, const api::Node* before, const api::Node& now) const;

  NodeAffinityRules rules_;
  std::optional<api::CompiledNodeSelector> added_required_;
  std::optional<api::CompiledPreferredTerms> added_preferred_;
  Status mismatch_;
  Status enforced_;
};

// Null, with the text in *error, if the added affinity is malformed.
template <class P = NodeAffinity, class... Before>
std::unique_ptr<Plugin> makeNodeAffinity(const config::PluginArgs& args, std::string* error,
                                         const NodeAffinityRules& rules, Before&&... before) {
  const auto* own = std::get_if<config::NodeAffinityArgs>(&args);
  std::string failure;
  auto plugin = std::make_unique<P>(std::forward<Before>(before)..., own != nullptr ? *own : config::NodeAffinityArgs(),
                                    &failure, rules);
  if (failure.empty()) return plugin;
  *error = failure;
  return nullptr;
}
std::unique_ptr<Plugin> newNodeAffinity(const config::PluginArgs& args, Handle& handle, std::string* error);

}  // namespace podberth::scheduler::plugins
