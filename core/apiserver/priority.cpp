#include "core/apiserver/priority.h"

#include "core/api/node.h"
#include "core/apiserver/api_errors.h"

namespace podberth::apiserver {

namespace {

constexpr std::string_view kClusterCritical = "system-cluster-critical";
constexpr std::string_view kNodeCritical = "system-node-critical";
constexpr std::int32_t kClusterCriticalPriority = 2000000000;
constexpr std::int32_t kNodeCriticalPriority = 2000001000;

// The class that pods without one belong to: of several, that with the lowest value.
std::shared_ptr<const api::PriorityClass> defaultClass(const Server& server) {
  std::shared_ptr<const api::PriorityClass> best;
  for (const auto& [name, candidate] : server.priorityClasses()) {
    if (candidate->global_default && (best == nullptr || candidate->value < best->value)) best = candidate;
  }
  return best;
}

}  // namespace

std::string resolvePriority(api::Pod& pod, const Server& server) {
  api::PodSpec& spec = pod.spec;
  if (!spec.priority) {
    spec.priority = 0;
    const std::string& name = spec.priority_class_name;
    if (name.empty()) {
      if (const auto found = defaultClass(server)) {
        spec.priority_class_name = found->meta.name;
        spec.preemption_policy = found->preemption_policy;
        spec.priority = found->value;
      }
    } else if (name == kClusterCritical) {
      spec.priority = kClusterCriticalPriority;
    } else if (name == kNodeCritical) {
      spec.priority = kNodeCriticalPriority;
    } else {
      const auto classes = server.priorityClasses();
      const auto found = classes.find(name);
      if (found == classes.end()) {
        return forbidden(resourceName(api::Kind::kPod), pod.meta.name,
                         "no PriorityClass with name " + name + " was found");
      }
      spec.priority = found->second->value;
      if (!spec.preemption_policy) spec.preemption_policy = found->second->preemption_policy;
    }
  }
  if (!spec.preemption_policy) spec.preemption_policy = "PreemptLowerPriority";
  return "";
}

}  // namespace podberth::apiserver
