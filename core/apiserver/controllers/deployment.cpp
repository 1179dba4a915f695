// Rolls the ReplicaSets of a Deployment over. Upstream: pkg/controller/deployment/{sync,rolling,recreate}.go and
// util/deployment_util.go. Progress deadlines only show in statuses, which are not modelled.
#include <algorithm>
#include <map>
#include <tuple>

#include "core/api/encode.h"
#include "core/api/pod_util.h"
#include "core/api/workload.h"
#include "core/apiserver/controllers/controller.h"
#include "core/apiserver/controllers/names.h"
#include "core/apiserver/workload.h"
#include "core/base/sort.h"

namespace podberth::apiserver {

namespace {

constexpr const char* kRevision = "deployment.kubernetes.io/revision";
// What the Deployment's size was when its ReplicaSet was scaled last, and with the surge.
constexpr const char* kDesired = "deployment.kubernetes.io/desired-replicas";
constexpr const char* kMost = "deployment.kubernetes.io/max-replicas";
constexpr int kDefaultHistory = 10;
constexpr std::size_t kLongestName = 253;

using ReplicaSetPtr = std::shared_ptr<const api::ReplicaSet>;

// A number in an annotation; -1 if there is none.
std::int64_t numberIn(const api::Object& set, const char* annotation) {
  const auto it = set.meta.annotations.find(annotation);
  if (it == set.meta.annotations.end()) return -1;
  const Json value = Json::parse(it->second, nullptr, false);
  return value.is_number_unsigned() ? value.get<std::int64_t>() : -1;
}

std::int64_t revisionOf(const api::Object& set) { return std::max<std::int64_t>(numberIn(set, kRevision), 0); }

// A rollout at one moment.
struct Rollout {
  const api::Object& deployment;
  const Spec& spec;
  std::vector<ReplicaSetPtr> all;  // oldest first
  ReplicaSetPtr current;           // the one of the template at hand; null before it is made
  std::vector<ReplicaSetPtr> old;  // the others

  int replicas() const { return spec.replicas; }
  bool recreates() const { return stringOf(objectOf(spec.json, "strategy"), "type") == "Recreate"; }
  const Json* rolling(const char* key) const {
    return member(objectOf(objectOf(spec.json, "strategy"), "rollingUpdate"), key);
  }
  int maxSurge() const { return recreates() ? 0 : scaledValue(rolling("maxSurge"), "25%", replicas(), true); }
  int most() const { return replicas() + maxSurge(); }
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
  bool concerns(const api::Object& /*deployment*/, const PodChange& change) const override {
    return change.active || change.ready;
  }

  bool sync(const api::Object& deployment, clock::Duration* again) override {
    Rollout rollout{deployment, specs_.of(deployment), {}, {}, {}};
    collect(rollout);
    const bool done = act(rollout);
    for (const ReplicaSetPtr& set : rollout.all) {
      *again = sooner(*again, untilAvailable(mirror_.podsOf(*set), specs_.of(*set).min_ready, loop_.now()));
    }
    return done;
  }

 private:
  int wanted(const ReplicaSetPtr& set) const { return specs_.of(*set).replicas; }
  int actual(const ReplicaSetPtr& set) const { return mirror_.owned(*set).active; }
  int available(const ReplicaSetPtr& set) const {
    const Mirror::Owned& owned = mirror_.owned(*set);
    const clock::Duration least = specs_.of(*set).min_ready;
    if (least == 0) return owned.available;
    return static_cast<int>(std::count_if(owned.pods.begin(), owned.pods.end(), [&](const auto& item) {
      return item.second.availableFor(least, loop_.now());
    }));
  }
  // What the ReplicaSets have in all, of what `count` counts.
  int total(const std::vector<ReplicaSetPtr>& sets,
            int (DeploymentController::*count)(const ReplicaSetPtr&) const) const {
    int sum = 0;
    for (const ReplicaSetPtr& set : sets) sum += (this->*count)(set);
    return sum;
  }
  std::vector<ReplicaSetPtr> activeOf(const std::vector<ReplicaSetPtr>& sets) const {
    std::vector<ReplicaSetPtr> out;
    for (const ReplicaSetPtr& set : sets) {
      if (wanted(set) > 0) out.push_back(set);
    }
    return out;
  }

