#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "core/session/session.h"

namespace podberth::session {
namespace {

using nlohmann::json;

json node(const std::string& name, const std::string& cpu = "2") {
  const json resources = {{"cpu", cpu}, {"memory", "4Gi"}, {"pods", "10"}};
  return {{"apiVersion", "v1"},
          {"kind", "Node"},
          {"metadata", {{"name", name}, {"labels", {{"kubernetes.io/hostname", name}}}}},
          {"status", {{"allocatable", resources}, {"capacity", resources}}}};
}

json pod(const std::string& name, const std::string& cpu = "500m") {
  return {{"apiVersion", "v1"},
          {"kind", "Pod"},
          {"metadata", {{"name", name}, {"namespace", "default"}}},
          {"spec", {{"containers", {{{"name", "c"}, {"image", "i"}, {"resources", {{"requests", {{"cpu", cpu}}}}}}}}}}};
}

json create(const json& object) { return {{"op", "create"}, {"object", object}}; }

// Two nodes; a pod that fits and one that does not.
json example() {
  return {{"name", "example"},
          {"objects", {node("n1"), node("n2", "1")}},
          {"steps",
           {create(pod("small")), create(pod("big", "8")), {{"op", "settle"}}, {{"op", "advance"}, {"seconds", 2}}}}};
}

json parsed(const std::string& answer) { return json::parse(answer); }

json load(Session& session, const json& scenario) { return parsed(session.load(scenario.dump(), "")); }

json seek(Session& session, std::size_t step) {
  return parsed(session.seek(json{{"step", step}, {"nodes", "all"}}.dump()));
}

TEST(Session, LoadsRunsAndEndsWithThePodBoundAndTheOtherUnschedulable) {
  Session session;
  ASSERT_TRUE(load(session, example())["ok"]);
  const json ran = parsed(session.run(R"({"toEnd":true})"));
  EXPECT_TRUE(ran["done"]);
  const json last = seek(session, ran["steps"]);
  EXPECT_EQ(last["pods"]["default/small"]["node"], "n1");
  EXPECT_EQ(last["pods"]["default/big"]["message"],
            "0/2 nodes are available: 2 Insufficient cpu. preemption: 0/2 nodes are available: 2 Preemption is not "
            "helpful for "
            "scheduling.");
  ASSERT_EQ(last["queues"]["unschedulable"].size(), 1U);
  EXPECT_EQ(last["queues"]["unschedulable"][0]["plugins"], json({"NodeResourcesFit"}));
  for (const json& n : last["nodes"]) {
    if (n["name"] == "n1") {
      EXPECT_EQ(n["requested"]["cpu"], 500);
    }
  }
}

TEST(Session, TheHashAfterASeekIsTheHashAfterSoManySteps) {
  Session stepped;
  load(stepped, example());
  const std::size_t steps = parsed(stepped.run(R"({"toEnd":true})"))["steps"];
  ASSERT_GT(steps, 10U);
  std::vector<std::string> hashes;
  for (std::size_t i = 0; i <= steps; ++i) hashes.push_back(seek(stepped, i)["hash"]);
  // Backwards in the same session, and by leaps in another that computes only as far as it has to.
  for (std::size_t i = steps + 1; i-- > 0;) EXPECT_EQ(seek(stepped, i)["hash"], hashes[i]) << "back to " << i;
  Session leaping;
  load(leaping, example());
  for (std::size_t i : {steps / 2, std::size_t{0}, steps, steps / 3, steps - 1}) {
    EXPECT_EQ(seek(leaping, i)["hash"], hashes[i]) << "leap to " << i;
  }
  for (std::size_t i = 1; i <= steps; ++i) EXPECT_NE(hashes[i], hashes[i - 1]);
}

TEST(Session, AnAttemptTellsEveryNodesVerdictAndTheScores) {
  Session session;
  load(session, example());
  session.run(R"({"toEnd":true})");
  const json small = parsed(session.attempt(R"({"pod":"default/small"})"));
  EXPECT_EQ(small["host"], "n1");
  EXPECT_EQ(small["scores"][0]["node"], "n1");
  EXPECT_EQ(small["scores"].size(), 2U);
  for (const json& score : small["scores"]) {
    std::int64_t total = 0;
    for (std::size_t i = 0; i < score["plugins"].size(); ++i) {
      const json& p = score["plugins"][i];
      EXPECT_EQ(p["weighted"].get<int>(), p["normalized"].get<int>() * small["scorePlugins"][i]["weight"].get<int>());
      total += p["weighted"].get<std::int64_t>();
    }
    EXPECT_EQ(total, score["total"]);
  }
  const json big = parsed(session.attempt(R"({"pod":"default/big","attempt":1})"));
  EXPECT_EQ(big["nodes"].size(), 2U);
  EXPECT_EQ(big["nodes"][0]["reasons"], json({"Insufficient cpu"}));
  EXPECT_FALSE(parsed(session.attempt(R"({"pod":"default/nobody"})"))["ok"]);
}

TEST(Session, AnAttemptSaysWhichNodesTheSchedulerLookedAt) {
  json scenario = {{"name", "large"}, {"objects", json::array()}, {"steps", json::array()}};
  for (int i = 0; i < 150; ++i) scenario["objects"].push_back(node("n" + std::to_string(i), "4"));
  scenario["steps"].push_back(create(pod("web")));
  scenario["steps"].push_back({{"op", "settle"}});
  Session session;
  load(session, scenario);
  session.run(R"({"toEnd":true})");
  const json web = parsed(session.attempt(R"({"pod":"default/web"})"));
  ASSERT_EQ(web["evaluated"], 100);  // of 150, a hundred that fit are enough
  ASSERT_EQ(web["nodes"].size(), 150U);
  int looked_at = 0;
  for (const json& n : web["nodes"]) looked_at += n["evaluated"].get<bool>() ? 1 : 0;
  EXPECT_EQ(looked_at, 100);
  Session few;
  load(few, example());
  few.run(R"({"toEnd":true})");
  const json all = parsed(few.attempt(R"({"pod":"default/small"})"));
  ASSERT_FALSE(all["nodes"].empty());
  for (const json& n : all["nodes"]) EXPECT_FALSE(n.contains("evaluated"));
}

TEST(Session, AStepPutInTheMiddleDiscardsWhatCameAfter) {
  Session session;
  load(session, example());
  session.run(R"({"toEnd":true})");
  seek(session, 1);  // `small` has been created, `big` has not
  const json applied = parsed(session.apply(create(pod("other")).dump()));
  ASSERT_TRUE(applied["ok"]);
  EXPECT_EQ(applied["rejected"], "");
  const json last = seek(session, applied["steps"]);
  EXPECT_TRUE(last["pods"].contains("default/other"));
  EXPECT_FALSE(last["pods"].contains("default/big"));
}

TEST(Session, ASettleThatIsCutKeepsTheCyclesThatWereRun) {
  Session session;
  json scenario = example();
  scenario["steps"] = {create(pod("small")), create(pod("big", "8")), {{"op", "settle"}}};
  load(session, scenario);
  const std::size_t steps = parsed(session.run(R"({"toEnd":true})"))["steps"];
  std::size_t bound = 1;
  while (bound < steps && seek(session, bound)["kind"] != "bind") ++bound;
  const json op = {{"op", "delete"}, {"kind", "Pod"}, {"namespace", "default"}, {"name", "small"}};
  const json applied = parsed(session.apply(op.dump()));
  EXPECT_EQ(applied["cut"], 1);
  EXPECT_EQ(seek(session, applied["firstStep"])["operation"], 3);  // create, create, step, delete
  EXPECT_EQ(parsed(session.apply(R"({"op":"settle","at":"end"})"))["cut"], 0);
}

TEST(Session, AStepAtTheEndGoesOnWithTheRun) {
  Session session;
  load(session, example());
  session.run(R"({"toEnd":true})");
  json op = {{"op", "update"}, {"object", node("n1", "16")}, {"at", "end"}};
  ASSERT_TRUE(parsed(session.apply(op.dump()))["ok"]);
  ASSERT_TRUE(parsed(session.apply(R"({"op":"settle","at":"end"})"))["ok"]);
  const json last = seek(session, 100000);
  EXPECT_EQ(last["pods"]["default/big"]["node"], "n1");
  EXPECT_EQ(parsed(session.apply(R"({"op":"delete","kind":"Pod","name":"nobody","at":"end"})"))["rejected"],
            "pods \"nobody\" not found");
}

TEST(Session, DetailsOfALargeClusterAreComputedWhenAsked) {
  json scenario = example();
  Session full;
  load(full, scenario);
  full.run(R"({"toEnd":true})");
  Session summary;
  summary.load(scenario.dump(), R"({"detailLimit":1})");
  summary.run(R"({"toEnd":true})");
  const std::string query = R"({"pod":"default/small"})";
  json a = parsed(full.attempt(query));
  json b = parsed(summary.attempt(query));
  EXPECT_EQ(a["scores"], b["scores"]);
  EXPECT_EQ(a["nodes"], b["nodes"]);
  EXPECT_FALSE(b["scores"].empty());
}

TEST(Session, WhatIsNoScenarioIsRefusedAtItsPlaceAndLeavesTheOldOne) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"{", ""},
      {"[]", ""},
      {R"({"steps":[{"op":"jump"}]})", "/steps/0/op"},
      {R"({"steps":[{"op":"delete"}]})", "/steps/0"},
      {R"({"steps":[{"op":"advance","seconds":-1}]})", "/steps/0/seconds"},
      {R"({"steps":[{"op":"create"}]})", "/steps/0/object"},
      {R"({"objects":{}})", "/objects"},
      {R"({"apiVersion":"v1"})", "/apiVersion"},
      {R"({"featureGates":{"X":1}})", "/featureGates/X"},
      {R"({"release":"v1.2"})", "/release"},
      {std::string(300, '[') + std::string(300, ']'), ""},
  };
  Session session;
  load(session, example());
  const json before = seek(session, 2);
  for (const auto& [text, path] : cases) {
    const json answer = parsed(session.load(text, ""));
    EXPECT_FALSE(answer["ok"]) << text;
    ASSERT_FALSE(answer["issues"].empty()) << text;
    EXPECT_EQ(answer["issues"][0]["path"], path) << text;
    EXPECT_EQ(seek(session, 2)["hash"], before["hash"]);
  }
}

