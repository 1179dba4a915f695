// Pods with names that last, and their claims. Upstream: pkg/controller/statefulset/stateful_set_control.go and
// stateful_set_utils.go. Claims are kept whatever the retention policy says.
#include <algorithm>
#include <limits>
#include <map>
#include <set>

#include "core/api/workload.h"
#include "core/apiserver/controllers/controller.h"
#include "core/apiserver/controllers/names.h"
#include "core/apiserver/workload.h"
#include "core/base/sort.h"

namespace podberth::apiserver {

namespace {

constexpr const char* kRevisionLabel = "controller-revision-hash";
constexpr std::int64_t kLastOrdinal = std::numeric_limits<std::int32_t>::max();
constexpr const char* kPodNameLabel = "statefulset.kubernetes.io/pod-name";
constexpr const char* kPodIndexLabel = "apps.kubernetes.io/pod-index";

// The number at the end of "name-3"; -1 if the name is of another form.
std::int64_t ordinalOf(const std::string& pod, const std::string& set) {
  if (pod.size() <= set.size() + 1 || pod.compare(0, set.size(), set) != 0 || pod[set.size()] != '-') return -1;
  std::int64_t ordinal = 0;
  for (std::size_t i = set.size() + 1; i < pod.size(); ++i) {
    if (pod[i] < '0' || pod[i] > '9') return -1;
    ordinal = ordinal * 10 + (pod[i] - '0');
    if (ordinal > kLastOrdinal) return -1;
  }
  return ordinal;
}

// The template whose rollout is through, and the one that is being rolled out.
struct Revisions {
  std::string current;
  Json current_template;
  std::string update;
  std::set<std::string> inherited;  // labels of pods that were there first: they are taken to be current
  bool at_rest = false;             // as of the last look: all pods are there and as they should be
};

struct Set {
  const api::Object& object;
  const Spec& spec;
  Revisions& revisions;
  clock::Time now = 0;
  std::int64_t start = 0;
  int replicas = 0;  // as many as there are ordinals for
  bool ordered = true;

  bool available(const MirroredPod* pod) const { return pod != nullptr && pod->availableFor(spec.min_ready, now); }
};

// By ordinal from `start` on; null where a pod is missing.
using Replicas = std::vector<const MirroredPod*>;

class StatefulSetController : public Controller {
 public:
  using Controller::Controller;
  api::Kind kind() const override { return api::Kind::kStatefulSet; }
  void forget(const api::Object& set) override { revisions_.erase(set.meta.uid); }
  bool concerns(const api::Object& set, const PodChange& change) const override {
    if (change.active || change.labels) return true;
    const auto known = revisions_.find(set.meta.uid);
    return change.ready && (known == revisions_.end() || !known->second.at_rest);
  }

  bool sync(const api::Object& object, clock::Duration* again) override {
    const std::string& name = object.meta.name;
    const Claimed claimed =
        writer_.claim(object, [&](const api::Pod& pod) { return ordinalOf(pod.meta.name, name) >= 0; });
    Set set{object, specs_.of(object), revisions_[object.meta.uid], loop_.now()};
    set.start =
        std::clamp<std::int64_t>(integerOf(objectOf(set.spec.json, "ordinals"), "start").value_or(0), 0, kLastOrdinal);
    set.replicas = static_cast<int>(std::min<std::int64_t>(set.spec.replicas, kLastOrdinal - set.start + 1));
    set.ordered = stringOf(set.spec.json, "podManagementPolicy") != "Parallel";
    revise(set, claimed.pods());
    set.revisions.at_rest = false;
    *again = untilAvailable(claimed.pods(), set.spec.min_ready, set.now);

    Replicas replicas(static_cast<std::size_t>(set.replicas));
    std::vector<std::pair<std::int64_t, const MirroredPod*>> condemned;  // with their ordinals, the last first
    for (const auto& [key, pod] : claimed.pods()) {
      const std::int64_t ordinal = ordinalOf(pod->meta.name, name);
      if (ordinal < 0) continue;
      if (ordinal >= set.start && ordinal < set.start + set.replicas) {
        replicas[static_cast<std::size_t>(ordinal - set.start)] = &pod;
      } else {
        condemned.emplace_back(ordinal, &pod);
      }
    }
    base::stableSort(condemned, [](const auto& a, const auto& b) { return a.first > b.first; });
    bool ended = false;
    for (std::size_t i = 0; i < replicas.size(); ++i) {
      const Next next = processReplica(set, replicas[i], static_cast<std::int64_t>(i) + set.start);
      if (next == Next::kRefused) return false;
      if (next != Next::kGoOn && set.ordered) return true;
      ended = ended || next == Next::kEnded;
    }
    if (ended) return true;
    if (removeCondemned(set, replicas, condemned)) return true;
    const bool updated = update(set, replicas);
    // Nothing is missing, too many or old: pods that become ready change nothing.
    set.revisions.at_rest =
        condemned.empty() && updated && std::find(replicas.begin(), replicas.end(), nullptr) == replicas.end();
    return true;
  }

