// PreFilter as in v1.24. Upstream: RunPreFilterPlugins in pkg/scheduler/framework/runtime/framework.go of that release.
#include "core/scheduler/framework/runtime.h"

namespace podberth::scheduler {

// The first plugin that rejects the pod ends it. A plugin that has nothing to do says so by Skip here too; it only
// saves asking it again.
Status Framework::runPreFilterV1_24(CycleState& state, const PodInfo& pod, PreFilterResult& result) {
  PluginSet skip;
  std::vector<std::string> plugins_with_nodes;
  const auto finish = [&](Status status) {
    if (!status.isSuccess()) result = PreFilterResult();
    state.skip_filter = skip;
    recordPoint(*pod.pod, "PreFilter", status);
    return status;
  };
  for (Entry& entry : pre_filter_) {
    PreFilterResult own;
    const Status status = entry.plugin->preFilter(state, pod, snapshot().nodes(), own);
    if (status.isSkip()) {
      skip.set(entry.index);
      continue;
    }
    if (status.isRejected()) return finish(status.withPlugin(entry.name));
    if (!status.isSuccess()) {
      // That release prints another error than it was given: none.
      return finish(
          Status::error("running PreFilter plugin \"" + entry.name + "\": %!w(<nil>)").withPlugin(entry.name));
    }
    if (!own.allNodes()) plugins_with_nodes.push_back(entry.name);
    result = result.merge(own);
    if (result.allNodes() || !result.node_names->empty()) continue;
    if (plugins_with_nodes.size() == 1) {
      return finish(Status(Code::kUnschedulable, "node(s) didn't satisfy plugin " + plugins_with_nodes[0]));
    }
    std::string names;
    for (const std::string& name : plugins_with_nodes) names += (names.empty() ? "" : " ") + name;
    return finish(Status(Code::kUnschedulable, "node(s) didn't satisfy plugin(s) [" + names + "] simultaneously"));
  }
  return finish({});
}

}  // namespace podberth::scheduler
