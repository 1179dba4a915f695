#include "core/scheduler/framework/plugin.h"

#include <gtest/gtest.h>

namespace podberth::scheduler {
namespace {

PreFilterResult only(std::vector<std::string> names) {
  PreFilterResult out;
  out.node_names.emplace();
  for (const std::string& name : names) out.node_names->emplace_back(name);
  return out;
}

TEST(PreFilterResult, MergingIsTheIntersectionAndAllNodesChangesNothing) {
  const PreFilterResult all;
  EXPECT_TRUE(all.merge(all).allNodes());
  EXPECT_EQ(all.merge(only({"a"})).node_names, only({"a"}).node_names);
  EXPECT_EQ(only({"a"}).merge(all).node_names, only({"a"}).node_names);
  EXPECT_EQ(only({"a", "b"}).merge(only({"b", "c"})).node_names, only({"b"}).node_names);
  EXPECT_TRUE(only({"a"}).merge(only({"b"})).node_names->empty());
}

TEST(FitError, CountsReasonsAndSortsThemAsText) {
  FitError error;
  error.num_all_nodes = 12;
  NodeToStatus& nodes = error.diagnosis.node_to_status;
  const Status full(Code::kUnschedulable, std::vector<std::string>{"Insufficient cpu", "Too many pods"});
  for (int i = 0; i < 10; ++i) nodes.set(api::Symbol("full-" + std::to_string(i)), full);
  nodes.set(api::Symbol("tainted"), Status(Code::kUnschedulableAndUnresolvable, "had a taint"));
  nodes.set(api::Symbol("small"), Status(Code::kUnschedulable, "Insufficient cpu"));
  EXPECT_EQ(error.message(), "0/12 nodes are available: 1 had a taint, 10 Too many pods, 11 Insufficient cpu.");
}

TEST(FitError, NodesThatPreFilterLeftOutHaveTheReasonOfTheAbsent) {
  FitError error;
  error.num_all_nodes = 3;
  error.diagnosis.node_to_status.setAbsent(Status(Code::kUnschedulableAndUnresolvable, "node(s) didn't satisfy"));
  error.diagnosis.node_to_status.set(api::Symbol("a"), Status(Code::kUnschedulable, "full"));
  EXPECT_EQ(error.message(), "0/3 nodes are available: 1 full, 2 node(s) didn't satisfy.");
}

TEST(FitError, APreFilterMessageStandsInsteadOfTheNodes) {
  FitError error;
  error.num_all_nodes = 2;
  error.diagnosis.pre_filter_msg = "claim not found";
  error.diagnosis.post_filter_msg = "preemption: not helpful";
  error.diagnosis.node_to_status.set(api::Symbol("a"), Status(Code::kUnschedulable, "full"));
  EXPECT_EQ(error.message(), "0/2 nodes are available: claim not found. preemption: not helpful");
}

TEST(FitError, WithoutAnyReasonOnlyTheCountIsLeft) {
  FitError error;
  error.num_all_nodes = 2;
  EXPECT_EQ(error.message(), "0/2 nodes are available:");
}

TEST(Diagnosis, PluginsAreCollectedOnceAndSorted) {
  Diagnosis diagnosis;
  diagnosis.addPluginStatus(Status(Code::kUnschedulable, "x").withPlugin("b"));
  diagnosis.addPluginStatus(Status(Code::kPending, "x").withPlugin("a"));
  diagnosis.addPluginStatus(Status(Code::kUnschedulable, "y").withPlugin("b"));
  diagnosis.addPluginStatus(Status(Code::kUnschedulable, "nobody"));
  diagnosis.addPluginStatus(Status(Code::kError, "x").withPlugin("c"));
  EXPECT_EQ(diagnosis.unschedulable_plugins, (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(diagnosis.pending_plugins, (std::vector<std::string>{"a"}));
}

}  // namespace
}  // namespace podberth::scheduler
