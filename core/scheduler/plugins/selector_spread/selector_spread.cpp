#include "core/scheduler/plugins/selector_spread/selector_spread.h"

#include <algorithm>
#include <map>

#include "core/scheduler/plugins/helper/default_selector.h"

namespace podberth::scheduler::plugins {
namespace {

struct ScoreState : StateData {
  api::Selector selector;
};
constexpr StateKey<ScoreState> kScoreState{"PreScoreSelectorSpread"};
constexpr const char* kNoScoreState = "reading \"PreScoreSelectorSpread\" from cycleState: not found";

constexpr double kZoneWeight = 2.0 / 3.0;

bool isLeftAlone(const PodInfo& pod) { return !pod.pod->spec.topology_spread_constraints.empty(); }

// The value of the first label if the node has it, of the second one else.
std::string labelOf(const api::Node& node, std::string_view beta, std::string_view later) {
  const api::Symbol* value = node.meta.labels.find(api::Symbol(beta));
  if (value == nullptr) value = node.meta.labels.find(api::Symbol(later));
  return value == nullptr ? std::string() : value->str();
}

// The more of the most, the fewer points.
double pointsFor(std::int64_t count, std::int64_t most) {
  const double max = static_cast<double>(kMaxNodeScore);
  if (most <= 0) return max;
  return max * (static_cast<double>(most - count) / static_cast<double>(most));
}

}  // namespace

std::string zoneKey(const api::Node& node) {
  const std::string zone = labelOf(node, "failure-domain.beta.kubernetes.io/zone", "topology.kubernetes.io/zone");
  const std::string region = labelOf(node, "failure-domain.beta.kubernetes.io/region", "topology.kubernetes.io/region");
  if (zone.empty() && region.empty()) return {};
  return region + std::string(":\0:", 3) + zone;
}

std::int64_t countSelected(const NodeInfo& node, const api::Selector& selector, api::Symbol ns) {
  if (selector.empty()) return 0;
  return std::count_if(node.pods.begin(), node.pods.end(), [&](const PodInfoPtr& pod) {
    return pod->ns == ns && !pod->pod->meta.deletion_timestamp.has_value() && selector.matches(pod->pod->meta.labels);
  });
}

void spreadCounts(std::vector<NodeScore>& scores) {
  std::vector<std::string> zones;
  std::map<std::string, std::int64_t> by_zone;
  std::int64_t most_on_node = 0;
  for (const NodeScore& s : scores) {
    most_on_node = std::max(most_on_node, s.score);
    zones.push_back(zoneKey(*s.node->node()));
    if (!zones.back().empty()) by_zone[zones.back()] += s.score;
  }
  std::int64_t most_in_zone = 0;
  for (const auto& [zone, count] : by_zone) most_in_zone = std::max(most_in_zone, count);
  for (std::size_t i = 0; i < scores.size(); ++i) {
    double points = pointsFor(scores[i].score, most_on_node);
    if (!zones[i].empty()) {
      points = points * (1.0 - kZoneWeight) + kZoneWeight * pointsFor(by_zone[zones[i]], most_in_zone);
    }
    scores[i].score = static_cast<std::int64_t>(points);
  }
}

Status SelectorSpread::preScore(CycleState& state, const PodInfo& pod, const std::vector<NodeInfo*>&) {
  if (isLeftAlone(pod)) return {};
  auto data = std::make_shared<ScoreState>();
  data->selector = defaultSelector(*pod.pod, handle_.listers());
  state.write(kScoreState, std::move(data));
  return {};
}

Status SelectorSpread::score(CycleState& state, const PodInfo& pod, const NodeInfo& node, std::int64_t& score) {
  score = 0;
  if (isLeftAlone(pod)) return {};
  const ScoreState* data = state.read(kScoreState);
  if (data == nullptr) return Status::error(kNoScoreState);
  score = countSelected(node, data->selector, pod.ns);
  return {};
}

Status SelectorSpread::normalizeScore(CycleState&, const PodInfo& pod, std::vector<NodeScore>& scores) {
  if (!isLeftAlone(pod)) spreadCounts(scores);
  return {};
}

std::unique_ptr<Plugin> newSelectorSpread(const config::PluginArgs&, Handle& handle, std::string*) {
  return std::make_unique<SelectorSpread>(handle);
}

}  // namespace podberth::scheduler::plugins
