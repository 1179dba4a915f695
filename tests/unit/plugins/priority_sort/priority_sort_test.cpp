#include "core/scheduler/plugins/priority_sort/priority_sort.h"

#include <gtest/gtest.h>

#include "tests/unit/support/builders.h"

namespace podberth::scheduler::plugins {
namespace {

QueuedPodInfo queued(std::optional<std::int32_t> priority, clock::Time timestamp) {
  testkit::PodBuilder pod("a");
  pod.raw().spec.priority = priority;
  QueuedPodInfo info;
  info.info = pod.info();
  info.timestamp = timestamp;
  return info;
}

TEST(PrioritySort, WhoComesFirst) {
  struct Case {
    const char* sentence;
    std::optional<std::int32_t> priority_a;
    clock::Time time_a;
    std::optional<std::int32_t> priority_b;
    clock::Time time_b;
    bool a_first;
    bool b_first;
  };
  const Case cases[] = {
      {"the higher priority goes first, however late it came", 10, 5, 1, 1, true, false},
      {"among equal priorities the earlier goes first", 1, 1, 1, 2, true, false},
      {"neither of two equals goes first", 1, 1, 1, 1, false, false},
      {"no priority is priority 0", std::nullopt, 9, -1, 1, true, false},
  };
  const PrioritySort plugin;
  for (const Case& c : cases) {
    const QueuedPodInfo a = queued(c.priority_a, c.time_a);
    const QueuedPodInfo b = queued(c.priority_b, c.time_b);
    EXPECT_EQ(plugin.less(a, b), c.a_first) << c.sentence;
    EXPECT_EQ(plugin.less(b, a), c.b_first) << c.sentence;
  }
}

}  // namespace
}  // namespace podberth::scheduler::plugins
