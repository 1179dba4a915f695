#include "core/scheduler/framework/events.h"

#include "tests/unit/queue/queue_fixture.h"

namespace podberth::scheduler {
namespace {

std::string labels(const std::vector<ClusterEvent>& events) {
  std::string out;
  for (const ClusterEvent& event : events) out += (out.empty() ? "" : " ") + event.label();
  return out;
}

TEST(ClusterEventTest, LabelsAreTheResourceAndTheActionOrACustomText) {
  const struct {
    ClusterEvent event;
    const char* want;
  } cases[] = {
      {events::kAssignedPodAdd, "AssignedPodAdd"},
      {events::kUnscheduledPodUpdate, "UnscheduledPodUpdate"},
      {makeEvent(EventResource::kNode, action::kUpdateNodeTaint), "NodeUpdateNodeTaint"},
      {makeEvent(EventResource::kCSINode, action::kAdd), "storage.k8s.io/CSINodeAdd"},
      {makeEvent(EventResource::kWildCard, action::kAll), "*All"},
      {makeEvent(EventResource::kNode, action::kAdd | action::kDelete), "Node"},
      {events::kUnschedulableTimeout, "UnschedulableTimeout"},
      {events::kForceActivate, "ForceActivate"},
  };
  for (const auto& c : cases) EXPECT_EQ(c.event.label(), c.want);
}

TEST(ClusterEventTest, ARegistrationMatchesWhatIsNoBroaderThanItself) {
  const ClusterEvent update = makeEvent(EventResource::kNode, action::kUpdate);
  const ClusterEvent taint = makeEvent(EventResource::kNode, action::kUpdateNodeTaint);
  const ClusterEvent all = makeEvent(EventResource::kWildCard, action::kAll);
  const ClusterEvent any_add = makeEvent(EventResource::kWildCard, action::kAdd);
  const ClusterEvent pod_add = makeEvent(EventResource::kPod, action::kAdd);
  const struct {
    const char* name;
    ClusterEvent registered, incoming;
    bool want;
  } cases[] = {
      {"one kind of update is an update", update, taint, true},
      {"a general update is not one kind of it", taint, update, false},
      {"the same event", taint, taint, true},
      {"another resource", taint, makeEvent(EventResource::kCSINode, action::kUpdateNodeTaint), false},
      {"the full wildcard matches everything", all, taint, true},
      {"any resource, that action", any_add, makeEvent(EventResource::kNode, action::kAdd), true},
      {"any resource, another action", any_add, taint, false},
      {"a wildcard event matches no plain registration", update, events::kForceActivate, false},
      {"pods of any kind are pods", pod_add, events::kAssignedPodAdd, true},
      {"but not the other way round", events::kAssignedPodAdd, pod_add, false},
  };
  for (const auto& c : cases) EXPECT_EQ(matchClusterEvents(c.registered, c.incoming), c.want) << c.name;
  EXPECT_TRUE(matchAnyClusterEvent(taint, {pod_add, update}));
  EXPECT_FALSE(matchAnyClusterEvent(taint, {}));
}

std::shared_ptr<api::Pod> podWithCpu(const char* cpu) {
  auto pod = makePod("a");
  pod->spec.containers.resize(1);
  if (cpu != nullptr) pod->spec.containers[0].resources.requests.set("cpu", *api::Quantity::parse(cpu));
  return pod;
}

TEST(PodChangeTest, AnUpdateIsToldForWhatItChanges) {
  using Change = std::function<void(api::Pod&)>;
  const struct {
    const char* name;
    const char* old_cpu;
    const char* new_cpu;
    Change change;
    const char* want;
  } cases[] = {
      {"nothing in particular", "1", "1", [](api::Pod&) {}, "TargetPodUpdate"},
      {"annotations are nothing in particular", "1", "1", [](api::Pod& p) { p.meta.annotations["x"] = "y"; },
       "TargetPodUpdate"},
      {"a label", "1", "1", [](api::Pod& p) { p.meta.labels.set("a", "b"); }, "TargetPodUpdatePodLabel"},
      {"less CPU", "1", "500m", [](api::Pod&) {}, "TargetPodUpdatePodScaleDown"},
      {"more CPU", "1", "1500m", [](api::Pod&) {}, "TargetPodUpdatePodScaleUp"},
      {"less than a thousandth less is nothing", "1500u", "1100u", [](api::Pod&) {}, "TargetPodUpdate"},
      {"no CPU any more", "1", nullptr, [](api::Pod&) {}, "TargetPodUpdatePodScaleDown"},
      {"CPU for memory", "1", nullptr,
       [](api::Pod& p) { p.spec.containers[0].resources.requests.set("memory", *api::Quantity::parse("1Gi")); },
       "TargetPodUpdatePodScaleDown TargetPodUpdatePodScaleUp"},
      {"a toleration and a label, in upstream's order", "1", "1",
       [](api::Pod& p) {
         p.spec.tolerations.resize(1);
         p.meta.labels.set("a", "b");
       },
       "TargetPodUpdatePodLabel TargetPodUpdatePodToleration"},
      {"assigned pods have events of their own", "1", "500m", [](api::Pod& p) { p.spec.node_name = "n"; },
       "AssignedPodUpdatePodScaleDown"},
  };
  for (const auto& c : cases) {
    const auto old_pod = podWithCpu(c.old_cpu);
    const auto new_pod = podWithCpu(c.new_cpu);
    c.change(*new_pod);
    EXPECT_EQ(labels(podSchedulingPropertiesChange(*new_pod, *old_pod, true)), c.want) << c.name;
  }
}

TEST(PodChangeTest, AnotherPodsUpdateIsOfAnUnscheduledPod) {
  EXPECT_EQ(labels(podSchedulingPropertiesChange(*makePod("a"), *makePod("a"), false)), "UnscheduledPodUpdate");
}

TEST(PodChangeTest, GatesCountWhenTheLastOneGoes) {
  const auto two = makePod("a");
  two->spec.scheduling_gates = {"x", "y"};
  const auto one = makePod("a");
  one->spec.scheduling_gates = {"x"};
  EXPECT_EQ(labels(podSchedulingPropertiesChange(*one, *two, true)), "TargetPodUpdate");
  EXPECT_EQ(labels(podSchedulingPropertiesChange(*makePod("a"), *one, true)),
            "TargetPodUpdatePodSchedulingGatesEliminated");
}

TEST(PodChangeTest, AResizeUnderWayScalesByTheGreatestOfWantedAndAllocated) {
  const auto old_pod = podWithCpu("2");
  const auto new_pod = podWithCpu("1");
  for (const auto& pod : {old_pod, new_pod}) {
    pod->status.container_statuses.resize(1);
    pod->status.container_statuses[0].allocated_resources.set("cpu", *api::Quantity::parse("2"));
  }
  EXPECT_EQ(labels(podSchedulingPropertiesChange(*new_pod, *old_pod, true)), "TargetPodUpdate");
  new_pod->status.container_statuses[0].allocated_resources.set("cpu", *api::Quantity::parse("1"));
  EXPECT_EQ(labels(podSchedulingPropertiesChange(*new_pod, *old_pod, true)), "TargetPodUpdatePodScaleDown");
}

api::NodeCondition condition(const char* type, const char* status, const char* reason) {
  api::NodeCondition out;
  out.type = type;
  out.status = status;
  out.reason = reason;
  return out;
}

TEST(NodeChangeTest, AnUpdateIsToldForWhatItChanges) {
  api::Node old_node;
  old_node.spec.unschedulable = true;
  old_node.status.allocatable.set("cpu", *api::Quantity::parse("1"));
  old_node.status.conditions = {condition("Ready", "True", "a")};
  using Change = std::function<void(api::Node&)>;
  const struct {
    const char* name;
    Change change;
    const char* want;
  } cases[] = {
      {"nothing", [](api::Node&) {}, ""},
      {"uncordoned", [](api::Node& n) { n.spec.unschedulable = false; }, "NodeUpdateNodeTaint"},
      {"uncordoned and its taint gone",
       [](api::Node& n) {
         n.spec.unschedulable = false;
         n.spec.taints.resize(1);
       },
       "NodeUpdateNodeTaint NodeUpdateNodeTaint"},
      {"allocatable", [](api::Node& n) { n.status.allocatable.set("cpu", *api::Quantity::parse("2")); },
       "NodeUpdateNodeAllocatable"},
      {"the same allocatable written otherwise",
       [](api::Node& n) { n.status.allocatable.set("cpu", *api::Quantity::parse("1000m")); }, ""},
      {"label and annotation",
       [](api::Node& n) {
         n.meta.annotations["a"] = "b";
         n.meta.labels.set("a", "b");
       },
       "NodeUpdateNodeLabel NodeUpdateNodeAnnotation"},
      {"a condition's status", [](api::Node& n) { n.status.conditions[0].status = "False"; },
       "NodeUpdateNodeCondition"},
      {"a condition's reason does not count", [](api::Node& n) { n.status.conditions[0].reason = "b"; }, ""},
      {"declared features", [](api::Node& n) { n.status.declared_features = {"X"}; }, "NodeUpdateNodeDeclaredFeature"},
      {"the preemption policy",
       [](api::Node& n) { n.spec.rest = R"({"podPreemptionPolicy":{"disableResizePreemption":["a"]}})"; },
       "NodeUpdateNodePreemptionPolicy"},
      {"other fields do not count", [](api::Node& n) { n.spec.rest = R"({"externalID":"x"})"; }, ""},
  };
  for (const auto& c : cases) {
    api::Node new_node = old_node;
    c.change(new_node);
    EXPECT_EQ(labels(nodeSchedulingPropertiesChange(new_node, old_node)), c.want) << c.name;
  }
}

TEST(NodeChangeTest, CordoningIsNoNewsForPods) {
  api::Node old_node;
  api::Node new_node;
  new_node.spec.unschedulable = true;
  EXPECT_EQ(labels(nodeSchedulingPropertiesChange(new_node, old_node)), "");
}

}  // namespace
}  // namespace podberth::scheduler
