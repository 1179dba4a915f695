#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "core/session/metrics.h"

namespace podberth::session {
namespace {

trace::Entry entry(trace::Type type, const std::string& pod, clock::Time at = 0) {
  trace::Entry e;
  e.type = type;
  e.pod = pod;
  e.at = at;
  return e;
}

trace::Entry move(const std::string& pod, const std::string& event, const std::string& queue, clock::Time at = 0) {
  trace::Entry e = entry(trace::Type::kMove, pod, at);
  e.event = event;
  e.queue = queue;
  return e;
}

trace::Entry cycle(const std::string& host, const std::vector<std::string>& plugins, const std::string& node) {
  trace::Entry e = entry(trace::Type::kCycle, "default/p");
  e.cycle = std::make_shared<trace::Cycle>();
  e.cycle->host = host;
  e.cycle->unschedulable_plugins = plugins;
  if (!node.empty()) e.cycle->nodes = {node};
  return e;
}

trace::Entry point(const std::string& name, const std::string& code) {
  trace::Entry e = entry(trace::Type::kPoint, "default/p");
  e.point = name;
  e.reason = code;
  return e;
}

TEST(Metrics, AnAttemptCountsOnceByItsResult) {
  struct Case {
    const char* what;
    trace::Entry last;
    int scheduled;
    int unschedulable;
    int errors;
  };
  const Case cases[] = {
      {"bound", entry(trace::Type::kBind, "default/p"), 1, 0, 0},
      {"a node was found, nothing more yet", cycle("n1", {}, "n1"), 0, 0, 0},
      {"plugins rejected every node", cycle("", {"NodeResourcesFit"}, "n1"), 0, 1, 0},
      {"there is no node at all", cycle("", {}, ""), 0, 1, 0},
      {"it ended with an error", cycle("", {}, "n1"), 0, 0, 1},
      {"Filter is part of the cycle", point("Filter", "Unschedulable"), 0, 0, 0},
      {"Permit said no afterwards", point("Permit", "Unschedulable"), 0, 1, 0},
      {"Permit lets it wait", point("Permit", "Wait"), 0, 0, 0},
      {"PreBind failed", point("PreBind", "Error"), 0, 0, 1},
      {"PreBind passed", point("PreBind", "Success"), 0, 0, 0},
  };
  for (const Case& c : cases) {
    Metrics m;
    m.apply(c.last);
    EXPECT_EQ(m.scheduled(), c.scheduled) << c.what;
    EXPECT_EQ(m.unschedulable(), c.unschedulable) << c.what;
    EXPECT_EQ(m.errors(), c.errors) << c.what;
  }
}

TEST(Metrics, MovesAreCountedByEventAndQueue) {
  Metrics m;
  m.apply(move("default/a", "UnscheduledPodAdd", "Active"));
  m.apply(move("default/b", "UnscheduledPodAdd", "Active"));
  m.apply(move("default/a", "NodeAdd", "Backoff"));
  EXPECT_EQ(m.moves().at({"UnscheduledPodAdd", "Active"}), 2);
  EXPECT_EQ(m.moves().at({"NodeAdd", "Backoff"}), 1);
  EXPECT_EQ(m.moves().size(), 2U);
}

TEST(Metrics, APodWaitsFromItsFirstQueueToItsBinding) {
  Metrics m;
  m.apply(move("default/a", "UnscheduledPodAdd", "Active", clock::kSecond));
  m.apply(move("default/a", "BackoffComplete", "Active", 3 * clock::kSecond));
  m.apply(entry(trace::Type::kBind, "default/a", 5 * clock::kSecond));
  EXPECT_EQ(m.longestWait(), 4 * clock::kSecond);
  m.apply(move("default/a", "UnscheduledPodAdd", "Active", 7 * clock::kSecond));  // another pod of the same name
  m.apply(entry(trace::Type::kBind, "default/a", 8 * clock::kSecond));
  EXPECT_EQ(m.longestWait(), 4 * clock::kSecond);
  EXPECT_EQ(m.totalWait(), 5 * clock::kSecond);
}

}  // namespace
}  // namespace podberth::session
