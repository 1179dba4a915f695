// One pod on every node that lets it. Upstream: pkg/controller/daemon/daemon_controller.go, update.go and
// util/daemonset_util.go. maxSurge works as maxUnavailable does: the old pod goes first.
#include <algorithm>
#include <map>
#include <set>

#include "core/api/node_selector.h"
#include "core/api/tolerations.h"
#include "core/api/workload.h"
#include "core/apiserver/controllers/controller.h"
#include "core/apiserver/controllers/names.h"
#include "core/apiserver/workload.h"
#include "core/base/sort.h"

namespace podberth::apiserver {

namespace {

constexpr const char* kRevisionLabel = "controller-revision-hash";
constexpr const char* kGenerationLabel = "pod-template-generation";
constexpr const char* kNameField = "metadata.name";
constexpr std::size_t kBurst = 250;  // pods made or removed in one go
constexpr clock::Duration kFirstBackoff = clock::kSecond;
constexpr clock::Duration kLongestBackoff = 15 * clock::kMinute;

struct Tolerated {
  const char* key;
  const char* effect;
  bool host_network_only;
};
constexpr Tolerated kTolerated[] = {
    {"node.kubernetes.io/not-ready", "NoExecute", false},
    {"node.kubernetes.io/unreachable", "NoExecute", false},
    {"node.kubernetes.io/disk-pressure", "NoSchedule", false},
    {"node.kubernetes.io/memory-pressure", "NoSchedule", false},
    {"node.kubernetes.io/pid-pressure", "NoSchedule", false},
    {"node.kubernetes.io/unschedulable", "NoSchedule", false},
    {"node.kubernetes.io/network-unavailable", "NoSchedule", true},
};

// Adds the tolerations that every daemon pod has; one that is there already keeps its place.
void tolerate(Json& spec) {
  Json& list = spec["tolerations"];
  if (!list.is_array()) list = Json::array();
  for (const Tolerated& t : kTolerated) {
    if (t.host_network_only && !boolOf(spec, "hostNetwork")) continue;
    const Json toleration{{"key", t.key}, {"operator", "Exists"}, {"effect", t.effect}};
    const auto same = std::find_if(list.begin(), list.end(), [&](const Json& other) {
      return stringOf(other, "key") == t.key && stringOf(other, "effect") == t.effect &&
             stringOf(other, "operator") == "Exists" && stringOf(other, "value").empty();
    });
    if (same != list.end()) {
      *same = toleration;
    } else {
      list.push_back(toleration);
    }
  }
}

// The one node that a pod of a DaemonSet is for; "" if it does not say.
std::string targetOf(const api::Pod& pod) {
  if (pod.assigned()) return pod.spec.node_name;
  if (!pod.spec.affinity || !pod.spec.affinity->node || !pod.spec.affinity->node->required) return "";
  for (const api::NodeSelectorTerm& term : pod.spec.affinity->node->required->terms) {
    for (const api::NodeSelectorRequirement& field : term.match_fields) {
      if (field.key == kNameField && field.op == "In" && field.values.size() == 1) return field.values[0];
    }
  }
  return "";
}

// Whether a node lets a pod of the template in, and whether one that is there may stay.
struct Verdict {
  bool should_run = false;
  bool may_stay = false;
};

class Eligibility {
 public:
  explicit Eligibility(const api::Pod& pod) : pod_(pod) {
    if (pod.spec.affinity && pod.spec.affinity->node && pod.spec.affinity->node->required) {
      selector_ = std::make_unique<api::CompiledNodeSelector>(*pod.spec.affinity->node->required);
    }
  }
  Verdict of(const api::Node& node) const {
    Verdict verdict;
    if (!pod_.spec.node_name.empty() && pod_.spec.node_name != node.meta.name) return verdict;
    for (const auto& [key, value] : pod_.spec.node_selector) {
      const api::Symbol* label = node.meta.labels.find(key);
      if (label == nullptr || *label != value) return verdict;
    }
    if (selector_ != nullptr && !selector_->matches(node)) return verdict;
    const auto& tolerations = pod_.spec.tolerations;
    verdict.should_run = api::findUntoleratedHardTaint(node.spec.taints, tolerations) == nullptr;
    verdict.may_stay = api::findMatchingUntoleratedTaint(node.spec.taints, tolerations, [](const api::Taint& taint) {
                         return taint.effect == "NoExecute";
                       }) == nullptr;
    return verdict;
  }

