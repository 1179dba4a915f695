#include "core/scheduler/preemption/in_cycle_evaluator.h"

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "tests/unit/support/plugin_cluster.h"

namespace podberth::scheduler::preemption {
namespace {

using testkit::makePod;

// Writes take a millisecond; what is written is noted with its time.
class SlowClient : public testkit::FakeClient {
 public:
  explicit SlowClient(clock::EventLoop& loop) : loop_(loop) {}
  void patchPodStatus(const api::Pod& pod, const std::optional<api::PodCondition>&, const std::optional<std::string>&,
                      Done done) override {
    write("clear " + pod.meta.name, std::move(done));
  }
  void deletePod(const api::Pod& pod, Done done) override { write("delete " + pod.meta.name, std::move(done)); }

  std::vector<std::string> lines;
  ApiError answer;

 private:
  void write(const std::string& line, Done done) {
    loop_.after(clock::kMillisecond, [this, line, done = std::move(done)] {
      const clock::Duration since = loop_.now() - clock::kEpoch;
      lines.push_back(line + " at " + std::to_string(since / clock::kMillisecond));
      done(answer);
    });
  }
  clock::EventLoop& loop_;
};

class OneNomination : public testkit::FakeNominator {
 public:
  std::vector<PodInfoPtr> nominatedPodsForNode(api::Symbol) const override { return pods; }
  std::vector<PodInfoPtr> pods;
};

class TestHandle : public testkit::ClusterHandle {
 public:
  ApiClient& client() override { return slow; }
  PodNominator& nominator() override { return nominations; }
  void event(const api::Pod& pod, std::string_view reason, const std::string& message) override {
    slow.lines.push_back(pod.meta.name + " " + std::string(reason) + ": " + message);
  }
  SlowClient slow{loop()};
  OneNomination nominations;
};

// Evicts the pods it is told to, node by node.
class Told : public Policy {
 public:
  std::int32_t numCandidates(std::int32_t nodes) const override { return std::min(nodes, wanted); }
  std::string whyNotEligible(const api::Pod&, const Status&) const override { return not_eligible; }
  Status selectVictims(CycleState&, const PodInfo&, NodeInfo& node, const Budgets&, std::vector<api::PodPtr>* victims,
                       std::int64_t*) const override {
    const auto it = of_node.find(node.name().str());
    if (it == of_node.end()) return Status(Code::kUnschedulable, "nobody to evict");
    *victims = it->second;
    return {};
  }
  std::map<std::string, std::vector<api::PodPtr>> of_node;
  std::string not_eligible;
  std::int32_t wanted = 100;
};

class InCycleEvaluatorTest : public ::testing::Test {
 protected:
  void SetUp() override {
    for (const char* name : {"a", "b", "c"}) handle_.add(testkit::makeNode(name));
    handle_.update();
    handle_.pods.put(preemptor_);
    statuses_.setAbsent({});
  }
  Status preempt() {
    CycleState state;
    return evaluator_.preempt(state, PodInfo(preemptor_), statuses_, result_);
  }
  static api::PodPtr victim(const std::string& name, std::int32_t priority = 0) {
    return makePod(name).priority(priority).obj();
  }
  void follow(const std::string& node) {
    FollowedChoice choice;
    choice.pod = "default/p";
    choice.attempt = 1;
    choice.preemption = node;
    handle_.drawn = Lots(1, {choice});
    handle_.drawn.beginAttempt("default/p", 1);
  }