// A scenario in which v1.24 draws lots: several equal nodes.
json equalNodes() {
  json scenario = {{"name", "equal"}, {"release", "v1.24"}, {"objects", json::array()}, {"steps", json::array()}};
  for (int i = 0; i < 6; ++i) scenario["objects"].push_back(node("n" + std::to_string(i)));
  for (int i = 0; i < 4; ++i) scenario["steps"].push_back(create(pod("p" + std::to_string(i))));
  json enabled = json::array();
  for (const char* name : {"PrioritySort", "NodeResourcesFit", "DefaultPreemption", "DefaultBinder"}) {
    enabled.push_back({{"name", name}});
  }
  scenario["config"] = {
      {"apiVersion", "kubescheduler.config.k8s.io/v1beta3"},
      {"kind", "KubeSchedulerConfiguration"},
      {"profiles", {{{"plugins", {{"multiPoint", {{"enabled", enabled}, {"disabled", {{{"name", "*"}}}}}}}}}}}};
  scenario["steps"].push_back(create(pod("big", "8")));
  scenario["steps"].push_back({{"op", "settle"}});
  scenario["steps"].push_back({{"op", "advance"}, {"seconds", 2}});
  return scenario;
}

std::string hostsOf(const json& scenario) {
  Session session;
  EXPECT_TRUE(load(session, scenario)["ok"]);
  const json ran = parsed(session.run(R"({"toEnd":true})"));
  const json last = seek(session, ran["steps"]);
  std::string out;
  for (const auto& [name, p] : last["pods"].items()) out += p["node"].get<std::string>() + " ";
  return out;
}