 private:
  const api::Pod& pod_;
  std::unique_ptr<api::CompiledNodeSelector> selector_;
};

class DaemonSetController : public Controller {
 public:
  using Controller::Controller;
  api::Kind kind() const override { return api::Kind::kDaemonSet; }
  void forget(const api::Object& set) override { state_.erase(set.meta.uid); }
  bool concerns(const api::Object& set, const PodChange& change) const override {
    if (change.active || change.labels) return true;
    const auto known = state_.find(set.meta.uid);
    return change.ready && (known == state_.end() || known->second.rolls);
  }

  bool sync(const api::Object& set, clock::Duration* again) override {
    const Spec& spec = specs_.of(set);
    Round round(set, spec, state_[set.meta.uid], loop_.now());
    round.hash = templateHash(spec.plain_template);
    round.pod_template = spec.podTemplate();
    if (!round.pod_template["spec"].is_object()) round.pod_template["spec"] = Json::object();
    tolerate(round.pod_template["spec"]);
    const std::shared_ptr<api::Pod> like = podOfTemplate(round.pod_template, set.meta.ns);
    const Eligibility eligible(*like);
    *again = untilAvailable(mirror_.podsOf(set), spec.min_ready, round.now);

    const Claimed claimed = writer_.claim(set);
    State& state = round.state;
    if (state.hash.empty()) {
      state.hash = round.hash;
      for (const auto& item : claimed.pods()) state.inherited.insert(labelOf(*item.second, kRevisionLabel));
    }
    for (const auto& item : claimed.pods()) round.on_node[targetOf(*item.second)].pods.push_back(&item.second);
    for (const auto& [name, object] : mirror_.all(api::Kind::kNode)) {
      const Verdict verdict = eligible.of(static_cast<const api::Node&>(*object));
      auto place = round.on_node.find(name);
      if (place == round.on_node.end()) {
        if (!verdict.should_run) continue;
        place = round.on_node.try_emplace(name).first;
      }
      place->second.exists = true;
      place->second.verdict = verdict;
    }
    const Changes wanted = manage(round, again);
    if (!wanted.empty()) return carryOut(round, wanted);
    if (stringOf(objectOf(spec.json, "updateStrategy"), "type") == "OnDelete") {
      state.rolls = false;
      return true;
    }
    return carryOut(round, roll(round));
  }

 private:
  // How long the removal of pods that keep failing waits. Upstream: failedPodsBackoff.
  struct Backoff {
    clock::Time since = 0;
    clock::Duration delay = 0;
  };
  struct State {
    std::string hash;                 // of the template that was there first
    std::set<std::string> inherited;  // labels of the pods that were there then
    std::map<std::string, int> made;  // pods made so far, by node
    std::map<std::string, Backoff> failed;
    bool rolls = true;  // as of the last look: pods of an old template are there
  };
  struct Place {
    std::vector<const MirroredPod*> pods;
    bool exists = false;  // the node itself
    Verdict verdict;
  };
  // What one look at a DaemonSet knows.
  struct Round {
    const api::Object& set;
    const Spec& spec;
    State& state;
    clock::Time now;
    std::string hash;
    Json pod_template;
    std::map<std::string, Place> on_node;  // where there are pods, or should be

    Round(const api::Object& the_set, const Spec& the_spec, State& the_state, clock::Time the_time)
        : set(the_set), spec(the_spec), state(the_state), now(the_time) {}
    const Json& rolling() const { return objectOf(objectOf(spec.json, "updateStrategy"), "rollingUpdate"); }
    int maxSurge(int desired) const { return scaledValue(member(rolling(), "maxSurge"), 0, desired, true); }
    int maxUnavailable(int desired) const { return scaledValue(member(rolling(), "maxUnavailable"), 1, desired, true); }
    bool available(const MirroredPod* pod) const { return pod->availableFor(spec.min_ready, now); }
  };
  // What is to be done: pods to remove, and the nodes that get one.
  struct Changes {
    std::vector<const MirroredPod*> surplus;
    std::vector<std::string> missing;
    bool empty() const { return surplus.empty() && missing.empty(); }
  };

