// Rolls the ReplicaSets of a Deployment over. Upstream: pkg/controller/deployment/{sync,rolling,recreate}.go and
// util/deployment_util.go. A Deployment that is scaled in the middle of a rollout is scaled by the rollout's own rules,
// not in proportion, and not at all while it is paused; progress deadlines and minReadySeconds are not waited for.
#include <algorithm>
#include <map>

#include "core/api/encode.h"
#include "core/api/pod_util.h"
#include "core/api/workload.h"
#include "core/apiserver/controllers/controller.h"
#include "core/apiserver/controllers/names.h"
#include "core/apiserver/workload.h"

namespace podberth::apiserver {

namespace {

constexpr const char* kHashLabel = "pod-template-hash";
constexpr const char* kRevision = "deployment.kubernetes.io/revision";
constexpr int kDefaultHistory = 10;

using ReplicaSetPtr = std::shared_ptr<const api::ReplicaSet>;

Json withoutHash(Json pod_template) {
  const Json* labels = member(objectOf(pod_template, "metadata"), "labels");
  if (labels == nullptr || !labels->contains(kHashLabel)) return pod_template;
  Json& meta = pod_template["metadata"];
  meta["labels"].erase(kHashLabel);
  if (meta["labels"].empty()) meta.erase("labels");
  if (meta.empty()) pod_template.erase("metadata");
  return pod_template;
}

std::int64_t revisionOf(const api::Object& set) {
  const auto it = set.meta.annotations.find(kRevision);
  if (it == set.meta.annotations.end()) return 0;
  const Json value = Json::parse(it->second, nullptr, false);
  return value.is_number_integer() ? value.get<std::int64_t>() : 0;
}

// A rollout at one moment.
struct Rollout {
  const api::Object& deployment;
  Json spec;
  Json pod_template;
  std::vector<ReplicaSetPtr> all;  // oldest first
  ReplicaSetPtr current;           // the one of the template at hand; null before it is made
  std::vector<ReplicaSetPtr> old;  // the others

  int replicas() const { return replicasOf(spec); }
  bool recreates() const { return stringOf(objectOf(spec, "strategy"), "type") == "Recreate"; }
  const Json* rolling(const char* key) const {
    return member(objectOf(objectOf(spec, "strategy"), "rollingUpdate"), key);
  }
  int maxSurge() const { return recreates() ? 0 : scaledValue(rolling("maxSurge"), "25%", replicas(), true); }
  // Upstream: ResolveFenceposts: both may round to nothing, then one may be missing.
  int maxUnavailable() const {
    if (recreates() || replicas() == 0) return 0;
    int amount = scaledValue(rolling("maxUnavailable"), "25%", replicas(), false);
    if (amount == 0 && maxSurge() == 0) amount = 1;
    return std::min(amount, replicas());
  }
};

class DeploymentController : public Controller {
 public:
  using Controller::Controller;
  api::Kind kind() const override { return api::Kind::kDeployment; }

  bool sync(const api::Object& deployment, clock::Duration* /*again*/) override {
    Rollout rollout{deployment, specOf(deployment), {}, {}, {}, {}};
    rollout.pod_template = objectOf(rollout.spec, "template");
    collect(rollout);
    if (boolOf(rollout.spec, "paused")) {
      scalePaused(rollout);
      return true;
    }
    if (rollout.recreates()) return recreate(rollout);
    if (rollout.current == nullptr) return createCurrent(rollout);
    if (scaleUp(rollout)) return true;
    if (scaleDownOld(rollout)) return true;
    cleanUp(rollout);
    return true;
  }

 private:
  int wanted(const ReplicaSetPtr& set) const { return replicasOf(specOf(*set)); }
  int available(const ReplicaSetPtr& set) const {
    const Mirror::Pods& pods = mirror_.podsOf(set->meta.uid);
    return static_cast<int>(
        std::count_if(pods.begin(), pods.end(), [](const auto& item) { return isAvailable(*item.second); }));
  }
  template <class F>
  int total(const std::vector<ReplicaSetPtr>& sets, const F& count) const {
    int sum = 0;
    for (const ReplicaSetPtr& set : sets) sum += count(set);
    return sum;
  }

