#include "core/scheduler/plugins/dynamic_resources/dynamic_resources.h"

#include <gtest/gtest.h>

#include "tests/unit/support/plugin_run.h"

namespace podberth::scheduler::plugins {
namespace {

using testkit::makeNode;
using testkit::makePod;

TEST(DynamicResources, PodsWithoutClaims) {
  DynamicResources plugin;
  CycleState state;
  PreFilterResult narrowed;
  PostFilterResult nominated;
  const auto pod = makePod("p").info();
  EXPECT_EQ(testkit::text(plugin.preFilter(state, *pod, {}, narrowed)), "Skip");
  std::int64_t score = 7;
  EXPECT_EQ(testkit::text(plugin.score(state, *pod, makeNode("n").info(), score)), "Success");
  EXPECT_EQ(score, 0);
  EXPECT_EQ(testkit::text(plugin.postFilter(state, *pod, NodeToStatus(), nominated)), "Unschedulable");
  EXPECT_EQ(testkit::text(plugin.reserve(state, pod->pod, "n")), "Success");
  EXPECT_EQ(testkit::text(plugin.preBindPreFlight(state, pod->pod, "n")), "Skip");
}

TEST(DynamicResources, EverythingFailsWherePreFilterDidNotRun) {
  DynamicResources plugin;
  CycleState state;
  PostFilterResult nominated;
  std::int64_t score = 0;
  const auto pod = makePod("p").info();
  EXPECT_EQ(testkit::text(plugin.filter(state, *pod, makeNode("n").info())), "Error: not found");
  EXPECT_EQ(testkit::text(plugin.postFilter(state, *pod, NodeToStatus(), nominated)), "Error: not found");
  EXPECT_EQ(testkit::text(plugin.score(state, *pod, makeNode("n").info(), score)), "Error: not found");
  EXPECT_EQ(testkit::text(plugin.reserve(state, pod->pod, "n")), "Error: not found");
  EXPECT_EQ(testkit::text(plugin.preBindPreFlight(state, pod->pod, "n")), "Error: not found");
}

TEST(DynamicResources, PodsWithClaimsAreNotSimulated) {
  DynamicResources plugin;
  auto pod = makePod("p");
  pod.raw().spec.resource_claims.push_back("gpu");
  EXPECT_EQ(testkit::filterText(plugin, pod.info(), makeNode("n").info()),
            "PreFilter Error: spec.resourceClaims: resource claims are not simulated yet");
  bool signable = true;
  plugin.sign(*pod.obj(), signable);
  EXPECT_FALSE(signable);
  plugin.sign(*makePod("q").obj(), signable);
  EXPECT_TRUE(signable);
}

}  // namespace
}  // namespace podberth::scheduler::plugins
