#include "core/scheduler/queue/active_queue.h"

#include "tests/unit/queue/queue_fixture.h"

namespace podberth::scheduler {
namespace {

class InFlightTest : public ::testing::Test {
 protected:
  bool fly(const std::string& name) { return queue_.moveToInFlight(*makeInfo(name)); }
  void happens(EventResource resource) {
    queue_.addEventIfAnyInFlight(makeEvent(resource, action::kAdd), nullptr, nullptr);
  }
  // Labels of the events since the pod was popped.
  std::string since(const std::string& name) {
    std::vector<const InFlightEvent*> events;
    if (!queue_.eventsFor("uid-" + name, events)) return "not in flight";
    std::string out;
    for (const InFlightEvent* event : events) out += (out.empty() ? "" : " ") + event->event.label();
    return out;
  }
  ActiveQueue queue_{byPriorityAndTime};
};

TEST_F(InFlightTest, EachPodSeesTheEventsThatCameAfterItWasPopped) {
  happens(EventResource::kCSINode);
  fly("a");
  happens(EventResource::kNode);
  fly("b");
  happens(EventResource::kStorageClass);
  EXPECT_EQ(since("a"), "NodeAdd storage.k8s.io/StorageClassAdd");
  EXPECT_EQ(since("b"), "storage.k8s.io/StorageClassAdd");
  EXPECT_EQ(since("c"), "not in flight");
}

TEST_F(InFlightTest, EventsLeaveWithTheLastPodThatNeedsThem) {
  fly("a");
  happens(EventResource::kNode);
  fly("b");
  happens(EventResource::kStorageClass);
  queue_.done("uid-b");
  EXPECT_EQ(queue_.inFlightListSize(), 3u);  // a and both events
  queue_.done("uid-a");
  EXPECT_EQ(queue_.inFlightListSize(), 0u);

  fly("a");
  happens(EventResource::kNode);
  fly("b");
  happens(EventResource::kStorageClass);
  queue_.done("uid-a");
  EXPECT_EQ(queue_.inFlightListSize(), 2u);  // b and the last event
  EXPECT_EQ(since("b"), "storage.k8s.io/StorageClassAdd");
}

TEST_F(InFlightTest, NothingIsRememberedWhenNobodyIsInFlight) {
  EXPECT_FALSE(queue_.addEventIfAnyInFlight(makeEvent(EventResource::kNode, action::kAdd), nullptr, nullptr));
  EXPECT_FALSE(queue_.addEventsIfPodInFlight(nullptr, makePod("a"), {events::kForceActivate}));
  EXPECT_EQ(queue_.inFlightListSize(), 0u);
}

TEST_F(InFlightTest, APodInFlightDoesNotFlyTwice) {
  EXPECT_TRUE(fly("a"));
  EXPECT_EQ(queue_.schedulingCycle(), 1);
  EXPECT_FALSE(fly("a"));
  EXPECT_EQ(queue_.schedulingCycle(), 1);
  EXPECT_EQ(queue_.inFlightPods().size(), 1u);
}

TEST_F(InFlightTest, DoneForAnUnknownPodDoesNothing) {
  fly("a");
  happens(EventResource::kNode);
  queue_.done("uid-z");
  EXPECT_EQ(since("a"), "NodeAdd");
}

}  // namespace
}  // namespace podberth::scheduler