  void collect(Rollout& rollout) {
    const api::Object& deployment = rollout.deployment;
    const api::Selector selector = api::Selector::from(selectorOf(deployment));
    for (const auto& item : mirror_.all(api::Kind::kReplicaSet)) {
      const ReplicaSetPtr set = api::as<api::ReplicaSet>(item.second);
      if (set->meta.ns != deployment.meta.ns) continue;
      const api::OwnerReference* owner = api::controllerOf(set->meta);
      if (owner == nullptr && selector.matches(set->meta.labels) && !selector.empty()) {
        writer_.adopt(*set, deployment);
      } else if (owner == nullptr || owner->uid != deployment.meta.uid) {
        continue;
      }
      rollout.all.push_back(set);
    }
    std::stable_sort(rollout.all.begin(), rollout.all.end(), [](const ReplicaSetPtr& a, const ReplicaSetPtr& b) {
      return a->meta.creation_timestamp != b->meta.creation_timestamp
                 ? a->meta.creation_timestamp < b->meta.creation_timestamp
                 : revisionOf(*a) < revisionOf(*b);
    });
    const Json wanted_template = withoutHash(defaultedTemplate(rollout.pod_template));
    for (const ReplicaSetPtr& set : rollout.all) {
      if (rollout.current == nullptr &&
          withoutHash(defaultedTemplate(objectOf(specOf(*set), "template"))) == wanted_template) {
        rollout.current = set;
      } else {
        rollout.old.push_back(set);
      }
    }
  }

  int newReplicas(const Rollout& rollout) const {
    const int own = rollout.current == nullptr ? 0 : wanted(rollout.current);
    if (rollout.recreates()) return rollout.replicas();
    const int now = total(rollout.all, [this](const ReplicaSetPtr& set) { return wanted(set); });
    const int most = rollout.replicas() + rollout.maxSurge();
    if (now >= most) return own;
    return own + std::min(most - now, rollout.replicas() - own);
  }

  bool createCurrent(const Rollout& rollout) {
    const api::Object& deployment = rollout.deployment;
    int collisions = 0;
    std::string hash;
    std::string name;
    do {
      hash = templateHash(rollout.pod_template, collisions++);
      name = deployment.meta.name + "-" + hash;
    } while (mirror_.get(api::Kind::kReplicaSet, deployment.meta.ns + "/" + name) != nullptr && collisions < 10);
    std::int64_t revision = 0;
    for (const ReplicaSetPtr& set : rollout.all) revision = std::max(revision, revisionOf(*set));
    Json set = Json::object();
    set["apiVersion"] = "apps/v1";
    set["kind"] = "ReplicaSet";
    set["metadata"] = Json{{"name", name},
                           {"namespace", deployment.meta.ns},
                           {"annotations", {{kRevision, std::to_string(revision + 1)}}}};
    Json pod_template = rollout.pod_template;
    pod_template["metadata"]["labels"][kHashLabel] = hash;
    set["metadata"]["labels"] = pod_template["metadata"]["labels"];
    Json selector = objectOf(objectOf(api::encode(deployment), "spec"), "selector");
    selector["matchLabels"][kHashLabel] = hash;
    set["spec"] = Json{{"replicas", newReplicas(rollout)}, {"selector", selector}, {"template", pod_template}};
    if (const Json* ready = member(rollout.spec, "minReadySeconds")) set["spec"]["minReadySeconds"] = *ready;
    Writer::own(set, deployment);
    return writer_.create(set, deployment);
  }

  bool scale(const Rollout& rollout, const api::Object& set, int replicas) {
    if (replicasOf(specOf(set)) == replicas) return false;
    writer_.scale(set, replicas, rollout.deployment);
    return true;
  }