  bool act(Rollout& rollout) {
    number(rollout);
    const bool paused = boolOf(rollout.spec.json, "paused");
    if (paused || hasBeenScaled(rollout)) {
      keepSize(rollout);
      if (paused) cleanUp(rollout);
      return true;
    }
    if (rollout.recreates()) return recreate(rollout);
    if (rollout.current == nullptr) return createCurrent(rollout);
    if (scaleUp(rollout)) return true;
    if (scaleDownOld(rollout)) return true;
    if (isComplete(rollout)) cleanUp(rollout);
    return true;
  }

  void collect(Rollout& rollout) {
    const api::Object& deployment = rollout.deployment;
    const api::Selector selector = selectionOf(deployment);
    for (const auto& item : mirror_.all(api::Kind::kReplicaSet)) {
      const api::Object& set = *item.second;
      const api::OwnerReference* owner = api::controllerOf(set.meta);
      if ((owner != nullptr && owner->uid != deployment.meta.uid) || set.meta.ns != deployment.meta.ns) continue;
      if (owner == nullptr) {
        if (selector.empty() || !selector.matches(set.meta.labels)) continue;
        writer_.adopt(set, deployment);
      }
      rollout.all.push_back(api::as<api::ReplicaSet>(item.second));
    }
    base::stableSort(rollout.all, [](const ReplicaSetPtr& a, const ReplicaSetPtr& b) {
      return a->meta.creation_timestamp != b->meta.creation_timestamp
                 ? a->meta.creation_timestamp < b->meta.creation_timestamp
                 : revisionOf(*a) < revisionOf(*b);
    });
    for (const ReplicaSetPtr& set : rollout.all) {
      if (rollout.current == nullptr && specs_.of(*set).plain_template == rollout.spec.plain_template) {
        rollout.current = set;
      } else {
        rollout.old.push_back(set);
      }
    }
  }

  std::int64_t nextRevision(const Rollout& rollout) const {
    std::int64_t revision = 0;
    for (const ReplicaSetPtr& set : rollout.old) revision = std::max(revision, revisionOf(*set));
    return revision + 1;
  }

  // The ReplicaSet at hand has the highest revision, and what the Deployment says of its pods. Upstream:
  // getNewReplicaSet.
  void number(Rollout& rollout) {
    if (rollout.current == nullptr) return;
    const std::int64_t revision = nextRevision(rollout);
    const bool later = revisionOf(*rollout.current) < revision;
    if (!later && specs_.of(*rollout.current).min_ready == rollout.spec.min_ready) return;
    auto copy = std::make_shared<api::ReplicaSet>(*rollout.current);
    if (later) copy->meta.annotations[kRevision] = std::to_string(revision);
    Json spec = parseRest(copy->spec_rest);
    spec["minReadySeconds"] = rollout.spec.min_ready / clock::kSecond;
    copy->spec_rest = dumpRest(spec);
    const ReplicaSetPtr kept = copy;
    writer_.replace(later ? "revision " + std::to_string(revision) : "update", std::move(copy), rollout.deployment);
    std::replace(rollout.all.begin(), rollout.all.end(), rollout.current, kept);
    rollout.current = kept;
  }

  int newReplicas(const Rollout& rollout) const {
    const int own = rollout.current == nullptr ? 0 : wanted(rollout.current);
    if (rollout.recreates()) return rollout.replicas();
    const int now = total(rollout.all, &DeploymentController::wanted);
    if (now >= rollout.most()) return own;
    return own + std::min(rollout.most() - now, rollout.replicas() - own);
  }

