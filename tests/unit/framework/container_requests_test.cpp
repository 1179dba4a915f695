#include "core/scheduler/framework/container_requests.h"

#include <gtest/gtest.h>

#include "tests/unit/support/builders.h"

namespace podberth::scheduler {
namespace {

using release::FrameworkRules;
using testkit::makePod;

constexpr std::int64_t kMi = 1024 * 1024;

TEST(ContainerRequests, AmountsAreRoundedContainerByContainer) {
  const auto pod = makePod("p").memory("1100m").container().memory("1100m");
  EXPECT_EQ(makePodInfo(pod.obj(), FrameworkRules::kV1_37)->requests.memory, 3) << "2.2 bytes";
  EXPECT_EQ(makePodInfo(pod.obj(), FrameworkRules::kV1_24)->requests.memory, 4) << "2 and 2";
}

TEST(ContainerRequests, ASidecarIsAnInitContainerLikeAnother) {
  const auto pod = makePod("p").cpu("1").sidecar().cpu("500m").hostPort(80).init().cpu("2");
  const auto now = makePodInfo(pod.obj(), FrameworkRules::kV1_37);
  EXPECT_EQ(now->requests.milli_cpu, 2500);
  EXPECT_EQ(now->host_ports.size(), 1U);
  const auto old = makePodInfo(pod.obj(), FrameworkRules::kV1_24);
  EXPECT_EQ(old->requests.milli_cpu, 2000);
  EXPECT_TRUE(old->host_ports.empty());
}

TEST(ContainerRequests, PodLevelRequestsAreNotKnown) {
  const auto pod = makePod("p").cpu("1").podLevel("cpu", "3");
  EXPECT_EQ(makePodInfo(pod.obj(), FrameworkRules::kV1_37)->requests.milli_cpu, 3000);
  EXPECT_EQ(makePodInfo(pod.obj(), FrameworkRules::kV1_24)->requests.milli_cpu, 1000);
}

TEST(ContainerRequests, ContainersThatAskForNothingCountWithAMinimum) {
  const auto pod = makePod("p").container().cpu("0").init().memory("900Mi").overhead("cpu", "10m");
  const auto info = makePodInfo(pod.obj(), FrameworkRules::kV1_24);
  EXPECT_EQ(info->requests.milli_cpu, 10);
  EXPECT_EQ(info->non0_cpu, 110) << "100m for the first, none for the one that says 0, and the overhead";
  EXPECT_EQ(info->non0_memory, 900 * kMi) << "the init container asks for more than 2 x 200Mi";
}

}  // namespace
}  // namespace podberth::scheduler