  static std::string labelOf(const api::Pod& pod, const char* key) {
    const api::Symbol* label = pod.meta.labels.find(api::Symbol(std::string_view(key)));
    return label == nullptr ? std::string() : label->str();
  }
  static std::string generationOf(const api::Object& set) {
    const auto it = set.meta.annotations.find(kTemplateGeneration);
    return it == set.meta.annotations.end() ? std::string() : it->second;
  }
  bool isUpdated(const Round& round, const api::Pod& pod) const {
    const std::string generation = generationOf(round.set);
    if (!generation.empty() && labelOf(pod, kGenerationLabel) == generation) return true;
    const std::string label = labelOf(pod, kRevisionLabel);
    return label == round.hash || (round.hash == round.state.hash && round.state.inherited.count(label) != 0);
  }

  // Upstream: manage, podsShouldBeOnNode.
  Changes manage(Round& round, clock::Duration* again) const {
    Changes out;
    for (auto& [node, place] : round.on_node) {
      if (!place.exists) {
        // Pods that wait for a node that is gone would wait for ever.
        for (const MirroredPod* pod : place.pods) {
          if (!(*pod)->assigned()) out.surplus.push_back(pod);
        }
      } else if (place.verdict.should_run && place.pods.empty()) {
        out.missing.push_back(node);
      } else if (place.verdict.may_stay) {
        judge(round, node, place, out, again);
      } else {
        for (const MirroredPod* pod : place.pods) {
          if (!(*pod)->meta.deletion_timestamp) out.surplus.push_back(pod);
        }
      }
    }
    return out;
  }

  // What of the pods on a node that may have one has to go: those that ended, and all but the oldest. While new ones
  // come before the old ones go there may be one of each.
  void judge(Round& round, const std::string& node, const Place& place, Changes& out, clock::Duration* again) const {
    std::vector<const MirroredPod*> running;
    for (const MirroredPod* pod : place.pods) {
      if ((*pod)->meta.deletion_timestamp) continue;
      if (!(*pod)->terminal()) {
        running.push_back(pod);
      } else if ((*pod)->status.phase != "Failed" || mayRemoveFailed(round, node, again)) {
        out.surplus.push_back(pod);
      }
    }
    base::stableSort(running, [](const MirroredPod* a, const MirroredPod* b) {
      if ((*a)->assigned() != (*b)->assigned()) return (*a)->assigned();
      return (*a)->meta.creation_timestamp < (*b)->meta.creation_timestamp;
    });
    const bool surges = round.maxSurge(1) > 0;
    if (running.empty() && surges && place.verdict.should_run) out.missing.push_back(node);
    if (running.size() <= 1) return;
    if (!surges) {
      out.surplus.insert(out.surplus.end(), running.begin() + 1, running.end());
      return;
    }
    const MirroredPod* fresh = nullptr;
    const MirroredPod* old = nullptr;
    for (const MirroredPod* pod : running) {
      const MirroredPod*& kept = isUpdated(round, **pod) ? fresh : old;
      if (kept == nullptr) {
        kept = pod;
      } else {
        out.surplus.push_back(pod);
      }
    }
    if (fresh != nullptr && old != nullptr && (!isReady(**old) || round.available(fresh))) out.surplus.push_back(old);
  }

  bool mayRemoveFailed(Round& round, const std::string& node, clock::Duration* again) const {
    Backoff& backoff = round.state.failed[node];
    const clock::Duration since = round.now - backoff.since;
    if (backoff.delay > 0 && since < backoff.delay) {
      *again = sooner(*again, backoff.delay);
      return false;
    }
    const bool forgotten = backoff.delay == 0 || since > 2 * kLongestBackoff;
    backoff.delay = forgotten ? kFirstBackoff : std::min(2 * backoff.delay, kLongestBackoff);
    backoff.since = round.now;
    return true;
  }

  // The pods of a node by whether they are of the template at hand. False if there are two of a kind.
  bool newAndOld(const Round& round, const Place& place, const MirroredPod*& fresh, const MirroredPod*& old) const {
    for (const MirroredPod* pod : place.pods) {
      if ((*pod)->meta.deletion_timestamp) continue;
      const MirroredPod*& kept = isUpdated(round, **pod) ? fresh : old;
      if (kept != nullptr) return false;
      kept = pod;
    }
    return true;
  }

