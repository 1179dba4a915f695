#include "core/scheduler/queue/backoff_queue.h"

#include "tests/unit/queue/queue_fixture.h"

namespace podberth::scheduler {
namespace {

using clock::kMillisecond;
using clock::kSecond;

TEST(BackoffDurationTest, DoublesWithEachAttemptUpToTheMaximum) {
  const struct {
    int count;
    clock::Duration initial, max, want;
  } cases[] = {
      {0, kSecond, 10 * kSecond, 0},
      {1, kSecond, 10 * kSecond, 1 * kSecond},
      {2, kSecond, 10 * kSecond, 2 * kSecond},
      {3, kSecond, 10 * kSecond, 4 * kSecond},
      {4, kSecond, 10 * kSecond, 8 * kSecond},
      {5, kSecond, 10 * kSecond, 10 * kSecond},
      {16, kSecond, 10 * kSecond, 10 * kSecond},
      {64, kSecond, 10 * kSecond, 10 * kSecond},
      {1000, kSecond, 10 * kSecond, 10 * kSecond},
      {1, 20 * kSecond, 10 * kSecond, 10 * kSecond},
      {64, 0, 10 * kSecond, 0},
  };
  for (const auto& c : cases) EXPECT_EQ(calculateBackoffDuration(c.count, c.initial, c.max), c.want) << c.count;
}

class BackoffQueueTest : public ::testing::Test {
 protected:
  QueuedPodInfoPtr rejected(const std::string& name, int count, clock::Duration since, std::int32_t priority = 0) {
    const QueuedPodInfoPtr info = makeInfo(name, priority);
    info->unschedulable_count = count;
    info->unschedulable_plugins = {"Fit"};
    info->timestamp = clock::kEpoch + since;
    return info;
  }
  QueuedPodInfoPtr failed(const std::string& name, int count, clock::Duration since) {
    const QueuedPodInfoPtr info = makeInfo(name);
    info->consecutive_errors_count = count;
    info->timestamp = clock::kEpoch + since;
    return info;
  }
  clock::EventLoop loop_;
  BackoffQueue queue_{loop_, kSecond, 10 * kSecond, byPriorityAndTime, true};
};

TEST_F(BackoffQueueTest, ABackoffEndsWithTheWindowItFallsInto) {
  const QueuedPodInfoPtr info = rejected("a", 1, 892 * kMillisecond);
  EXPECT_EQ(queue_.backoffTime(*info), clock::kEpoch + kSecond);
  for (const auto& [at, backing_off] : std::vector<std::pair<clock::Duration, bool>>{
           {892 * kMillisecond, true}, {kSecond, true}, {1999 * kMillisecond, true}, {2 * kSecond, false}}) {
    loop_.sleep(clock::kEpoch + at - loop_.now());
    EXPECT_EQ(queue_.isBackingOff(*info), backing_off) << at;
  }
}

TEST_F(BackoffQueueTest, WithoutWindowsABackoffEndsWhenItEnds) {
  const BackoffQueue plain(loop_, kSecond, 10 * kSecond, byPriorityAndTime, false);
  const QueuedPodInfoPtr info = rejected("a", 1, 500 * kMillisecond);
  EXPECT_EQ(plain.backoffTime(*info), clock::kEpoch + 1500 * kMillisecond);
  EXPECT_EQ(plain.alignToWindow(clock::kEpoch + 7), clock::kEpoch + 7);
}

TEST_F(BackoffQueueTest, NobodyBacksOffIfTheMaximumIsZero) {
  const BackoffQueue off(loop_, kSecond, 0, byPriorityAndTime, true);
  const QueuedPodInfoPtr info = rejected("a", 5, 0);
  EXPECT_EQ(off.backoffTime(*info), 0);
  EXPECT_FALSE(off.isBackingOff(*info));
}

TEST_F(BackoffQueueTest, APodThatWasNeverTriedHasNoBackoff) { EXPECT_FALSE(queue_.isBackingOff(*rejected("a", 0, 0))); }

TEST_F(BackoffQueueTest, ErrorsCountInsteadOfRejectionsWhileTheyLast) {
  const QueuedPodInfoPtr info = rejected("a", 4, 0);
  info->consecutive_errors_count = 1;
  EXPECT_EQ(queue_.backoffTime(*info), clock::kEpoch + kSecond);
}

TEST_F(BackoffQueueTest, PodsOfOneWindowAreOrderedAsInActiveQ) {
  queue_.add(rejected("early-low", 1, 100 * kMillisecond, 1));
  queue_.add(rejected("late-high", 1, 900 * kMillisecond, 2));
  queue_.add(rejected("next-window", 1, 1100 * kMillisecond, 9));
  queue_.add(failed("error", 1, 0));
  EXPECT_EQ(names(queue_.inOrder()), "late-high early-low next-window error");
  EXPECT_TRUE(queue_.inErrorBackoff("default/error"));
  EXPECT_EQ(queue_.popBackoff()->pod().meta.name, "late-high");
}

TEST_F(BackoffQueueTest, PodsThatFailedWithAnErrorAreNotPoppedEarly) {
  queue_.add(failed("error", 1, 0));
  EXPECT_FALSE(queue_.canPopBackoff());
  EXPECT_EQ(queue_.popBackoff(), nullptr);
  EXPECT_EQ(queue_.size(), 1u);
}

TEST_F(BackoffQueueTest, CompletedPodsLeaveInOrderWithErrorsLast) {
  queue_.add(failed("error", 1, 0));
  queue_.add(rejected("two", 2, 0));
  queue_.add(rejected("one", 1, 0));
  loop_.sleep(2 * kSecond);
  EXPECT_EQ(names(queue_.popAllCompleted()), "one error");
  EXPECT_EQ(names(queue_.inOrder()), "two");
}

TEST_F(BackoffQueueTest, APodIsNeverInBothHeaps) {
  const QueuedPodInfoPtr info = rejected("a", 1, 0);
  EXPECT_EQ(queue_.add(info), BackoffQueue::Added::kNew);
  info->unschedulable_plugins.clear();
  EXPECT_EQ(queue_.add(info), BackoffQueue::Added::kWasInOther);
  EXPECT_EQ(queue_.size(), 1u);
  EXPECT_TRUE(queue_.inErrorBackoff("default/a"));
}

}  // namespace
}  // namespace podberth::scheduler
