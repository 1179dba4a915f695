// How a pod comes back from an attempt.
#include "tests/unit/queue/queue_fixture.h"

namespace podberth::scheduler {
namespace {

using clock::kSecond;

TEST_F(QueueTest, ARejectedPodWaitsAsUnschedulable) {
  const QueuedPodInfoPtr info = reject(makePod("a"), {"Fit", "Volume"});
  EXPECT_EQ(told(), (Lines{"move default/a UnscheduledPodAdd Active",
                           "move default/a ScheduleAttemptFailure Unschedulable 0 +Fit +Volume"}));
  EXPECT_EQ(info->unschedulable_count, 1);
  EXPECT_EQ(info->consecutive_errors_count, 0);
  EXPECT_TRUE(queue().inFlightPods().empty());
}

TEST_F(QueueTest, PendingPluginsCountAsRejectors) {
  reject(makePod("a"), {"Fit"}, {"Late", "Fit"});
  EXPECT_EQ(told().back(), "move default/a ScheduleAttemptFailure Unschedulable 0 +Fit +Late");
}

TEST_F(QueueTest, APodThatFailedWithAnErrorBacksOffInItsOwnHeap) {
  const QueuedPodInfoPtr info = reject(makePod("a"), {});
  EXPECT_EQ(told(), (Lines{"move default/a UnscheduledPodAdd Active", "move default/a ScheduleAttemptFailure Backoff",
                           "move default/a ScheduleAttemptFailure Backoff 1"}));
  EXPECT_TRUE(queue().inErrorBackoff(*info));
  EXPECT_FALSE(queue().poppable());
  EXPECT_EQ(info->consecutive_errors_count, 1);
  loop_.sleep(2 * kSecond);
  queue().flushBackoffQCompleted();
  rejectPopped(queue().pop(), {"Fit"});
  EXPECT_EQ(info->consecutive_errors_count, 0);
  EXPECT_EQ(info->unschedulable_count, 1);
}

TEST_F(QueueTest, AnEventDuringTheAttemptBringsThePodToBackoffQ) {
  queue().add(makePod("a"));
  const QueuedPodInfoPtr info = queue().pop();
  happens(EventResource::kNode, action::kAdd);
  EXPECT_EQ(told(), (Lines{"move default/a UnscheduledPodAdd Active", "inFlight NodeAdd"}));
  rejectPopped(info, {"Fit"});
  EXPECT_EQ(told(), (Lines{"move default/a ScheduleAttemptFailure Backoff",
                           "move default/a ScheduleAttemptFailure Backoff 1 +Fit"}));
}

TEST_F(QueueTest, AnEventDuringTheAttemptThatConcernsOtherPluginsDoesNot) {
  queue().add(makePod("a"));
  const QueuedPodInfoPtr info = queue().pop();
  happens(EventResource::kPersistentVolumeClaim, action::kAdd);
  rejectPopped(info, {"Fit"});
  EXPECT_EQ(told().back(), "move default/a ScheduleAttemptFailure Unschedulable 0 +Fit");
}

TEST_F(QueueTest, AnEventBeforeTheAttemptDoesNotCount) {
  queue().add(makePod("z", 1));
  loop_.sleep(1);
  queue().add(makePod("a"));
  queue().pop();
  happens(EventResource::kNode, action::kAdd);  // while only z is in flight
  const QueuedPodInfoPtr info = queue().pop();
  rejectPopped(info, {"Fit"});
  EXPECT_EQ(told().back(), "move default/a ScheduleAttemptFailure Unschedulable 0 +Fit");
}

TEST_F(QueueTest, APendingPluginsEventDuringTheAttemptSkipsTheBackoff) {
  queue().add(makePod("a"));
  const QueuedPodInfoPtr info = queue().pop();
  happens(EventResource::kNode, action::kUpdateNodeTaint);       // Fit: after backoff
  happens(EventResource::kPersistentVolumeClaim, action::kAdd);  // Volume, pending: at once
  rejectPopped(info, {"Fit"}, {"Volume"});
  EXPECT_EQ(told().back(), "move default/a ScheduleAttemptFailure Active 2 +Fit +Volume");
}

TEST_F(QueueTest, AnUpdateOfThePodItselfDuringTheAttemptCounts) {
  const auto pod = makePod("a");
  queue().add(pod);
  const QueuedPodInfoPtr info = queue().pop();
  const auto tolerating = makePod("a");
  tolerating->spec.tolerations.resize(1);
  told();
  queue().update(pod, tolerating);
  EXPECT_EQ(told(), Lines{});
  EXPECT_EQ(where(), "active= backoff= unschedulable=");
  rejectPopped(info, {"Fit"});
  EXPECT_EQ(told().back(), "move default/a ScheduleAttemptFailure Backoff 1 +Fit");
}

TEST_F(QueueTest, APodThatIsGatedWhenItComesBackIsToldSo) {
  queue().add(makePod("a"));
  const QueuedPodInfoPtr info = queue().pop();
  happens(EventResource::kNode, action::kAdd);
  gate_.closed["a"] = Code::kUnschedulable;
  told();
  rejectPopped(info, {"Fit"});
  EXPECT_EQ(told(), (Lines{"preEnqueue default/a Gate Unschedulable closed",
                           "move default/a ScheduleAttemptFailure Unschedulable gated",
                           "move default/a ScheduleAttemptFailure Unschedulable 1 +Fit"}));
}

TEST_F(QueueTest, APodThatIsInAQueueAlreadyDoesNotComeBack) {
  const auto pod = makePod("a");
  queue().add(pod);
  const QueuedPodInfoPtr info = queue().pop();
  queue().add(pod);
  EXPECT_EQ(queue().addUnschedulablePodIfNotPresent(info, 1), "Pod default/a is already present in the active queue");
  EXPECT_TRUE(queue().inFlightPods().empty());
  EXPECT_EQ(info->unschedulable_count, 0);

  const QueuedPodInfoPtr again = rejectPopped(queue().pop(), {"Fit"});
  EXPECT_EQ(queue().addUnschedulablePodIfNotPresent(info, 1),
            "Pod default/a is already present in unschedulable queue");
  happens(EventResource::kNode, action::kAdd);
  EXPECT_EQ(queue().addUnschedulablePodIfNotPresent(info, 1), "Pod default/a is already present in the backoff queue");
}

TEST_F(QueueTest, APodInFlightThatIsPoppedAgainIsDropped) {
  const auto pod = makePod("a");
  queue().add(pod);
  queue().pop();
  queue().add(pod);
  loop_.sleep(1);
  queue().add(makePod("b"));
  told();
  EXPECT_EQ(queue().pop()->pod().meta.name, "b");
  EXPECT_EQ(told(),
            Lines{"log Discarding the popped entity the same pod is tracked in multiple places in the scheduler: "
                  "default/a"});
}

TEST_F(QueueTest, APodThatWasNotInFlightComesBackAllTheSame) {
  queue().add(makePod("a"));
  const QueuedPodInfoPtr info = queue().pop();
  queue().done("uid-a");
  told();
  rejectPopped(info, {"Fit"});
  EXPECT_EQ(
      told(),
      (Lines{"log default/a Error getting cluster events for pod in flight entity isn't found in the scheduling queue. "
             "If you see this error log, it's likely a bug in the scheduler",
             "move default/a ScheduleAttemptFailure Backoff", "move default/a ScheduleAttemptFailure Backoff 1 +Fit"}));
}

TEST_F(QueueTest, TheBackoffGrowsWithEachRejection) {
  reject(makePod("a"), {"Fit"});
  QueuedPodInfoPtr info = queue().find("default/a");
  for (const clock::Duration want : {1, 2, 4, 8, 10, 10}) {
    EXPECT_EQ(queue().backoffUntil(*info) - info->timestamp, want * kSecond);
    loop_.sleep(20 * kSecond);
    happens(EventResource::kNode, action::kAdd);
    info = rejectPopped(queue().pop(), {"Fit"});
  }
  EXPECT_EQ(info->attempts, 7);
}

// ---- Signatures

TEST_F(QueueTest, PodsAreSignedByTheirProfileAndAgainWhenUpdated) {
  options_.signers["default-scheduler"] = [](const api::Pod& pod) -> std::optional<std::string> {
    if (pod.priority() == 0) return std::nullopt;
    return "p" + std::to_string(pod.priority());
  };
  const auto pod = makePod("a", 1);
  queue().add(pod);
  EXPECT_EQ(queue().find("default/a")->signature, "p1");
  queue().update(pod, makePod("a", 2));
  EXPECT_EQ(queue().find("default/a")->signature, "p2");
  queue().update(pod, makePod("a", 0));
  EXPECT_EQ(queue().find("default/a")->signature, std::nullopt);
}

TEST_F(QueueTest, NobodySignsWithoutOpportunisticBatching) {
  std::string error;
  ASSERT_TRUE(gates_.set("OpportunisticBatching", false, &error)) << error;
  options_.signers["default-scheduler"] = [](const api::Pod&) -> std::optional<std::string> { return "x"; };
  queue().add(makePod("a"));
  EXPECT_EQ(queue().find("default/a")->signature, std::nullopt);
}

}  // namespace
}  // namespace podberth::scheduler
