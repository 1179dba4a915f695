#include "core/scheduler/plugins/scheduling_gates/scheduling_gates.h"

#include <gtest/gtest.h>

#include "tests/unit/support/plugin_run.h"

namespace podberth::scheduler::plugins {
namespace {

using testkit::makePod;

TEST(SchedulingGates, PodsWithGatesStayOut) {
  SchedulingGates plugin;
  EXPECT_EQ(testkit::text(plugin.preEnqueue(*makePod("a").obj())), "Success");
  EXPECT_EQ(testkit::text(plugin.preEnqueue(*makePod("a").gate("x").obj())),
            "UnschedulableAndUnresolvable: waiting for scheduling gates: [x]");
  EXPECT_EQ(testkit::text(plugin.preEnqueue(*makePod("a").gate("x").gate("y.z/w").obj())),
            "UnschedulableAndUnresolvable: waiting for scheduling gates: [x y.z/w]");
}

TEST(SchedulingGates, RemovingTheGatesQueuesThePod) {
  const SchedulingGates plugin;
  const auto pod = makePod("a").obj();
  EXPECT_EQ(testkit::hintText(plugin, EventResource::kTargetPod, action::kUpdatePodSchedulingGatesEliminated, pod,
                              pod.get(), pod.get()),
            "Queue");
  EXPECT_EQ(plugin.eventsToRegister().size(), 1u);
}

}  // namespace
}  // namespace podberth::scheduler::plugins