  TestHandle handle_;
  Told policy_;
  InCycleEvaluator evaluator_{"Preemption", handle_, policy_};
  api::PodPtr preemptor_ = makePod("p").priority(10).obj();
  NodeToStatus statuses_;
  PostFilterResult result_;
};

TEST_F(InCycleEvaluatorTest, TheCycleWaitsForEachEvictionAndThenClearsNominations) {
  policy_.of_node["b"] = {victim("v1"), victim("v2")};
  auto nominated = std::make_shared<api::Pod>(*victim("low"));
  nominated->status.nominated_node_name = "b";
  handle_.nominations.pods = {std::make_shared<PodInfo>(nominated)};
  EXPECT_TRUE(preempt().isSuccess());
  EXPECT_EQ(handle_.slow.lines,
            (std::vector<std::string>{"delete v1 at 1", "v1 Preempted: Preempted by a pod on node b", "delete v2 at 2",
                                      "v2 Preempted: Preempted by a pod on node b", "clear low at 3"}));
  ASSERT_TRUE(result_.nominating.has_value());
  EXPECT_EQ(result_.nominating->node, "b");
}

TEST_F(InCycleEvaluatorTest, AnEvictionThatFailsEndsIt) {
  policy_.of_node["b"] = {victim("v1"), victim("v2")};
  handle_.slow.answer.failed = true;
  handle_.slow.answer.message = "no";
  const Status status = preempt();
  EXPECT_TRUE(status.isError());
  EXPECT_EQ(status.message(), "no");
  EXPECT_FALSE(result_.nominating.has_value());
  EXPECT_EQ(handle_.slow.lines.size(), 1U);
}

TEST_F(InCycleEvaluatorTest, WithoutCandidatesTheNominationIsClearedAndTheNodesSayWhy) {
  statuses_.set(api::Symbol("a"), Status(Code::kUnschedulableAndUnresolvable, "never"));
  const Status status = preempt();
  EXPECT_EQ(status.code(), Code::kUnschedulable);
  EXPECT_EQ(status.message(),
            "0/3 nodes are available: 1 Preemption is not helpful for scheduling, 2 nobody to evict.");
  ASSERT_TRUE(result_.nominating.has_value());
  EXPECT_EQ(result_.nominating->node, "");
}

TEST_F(InCycleEvaluatorTest, APodThatMayNotPreemptIsToldWhy) {
  policy_.not_eligible = "never";
  EXPECT_EQ(preempt().message(), "never");
  EXPECT_FALSE(result_.nominating.has_value());
}

TEST_F(InCycleEvaluatorTest, AFollowedCandidateIsTakenAndOneThatIsNotAmongTheBestRefused) {
  policy_.of_node["a"] = {victim("v1")};
  policy_.of_node["b"] = {victim("v2")};
  policy_.of_node["c"] = {victim("v3", 5)};
  follow("b");
  EXPECT_TRUE(preempt().isSuccess());
  EXPECT_EQ(result_.nominating->node, "b");
  EXPECT_EQ(handle_.drawn.refusal(), "");
  follow("c");
  EXPECT_TRUE(preempt().isSuccess());
  EXPECT_EQ(
      handle_.drawn.refusal(),
      "the choice of node c for pod default/p (attempt 1) cannot be followed: it is not among the best candidates "
      "for preemption");
}

TEST_F(InCycleEvaluatorTest, AFollowedCandidateIsFoundWhereverTheSearchBegan) {
  policy_.wanted = 1;
  for (const char* node : {"a", "b", "c"}) policy_.of_node[node] = {victim(std::string("v-") + node)};
  for (const char* node : {"c", "a", "b"}) {
    follow(node);
    EXPECT_TRUE(preempt().isSuccess());
    EXPECT_EQ(result_.nominating->node, node);
  }
}

TEST_F(InCycleEvaluatorTest, EqualCandidatesAreDrawn) {
  policy_.of_node["a"] = {victim("v1")};
  policy_.of_node["b"] = {victim("v2")};
  std::set<std::string> taken;
  for (int i = 0; i < 40; ++i) {
    EXPECT_TRUE(preempt().isSuccess());
    taken.insert(result_.nominating->node);
  }
  EXPECT_EQ(taken, (std::set<std::string>{"a", "b"}));
}

}  // namespace
}  // namespace podberth::scheduler::preemption
