// Workloads and node pools through the door: what a scenario says of them, and where its problems are told.
#include <gtest/gtest.h>

#include <algorithm>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "core/session/node_pool.h"
#include "core/session/session.h"

namespace podberth::session {
namespace {

using nlohmann::json;

json pool(int count, const json& spec = json::object()) {
  json out = json::parse(R"({"apiVersion":"podberth/v1","kind":"NodePool","metadata":{"name":"n"},"spec":{
      "template":{"status":{"allocatable":{"cpu":"2","memory":"4Gi","pods":"10"}}}}})");
  out["spec"]["count"] = count;
  out["spec"].merge_patch(spec);
  return out;
}

json deployment(int replicas, const std::string& cpu = "500m") {
  json out = json::parse(R"({"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"web"},"spec":{
      "selector":{"matchLabels":{"app":"web"}},"template":{"metadata":{"labels":{"app":"web"}},
      "spec":{"containers":[{"name":"c","image":"i","resources":{"requests":{}}}]}}}})");
  out["spec"]["replicas"] = replicas;
  out["spec"]["template"]["spec"]["containers"][0]["resources"]["requests"]["cpu"] = cpu;
  return out;
}

json op(const char* verb, const json& object) { return {{"op", verb}, {"object", object}}; }
json removal(const char* kind, const char* name) { return {{"op", "delete"}, {"kind", kind}, {"name", name}}; }
const json kSettle = {{"op", "settle"}};

class WorkloadSession : public ::testing::Test {
 protected:
  // Runs to the end; returns what is on the board then.
  json run(const json& scenario) {
    const json loaded = json::parse(session.load(scenario.dump(), ""));
    EXPECT_TRUE(loaded["ok"]) << loaded.dump();
    const json ran = json::parse(session.run(R"({"toEnd":true})"));
    issues = loaded["issues"];
    for (const json& issue : ran["issues"]) issues.push_back(issue);
    steps = ran["steps"];
    return seek(steps);
  }
  json seek(int step) { return json::parse(session.seek(json{{"step", step}, {"nodes", "all"}}.dump())); }
  static int bound(const json& frame) {
    int n = 0;
    for (const json& pod : frame["pods"]) n += pod["node"] != "" ? 1 : 0;
    return n;
  }

  Session session;
  json issues;
  int steps = 0;
};

TEST_F(WorkloadSession, ADeploymentIsPlacedInOneSettle) {
  const json frame = run({{"controllers", true},
                          {"objects", {pool(3, {{"zones", {"a", "b"}}})}},
                          {"steps", {op("create", deployment(5)), kSettle}}});
  EXPECT_EQ(issues, json::array());
  EXPECT_EQ(frame["nodes"].size(), 3U);
  EXPECT_EQ(frame["pods"].size(), 5U);
  EXPECT_EQ(bound(frame), 5);
  for (const json& pod : frame["pods"]) EXPECT_EQ(pod["group"].get<std::string>().rfind("ReplicaSet/web-", 0), 0U);
  for (const json& node : frame["nodes"]) EXPECT_EQ(node["zone"], node["name"] == "n-1" ? "b" : "a");
}

TEST_F(WorkloadSession, AWorkloadThatIsThereAtFirstBecomesPodsToo) {
  EXPECT_EQ(bound(run({{"controllers", true}, {"objects", {pool(2), deployment(4)}}, {"steps", {kSettle}}})), 4);
}

TEST_F(WorkloadSession, WithoutControllersNothingHappensAndThatIsSaid) {
  const json frame = run({{"objects", {pool(2)}}, {"steps", {op("create", deployment(4)), kSettle}}});
  EXPECT_EQ(frame["pods"].size(), 0U);
  ASSERT_EQ(issues.size(), 1U);
  EXPECT_EQ(issues[0]["severity"], "info");
  EXPECT_EQ(issues[0]["path"], "/steps/0/object");
}

