#include "core/scheduler/plugins/helper/default_selector.h"

#include <optional>
#include <string>

#include "core/api/workload.h"

namespace podberth::scheduler::plugins {
namespace {

const api::OwnerReference* controllerOf(const api::Pod& pod) {
  for (const api::OwnerReference& owner : pod.meta.owner_references) {
    if (owner.controller.value_or(false)) return &owner;
  }
  return nullptr;
}

void merge(api::LabelSet* into, const api::LabelSet& labels) {
  for (const auto& [key, value] : labels) into->set(key, value);
}

void addRequirements(api::Selector* selector, const std::optional<api::LabelSelector>& more) {
  std::string error;
  const api::Selector other = api::Selector::from(more, &error);
  if (!error.empty() || other.selectsNothing()) return;
  for (const api::Selector::Requirement& requirement : other.requirements()) selector->add(requirement);
}

}  // namespace

api::Selector defaultSelector(const api::Pod& pod, const Listers& listers) {
  api::LabelSet labels;
  for (const auto& service : listers.services->list(pod.meta.ns)) {
    if (service->selector.empty()) continue;
    if (api::Selector::fromSet(service->selector).matches(pod.meta.labels)) merge(&labels, service->selector);
  }
  api::Selector selector = api::Selector::fromSet(labels);

  const api::OwnerReference* owner = controllerOf(pod);
  if (owner == nullptr) return selector;
  if (owner->api_version == "v1" && owner->kind == "ReplicationController") {
    if (const auto rc = listers.replication_controllers->get(pod.meta.ns, owner->name)) {
      merge(&labels, rc->selector);
      selector = api::Selector::fromSet(labels);
    }
  } else if (owner->api_version == "apps/v1" && owner->kind == "ReplicaSet") {
    if (const auto rs = listers.replica_sets->get(pod.meta.ns, owner->name)) addRequirements(&selector, rs->selector);
  } else if (owner->api_version == "apps/v1" && owner->kind == "StatefulSet") {
    if (const auto ss = listers.stateful_sets->get(pod.meta.ns, owner->name)) addRequirements(&selector, ss->selector);
  }
  return selector;
}

}  // namespace podberth::scheduler::plugins
