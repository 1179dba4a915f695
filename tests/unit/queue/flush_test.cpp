// The queue's two timers.
#include "tests/unit/queue/queue_fixture.h"

namespace podberth::scheduler {
namespace {

using clock::kMillisecond;
using clock::kSecond;

// A trace of the real scheduler: two pods that fail 0.891 s apart, but in the same second, back off until the same
// flush.
TEST_F(QueueTest, PodsOfOneWindowLeaveBackoffQTogetherOnTheSecond) {
  queue().run();
  loop_.sleep(1 * kMillisecond);
  reject(makePod("early"), {"Fit"});
  loop_.sleep(891 * kMillisecond);
  reject(makePod("late"), {"Fit"});
  loop_.sleep(11 * kMillisecond);
  happens(EventResource::kAssignedPod, action::kDelete);
  EXPECT_EQ(where(), "active= backoff=early late unschedulable=");
  told();
  loop_.sleep(1096 * kMillisecond);  // 1.999 s
  EXPECT_EQ(told(), Lines{});
  loop_.sleep(1 * kMillisecond);
  EXPECT_EQ(told(), (Lines{"move default/early BackoffComplete Active", "move default/late BackoffComplete Active"}));
  EXPECT_EQ(recorder_.entries().back().at, clock::kEpoch + 2 * kSecond);
}

TEST_F(QueueTest, TheFlushIsAlignedToSecondsWhenTheQueueStartsInBetween) {
  loop_.sleep(300 * kMillisecond);
  queue().run();
  EXPECT_EQ(loop_.nextTimer(), clock::kEpoch + 1 * kSecond);
  loop_.sleep(700 * kMillisecond);
  EXPECT_EQ(loop_.nextTimer(), clock::kEpoch + 2 * kSecond);
}

TEST_F(QueueTest, WithoutWindowsTheFlushComesASecondAfterTheStart) {
  std::string error;
  ASSERT_TRUE(gates_.set("SchedulerPopFromBackoffQ", false, &error)) << error;
  loop_.sleep(300 * kMillisecond);
  queue().run();
  EXPECT_EQ(loop_.nextTimer(), clock::kEpoch + 1300 * kMillisecond);
}

TEST_F(QueueTest, AnUnschedulablePodIsFlushedAfterMoreThanFiveMinutes) {
  queue().run();
  const QueuedPodInfoPtr info = reject(makePod("a"), {"Fit"});
  told();
  loop_.sleep(300 * kSecond);  // exactly five minutes: not yet
  EXPECT_EQ(told(), Lines{});
  loop_.sleep(29 * kSecond);
  EXPECT_EQ(told(), Lines{});
  loop_.sleep(1 * kSecond);
  EXPECT_EQ(told(), Lines{"move default/a UnschedulableTimeout Active"});
  EXPECT_TRUE(info->was_flushed_from_unschedulable);
  EXPECT_EQ(info->flush_timestamp, clock::kEpoch + 330 * kSecond);
  rejectPopped(queue().pop(), {"Fit"});
  EXPECT_FALSE(info->was_flushed_from_unschedulable);
  EXPECT_EQ(info->flush_timestamp, 0);
}

TEST_F(QueueTest, AFlushAsksAGatedPodAgainAndThenWaitsAnotherFiveMinutes) {
  queue().run();
  gate_.closed["a"] = Code::kUnschedulable;
  queue().add(makePod("a"));
  told();
  loop_.sleep(330 * kSecond);
  EXPECT_EQ(told(), (Lines{"preEnqueue default/a Gate Unschedulable closed",
                           "move default/a UnschedulableTimeout Unschedulable gated"}));
  EXPECT_FALSE(queue().find("default/a")->was_flushed_from_unschedulable);
  loop_.sleep(300 * kSecond);
  EXPECT_EQ(told(), Lines{});
  loop_.sleep(30 * kSecond);
  EXPECT_EQ(told().size(), 2u);
}

TEST_F(QueueTest, AFlushIsAnEventForPodsInFlight) {
  queue().run();
  reject(makePod("a"), {"Fit"});
  loop_.sleep(325 * kSecond);
  queue().add(makePod("b"));
  const QueuedPodInfoPtr b = queue().pop();
  told();
  loop_.sleep(5 * kSecond);
  EXPECT_EQ(told(), (Lines{"move default/a UnschedulableTimeout Active", "inFlight UnschedulableTimeout"}));
  rejectPopped(b, {"Fit"});
  EXPECT_EQ(told().back(), "move default/b ScheduleAttemptFailure Backoff 1 +Fit");
}

TEST_F(QueueTest, BackoffsAreFlushedBeforeUnschedulablePodsOfTheSameInstant) {
  options_.max_in_unschedulable = 20 * kSecond;
  queue().run();
  reject(makePod("a"), {"Fit"});
  loop_.sleep(29 * kSecond - 500 * kMillisecond);
  reject(makePod("z"), {});  // an error: backs off until the flush at 30 s
  told();
  loop_.sleep(1500 * kMillisecond);
  EXPECT_EQ(told(), (Lines{"move default/z BackoffComplete Active", "move default/a UnschedulableTimeout Active"}));
}

TEST_F(QueueTest, AClosedQueueHasNoTimersAndNobodyInFlight) {
  queue().run();
  queue().add(makePod("a"));
  queue().pop();
  queue().close();
  EXPECT_TRUE(loop_.idle());
  EXPECT_TRUE(queue().inFlightPods().empty());
}

TEST_F(QueueTest, TheStateNamesThePodsOfEachQueueSorted) {
  reject(makePod("u2"), {"Fit"});
  reject(makePod("u1"), {"Fit"});
  reject(makePod("b1"), {});
  reject(makePod("v"), {"Volume"});
  happens(EventResource::kPersistentVolumeClaim, action::kAdd);
  queue().add(makePod("z", 5));
  queue().add(makePod("a", 1));
  const trace::Queues state = queue().queues();
  EXPECT_EQ(state.active, (Lines{"default/a", "default/z"}));
  EXPECT_EQ(state.backoff, (Lines{"default/b1", "default/v"}));
  EXPECT_EQ(state.unschedulable, (Lines{"default/u1", "default/u2"}));
}

}  // namespace
}  // namespace podberth::scheduler