TEST(Releases, TheOlderOneRunsAndGoingBackGivesTheSameStates) {
  Session session;
  ASSERT_TRUE(load(session, equalNodes())["ok"]);
  const json ran = parsed(session.run(R"({"toEnd":true})"));
  EXPECT_TRUE(ran["done"]);
  const std::size_t steps = ran["steps"];
  std::vector<std::string> hashes;
  for (std::size_t i = 0; i <= steps; ++i) hashes.push_back(seek(session, i)["hash"]);
  for (std::size_t i = steps + 1; i-- > 0;) EXPECT_EQ(seek(session, i)["hash"], hashes[i]) << "back to " << i;
  const json trace = json::parse(parsed(session.trace("{}"))["trace"].get<std::string>());
  EXPECT_EQ(trace["scheduler"], "v1.24.17");
  const json attempt = parsed(session.attempt(R"({"pod":"default/big","attempt":1})"));
  EXPECT_TRUE(attempt["ok"]);
  // v1.24 does not know that no preemption would make the pod fit.
  EXPECT_EQ(attempt["postFilter"]["message"],
            "preemption: 0/6 nodes are available: 6 No preemption victims found for incoming pod.");
}

TEST(Releases, LotsComeFromTheSeedAndFromNothingElse) {
  std::vector<std::string> drawn;
  for (int seed = 1; seed <= 8; ++seed) {
    json scenario = equalNodes();
    scenario["seed"] = seed;
    drawn.push_back(hostsOf(scenario));
    EXPECT_EQ(drawn.back(), hostsOf(scenario)) << seed;
  }
  EXPECT_EQ(drawn[0], hostsOf(equalNodes())) << "1 is the default";
  std::sort(drawn.begin(), drawn.end());
  EXPECT_GT(std::unique(drawn.begin(), drawn.end()) - drawn.begin(), 1);
}

