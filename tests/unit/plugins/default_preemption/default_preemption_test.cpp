#include "core/scheduler/plugins/default_preemption/default_preemption.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "tests/unit/support/plugin_cluster.h"

namespace podberth::scheduler::plugins {
namespace {

using testkit::makeNode;
using testkit::makePod;
using testkit::PodBuilder;

// The only filter is CPU.
class CpuHandle : public testkit::ClusterHandle {
 public:
  Status runFilterPluginsWithNominatedPods(CycleState&, const PodInfo& pod, NodeInfo& node) override {
    if (node.requested.milli_cpu + pod.requests.milli_cpu <= node.allocatable.milli_cpu) return {};
    return Status(Code::kUnschedulable, "Insufficient cpu");
  }
  ApiClient& client() override { return recording; }

  class Recording : public testkit::FakeClient {
   public:
    void deletePod(const api::Pod& pod, Done done) override {
      deleted.push_back(pod.meta.name);
      done(ApiError::ok());
    }
    std::vector<std::string> deleted;
  };
  Recording recording;
};

class PreemptionTest : public testing::Test {
 protected:
  void node(const std::string& name, std::string_view cpu) {
    cluster_.add(makeNode(name).has("cpu", cpu).has("pods", "110"));
  }
  void running(const std::string& name, std::int32_t priority, std::string_view cpu, const std::string& on,
               clock::Time started = 1) {
    PodBuilder pod = makePod(name).priority(priority).cpu(cpu).on(on).label("app", name);
    pod.raw().status.start_time = started;
    cluster_.add(pod);
  }
  // PostFilter for a pod that no node has room for, then everything asynchronous: "status | nominated | victims".
  std::string preempt(const PodBuilder& pod) {
    cluster_.update();
    cluster_.pods.put(pod.obj());
    NodeToStatus statuses;
    for (const NodeInfo* info : cluster_.snapshot().nodes()) {
      statuses.set(info->name(), Status(Code::kUnschedulable, "Insufficient cpu"));
    }
    DefaultPreemption plugin(args_, cluster_);
    CycleState state;
    PostFilterResult result;
    const Status status = plugin.postFilter(state, *pod.info(), statuses, result);
    cluster_.loop().sleep(clock::kMillisecond);
    std::string out = testkit::text(status) + " | ";
    out += !result.nominating.has_value() ? "-" : result.nominating->node.empty() ? "clear" : result.nominating->node;
    out += " |";
    for (const std::string& victim : cluster_.recording.deleted) out += " " + victim;
    return out;
  }
  CpuHandle cluster_;
  config::DefaultPreemptionArgs args_;
};

TEST_F(PreemptionTest, EvictsTheLeastImportantPodsThatMakeRoom) {
  node("n", "3");
  running("old", 1, "1", "n", 1);
  running("new", 1, "1", "n", 2);
  running("high", 5, "1", "n", 3);
  EXPECT_EQ(preempt(makePod("p").priority(10).cpu("1")),
            "Success: preemption: found a potential placement for pod on node n, preempting 1 victims | n | new");
}

TEST_F(PreemptionTest, TheMostImportantVictimGoesFirst) {
  node("n", "3");
  running("low", 1, "1", "n");
  running("high", 5, "1", "n");
  running("mid", 3, "1", "n");
  EXPECT_EQ(preempt(makePod("p").priority(10).cpu("2")),
            "Success: preemption: found a potential placement for pod on node n, preempting 2 victims | n | mid low");
}

TEST_F(PreemptionTest, SaysWhyNoNodeHelps) {
  node("a", "1");
  node("b", "1");
  running("equal", 10, "1", "a");
  running("low", 1, "500m", "b");
  EXPECT_EQ(preempt(makePod("p").priority(10).cpu("2")),
            "Unschedulable: preemption: 0/2 nodes are available: 1 Insufficient cpu, 1 No preemption victims found for "
            "incoming pod. | clear |");
}

TEST_F(PreemptionTest, NeverMeansNever) {
  node("n", "1");
  running("low", 1, "1", "n");
  PodBuilder pod = makePod("p").priority(10).cpu("1");
  pod.raw().spec.preemption_policy = "Never";
  EXPECT_EQ(preempt(pod), "Unschedulable: preemption: not eligible due to preemptionPolicy=Never. | - |");
}

TEST_F(PreemptionTest, WaitsForVictimsThatAreTerminatingOnTheNominatedNode) {
  node("n", "1");
  PodBuilder leaving = makePod("low").priority(1).cpu("1").on("n");
  leaving.raw().meta.deletion_timestamp = 1;
  api::PodCondition condition;
  condition.type = "DisruptionTarget";
  condition.status = "True";
  condition.reason = "PreemptionByScheduler";
  leaving.raw().status.conditions.push_back(condition);
  cluster_.add(leaving);
  EXPECT_EQ(preempt(makePod("p").priority(10).cpu("1").nominatedTo("n")),
            "Unschedulable: preemption: not eligible due to a terminating pod on the nominated node. | - |");
}

TEST_F(PreemptionTest, SparesPodsWhoseBudgetIsUsedUp) {
  node("n", "2");
  running("guarded", 1, "1", "n", 9);
  running("free", 1, "1", "n", 1);
  auto budget = std::make_shared<api::PodDisruptionBudget>();
  budget->meta.ns = "default";
  budget->meta.name = "b";
  budget->selector.emplace();
  budget->selector->match_labels.set("app", "guarded");
  cluster_.budgets.put(budget);
  EXPECT_EQ(preempt(makePod("p").priority(10).cpu("1")),
            "Success: preemption: found a potential placement for pod on node n, preempting 1 victims | n | free");
}

TEST_F(PreemptionTest, APodThatIsGoneCannotPreempt) {
  node("n", "1");
  cluster_.update();
  DefaultPreemption plugin(args_, cluster_);
  CycleState state;
  PostFilterResult result;
  EXPECT_EQ(testkit::text(plugin.postFilter(state, *makePod("p").info(), NodeToStatus(), result)),
            "Error: preemption: pod \"p\" not found");
}

TEST_F(PreemptionTest, KeepsThePreemptorOutOfTheQueueUntilTheEvictionsAreSent) {
  node("n", "1");
  running("low", 1, "1", "n");
  cluster_.pods.put(makePod("low").on("n").obj());
  cluster_.update();
  const PodBuilder pod = makePod("p").priority(10).cpu("1");
  cluster_.pods.put(pod.obj());
  NodeToStatus statuses;
  statuses.set(api::Symbol("n"), Status(Code::kUnschedulable, "Insufficient cpu"));
  DefaultPreemption plugin(args_, cluster_);
  CycleState state;
  PostFilterResult result;
  EXPECT_EQ(testkit::text(plugin.preEnqueue(*pod.obj())), "Success");
  ASSERT_TRUE(plugin.postFilter(state, *pod.info(), statuses, result).isSuccess());
  EXPECT_EQ(testkit::text(plugin.preEnqueue(*pod.obj())),
            "UnschedulableAndUnresolvable: waiting for the preemption for this pod to be finished");
  cluster_.loop().sleep(0);
  EXPECT_EQ(testkit::text(plugin.preEnqueue(*pod.obj())), "Success");
}

}  // namespace
}  // namespace podberth::scheduler::plugins
