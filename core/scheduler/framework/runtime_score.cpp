// PreScore, Score and NormalizeScore.
#include "core/scheduler/framework/runtime.h"

namespace podberth::scheduler {
namespace {

std::string failed(std::string_view plugin, const Status& status) {
  return "plugin \"" + std::string(plugin) + "\" failed with: " + status.message();
}

}  // namespace

Status Framework::runPreScore(CycleState& state, const PodInfo& pod, const std::vector<NodeInfo*>& nodes) {
  PluginSet skip;
  for (Entry& entry : pre_score_) {
    const Status status = entry.plugin->preScore(state, pod, nodes);
    if (status.isSkip()) {
      skip.set(entry.index);
      continue;
    }
    if (status.isSuccess()) continue;
    state.skip_score = skip;
    const Status error = Status::error("running PreScore plugin \"" + entry.name + "\": " + status.message());
    recordPoint(*pod.pod, "PreScore", error, entry.name);
    return error;
  }
  state.skip_score = skip;
  recordPoint(*pod.pod, "PreScore", {});
  return {};
}

Status Framework::runScore(CycleState& state, const PodInfo& pod, ScoreTable& table) {
  const std::size_t rows = table.nodes.size();
  const std::size_t columns = score_.size();
  table.raw.assign(rows * columns, 0);
  // Upstream goes node by node, and the first failure ends it; the same failure is found here plugin by plugin.
  std::size_t failed_row = rows;
  std::string failure;
  for (std::size_t c = 0; c < columns; ++c) {
    const ScorePlugin& score = score_[c];
    if (state.skip_score[score.index]) continue;
    std::int64_t* cell = table.raw.data() + c;
    for (std::size_t r = 0; r < failed_row; ++r, cell += columns) {
      const Status status = score.plugin->score(state, pod, *table.nodes[r], *cell);
      if (status.isSuccess()) continue;
      failed_row = r;
      failure = failed(score.plugin->name(), status);
    }
  }
  Status status =
      failed_row < rows ? Status::error("running Score plugins: " + failure) : normalizeScores(state, pod, table);
  recordPoint(*pod.pod, "Score", status);
  return status;
}

Status Framework::runRawScore(CycleState& state, const PodInfo& pod, const NodeInfo& node, std::int64_t* row) {
  for (std::size_t c = 0; c < score_.size(); ++c) {
    const ScorePlugin& score = score_[c];
    if (state.skip_score[score.index]) continue;
    const Status status = score.plugin->score(state, pod, node, row[c]);
    if (!status.isSuccess()) return Status::error(failed(score.plugin->name(), status));
  }
  return {};
}

Status Framework::normalizeScores(CycleState& state, const PodInfo& pod, ScoreTable& table) {
  const std::size_t rows = table.nodes.size();
  const std::size_t columns = score_.size();
  table.plugins.clear();
  for (std::size_t c = 0; c < columns; ++c) {
    if (!state.skip_score[score_[c].index]) table.plugins.push_back(c);
  }
  table.totals.assign(rows, 0);
  if (table.lists.size() < table.plugins.size()) table.lists.resize(table.plugins.size());
  for (std::size_t p = 0; p < table.plugins.size(); ++p) {
    const std::size_t c = table.plugins[p];
    std::vector<NodeScore>& list = table.lists[p];
    list.resize(rows);
    for (std::size_t r = 0; r < rows; ++r) {
      list[r].node = table.nodes[r];
      list[r].score = table.raw[r * columns + c];
    }
    Plugin& plugin = *score_[c].plugin;
    if (!plugin.hasNormalizeScore()) continue;
    const Status status = plugin.normalizeScore(state, pod, list);
    if (!status.isSuccess()) {
      return Status::error("running Normalize on Score plugins: " + failed(plugin.name(), status));
    }
  }
  const bool plugin_by_plugin = shared_.gates->release().framework == release::FrameworkRules::kV1_24;
  std::size_t bad_row = rows;
  std::size_t bad_plugin = 0;
  for (std::size_t p = 0; p < table.plugins.size(); ++p) {
    const std::int64_t weight = score_[table.plugins[p]].weight;
    const std::vector<NodeScore>& list = table.lists[p];
    for (std::size_t r = 0; r < bad_row; ++r) {
      const std::int64_t score = list[r].score;
      if (score > kMaxNodeScore || score < kMinNodeScore) {
        bad_row = r;
        bad_plugin = p;
        break;
      }
      table.totals[r] += score * weight;
    }
    // Others go on with the rows before it: upstream weighs node by node, and the first failure ends it.
    if (plugin_by_plugin && bad_row < rows) break;
  }
  if (bad_row == rows) return {};
  return Status::error("applying score defaultWeights on Score plugins: plugin \"" +
                       std::string(score_[table.plugins[bad_plugin]].plugin->name()) + "\" returns an invalid score " +
                       std::to_string(table.lists[bad_plugin][bad_row].score) + ", it should in the range of [" +
                       std::to_string(kMinNodeScore) + ", " + std::to_string(kMaxNodeScore) + "] after normalizing");
}

}  // namespace podberth::scheduler
