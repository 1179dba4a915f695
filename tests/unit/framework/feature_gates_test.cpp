#include <gtest/gtest.h>

#include "core/scheduler/framework/handle.h"

namespace podberth::scheduler {
namespace {

TEST(FeatureGates, HaveTheDefaultsOfTheRelease) {
  const FeatureGates gates;
  EXPECT_TRUE(gates.enabled("OpportunisticBatching"));
  EXPECT_TRUE(gates.enabled("SchedulerAsyncPreemption"));
  EXPECT_TRUE(gates.enabled("SchedulerPopFromBackoffQ"));
  EXPECT_FALSE(gates.enabled("SchedulerAsyncAPICalls"));
  EXPECT_FALSE(gates.enabled("GenericWorkload"));
  EXPECT_FALSE(gates.enabled("NoSuchGate"));
}

TEST(FeatureGates, AreRefusedInUpstreamsWords) {
  const struct {
    const char* what;
    std::vector<std::pair<std::string, bool>> set;
    const char* error;
  } cases[] = {
      {"an unknown gate", {{"Nope", true}}, "unrecognized feature gate: Nope"},
      {"a locked gate",
       {{"DynamicResourceAllocation", false}},
       "cannot set feature gate DynamicResourceAllocation to false, feature is locked to true"},
      {"a locked gate set to what it is", {{"DynamicResourceAllocation", true}}, ""},
      {"a gate without what it needs",
       {{"TopologyAwareWorkloadScheduling", true}},
       "TopologyAwareWorkloadScheduling is enabled, but depends on features that are disabled: [GenericWorkload]"},
      {"a gate with what it needs", {{"TopologyAwareWorkloadScheduling", true}, {"GenericWorkload", true}}, ""},
      {"two locked gates",
       {{"DynamicResourceAllocation", false}, {"InPlacePodVerticalScaling", false}},
       "[cannot set feature gate DynamicResourceAllocation to false, feature is locked to true, cannot set feature "
       "gate "
       "InPlacePodVerticalScaling to false, feature is locked to true]"},
  };
  for (const auto& c : cases) {
    FeatureGates gates;
    std::string error;
    EXPECT_EQ(gates.setAll(c.set, &error), *c.error == '\0') << c.what;
    EXPECT_EQ(error, c.error) << c.what;
  }
}

TEST(FeatureGates, TheOlderReleaseTellsOnlyTheFirstErrorByName) {
  FeatureGates gates(release::v1_24());
  std::string error;
  EXPECT_FALSE(gates.setAll({{"Zzz", true}, {"PodOverhead", false}, {"CSIStorageCapacity", false}}, &error));
  EXPECT_EQ(error, "cannot set feature gate CSIStorageCapacity to false, feature is locked to true");
  EXPECT_FALSE(gates.setAll({{"Zzz", true}, {"Aaa", true}, {"PodOverhead", false}}, &error));
  EXPECT_EQ(error, "unrecognized feature gate: Aaa");
}

TEST(FeatureGates, ARefusalSetsNothing) {
  FeatureGates gates;
  std::string error;
  EXPECT_FALSE(gates.setAll({{"OpportunisticBatching", false}, {"Nope", true}}, &error));
  EXPECT_TRUE(gates.enabled("OpportunisticBatching"));
}

TEST(FeatureGates, AllBetaSetsTheBetaGatesThatAreNotSetOtherwise) {
  FeatureGates gates;
  std::string error;
  ASSERT_TRUE(gates.set("OpportunisticBatching", true, &error)) << error;
  // Gates that are on at another stage need some of those.
  gates.set("AllBeta", false, &error);
  if (error.empty()) {
    EXPECT_FALSE(gates.enabled("SchedulerAsyncPreemption"));
  }
  EXPECT_TRUE(gates.enabled("OpportunisticBatching"));
  EXPECT_TRUE(gates.enabled("DynamicResourceAllocation"));
}

}  // namespace
}  // namespace podberth::scheduler