 private:
  const Json& strategy(const Set& set) const { return objectOf(set.spec.json, "updateStrategy"); }
  int partition(const Set& set) const {
    return static_cast<int>(integerOf(objectOf(strategy(set), "rollingUpdate"), "partition").value_or(0));
  }
  bool onDelete(const Set& set) const { return stringOf(strategy(set), "type") == "OnDelete"; }

  void revise(Set& set, const MirroredPods& pods) {
    Revisions& revisions = set.revisions;
    revisions.update = set.object.meta.name + "-" + templateHash(set.spec.plain_template);
    if (!revisions.current.empty()) return;
    revisions.current = revisions.update;
    revisions.current_template = set.spec.podTemplate();
    for (const auto& item : pods) revisions.inherited.insert(labelOf(*item.second));
  }

  static std::string labelOf(const api::Pod& pod) {
    const api::Symbol* label = pod.meta.labels.find(api::Symbol(std::string_view(kRevisionLabel)));
    return label == nullptr ? std::string() : label->str();
  }
  bool isUpdated(const Set& set, const api::Pod& pod) const {
    const std::string label = labelOf(pod);
    if (label == set.revisions.update) return true;
    return set.revisions.current == set.revisions.update && set.revisions.inherited.count(label) != 0;
  }

  // What became of one of the replicas: it is there; the next one has to wait for it, where they come in order; it has
  // ended and is removed; it cannot be made.
  enum class Next { kGoOn, kWait, kEnded, kRefused };
  Next processReplica(const Set& set, const MirroredPod* pod, std::int64_t ordinal) {
    if (pod == nullptr) return create(set, ordinal) ? Next::kWait : Next::kRefused;
    if ((*pod)->terminal()) {
      writer_.remove(**pod, set.object);
      return Next::kEnded;
    }
    return set.available(pod) ? Next::kGoOn : Next::kWait;
  }

  bool removeCondemned(const Set& set, const Replicas& replicas,
                       const std::vector<std::pair<std::int64_t, const MirroredPod*>>& condemned) {
    const MirroredPod* first_unavailable = nullptr;
    for (const MirroredPod* pod : replicas) {
      if (first_unavailable == nullptr && pod != nullptr && !set.available(pod)) first_unavailable = pod;
    }
    for (auto it = condemned.rbegin(); it != condemned.rend(); ++it) {
      if (first_unavailable == nullptr && !set.available(it->second)) first_unavailable = it->second;
    }
    for (const auto& [ordinal, pod] : condemned) {
      if ((*pod)->meta.deletion_timestamp) {
        if (set.ordered) return true;
        continue;
      }
      if (set.ordered && !set.available(pod) && pod != first_unavailable) return true;
      writer_.remove(**pod, set.object);
      if (set.ordered) return true;
    }
    return false;
  }

