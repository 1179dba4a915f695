// Extenders, from the documents that say what they answer to what the scheduler makes of it. There is no oracle for
// them: what is expected here was read in upstream's extender.go, schedule_one.go and preemption.go.
#include "tests/unit/session/story.h"

namespace podberth::session {
namespace {

using namespace testkit;  // NOLINT: this is what it is for

constexpr const char* kUrl = "http://e.example/x";

json extender(json fields = json::object()) {
  json out = {{"urlPrefix", kUrl},  {"filterVerb", "filter"},   {"prioritizeVerb", "prioritize"}, {"weight", 1},
              {"bindVerb", "bind"}, {"preemptVerb", "preempt"}, {"nodeCacheCapable", true}};
  out.update(fields);
  return out;
}

json document(json spec, const std::string& name = "outside", const std::string& url = kUrl) {
  spec["urlPrefix"] = url;
  return {{"apiVersion", "podberth/v1"}, {"kind", "Extender"}, {"metadata", {{"name", name}}}, {"spec", spec}};
}

// Two nodes, n1 with more room, and the pod p.
json scenario(const json& spec, const json& fields = json::object()) {
  return {{"name", "x"},
          {"config", config({{"extenders", {extender(fields)}}})},
          {"extenders", {document(spec)}},
          {"objects", {node("n1", "8"), node("n2")}},
          {"steps", {create(pod("p")), settle()}}};
}

const json kOnN1 = {{"names", {"n1"}}};
const json kOnN2 = {{"names", {"n2"}}};

TEST(Extender, WithoutRulesItChangesNothing) {
  Story story(scenario(json::object()));
  EXPECT_EQ(story.issues(), std::vector<std::string>());
  EXPECT_EQ(story.bindings(), std::vector<std::string>{"p: n1"});
  const std::vector<json> calls = story.entries("extender", "p");
  ASSERT_EQ(calls.size(), 3U);
  EXPECT_EQ(calls[0]["verb"], "filter");
  EXPECT_EQ(calls[0]["nodes"], json({"n1", "n2"}));
  EXPECT_EQ(calls[0]["url"], "http://e.example/x/filter");
  EXPECT_EQ(calls[1]["verb"], "prioritize");
  EXPECT_EQ(calls[1]["scores"], json({{"n1", 0}, {"n2", 0}}));
  EXPECT_EQ(calls[2]["verb"], "bind");
}

TEST(Extender, WithoutADocumentItIsNotAskedAndTheUserIsTold) {
  json quiet = scenario(json::object());
  quiet.erase("extenders");
  Story story(quiet);
  EXPECT_EQ(story.issues(), std::vector<std::string>{"/config/extenders: extenders are not called in the simulation"});
  EXPECT_TRUE(story.entries("extender").empty());
  EXPECT_EQ(story.bindings(), std::vector<std::string>{"p: n1"});
}

TEST(Extender, ANodeThatItRejectsIsOut) {
  Story story(scenario({{"filter", {{{"nodes", kOnN1}, {"reject", "no licence"}}}}}));
  EXPECT_EQ(story.bindings(), std::vector<std::string>{"p: n2"});
  const json attempt = story.attempt("p");
  EXPECT_EQ(attempt["plugins"].back(), "Extender");
  EXPECT_EQ(attempt["nodes"][0]["plugin"], "Extender");
  EXPECT_EQ(attempt["nodes"][0]["code"], "Unschedulable");
  EXPECT_EQ(attempt["nodes"][0]["reasons"], json({"no licence"}));
  EXPECT_EQ(attempt["nodes"][0]["verdicts"].back()["code"], "Unschedulable");
  EXPECT_EQ(attempt["nodes"][1]["verdicts"].back()["code"], "Success");
  EXPECT_EQ(attempt["extenders"].size(), 2U) << "filter and bind: of one node nothing is scored";
  EXPECT_EQ(attempt["extenders"][0]["failed"], json({{"n1", "no licence"}}));
}

TEST(Extender, APodThatItRejectsEverywhereIsUnschedulableByExtender) {
  Story story(scenario({{"filter", {{{"nodes", kOnN1}, {"reject", "no licence"}}, {{"unresolvable", "wrong site"}}}}}));
  const std::string fit = "0/2 nodes are available: 1 no licence, 1 wrong site.";
  // The write of its own condition is an event too, so the pod is tried once more.
  ASSERT_EQ(story.events("p").size(), 2U);
  EXPECT_EQ(story.events("p")[0],
            fit +
                " preemption: 0/2 nodes are available: 1 No preemption victims found for incoming pod, 1 Preemption is "
                "not helpful for scheduling.");
  EXPECT_EQ(story.entries("cycle", "p")[0]["unschedulablePlugins"], json({"Extender"}));
  EXPECT_EQ(story.entries("cycle", "p")[0]["error"], fit);
}

TEST(Extender, AnyEventWakesAPodThatItRejected) {
  json waking = scenario({{"filter", {{{"reject", "closed"}, {"when", {{"untilSecond", 3}}}}}}});
  json changed = node("n2");
  changed["metadata"]["annotations"] = {{"a", "b"}};
  waking["steps"] = {create(pod("p")), settle(), advance(4), {{"op", "update"}, {"object", changed}}, settle()};
  Story story(waking);
  EXPECT_EQ(story.moves("p").back(), "Active by NodeUpdateNodeAnnotation");
  EXPECT_EQ(story.bindings(), std::vector<std::string>{"p: n1"});
}

TEST(Extender, ItsScoresCountTenTimesTheirWeight) {
  Story story(scenario({{"prioritize", {{{"nodes", {{"names", {"n2"}}}}, {"score", 7}}}}}, {{"weight", 3}}));
  EXPECT_EQ(story.bindings(), std::vector<std::string>{"p: n2"});
  Story without(scenario(json::object()));
  const auto total = [](Story& of, const char* name) -> int {
    return of.entries("cycle", "p")[0]["scores"][name]["total"];
  };
  EXPECT_EQ(total(story, "n2"), total(without, "n2") + 7 * 10 * 3);
  EXPECT_EQ(total(story, "n1"), total(without, "n1"));
  const json attempt = story.attempt("p");
  EXPECT_EQ(attempt["scorePlugins"].back(), json({{"name", "outside"}, {"weight", 3}}));
  EXPECT_EQ(attempt["scores"][0]["plugins"].back(), json({{"raw", 7}, {"normalized", 70}, {"weighted", 210}}));
}

TEST(Extender, OneThatIsConfiguredTwiceHasTwoColumnsAndEachOfItsRulesIsAsked) {
  json twice = scenario({{"filter", {{{"accept", true}}}}, {"prioritize", {{{"nodes", kOnN2}, {"score", 3}}}}});
  twice["config"]["extenders"] = {
      {{"urlPrefix", kUrl}, {"prioritizeVerb", "a"}, {"weight", 7}, {"nodeCacheCapable", true}},
      {{"urlPrefix", kUrl}, {"prioritizeVerb", "b"}, {"weight", 2}, {"filterVerb", "f"}, {"nodeCacheCapable", true}}};
  Story story(twice);
  EXPECT_EQ(story.issues(), std::vector<std::string>());
  std::vector<std::string> columns;
  const json attempt = story.attempt("p");
  for (const json& column : attempt["scorePlugins"]) {
    if (column["name"].get<std::string>().rfind("outside", 0) == 0) columns.push_back(column.dump());
  }
  EXPECT_EQ(columns,
            (std::vector<std::string>{R"({"name":"outside","weight":7})", R"x({"name":"outside (2)","weight":2})x"}))
      << attempt.dump();
}

TEST(Extender, TwoDocumentsMayNotAnswerAtTheSameAddressHoweverItIsWritten) {
  json two = scenario(json::object());
  two["extenders"].push_back(document(json::object(), "other", std::string(kUrl) + "/"));
  Story story(two);
  EXPECT_EQ(story.issues(),
            std::vector<std::string>{"/extenders/1/spec/urlPrefix: another Extender answers there already"});
}

TEST(Extender, OneThatCachesNoNodesMakesThePluginsScoreEmptyNodes) {
  // The nodes that come back from the extender have no pods, so the full one looks as good as the empty one.
  const auto total = [](bool caches, const char* name) -> int {
    json full = scenario(json::object(), {{"nodeCacheCapable", caches}});
    full["objects"] = {node("n1"), node("n2")};
    json there = pod("there", "1500m");
    there["spec"]["nodeName"] = "n1";
    full["objects"].push_back(there);
    Story story(full);
    return story.entries("cycle", "p")[0]["scores"][name]["total"];
  };
  EXPECT_LT(total(true, "n1"), total(true, "n2"));
  EXPECT_EQ(total(false, "n1"), total(false, "n2"));
}

struct Failure {
  const char* name;
  json answer;
  const char* text;
};

TEST(Extender, AFilterThatFailsFailsTheAttempt) {
  const Failure failures[] = {
      {"the answer says so", {{"error", "out of memory"}}, "out of memory"},
      {"the server fails", {{"status", 503}}, "failed filter with extender at URL http://e.example/x/filter, code 503"},
      {"there is no server",
       {{"unreachable", "dial tcp 10.0.0.9:80: connect: connection refused"}},
       "Post \"http://e.example/x/filter\": dial tcp 10.0.0.9:80: connect: connection refused"},
  };
  for (const Failure& failure : failures) {
    Story story(scenario({{"filter", {failure.answer}}}));
    ASSERT_FALSE(story.events("p").empty()) << failure.name;
    EXPECT_EQ(story.events("p")[0], failure.text) << failure.name;
    EXPECT_EQ(story.podState("p")["condition"], "False SchedulerError") << failure.name;
    Story ignorable(scenario({{"filter", {failure.answer}}}, {{"ignorable", true}}));
    EXPECT_EQ(ignorable.bindings(), std::vector<std::string>{"p: n1"}) << failure.name;
    EXPECT_EQ(ignorable.entries("extender", "p")[0]["ignored"], true) << failure.name;
  }
}

TEST(Extender, APrioritizeThatFailsIsIgnoredWhoeverItIs) {
  Story story(scenario({{"prioritize", {{{"status", 500}}}}}));
  EXPECT_EQ(story.bindings(), std::vector<std::string>{"p: n1"});
  EXPECT_EQ(story.entries("extender", "p")[1]["error"],
            "failed prioritize with extender at URL http://e.example/x/prioritize, code 500");
}

TEST(Extender, ItBindsInsteadOfThePluginsAndItsErrorIsThePods) {
  Story story(scenario({{"bind", {{{"error", "no lease"}}}}}));
  EXPECT_TRUE(story.bindings().empty());
  EXPECT_EQ(story.events("p")[0], "no lease");
  EXPECT_EQ(story.moves("p")[1], "Backoff by ScheduleAttemptFailure");
  Story ignorable(scenario({{"bind", {{{"error", "no lease"}}}}}, {{"ignorable", true}}));
  EXPECT_EQ(ignorable.bindings(), std::vector<std::string>{"p: n1"}) << "the plugins bind it";
}

TEST(Extender, ABindingWhoseAnswerGetsLostStands) {
  Story story(scenario({{"bind", {{{"unreachable", "EOF"}, {"bound", true}}}}}));
  EXPECT_EQ(story.bindings(), std::vector<std::string>{"p: n1"});
  EXPECT_EQ(story.entries("cycle", "p").size(), 1U) << "it is not tried again";
  EXPECT_EQ(story.events("p")[0], "Post \"http://e.example/x/bind\": EOF");
}

TEST(Extender, OnlyPodsThatAskForAManagedResourceConcernIt) {
  json managed = scenario({{"filter", {{{"reject", "no"}}}}},
                          {{"managedResources", {{{"name", "example.com/gpu"}, {"ignoredByScheduler", true}}}}});
  json asking = pod("asking");
  asking["spec"]["containers"][0]["resources"]["limits"] = {{"example.com/gpu", "1"}};
  asking["spec"]["containers"][0]["resources"]["requests"]["example.com/gpu"] = "1";
  managed["steps"] = {create(pod("p")), create(asking), settle()};
  Story story(managed);
  EXPECT_EQ(story.bindings(), std::vector<std::string>{"p: n1"});
  EXPECT_TRUE(story.entries("extender", "p").empty());
  // No node has the resource: the plugin ignores it, only the extender says no.
  EXPECT_EQ(story.entries("cycle", "asking")[0]["error"], "0/2 nodes are available: 2 no.");
}

TEST(Extender, IgnoredResourcesNeedTheArgumentsOfNodeResourcesFit) {
  json broken =
      scenario(json::object(), {{"managedResources", {{{"name", "example.com/gpu"}, {"ignoredByScheduler", true}}}}});
  broken["config"]["profiles"] = {{{"plugins",
                                    {{"multiPoint", {{"disabled", {{{"name", "*"}}}}}},
                                     {"queueSort", {{"enabled", {{{"name", "PrioritySort"}}}}}},
                                     {"bind", {{"enabled", {{{"name", "DefaultBinder"}}}}}}}}}};
  Story story(broken);
  ASSERT_EQ(story.entries("config").size(), 1U);
  EXPECT_EQ(story.entries("config")[0]["error"],
            "couldn't build extenders: can't find NodeResourcesFitArgs in plugin config");
}

TEST(Extender, IgnorableOnesAreAskedLastAndOnlyAboutWhatIsLeft) {
  json two = scenario({{"filter", {{{"nodes", kOnN1}, {"reject", "first"}}}}}, {{"ignorable", true}});
  json second = extender({{"urlPrefix", "http://f.example"}});
  second.erase("bindVerb");
  two["config"]["extenders"].push_back(second);
  two["extenders"].push_back(
      document({{"filter", {{{"nodes", {{"names", {"n2"}}}}, {"reject", "second"}}}}}, "other", "http://f.example"));
  Story story(two);
  const std::vector<json> calls = story.entries("extender", "p");
  ASSERT_GE(calls.size(), 2U);
  EXPECT_EQ(calls[0]["extender"], "other");
  EXPECT_EQ(calls[1]["extender"], "outside");
  EXPECT_EQ(calls[1]["nodes"], json({"n1"}));
  EXPECT_EQ(story.entries("cycle", "p")[0]["error"], "0/2 nodes are available: 1 first, 1 second.");
}

// Two full nodes whose pods may be evicted for the pod p.
json preempting(const json& rules, const json& fields = json::object()) {
  json out = scenario({{"preempt", rules}}, fields);
  out["objects"] = {node("n1"), node("n2")};
  for (const char* name : {"n1", "n2"}) {
    json there = pod("on-" + std::string(name), "1500m");
    there["spec"]["nodeName"] = name;
    there["spec"]["priority"] = 0;
    out["objects"].push_back(there);
  }
  out["objects"].push_back({{"apiVersion", "scheduling.k8s.io/v1"},
                            {"kind", "PriorityClass"},
                            {"metadata", {{"name", "high"}}},
                            {"value", 1000}});
  json high = pod("p", "1500m");
  high["spec"]["priorityClassName"] = "high";
  out["steps"] = {create(high), settle()};
  return out;
}

TEST(Extender, ItCanTakeCandidatesAwayFromPreemption) {
  Story plain(preempting(json::array()));
  EXPECT_EQ(plain.entries("cycle", "p")[0]["postFilter"]["nominated"], "n2");
  Story story(preempting({{{"nodes", kOnN2}, {"drop", true}}}));
  EXPECT_EQ(story.entries("cycle", "p")[0]["postFilter"]["nominated"], "n1");
  EXPECT_EQ(story.entries("evict")[0]["pod"], "default/on-n1");
  Story none(preempting({{{"drop", true}}}));
  EXPECT_EQ(none.entries("cycle", "p")[0]["postFilter"]["message"], "preemption: no candidate node for preemption");
  EXPECT_TRUE(none.entries("evict").empty());
}

TEST(Extender, WhomItWantsEvictedMustBeThere) {
  Story story(preempting({{{"nodes", kOnN1}, {"victims", {"on-n2"}}}}));
  EXPECT_EQ(story.entries("cycle", "p")[0]["postFilter"]["code"], "Error");
  const std::string message = story.entries("cycle", "p")[0]["postFilter"]["message"];
  EXPECT_EQ(message.rfind("preemption: extender: http://e.example/x claims to preempt pod (UID: &{", 0), 0U) << message;
  EXPECT_NE(message.find("}) on node: n1, but the pod is not found on that node"), std::string::npos) << message;

  Story nobody(preempting({{{"nodes", kOnN1}, {"victims", json::array()}}}));
  EXPECT_EQ(nobody.entries("cycle", "p")[0]["postFilter"]["message"],
            "preemption: expected at least one victim pod on node \"n1\"");
  Story ignorable(preempting({{{"nodes", kOnN2}, {"victims", json::array()}}}, {{"ignorable", true}}));
  EXPECT_EQ(ignorable.entries("cycle", "p")[0]["postFilter"]["nominated"], "n1");
}

TEST(Extender, APreemptCallThatFailsFailsPreemptionUnlessIgnorable) {
  Story story(preempting({{{"status", 404}}}));
  EXPECT_EQ(story.entries("cycle", "p")[0]["postFilter"]["message"],
            "preemption: failed preempt with extender at URL http://e.example/x/preempt, code 404");
  Story ignorable(preempting({{{"status", 404}}}, {{"ignorable", true}}));
  EXPECT_EQ(ignorable.entries("cycle", "p")[0]["postFilter"]["nominated"], "n2");
}

TEST(Extender, InV1_24AnIgnorableOneFailsTheBindingAllTheSame) {
  json old = scenario({{"filter", {{{"nodes", kOnN1}, {"reject", "no licence"}}}}, {"bind", {{{"error", "no lease"}}}}},
                      {{"ignorable", true}});
  old["release"] = "v1.24";
  old["config"]["apiVersion"] = "kubescheduler.config.k8s.io/v1beta3";
  Story story(old);
  EXPECT_EQ(story.issues(), std::vector<std::string>());
  EXPECT_EQ(story.entries("cycle", "p")[0]["host"], "n2");
  ASSERT_FALSE(story.events("p").empty());
  EXPECT_EQ(story.events("p")[0], "binding rejected: no lease");
}

TEST(Extender, ItsCallsAreStepsThatCanBeSeen) {
  Story story(scenario({{"filter", {{{"nodes", kOnN1}, {"reject", "no licence"}}}}}));
  bool seen = false;
  for (std::size_t step = 1; step <= story.ran["steps"]; ++step) {
    const json frame = json::parse(story.session.seek(json{{"step", step}}.dump()));
    if (frame["entry"]["type"] != "extender" || frame["entry"]["verb"] != "filter") continue;
    seen = true;
    EXPECT_EQ(frame["kind"], "point");
    EXPECT_EQ(frame["sentence"], "outside, an extender, rejects 1 of 2 nodes for p (no licence)");
    EXPECT_EQ(frame["cycle"]["points"].back()["point"], "Extender filter");
  }
  EXPECT_TRUE(seen);
}

struct Mistake {
  const char* name;
  const char* document;
  const char* issue;
};

TEST(ExtenderDocument, EveryMistakeIsSaidAtItsPlace) {
  const Mistake mistakes[] = {
      {"not an object", R"(5)", "/extenders/0: must be an object"},
      {"another version", R"({"apiVersion":"v1","kind":"Extender","metadata":{"name":"a"},"spec":{"urlPrefix":"u"}})",
       "/extenders/0/apiVersion: must be podberth/v1"},
      {"no name", R"({"apiVersion":"podberth/v1","kind":"Extender","spec":{"urlPrefix":"u"}})",
       "/extenders/0/metadata/name: an Extender needs a name"},
      {"no spec", R"({"apiVersion":"podberth/v1","kind":"Extender","metadata":{"name":"a"}})",
       "/extenders/0/spec: an Extender needs a spec"},
      {"no URL", R"({"apiVersion":"podberth/v1","kind":"Extender","metadata":{"name":"a"},"spec":{}})",
       "/extenders/0/spec/urlPrefix: must be the urlPrefix of an extender of the KubeSchedulerConfiguration"},
      {"a field that nobody knows",
       R"({"apiVersion":"podberth/v1","kind":"Extender","metadata":{"name":"a"},"spec":{"urlPrefix":"u","filters":[]}})",
       "/extenders/0/spec/filters: unknown field"},
      {"a rule without an answer",
       R"({"apiVersion":"podberth/v1","kind":"Extender","metadata":{"name":"a"},"spec":{"urlPrefix":"u","filter":[{}]}})",
       "/extenders/0/spec/filter/0: a rule needs exactly one of accept, reject, unresolvable, error, status or "
       "unreachable"},
      {"a rule with two answers",
       R"({"apiVersion":"podberth/v1","kind":"Extender","metadata":{"name":"a"},"spec":{"urlPrefix":"u","preempt":[{"drop":true,"status":500}]}})",
       "/extenders/0/spec/preempt/0: a rule needs exactly one of accept, drop, victims, status or unreachable"},
      {"an answer to another question",
       R"({"apiVersion":"podberth/v1","kind":"Extender","metadata":{"name":"a"},"spec":{"urlPrefix":"u","prioritize":[{"score":1,"reject":"x"}]}})",
       "/extenders/0/spec/prioritize/0/reject: unknown field"},
      {"too high a score",
       R"({"apiVersion":"podberth/v1","kind":"Extender","metadata":{"name":"a"},"spec":{"urlPrefix":"u","prioritize":[{"score":11}]}})",
       "/extenders/0/spec/prioritize/0/score: must be a whole number from 0 to 10"},
      {"an empty reason",
       R"({"apiVersion":"podberth/v1","kind":"Extender","metadata":{"name":"a"},"spec":{"urlPrefix":"u","filter":[{"reject":""}]}})",
       "/extenders/0/spec/filter/0/reject: must not be empty"},
      {"a success as a failure",
       R"({"apiVersion":"podberth/v1","kind":"Extender","metadata":{"name":"a"},"spec":{"urlPrefix":"u","bind":[{"status":200}]}})",
       "/extenders/0/spec/bind/0/status: 200 is no failure"},
      {"a binding that has not failed",
       R"({"apiVersion":"podberth/v1","kind":"Extender","metadata":{"name":"a"},"spec":{"urlPrefix":"u","bind":[{"accept":true,"bound":true}]}})",
       "/extenders/0/spec/bind/0/bound: goes with error, status or unreachable only"},
      {"times that end before they begin",
       R"({"apiVersion":"podberth/v1","kind":"Extender","metadata":{"name":"a"},"spec":{"urlPrefix":"u","filter":[{"accept":true,"when":{"fromSecond":3,"untilSecond":2}}]}})",
       "/extenders/0/spec/filter/0/when/untilSecond: must be later than fromSecond"},
      {"an operator that does not exist",
       R"({"apiVersion":"podberth/v1","kind":"Extender","metadata":{"name":"a"},"spec":{"urlPrefix":"u","filter":[{"accept":true,"when":{"podSelector":{"matchExpressions":[{"key":"a","operator":"Like"}]}}}]}})",
       "/extenders/0/spec/filter/0/when/podSelector: \"Like\" is not a valid label selector operator"},
  };
  for (const Mistake& mistake : mistakes) {
    json with = scenario(json::object());
    with["extenders"] = {json::parse(mistake.document)};
    Story story(with);
    EXPECT_FALSE(story.loaded["ok"]) << mistake.name;
    EXPECT_EQ(story.issues(), std::vector<std::string>{mistake.issue}) << mistake.name;
  }
}

TEST(ExtenderDocument, WhatNobodyWillAskIsAWarning) {
  json odd = scenario({{"bind", {{{"accept", true}}}}});
  odd["config"]["extenders"][0].erase("bindVerb");
  odd["config"]["extenders"].push_back({{"urlPrefix", "http://nobody.example"}});
  odd["extenders"].push_back(document(json::object(), "lost", "http://lost.example"));
  Story story(odd);
  EXPECT_EQ(
      story.issues(),
      (std::vector<std::string>{
          "/config/extenders/1: no Extender document answers for this urlPrefix: the extender is not called",
          "/extenders/0/spec/bind: the configuration gives this extender no bindVerb: these rules are never asked",
          "/extenders/1/spec/urlPrefix: no extender of the configuration has this urlPrefix: nobody asks"}));
}

TEST(ExtenderDocument, NamesAndUrlsAreUnique) {
  json twice = scenario(json::object());
  twice["extenders"].push_back(twice["extenders"][0]);
  Story story(twice);
  EXPECT_EQ(story.issues(),
            (std::vector<std::string>{"/extenders/1/metadata/name: there is an Extender \"outside\" already",
                                      "/extenders/1/spec/urlPrefix: another Extender answers there already"}));
}

}  // namespace
}  // namespace podberth::session
