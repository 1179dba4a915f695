#include "core/scheduler/plugins/taint_toleration/taint_toleration.h"

#include "core/api/tolerations.h"
#include "core/scheduler/plugins/helper/normalize_score.h"
#include "core/scheduler/plugins/helper/sign.h"
#include "core/scheduler/plugins/helper/taints.h"

namespace podberth::scheduler::plugins {
namespace {

struct ScoreState : StateData {
  std::vector<const api::Toleration*> tolerations;  // of the pod, which outlives the cycle
};
constexpr StateKey<ScoreState> kScoreState{"PreScoreTaintToleration"};
constexpr const char* kNoScoreState = "failed to read \"PreScoreTaintToleration\" from cycleState: not found";

constexpr std::string_view kPreferNoSchedule = "PreferNoSchedule";

}  // namespace

std::int64_t countUntoleratedPreferences(const std::vector<api::Taint>& taints,
                                         const std::vector<const api::Toleration*>& tolerations,
                                         bool comparison_operators) {
  std::int64_t count = 0;
  for (const api::Taint& taint : taints) {
    if (taint.effect != kPreferNoSchedule) continue;
    bool tolerated = false;
    for (const api::Toleration* t : tolerations)
      tolerated = tolerated || api::tolerates(*t, taint, comparison_operators);
    if (!tolerated) ++count;
  }
  return count;
}

TaintToleration::TaintToleration(const TaintTolerationRules& rules)
    : rules_(rules),
      untolerated_(
          Status(Code::kUnschedulableAndUnresolvable, kReasonUntoleratedTaint).withPlugin(names::kTaintToleration)) {}

const api::Taint* TaintToleration::untolerated(const api::Node& node, const api::Pod& pod) const {
  return findUntoleratedTaint(node.spec.taints, pod.spec.tolerations, rules_.comparison_operators);
}

std::vector<ClusterEventWithHint> TaintToleration::eventsToRegister() const {
  return {{ClusterEvent{EventResource::kNode, action::kAdd | action::kUpdateNodeTaint, {}},
           [this](const api::Pod& pod, const api::Object* old_object, const api::Object* new_object) {
             const api::Node* before = api::as<api::Node>(old_object);
             const api::Node* now = api::as<api::Node>(new_object);
             const bool was_untolerated = before == nullptr || untolerated(*before, pod) != nullptr;
             return was_untolerated && untolerated(*now, pod) == nullptr ? HintResult::queue() : HintResult::skip();
           }},
          {ClusterEvent{EventResource::kTargetPod, action::kUpdatePodToleration, {}},
           [](const api::Pod&, const api::Object*, const api::Object*) { return HintResult::queue(); }}};
}

Status TaintToleration::filter(CycleState&, const PodInfo& pod, const NodeInfo& node) {
  if (node.node()->spec.taints.empty()) return {};
  const api::Taint* taint = untolerated(*node.node(), *pod.pod);
  if (taint == nullptr) return {};
  if (!rules_.names_taint) return untolerated_;
  return Status(Code::kUnschedulableAndUnresolvable,
                kReasonThisUntoleratedTaint + taint->key + ": " + taint->value + "}");
}

Status TaintToleration::preScore(CycleState& state, const PodInfo& pod, const std::vector<NodeInfo*>&) {
  auto data = std::make_shared<ScoreState>();
  for (const api::Toleration& t : pod.pod->spec.tolerations) {
    if (t.effect.empty() || t.effect == kPreferNoSchedule) data->tolerations.push_back(&t);
  }
  state.write(kScoreState, std::move(data));
  return {};
}

Status TaintToleration::score(CycleState& state, const PodInfo&, const NodeInfo& node, std::int64_t& score) {
  const ScoreState* data = state.read(kScoreState);
  if (data == nullptr) return Status::error(kNoScoreState);
  const std::vector<api::Taint>& taints = node.node()->spec.taints;
  score = taints.empty() ? 0 : countUntoleratedPreferences(taints, data->tolerations, rules_.comparison_operators);
  return {};
}

Status TaintToleration::normalizeScore(CycleState&, const PodInfo&, std::vector<NodeScore>& scores) {
  defaultNormalizeScore(kMaxNodeScore, true, scores);
  return {};
}

std::vector<SignFragment> TaintToleration::sign(const api::Pod& pod, bool& signable) const {
  signable = true;
  return {{std::string(sign::kTolerations), sign::tolerations(pod)}};
}

std::unique_ptr<Plugin> newTaintToleration(const config::PluginArgs&, Handle& handle, std::string*) {
  TaintTolerationRules rules;
  rules.comparison_operators = handle.gates().enabled("TaintTolerationComparisonOperators");
  return std::make_unique<TaintToleration>(rules);
}

}  // namespace podberth::scheduler::plugins
