#include "core/scheduler/queue/move_cycle_queue.h"

#include "tests/unit/queue/queue_fixture.h"

namespace podberth::scheduler {
namespace {

class MoveCycleQueueTest : public ::testing::Test {
 protected:
  void SetUp() override {
    QueueOptions options;
    options.less = byPriorityAndTime;
    options.events.add(events_v1_24::kNodeAdd, "Fit");
    options.events.add(makeEvent(EventResource::kPod, action::kDelete), "Fit");
    options.events.add(makeEvent(EventResource::kPersistentVolumeClaim, action::kAdd), "Volume");
    options.events.add(makeEvent(EventResource::kPod, action::kAll), "Affinity");
    queue_ = std::make_unique<MoveCycleQueue>(loop_, recorder_, release::FrameworkRules::kV1_24, std::move(options));
    queue_->run();
  }

  QueuedPodInfoPtr reject(std::vector<std::string> plugins) {
    const QueuedPodInfoPtr info = queue_->pop();
    info->unschedulable_plugins = std::move(plugins);
    EXPECT_EQ(queue_->addUnschedulablePodIfNotPresent(info, queue_->schedulingCycle()), "");
    return info;
  }
  void happens(const ClusterEvent& event) { queue_->moveAllToActiveOrBackoffQueue(event, nullptr, nullptr); }
  std::string where() {
    return "active=" + names(queue_->podsInActiveQ()) + " backoff=" + names(queue_->podsInBackoffQ()) +
           " unschedulable=" + names(queue_->unschedulablePods());
  }
  std::vector<std::string> told() {
    std::vector<std::string> lines;
    for (; told_ < recorder_.entries().size(); ++told_) {
      const trace::Entry& e = recorder_.entries()[told_];
      std::string line = e.pod + " " + e.event + " " + e.queue;
      if (!e.message.empty()) line += " " + e.message;
      for (const std::string& plugin : e.plugins) line += " +" + plugin;
      lines.push_back(line);
    }
    return lines;
  }
  using Lines = std::vector<std::string>;

