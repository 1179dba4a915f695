#include "core/scheduler/queue/nominator.h"

#include <memory>
#include <utility>

namespace podberth::scheduler {
namespace {

PodInfoPtr barePod(const api::Pod& pod) {
  const auto bare = std::make_shared<api::Pod>();
  bare->meta.name = pod.meta.name;
  bare->meta.ns = pod.meta.ns;
  bare->meta.uid = pod.meta.uid;
  return std::make_shared<PodInfo>(bare);
}

}  // namespace

void Nominator::add(const api::Pod& pod, const std::optional<NominatingInfo>& nominating, PodInfoPtr info) {
  remove(pod);
  const bool override_node = nominating.has_value() && nominating->mode == NominatingMode::kOverride;
  const std::string& node = override_node ? nominating->node : pod.status.nominated_node_name;
  if (node.empty()) return;
  if (pods_ != nullptr) {
    const auto known = pods_->get(pod.meta.ns, pod.meta.name);
    if (known == nullptr || known->assigned()) return;
  }
  const api::Symbol name(node);
  PodRef ref;
  ref.key = pod.key();
  ref.uid = pod.meta.uid;
  if (info == nullptr) ref.bare = barePod(pod);
  ref.info = std::move(info);
  by_node_[name].push_back(std::move(ref));
  node_of_.insert_or_assign(pod.meta.uid, name);
}

void Nominator::update(const api::Pod& old_pod, const api::Pod& new_pod, PodInfoPtr info) {
  // An update may come that was on its way before the nomination: it must not undo it. One that gives, changes or takes
  // away the nomination does count.
  std::optional<NominatingInfo> keep;
  if (old_pod.status.nominated_node_name.empty() && new_pod.status.nominated_node_name.empty()) {
    const auto it = node_of_.find(old_pod.meta.uid);
    if (it != node_of_.end()) {
      keep.emplace();
      keep->mode = NominatingMode::kOverride;
      keep->node = it->second.str();
    }
  }
  remove(old_pod);
  add(new_pod, keep, std::move(info));
}

void Nominator::remove(const api::Pod& pod) {
  const auto it = node_of_.find(pod.meta.uid);
  if (it == node_of_.end()) return;
  const auto node = by_node_.find(it->second);
  if (node != by_node_.end()) {
    std::vector<PodRef>& refs = node->second;
    for (auto ref = refs.begin(); ref != refs.end(); ++ref) {
      if (ref->uid != pod.meta.uid) continue;
      refs.erase(ref);
      break;
    }
    if (refs.empty()) by_node_.erase(node);
  }
  node_of_.erase(it);
}

const std::vector<Nominator::PodRef>* Nominator::forNode(api::Symbol node) const {
  const auto it = by_node_.find(node);
  return it == by_node_.end() ? nullptr : &it->second;
}

}  // namespace podberth::scheduler