  // What a paused Deployment does. Upstream: sync.go, scale, with FindActiveOrLatest: the one ReplicaSet that has pods,
  // or the newest if none has.
  void scalePaused(const Rollout& rollout) {
    std::vector<ReplicaSetPtr> active;
    for (const ReplicaSetPtr& set : rollout.all) {
      if (wanted(set) > 0) active.push_back(set);
    }
    if (active.size() > 1) {
      const ReplicaSetPtr& current = rollout.current;
      if (current == nullptr || wanted(current) != rollout.replicas() || available(current) != rollout.replicas())
        return;
      for (const ReplicaSetPtr& set : rollout.old) scale(rollout, *set, 0);
      return;
    }
    ReplicaSetPtr only = rollout.current;
    if (!active.empty()) {
      only = active.front();
    } else if (only == nullptr && !rollout.old.empty()) {
      only = rollout.old.back();
    }
    if (only != nullptr) scale(rollout, *only, rollout.replicas());
  }

  // Upstream: reconcileNewReplicaSet. True if something was done.
  bool scaleUp(const Rollout& rollout) {
    const int own = wanted(rollout.current);
    if (own == rollout.replicas()) return false;
    return scale(rollout, *rollout.current, own > rollout.replicas() ? rollout.replicas() : newReplicas(rollout));
  }

  // Upstream: reconcileOldReplicaSets.
  bool scaleDownOld(const Rollout& rollout) {
    std::map<const api::Object*, int> size;  // of the old ones, as this makes them
    for (const ReplicaSetPtr& set : rollout.old) size[set.get()] = wanted(set);
    const int all = total(rollout.all, [this](const ReplicaSetPtr& set) { return wanted(set); });
    if (all == wanted(rollout.current)) return false;
    const int least = rollout.replicas() - rollout.maxUnavailable();
    const int new_unavailable = wanted(rollout.current) - available(rollout.current);
    int spare = all - least - new_unavailable;
    if (spare <= 0) return false;
    // First what does not run anyway.
    for (const ReplicaSetPtr& set : rollout.old) {
      int& own = size[set.get()];
      const int dead = std::min(spare, std::max(0, own - available(set)));
      own -= dead;
      spare -= dead;
    }
    // Then as many as may be missing.
    int removable = total(rollout.all, [this](const ReplicaSetPtr& set) { return available(set); }) - least;
    for (const ReplicaSetPtr& set : rollout.old) {
      if (removable <= 0) break;
      int& own = size[set.get()];
      const int count = std::min(own, removable);
      own -= count;
      removable -= count;
    }
    bool done = false;
    for (const ReplicaSetPtr& set : rollout.old) done = scale(rollout, *set, size[set.get()]) || done;
    return done;
  }

  // First everything old goes, then the new comes.
  bool recreate(const Rollout& rollout) {
    bool waits = false;
    for (const ReplicaSetPtr& set : rollout.old) {
      scale(rollout, *set, 0);
      const Mirror::Pods& pods = mirror_.podsOf(set->meta.uid);
      waits = waits || wanted(set) > 0 ||
              std::any_of(pods.begin(), pods.end(), [](const auto& item) { return !item.second->terminal(); });
    }
    if (waits) return true;
    if (rollout.current == nullptr) return createCurrent(rollout);
    scale(rollout, *rollout.current, rollout.replicas());
    cleanUp(rollout);
    return true;
  }

  // Old ReplicaSets beyond the history go once the rollout is through.
  void cleanUp(const Rollout& rollout) {
    if (available(rollout.current) < rollout.replicas()) return;
    const auto limit = integerOf(rollout.spec, "revisionHistoryLimit").value_or(kDefaultHistory);
    std::int64_t surplus = static_cast<std::int64_t>(rollout.old.size()) - limit;
    for (const ReplicaSetPtr& set : rollout.old) {
      if (surplus-- <= 0) break;
      if (wanted(set) == 0 && mirror_.podsOf(set->meta.uid).empty()) writer_.remove(*set, rollout.deployment);
    }
  }
};

}  // namespace

std::unique_ptr<Controller> makeDeploymentController(const ControlContext& context) {
  return std::make_unique<DeploymentController>(context);
}

}  // namespace podberth::apiserver
