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

namespace podberth::apiserver {

namespace {

constexpr const char* kRevisionLabel = "controller-revision-hash";
constexpr const char* kNameField = "metadata.name";

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

  bool sync(const api::Object& set, clock::Duration* /*again*/) override {
    const Json spec = specOf(set);
    Json pod_template = objectOf(spec, "template");
    const std::string hash = templateHash(defaultedTemplate(pod_template));
    if (!pod_template["spec"].is_object()) pod_template["spec"] = Json::object();
    tolerate(pod_template["spec"]);
    const std::shared_ptr<api::Pod> like = podOfTemplate(pod_template, set.meta.ns);
    const Eligibility eligible(*like);

    const std::vector<api::PodPtr> pods = writer_.claim(set);
    State& state = state_[set.meta.uid];
    if (state.hash.empty()) {
      state.hash = hash;
      for (const api::PodPtr& pod : pods) state.inherited.insert(labelOf(*pod));
    }
    std::map<std::string, std::vector<api::PodPtr>> on_node;
    for (const api::PodPtr& pod : pods) on_node[targetOf(*pod)].push_back(pod);

    std::vector<std::string> missing;
    std::vector<api::PodPtr> surplus;
    for (const auto& [key, object] : mirror_.all(api::Kind::kNode)) {
      const auto& node = static_cast<const api::Node&>(*object);
      const auto found = on_node.find(node.meta.name);
      const Verdict verdict = eligible.of(node);
      if (found == on_node.end()) {
        if (verdict.should_run) missing.push_back(node.meta.name);
        continue;
      }
      judge(found->second, verdict.may_stay, surplus);
    }
    // Pods that wait for a node that is gone would wait for ever.
    for (const auto& [node, waiting] : on_node) {
      if (mirror_.get(api::Kind::kNode, node) != nullptr) continue;
      for (const api::PodPtr& pod : waiting) {
        if (!pod->assigned()) surplus.push_back(pod);
      }
    }
    for (const api::PodPtr& pod : surplus) writer_.remove(*pod, set);
    for (const std::string& node : missing) {
      if (!create(set, pod_template, hash, node, state)) return false;
    }
    if (missing.empty() && surplus.empty()) roll(set, spec, hash, state, on_node);
    return true;
  }

 private:
  struct State {
    std::string hash;                 // of the template that was there first
    std::set<std::string> inherited;  // labels of the pods that were there then
    std::map<std::string, int> made;  // pods made so far, by node
  };

  static std::string labelOf(const api::Pod& pod) {
    const api::Symbol* label = pod.meta.labels.find(api::Symbol(std::string_view(kRevisionLabel)));
    return label == nullptr ? std::string() : label->str();
  }

  // What of the pods on a node has to go: those that ended, and all but the oldest; all, if none may stay.
  static void judge(const std::vector<api::PodPtr>& pods, bool may_stay, std::vector<api::PodPtr>& surplus) {
    std::vector<api::PodPtr> running;
    for (const api::PodPtr& pod : pods) {
      if (pod->meta.deletion_timestamp) continue;
      if (!may_stay || pod->terminal()) {
        surplus.push_back(pod);
      } else {
        running.push_back(pod);
      }
    }
    std::stable_sort(running.begin(), running.end(), [](const api::PodPtr& a, const api::PodPtr& b) {
      if (a->assigned() != b->assigned()) return a->assigned();
      return a->meta.creation_timestamp < b->meta.creation_timestamp;
    });
    if (running.size() > 1) surplus.insert(surplus.end(), running.begin() + 1, running.end());
  }

  bool create(const api::Object& set, const Json& pod_template, const std::string& hash, const std::string& node,
              State& state) {
    Json pod = Writer::podJson(pod_template, set);
    pod["metadata"]["labels"][kRevisionLabel] = hash;
    const Json field{{"key", kNameField}, {"operator", "In"}, {"values", Json::array({node})}};
    pod["spec"]["affinity"]["nodeAffinity"]["requiredDuringSchedulingIgnoredDuringExecution"]["nodeSelectorTerms"] =
        Json::array({Json{{"matchFields", Json::array({field})}}});
    int& made = state.made[node];
    const std::string seed = set.key() + "/" + node + "/" + std::to_string(made);
    if (!writer_.createNamed(std::move(pod), set.meta.name + "-", seed, set)) return false;
    ++made;
    return true;
  }

  void roll(const api::Object& set, const Json& spec, const std::string& hash, const State& state,
            const std::map<std::string, std::vector<api::PodPtr>>& on_node) {
    const Json& strategy = objectOf(spec, "updateStrategy");
    if (stringOf(strategy, "type") == "OnDelete") return;
    const Json& rolling = objectOf(strategy, "rollingUpdate");
    const int desired = static_cast<int>(on_node.size());
    const int surge = scaledValue(member(rolling, "maxSurge"), 0, desired, true);
    int spare = std::max(surge, scaledValue(member(rolling, "maxUnavailable"), 1, desired, true));
    std::vector<api::PodPtr> dead;
    std::vector<api::PodPtr> old;
    for (const auto& [node, pods] : on_node) {
      for (const api::PodPtr& pod : pods) {
        const std::string label = labelOf(*pod);
        const bool updated = label == hash || (hash == state.hash && state.inherited.count(label) != 0);
        if (!isAvailable(*pod)) --spare;
        if (!updated) (isAvailable(*pod) ? old : dead).push_back(pod);
      }
    }
    for (const api::PodPtr& pod : dead) writer_.remove(*pod, set);
    for (const api::PodPtr& pod : old) {
      if (spare-- <= 0) break;
      writer_.remove(*pod, set);
    }
  }

  std::map<std::string, State> state_;  // by the set's uid
};

}  // namespace

std::unique_ptr<Controller> makeDaemonSetController(const ControlContext& context) {
  return std::make_unique<DaemonSetController>(context);
}

}  // namespace podberth::apiserver
