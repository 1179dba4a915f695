#include "core/scheduler/extender_rules.h"

#include <algorithm>

namespace podberth::scheduler {

std::string withoutSlashes(std::string url) {
  while (!url.empty() && url.back() == '/') url.pop_back();
  return url;
}

bool answersFor(const ExtenderServer& server, const std::string& url_prefix) {
  return withoutSlashes(server.url_prefix) == withoutSlashes(url_prefix);
}

bool asksFor(const api::Pod& pod, const std::string& resource) {
  const api::Symbol name(resource);
  for (const std::vector<api::Container>* containers : {&pod.spec.containers, &pod.spec.init_containers}) {
    for (const api::Container& container : *containers) {
      if (container.resources.requests.has(name) || container.resources.limits.has(name)) return true;
    }
  }
  return false;
}

bool ExtenderRule::holds(const api::Pod& pod, clock::Duration since_start) const {
  if (since_start < from || (until.has_value() && since_start >= *until)) return false;
  if (!ns.empty() && ns != pod.meta.ns) return false;
  if (!resource.empty() && !asksFor(pod, resource)) return false;
  return pods.matches(pod.meta.labels);
}

bool ExtenderRule::concerns(const api::Node& node) const {
  if (node_names.has_value() &&
      std::find(node_names->begin(), node_names->end(), node.meta.name) == node_names->end()) {
    return false;
  }
  return nodes.matches(node.meta.labels);
}

const ExtenderRule* ruleFor(const std::vector<ExtenderRule>& rules, const api::Pod& pod, clock::Duration since_start,
                            const api::Node& node) {
  for (const ExtenderRule& rule : rules) {
    if (!rule.fails() && rule.holds(pod, since_start) && rule.concerns(node)) return &rule;
  }
  return nullptr;
}

const ExtenderRule* failureOf(const std::vector<ExtenderRule>& rules, const api::Pod& pod, clock::Duration since_start,
                              const std::vector<const api::Node*>& nodes) {
  for (const ExtenderRule& rule : rules) {
    if (!rule.fails() || !rule.holds(pod, since_start)) continue;
    if (std::any_of(nodes.begin(), nodes.end(), [&](const api::Node* node) { return rule.concerns(*node); })) {
      return &rule;
    }
  }
  return nullptr;
}

}  // namespace podberth::scheduler
