#include "core/scheduler/plugins/helper/required_node_affinity.h"

namespace podberth::scheduler::plugins {

RequiredNodeAffinity::RequiredNodeAffinity(const api::Pod& pod) {
  if (!pod.spec.node_selector.empty()) labels_ = api::Selector::fromSet(pod.spec.node_selector);
  if (pod.spec.affinity && pod.spec.affinity->node && pod.spec.affinity->node->required) {
    terms_.emplace(*pod.spec.affinity->node->required);
  }
}

bool RequiredNodeAffinity::matches(const api::Node& node, std::string* error) const {
  if (labels_ && !labels_->matches(node.meta.labels)) return false;
  return !terms_ || terms_->matches(node, error);
}

}  // namespace podberth::scheduler::plugins
