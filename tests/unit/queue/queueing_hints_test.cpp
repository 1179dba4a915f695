#include "core/scheduler/queue/queueing_hints.h"

#include "tests/unit/queue/queue_fixture.h"

namespace podberth::scheduler {
namespace {

class FakePlugin : public Plugin {
 public:
  FakePlugin(std::string name, Points points) : name_(std::move(name)), points_(points) {}
  std::string_view name() const override { return name_; }
  Points points() const override { return points_; }
  bool hasEvents() const override { return has_events; }
  std::vector<ClusterEventWithHint> eventsToRegister() const override { return registered; }
  bool has_events = true;
  std::vector<ClusterEventWithHint> registered;

 private:
  std::string name_;
  Points points_;
};

ClusterEventWithHint registration(EventResource resource, std::int64_t actions) {
  ClusterEventWithHint out;
  out.event = makeEvent(resource, actions);
  return out;
}

std::string plugins(const std::vector<const PluginHint*>& hints) {
  std::string out;
  for (const PluginHint* hint : hints) out += (out.empty() ? "" : " ") + hint->plugin;
  return out;
}

TEST(QueueingHintMapTest, PodEventsCountForEveryKindOfPod) {
  FakePlugin plugin("Spread", static_cast<Points>(Point::kFilter));
  plugin.registered = {registration(EventResource::kPod, action::kDelete)};
  const QueueingHintMap map = buildQueueingHintMap({&plugin}, false);
  ASSERT_EQ(map.items().size(), 3u);
  EXPECT_EQ(map.items()[0].first.label(), "AssignedPodDelete");
  EXPECT_EQ(map.items()[1].first.label(), "UnscheduledPodDelete");
  EXPECT_EQ(map.items()[2].first.label(), "TargetPodDelete");
}

TEST(QueueingHintMapTest, OnlyPluginsThatCanRejectPodsTakePart) {
  FakePlugin score("Score", static_cast<Points>(Point::kScore));
  FakePlugin permit("Permit", static_cast<Points>(Point::kPermit));
  for (FakePlugin* plugin : {&score, &permit}) plugin->registered = {registration(EventResource::kNode, action::kAdd)};
  const QueueingHintMap map = buildQueueingHintMap({&score, &permit}, false);
  EXPECT_EQ(plugins(map.matching(makeEvent(EventResource::kNode, action::kAdd))), "Permit");
}

TEST(QueueingHintMapTest, APluginThatNamesNoEventsHearsOfAll) {
  FakePlugin quiet("Quiet", static_cast<Points>(Point::kFilter));
  quiet.has_events = false;
  FakePlugin deaf("Deaf", static_cast<Points>(Point::kFilter));  // says that it wants none
  const QueueingHintMap map = buildQueueingHintMap({&quiet, &deaf}, true);
  EXPECT_EQ(plugins(map.matching(makeEvent(EventResource::kCSIDriver, action::kUpdate))), "Extender Quiet");
  EXPECT_EQ(plugins(map.matching(makeEvent(EventResource::kAssignedPod, action::kDelete))), "Extender Quiet");
  EXPECT_FALSE(map.anyMatching(makeEvent(EventResource::kVolumeAttachment, action::kAdd)));
}

TEST(QueueingHintMapTest, TheSchedulerWatchesWhatAnyProfileWants) {
  FakePlugin a("A", static_cast<Points>(Point::kFilter));
  a.registered = {registration(EventResource::kNode, action::kAdd)};
  FakePlugin b("B", static_cast<Points>(Point::kFilter));
  b.registered = {registration(EventResource::kNode, action::kDelete),
                  registration(EventResource::kCSINode, action::kAdd)};
  std::map<std::string, QueueingHintMap> profiles;
  profiles["one"] = buildQueueingHintMap({&a}, false);
  profiles["two"] = buildQueueingHintMap({&b}, false);
  const auto actions = unionedResources(profiles);
  ASSERT_EQ(actions.size(), 2u);
  EXPECT_EQ(actions.at(EventResource::kNode), action::kAdd | action::kDelete);
  EXPECT_EQ(actions.at(EventResource::kCSINode), action::kAdd);
}

}  // namespace
}  // namespace podberth::scheduler
