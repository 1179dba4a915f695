#include "core/scheduler/framework/status.h"

#include <gtest/gtest.h>

#include "core/scheduler/framework/plugin.h"

namespace podberth::scheduler {
namespace {

TEST(Status, ADefaultOneIsSuccessAndSaysNothing) {
  const Status status;
  EXPECT_TRUE(status.isSuccess());
  EXPECT_EQ(status.message(), "");
  EXPECT_EQ(status.plugin(), "");
  EXPECT_TRUE(status.reasons().empty());
}

TEST(Status, OnlyUnschedulableUnresolvableAndPendingAreRejections) {
  const struct {
    Code code;
    bool rejected;
    const char* name;
  } cases[] = {
      {Code::kSuccess, false, "Success"},
      {Code::kError, false, "Error"},
      {Code::kUnschedulable, true, "Unschedulable"},
      {Code::kUnschedulableAndUnresolvable, true, "UnschedulableAndUnresolvable"},
      {Code::kWait, false, "Wait"},
      {Code::kSkip, false, "Skip"},
      {Code::kPending, true, "Pending"},
  };
  for (const auto& c : cases) {
    EXPECT_EQ(Status(c.code).isRejected(), c.rejected) << c.name;
    EXPECT_EQ(codeName(c.code), c.name);
  }
}

TEST(Status, ReasonsAreJoinedByCommas) {
  Status status(Code::kUnschedulable, std::vector<std::string>{"a", "b"});
  status.appendReason("c");
  EXPECT_EQ(status.message(), "a, b, c");
}

TEST(Status, ACopyStaysAsItWasWhenTheOtherGrows) {
  const Status first(Code::kWait, "a");
  Status second = first;
  second.appendReason("b");
  EXPECT_EQ(first.message(), "a");
  EXPECT_EQ(second.message(), "a, b");
}

TEST(Status, NamingThePluginTwiceSharesTheStatus) {
  const Status named = Status(Code::kUnschedulable, "no").withPlugin("Fit");
  EXPECT_EQ(named.plugin(), "Fit");
  EXPECT_TRUE(named.withPlugin("Fit").sharedWith(named));
  EXPECT_FALSE(named.withPlugin("Other").sharedWith(named));
}

TEST(Status, OfAFitErrorHasTheErrorsTextAsItsReason) {
  auto fit = std::make_shared<FitError>();
  fit->num_all_nodes = 1;
  fit->diagnosis.node_to_status.set(api::Symbol("n"), Status(Code::kUnschedulable, "full"));
  const Status status = Status::fitError(Code::kUnschedulable, fit);
  EXPECT_EQ(status.message(), "0/1 nodes are available: 1 full.");
  EXPECT_EQ(status.withPlugin("P").message(), "0/1 nodes are available: 1 full.");
  EXPECT_EQ(status.fitError(), fit);
}

}  // namespace
}  // namespace podberth::scheduler
