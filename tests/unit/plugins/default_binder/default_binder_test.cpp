#include "core/scheduler/plugins/default_binder/default_binder.h"

#include <gtest/gtest.h>

#include "tests/unit/support/fake_handle.h"
#include "tests/unit/support/plugin_run.h"

namespace podberth::scheduler::plugins {
namespace {

TEST(DefaultBinder, TellsHowTheWriteEnded) {
  testkit::FakeHandle handle;
  DefaultBinder plugin(handle);
  CycleState state;
  std::vector<std::string> results;
  const auto note = [&results](const Status& s) { results.push_back(testkit::text(s)); };
  plugin.bind(state, testkit::makePod("a").obj(), "n", note);
  plugin.bind(state, testkit::makePod("b").ns("x").obj(), "m", note);
  EXPECT_EQ(handle.fake_client.bound, (std::vector<std::string>{"default/a to n", "x/b to m"}));
  EXPECT_TRUE(results.empty()) << "the write is on its way";

  handle.fake_client.pending[0](ApiError::ok());
  ApiError error;
  error.failed = true;
  error.message = "pods \"b\" not found";
  handle.fake_client.pending[1](error);
  EXPECT_EQ(results, (std::vector<std::string>{"Success", "Error: pods \"b\" not found"}));
}

}  // namespace
}  // namespace podberth::scheduler::plugins
