#include "core/scheduler/preemption/victims.h"

#include <algorithm>
#include <limits>

#include "core/base/sort.h"

namespace podberth::scheduler::preemption {
namespace {

constexpr std::string_view kDisruptionTarget = "DisruptionTarget";
constexpr std::string_view kPreemptionByScheduler = "PreemptionByScheduler";

bool violatesAny(const api::Pod& pod, const Budgets& budgets, const std::vector<api::Selector>& selectors, bool of_all,
                 std::vector<std::int32_t>* allowed) {
  bool violates = false;
  if (pod.meta.labels.empty()) return false;
  for (std::size_t i = 0; i < budgets.size(); ++i) {
    const api::PodDisruptionBudget& budget = *budgets[i];
    if (budget.meta.ns != pod.meta.ns) continue;
    // An empty selector selects nothing here.
    if (selectors[i].empty() || !selectors[i].matches(pod.meta.labels)) continue;
    if (budget.disrupted_pods.find(pod.meta.name) != budget.disrupted_pods.end()) continue;
    if (--(*allowed)[i] >= 0) continue;
    violates = true;
    if (!of_all) break;
  }
  return violates;
}

std::int64_t sumOfPriorities(const Candidate& candidate) {
  // Shifted to be positive, so that a victim more never makes the sum smaller.
  constexpr std::int64_t kShift = std::int64_t{std::numeric_limits<std::int32_t>::max()} + 1;
  std::int64_t sum = 0;
  for (const api::PodPtr& pod : candidate.victims) sum += pod->priority() + kShift;
  return sum;
}

// When the first of the victims with the highest priority started.
clock::Time earliestStart(const Candidate& candidate, clock::Time now) {
  clock::Time earliest = podStartTime(*candidate.victims[0], now);
  std::int32_t highest = candidate.victims[0]->priority();
  for (const api::PodPtr& pod : candidate.victims) {
    const clock::Time start = podStartTime(*pod, now);
    if (pod->priority() == highest) {
      earliest = std::min(earliest, start);
    } else if (pod->priority() > highest) {
      highest = pod->priority();
      earliest = start;
    }
  }
  return earliest;
}

template <class Score>
void keepHighest(std::vector<const Candidate*>* candidates, Score score) {
  std::vector<const Candidate*> best;
  std::int64_t highest = std::numeric_limits<std::int64_t>::min();
  for (const Candidate* candidate : *candidates) {
    const std::int64_t s = score(*candidate);
    if (s > highest) {
      highest = s;
      best.clear();
    }
    if (s == highest) best.push_back(candidate);
  }
  *candidates = std::move(best);
}

}  // namespace

clock::Time podStartTime(const api::Pod& pod, clock::Time now) { return pod.status.start_time.value_or(now); }

bool moreImportant(const api::Pod& a, const api::Pod& b, clock::Time now) {
  if (a.priority() != b.priority()) return a.priority() > b.priority();
  return podStartTime(a, now) < podStartTime(b, now);
}

bool terminatingByPreemption(const api::Pod& pod) {
  if (!pod.meta.deletion_timestamp.has_value()) return false;
  const api::PodCondition* condition = pod.status.condition(kDisruptionTarget);
  return condition != nullptr && condition->status == "True" && condition->reason == kPreemptionByScheduler;
}

void splitByBudgets(const std::vector<PodInfoPtr>& victims, const Budgets& budgets, bool of_all,
                    std::vector<PodInfoPtr>* violating, std::vector<PodInfoPtr>* others) {
  std::vector<std::int32_t> allowed;
  std::vector<api::Selector> selectors;
  for (const auto& budget : budgets) {
    allowed.push_back(budget->disruptions_allowed);
    // A malformed selector selects nothing.
    std::string error;
    selectors.push_back(api::Selector::from(budget->selector, &error));
  }
  for (const PodInfoPtr& victim : victims) {
    (violatesAny(*victim->pod, budgets, selectors, of_all, &allowed) ? violating : others)->push_back(victim);
  }
}

std::vector<const Candidate*> equallyGood(const std::vector<Candidate>& candidates, clock::Time now) {
  std::vector<const Candidate*> left;
  for (const Candidate& candidate : candidates) left.push_back(&candidate);
  base::stableSort(left, [](const Candidate* a, const Candidate* b) { return a->node < b->node; });

  if (left.size() > 1) keepHighest(&left, [](const Candidate& c) { return -c.pdb_violations; });
  if (left.size() > 1) keepHighest(&left, [](const Candidate& c) { return -std::int64_t{c.victims[0]->priority()}; });
  if (left.size() > 1) keepHighest(&left, [](const Candidate& c) { return -sumOfPriorities(c); });
  if (left.size() > 1)
    keepHighest(&left, [](const Candidate& c) { return -static_cast<std::int64_t>(c.victims.size()); });
  if (left.size() > 1) keepHighest(&left, [now](const Candidate& c) { return earliestStart(c, now); });
  return left;
}

const Candidate* pickOne(const std::vector<Candidate>& candidates, clock::Time now) {
  const std::vector<const Candidate*> best = equallyGood(candidates, now);
  return best.empty() ? nullptr : best[0];
}

std::string aggregate(const std::vector<std::string>& errors) {
  std::vector<std::string> seen;
  for (const std::string& error : errors) {
    if (std::find(seen.begin(), seen.end(), error) == seen.end()) seen.push_back(error);
  }
  if (seen.size() == 1) return seen[0];
  std::string out = "[";
  for (std::size_t i = 0; i < seen.size(); ++i) out += (i > 0 ? ", " : "") + seen[i];
  return out + "]";
}

}  // namespace podberth::scheduler::preemption
