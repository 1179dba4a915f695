#include "core/scheduler/plugins/node_declared_features/node_declared_features.h"

#include <gtest/gtest.h>

#include "tests/unit/support/plugin_run.h"

namespace podberth::scheduler::plugins {
namespace {

using testkit::makeNode;
using testkit::makePod;

constexpr const char* kRestartRule =
    "{\"restartPolicyRules\":[{\"action\":\"RestartAllContainers\",\"exitCodes\":{\"operator\":\"In\",\"values\":[1]}}]"
    "}";
constexpr const char* kNo = "UnschedulableAndUnresolvable: node(s) didn't match Pod's required features";

TEST(NodeDeclaredFeatures, WhatAPodNeeds) {
  EXPECT_TRUE(requiredFeatures(*makePod("p").obj()).empty());
  EXPECT_EQ(requiredFeatures(*makePod("p").containerRest(kRestartRule).obj()),
            std::vector<std::string>(1, "RestartAllContainersOnContainerExits"));
  EXPECT_EQ(requiredFeatures(*makePod("p").init().containerRest(kRestartRule).obj()),
            std::vector<std::string>(1, "RestartAllContainersOnContainerExits"));
  EXPECT_TRUE(requiredFeatures(
                  *makePod("p").containerRest("{\"args\":[\"\\\"action\\\":\\\"RestartAllContainers\\\"\"]}").obj())
                  .empty())
      << "a text that looks like a rule is none";

  auto host = makePod("p");
  host.raw().spec.host_network = true;
  EXPECT_TRUE(requiredFeatures(*host.obj()).empty());
  host.raw().spec.rest = "{\"hostUsers\":false}";
  EXPECT_EQ(requiredFeatures(*host.obj()), std::vector<std::string>(1, "UserNamespacesHostNetworkSupport"));
  host.raw().spec.host_network = false;
  EXPECT_TRUE(requiredFeatures(*host.obj()).empty());
}

TEST(NodeDeclaredFeatures, NodesMustDeclareIt) {
  NodeDeclaredFeatures plugin;
  const auto needy = makePod("p").containerRest(kRestartRule).info();
  EXPECT_EQ(testkit::filterText(plugin, makePod("p").info(), makeNode("n").info()), "PreFilter Skip");
  EXPECT_EQ(testkit::filterText(plugin, needy, makeNode("n").info()), kNo);
  EXPECT_EQ(testkit::filterText(plugin, needy, makeNode("n").declares("Other").info()), kNo);
  EXPECT_EQ(testkit::filterText(
                plugin, needy, makeNode("n").declares("Other").declares("RestartAllContainersOnContainerExits").info()),
            "Success");
}

TEST(NodeDeclaredFeatures, WhatQueuesAPodAgain) {
  const NodeDeclaredFeatures plugin;
  const auto pod = makePod("p").containerRest(kRestartRule).obj();
  const auto other = makePod("p").obj();
  const auto without = makeNode("n").obj();
  const auto with = makeNode("n").declares("X").obj();
  const auto after = [&](const api::NodePtr& before, const api::NodePtr& now) {
    return testkit::hintText(plugin, EventResource::kNode, before ? action::kUpdateNodeDeclaredFeature : action::kAdd,
                             pod, before.get(), now.get());
  };
  EXPECT_EQ(after(nullptr, without), "Queue");
  EXPECT_EQ(after(without, with), "Queue");
  EXPECT_EQ(after(with, with), "Skip");
  EXPECT_EQ(testkit::hintText(plugin, EventResource::kTargetPod, action::kUpdatePodLabel, pod, pod.get(), other.get()),
            "Queue");
  EXPECT_EQ(testkit::hintText(plugin, EventResource::kTargetPod, action::kUpdatePodLabel, pod, pod.get(), pod.get()),
            "Skip");
}

}  // namespace
}  // namespace podberth::scheduler::plugins
