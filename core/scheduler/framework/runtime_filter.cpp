// PreFilter, Filter and PostFilter.
#include <algorithm>

#include "core/scheduler/framework/runtime.h"

namespace podberth::scheduler {
namespace {

std::string inQuotes(std::string_view name) { return "\"" + std::string(name) + "\""; }

std::string joined(const std::vector<std::string>& names) {
  std::string out = "[";
  for (std::size_t i = 0; i < names.size(); ++i) out += (i > 0 ? " " : "") + names[i];
  return out + "]";
}

void insertSorted(std::vector<std::string>* set, const std::string& value) {
  const auto it = std::lower_bound(set->begin(), set->end(), value);
  if (it == set->end() || *it != value) set->insert(it, value);
}

}  // namespace

// The plugin's rejection with its name on it. Plugins that reject node after node return copies of one status: the
// named one is shared as well.
Status Framework::reject(Entry& entry, const Status& status) {
  if (!entry.rejection.sharedWith(status)) {
    entry.rejection = status;
    entry.named_rejection = status.withPlugin(entry.name);
  }
  return entry.named_rejection;
}

Status Framework::runPreFilter(CycleState& state, const PodInfo& pod, PreFilterResult& result,
                               std::vector<std::string>& plugins_with_nodes) {
  result = PreFilterResult();
  plugins_with_nodes.clear();
  state.skip_filter.reset();
  if (shared_.gates->release().framework == release::FrameworkRules::kV1_24) {
    return runPreFilterV1_24(state, pod, result);
  }
  const std::vector<NodeInfo*>& nodes = snapshot().nodes();
  PluginSet skip;
  Status rejection;
  bool rejected = false;
  const auto finish = [&](Status status) {
    state.skip_filter = skip;
    recordPoint(*pod.pod, "PreFilter", status);
    return status;
  };
  for (Entry& entry : pre_filter_) {
    PreFilterResult own;
    Status status = entry.plugin->preFilter(state, pod, nodes, own);
    if (status.isSkip()) {
      skip.set(entry.index);
      continue;
    }
    if (!status.isSuccess()) {
      status = status.withPlugin(entry.name);
      if (status.code() == Code::kUnschedulableAndUnresolvable) {
        result = PreFilterResult();
        plugins_with_nodes.clear();
        return finish(status);
      }
      if (status.code() == Code::kUnschedulable) {
        // Preemption may come next and needs what the other plugins have to say.
        rejection = status;
        rejected = true;
        continue;
      }
      result = PreFilterResult();
      plugins_with_nodes.clear();
      return finish(Status::error("running PreFilter plugin " + inQuotes(entry.name) + ": " + status.message())
                        .withPlugin(entry.name));
    }
    if (own.allNodes()) continue;
    insertSorted(&plugins_with_nodes, entry.name);
    result = result.merge(own);
    if (!result.node_names->empty()) continue;
    return finish(Status(Code::kUnschedulableAndUnresolvable,
                         plugins_with_nodes.size() == 1
                             ? "node(s) didn't satisfy plugin " + plugins_with_nodes[0]
                             : "node(s) didn't satisfy plugin(s) " + joined(plugins_with_nodes) + " simultaneously"));
  }
  return finish(rejected ? rejection : Status());
}

Status Framework::runPreFilterExtensionAddPod(CycleState& state, const PodInfo& pod, const PodInfo& to_add,
                                              const NodeInfo& node) {
  for (Entry& entry : pre_filter_) {
    if (!entry.pre_filter_extensions || state.skip_filter[entry.index]) continue;
    const Status status = entry.plugin->addPod(state, pod, to_add, node);
    if (status.isSuccess()) continue;
    const std::string error = status.message();
    logError(failedText("AddPod on PreFilter plugin"), error, pod.pod->key());
    return Status::error("running AddPod on PreFilter plugin " + inQuotes(entry.name) + ": " + error);
  }
  return {};
}

Status Framework::runPreFilterExtensionRemovePod(CycleState& state, const PodInfo& pod, const PodInfo& to_remove,
                                                 const NodeInfo& node) {
  for (Entry& entry : pre_filter_) {
    if (!entry.pre_filter_extensions || state.skip_filter[entry.index]) continue;
    const Status status = entry.plugin->removePod(state, pod, to_remove, node);
    if (status.isSuccess()) continue;
    const std::string error = status.message();
    logError(failedText("RemovePod on PreFilter plugin"), error, pod.pod->key());
    return Status::error("running RemovePod on PreFilter plugin " + inQuotes(entry.name) + ": " + error);
  }
  return {};
}

Status Framework::runFilter(CycleState& state, const PodInfo& pod, const NodeInfo& node) {
  for (Entry& entry : filter_) {
    if (state.skip_filter[entry.index]) continue;
    Status status = entry.plugin->filter(state, pod, node);
    if (status.isSuccess()) continue;
    if (status.isRejected()) return reject(entry, status);
    return Status::error("running " + inQuotes(entry.name) + " filter plugin: " + status.message())
        .withPlugin(entry.name);
  }
  return {};
}

Status Framework::runFilterPluginsWithNominatedPods(CycleState& state, const PodInfo& pod, NodeInfo& node) {
  const std::vector<PodInfoPtr> nominated = nominator().nominatedPodsForNode(node.name());
  const auto counts = [&pod](const PodInfoPtr& other) {
    return other->pod->priority() >= pod.pod->priority() && other->pod->meta.uid != pod.pod->meta.uid;
  };
  if (std::none_of(nominated.begin(), nominated.end(), counts)) return runFilter(state, pod, node);

  // First as if the nominated pods of at least this priority ran there already: their place must not be taken. Then as
  // if they did not: they may never come, and another plugin (inter-pod affinity) might count on them.
  NodeInfo with_pods = node;
  CycleState with_state = state.clone();
  for (const PodInfoPtr& other : nominated) {
    if (!counts(other)) continue;
    with_pods.addPod(other);
    const Status status = runPreFilterExtensionAddPod(with_state, pod, *other, with_pods);
    if (!status.isSuccess()) return status;
  }
  Status status = runFilter(with_state, pod, with_pods);
  if (!status.isSuccess()) return status;
  return runFilter(state, pod, node);
}

Status Framework::runPostFilter(CycleState& state, const PodInfo& pod, const NodeToStatus& statuses,
                                PostFilterResult& result) {
  result = PostFilterResult();
  const auto finish = [&](Status status) {
    recordPoint(*pod.pod, "PostFilter", status);
    return status;
  };
  if (state.skip_all_post_filter) return finish(Status(Code::kUnschedulable, "All PostFilter plugins are skipped"));
  if (!extenders().empty()) {
    auto told = std::make_shared<ExtendersState>();
    told->extenders = &extenders();
    state.write(kExtendersStateKey, std::move(told));
  }
  std::vector<std::string> reasons;
  std::string rejector;
  for (Entry& entry : post_filter_) {
    PostFilterResult own;
    const Status status = entry.plugin->postFilter(state, pod, statuses, own);
    if (status.isSuccess()) {
      result = std::move(own);
      recordPoint(*pod.pod, "PostFilter", status, entry.name);
      return status;
    }
    if (status.code() == Code::kUnschedulableAndUnresolvable) {
      result = std::move(own);
      return finish(status.withPlugin(entry.name));
    }
    if (!status.isRejected()) {
      result = PostFilterResult();
      return finish(Status::error(status.message()).withPlugin(entry.name));
    }
    if (own.nominating.has_value() && own.nominating->mode != NominatingMode::kNoop) result = std::move(own);
    reasons.insert(reasons.end(), status.reasons().begin(), status.reasons().end());
    if (rejector.empty()) rejector = entry.name;
  }
  return finish(Status(Code::kUnschedulable, std::move(reasons)).withPlugin(rejector));
}

}  // namespace podberth::scheduler