  clock::EventLoop loop_;
  trace::Recorder recorder_{loop_};
  std::unique_ptr<MoveCycleQueue> queue_;
  std::size_t told_ = 0;
};

TEST_F(MoveCycleQueueTest, OfEqualTimestampsTheOneSetFirstComesFirst) {
  for (const char* name : {"c", "a", "b"}) queue_->add(makePod(name));
  queue_->add(makePod("urgent", 5));
  EXPECT_EQ(names(queue_->podsInActiveQ()), "urgent c a b");
}

TEST_F(MoveCycleQueueTest, ARejectedPodWaitsUntilItsPluginsEventComes) {
  queue_->add(makePod("p"));
  told();
  reject({"Fit"});
  EXPECT_EQ(told(), Lines{"default/p ScheduleAttemptFailure Unschedulable +Fit"});
  happens(makeEvent(EventResource::kPersistentVolumeClaim, action::kAdd));
  EXPECT_EQ(told(), Lines{});
  happens(events_v1_24::kNodeAdd);
  EXPECT_EQ(told(), Lines{"default/p NodeAdd Backoff backoff ends at 1"});
}

TEST_F(MoveCycleQueueTest, AMoveDuringTheAttemptSendsThePodToBackoffWhateverItWas) {
  queue_->add(makePod("p"));
  const QueuedPodInfoPtr info = queue_->pop();
  happens(makeEvent(EventResource::kCSINode, action::kAdd));
  info->unschedulable_plugins = {"Fit"};
  EXPECT_EQ(queue_->addUnschedulablePodIfNotPresent(info, queue_->schedulingCycle()), "");
  EXPECT_EQ(where(), "active= backoff=p unschedulable=");
}

TEST_F(MoveCycleQueueTest, AMoveBeforeTheAttemptDoesNot) {
  happens(events_v1_24::kNodeAdd);
  queue_->add(makePod("p"));
  reject({"Fit"});
  EXPECT_EQ(where(), "active= backoff= unschedulable=p");
}

TEST_F(MoveCycleQueueTest, APodThatNoPluginRejectedMovesWithAnyEvent) {
  queue_->add(makePod("p"));
  reject({});
  happens(makeEvent(EventResource::kCSINode, action::kAdd));
  EXPECT_EQ(where(), "active= backoff=p unschedulable=");
}

TEST_F(MoveCycleQueueTest, BackoffDoublesWithTheAttemptsUpToItsLimit) {
  queue_->add(makePod("p"));
  const struct {
    int attempts;
    clock::Duration backoff;
  } cases[] = {{1, 1}, {2, 2}, {3, 4}, {4, 8}, {5, 10}, {70, 10}};
  for (const auto& c : cases) {
    QueuedPodInfo info;
    info.attempts = c.attempts;
    EXPECT_EQ(queue_->backoffUntil(info), c.backoff * clock::kSecond) << c.attempts;
  }
}

TEST_F(MoveCycleQueueTest, NothingIsPoppedFromBackoffAndItIsFlushedOnWholeSeconds) {
  queue_->add(makePod("p"));
  loop_.sleep(300 * clock::kMillisecond);
  reject({"Fit"});
  happens(events_v1_24::kNodeAdd);
  EXPECT_FALSE(queue_->poppable());
  loop_.sleep(1 * clock::kSecond);
  EXPECT_EQ(where(), "active= backoff=p unschedulable=") << "its backoff ended at 1.3 s";
  loop_.sleep(700 * clock::kMillisecond);
  EXPECT_EQ(where(), "active=p backoff= unschedulable=");
}

TEST_F(MoveCycleQueueTest, APodAfterItsBackoffGoesToActive) {
  queue_->add(makePod("p"));
  reject({"Fit"});
  loop_.sleep(5 * clock::kSecond);
  happens(events_v1_24::kNodeAdd);
  EXPECT_EQ(where(), "active=p backoff= unschedulable=");
}

TEST_F(MoveCycleQueueTest, LeftoversMoveAfterFiveMinutes) {
  queue_->add(makePod("p"));
  loop_.sleep(clock::kSecond);
  reject({"Fit"});
  loop_.sleep(5 * clock::kMinute);
  EXPECT_EQ(where(), "active= backoff= unschedulable=p");
  told();
  loop_.sleep(29 * clock::kSecond);
  EXPECT_EQ(told(), Lines{"default/p UnschedulableTimeout Active"});
}

TEST_F(MoveCycleQueueTest, AnUpdateThatChangesTheSpecBringsThePodBackAndOneOfTheStatusDoesNot) {
  const auto old_pod = makePod("p");
  queue_->add(old_pod);
  reject({"Fit"});
  auto status = std::make_shared<api::Pod>(*old_pod);
  status->status.nominated_node_name = "n";
  queue_->update(old_pod, status);
  EXPECT_EQ(where(), "active= backoff= unschedulable=p");
  auto labels = std::make_shared<api::Pod>(*status);
  labels->meta.annotations["a"] = "b";
  told();
  queue_->update(status, labels);
  EXPECT_EQ(told(), Lines{"default/p PodUpdate Backoff backoff ends at 1"});
}

TEST_F(MoveCycleQueueTest, AnUpdateOfAPodInNoQueueAddsIt) {
  const auto pod = makePod("p");
  queue_->add(pod);
  queue_->pop();
  told();
  queue_->update(pod, pod);
  EXPECT_EQ(told(), Lines{"default/p PodUpdate Active"});
}

TEST_F(MoveCycleQueueTest, APodThatIsBackAlreadyIsRefused) {
  const auto pod = makePod("p");
  queue_->add(pod);
  const QueuedPodInfoPtr info = queue_->pop();
  queue_->update(pod, pod);
  EXPECT_EQ(queue_->addUnschedulablePodIfNotPresent(info, queue_->schedulingCycle()),
            "Pod default/p is already present in the active queue");
}

TEST_F(MoveCycleQueueTest, AnAssignedPodMovesThoseWhoseAffinitySpeaksOfIt) {
  auto wants = makePod("wants");
  api::PodAffinityTerm term;
  term.topology_key = "zone";
  term.label_selector.emplace();
  term.label_selector->match_labels.set("app", "db");
  wants->spec.affinity.emplace();
  wants->spec.affinity->pod.emplace();
  wants->spec.affinity->pod->required.push_back(term);
  queue_->add(wants);
  reject({"Affinity"});
  queue_->add(makePod("other"));
  reject({"Affinity"});
  auto db = makePod("db");
  queue_->assignedPodAdded(db);
  EXPECT_EQ(where(), "active= backoff= unschedulable=other wants");
  db = std::make_shared<api::Pod>(*db);
  db->meta.labels.set("app", "db");
  told();
  queue_->assignedPodUpdated(makePod("db"), db);
  EXPECT_EQ(told(), Lines{"default/wants AssignedPodUpdate Backoff backoff ends at 1"});
}

TEST_F(MoveCycleQueueTest, NominatedPodsAreWholeWhileTheyAreInNoQueue) {
  queue_->add(makePod("p", 7));
  const QueuedPodInfoPtr info = queue_->pop();
  queue_->addNominatedPod(info->info, NominatingInfo{NominatingMode::kOverride, "n"});
  const std::vector<PodInfoPtr> pods = queue_->nominatedPodsForNode(api::Symbol("n"));
  ASSERT_EQ(pods.size(), 1U);
  EXPECT_EQ(pods[0]->pod->priority(), 7);
}

}  // namespace
}  // namespace podberth::scheduler