TEST_F(WorkloadSession, PodsOfADeletedNodeAreReplaced) {
  const json advance = {{"op", "advance"}, {"seconds", 41}};
  const json frame = run({{"controllers", true},
                          {"objects", {pool(3)}},
                          {"steps", {op("create", deployment(6)), kSettle, removal("Node", "n-0"), advance, kSettle}}});
  EXPECT_EQ(bound(frame), 6);
  EXPECT_EQ(frame["nodes"].size(), 2U);
}

TEST_F(WorkloadSession, EveryStepIsTheSameForwardsAndBackwards) {
  run({{"controllers", true},
       {"objects", {pool(2)}},
       {"steps", {op("create", deployment(3)), kSettle, op("update", deployment(1)), kSettle}}});
  std::vector<std::string> hashes;
  for (int step = 0; step <= steps; ++step) hashes.push_back(seek(step)["hash"]);
  for (int step = steps; step >= 0; --step) EXPECT_EQ(seek(step)["hash"], hashes[static_cast<std::size_t>(step)]);
}

TEST_F(WorkloadSession, WhatControllersDoIsTold) {
  run({{"controllers", true}, {"objects", {pool(1)}}, {"steps", {op("create", deployment(1)), kSettle}}});
  std::vector<std::string> told;
  for (int step = 1; step <= steps; ++step) {
    const json frame = seek(step);
    if (frame["kind"] == "control") told.push_back(frame["sentence"]);
  }
  ASSERT_EQ(told.size(), 2U);
  EXPECT_EQ(told[0].rfind("Deployment web creates ReplicaSet web-", 0), 0U) << told[0];
  EXPECT_EQ(told[1].rfind("ReplicaSet web-", 0), 0U) << told[1];
}

TEST_F(WorkloadSession, APoolGrowsAndShrinksFromTheEndAndRepairsItself) {
  const json frame =
      run({{"objects", {pool(3)}},
           {"steps", {removal("Node", "n-0"), op("update", pool(5)), kSettle, op("update", pool(2)), kSettle}}});
  EXPECT_EQ(issues, json::array());
  ASSERT_EQ(frame["nodes"].size(), 2U);
  std::vector<std::string> names;
  for (const json& node : frame["nodes"]) names.push_back(node["name"]);
  std::sort(names.begin(), names.end());
  EXPECT_EQ(names, (std::vector<std::string>{"n-0", "n-1"}));
}

TEST_F(WorkloadSession, APoolIsDeletedWithItsNodes) {
  EXPECT_EQ(run({{"objects", {pool(3)}}, {"steps", {removal("NodePool", "n"), kSettle}}})["nodes"].size(), 0U);
}

struct BadPool {
  const char* name;
  const char* patch;  // JSON merge patch of a sound pool
  const char* path;   // of the first issue, in the pool
  const char* message;
};
class BadPoolTest : public WorkloadSession, public ::testing::WithParamInterface<BadPool> {};

TEST_P(BadPoolTest, IsToldAtItsPlace) {
  json bad = pool(2);
  bad.merge_patch(json::parse(GetParam().patch));
  const json frame = run({{"objects", {bad}}, {"steps", {kSettle}}});
  EXPECT_EQ(frame["nodes"].size(), 0U);
  ASSERT_GE(issues.size(), 1U);
  EXPECT_EQ(issues[0]["path"], std::string("/objects/0") + GetParam().path);
  EXPECT_NE(issues[0]["message"].get<std::string>().find(GetParam().message), std::string::npos) << issues[0].dump();
  EXPECT_EQ(issues[0]["severity"], "error");
}

