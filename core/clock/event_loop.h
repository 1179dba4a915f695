// The one place where simulated time passes. Everything asynchronous in the simulated cluster is a task here: timers of
// the scheduler, writes to the API server that wait their turn, and watch events on their way to the informers.
//
// At one instant the order is: watch events, one by one in the order of the writes that caused them; then the waiting
// write whose key comes first by name; then whatever timer is due. What one of them causes comes before the next.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "core/clock/time.h"

namespace podberth::clock {

class EventLoop {
 public:
  using Task = std::function<void()>;
  using TimerId = std::uint64_t;

  Time now() const { return now_; }

  // Runs `task` when the clock reaches `at` (at once when that has passed), after earlier timers of the same instant.
  TimerId at(Time at, Task task);
  TimerId after(Duration d, Task task) { return at(now_ + d, std::move(task)); }
  // Does nothing if the timer has run or was cancelled.
  void cancel(TimerId id);

  // Puts a watch event in the line.
  void deliver(Task task) { events_.push_back(std::move(task)); }
  // Puts a write in the line; writes due at the same instant go by key, equal keys in the order of the calls.
  void write(std::string key, Task task) { writers_.emplace(std::move(key), std::move(task)); }

  // Delivers and writes until nothing waits. No time passes.
  void rest();
  // Lets `d` pass: timers fire, and each delivery or write on the way takes a nanosecond, so that things that happen
  // one after the other do not have the same time.
  void sleep(Duration d);
  // Lets time pass in the same way until a task has set `done`, and not a task longer; at once if it is set. Also ends
  // when nothing is left that could set it.
  void runUntil(const bool& done);

  // True if nothing waits and no timer is set.
  bool idle() const { return events_.empty() && writers_.empty() && timers_.empty(); }
  // When the next timer fires; -1 if none is set.
  Time nextTimer() const { return timers_.empty() ? -1 : timers_.begin()->first.first; }

  void reset(Time now);

 private:
  bool next();
  void pass(Time end, const bool& stop);

  Time now_ = kEpoch;
  TimerId last_id_ = 0;
  std::map<std::pair<Time, TimerId>, Task> timers_;
  std::deque<Task> events_;
  std::multimap<std::string, Task> writers_;
};

}  // namespace podberth::clock
