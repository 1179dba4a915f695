#include "core/scheduler/framework/node_to_status.h"

#include <gtest/gtest.h>

#include <map>
#include <string>

#include "core/scheduler/framework/node_info.h"

namespace podberth::scheduler {
namespace {

api::Symbol nodeName(int i) { return api::Symbol("status-node-" + std::to_string(i)); }

TEST(NodeToStatus, ANodeWithoutAStatusHasThatOfTheAbsent) {
  NodeToStatus statuses;
  EXPECT_EQ(statuses.get(nodeName(0)).code(), Code::kUnschedulableAndUnresolvable);
  statuses.setAbsent(Status(Code::kUnschedulable, "left out"));
  statuses.set(nodeName(1), Status(Code::kUnschedulable, "full"));
  EXPECT_EQ(statuses.get(nodeName(0)).message(), "left out");
  EXPECT_EQ(statuses.get(nodeName(1)).message(), "full");
}

TEST(NodeToStatus, TheLastStatusOfANodeCountsAndTheNodeOnlyOnce) {
  NodeToStatus statuses;
  statuses.set(nodeName(1), Status(Code::kUnschedulable, "full"));
  statuses.set(nodeName(2), Status(Code::kUnschedulable, "full"));
  statuses.set(nodeName(1), Status(Code::kUnschedulableAndUnresolvable, "gone"));
  EXPECT_EQ(statuses.size(), 2U);
  EXPECT_EQ(statuses.get(nodeName(1)).message(), "gone");
  EXPECT_EQ(statuses.explicitStatuses().front().node, nodeName(1));
}

TEST(NodeToStatus, FindsEveryNodeWhileItGrowsWhateverTheirNumbersAre) {
  NodeToStatus statuses;
  std::map<std::string, std::string> expected;
  // Backwards and with gaps, so that the numbers of the names collide in a small table.
  for (int i = 4000; i > 0; i -= 1 + i % 17) {
    statuses.set(nodeName(i), Status(Code::kUnschedulable, std::to_string(i)));
    expected[nodeName(i).str()] = std::to_string(i);
  }
  EXPECT_EQ(statuses.size(), expected.size());
  for (const auto& [node, reason] : expected) EXPECT_EQ(statuses.get(api::Symbol(node)).message(), reason);
  EXPECT_EQ(statuses.get(api::Symbol("status-node-none")).code(), Code::kUnschedulableAndUnresolvable);
}

}  // namespace
}  // namespace podberth::scheduler
