// Jobs: how many pods run, when they are replaced, and when it is over.
#include "tests/unit/apiserver/controllers/controllers_fixture.h"

namespace podberth::apiserver {
namespace {

TEST_F(ControllersTest, AJobRunsAsManyAtOnceAsItMayUntilAllAreDone) {
  mustCreate(workload("Job", "sum", {{"parallelism", 2}, {"completions", 3}}));
  wait();
  const Names first = names();
  ASSERT_EQ(first.size(), 2U);
  EXPECT_EQ(label(*pods()[0], "batch.kubernetes.io/job-name"), "sum");
  setPhase(first[0], "Succeeded");
  wait();
  ASSERT_EQ(names().size(), 3U);
  for (const std::string& name : names()) setPhase(name, "Succeeded");
  wait();
  EXPECT_EQ(names().size(), 3U) << "three are done: no more are made";
}

TEST_F(ControllersTest, AnIndexedJobHasOnePodForEachIndex) {
  mustCreate(workload("Job", "sum", {{"parallelism", 2}, {"completions", 3}, {"completionMode", "Indexed"}}));
  wait();
  ASSERT_EQ(names().size(), 2U);
  EXPECT_EQ(names()[0].rfind("sum-0-", 0), 0U);
  EXPECT_EQ(names()[1].rfind("sum-1-", 0), 0U);
  EXPECT_EQ(pods()[1]->meta.annotations.at("batch.kubernetes.io/job-completion-index"), "1");
  setPhase(names()[1], "Succeeded");
  wait();
  ASSERT_EQ(names().size(), 3U);
  EXPECT_EQ(names()[2].rfind("sum-2-", 0), 0U);
}

TEST_F(ControllersTest, AnIndexedJobThatBecomesSmallerLosesItsLastIndexes) {
  Json job = workload("Job", "sum", {{"parallelism", 4}, {"completions", 4}, {"completionMode", "Indexed"}});
  mustCreate(job);
  wait();
  ASSERT_EQ(names().size(), 4U);
  bind(names()[2]);
  bind(names()[3]);
  job["spec"]["parallelism"] = 2;
  job["spec"]["completions"] = 2;
  mustUpdate(job);
  wait();
  ASSERT_EQ(names().size(), 2U);
  EXPECT_EQ(names()[0].rfind("sum-0-", 0), 0U);
  EXPECT_EQ(names()[1].rfind("sum-1-", 0), 0U);
}

TEST_F(ControllersTest, AnIndexBeyondTheLastDoesNotCountAsCompleted) {
  Json job = workload("Job", "sum", {{"parallelism", 3}, {"completions", 3}, {"completionMode", "Indexed"}});
  mustCreate(job);
  wait();
  ASSERT_EQ(names().size(), 3U);
  setPhase(names()[2], "Succeeded");
  wait();
  job["spec"]["parallelism"] = 1;
  job["spec"]["completions"] = 1;
  mustUpdate(job);
  wait();
  ASSERT_EQ(names().size(), 2U) << "index 0 runs on, beside what has ended";
  EXPECT_EQ(names()[0].rfind("sum-0-", 0), 0U);
}

TEST_F(ControllersTest, AJobWhoseNameMakesALongUidIsTaken) {
  Json job = workload("Job", "x");
  job["metadata"]["name"] = "nightly-reconciliation-report-europe";
  job["metadata"]["namespace"] = "team-payments-production";
  mustCreate(job);
  mustUpdate(job);
  wait();
  ASSERT_EQ(pods().size(), 1U);
  EXPECT_EQ(label(*pods()[0], "controller-uid").size(), 63U);
}

TEST_F(ControllersTest, AFailedPodIsReplacedAfterABackoffAndNotForEver) {
  mustCreate(workload("Job", "sum", {{"backoffLimit", 1}}));
  wait();
  setPhase(names()[0], "Failed");
  wait(9 * clock::kSecond);
  EXPECT_EQ(names().size(), 1U);
  EXPECT_EQ(controllers.due(), -1) << "a backoff is nothing to wait for";
  wait(2 * clock::kSecond);
  ASSERT_EQ(names().size(), 2U);
  for (const std::string& name : names()) setPhase(name, "Failed");
  wait(clock::kMinute);
  EXPECT_EQ(names().size(), 2U);
}

TEST_F(ControllersTest, ASuspendedJobHasNoPods) {
  Json job = workload("Job", "sum", {{"parallelism", 2}, {"completions", 2}});
  mustCreate(job);
  wait();
  job["spec"]["suspend"] = true;
  mustUpdate(job);
  wait();
  EXPECT_TRUE(names().empty());
  job["spec"]["suspend"] = false;
  mustUpdate(job);
  wait();
  EXPECT_EQ(names().size(), 2U);
}

TEST_F(ControllersTest, APodThatSaysHowLongItRunsEndsByItself) {
  mustCreate(workload("Job", "sum",
                      {{"template", {{"metadata", {{"annotations", {{"podberth/runs-for-seconds", "2.5"}}}}}}}}));
  wait();
  bindAll();
  wait(2 * clock::kSecond);
  EXPECT_EQ(pods()[0]->status.phase, "Pending");
  wait();
  EXPECT_EQ(pods()[0]->status.phase, "Succeeded");
  EXPECT_EQ(names().size(), 1U);
}

TEST_F(ControllersTest, AJobThatTakesTooLongLosesItsPods) {
  Json job = workload("Job", "sum", {{"parallelism", 2}, {"completions", 2}, {"activeDeadlineSeconds", 30}});
  mustCreate(job);
  wait(29 * clock::kSecond);
  EXPECT_EQ(names().size(), 2U);
  EXPECT_EQ(controllers.due(), -1) << "a deadline is nothing to wait for";
  wait(2 * clock::kSecond);
  EXPECT_TRUE(names().empty());
  wait(clock::kMinute);
  EXPECT_TRUE(names().empty()) << "it has failed";
}

TEST_F(ControllersTest, TheTimeOfASuspendedJobStandsStill) {
  Json job = workload("Job", "sum", {{"activeDeadlineSeconds", 30}});
  mustCreate(job);
  wait(20 * clock::kSecond);
  job["spec"]["suspend"] = true;
  mustUpdate(job);
  wait(clock::kMinute);
  job["spec"]["suspend"] = false;
  mustUpdate(job);
  wait(29 * clock::kSecond);
  EXPECT_EQ(names().size(), 1U);
  wait(2 * clock::kSecond);
  EXPECT_TRUE(names().empty());
}

TEST_F(ControllersTest, AJobThatIsOverGoesWithItsPodsWhenItsTimeIsUp) {
  mustCreate(workload("Job", "sum", {{"ttlSecondsAfterFinished", 10}}));
  wait();
  setPhase(names()[0], "Succeeded");
  wait(9 * clock::kSecond);
  EXPECT_EQ(names().size(), 1U);
  wait(2 * clock::kSecond);
  EXPECT_TRUE(names().empty());
  EXPECT_TRUE(server.list(api::Kind::kJob).empty());
}

TEST_F(ControllersTest, AJobThatAnotherControllerManagesIsLeftAlone) {
  mustCreate(workload("Job", "sum", {{"managedBy", "example.com/queue"}}));
  wait();
  EXPECT_TRUE(names().empty());
}

TEST_F(ControllersTest, WhatEndsIsToldOnce) {
  mustCreate(
      workload("Job", "sum", {{"template", {{"metadata", {{"annotations", {{"podberth/runs-for-seconds", "0"}}}}}}}}));
  wait();
  bindAll();
  wait();
  int ended = 0;
  for (const trace::Entry& entry : recorder.entries()) ended += entry.reason == "end" ? 1 : 0;
  EXPECT_EQ(ended, 1);
}

}  // namespace
}  // namespace podberth::apiserver
