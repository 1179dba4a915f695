// What events, updates, activation and PreEnqueue do to pods in the queue.
#include "tests/unit/queue/queue_fixture.h"

namespace podberth::scheduler {
namespace {

using clock::kMillisecond;
using clock::kSecond;

TEST_F(QueueTest, ANewPodGoesToActiveQ) {
  queue().add(makePod("a"));
  EXPECT_EQ(told(), Lines{"move default/a UnscheduledPodAdd Active"});
  EXPECT_TRUE(queue().poppable());
  EXPECT_EQ(queue().pop()->attempts, 1);
  EXPECT_EQ(queue().schedulingCycle(), 1);
  EXPECT_EQ(queue().pop(), nullptr);
}

TEST_F(QueueTest, HigherPriorityIsPoppedFirstThenWhoCameFirst) {
  queue().add(makePod("low", 1));
  loop_.sleep(kMillisecond);
  queue().add(makePod("high-late", 2));
  loop_.sleep(kMillisecond);
  queue().add(makePod("high-later", 2));
  EXPECT_EQ(where(), "active=high-late high-later low backoff= unschedulable=");
  EXPECT_EQ(queue().pop()->pod().meta.name, "high-late");
}

TEST_F(QueueTest, AnEventMovesTheUnschedulablePodsWhosePluginWantsIt) {
  reject(makePod("b"), {"Fit"});
  reject(makePod("a"), {"Fit"});
  reject(makePod("v"), {"Volume"});
  told();
  asked_.clear();
  happens(EventResource::kNode, action::kUpdateNodeTaint);
  EXPECT_EQ(told(), (Lines{"move default/a NodeUpdateNodeTaint Backoff", "move default/b NodeUpdateNodeTaint Backoff",
                           "skip default/v NodeUpdateNodeTaint"}));
  EXPECT_EQ(asked_, (Lines{"Fit:a", "Fit:b"}));
}

TEST_F(QueueTest, AnEventThatNoPluginWantsIsNotEvenASkip) {
  reject(makePod("a"), {"Fit"});
  told();
  happens(EventResource::kCSIDriver, action::kAdd);
  EXPECT_EQ(told(), Lines{});
}

TEST_F(QueueTest, ThePreCheckKeepsPodsOutOfIt) {
  reject(makePod("a"), {"Fit"});
  reject(makePod("b"), {"Fit"});
  told();
  queue().moveAllToActiveOrBackoffQueue(makeEvent(EventResource::kAssignedPod, action::kDelete), makePod("gone"),
                                        nullptr, [](const PodInfo& pod) { return pod.pod->meta.name == "b"; });
  EXPECT_EQ(told(), Lines{"move default/b AssignedPodDelete Backoff"});
}

TEST_F(QueueTest, HintsThatSkipLeaveThePodAndErrorsTakeItAlong) {
  reject(makePod("a"), {"Fit"});
  told();
  answers_["Fit"] = HintResult::skip();
  happens(EventResource::kNode, action::kAdd);
  EXPECT_EQ(told(), Lines{"skip default/a NodeAdd"});
  answers_["Fit"].error = "broken";
  happens(EventResource::kNode, action::kAdd);
  EXPECT_EQ(told(), (Lines{"log default/a QueueingHintFn returns error broken", "move default/a NodeAdd Backoff"}));
}

TEST_F(QueueTest, APodWhoseBackoffIsOverGoesStraightToActiveQ) {
  reject(makePod("a"), {"Fit"});
  loop_.sleep(2 * kSecond);
  told();
  happens(EventResource::kNode, action::kAdd);
  EXPECT_EQ(told(), Lines{"move default/a NodeAdd Active"});
}

TEST_F(QueueTest, APendingPluginsWordSkipsTheBackoff) {
  reject(makePod("p"), {}, {"Volume"});
  reject(makePod("q"), {"Fit"}, {"Volume"});
  told();
  happens(EventResource::kNode, action::kAdd);
  EXPECT_EQ(told(), (Lines{"move default/p NodeAdd Active", "move default/q NodeAdd Active"}));
}

TEST_F(QueueTest, AnUnschedulablePluginsWordDoesNotWhileOthersArePending) {
  reject(makePod("q"), {"Fit"}, {"Volume"});
  told();
  answers_["Volume"] = HintResult::skip();
  happens(EventResource::kNode, action::kAdd);
  EXPECT_EQ(told(), Lines{"move default/q NodeAdd Backoff"});
}

TEST_F(QueueTest, AGatedPodWaitsForEventsOfItsGatingPlugin) {
  gate_.closed["a"] = Code::kUnschedulableAndUnresolvable;
  queue().add(makePod("a"));
  EXPECT_EQ(told(), (Lines{"preEnqueue default/a Gate UnschedulableAndUnresolvable closed",
                           "move default/a UnscheduledPodAdd Unschedulable gated"}));
  EXPECT_EQ(where(), "active= backoff= unschedulable=a");
  EXPECT_FALSE(queue().poppable());

  happens(EventResource::kNode, action::kAdd);  // of no interest to the gate
  EXPECT_EQ(told(), Lines{});

  happens(EventResource::kStorageClass, action::kAdd);  // still closed
  EXPECT_EQ(told(), (Lines{"preEnqueue default/a Gate UnschedulableAndUnresolvable closed",
                           "move default/a storage.k8s.io/StorageClassAdd Unschedulable gated"}));

  gate_.closed.clear();
  happens(EventResource::kStorageClass, action::kAdd);
  EXPECT_EQ(told(), Lines{"move default/a storage.k8s.io/StorageClassAdd Active"});
  EXPECT_FALSE(queue().find("default/a")->gated());
}

TEST_F(QueueTest, AnErrorOfAPreEnqueuePluginIsLoggedAndGates) {
  gate_.closed["a"] = Code::kError;
  queue().add(makePod("a"));
  EXPECT_EQ(told(), (Lines{"log default/a Unexpected error running PreEnqueue plugin closed",
                           "move default/a UnscheduledPodAdd Unschedulable gated"}));
}

TEST_F(QueueTest, PreEnqueueIsAskedOnTheWayIntoBackoffQAndNotOnTheWayOut) {
  reject(makePod("a"), {"Fit"});
  const int before = gate_.asked;
  happens(EventResource::kNode, action::kAdd);
  EXPECT_EQ(gate_.asked, before + 1);
  loop_.sleep(3 * kSecond);
  queue().flushBackoffQCompleted();
  EXPECT_EQ(where(), "active=a backoff= unschedulable=");
  EXPECT_EQ(gate_.asked, before + 1);
}

TEST_F(QueueTest, WithoutPoppingFromBackoffQPreEnqueueIsAskedOnTheWayOut) {
  std::string error;
  ASSERT_TRUE(gates_.set("SchedulerPopFromBackoffQ", false, &error)) << error;
  reject(makePod("a"), {"Fit"});
  const int before = gate_.asked;
  happens(EventResource::kNode, action::kAdd);
  EXPECT_EQ(gate_.asked, before);
  EXPECT_FALSE(queue().poppable());
  EXPECT_EQ(queue().pop(), nullptr);
  gate_.closed["a"] = Code::kUnschedulable;
  loop_.sleep(3 * kSecond);
  told();
  queue().flushBackoffQCompleted();
  EXPECT_EQ(told(), (Lines{"preEnqueue default/a Gate Unschedulable closed",
                           "move default/a BackoffComplete Unschedulable gated"}));
}

TEST_F(QueueTest, PoppingFromBackoffQIsPossibleWhenActiveQIsEmpty) {
  reject(makePod("a"), {"Fit"});
  happens(EventResource::kNode, action::kAdd);
  queue().add(makePod("b"));
  told();
  EXPECT_EQ(queue().pop()->pod().meta.name, "b");
  EXPECT_TRUE(queue().poppable());
  const QueuedPodInfoPtr a = queue().pop();
  EXPECT_EQ(a->pod().meta.name, "a");
  EXPECT_EQ(a->attempts, 2);
  EXPECT_EQ(told(), Lines{});
}

// ---- Updates

TEST_F(QueueTest, AnUpdateOfAPodInActiveQReordersIt) {
  const auto low = makePod("a", 1);
  queue().add(low);
  queue().add(makePod("b", 2));
  told();
  queue().update(low, makePod("a", 3));
  EXPECT_EQ(where(), "active=a b backoff= unschedulable=");
  EXPECT_EQ(told(), Lines{});
}

TEST_F(QueueTest, AnUpdateOfAPodInBackoffQStaysThere) {
  const auto pod = makePod("a", 1);
  reject(pod, {"Fit"});
  happens(EventResource::kNode, action::kAdd);
  told();
  queue().update(pod, makePod("a", 3));
  EXPECT_EQ(where(), "active= backoff=a unschedulable=");
  EXPECT_EQ(queue().find("default/a")->priority(), 3);
  EXPECT_EQ(told(), Lines{});
}

TEST_F(QueueTest, AnUpdateThatHelpsMovesAnUnschedulablePodAndIsToldTwice) {
  const auto pod = makePod("a");
  reject(pod, {"Fit"});
  told();
  const auto labelled = makePod("a");
  labelled->meta.labels.set("x", "y");
  queue().update(pod, labelled);
  EXPECT_EQ(told(), Lines{});  // Fit does not care about labels, and an update is no skip
  EXPECT_EQ(queue().find("default/a")->info->pod, labelled);

  const auto tolerating = std::make_shared<api::Pod>(*labelled);
  tolerating->spec.tolerations.resize(1);
  queue().update(labelled, tolerating);
  EXPECT_EQ(told(), (Lines{"move default/a TargetPodUpdatePodToleration Backoff",
                           "move default/a TargetPodUpdatePodToleration Backoff"}));
}

TEST_F(QueueTest, TakingTheLastGateAwayLetsThePodGo) {
  const auto gated = makePod("a");
  gated->spec.scheduling_gates = {"x"};
  gate_.closed["a"] = Code::kUnschedulableAndUnresolvable;
  queue().add(gated);
  told();
  gate_.closed.clear();
  queue().update(gated, makePod("a"));
  EXPECT_EQ(told(), (Lines{"move default/a TargetPodUpdatePodSchedulingGatesEliminated Active",
                           "move default/a TargetPodUpdatePodSchedulingGatesEliminated Active"}));
}

TEST_F(QueueTest, AnUpdateOfAStillGatedPodIsNoMove) {
  const auto pod = makePod("a");
  gate_.closed["a"] = Code::kUnschedulable;
  hint("Gate", makeEvent(EventResource::kTargetPod, action::kUpdatePodLabel));
  queue().add(pod);
  told();
  const auto labelled = makePod("a");
  labelled->meta.labels.set("x", "y");
  queue().update(pod, labelled);
  EXPECT_EQ(told(), Lines{"preEnqueue default/a Gate Unschedulable closed"});
  EXPECT_EQ(where(), "active= backoff= unschedulable=a");
}

TEST_F(QueueTest, AnUpdateOfAnUnknownPodAddsIt) {
  queue().update(makePod("a"), makePod("a"));
  EXPECT_EQ(told(), Lines{"move default/a UnscheduledPodAdd Active"});
}

TEST_F(QueueTest, AnotherPodOfTheSameNameReplacesTheOldOne) {
  const auto old_pod = makePod("a");
  const auto new_pod = makePod("a");
  new_pod->meta.uid = "uid-other";
  reject(old_pod, {"Fit"});
  told();
  queue().update(old_pod, new_pod);
  EXPECT_EQ(told(),
            (Lines{"log default/a Failed to update pod in an entity pod UID mismatch, expected uid-a, got uid-other",
                   "move default/a UnscheduledPodAdd Active"}));
  EXPECT_EQ(where(), "active=a backoff= unschedulable=");
  queue().update(new_pod, old_pod);
  EXPECT_EQ(told(), Lines{"move default/a UnscheduledPodAdd Active"});
  EXPECT_EQ(queue().find("default/a")->info->pod, old_pod);
}

TEST_F(QueueTest, RemovedPodsAreInNoQueue) {
  for (const char* name : {"active", "backoff", "unschedulable"}) {
    const auto pod = makePod(name);
    if (std::string(name) == "active") {
      queue().add(pod);
    } else {
      reject(pod, {"Fit"});
      if (std::string(name) == "backoff") happens(EventResource::kNode, action::kAdd);
    }
    ASSERT_NE(queue().find(pod->key()), nullptr) << name;
    queue().remove(*pod);
    EXPECT_EQ(queue().find(pod->key()), nullptr) << name;
  }
  EXPECT_EQ(where(), "active= backoff= unschedulable=");
}

// ---- Activation

TEST_F(QueueTest, ActivationMovesWaitingPodsWhateverTheirBackoff) {
  const auto b = makePod("b");
  const auto u = makePod("u");
  reject(b, {"Fit"});
  happens(EventResource::kNode, action::kAdd);
  reject(u, {"Fit"});
  told();
  queue().activate({u, b, makePod("unknown")});
  EXPECT_EQ(told(), (Lines{"move default/b ForceActivate Active", "move default/u ForceActivate Active"}));
  EXPECT_EQ(where(), "active=b u backoff= unschedulable=");
}

TEST_F(QueueTest, ActivationOfAPodInFlightIsRememberedForItAlone) {
  const auto a = makePod("a");
  const auto b = makePod("b");
  queue().add(a);
  loop_.sleep(1);
  queue().add(b);
  const QueuedPodInfoPtr first = queue().pop();
  const QueuedPodInfoPtr second = queue().pop();
  queue().activate({b});
  told();
  rejectPopped(first, {"Fit"});
  EXPECT_EQ(told(), Lines{"move default/a ScheduleAttemptFailure Unschedulable 0 +Fit"});
  rejectPopped(second, {"Fit"});
  EXPECT_EQ(told(), (Lines{"move default/b ScheduleAttemptFailure Backoff",
                           "move default/b ScheduleAttemptFailure Backoff 1 +Fit"}));
}

}  // namespace
}  // namespace podberth::scheduler
