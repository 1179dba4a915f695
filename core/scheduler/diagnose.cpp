#include "core/scheduler/diagnose.h"

#include <algorithm>
#include <map>
#include <memory>

#include "core/scheduler/extender.h"

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
  // Extenders may be called alike; their columns may not.
  std::map<const Extender*, std::string> columns;
  std::map<std::string, int> alike;
  for (const Extender* extender : framework.extenders()) {
    if (extender->isPrioritizer() && extender->isInterested(*pod.pod)) {
      const int number = ++alike[extender->name()];
      std::string& column = columns[extender];
      column = extender->name() + (number == 1 ? "" : " (" + std::to_string(number) + ")");
      cycle.x_extender_weights.emplace_back(column, extender->weight());
    }
  }
  askExtendersForScores(
      framework.extenders(), *pod.pod, table.nodes,
      [&cycle, &columns](const Extender& extender, std::size_t at, std::int64_t score, std::int64_t points) {
        trace::PluginScore one;
        one.plugin = columns[&extender];
        one.raw = score;
        one.normalized = score * (kMaxNodeScore / kMaxExtenderPriority);
        one.weighted = points;
        trace::NodeScores& node = cycle.scores[at].second;
        node.total += points;
        node.plugins.push_back(std::move(one));
      });
}

// What the extenders say to the nodes that pass the filters. `feasible` keeps those that they let pass.
void askExtenders(const Framework& framework, const PodInfo& pod, std::vector<NodeInfo*>& feasible,
                  std::vector<std::unique_ptr<NodeInfo>>* bare, trace::Cycle& cycle) {
  std::map<std::string, trace::NodeStatus> rejected;
  const Extenders& extenders = framework.extenders();
  cycle.x_extenders = std::any_of(extenders.begin(), extenders.end(), [&pod](const Extender* extender) {
    return extender->isFilter() && extender->isInterested(*pod.pod);
  });
  if (!passExtenders(extenders, *pod.pod, feasible, bare, [&rejected](api::Symbol node, const Status& status) {
         trace::NodeStatus verdict = statusOf(status);
         verdict.plugin = std::string(kExtenderName);
         rejected[node.str()] = std::move(verdict);
       }).isSuccess()) {
    return;
  }
  if (rejected.empty()) return;
  auto known = std::move(cycle.x_verdicts);
  cycle.x_verdicts.clear();
  std::size_t next = 0;
  for (auto& [node, status] : cycle.filters) {
    if (next < known.size() && known[next].first == node) {
      cycle.x_verdicts.push_back(std::move(known[next++]));
      continue;
    }
    const auto it = rejected.find(node);
    if (it == rejected.end()) continue;
    status = it->second;
    cycle.x_verdicts.emplace_back(node, std::vector<trace::NodeStatus>(1, it->second));
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
  std::vector<std::unique_ptr<NodeInfo>> bare;
  if (!framework.extenders().empty()) {
    const bool loses_pods = framework.gates().release().cycles == release::CycleRules::kV1_37;
    askExtenders(framework, pod, feasible, loses_pods ? &bare : nullptr, cycle);
  }
  if (feasible.size() >= 2 && (framework.hasScorePlugins() || !framework.extenders().empty()))
    score(framework, state, pod, std::move(feasible), cycle);
}

}  // namespace podberth::scheduler
