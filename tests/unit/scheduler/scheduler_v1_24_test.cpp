// What v1.24 does in another way, with a plugin whose answers the test decides.
#include "tests/unit/scheduler/scheduler_fixture.h"

namespace podberth::scheduler {
namespace {

class SchedulerV1_24Test : public SchedulerTest {
 protected:
  SchedulerV1_24Test() : SchedulerTest(release::v1_24()) {}
};

TEST_F(SchedulerV1_24Test, AmongEqualNodesTheFollowedOneIsTaken) {
  FollowedChoice choice;
  choice.pod = "default/p";
  choice.attempt = 1;
  choice.host = "c";
  lots_ = Lots(1, {choice});
  for (const char* name : {"a", "b", "c"}) addNode(name);
  plugin_->scores = {{"a", 10}, {"b", 50}, {"c", 50}};
  addPod("p");
  EXPECT_TRUE(scheduler_->scheduleOne());
  EXPECT_EQ(client_.writes, std::vector<std::string>{"bind p c"});
  EXPECT_EQ(events(), "Scheduled: Successfully assigned default/p to c\n");
}

TEST_F(SchedulerV1_24Test, APodThatFitsNowhereSaysWhyAndItsPostFilterIsNoPartOfTheRealTrace) {
  addNode("a");
  plugin_->rejects = {{"a", Status(Code::kUnschedulable, "full")}};
  addPod("p");
  EXPECT_TRUE(scheduler_->scheduleOne());
  EXPECT_EQ(events(), "FailedScheduling: 0/1 nodes are available: 1 full. nobody to preempt\n");
  ASSERT_TRUE(lastCycle().post_filter.has_value());
  EXPECT_TRUE(lastCycle().post_filter_is_ours);
  EXPECT_EQ(scheduler_->queues().unschedulable, std::vector<std::string>{"default/p"});
}

TEST_F(SchedulerV1_24Test, ARejectedReservationIsAnErrorOfTheScheduler) {
  addNode("a");
  plugin_->reserve_status = Status(Code::kUnschedulable, "taken");
  addPod("p");
  EXPECT_TRUE(scheduler_->scheduleOne());
  EXPECT_EQ(client_.writes, std::vector<std::string>{"patch p SchedulerError: running Reserve plugin \"Fake\": taken"});
  EXPECT_EQ(scheduler_->cache().podCount(), 0u);
}

TEST_F(SchedulerV1_24Test, AFailedBindingIsToldAsRejectedAndMovesTheOthers) {
  addNode("a");
  plugin_->rejects = {{"a", Status(Code::kUnschedulable, "full")}};
  addPod("waits");
  EXPECT_TRUE(scheduler_->scheduleOne());
  plugin_->rejects.clear();
  client_.bind_error = "conflict";
  addPod("p");
  EXPECT_TRUE(scheduler_->scheduleOne());
  EXPECT_EQ(client_.writes.back(), "patch p SchedulerError: binding rejected: running Bind plugin \"Fake\": conflict");
  EXPECT_EQ(scheduler_->cache().podCount(), 0u);
  EXPECT_EQ(scheduler_->queues().backoff, (std::vector<std::string>{"default/p", "default/waits"}));
}

TEST_F(SchedulerV1_24Test, APodThatWaitsTooLongForPermitIsUnschedulableAndDoesNotHearOfItsOwnLeaving) {
  addNode("a");
  plugin_->permit_status = Status(Code::kWait);
  addPod("p");
  EXPECT_TRUE(scheduler_->scheduleOne());
  EXPECT_EQ(scheduler_->cache().podCount(), 1u);
  loop_.sleep(3 * clock::kSecond);
  EXPECT_EQ(scheduler_->cache().podCount(), 0u);
  EXPECT_EQ(client_.writes,
            std::vector<std::string>{"patch p Unschedulable: rejected due to timeout after waiting 2s at plugin Fake"});
  EXPECT_EQ(scheduler_->queues().unschedulable, std::vector<std::string>{"default/p"});
}

TEST_F(SchedulerV1_24Test, ANewNodeThatAPodDoesNotFitOnLeavesItAlone) {
  addNode("a");
  plugin_->rejects = {{"a", Status(Code::kUnschedulable, "full")}};
  addPod("p");
  EXPECT_TRUE(scheduler_->scheduleOne());
  addNode("b");  // it has no room for pods at all
  EXPECT_EQ(scheduler_->queues().unschedulable, std::vector<std::string>{"default/p"});
  auto roomy = std::make_shared<api::Node>();
  roomy->meta.name = "c";
  roomy->status.allocatable.set("pods", api::Quantity::fromInt(10));
  for (auto& h : informers_.handlers[api::Kind::kNode]) h.on_add(roomy);
  EXPECT_EQ(scheduler_->queues().backoff, std::vector<std::string>{"default/p"});
}

TEST_F(SchedulerV1_24Test, WithoutNodesThePodIsUnschedulable) {
  addPod("p");
  EXPECT_TRUE(scheduler_->scheduleOne());
  EXPECT_EQ(client_.writes, std::vector<std::string>{"patch p Unschedulable: no nodes available to schedule pods"});
  EXPECT_EQ(logs(), "");
}

}  // namespace
}  // namespace podberth::scheduler
