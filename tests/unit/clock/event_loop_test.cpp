#include "core/clock/event_loop.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

namespace podberth::clock {
namespace {

class EventLoopTest : public ::testing::Test {
 protected:
  EventLoop::Task note(std::string what) {
    return [this, what = std::move(what)] { log_.push_back(what + "@" + std::to_string(loop_.now() - kEpoch)); };
  }
  EventLoop loop_;
  std::vector<std::string> log_;
};
using Log = std::vector<std::string>;

TEST_F(EventLoopTest, at_rest_events_go_in_order_and_before_writes_and_no_time_passes) {
  loop_.write("b", note("write b"));
  loop_.write("a", note("write a"));
  loop_.deliver(note("event 1"));
  loop_.deliver(note("event 2"));
  loop_.rest();
  EXPECT_EQ(log_, (Log{"event 1@0", "event 2@0", "write a@0", "write b@0"}));
  EXPECT_TRUE(loop_.idle());
}

TEST_F(EventLoopTest, what_a_write_causes_comes_before_the_next_write) {
  loop_.write("a", [this] {
    note("write a")();
    loop_.deliver(note("event of a"));
    loop_.write("c", note("write c"));
  });
  loop_.write("b", note("write b"));
  loop_.rest();
  EXPECT_EQ(log_, (Log{"write a@0", "event of a@0", "write b@0", "write c@0"}));
}

TEST_F(EventLoopTest, writes_of_the_same_name_go_in_the_order_of_the_calls) {
  loop_.write("a", note("first"));
  loop_.write("a", note("second"));
  loop_.rest();
  EXPECT_EQ(log_, (Log{"first@0", "second@0"}));
}

TEST_F(EventLoopTest, rest_fires_no_timer) {
  loop_.after(0, note("timer"));
  loop_.rest();
  EXPECT_TRUE(log_.empty());
  EXPECT_EQ(loop_.nextTimer(), kEpoch);
  loop_.sleep(0);
  EXPECT_EQ(log_, (Log{"timer@0"}));
}

TEST_F(EventLoopTest, timers_fire_at_their_time_in_order_and_not_after_the_end) {
  loop_.after(20, note("b"));
  loop_.after(10, note("a"));
  loop_.after(20, note("c"));
  loop_.after(31, note("late"));
  loop_.sleep(30);
  EXPECT_EQ(log_, (Log{"a@10", "b@20", "c@20"}));
  EXPECT_EQ(loop_.now(), kEpoch + 30);
  loop_.sleep(1);
  EXPECT_EQ(log_.back(), "late@31");
}

TEST_F(EventLoopTest, a_timer_of_the_past_fires_at_once) {
  loop_.sleep(100);
  loop_.at(kEpoch + 10, note("past"));
  loop_.sleep(5);
  EXPECT_EQ(log_, (Log{"past@100"}));
}

TEST_F(EventLoopTest, a_cancelled_timer_does_not_fire) {
  const EventLoop::TimerId id = loop_.after(10, note("cancelled"));
  loop_.after(10, note("kept"));
  loop_.cancel(id);
  loop_.cancel(id);
  loop_.sleep(20);
  EXPECT_EQ(log_, (Log{"kept@10"}));
}

TEST_F(EventLoopTest, while_asleep_each_delivery_and_write_takes_a_nanosecond) {
  loop_.after(1000, [this] {
    note("timer")();
    loop_.write("a", [this] {
      note("write")();
      loop_.deliver(note("event 1"));
      loop_.deliver(note("event 2"));
    });
  });
  loop_.sleep(5000);
  EXPECT_EQ(log_, (Log{"timer@1000", "write@1001", "event 1@1002", "event 2@1003"}));
  EXPECT_EQ(loop_.now(), kEpoch + 5000);
}

TEST_F(EventLoopTest, what_comes_in_the_nanosecond_after_the_last_does_not_wait_for_another) {
  loop_.after(10, [this] { loop_.deliver(note("first")); });
  loop_.after(12, [this] { loop_.deliver(note("second")); });
  loop_.sleep(20);
  EXPECT_EQ(log_, (Log{"first@11", "second@12"}));
}

TEST_F(EventLoopTest, a_timer_goes_before_a_delivery_of_the_same_instant) {
  loop_.after(10, [this] { loop_.deliver(note("event")); });
  loop_.after(11, note("timer"));
  loop_.sleep(20);
  EXPECT_EQ(log_, (Log{"timer@11", "event@11"}));
}

TEST_F(EventLoopTest, what_is_left_at_the_end_is_done_at_the_end) {
  loop_.after(10, [this] {
    for (const char* name : {"1", "2", "3", "4"}) loop_.deliver(note(name));
  });
  loop_.sleep(12);
  EXPECT_EQ(log_, (Log{"1@11", "2@12", "3@12", "4@12"}));
}

TEST_F(EventLoopTest, running_until_something_is_done_ends_right_after_it) {
  bool done = false;
  loop_.after(10, [this] { loop_.write("b", note("b")); });
  loop_.after(10, [this, &done] {
    loop_.write("a", [this, &done] {
      note("a")();
      loop_.deliver(note("event of a"));
      done = true;
    });
  });
  loop_.runUntil(done);
  EXPECT_EQ(log_, Log{"a@11"});
  loop_.runUntil(done);
  EXPECT_EQ(log_, Log{"a@11"});
  loop_.sleep(5);
  EXPECT_EQ(log_, (Log{"a@11", "event of a@12", "b@13"}));
}

TEST_F(EventLoopTest, running_until_what_never_comes_ends_when_nothing_is_left) {
  const bool never = false;
  loop_.after(10, note("timer"));
  loop_.runUntil(never);
  EXPECT_EQ(log_, Log{"timer@10"});
  EXPECT_EQ(loop_.now(), kEpoch + 10);
}

TEST_F(EventLoopTest, reset_forgets_everything) {
  loop_.after(10, note("timer"));
  loop_.deliver(note("event"));
  loop_.write("a", note("write"));
  loop_.reset(kEpoch + 7);
  EXPECT_TRUE(loop_.idle());
  EXPECT_EQ(loop_.nextTimer(), -1);
  loop_.sleep(10);
  EXPECT_TRUE(log_.empty());
  EXPECT_EQ(loop_.now(), kEpoch + 17);
}

}  // namespace
}  // namespace podberth::clock
