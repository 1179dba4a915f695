#include "core/scheduler/framework/waiting_pods.h"

#include <gtest/gtest.h>

namespace podberth::scheduler {
namespace {

api::PodPtr pod() {
  auto out = std::make_shared<api::Pod>();
  out->meta.uid = "u";
  return out;
}

struct Waiting {
  clock::EventLoop loop;
  WaitingPods pods;
  std::string outcome;

  explicit Waiting(const std::map<std::string, clock::Duration>& waits) {
    pods.add(loop, pod(), waits);
    pods.get("u")->wait(
        [this](const Status& s) { outcome = std::string(codeName(s.code())) + " " + s.plugin() + " " + s.message(); });
  }
};

TEST(GoDuration, PrintsAsGoDoes) {
  const struct {
    clock::Duration d;
    const char* text;
  } cases[] = {
      {0, "0s"},
      {1, "1ns"},
      {1500, "1.5µs"},
      {100 * clock::kMillisecond, "100ms"},
      {1500 * clock::kMillisecond, "1.5s"},
      {10 * clock::kSecond, "10s"},
      {90 * clock::kSecond, "1m30s"},
      {15 * clock::kMinute, "15m0s"},
      {61 * clock::kMinute, "1h1m0s"},
  };
  for (const auto& c : cases) EXPECT_EQ(goDuration(c.d), c.text);
}

TEST(PermitWait, IsOverWhenEveryPluginHasAllowedThePod) {
  Waiting w({{"a", clock::kSecond}, {"b", clock::kSecond}});
  w.pods.get("u")->allow("a");
  w.loop.sleep(1);
  EXPECT_EQ(w.outcome, "");
  EXPECT_EQ(w.pods.get("u")->pendingPlugins(), std::vector<std::string>{"b"});
  w.pods.get("u")->allow("b");
  w.loop.sleep(1);
  EXPECT_EQ(w.outcome, "Success  ");
}

TEST(PermitWait, EndsInARejectionAtTheFirstTimeout) {
  Waiting w({{"a", 10 * clock::kSecond}, {"b", 5 * clock::kSecond}});
  w.loop.sleep(4 * clock::kSecond);
  EXPECT_EQ(w.outcome, "");
  w.loop.sleep(2 * clock::kSecond);
  EXPECT_EQ(w.outcome, "Unschedulable b rejected due to timeout after waiting 5s at plugin b");
}

TEST(PermitWait, OnlyTheFirstOutcomeCounts) {
  Waiting w({{"a", clock::kSecond}});
  EXPECT_TRUE(w.pods.get("u")->preempt("p", "preempted"));
  EXPECT_FALSE(w.pods.get("u")->reject("a", "no"));
  w.loop.sleep(2 * clock::kSecond);
  EXPECT_EQ(w.outcome, "Error p preempted");
}

TEST(PodsInPreBind, CanBeCancelledUntilTheyAreBound) {
  PodsInPreBind pods;
  std::string cancelled;
  std::string reason;
  pods.add("a", [&](const std::string& why) { cancelled = why; });
  pods.add("b", {});
  EXPECT_FALSE(pods.cancel("none", "x"));
  EXPECT_TRUE(pods.cancel("a", "x"));
  EXPECT_TRUE(pods.cancel("a", "again"));
  EXPECT_EQ(cancelled, "x");
  EXPECT_FALSE(pods.markPrebound("a", &reason));
  EXPECT_EQ(reason, "x");
  EXPECT_TRUE(pods.markPrebound("b", &reason));
  EXPECT_FALSE(pods.cancel("b", "too late"));
}

}  // namespace
}  // namespace podberth::scheduler