TEST(Releases, TheOptionGoesBeforeTheScenarioAndAnUnknownOneLeavesTheOldScenario) {
  Session session;
  ASSERT_TRUE(parsed(session.load(equalNodes().dump(), R"({"release":"v1.37"})"))["ok"]);
  EXPECT_NE(session.trace("{}").find("v1.37.2"), std::string::npos);
  const json refused = parsed(session.load(equalNodes().dump(), R"({"release":"v1.30"})"));
  EXPECT_FALSE(refused["ok"]);
  EXPECT_EQ(refused["issues"][0]["message"], "release \"v1.30\" is not simulated; there are v1.37.2, v1.24.17");
  EXPECT_TRUE(seek(session, 1)["ok"]);
}

TEST(Releases, AChoiceThatIsNotAmongTheBestEndsTheRun) {
  json scenario = equalNodes();
  const json follow = {{"trace", {{{"type", "cycle"}, {"pod", "default/p0"}, {"attempt", 1}, {"host", "n9"}}}}};
  Session session;
  ASSERT_TRUE(parsed(session.load(scenario.dump(), json{{"follow", follow}}.dump()))["ok"]);
  const json ran = parsed(session.run(R"({"toEnd":true})"));
  EXPECT_EQ(
      ran["failure"],
      "step 5: the choice of node n9 for pod default/p0 (attempt 1) cannot be followed: the pod does not fit there");
  EXPECT_FALSE(parsed(session.load(scenario.dump(), R"({"follow":{}})"))["ok"]);
}

TEST(Releases, AreListedWithTheirPlugins) {
  const json version = parsed(Session::version());
  EXPECT_EQ(version["release"], "v1.37.2");
  ASSERT_EQ(version["releases"].size(), 2U);
  EXPECT_EQ(version["releases"][0]["plugins"], version["plugins"]);
  EXPECT_EQ(version["releases"][1]["name"], "v1.24");
  EXPECT_EQ(version["releases"][1]["version"], "v1.24.17");
  EXPECT_FALSE(version["releases"][1]["plugins"].empty());
}

TEST(Session, CheckTellsWhatAdmissionWouldSayWithoutRunning) {
  json bad = pod("Bad_Name");
  const json answer = parsed(Session().check(json{{"objects", {node("n1"), bad}}}.dump()));
  ASSERT_TRUE(answer["ok"]);
  bool found = false;
  for (const json& issue : answer["issues"]) {
    found = found || (issue["path"] == "/objects/1/metadata/name" && issue["severity"] == "error");
  }
  EXPECT_TRUE(found) << answer.dump(1);
}

TEST(Session, AnErrorIsToldHoweverManyRemarksComeBeforeIt) {
  json objects = json::array();
  for (int i = 0; i < 300; ++i) {
    objects.push_back(pod("p" + std::to_string(i)));
    objects.back()["spec"]["serviceAccountName"] = "default";  // stored, but scheduling does not look at it
  }
  objects.push_back(pod("Bad_Name"));
  const json answer = parsed(Session().check(json{{"objects", objects}}.dump()));
  ASSERT_GT(answer["issues"].size(), 1U);
  EXPECT_EQ(answer["issues"][0]["path"], "/objects/300/metadata/name");
  EXPECT_EQ(answer["issues"][0]["severity"], "error");
  EXPECT_EQ(answer["issues"][1]["severity"], "info");
}

