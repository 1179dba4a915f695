// Pods with names that last, and their claims. Upstream: pkg/controller/statefulset/stateful_set_control.go and
// stateful_set_utils.go. Claims are kept whatever the retention policy says, and minReadySeconds is not waited for.
#include <algorithm>
#include <map>
#include <set>

#include "core/api/workload.h"
#include "core/apiserver/controllers/controller.h"
#include "core/apiserver/controllers/names.h"
#include "core/apiserver/workload.h"

namespace podberth::apiserver {

namespace {

constexpr const char* kRevisionLabel = "controller-revision-hash";
constexpr int kLastOrdinal = 10000000;
constexpr const char* kPodNameLabel = "statefulset.kubernetes.io/pod-name";
constexpr const char* kPodIndexLabel = "apps.kubernetes.io/pod-index";

// The number at the end of "name-3"; -1 if the name is of another form.
int ordinalOf(const std::string& pod, const std::string& set) {
  if (pod.size() <= set.size() + 1 || pod.compare(0, set.size(), set) != 0 || pod[set.size()] != '-') return -1;
  int ordinal = 0;
  for (std::size_t i = set.size() + 1; i < pod.size(); ++i) {
    if (pod[i] < '0' || pod[i] > '9' || ordinal > kLastOrdinal) return -1;
    ordinal = ordinal * 10 + (pod[i] - '0');
  }
  return ordinal;
}

// The template whose rollout is through, and the one that is being rolled out.
struct Revisions {
  std::string current;
  Json current_template;
  std::string update;
  std::set<std::string> inherited;  // labels of pods that were there first: they are taken to be current
};

struct Set {
  const api::Object& object;
  Json spec;
  int replicas = 0;
  int start = 0;
  bool ordered = true;
  Revisions& revisions;
};

class StatefulSetController : public Controller {
 public:
  using Controller::Controller;
  api::Kind kind() const override { return api::Kind::kStatefulSet; }
  void forget(const api::Object& set) override { revisions_.erase(set.meta.uid); }

  bool sync(const api::Object& object, clock::Duration* /*again*/) override {
    const std::string name = object.meta.name;
    const std::vector<api::PodPtr> pods =
        writer_.claim(object, [&](const api::Pod& pod) { return ordinalOf(pod.meta.name, name) >= 0; });
    Set set{object, specOf(object), 0, 0, true, revisions_[object.meta.uid]};
    set.replicas = replicasOf(set.spec);
    set.start = static_cast<int>(
        std::clamp<std::int64_t>(integerOf(objectOf(set.spec, "ordinals"), "start").value_or(0), 0, kLastOrdinal));
    set.ordered = stringOf(set.spec, "podManagementPolicy") != "Parallel";
    revise(set, pods);

    std::vector<api::PodPtr> replicas(static_cast<std::size_t>(set.replicas));
    std::vector<api::PodPtr> condemned;
    for (const api::PodPtr& pod : pods) {
      const int ordinal = ordinalOf(pod->meta.name, name);
      if (ordinal < 0) continue;
      if (ordinal >= set.start && ordinal < set.start + set.replicas) {
        replicas[static_cast<std::size_t>(ordinal - set.start)] = pod;
      } else {
        condemned.push_back(pod);
      }
    }
    std::sort(condemned.begin(), condemned.end(), [&](const api::PodPtr& a, const api::PodPtr& b) {
      return ordinalOf(a->meta.name, name) > ordinalOf(b->meta.name, name);
    });
    for (std::size_t i = 0; i < replicas.size(); ++i) {
      bool refused = false;
      const bool waits = processReplica(set, replicas[i], static_cast<int>(i) + set.start, &refused);
      if (refused) return false;
      if (waits && set.ordered) return true;
    }
    if (removeCondemned(set, replicas, condemned)) return true;
    update(set, replicas);
    return true;
  }

 private:
  const Json& strategy(const Set& set) const { return objectOf(set.spec, "updateStrategy"); }
  int partition(const Set& set) const {
    return static_cast<int>(integerOf(objectOf(strategy(set), "rollingUpdate"), "partition").value_or(0));
  }
  bool onDelete(const Set& set) const { return stringOf(strategy(set), "type") == "OnDelete"; }