INSTANTIATE_TEST_SUITE_P(
    Pools, BadPoolTest,
    ::testing::Values(
        BadPool{"of_another_version", R"({"apiVersion":"podberth/v2"})", "/apiVersion", "only podberth/v1"},
        BadPool{"without_a_name", R"({"metadata":{"name":null}})", "/metadata/name", "needs a name"},
        BadPool{"with_a_bad_name", R"({"metadata":{"name":"N_"}})", "/metadata/name", "RFC 1123"},
        BadPool{"whose_last_node_has_too_long_a_name",
                R"({"metadata":{"name":"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"},
                    "spec":{"count":12}})",
                "/metadata/name", "no more than 63"},
        BadPool{"too_large", R"({"spec":{"count":5001}})", "/spec/count", "from 0 to 5000"},
        BadPool{"with_half_a_node", R"({"spec":{"count":1.5}})", "/spec/count", "whole number"},
        BadPool{"with_a_zone_that_is_no_text", R"({"spec":{"zones":["a",3]}})", "/spec/zones/1", "name of a zone"},
        BadPool{"with_a_zone_that_is_no_label", R"({"spec":{"zones":["a b"]}})", "/spec/zones/0", "valid label"},
        BadPool{"with_an_unknown_field", R"({"spec":{"size":3}})", "/spec/size", "unknown field"},
        BadPool{"that_names_its_nodes", R"({"spec":{"template":{"metadata":{"name":"x"}}}})",
                "/spec/template/metadata/name", "unknown field"},
        BadPool{"with_unknown_metadata", R"({"metadata":{"namespce":"x"}})", "/metadata/namespce", "unknown field"},
        BadPool{"whose_labels_are_a_list", R"({"spec":{"template":{"metadata":{"labels":[]}}}})",
                "/spec/template/metadata/labels", "must be an object"},
        BadPool{"whose_nodes_have_a_bad_taint",
                R"({"spec":{"template":{"spec":{"taints":[{"key":"a","effect":"x"}]}}}})",
                "/spec/template/spec/taints/0/effect", "Unsupported value"},
        BadPool{"whose_nodes_have_a_bad_amount", R"({"spec":{"template":{"status":{"allocatable":{"cpu":"x"}}}}})",
                "/spec/template/status/allocatable/cpu", "quantities must match"}),
    [](const ::testing::TestParamInfo<BadPool>& tested) { return tested.param.name; });

TEST_F(WorkloadSession, APoolThatCannotGrowStaysAsItWas) {
  const json node = json::parse(R"({"apiVersion":"v1","kind":"Node","metadata":{"name":"n-2"}})");
  const json frame = run({{"objects", {pool(1), node}}, {"steps", {op("update", pool(4)), kSettle}}});
  EXPECT_EQ(frame["nodes"].size(), 2U);
  ASSERT_EQ(issues.size(), 1U);
  EXPECT_EQ(issues[0]["path"], "/steps/0/object/metadata/name");
  EXPECT_EQ(issues[0]["message"], "nodes \"n-2\" already exists");
}

TEST_F(WorkloadSession, PoolsMayNotHaveMoreThanTenThousandNodesInAll) {
  const auto named = [](const char* name, int count) {
    json out = pool(count);
    out["metadata"]["name"] = name;
    return out;
  };
  const json frame = run({{"objects", {named("a", 1), named("b", 5000)}},
                          {"steps", {op("create", named("c", 5000)), op("create", named("c", 2))}}});
  ASSERT_EQ(issues.size(), 1U) << issues.dump();
  EXPECT_EQ(issues[0]["path"], "/steps/0/object/spec/count");
  EXPECT_EQ(issues[0]["message"], "the NodePools would have 10001 nodes; there may be 10000 in all");
  EXPECT_EQ(frame["nodes"].size(), 5003U);
}

TEST_F(WorkloadSession, ATemplateForAnotherSchedulerIsWarnedOf) {
  json set = deployment(1);
  set["spec"]["template"]["spec"]["schedulerName"] = "other";
  json second = set;
  second["metadata"]["name"] = "second";
  const json scenario = {{"controllers", true}, {"objects", {set}}, {"steps", {op("create", second), kSettle}}};
  run(scenario);
  ASSERT_EQ(issues.size(), 2U) << issues.dump();
  EXPECT_EQ(issues[0]["path"], "/objects/0/spec/template/spec/schedulerName");
  EXPECT_EQ(issues[1]["path"], "/steps/0/object/spec/template/spec/schedulerName");
  for (const json& issue : issues) {
    EXPECT_EQ(issue["severity"], "warning");
    EXPECT_EQ(issue["message"],
              "no profile of this scheduler is called \"other\": its pods wait for another scheduler");
  }
  run({{"objects", {set}}, {"steps", {kSettle}}});
  for (const json& issue : issues) EXPECT_EQ(issue["severity"], "info") << "nobody makes pods of it";
}