  // Pods of the old template are removed from the last on; what is made in their place is new. True if there was
  // nothing to update. Upstream: updateStatefulSetAfterInvariantEstablished.
  bool update(const Set& set, const Replicas& replicas) {
    if (onDelete(set)) return true;
    const Json* most_json = member(objectOf(strategy(set), "rollingUpdate"), "maxUnavailable");
    const int most = std::max(1, scaledValue(most_json, 1, set.replicas, false));
    const auto isOld = [&](const MirroredPod* pod) {
      return pod != nullptr && !isUpdated(set, **pod) && !(*pod)->meta.deletion_timestamp;
    };
    int unavailable = 0;
    int old = 0;
    for (const MirroredPod* pod : replicas) {
      if (!set.available(pod)) ++unavailable;
      if (pod == nullptr || !isUpdated(set, **pod)) ++old;
    }
    if (old == 0) {
      // All of them are ready, whatever minReadySeconds says.
      if (std::all_of(replicas.begin(), replicas.end(), [](const MirroredPod* pod) { return isAvailable(**pod); })) {
        set.revisions.current = set.revisions.update;
        set.revisions.current_template = set.spec.podTemplate();
        return true;
      }
      return set.revisions.current == set.revisions.update;
    }
    const int least = std::min(partition(set), set.replicas);
    int budget = most - unavailable;
    // Of a set whose pods need not come in order, those that do not run anyway go first.
    for (int i = set.replicas - 1; !set.ordered && i >= least; --i) {
      const MirroredPod* pod = replicas[static_cast<std::size_t>(i)];
      if (isOld(pod) && !set.available(pod)) writer_.remove(**pod, set.object);
    }
    for (int i = set.replicas - 1; budget > 0 && i >= least; --i) {
      const MirroredPod* pod = replicas[static_cast<std::size_t>(i)];
      if (!isOld(pod) || (!set.ordered && !set.available(pod))) continue;
      writer_.remove(**pod, set.object);
      --budget;
    }
    return false;
  }

  bool create(const Set& set, std::int64_t ordinal) {
    const api::Object& object = set.object;
    const std::string name = object.meta.name + "-" + std::to_string(ordinal);
    const bool current = !onDelete(set) && ordinal - set.start < partition(set);
    Json pod = Writer::podJson(current ? set.revisions.current_template : set.spec.podTemplate(), object);
    Json& meta = pod["metadata"];
    meta["name"] = name;
    meta["generateName"] = object.meta.name + "-";
    meta["labels"][kPodNameLabel] = name;
    meta["labels"][kPodIndexLabel] = std::to_string(ordinal);
    meta["labels"][kRevisionLabel] = current ? set.revisions.current : set.revisions.update;
    Json& spec = pod["spec"];
    spec["hostname"] = name;
    const std::string service = stringOf(set.spec.json, "serviceName");
    spec.erase("subdomain");
    if (!service.empty()) spec["subdomain"] = service;
    if (!createClaims(set, ordinal, spec)) return false;
    return writer_.create(pod, object);
  }

  // The claims of the templates, and the pod's volumes that use them.
  bool createClaims(const Set& set, std::int64_t ordinal, Json& spec) {
    const api::Object& object = set.object;
    std::map<std::string, Json> templates;
    for (const Json& claim : listOf(set.spec.json, "volumeClaimTemplates")) {
      templates[stringOf(objectOf(claim, "metadata"), "name")] = claim;
    }
    if (templates.empty()) return true;
    Json volumes = Json::array();
    for (const auto& [volume, claim_template] : templates) {
      const std::string name = volume + "-" + object.meta.name + "-" + std::to_string(ordinal);
      volumes.push_back(Json{{"name", volume}, {"persistentVolumeClaim", {{"claimName", name}}}});
      if (mirror_.get(api::Kind::kPersistentVolumeClaim, object.meta.ns + "/" + name) != nullptr) continue;
      Json claim = claim_template;
      claim["apiVersion"] = "v1";
      claim["kind"] = "PersistentVolumeClaim";
      claim.erase("status");
      claim["metadata"]["name"] = name;
      claim["metadata"]["namespace"] = object.meta.ns;
      if (selectorOf(object)) {
        for (const auto& [key, value] : selectorOf(object)->match_labels) {
          claim["metadata"]["labels"][key.str()] = value.str();
        }
      }
      if (!writer_.create(claim, object)) return false;
    }
    for (const Json& volume : listOf(spec, "volumes")) {
      if (templates.count(stringOf(volume, "name")) == 0) volumes.push_back(volume);
    }
    spec["volumes"] = std::move(volumes);
    return true;
  }

  std::map<std::string, Revisions> revisions_;  // by the set's uid
};

}  // namespace

std::unique_ptr<Controller> makeStatefulSetController(const ControlContext& context) {
  return std::make_unique<StatefulSetController>(context);
}

}  // namespace podberth::apiserver
