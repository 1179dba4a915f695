#include "core/scheduler/plugins/node_affinity/node_affinity.h"

#include <algorithm>

#include "core/base/sort.h"
#include "core/scheduler/plugins/helper/normalize_score.h"
#include "core/scheduler/plugins/helper/sign.h"

namespace podberth::scheduler::plugins {
namespace {

struct FilterState : StateData {
  explicit FilterState(const api::Pod& pod) : required(pod) {}
  RequiredNodeAffinity required;
};
struct ScoreState : StateData {
  std::optional<api::CompiledPreferredTerms> preferred;
};
constexpr StateKey<FilterState> kFilterState{"PreFilterNodeAffinity"};
constexpr StateKey<ScoreState> kScoreState{"PreScoreNodeAffinity"};

constexpr std::string_view kNameField = "metadata.name";

const api::NodeSelector* requiredTerms(const api::Pod& pod) {
  if (!pod.spec.affinity || !pod.spec.affinity->node || !pod.spec.affinity->node->required) return nullptr;
  return &*pod.spec.affinity->node->required;
}

// Null if the pod prefers nothing; *error is the text about malformed terms.
std::shared_ptr<ScoreState> scoreState(const api::Pod& pod, std::string* error) {
  auto data = std::make_shared<ScoreState>();
  if (pod.spec.affinity && pod.spec.affinity->node && !pod.spec.affinity->node->preferred.empty()) {
    data->preferred.emplace(pod.spec.affinity->node->preferred);
    *error = data->preferred->error();
  }
  return data;
}

}  // namespace

std::optional<std::vector<api::Symbol>> namedNodes(const api::NodeSelector& selector, bool any_contradiction) {
  if (selector.terms.empty()) return std::nullopt;
  std::vector<api::Symbol> names;
  for (const api::NodeSelectorTerm& term : selector.terms) {
    std::optional<std::vector<api::Symbol>> of_term;
    for (const api::NodeSelectorRequirement& r : term.match_fields) {
      if (r.key != kNameField || r.op != "In") continue;
      std::vector<api::Symbol> values;
      for (const std::string& v : r.values) values.emplace_back(v);
      if (of_term) {
        of_term->erase(std::remove_if(of_term->begin(), of_term->end(),
                                      [&values](api::Symbol s) {
                                        return std::find(values.begin(), values.end(), s) == values.end();
                                      }),
                       of_term->end());
      } else {
        of_term = std::move(values);
      }
    }
    if (!of_term) return std::nullopt;
    if (any_contradiction && of_term->empty()) return of_term;
    names.insert(names.end(), of_term->begin(), of_term->end());
  }
  base::sortUnique(names);
  return names;
}

NodeAffinity::NodeAffinity(const config::NodeAffinityArgs& args, std::string* error, const NodeAffinityRules& rules)
    : rules_(rules),
      mismatch_(Status(Code::kUnschedulableAndUnresolvable, kReasonNodeAffinityPod).withPlugin(names::kNodeAffinity)),
      enforced_(
          Status(Code::kUnschedulableAndUnresolvable, kReasonNodeAffinityEnforced).withPlugin(names::kNodeAffinity)) {
  if (!args.added_affinity) return;
  if (args.added_affinity->required) {
    added_required_.emplace(*args.added_affinity->required);
    const std::string e = added_required_->error();
    if (!e.empty()) {
      *error = "parsing addedAffinity.requiredDuringSchedulingIgnoredDuringExecution: " + e;
      return;
    }
  }
  if (!args.added_affinity->preferred.empty()) {
    added_preferred_.emplace(args.added_affinity->preferred);
    const std::string e = added_preferred_->error();
    if (!e.empty()) *error = "parsing addedAffinity.preferredDuringSchedulingIgnoredDuringExecution: " + e;
  }
}

HintResult NodeAffinity::afterNodeChange(const api::Pod& pod, const api::Node* before, const api::Node& now) const {
  if (added_required_ && !added_required_->matches(now)) return HintResult::skip();
  const RequiredNodeAffinity required(pod);
  std::string error;
  const bool matches = required.matches(now, &error);
  if (!error.empty()) return HintResult{QueueingHint::kQueue, error};
  if (!matches) return HintResult::skip();
  if (before == nullptr) return HintResult::queue();
  const bool matched = required.matches(*before, &error);
  if (!error.empty()) return HintResult{QueueingHint::kQueue, error};
  return matched ? HintResult::skip() : HintResult::queue();
}

std::vector<ClusterEventWithHint> NodeAffinity::eventsToRegister() const {
  return {{ClusterEvent{EventResource::kNode, action::kAdd | action::kUpdateNodeLabel, {}},
           [this](const api::Pod& pod, const api::Object* old_object, const api::Object* new_object) {
             return afterNodeChange(pod, api::as<api::Node>(old_object), *api::as<api::Node>(new_object));
           }}};
}

Status NodeAffinity::preFilter(CycleState& state, const PodInfo& pod, const std::vector<NodeInfo*>&,
                               PreFilterResult& result) {
  const api::NodeSelector* required = requiredTerms(*pod.pod);
  if (rules_.skips && required == nullptr && !added_required_ && pod.pod->spec.node_selector.empty()) {
    return Status(Code::kSkip);
  }
  state.write(kFilterState, std::make_shared<FilterState>(*pod.pod));
  if (required == nullptr) return {};
  std::optional<std::vector<api::Symbol>> names = namedNodes(*required, rules_.any_contradiction_rejects);
  if (!names) return {};
  if (names->empty()) return Status(Code::kUnschedulableAndUnresolvable, kReasonNodeAffinityConflict);
  result.node_names = std::move(names);
  return {};
}

Status NodeAffinity::filter(CycleState& state, const PodInfo& pod, const NodeInfo& node) {
  if (added_required_ && !added_required_->matches(*node.node())) return enforced_;
  const FilterState* data = state.read(kFilterState);
  if (data == nullptr) {  // PreFilter is turned off
    auto made = std::make_shared<FilterState>(*pod.pod);
    data = made.get();
    state.write(kFilterState, std::move(made));
  }
  return data->required.matches(*node.node()) ? Status() : mismatch_;
}

Status NodeAffinity::preScore(CycleState& state, const PodInfo& pod, const std::vector<NodeInfo*>&) {
  std::string error;
  auto data = scoreState(*pod.pod, &error);
  if (!error.empty()) return Status::error(error);
  if (rules_.skips && !data->preferred && !added_preferred_) return Status(Code::kSkip);
  state.write(kScoreState, std::move(data));
  return {};
}

Status NodeAffinity::score(CycleState& state, const PodInfo& pod, const NodeInfo& node, std::int64_t& score) {
  const ScoreState* data = state.read(kScoreState);
  if (data == nullptr) {  // PreScore is turned off
    std::string error;
    auto made = scoreState(*pod.pod, &error);
    if (!error.empty()) return Status::error(error);
    data = made.get();
    state.write(kScoreState, std::move(made));
  }
  score = 0;
  if (added_preferred_) score += added_preferred_->score(*node.node());
  if (data->preferred) score += data->preferred->score(*node.node());
  return {};
}

Status NodeAffinity::normalizeScore(CycleState&, const PodInfo&, std::vector<NodeScore>& scores) {
  defaultNormalizeScore(kMaxNodeScore, false, scores);
  return {};
}

std::vector<SignFragment> NodeAffinity::sign(const api::Pod& pod, bool& signable) const {
  signable = true;
  return {{std::string(sign::kNodeAffinity), sign::nodeAffinity(pod)},
          {std::string(sign::kNodeSelector), sign::nodeSelector(pod)}};
}

std::unique_ptr<Plugin> newNodeAffinity(const config::PluginArgs& args, Handle&, std::string* error) {
  return makeNodeAffinity(args, error, NodeAffinityRules());
}

}  // namespace podberth::scheduler::plugins