TEST_F(WorkloadSession, ManyPodsSettleInOneStep) {
  json wide = pool(3);
  wide["spec"]["template"]["status"]["allocatable"] = {{"cpu", "9000"}, {"memory", "4Gi"}, {"pods", "9000"}};
  const json frame =
      run({{"controllers", true}, {"objects", {wide}}, {"steps", {op("create", deployment(2100, "1m")), kSettle}}});
  EXPECT_EQ(bound(frame), 2100);
}

// A ReplicaSet whose pods end as soon as they are made.
json endless() {
  json set = deployment(1);
  set["kind"] = "ReplicaSet";
  json& made = set["spec"]["template"];
  made["metadata"]["annotations"] = {{"podberth/runs-for-seconds", "0"}};
  made["spec"]["nodeName"] = "n-0";
  return set;
}

TEST_F(WorkloadSession, ASettleThatTheControllersKeepGoingEnds) {
  run({{"controllers", true}, {"objects", {pool(1)}}, {"steps", {op("create", endless()), kSettle}}});
  const std::string answer = session.run(R"({"toEnd":true})");
  EXPECT_NE(answer.find("did not settle"), std::string::npos) << answer;
}

TEST_F(WorkloadSession, EachRoundOfTheControllersIsAUnit) {
  const json scenario = {{"controllers", true}, {"objects", {pool(1)}}, {"steps", {op("create", endless()), kSettle}}};
  ASSERT_TRUE(json::parse(session.load(scenario.dump(), ""))["ok"]);
  for (int i = 0; i < 5; ++i) {
    const json answer = json::parse(session.run(R"({"units":1})"));
    EXPECT_FALSE(answer["done"]) << answer.dump();
  }
}

TEST_F(WorkloadSession, ManyPodsOneAfterTheOtherSettleForAllThat) {
  json wide = pool(1);
  wide["spec"]["template"]["status"]["allocatable"] = {{"cpu", "9000"}, {"memory", "4Gi"}, {"pods", "9000"}};
  json set = deployment(1050, "1m");
  set["kind"] = "StatefulSet";
  // So slow that they have a unit of their own before each cycle.
  const json scenario = {{"controllers", true},
                         {"timing", {{"controllerSeconds", 0.05}}},
                         {"objects", {wide}},
                         {"steps", {op("create", set), kSettle}}};
  ASSERT_TRUE(json::parse(session.load(scenario.dump(), ""))["ok"]);
  int units = 0;
  json ran;
  do {
    ran = json::parse(session.run(R"({"units":1})"));
    ASSERT_FALSE(ran.contains("failure")) << ran.dump();
    ++units;
  } while (!ran["done"]);
  EXPECT_GT(units, 2002);
}

TEST_F(WorkloadSession, APoolMayNotTakeTheNameOfANode) {
  const json node = json::parse(R"({"apiVersion":"v1","kind":"Node","metadata":{"name":"n-1"}})");
  const json frame = run({{"objects", {node}}, {"steps", {op("create", pool(3)), op("update", pool(3)), kSettle}}});
  EXPECT_EQ(frame["nodes"].size(), 1U);
  ASSERT_EQ(issues.size(), 2U);
  EXPECT_EQ(issues[0]["message"], "nodes \"n-1\" already exists");
  EXPECT_EQ(issues[1]["message"], "nodepools.podberth \"n\" not found");
}

}  // namespace
}  // namespace podberth::session
