#include "core/scheduler/plugins/node_ports/node_ports.h"

#include <gtest/gtest.h>

#include "tests/unit/support/plugin_run.h"

namespace podberth::scheduler::plugins {
namespace {

using testkit::makeNode;
using testkit::makePod;

constexpr const char* kNo = "Unschedulable: node(s) didn't have free ports for the requested pod ports";

TEST(NodePorts, WhichPortsAreFree) {
  struct Case {
    const char* sentence;
    testkit::PodBuilder pod;
    testkit::PodBuilder other;
    const char* result;
  };
  const Case cases[] = {
      {"a pod without host ports does not ask", makePod("a"), makePod("b").hostPort(80), "PreFilter Skip"},
      {"ports of init containers do not count", makePod("a").init().hostPort(80), makePod("b").hostPort(80),
       "PreFilter Skip"},
      {"those of sidecars do", makePod("a").sidecar().hostPort(80), makePod("b").hostPort(80), kNo},
      {"the same port is taken", makePod("a").hostPort(80), makePod("b").hostPort(80), kNo},
      {"another port is free", makePod("a").hostPort(81), makePod("b").hostPort(80), "Success"},
      {"the same port of another protocol is free", makePod("a").hostPort(80, "UDP"), makePod("b").hostPort(80),
       "Success"},
      {"no protocol is TCP", makePod("a").hostPort(80, ""), makePod("b").hostPort(80), kNo},
      {"another address is free", makePod("a").hostPort(80, "TCP", "127.0.0.1"),
       makePod("b").hostPort(80, "TCP", "127.0.0.2"), "Success"},
      {"0.0.0.0 is every address", makePod("a").hostPort(80, "TCP", "0.0.0.0"),
       makePod("b").hostPort(80, "TCP", "127.0.0.2"), kNo},
      {"and so is no address, on either side", makePod("a").hostPort(80, "TCP", "127.0.0.1"), makePod("b").hostPort(80),
       kNo},
      {"one conflict among many ports is enough", makePod("a").hostPort(1).hostPort(2).container().hostPort(3),
       makePod("b").hostPort(9).hostPort(3), kNo},
  };
  NodePorts plugin;
  for (const Case& c : cases) {
    EXPECT_EQ(testkit::filterText(plugin, c.pod.info(), makeNode("n").info({c.other.info()})), c.result) << c.sentence;
  }
}

TEST(NodePorts, WithoutPreFilterThereIsAnError) {
  NodePorts plugin;
  CycleState state;
  EXPECT_EQ(testkit::text(plugin.filter(state, *makePod("a").hostPort(1).info(), makeNode("n").info())),
            "Error: reading \"PreFilterNodePorts\" from cycleState: not found");
}

TEST(NodePorts, WhatQueuesAPodAgain) {
  const NodePorts plugin;
  const auto pod = makePod("a").hostPort(80).obj();
  const auto gone = [&](const api::PodPtr& deleted) {
    return testkit::hintText(plugin, EventResource::kAssignedPod, action::kDelete, pod, deleted.get(), nullptr);
  };
  EXPECT_EQ(gone(makePod("b").on("n").hostPort(80).obj()), "Queue");
  EXPECT_EQ(gone(makePod("b").nominatedTo("n").hostPort(80).obj()), "Queue");
  EXPECT_EQ(gone(makePod("b").hostPort(80).obj()), "Skip") << "it was nowhere";
  EXPECT_EQ(gone(makePod("b").on("n").hostPort(81).obj()), "Skip") << "other ports";
  EXPECT_EQ(gone(makePod("b").on("n").obj()), "Skip") << "no ports";
  const auto node = makeNode("n").obj();
  EXPECT_EQ(testkit::hintText(plugin, EventResource::kNode, action::kAdd, pod, nullptr, node.get()), "Queue");
}

}  // namespace
}  // namespace podberth::scheduler::plugins