  // Upstream: rollingUpdate.
  Changes roll(Round& round) const {
    int desired = 0;
    for (const auto& item : round.on_node) desired += item.second.verdict.should_run ? 1 : 0;
    const int surge = round.maxSurge(desired);
    if (surge > 0) return rollWithSurge(round, surge, desired);
    const int most = std::max(round.maxUnavailable(desired), 1);
    Changes out;
    std::vector<const MirroredPod*> candidates;
    int unavailable = 0;
    round.state.rolls = false;
    for (const auto& item : round.on_node) {
      const MirroredPod* fresh = nullptr;
      const MirroredPod* old = nullptr;
      const bool sound = newAndOld(round, item.second, fresh, old);
      if (old != nullptr) round.state.rolls = true;
      if (!sound || (fresh == nullptr) == (old == nullptr)) {
        ++unavailable;
      } else if (fresh != nullptr) {
        if (!round.available(fresh)) ++unavailable;
      } else if (!round.available(old)) {
        out.surplus.push_back(old);
        ++unavailable;
      } else {
        candidates.push_back(old);
      }
    }
    const auto spare = static_cast<std::size_t>(std::max(most - unavailable, 0));
    candidates.resize(std::min(candidates.size(), spare));
    out.surplus.insert(out.surplus.end(), candidates.begin(), candidates.end());
    return out;
  }

  // The new pod comes before the old one goes.
  Changes rollWithSurge(Round& round, int surge, int desired) const {
    Changes out;
    std::vector<const MirroredPod*> misplaced;  // available, on nodes that should not have one any more
    std::vector<std::string> candidates;
    int surging = 0;
    int available = 0;
    round.state.rolls = true;
    for (const auto& [node, place] : round.on_node) {
      const MirroredPod* fresh = nullptr;
      const MirroredPod* old = nullptr;
      if (!newAndOld(round, place, fresh, old)) {
        ++surging;
        continue;
      }
      const MirroredPod* first = old != nullptr ? old : fresh;
      if (first != nullptr && round.available(first)) ++available;
      if (old == nullptr) continue;
      if (fresh != nullptr) {
        if (round.available(fresh)) {
          out.surplus.push_back(old);
        } else {
          ++surging;
        }
      } else if (round.available(old)) {
        if (!place.verdict.should_run) {
          misplaced.push_back(old);
        } else {
          candidates.push_back(node);
        }
      } else if (!place.verdict.should_run) {
        out.surplus.push_back(old);
      } else {
        out.missing.push_back(node);
      }
    }
    const auto atMost = [](int number, std::size_t size) {
      return static_cast<std::ptrdiff_t>(std::min(static_cast<std::size_t>(std::max(number, 0)), size));
    };
    out.surplus.insert(out.surplus.end(), misplaced.begin(),
                       misplaced.begin() + atMost(available - desired, misplaced.size()));
    out.missing.insert(out.missing.end(), candidates.begin(),
                       candidates.begin() + atMost(surge - surging, candidates.size()));
    return out;
  }

  // Upstream: syncNodes.
  bool carryOut(Round& round, const Changes& changes) {
    const auto burst = [](std::size_t size) { return std::min<std::size_t>(size, kBurst); };
    for (std::size_t i = 0; i < burst(changes.missing.size()); ++i) {
      if (!create(round, changes.missing[i])) return false;
    }
    for (std::size_t i = 0; i < burst(changes.surplus.size()); ++i) writer_.remove(**changes.surplus[i], round.set);
    return true;
  }

  bool create(Round& round, const std::string& node) {
    Json pod = Writer::podJson(round.pod_template, round.set);
    Json& labels = pod["metadata"]["labels"];
    labels[kRevisionLabel] = round.hash;
    if (const std::string generation = generationOf(round.set); !generation.empty()) {
      labels[kGenerationLabel] = generation;
    }
    const Json field{{"key", kNameField}, {"operator", "In"}, {"values", Json::array({node})}};
    pod["spec"]["affinity"]["nodeAffinity"]["requiredDuringSchedulingIgnoredDuringExecution"]["nodeSelectorTerms"] =
        Json::array({Json{{"matchFields", Json::array({field})}}});
    int& made = round.state.made[node];
    const std::string seed = round.set.key() + "/" + node + "/" + std::to_string(made);
    if (!writer_.createNamed(std::move(pod), round.set.meta.name + "-", seed, round.set)) return false;
    ++made;
    return true;
  }

  std::map<std::string, State> state_;  // by the set's uid
};

}  // namespace

std::unique_ptr<Controller> makeDaemonSetController(const ControlContext& context) {
  return std::make_unique<DaemonSetController>(context);
}

}  // namespace podberth::apiserver