TEST(Session, APodOfAnotherSchedulerIsSaidToWaitForIt) {
  json scenario = example();
  json other = pod("other");
  other["spec"]["schedulerName"] = "elsewhere";
  scenario["objects"].push_back(other);
  Session session;
  const json answer = load(session, scenario);
  bool found = false;
  for (const json& issue : answer["issues"]) {
    found = found || (issue["path"] == "/objects/2/spec/schedulerName" && issue["severity"] == "warning");
  }
  EXPECT_TRUE(found) << answer.dump(1);
}

TEST(Session, WithoutAScenarioEveryQuestionIsRefused) {
  Session session;
  EXPECT_FALSE(parsed(session.run("{}"))["ok"]);
  EXPECT_FALSE(parsed(session.seek("{}"))["ok"]);
  EXPECT_FALSE(parsed(session.apply(R"({"op":"settle"})"))["ok"]);
  EXPECT_FALSE(parsed(session.attempt("{}"))["ok"]);
  EXPECT_FALSE(parsed(session.explain("{}"))["ok"]);
  EXPECT_FALSE(parsed(session.trace("{}"))["ok"]);
}

std::vector<std::string> bound(Simulation& simulation) {
  std::vector<std::string> out;
  simulation.start();
  while (simulation.runUnit()) {
  }
  for (const trace::Entry& e : simulation.recorder().entries()) {
    if (e.type == trace::Type::kBind) out.push_back(e.pod);
  }
  return out;
}

// The scheduler knows only what the informers tell it.
TEST(Session, WhatAnOperationChangesIsSeenInItsOwnStep) {
  json scenario = example();
  json cordoned = node("n2", "1");
  cordoned["spec"]["unschedulable"] = true;
  scenario["steps"] = {create(pod("small")),
                       {{"op", "settle"}},
                       {{"op", "update"}, {"object", cordoned}},
                       {{"op", "delete"}, {"kind", "Pod"}, {"namespace", "default"}, {"name", "small"}}};
  Session session;
  ASSERT_TRUE(load(session, scenario)["ok"]);
  const json created = seek(session, 1);
  EXPECT_EQ(created["sentence"], "Pod small is created");
  EXPECT_TRUE(created["pods"].contains("default/small"));
  EXPECT_TRUE(created["queues"]["active"].empty());  // the scheduler has not heard of it yet
  const std::size_t steps = parsed(session.run(R"({"toEnd":true})"))["steps"];
  for (std::size_t i = 1; i <= steps; ++i) {
    const json frame = seek(session, i);
    if (frame["sentence"] == "Node n2 is updated") {
      EXPECT_TRUE(frame["nodes"][1]["unschedulable"]);
      EXPECT_TRUE(frame["pods"].contains("default/small"));
    }
    if (frame["sentence"] == "Pod small is deleted") {
      EXPECT_FALSE(frame["pods"].contains("default/small"));
      EXPECT_TRUE(frame["nodes"][0]["pods"].empty());
    }
  }
}

// The lines of a plugin's score of a node in the first attempt of `small`.
std::string scoreLines(Session& session, const std::string& node_name, const std::string& plugin) {
  const json small = parsed(session.attempt(R"({"pod":"default/small"})"));
  const json query = {{"score", {{"step", small["step"]}, {"node", node_name}, {"plugin", plugin}}}};
  std::string out;
  const json answer = parsed(session.explain(query.dump()));
  for (const json& line : answer["lines"]) out += line["text"].get<std::string>() + "\n";
  return out;
}

