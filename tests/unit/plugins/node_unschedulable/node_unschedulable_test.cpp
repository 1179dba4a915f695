#include "core/scheduler/plugins/node_unschedulable/node_unschedulable.h"

#include <gtest/gtest.h>

#include "tests/unit/support/plugin_run.h"

namespace podberth::scheduler::plugins {
namespace {

using testkit::makeNode;
using testkit::makePod;

constexpr const char* kNo = "UnschedulableAndUnresolvable: node(s) were unschedulable";

TEST(NodeUnschedulable, WhoMayGoToACordonedNode) {
  struct Case {
    const char* sentence;
    api::Toleration toleration;
    bool fits;
  };
  const auto toleration = [](const char* key, const char* op, const char* value, const char* effect) {
    api::Toleration t;
    t.key = key;
    t.op = op;
    t.value = value;
    t.effect = effect;
    return t;
  };
  const std::string key = "node.kubernetes.io/unschedulable";
  const Case cases[] = {
      {"the taint's own toleration does", toleration(key.c_str(), "Exists", "", "NoSchedule"), true},
      {"of any effect", toleration(key.c_str(), "Exists", "", ""), true},
      {"an equal empty value is equal", toleration(key.c_str(), "", "", "NoSchedule"), true},
      {"a toleration of everything does", toleration("", "Exists", "", ""), true},
      {"another value does not", toleration(key.c_str(), "Equal", "x", ""), false},
      {"another effect does not", toleration(key.c_str(), "Exists", "", "NoExecute"), false},
      {"another key does not", toleration("x", "Exists", "", ""), false},
  };
  NodeUnschedulable plugin;
  const NodeInfo cordoned = makeNode("n").unschedulable().info();
  EXPECT_EQ(testkit::filterText(plugin, makePod("a").info(), cordoned), kNo);
  EXPECT_EQ(testkit::filterText(plugin, makePod("a").info(), makeNode("n").info()), "Success");
  for (const Case& c : cases) {
    testkit::PodBuilder pod("a");
    pod.raw().spec.tolerations.push_back(c.toleration);
    EXPECT_EQ(testkit::filterText(plugin, pod.info(), cordoned), c.fits ? "Success" : kNo) << c.sentence;
  }
}

TEST(NodeUnschedulable, WhatQueuesAPodAgain) {
  const NodeUnschedulable plugin;
  const auto pod = makePod("a").obj();
  const auto open = makeNode("n").obj();
  const auto closed = makeNode("n").unschedulable().obj();
  const auto after = [&](const api::NodePtr& before, const api::NodePtr& now) {
    return testkit::hintText(plugin, EventResource::kNode, before ? action::kUpdateNodeTaint : action::kAdd, pod,
                             before.get(), now.get());
  };
  EXPECT_EQ(after(nullptr, open), "Queue") << "a new open node";
  EXPECT_EQ(after(nullptr, closed), "Skip") << "a new cordoned node";
  EXPECT_EQ(after(closed, open), "Queue") << "uncordoned";
  EXPECT_EQ(after(open, closed), "Skip") << "cordoned";
  EXPECT_EQ(after(open, open), "Skip") << "was open before";

  const auto tolerant = makePod("a").tolerate("node.kubernetes.io/unschedulable", "Exists").obj();
  const auto other = makePod("a").tolerate("x", "Exists").obj();
  EXPECT_EQ(testkit::hintText(plugin, EventResource::kTargetPod, action::kUpdatePodToleration, pod, pod.get(),
                              tolerant.get()),
            "Queue");
  EXPECT_EQ(
      testkit::hintText(plugin, EventResource::kTargetPod, action::kUpdatePodToleration, pod, pod.get(), other.get()),
      "Skip");
}

}  // namespace
}  // namespace podberth::scheduler::plugins
