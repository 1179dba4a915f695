// NodeAffinity (PreFilter, Filter, Score): nodes must match the pod's nodeSelector, its required node affinity and the
// affinity that the configuration adds; the weights of the preferred terms that match are the score.
// Upstream: pkg/scheduler/framework/plugins/nodeaffinity/node_affinity.go.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/scheduler/config/types.h"
#include "core/scheduler/framework/handle.h"
#include "core/scheduler/plugins/helper/required_node_affinity.h"
#include "core/scheduler/plugins/names.h"

namespace podberth::scheduler::plugins {

inline constexpr const char* kReasonNodeAffinityPod = "node(s) didn't match Pod's node affinity/selector";
inline constexpr const char* kReasonNodeAffinityEnforced = "node(s) didn't match scheduler-enforced node affinity";
inline constexpr const char* kReasonNodeAffinityConflict = "pod affinity terms conflict";

// Names of the nodes that the terms ask for by the field metadata.name, sorted by text; nullopt if a term asks for
// none. An empty list: the terms contradict themselves.
std::optional<std::vector<api::Symbol>> namedNodes(const api::NodeSelector& selector);

class NodeAffinity : public Plugin {
 public:
  static constexpr Points kPoints = Point::kPreFilter | Point::kFilter | Point::kPreScore | Point::kScore;
  // The error of malformed terms goes to *error.
  NodeAffinity(const config::NodeAffinityArgs& args, std::string* error);
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

  std::optional<api::CompiledNodeSelector> added_required_;
  std::optional<api::CompiledPreferredTerms> added_preferred_;
  Status mismatch_;
  Status enforced_;
};

std::unique_ptr<Plugin> newNodeAffinity(const config::PluginArgs& args, Handle& handle, std::string* error);

}  // namespace podberth::scheduler::plugins
