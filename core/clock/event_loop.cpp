#include "core/clock/event_loop.h"

#include <algorithm>
#include <limits>

namespace podberth::clock {

EventLoop::TimerId EventLoop::at(Time at, Task task) {
  const TimerId id = ++last_id_;
  timers_.emplace(std::make_pair(std::max(at, now_), id), std::move(task));
  return id;
}

void EventLoop::cancel(TimerId id) {
  for (auto it = timers_.begin(); it != timers_.end(); ++it) {
    if (it->first.second == id) {
      timers_.erase(it);
      return;
    }
  }
}

// Does the first thing that waits. False if nothing does.
bool EventLoop::next() {
  if (!events_.empty()) {
    Task task = std::move(events_.front());
    events_.pop_front();
    task();
    return true;
  }
  if (writers_.empty()) return false;
  const auto first = writers_.begin();
  Task task = std::move(first->second);
  writers_.erase(first);
  task();
  return true;
}

void EventLoop::rest() {
  while (next()) {
  }
}

void EventLoop::sleep(Duration d) {
  const Time end = now_ + std::max<Duration>(d, 0);
  constexpr bool kToTheEnd = false;
  pass(end, kToTheEnd);
  now_ = end;
  rest();
}

void EventLoop::runUntil(const bool& done) { pass(std::numeric_limits<Time>::max(), done); }

void EventLoop::pass(Time end, const bool& stop) {
  // When the line is served next; -1 while nothing was waiting.
  Time serve = -1;
  while (!stop) {
    if (serve < 0 && (!events_.empty() || !writers_.empty())) serve = now_ + kNanosecond;
    const bool timer = !timers_.empty() && (serve < 0 || timers_.begin()->first.first <= serve);
    if (timer) {
      const auto first = timers_.begin();
      if (first->first.first > end) break;
      now_ = std::max(now_, first->first.first);
      Task task = std::move(first->second);
      timers_.erase(first);
      task();
      continue;
    }
    if (serve < 0 || serve > end) break;
    now_ = serve;
    // The line rests once more after its last item: what comes in that nanosecond does not wait for another.
    serve = next() ? now_ + kNanosecond : -1;
  }
}

void EventLoop::reset(Time now) {
  now_ = now;
  timers_.clear();
  events_.clear();
  writers_.clear();
}

}  // namespace podberth::clock