TEST(Session, AScoreIsExplainedWithItsNumbers) {
  struct Case {
    const char* what;
    const char* strategy;
    const char* node;
    const char* plugin;
    const char* lines;
  };
  const Case cases[] = {
      {"room that is left", "LeastAllocated", "n1", "NodeResourcesFit",
       "cpu: with the pod 500m of 2000m are requested; (2000m - 500m) \u00d7 100 / 2000m = 75\n"
       "memory: with the pod 200Mi of 4096Mi are requested; (4096Mi - 200Mi) \u00d7 100 / 4096Mi = 95\n"
       "(75 + 95) / 2 = 85\n85 \u00d7 weight 1 = 85\n"},
      {"room that is taken", "MostAllocated", "n2", "NodeResourcesFit",
       "cpu: with the pod 500m of 1000m are requested; 500m \u00d7 100 / 1000m = 50\n"
       "memory: with the pod 200Mi of 4096Mi are requested; 200Mi \u00d7 100 / 4096Mi = 4\n"
       "(50 + 4) / 2 = 27\n27 \u00d7 weight 1 = 27\n"},
      {"balance", "LeastAllocated", "n1", "NodeResourcesBalancedAllocation",
       "with the pod 25 % of cpu and 0 % of memory are requested: balanced to 87 of 100, without it to 100\n"
       "50 + (50 + 87 - 100) / 2 = 68\n68 \u00d7 weight 1 = 68\n"},
      {"nothing to count", "LeastAllocated", "n1", "TaintToleration",
       "raw 0: taints with PreferNoSchedule that the pod does not tolerate\n100: no node has any\n"
       "100 \u00d7 weight 3 = 300\n"},
  };
  for (const Case& c : cases) {
    json scenario = example();
    scenario["config"] = {
        {"apiVersion", "kubescheduler.config.k8s.io/v1"},
        {"kind", "KubeSchedulerConfiguration"},
        {"profiles",
         {{{"schedulerName", "default-scheduler"},
           {"pluginConfig",
            {{{"name", "NodeResourcesFit"}, {"args", {{"scoringStrategy", {{"type", c.strategy}}}}}}}}}}}};
    Session session;
    ASSERT_TRUE(load(session, scenario)["ok"]) << c.what;
    session.run(R"({"toEnd":true})");
    EXPECT_EQ(scoreLines(session, c.node, c.plugin), c.lines) << c.what;
  }
}

TEST(Session, ANodeWithoutATopologyKeyIsNotComparedInTheWordsAboutSpreading) {
  json scenario = example();
  json other = pod("other");
  other["metadata"]["labels"] = {{"app", "web"}};
  other["spec"]["nodeName"] = "n1";
  scenario["objects"].push_back(other);
  scenario["objects"].push_back(node("n3"));
  for (std::size_t i = 0; i < 2; ++i) scenario["objects"][i]["metadata"]["labels"]["rack"] = std::to_string(i);
  json& small = scenario["steps"][0]["object"];
  small["metadata"]["labels"] = {{"app", "web"}};
  small["spec"]["topologySpreadConstraints"] = {{{"maxSkew", 1},
                                                 {"topologyKey", "rack"},
                                                 {"whenUnsatisfiable", "ScheduleAnyway"},
                                                 {"labelSelector", {{"matchLabels", {{"app", "web"}}}}}}};
  Session session;
  ASSERT_TRUE(load(session, scenario)["ok"]);
  session.run(R"({"toEnd":true})");
  EXPECT_NE(scoreLines(session, "n3", "PodTopologySpread").find("0: the node lacks a topology key"), std::string::npos);
  for (const char* name : {"n1", "n2"}) {
    const std::string lines = scoreLines(session, name, "PodTopologySpread");
    EXPECT_NE(lines.find("is what nodes have"), std::string::npos) << name << ": " << lines;
  }
}

TEST(Simulation, CuttingAHopOfTheInformersChangesTheTrace) {
  Scenario scenario;
  std::vector<api::Issue> issues;
  json value = example();
  value["steps"].insert(value["steps"].begin(), create(node("n3", "16")));
  ASSERT_TRUE(readScenario(value, scenario, issues));
  Simulation whole(scenario, {});
  EXPECT_EQ(bound(whole), (std::vector<std::string>{"default/small", "default/big"}));
  SimulationOptions no_pods;
  no_pods.deaf = api::Kind::kPod;
  Simulation deaf_to_pods(scenario, no_pods);
  EXPECT_TRUE(bound(deaf_to_pods).empty());
  SimulationOptions no_nodes;
  no_nodes.deaf = api::Kind::kNode;
  Simulation deaf_to_nodes(scenario, no_nodes);
  EXPECT_EQ(bound(deaf_to_nodes), (std::vector<std::string>{"default/small"}));
}

TEST(Simulation, HopsAreInTheTraceOnlyIfAskedFor) {
  Scenario scenario;
  std::vector<api::Issue> issues;
  ASSERT_TRUE(readScenario(example(), scenario, issues));
  const auto hops = [&](bool on) {
    SimulationOptions options;
    options.informers = on;
    Simulation simulation(scenario, options);
    bound(simulation);
    std::size_t n = 0;
    for (const trace::Entry& e : simulation.recorder().entries()) n += e.type == trace::Type::kInformer ? 1 : 0;
    return n;
  };
  EXPECT_EQ(hops(false), 0U);
  EXPECT_GT(hops(true), 10U);
}

}  // namespace
}  // namespace podberth::session
