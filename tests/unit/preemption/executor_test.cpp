#include "core/scheduler/preemption/executor.h"

#include <map>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "tests/unit/support/plugin_cluster.h"

namespace podberth::scheduler::preemption {
namespace {

using testkit::makePod;
using testkit::PodBuilder;

// Notes what is asked for, and answers when the test says so.
class Journal : public testkit::FakeClient {
 public:
  void patchPodStatus(const api::Pod& pod, const std::optional<api::PodCondition>& condition,
                      const std::optional<std::string>& nominated, Done done) override {
    std::string line = "patch " + pod.meta.name;
    if (condition.has_value()) line += " " + condition->type + ": " + condition->message;
    if (nominated.has_value()) line += " nominated '" + *nominated + "'";
    lines.push_back(line);
    answers.push_back(std::move(done));
  }
  void deletePod(const api::Pod& pod, Done done) override {
    lines.push_back("delete " + pod.meta.name);
    answers.push_back(std::move(done));
  }
  // Answers the oldest question.
  void answer(const ApiError& error = ApiError::ok()) {
    Done done = std::move(answers.front());
    answers.erase(answers.begin());
    done(error);
  }
  std::vector<std::string> lines;
  std::vector<Done> answers;
};

class Nominations : public testkit::FakeNominator {
 public:
  std::vector<PodInfoPtr> nominatedPodsForNode(api::Symbol node) const override {
    return node == "n" ? pods : std::vector<PodInfoPtr>();
  }
  std::vector<PodInfoPtr> pods;
};

class TestHandle : public testkit::ClusterHandle {
 public:
  ApiClient& client() override { return journal; }
  PodNominator& nominator() override { return nominations; }
  void event(const api::Pod& pod, std::string_view reason, const std::string& message) override {
    journal.lines.push_back("event " + pod.meta.name + " " + std::string(reason) + ": " + message);
  }
  void activate(const std::vector<api::PodPtr>& activated) override {
    for (const api::PodPtr& pod : activated) journal.lines.push_back("activate " + pod->meta.name);
  }
  bool cancelPodInPreBind(const std::string& uid, const std::string& reason) override {
    if (uid != in_pre_bind) return false;
    journal.lines.push_back("cancel " + uid + ": " + reason);
    return true;
  }
  Journal journal;
  Nominations nominations;
  std::string in_pre_bind;
};

PodBuilder preemptor() {
  PodBuilder pod = makePod("p");
  pod.priority(10).raw().spec.scheduler_name = "default-scheduler";
  return pod;
}

class ExecutorTest : public testing::Test {
 protected:
  void preempt(const std::vector<PodBuilder>& victims) {
    Candidate candidate;
    candidate.node = "n";
    for (const PodBuilder& victim : victims) candidate.victims.push_back(victim.obj());
    executor_.actuate(candidate, preemptor().obj(), "DefaultPreemption");
    EXPECT_TRUE(handle_.journal.lines.empty()) << "nothing is written before the scheduling cycle has ended";
    handle_.loop().sleep(0);
  }
  std::vector<std::string> take() { return std::exchange(handle_.journal.lines, {}); }

  using Lines = std::vector<std::string>;
  const std::string kPatchA =
      "patch a DisruptionTarget: default-scheduler: preempting to accommodate a higher priority pod";
  const std::string kPatchB =
      "patch b DisruptionTarget: default-scheduler: preempting to accommodate a higher priority pod";
  TestHandle handle_;
  Executor executor_{handle_};
};

TEST_F(ExecutorTest, EvictsOneVictimAfterTheOther) {
  preempt({makePod("a"), makePod("b")});
  EXPECT_EQ(take(), Lines{kPatchA});
  handle_.journal.answer();
  EXPECT_EQ(take(), Lines{"delete a"});
  EXPECT_TRUE(executor_.isPreempting("uid-p"));
  handle_.journal.answer();
  EXPECT_EQ(take(), (Lines{"event a Preempted: Preempted by pod uid-p on node n", kPatchB}));
  handle_.journal.answer();
  handle_.journal.answer();
  EXPECT_EQ(take(), (Lines{"delete b", "event b Preempted: Preempted by pod uid-p on node n"}));
  EXPECT_FALSE(executor_.isPreempting("uid-p"));
}

TEST_F(ExecutorTest, DoesNotGateThePreemptorOnceTheLastVictimIsSeenToGo) {
  PodBuilder a = makePod("a");
  handle_.pods.put(a.obj());
  preempt({a});
  EXPECT_TRUE(executor_.isPreempting("uid-p"));
  a.raw().meta.deletion_timestamp = 1;
  handle_.pods.put(a.obj());
  EXPECT_FALSE(executor_.isPreempting("uid-p"));
  handle_.pods.objects.clear();
  EXPECT_FALSE(executor_.isPreempting("uid-p"));
}

TEST_F(ExecutorTest, SkipsVictimsThatAreAlreadyBeingDeleted) {
  PodBuilder a = makePod("a");
  a.raw().meta.deletion_timestamp = 1;
  preempt({a});
  EXPECT_TRUE(take().empty());
  EXPECT_FALSE(executor_.isPreempting("uid-p"));
}

TEST_F(ExecutorTest, DeletesRightAwayAVictimThatHasTheConditionAlready) {
  PodBuilder a = makePod("a");
  api::PodCondition condition;
  condition.type = "DisruptionTarget";
  condition.status = "True";
  condition.reason = "PreemptionByScheduler";
  condition.message = "default-scheduler: preempting to accommodate a higher priority pod";
  a.raw().status.conditions.push_back(condition);
  preempt({a});
  EXPECT_EQ(take(), Lines{"delete a"});
}

TEST_F(ExecutorTest, ClearsNominationsOfLowerPriorityPodsFirst) {
  handle_.nominations.pods = {makePod("low").priority(1).nominatedTo("n").info(), makePod("new").priority(1).info(),
                              makePod("high").priority(10).nominatedTo("n").info()};
  preempt({makePod("a")});
  EXPECT_EQ(take(), Lines{"patch low nominated ''"});
  handle_.journal.answer();
  EXPECT_EQ(take(), Lines{kPatchA});
}

TEST_F(ExecutorTest, TakesAVictimThatIsGoneAsEvictedWithoutAnEvent) {
  preempt({makePod("a"), makePod("b")});
  take();
  ApiError gone;
  gone.failed = true;
  gone.not_found = true;
  handle_.journal.answer(gone);
  EXPECT_EQ(take(), Lines{kPatchB});
}

TEST_F(ExecutorTest, GivesUpAfterAnErrorAndWakesThePreemptor) {
  preempt({makePod("a"), makePod("b")});
  take();
  ApiError error;
  error.failed = true;
  error.message = "no";
  handle_.journal.answer(error);
  EXPECT_EQ(take(), Lines{"activate p"});
  EXPECT_FALSE(executor_.isPreempting("uid-p"));
}

TEST_F(ExecutorTest, TurnsAPodInPreBindBackInsteadOfDeletingIt) {
  handle_.in_pre_bind = "uid-a";
  preempt({makePod("a")});
  EXPECT_EQ(take(),
            (Lines{"cancel uid-a: preempted by DefaultPreemption",
                   "event a Preempted: Preempted by pod uid-p on node n (in kube-scheduler memory).", "activate p"}));
}

}  // namespace
}  // namespace podberth::scheduler::preemption