  void revise(Set& set, const std::vector<api::PodPtr>& pods) {
    Revisions& revisions = set.revisions;
    const Json& pod_template = objectOf(set.spec, "template");
    revisions.update = set.object.meta.name + "-" + templateHash(defaultedTemplate(pod_template));
    if (!revisions.current.empty()) return;
    revisions.current = revisions.update;
    revisions.current_template = pod_template;
    for (const api::PodPtr& pod : pods) revisions.inherited.insert(labelOf(*pod));
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

  // True if the next one has to wait for this one, where they come in order.
  bool processReplica(const Set& set, const api::PodPtr& pod, int ordinal, bool* refused) {
    if (pod == nullptr) {
      *refused = !create(set, ordinal);
      return true;
    }
    if (pod->terminal()) {
      writer_.remove(*pod, set.object);
      return true;
    }
    return !isAvailable(*pod);
  }

  bool removeCondemned(const Set& set, const std::vector<api::PodPtr>& replicas,
                       const std::vector<api::PodPtr>& condemned) {
    const auto missing = [](const api::PodPtr& pod) { return pod == nullptr || !isAvailable(*pod); };
    const api::Pod* first_unavailable = nullptr;
    for (const api::PodPtr& pod : replicas) {
      if (first_unavailable == nullptr && pod != nullptr && missing(pod)) first_unavailable = pod.get();
    }
    for (auto it = condemned.rbegin(); it != condemned.rend(); ++it) {
      if (first_unavailable == nullptr && missing(*it)) first_unavailable = it->get();
    }
    for (const api::PodPtr& pod : condemned) {
      if (pod->meta.deletion_timestamp) {
        if (set.ordered) return true;
        continue;
      }
      if (set.ordered && missing(pod) && pod.get() != first_unavailable) return true;
      writer_.remove(*pod, set.object);
      if (set.ordered) return true;
    }
    return false;
  }

  // Pods of the old template are removed from the last on; what is made in their place is new.
  void update(const Set& set, const std::vector<api::PodPtr>& replicas) {
    if (onDelete(set)) return;
    const Json& rolling = objectOf(strategy(set), "rollingUpdate");
    const int most = std::max(1, scaledValue(member(rolling, "maxUnavailable"), 1, set.replicas, true));
    bool through = true;
    int waiting = 0;
    for (int i = set.replicas - 1; i >= partition(set); --i) {
      const api::PodPtr& pod = replicas[static_cast<std::size_t>(i)];
      if (pod == nullptr || !isAvailable(*pod)) {
        ++waiting;
        through = false;
      }
      if (pod != nullptr && !isUpdated(set, *pod)) {
        through = false;
        if (!pod->meta.deletion_timestamp) writer_.remove(*pod, set.object);
        if (isAvailable(*pod)) ++waiting;
      }
      if (waiting >= most) return;
    }
    if (through && partition(set) == 0) {
      set.revisions.current = set.revisions.update;
      set.revisions.current_template = objectOf(set.spec, "template");
    }
  }

  bool create(const Set& set, int ordinal) {
    const api::Object& object = set.object;
    const std::string name = object.meta.name + "-" + std::to_string(ordinal);
    const bool current = !onDelete(set) && ordinal - set.start < partition(set);
    Json pod = Writer::podJson(current ? set.revisions.current_template : objectOf(set.spec, "template"), object);
    Json& meta = pod["metadata"];
    meta["name"] = name;
    meta["generateName"] = object.meta.name + "-";
    meta["labels"][kPodNameLabel] = name;
    meta["labels"][kPodIndexLabel] = std::to_string(ordinal);
    meta["labels"][kRevisionLabel] = current ? set.revisions.current : set.revisions.update;
    Json& spec = pod["spec"];
    spec["hostname"] = name;
    const std::string service = stringOf(set.spec, "serviceName");
    spec.erase("subdomain");
    if (!service.empty()) spec["subdomain"] = service;
    if (!createClaims(set, ordinal, spec)) return false;
    return writer_.create(pod, object);
  }

  // The claims of the templates, and the pod's volumes that use them.
  bool createClaims(const Set& set, int ordinal, Json& spec) {
    const api::Object& object = set.object;
    std::map<std::string, Json> templates;
    for (const Json& claim : listOf(set.spec, "volumeClaimTemplates")) {
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