  bool createCurrent(const Rollout& rollout) {
    const api::Object& deployment = rollout.deployment;
    int collisions = 0;
    std::string hash;
    std::string name;
    do {
      hash = templateHash(rollout.spec.podTemplate(), collisions++);
      name = deployment.meta.name.substr(0, kLongestName - 1 - hash.size()) + "-" + hash;
    } while (mirror_.get(api::Kind::kReplicaSet, deployment.meta.ns + "/" + name) != nullptr && collisions < 10);
    Json set = Json::object();
    set["apiVersion"] = "apps/v1";
    set["kind"] = "ReplicaSet";
    set["metadata"] = Json{{"name", name},
                           {"namespace", deployment.meta.ns},
                           {"annotations",
                            {{kRevision, std::to_string(nextRevision(rollout))},
                             {kDesired, std::to_string(rollout.replicas())},
                             {kMost, std::to_string(rollout.most())}}}};
    Json pod_template = rollout.spec.podTemplate();
    pod_template["metadata"]["labels"][kTemplateHashLabel] = hash;
    set["metadata"]["labels"] = pod_template["metadata"]["labels"];
    Json selector = objectOf(objectOf(api::encode(deployment), "spec"), "selector");
    selector["matchLabels"][kTemplateHashLabel] = hash;
    set["spec"] = Json{{"replicas", newReplicas(rollout)}, {"selector", selector}, {"template", pod_template}};
    if (const Json* ready = member(rollout.spec.json, "minReadySeconds")) set["spec"]["minReadySeconds"] = *ready;
    Writer::own(set, deployment);
    return writer_.create(set, deployment);
  }

  // Upstream: scaleReplicaSet. `remember` writes the Deployment's size down even if the ReplicaSet's stays. True if it
  // was scaled.
  bool scale(const Rollout& rollout, const api::ReplicaSet& set, int replicas, bool remember = false) {
    const bool resized = specs_.of(set).replicas != replicas;
    const bool remembers = numberIn(set, kDesired) == rollout.replicas() && numberIn(set, kMost) == rollout.most();
    if (!resized && (remembers || !remember)) return false;
    auto copy = std::make_shared<api::ReplicaSet>(set);
    Json spec = parseRest(copy->spec_rest);
    spec["replicas"] = replicas;
    copy->spec_rest = dumpRest(spec);
    copy->meta.annotations[kDesired] = std::to_string(rollout.replicas());
    copy->meta.annotations[kMost] = std::to_string(rollout.most());
    writer_.replace(resized ? "scale to " + std::to_string(replicas) : "update", std::move(copy), rollout.deployment);
    return resized;
  }

  // Whether the Deployment has another size than when its ReplicaSets were scaled. Upstream: isScalingEvent.
  bool hasBeenScaled(const Rollout& rollout) const {
    const std::vector<ReplicaSetPtr> active = activeOf(rollout.all);
    return std::any_of(active.begin(), active.end(), [&](const ReplicaSetPtr& set) {
      const std::int64_t desired = numberIn(*set, kDesired);
      return desired >= 0 && desired != rollout.replicas();
    });
  }

