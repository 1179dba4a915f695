#include "core/scheduler/diagnose.h"

#include <algorithm>

namespace podberth::scheduler {
namespace {

trace::NodeStatus statusOf(const Status& status) {
  trace::NodeStatus out;
  out.code = std::string(codeName(status.code()));
  out.plugin = status.plugin();
  out.reasons = status.reasons();
  return out;
}

class Quiet {
 public:
  explicit Quiet(FrameworkShared& shared) : shared_(shared), before_(shared.quiet) { shared_.quiet = true; }
  ~Quiet() { shared_.quiet = before_; }
  Quiet(const Quiet&) = delete;
  Quiet& operator=(const Quiet&) = delete;

 private:
  FrameworkShared& shared_;
  bool before_;
};

std::vector<trace::NodeStatus> rejections(const Framework& framework, const std::vector<Plugin*>& filters,
                                          CycleState& state, const PodInfo& pod, const NodeInfo& node) {
  std::vector<trace::NodeStatus> out;
  for (std::size_t i = 0; i < filters.size(); ++i) {
    if (framework.skipsFilter(state, i)) continue;
    const Status status = filters[i]->filter(state, pod, node);
    if (status.isSuccess()) continue;
    trace::NodeStatus verdict = statusOf(status);
    verdict.plugin = std::string(filters[i]->name());
    out.push_back(std::move(verdict));
  }
  return out;
}

void score(Framework& framework, CycleState& state, const PodInfo& pod, std::vector<NodeInfo*> feasible,
           trace::Cycle& cycle) {
  ScoreTable table;
  table.nodes = std::move(feasible);
  if (!framework.runPreScore(state, pod, table.nodes).isSuccess()) return;
  if (!framework.runScore(state, pod, table).isSuccess()) return;
  const std::vector<Framework::ScorePlugin>& plugins = framework.scorePlugins();
  cycle.scores.reserve(table.nodes.size());
  for (std::size_t r = 0; r < table.nodes.size(); ++r) {
    trace::NodeScores node;
    node.total = table.totals[r];
    node.plugins.reserve(table.plugins.size());
    for (std::size_t p = 0; p < table.plugins.size(); ++p) {
      const std::size_t c = table.plugins[p];
      trace::PluginScore one;
      one.plugin = std::string(plugins[c].plugin->name());
      one.raw = table.raw[r * plugins.size() + c];
      one.normalized = table.lists[p][r].score;
      one.weighted = one.normalized * plugins[c].weight;
      node.plugins.push_back(std::move(one));
    }
    cycle.scores.emplace_back(table.nodes[r]->name().str(), std::move(node));
  }
}

}  // namespace

void diagnose(Framework& framework, FrameworkShared& shared, const PodInfo& pod, trace::Cycle& cycle) {
  const Quiet quiet(shared);
  const std::vector<NodeInfo*>& nodes = framework.snapshot().nodes();
  cycle.nodes.reserve(nodes.size());
  for (const NodeInfo* node : nodes) cycle.nodes.push_back(node->name().str());
  if (nodes.empty()) return;

  CycleState state;
  PreFilterResult narrowed;
  std::vector<std::string> plugins_with_nodes;
  const Status status = framework.runPreFilter(state, pod, narrowed, plugins_with_nodes);
  cycle.pre_filter = statusOf(status);
  if (!status.isSuccess()) return;
  if (!narrowed.allNodes()) {
    std::vector<std::string> names;
    for (const api::Symbol name : *narrowed.node_names) names.push_back(name.str());
    cycle.pre_filter_nodes = std::move(names);
  }
  const std::vector<Plugin*> filters = framework.filterPlugins();
  std::vector<NodeInfo*> feasible;
  std::optional<CycleState> own;  // where plugins are asked that the scheduler would not have asked
  cycle.filters.reserve(nodes.size());
  for (NodeInfo* node : nodes) {
    if (!narrowed.allNodes() &&
        !std::binary_search(narrowed.node_names->begin(), narrowed.node_names->end(), node->name())) {
      continue;
    }
    const Status verdict = framework.runFilterPluginsWithNominatedPods(state, pod, *node);
    cycle.filters.emplace_back(node->name().str(), statusOf(verdict));
    if (verdict.isSuccess()) {
      feasible.push_back(node);
      continue;
    }
    if (!own.has_value()) own = state.clone();
    cycle.x_verdicts.emplace_back(node->name().str(), rejections(framework, filters, *own, pod, *node));
  }
  if (feasible.size() >= 2 && framework.hasScorePlugins()) score(framework, state, pod, std::move(feasible), cycle);
}

}  // namespace podberth::scheduler
