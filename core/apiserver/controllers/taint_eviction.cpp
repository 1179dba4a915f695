#include "core/apiserver/controllers/taint_eviction.h"

#include <algorithm>

#include "core/api/tolerations.h"

namespace podberth::apiserver {

namespace {

constexpr std::int64_t kForEver = -1;
constexpr std::int64_t kMostSeconds = 1LL << 32;

std::vector<api::Taint> evicting(const api::Node* node) {
  std::vector<api::Taint> out;
  if (node == nullptr) return out;
  for (const api::Taint& taint : node->spec.taints) {
    if (taint.effect == "NoExecute") out.push_back(taint);
  }
  return out;
}

// For how many seconds a pod tolerates all of the taints: 0 if it does not, kForEver if it does not say.
std::int64_t tolerated(const api::Pod& pod, const std::vector<api::Taint>& taints) {
  std::int64_t least = kForEver;
  for (const api::Taint& taint : taints) {
    const auto& all = pod.spec.tolerations;
    const auto used =
        std::find_if(all.begin(), all.end(), [&](const api::Toleration& t) { return api::tolerates(t, taint); });
    if (used == all.end()) return 0;
    if (!used->toleration_seconds) continue;
    const std::int64_t seconds = std::clamp<std::int64_t>(*used->toleration_seconds, 0, kMostSeconds);
    least = least == kForEver ? seconds : std::min(least, seconds);
  }
  return least;
}

}  // namespace

void TaintEviction::hear(const api::ObjectPtr& old_object, const api::ObjectPtr& new_object) {
  const api::Object& object = new_object != nullptr ? *new_object : *old_object;
  if (object.kind == api::Kind::kNode) {
    if (new_object != nullptr) {
      hearNode(api::as<api::Node>(old_object.get()), static_cast<const api::Node&>(*new_object));
    }
    return;
  }
  if (object.kind != api::Kind::kPod) return;
  const api::Pod* old_pod = api::as<api::Pod>(old_object.get());
  if (new_object == nullptr) {
    cancel(object.key());
    return;
  }
  const auto& pod = static_cast<const api::Pod&>(object);
  if (!pod.assigned()) return;
  if (old_pod != nullptr && old_pod->spec.node_name == pod.spec.node_name &&
      old_pod->spec.tolerations == pod.spec.tolerations) {
    return;
  }
  const std::vector<api::Taint> taints = evicting(mirror_.get<api::Node>(pod.spec.node_name).get());
  if (!taints.empty()) judge(pod, taints);
}

void TaintEviction::hearNode(const api::Node* old_node, const api::Node& node) {
  const std::vector<api::Taint> taints = evicting(&node);
  if (taints == evicting(old_node)) return;
  for (const auto& item : mirror_.podsOn(node.meta.name)) judge(*item.second, taints);
}

void TaintEviction::judge(const api::Pod& pod, const std::vector<api::Taint>& taints) {
  const std::string key = pod.key();
  const std::int64_t seconds = tolerated(pod, taints);
  if (taints.empty() || seconds == kForEver) {
    cancel(key);
    return;
  }
  const clock::Time now = loop_.now();
  clock::Time since = now;
  if (const auto known = planned_.find(key); known != planned_.end()) {
    if (!known->second.waits) return;
    if (seconds > 0) since = known->second.since;
    // Tolerated for less than is left of an earlier toleration: that one holds.
    if (seconds > 0 && since + seconds * clock::kSecond < now + seconds * clock::kSecond) return;
    cancel(key);
  }
  plan(pod, since, since + std::max(seconds * clock::kSecond, latency_), seconds > 0);
}

void TaintEviction::plan(const api::Pod& pod, clock::Time since, clock::Time at, bool waits) {
  Eviction& eviction = planned_[pod.key()];
  eviction.since = since;
  eviction.at = at;
  eviction.waits = waits;
  if (!waits) urgent_.insert(at);
  eviction.timer = loop_.at(at, [this, key = pod.key(), uid = pod.meta.uid] {
    drop(planned_.find(key));
    const api::PodPtr now = mirror_.get<api::Pod>(key);
    if (now == nullptr || now->meta.uid != uid) return;
    const auto node = mirror_.get<api::Node>(now->spec.node_name);
    writer_.remove(*now, node != nullptr ? static_cast<const api::Object&>(*node) : *now, "evict");
  });
}

void TaintEviction::cancel(const std::string& key) {
  const auto known = planned_.find(key);
  if (known == planned_.end()) return;
  loop_.cancel(known->second.timer);
  drop(known);
}

void TaintEviction::drop(std::map<std::string, Eviction>::iterator eviction) {
  if (!eviction->second.waits) urgent_.erase(urgent_.find(eviction->second.at));
  planned_.erase(eviction);
}

}  // namespace podberth::apiserver
