#include "core/scheduler/preemption/victims.h"

#include <string>
#include <utility>

#include <gtest/gtest.h>

#include "tests/unit/support/builders.h"

namespace podberth::scheduler::preemption {
namespace {

using testkit::makePod;
using testkit::PodBuilder;

constexpr clock::Time kNow = 1000;

PodBuilder started(std::string name, std::int32_t priority, clock::Time at) {
  PodBuilder pod = makePod(std::move(name));
  pod.priority(priority).raw().status.start_time = at;
  return pod;
}

Candidate candidate(std::string node, const std::vector<PodBuilder>& victims, std::int64_t violations = 0) {
  Candidate c;
  c.node = std::move(node);
  for (const PodBuilder& victim : victims) c.victims.push_back(victim.obj());
  c.pdb_violations = violations;
  return c;
}

std::string picked(const std::vector<Candidate>& candidates) {
  const Candidate* best = pickOne(candidates, kNow);
  return best == nullptr ? "" : best->node;
}

TEST(PickOne, TakesFewestBudgetViolationsFirst) {
  EXPECT_EQ(picked({candidate("a", {started("p", 1, 1)}, 1), candidate("b", {started("q", 5, 1)}, 0)}), "b");
}
TEST(PickOne, ThenTheLowestHighestPriority) {
  EXPECT_EQ(picked({candidate("a", {started("p", 5, 1)}), candidate("b", {started("q", 4, 1), started("r", 4, 1)})}),
            "b");
}
TEST(PickOne, ThenTheSmallestSumOfPrioritiesWhereNegativeOnesAddToo) {
  EXPECT_EQ(picked({candidate("a", {started("p", -1, 1), started("q", -5, 1)}), candidate("b", {started("r", -1, 1)})}),
            "b");
}
TEST(PickOne, ThenTheLatestStartAmongTheHighestPriorityVictims) {
  EXPECT_EQ(picked({candidate("a", {started("p", 5, 10), started("q", 1, 900)}),
                    candidate("b", {started("r", 5, 20), started("s", 1, 1)})}),
            "b");
}
TEST(PickOne, APodThatHasNotStartedCountsAsStartedNow) {
  EXPECT_EQ(picked({candidate("a", {started("p", 5, 999)}), candidate("b", {makePod("q").priority(5)})}), "b");
}
TEST(PickOne, ThenTheFirstByName) {
  EXPECT_EQ(picked({candidate("b", {started("p", 5, 1)}), candidate("a", {started("q", 5, 1)})}), "a");
  EXPECT_EQ(picked({}), "");
}

std::shared_ptr<api::PodDisruptionBudget> budget(std::string_view app, std::int32_t allowed) {
  auto out = std::make_shared<api::PodDisruptionBudget>();
  out->meta.ns = "default";
  out->selector.emplace();
  if (!app.empty()) out->selector->match_labels.set("app", app);
  out->disruptions_allowed = allowed;
  return out;
}

std::string violating(const Budgets& budgets, const std::vector<PodBuilder>& pods) {
  std::vector<PodInfoPtr> victims;
  for (const PodBuilder& pod : pods) victims.push_back(pod.info());
  std::vector<PodInfoPtr> bad;
  std::vector<PodInfoPtr> good;
  splitByBudgets(victims, budgets, false, &bad, &good);
  EXPECT_EQ(bad.size() + good.size(), pods.size());
  std::string out;
  for (const PodInfoPtr& pod : bad) out += pod->pod->meta.name;
  return out;
}

TEST(Budgets, AreUsedUpInTheOrderOfTheVictims) {
  const std::vector<PodBuilder> pods = {makePod("a").label("app", "x"), makePod("b").label("app", "x"),
                                        makePod("c").label("app", "y")};
  EXPECT_EQ(violating({budget("x", 2)}, pods), "");
  EXPECT_EQ(violating({budget("x", 1)}, pods), "b");
  EXPECT_EQ(violating({budget("x", 0)}, pods), "ab");
}
TEST(Budgets, OfOtherNamespacesAndWithEmptySelectorsDoNotCount) {
  auto other = budget("x", 0);
  other->meta.ns = "other";
  EXPECT_EQ(violating({other, budget("", 0)}, {makePod("a").label("app", "x")}), "");
}
TEST(Budgets, DoNotCountPodsThatAreAlreadyDisrupted) {
  auto disrupted = budget("x", 0);
  disrupted->disrupted_pods["a"] = 0;
  EXPECT_EQ(violating({disrupted}, {makePod("a").label("app", "x"), makePod("b").label("app", "x")}), "b");
}

TEST(MoreImportant, IsHigherPriorityThenEarlierStart) {
  EXPECT_TRUE(moreImportant(*started("a", 2, 5).obj(), *started("b", 1, 1).obj(), kNow));
  EXPECT_TRUE(moreImportant(*started("a", 1, 1).obj(), *started("b", 1, 5).obj(), kNow));
  EXPECT_FALSE(moreImportant(*started("a", 1, 5).obj(), *started("b", 1, 5).obj(), kNow));
  EXPECT_TRUE(moreImportant(*started("a", 1, 5).obj(), *makePod("b").priority(1).obj(), kNow));
}

TEST(TerminatingByPreemption, NeedsBothTheDeletionAndTheCondition) {
  PodBuilder pod = makePod("a");
  api::PodCondition condition;
  condition.type = "DisruptionTarget";
  condition.status = "True";
  condition.reason = "PreemptionByScheduler";
  pod.raw().status.conditions.push_back(condition);
  EXPECT_FALSE(terminatingByPreemption(*pod.obj()));
  pod.raw().meta.deletion_timestamp = 1;
  EXPECT_TRUE(terminatingByPreemption(*pod.obj()));
  pod.raw().status.conditions[0].reason = "EvictionByEvictionAPI";
  EXPECT_FALSE(terminatingByPreemption(*pod.obj()));
}

}  // namespace
}  // namespace podberth::scheduler::preemption
