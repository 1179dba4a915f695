// Keeps as many pods as a ReplicaSet asks for, or a ReplicationController, which is the same in other words. Upstream:
// pkg/controller/replicaset/replica_set.go, pkg/controller/replication.
#include <algorithm>
#include <map>

#include "core/api/pod_util.h"
#include "core/api/workload.h"
#include "core/apiserver/controllers/controller.h"
#include "core/apiserver/workload.h"

namespace podberth::apiserver {

namespace {

constexpr int kBurst = 500;  // pods made or removed in one go

class ReplicaSetController : public Controller {
 public:
  ReplicaSetController(const ControlContext& context, api::Kind kind) : Controller(context), kind_(kind) {}
  api::Kind kind() const override { return kind_; }

  bool concerns(const api::Object& /*set*/, const PodChange& change) const override {
    return change.active || change.labels;
  }

  bool sync(const api::Object& set, clock::Duration* /*again*/) override {
    const Spec& spec = specs_.of(set);
    const Claimed claimed = writer_.claim(set);
    const int difference = spec.replicas - claimed.active();
    if (difference > 0) return create(set, spec, std::min(difference, kBurst));
    if (difference < 0) remove(set, claimed.pods(), std::min(-difference, kBurst));
    return true;
  }

  void forget(const api::Object& set) override { made_.erase(set.meta.uid); }

 private:
  bool create(const api::Object& set, const Spec& spec, int count) {
    const Json pod = Writer::podJson(spec.podTemplate(), set);
    int& made = made_[set.meta.uid];
    for (int i = 0; i < count; ++i) {
      if (!writer_.createNamed(pod, set.meta.name + "-", set.key() + "/" + std::to_string(made), set)) return false;
      ++made;
    }
    return true;
  }

  void remove(const api::Object& set, const Mirror::Pods& pods, int count) {
    // Pods of the other ReplicaSets of the same Deployment count for the ranks too.
    std::map<std::string, int> on_node;
    const auto look = [&](const Mirror::Pods& related) {
      for (const auto& item : related) {
        if (isActive(*item.second)) ++on_node[item.second->spec.node_name];
      }
    };
    const api::OwnerReference* owner = api::controllerOf(set.meta);
    if (owner == nullptr) {
      look(pods);
    } else {
      for (const auto& item : mirror_.objectsOf(owner->uid)) {
        if (item.second->kind == kind()) look(mirror_.podsOf(*item.second));
      }
    }
    std::vector<MirroredPod> active;
    for (const auto& item : pods) {
      if (isActive(*item.second)) active.push_back(item.second);
    }
    sortForDeletion(
        active, [&](const api::Pod& pod) { return on_node[pod.spec.node_name]; }, loop_.now());
    for (int i = 0; i < count; ++i) writer_.remove(*active[static_cast<std::size_t>(i)], set);
  }

  api::Kind kind_;
  std::map<std::string, int> made_;  // how many pods a set has made so far, by its uid
};

}  // namespace

std::unique_ptr<Controller> makeReplicaSetController(const ControlContext& context) {
  return std::make_unique<ReplicaSetController>(context, api::Kind::kReplicaSet);
}

std::unique_ptr<Controller> makeReplicationController(const ControlContext& context) {
  return std::make_unique<ReplicaSetController>(context, api::Kind::kReplicationController);
}

}  // namespace podberth::apiserver