  // Brings the ReplicaSets to the Deployment's size without rolling anything out. Upstream: sync.go, scale.
  void keepSize(const Rollout& rollout) {
    const std::vector<ReplicaSetPtr> active = activeOf(rollout.all);
    if (active.size() > 1) {
      scaleAll(rollout, active);
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

  // In the middle of a rollout.
  void scaleAll(const Rollout& rollout, std::vector<ReplicaSetPtr> active) {
    const ReplicaSetPtr& current = rollout.current;
    if (current != nullptr && wanted(current) == rollout.replicas() &&
        numberIn(*current, kDesired) == rollout.replicas() && available(current) == rollout.replicas()) {
      for (const ReplicaSetPtr& set : rollout.old) scale(rollout, *set, 0);
      return;
    }
    if (rollout.recreates()) return;
    const int allowed = rollout.replicas() > 0 ? rollout.most() : 0;
    const int to_add = allowed - total(active, &DeploymentController::wanted);
    // The largest first; of equals the newest when there are to be more, the oldest when there are to be fewer.
    if (to_add > 0) std::reverse(active.begin(), active.end());
    if (to_add != 0) {
      base::stableSort(active,
                       [this](const ReplicaSetPtr& a, const ReplicaSetPtr& b) { return wanted(a) > wanted(b); });
    }
    std::vector<int> sizes;
    int added = 0;
    for (const ReplicaSetPtr& set : active) {
      const int share = shareOf(rollout, set, to_add, added);
      sizes.push_back(wanted(set) + share);
      added += share;
    }
    sizes[0] = std::max(sizes[0] + to_add - added, 0);  // what rounding has left over
    for (std::size_t i = 0; i < active.size(); ++i) scale(rollout, *active[i], sizes[i], /*remember=*/true);
  }

  // How many of `to_add` pods (fewer than none to take away) a ReplicaSet gets. Upstream: GetReplicaSetProportion,
  // getReplicaSetFraction.
  int shareOf(const Rollout& rollout, const ReplicaSetPtr& set, int to_add, int added) const {
    if (to_add == added) return 0;
    int share = -wanted(set);
    if (rollout.replicas() > 0) {
      std::int64_t before = numberIn(*set, kMost);
      if (before <= 0) before = total(rollout.all, &DeploymentController::actual);
      if (before == 0) return 0;
      const double size = static_cast<double>(wanted(set)) * rollout.most() / static_cast<double>(before);
      share = static_cast<int>(size + 0.5) - wanted(set);
    }
    return to_add > 0 ? std::min(share, to_add - added) : std::max(share, to_add - added);
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
    const int all = total(rollout.all, &DeploymentController::wanted);
    if (all == wanted(rollout.current)) return false;
    const int least = rollout.replicas() - rollout.maxUnavailable();
    const int new_unavailable = wanted(rollout.current) - available(rollout.current);
    int spare = all - least - new_unavailable;
    if (spare <= 0) return false;
    // First what does not run anyway. A ReplicaSet that still has more pods than it wants has been scaled just now:
    // what is known of its pods is too old to go on with.
    for (const ReplicaSetPtr& set : rollout.old) {
      int& own = size[set.get()];
      if (spare <= 0) break;
      if (own == 0) continue;
      if (available(set) > own) {
        for (const ReplicaSetPtr& other : rollout.old) scale(rollout, *other, size[other.get()]);
        return false;
      }
      const int dead = std::min(spare, own - available(set));
      own -= dead;
      spare -= dead;
    }
    // Then as many as may be missing.
    int removable = total(rollout.all, &DeploymentController::available) - least;
    for (const ReplicaSetPtr& set : rollout.old) {
      if (removable <= 0) break;
      int& own = size[set.get()];
      const int taken = std::min(own, removable);
      own -= taken;
      removable -= taken;
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
      waits = waits || wanted(set) > 0 || mirror_.owned(*set).unended > 0;
    }
    if (waits) return true;
    if (rollout.current == nullptr) return createCurrent(rollout);
    scale(rollout, *rollout.current, rollout.replicas());
    if (isComplete(rollout)) cleanUp(rollout);
    return true;
  }

  // Upstream: DeploymentComplete.
  bool isComplete(const Rollout& rollout) const {
    const int replicas = rollout.replicas();
    return actual(rollout.current) == replicas && total(rollout.all, &DeploymentController::actual) == replicas &&
           total(rollout.all, &DeploymentController::available) == replicas;
  }

  // Old ReplicaSets beyond the history go, those of the lowest revisions first.
  void cleanUp(const Rollout& rollout) {
    const auto limit = integerOf(rollout.spec.json, "revisionHistoryLimit").value_or(kDefaultHistory);
    std::int64_t surplus = static_cast<std::int64_t>(rollout.old.size()) - limit;
    std::vector<ReplicaSetPtr> old = rollout.old;
    base::stableSort(old,
                     [](const ReplicaSetPtr& a, const ReplicaSetPtr& b) { return revisionOf(*a) < revisionOf(*b); });
    for (const ReplicaSetPtr& set : old) {
      if (surplus-- <= 0) break;
      if (wanted(set) == 0 && actual(set) == 0) writer_.remove(*set, rollout.deployment);
    }
  }
};

}  // namespace

std::unique_ptr<Controller> makeDeploymentController(const ControlContext& context) {
  return std::make_unique<DeploymentController>(context);
}

}  // namespace podberth::apiserver
