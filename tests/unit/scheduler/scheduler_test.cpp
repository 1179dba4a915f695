#include "tests/unit/scheduler/scheduler_fixture.h"

namespace podberth::scheduler {
namespace {

TEST_F(SchedulerTest, ThePodGoesToTheNodeWithTheHighestScore) {
  for (const char* name : {"a", "b", "c"}) addNode(name);
  plugin_->scores = {{"a", 10}, {"b", 50}, {"c", 20}};
  addPod("p");
  EXPECT_TRUE(scheduler_->scheduleOne());
  EXPECT_EQ(client_.writes, std::vector<std::string>{"bind p b"});
  EXPECT_EQ(events(), "Scheduled: Successfully assigned default/p to b\n");
  EXPECT_EQ(lastCycle().host, "b");
  EXPECT_EQ(lastCycle().evaluated, 3);
  EXPECT_EQ(lastCycle().scores.size(), 3u);
  EXPECT_FALSE(scheduler_->scheduleOne());
}

TEST_F(SchedulerTest, WithoutNodesThePodIsUnschedulable) {
  addPod("p");
  EXPECT_TRUE(scheduler_->scheduleOne());
  EXPECT_EQ(lastCycle().error, "no nodes available to schedule pods");
  EXPECT_EQ(client_.writes, std::vector<std::string>{"patch p Unschedulable: no nodes available to schedule pods"});
  EXPECT_EQ(logs(), "");
}

TEST_F(SchedulerTest, APodThatFitsNowhereSaysWhy) {
  addNode("a");
  addNode("b");
  plugin_->rejects = {{"a", Status(Code::kUnschedulable, "full")},
                      {"b", Status(Code::kUnschedulableAndUnresolvable, "tainted")}};
  addPod("p");
  EXPECT_TRUE(scheduler_->scheduleOne());
  const std::string message = "0/2 nodes are available: 1 full, 1 tainted. nobody to preempt";
  EXPECT_EQ(events(), "FailedScheduling: " + message + "\n");
  EXPECT_EQ(client_.writes, std::vector<std::string>{"patch p Unschedulable: " + message});
  EXPECT_EQ(lastCycle().error, "0/2 nodes are available: 1 full, 1 tainted.");
  EXPECT_EQ(lastCycle().unschedulable_plugins, std::vector<std::string>{"Fake"});
  ASSERT_TRUE(lastCycle().post_filter.has_value());
  EXPECT_EQ(lastCycle().post_filter->message, "nobody to preempt");
  EXPECT_EQ(scheduler_->queues().unschedulable, std::vector<std::string>{"default/p"});
}

TEST_F(SchedulerTest, AnErrorInFilterSendsThePodToBackoff) {
  addNode("a");
  plugin_->rejects = {{"a", Status::error("broken")}};
  addPod("p");
  EXPECT_TRUE(scheduler_->scheduleOne());
  const std::string error = "running \"Fake\" filter plugin: broken";
  EXPECT_EQ(logs(), "default/p Error selecting node for pod: " + error +
                        "\ndefault/p Error scheduling pod; retrying: " + error + "\n");
  EXPECT_EQ(scheduler_->queues().backoff, std::vector<std::string>{"default/p"});
}

TEST_F(SchedulerTest, ARejectedReservationFreesTheNodeAgain) {
  addNode("a");
  plugin_->reserve_status = Status(Code::kUnschedulable, "taken");
  addPod("p");
  EXPECT_TRUE(scheduler_->scheduleOne());
  EXPECT_EQ(events(), "FailedScheduling: 0/1 nodes are available: 1 taken.\n");
  EXPECT_EQ(scheduler_->cache().podCount(), 0u);
}

TEST_F(SchedulerTest, AFailedBindingFreesTheNodeAndIsRetried) {
  addNode("a");
  client_.bind_error = "conflict";
  addPod("p");
  EXPECT_TRUE(scheduler_->scheduleOne());
  EXPECT_EQ(scheduler_->cache().podCount(), 0u);
  EXPECT_EQ(events(), "FailedScheduling: running Bind plugin \"Fake\": conflict\n");
  EXPECT_EQ(scheduler_->queues().backoff, std::vector<std::string>{"default/p"});
}

TEST_F(SchedulerTest, APodThatPermitMakesWaitHoldsItsPlaceUntilTheTimeout) {
  addNode("a");
  plugin_->permit_status = Status(Code::kWait);
  addPod("p");
  EXPECT_TRUE(scheduler_->scheduleOne());
  EXPECT_EQ(scheduler_->cache().podCount(), 1u);
  EXPECT_EQ(client_.writes, std::vector<std::string>{"patch p nominated=a"});
  loop_.sleep(3 * clock::kSecond);
  EXPECT_EQ(scheduler_->cache().podCount(), 0u);
  EXPECT_EQ(events(),
            "FailedScheduling: 0/1 nodes are available: 1 rejected due to timeout after waiting 2s at plugin Fake.\n");
}

TEST_F(SchedulerTest, ADeletedPodThatWaitsIsRejected) {
  addNode("a");
  plugin_->permit_status = Status(Code::kWait);
  const api::PodPtr pod = addPod("p");
  EXPECT_TRUE(scheduler_->scheduleOne());
  pods_.pods.clear();
  for (auto& h : informers_.handlers[api::Kind::kPod]) h.on_delete(pod, false);
  loop_.sleep(1);
  EXPECT_EQ(scheduler_->cache().podCount(), 0u);
}

TEST_F(SchedulerTest, APodThatIsBeingDeletedIsSkipped) {
  addNode("a");
  auto pod = std::make_shared<api::Pod>(*addPod("p"));
  pod->meta.resource_version = 2;
  pod->meta.deletion_timestamp = loop_.now();
  for (auto& h : informers_.handlers[api::Kind::kPod]) h.on_update(pods_.pods[pod->key()], pod);
  EXPECT_TRUE(scheduler_->scheduleOne());
  EXPECT_EQ(events(), "FailedScheduling: skip schedule deleting pod: default/p\n");
}

TEST_F(SchedulerTest, OnlySomeOfManyNodesAreLookedAtAndTheNextCycleGoesOn) {
  for (int i = 0; i < 400; ++i) addNode("n" + std::to_string(1000 + i));
  recorder_.detail_limit = 10;
  addPod("p");
  plugin_->filtered = 0;
  EXPECT_TRUE(scheduler_->scheduleOne());
  // 50 - 400/125 = 47 percent of 400, and one more to know that there are enough.
  EXPECT_EQ(lastCycle().feasible, 188);
  EXPECT_EQ(plugin_->filtered, 189);
  EXPECT_TRUE(lastCycle().summary);
  EXPECT_TRUE(lastCycle().filters.empty());
  EXPECT_EQ(lastCycle().host, "n1000");
  addPod("q");
  EXPECT_TRUE(scheduler_->scheduleOne());
  EXPECT_EQ(lastCycle().host, "n1188");
}

TEST_F(SchedulerTest, APodOfAnotherSchedulerIsNotQueued) {
  auto pod = std::make_shared<api::Pod>();
  pod->meta.name = "other";
  pod->meta.uid = "u";
  pod->spec.scheduler_name = "somebody-else";
  for (auto& h : informers_.handlers[api::Kind::kPod]) h.on_add(pod);
  EXPECT_FALSE(scheduler_->poppable());
}

}  // namespace
}  // namespace podberth::scheduler
