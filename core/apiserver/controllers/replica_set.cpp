// Keeps as many pods as a ReplicaSet asks for. Upstream: pkg/controller/replicaset/replica_set.go.
#include <algorithm>
#include <cmath>
#include <map>

#include "core/api/pod_util.h"
#include "core/api/workload.h"
#include "core/apiserver/controllers/controller.h"
#include "core/apiserver/workload.h"

namespace podberth::apiserver {

namespace {

constexpr int kBurst = 500;  // pods made or removed in one go
constexpr const char* kDeletionCost = "controller.kubernetes.io/pod-deletion-cost";

int phaseOrder(const api::Pod& pod) {
  return pod.status.phase == "Running" ? 2 : pod.status.phase == "Unknown" ? 1 : 0;
}

std::int64_t deletionCost(const api::Pod& pod) {
  const auto it = pod.meta.annotations.find(kDeletionCost);
  std::int64_t cost = 0;
  if (it != pod.meta.annotations.end()) {
    const Json value = Json::parse(it->second, nullptr, false);
    if (value.is_number_integer()) cost = value.get<std::int64_t>();
  }
  return cost;
}

// Ages that differ by less than a factor of two count as equal. Upstream: controller.logarithmicRankDiff.
int ageOrder(const api::Pod& pod, clock::Time now) {
  const clock::Duration age = now - pod.meta.creation_timestamp.value_or(now);
  if (age <= 0) return -1;
  int order = 0;
  for (clock::Duration rest = age; rest > 1; rest /= 2) ++order;
  return order;
}

class ReplicaSetController : public Controller {
 public:
  using Controller::Controller;
  api::Kind kind() const override { return api::Kind::kReplicaSet; }

  bool sync(const api::Object& set, clock::Duration* /*again*/) override {
    const Json spec = specOf(set);
    std::vector<api::PodPtr> pods = writer_.claim(set);
    pods.erase(std::remove_if(pods.begin(), pods.end(), [](const api::PodPtr& pod) { return !isActive(*pod); }),
               pods.end());
    const int difference = replicasOf(spec) - static_cast<int>(pods.size());
    if (difference > 0) return create(set, spec, std::min(difference, kBurst));
    if (difference < 0) remove(set, pods, std::min(-difference, kBurst));
    return true;
  }

  void forget(const api::Object& set) override { made_.erase(set.meta.uid); }

 private:
  bool create(const api::Object& set, const Json& spec, int count) {
    const Json pod = Writer::podJson(objectOf(spec, "template"), set);
    int& made = made_[set.meta.uid];
    for (int i = 0; i < count; ++i) {
      if (!writer_.createNamed(pod, set.meta.name + "-", set.key() + "/" + std::to_string(made), set)) return false;
      ++made;
    }
    return true;
  }

  void remove(const api::Object& set, std::vector<api::PodPtr>& pods, int count) {
    // Pods of the other ReplicaSets of the same Deployment count for the ranks too.
    std::map<std::string, int> on_node;
    const api::OwnerReference* owner = api::controllerOf(set.meta);
    for (const auto& item : mirror_.all(api::Kind::kReplicaSet)) {
      const api::OwnerReference* other = api::controllerOf(item.second->meta);
      const bool related =
          item.second->meta.uid == set.meta.uid || (owner != nullptr && other != nullptr && other->uid == owner->uid);
      if (!related) continue;
      for (const auto& [key, pod] : mirror_.podsOf(item.second->meta.uid)) {
        if (isActive(*pod)) ++on_node[pod->spec.node_name];
      }
    }
    sortForDeletion(
        pods, [&](const api::Pod& pod) { return on_node[pod.spec.node_name]; }, loop_.now());
    for (int i = 0; i < count; ++i) writer_.remove(*pods[static_cast<std::size_t>(i)], set);
  }

  std::map<std::string, int> made_;  // how many pods a set has made so far, by its uid
};

}  // namespace

void sortForDeletion(std::vector<api::PodPtr>& pods, const std::function<int(const api::Pod&)>& rank, clock::Time now) {
  std::stable_sort(pods.begin(), pods.end(), [&](const api::PodPtr& a, const api::PodPtr& b) {
    if (a->assigned() != b->assigned()) return !a->assigned();
    if (phaseOrder(*a) != phaseOrder(*b)) return phaseOrder(*a) < phaseOrder(*b);
    if (isAvailable(*a) != isAvailable(*b)) return !isAvailable(*a);
    if (deletionCost(*a) != deletionCost(*b)) return deletionCost(*a) < deletionCost(*b);
    const int rank_a = rank ? rank(*a) : 0;
    const int rank_b = rank ? rank(*b) : 0;
    if (rank_a != rank_b) return rank_a > rank_b;
    if (ageOrder(*a, now) != ageOrder(*b, now)) return ageOrder(*a, now) < ageOrder(*b, now);
    return a->meta.uid < b->meta.uid;
  });
}

std::unique_ptr<Controller> makeReplicaSetController(const ControlContext& context) {
  return std::make_unique<ReplicaSetController>(context);
}

}  // namespace podberth::apiserver
