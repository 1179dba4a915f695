#include "core/scheduler/plugins/registry.h"

#include <gtest/gtest.h>

#include <set>

#include "tests/unit/support/fake_handle.h"

namespace podberth::scheduler::plugins {
namespace {

constexpr release::PluginSet kSet = release::PluginSet::kV1_37;

TEST(Registry, ItsTableSaysWhatThePluginsSay) {
  testkit::FakeHandle handle;
  std::set<std::string> names;
  int made = 0;
  for (const PluginFactory& f : registry(kSet)) {
    EXPECT_TRUE(names.insert(std::string(f.name)).second) << f.name << " stands there twice";
    EXPECT_EQ(find(kSet, f.name), &f);
    std::string error;
    const auto plugin = f.make(config::PluginArgs(), handle, &error);
    if (plugin == nullptr) {
      EXPECT_NE(error, "") << f.name;
      continue;
    }
    ++made;
    EXPECT_EQ(plugin->name(), f.name);
    EXPECT_EQ(plugin->points(), f.points) << f.name;
    EXPECT_EQ(has(f.points, Point::kScore), f.default_weight > 0) << f.name;
  }
  EXPECT_EQ(made, 24) << "20 of the default configuration, and 4 that do nothing while their gates are off";
  EXPECT_EQ(find(kSet, "NoSuchPlugin"), nullptr);
}

TEST(Registry, WhatIsNotSimulatedIsRefusedOnceItsGateIsOn) {
  testkit::FakeHandle handle;
  std::string error;
  ASSERT_TRUE(handle.feature_gates.set("GenericWorkload", true, &error)) << error;
  EXPECT_EQ(find(kSet, "GangScheduling")->make(config::PluginArgs(), handle, &error), nullptr);
  EXPECT_EQ(error, "this plugin is not simulated yet");
}

TEST(Registry, SamplePluginsAreThereOnlyOnDemand) {
  testkit::FakeHandle handle;
  for (const PluginFactory& f : sampleRegistry()) {
    EXPECT_EQ(find(release::PluginSet::kV1_37, f.name), nullptr) << f.name;
    EXPECT_EQ(find(release::PluginSet::kV1_24, f.name, true), &f);
    std::string error;
    const auto plugin = f.make(config::PluginArgs(), handle, &error);
    ASSERT_NE(plugin, nullptr) << error;
    EXPECT_EQ(plugin->name(), f.name);
    EXPECT_EQ(plugin->points(), f.points) << f.name;
  }
  EXPECT_FALSE(pointsOf(release::PluginSet::kV1_37, false)("SamplePermit").has_value());
  EXPECT_TRUE(pointsOf(release::PluginSet::kV1_37, true)("SamplePermit").has_value());
}

TEST(Registry, TheOrderIsThatOfTheDefaultConfiguration) {
  const char* const expected[] = {"SchedulingGates",
                                  "PrioritySort",
                                  "NodeName",
                                  "NodeUnschedulable",
                                  "TaintToleration",
                                  "NodeAffinity",
                                  "NodePorts",
                                  "NodeResourcesFit",
                                  "VolumeRestrictions",
                                  "NodeVolumeLimits",
                                  "VolumeBinding",
                                  "VolumeZone",
                                  "PodTopologySpread",
                                  "InterPodAffinity",
                                  "DynamicResources",
                                  "DefaultPreemption",
                                  "NodeResourcesBalancedAllocation",
                                  "ImageLocality",
                                  "DefaultBinder",
                                  "NodeDeclaredFeatures"};
  std::size_t i = 0;
  for (const char* name : expected) EXPECT_EQ(registry(kSet).at(i++).name, name);
}

}  // namespace
}  // namespace podberth::scheduler::plugins
