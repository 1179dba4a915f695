// The sample plugins, and with them what the framework does behind the choice of a node: Reserve and Unreserve, Permit
// and its waiting, PreBind. What is expected was read in upstream's runtime/framework.go and schedule_one.go.
#include "tests/unit/session/story.h"

namespace podberth::session {
namespace {

using namespace testkit;  // NOLINT: this is what it is for

json selector(const std::string& app) { return {{"matchLabels", {{"app", app}}}}; }
json app(const std::string& name, const std::string& value, const std::string& cpu = "500m") {
  return pod(name, cpu, {{"app", value}});
}

// A profile with one sample plugin and its rules; two nodes.
json scenario(const std::string& plugin, const json& rules, const json& steps) {
  const json profile = {{"plugins", {{"multiPoint", {{"enabled", {{{"name", plugin}}}}}}}},
                        {"pluginConfig", {{{"name", plugin}, {"args", {{"rules", rules}}}}}}};
  return {{"name", "x"},
          {"samplePlugins", true},
          {"config", config({{"profiles", {profile}}})},
          {"objects", {node("n1", "8"), node("n2")}},
          {"steps", steps}};
}

TEST(SamplePlugins, WithoutTheFieldUpstreamsTextSaysThatTheyDoNotExist) {
  json without = scenario("SampleReserve", json::array(), json::array());
  without.erase("samplePlugins");
  Story story(without);
  ASSERT_EQ(story.entries("config").size(), 1U);
  EXPECT_EQ(story.entries("config")[0]["error"],
            "initializing profiles: creating profile for scheduler name default-scheduler: PreFilterPlugin "
            "\"SampleReserve\" does not exist");
}

TEST(SamplePlugins, WithTheFieldTheyAreStillOffUntilAProfileEnablesThem) {
  Story story(
      {{"name", "x"}, {"samplePlugins", true}, {"objects", {node("n1")}}, {"steps", {create(pod("p")), settle()}}});
  EXPECT_EQ(story.issues(), std::vector<std::string>());
  EXPECT_EQ(story.bindings(), std::vector<std::string>{"p: n1"});
}

TEST(SampleReserve, ARejectedPodIsUnschedulableAndItsPlaceIsFree) {
  Story story(scenario("SampleReserve", {{{"podSelector", selector("a")}, {"reject", "no address"}}},
                       {create(app("p", "a")), settle()}));
  // The plugin says of no event whether it helps, so the write of the pod's own condition brings it back once more.
  const std::string why = "0/1 nodes are available: 1 no address.";
  EXPECT_EQ(story.events("p"), (std::vector<std::string>{why, why}));
  EXPECT_EQ(story.podState("p")["condition"], "False Unschedulable");
  EXPECT_EQ(story.entries("state").back()["state"]["unschedulable"], json({"default/p"}));
  std::vector<std::string> points;
  for (const json& entry : story.entries("x-point", "p")) points.push_back(entry["point"]);
  EXPECT_EQ(points.back(), "Unreserve");
}

TEST(SampleReserve, AnErrorSendsThePodToBackoff) {
  Story story(scenario("SampleReserve", {{{"error", "no answer"}}}, {create(pod("p")), {{"op", "step"}}}));
  EXPECT_EQ(story.events("p"), std::vector<std::string>{"running Reserve plugin \"SampleReserve\": no answer"});
  EXPECT_EQ(story.entries("state").back()["state"]["backoff"], json({"default/p"}));
}

TEST(SampleReserve, TimesCountsForEachPod) {
  Story story(scenario("SampleReserve", {{{"times", 2}, {"error", "busy"}}},
                       {create(pod("p")), create(pod("q")), settle(), advance(20), settle(), advance(20), settle()}));
  EXPECT_EQ(story.entries("cycle", "p").size(), 3U);
  EXPECT_EQ(story.entries("cycle", "q").size(), 3U);
  EXPECT_EQ(story.bindings().size(), 2U);
}

TEST(SampleReserve, NodesLimitARuleToThem) {
  Story story(scenario("SampleReserve", {{{"nodes", {"n2"}}, {"error", "busy"}}}, {create(pod("p")), settle()}));
  EXPECT_EQ(story.bindings(), std::vector<std::string>{"p: n1"});
}

TEST(SamplePermit, APodThatItRejectsGivesItsPlaceBackAtOnce) {
  Story story(scenario("SamplePermit", {{{"reject", "not today"}}}, {create(pod("p")), settle()}));
  EXPECT_EQ(story.events("p"), std::vector<std::string>{"0/1 nodes are available: 1 not today."});
  EXPECT_EQ(story.entries("state").back()["state"]["unschedulable"], json({"default/p"}));
}

TEST(SamplePermit, AWaitingPodIsBoundWhenItIsApproved) {
  Story story(
      scenario("SamplePermit", {{{"wait", {{"approveAfterSeconds", 3}}}}}, {create(pod("p")), settle(), advance(5)}));
  ASSERT_EQ(story.entries("bind", "p").size(), 1U);
  EXPECT_NEAR(story.entries("bind", "p")[0]["t"].get<double>(), 3.001, 0.001);
}

TEST(SamplePermit, AfterTheTimeoutTheFrameworkRejectsThePod) {
  Story story(
      scenario("SamplePermit", {{{"wait", {{"timeoutSeconds", 1.5}}}}}, {create(pod("p")), settle(), advance(5)}));
  EXPECT_TRUE(story.bindings().empty());
  EXPECT_EQ(story.events("p"),
            std::vector<std::string>{
                "0/1 nodes are available: 1 rejected due to timeout after waiting 1.5s at plugin SamplePermit."});
  EXPECT_EQ(story.entries("state").back()["state"]["unschedulable"], json({"default/p"}));
}

TEST(SamplePermit, ADenialSaysWhatTheRuleSays) {
  Story story(
      scenario("SamplePermit",
               {{{"wait", {{"timeoutSeconds", 9}, {"denyAfterSeconds", 2}, {"denyMessage", "the gate is shut"}}}}},
               {create(pod("p")), settle(), advance(5)}));
  EXPECT_EQ(story.events("p"), std::vector<std::string>{"0/1 nodes are available: 1 the gate is shut."});
}

TEST(SamplePermit, AWaitingPodHoldsItsPlaceAndOthersAreToldWhenItGivesItBack) {
  // There is room for one of them only.
  json tight = scenario(
      "SamplePermit", {{{"podSelector", selector("waits")}, {"wait", {{"timeoutSeconds", 4}}}}},
      {create(app("first", "waits", "1500m")), create(pod("second", "1500m")), settle(), advance(10), settle()});
  tight["objects"] = {node("n2")};
  Story story(tight);
  EXPECT_EQ(story.entries("cycle", "second").size(), 2U);
  const std::vector<std::string> moves = story.moves("second");
  ASSERT_GE(moves.size(), 3U);
  EXPECT_EQ(moves[2], "Active by AssignedPodDelete");
  EXPECT_EQ(story.bindings(), std::vector<std::string>{"second: n2"});
  // The pod itself is not told of the place that it gives back.
  EXPECT_EQ(story.moves("first"),
            (std::vector<std::string>{"Active by UnscheduledPodAdd", "Unschedulable by ScheduleAttemptFailure"}));
}

TEST(SamplePermit, AGangIsBoundWhenItIsComplete) {
  const json rules = {
      {{"podSelector", selector("gang")},
       {"wait", {{"timeoutSeconds", 60}, {"approveWhen", {{"podSelector", selector("gang")}, {"count", 3}}}}}}};
  Story story(scenario("SamplePermit", rules,
                       {create(app("a", "gang")), create(app("b", "gang")), settle(), advance(5),
                        create(app("other", "no")), settle(), create(app("c", "gang")), settle(), advance(1)}));
  const std::vector<std::string> bound = story.bindings();
  ASSERT_EQ(bound.size(), 4U);
  EXPECT_EQ(bound[0], "other: n1") << "who is not of the gang does not wait for it";
  for (const char* name : {"a", "b", "c"}) {
    EXPECT_NEAR(story.entries("bind", name)[0]["t"].get<double>(), story.entries("bind", "c")[0]["t"].get<double>(),
                0.0002)
        << name;
  }
}

TEST(SamplePermit, APodThatIsAloneIsActivatedByAnotherOfItsGangOnly) {
  const json rules = {
      {{"podSelector", selector("gang")},
       {"wait", {{"timeoutSeconds", 2}, {"approveWhen", {{"podSelector", selector("gang")}, {"count", 2}}}}}}};
  Story story(scenario("SamplePermit", rules,
                       {create(app("a", "gang")), settle(), advance(3), create(app("other", "no")), settle(),
                        advance(1), create(app("b", "gang")), settle(), advance(1)}));
  EXPECT_EQ(story.entries("cycle", "a").size(), 2U);
  EXPECT_EQ(story.moves("a")[2], "Active by ForceActivate");
  EXPECT_EQ(story.bindings().size(), 3U);
}

TEST(SamplePermit, AWaitingPodThatIsDeletedNoLongerCounts) {
  const json rules = {
      {{"podSelector", selector("gang")},
       {"wait", {{"timeoutSeconds", 60}, {"approveWhen", {{"podSelector", selector("gang")}, {"count", 2}}}}}}};
  Story story(
      scenario("SamplePermit", rules,
               {create(app("a", "gang")), settle(), remove("a"), create(app("b", "gang")), settle(), advance(1)}));
  EXPECT_TRUE(story.bindings().empty());
}

TEST(SamplePermit, TheWaitingCanBeSeen) {
  Story story(scenario("SamplePermit", {{{"wait", {{"approveAfterSeconds", 3}}}}},
                       {create(pod("p")), settle(), advance(1), advance(5)}));
  std::vector<std::string> points;
  for (const json& entry : story.entries("x-point", "p")) {
    if (entry["point"] == "WaitOnPermit") points.push_back(entry["reason"]);
  }
  EXPECT_EQ(points, (std::vector<std::string>{"Wait", "Success"}));
  for (std::size_t step = 1; step <= story.ran["steps"]; ++step) {
    const json frame = json::parse(story.session.seek(json{{"step", step}}.dump()));
    if (frame["entry"].value("point", "") != "WaitOnPermit") continue;
    ASSERT_EQ(frame["binding"].size(), 1U);
    EXPECT_EQ(frame["binding"][0]["pod"], "default/p");
    EXPECT_EQ(frame["binding"][0]["points"].size(), 1U);
  }
}

TEST(SamplePreBind, ItTakesItsTimeWhileOthersAreScheduled) {
  Story story(scenario("SamplePreBind", {{{"podSelector", selector("slow")}, {"afterSeconds", 2}, {"approve", true}}},
                       {create(app("p", "slow")), create(pod("q")), settle(), advance(5)}));
  EXPECT_EQ(story.bindings().size(), 2U);
  EXPECT_EQ(story.bindings()[0].substr(0, 1), "q");
  EXPECT_NEAR(story.entries("bind", "p")[0]["t"].get<double>(), 2.002, 0.002);
}

TEST(SamplePreBind, AnErrorUnreservesAndRetriesAfterBackoff) {
  Story story(scenario("SamplePreBind", {{{"times", 1}, {"error", "no disk"}}},
                       {create(pod("p")), {{"op", "step"}}, advance(0.1), advance(3), settle()}));
  EXPECT_EQ(story.events("p")[0], "running PreBind plugin \"SamplePreBind\": no disk");
  EXPECT_EQ(story.moves("p")[1], "Backoff by ScheduleAttemptFailure");
  EXPECT_EQ(story.entries("cycle", "p").size(), 2U);
  EXPECT_EQ(story.bindings(), std::vector<std::string>{"p: n1"});
}

TEST(SamplePreBind, ARejectionInPreBindIsNoFitErrorSoThePodBacksOff) {
  Story story(scenario("SamplePreBind", {{{"times", 1}, {"reject", "not on this node"}}},
                       {create(pod("p")), {{"op", "step"}}, advance(0.1)}));
  EXPECT_EQ(story.events("p")[0], "not on this node");
  EXPECT_EQ(story.podState("p")["condition"], "False Unschedulable");
  EXPECT_EQ(story.moves("p")[1], "Backoff by ScheduleAttemptFailure");
}

TEST(SamplePreBind, TheFailureIsToldToPodsThatWaitForThePlace) {
  json tight =
      scenario("SamplePreBind", {{{"podSelector", selector("fails")}, {"afterSeconds", 2}, {"error", "no disk"}}},
               {create(app("first", "fails", "1500m")), create(pod("second", "1500m")), settle(), advance(2.5)});
  tight["objects"] = {node("n2")};
  Story story(tight);
  EXPECT_EQ(story.moves("second")[2], "Active by AssignedPodDelete");
}

struct Mistake {
  const char* name;
  const char* plugin;
  const char* args;
  const char* issue;  // below the arguments
};

TEST(SampleArgs, EveryMistakeIsSaidAtItsPlaceAndKeepsTheSchedulerFromStarting) {
  const Mistake mistakes[] = {
      {"not a list", "SampleReserve", R"({"rules":5})", "/rules: must be a list"},
      {"a field that nobody knows", "SampleReserve", R"({"rule":[]})", "/rule: unknown field"},
      {"no result", "SampleReserve", R"({"rules":[{}]})",
       "/rules/0: a rule needs exactly one of approve, reject or error"},
      {"two results", "SamplePermit", R"({"rules":[{"approve":true,"reject":"x"}]})",
       "/rules/0: a rule needs exactly one of approve, reject, error or wait"},
      {"only Permit waits", "SampleReserve", R"({"rules":[{"approve":true,"wait":{}}]})",
       "/rules/0/wait: unknown field"},
      {"only PreBind takes time", "SampleReserve", R"({"rules":[{"approve":true,"afterSeconds":1}]})",
       "/rules/0/afterSeconds: unknown field"},
      {"an empty reason", "SamplePreBind", R"({"rules":[{"error":""}]})", "/rules/0/error: must not be empty"},
      {"a negative number of times", "SamplePreBind", R"({"rules":[{"error":"x","times":-1}]})",
       "/rules/0/times: must be a whole number from 1 to 1000000"},
      {"too long a wait", "SamplePermit", R"({"rules":[{"wait":{"timeoutSeconds":1000}}]})",
       "/rules/0/wait/timeoutSeconds: must be a number of seconds from 0.001 to 900"},
      {"a gang of nobody", "SamplePermit", R"({"rules":[{"wait":{"approveWhen":{"count":0}}}]})",
       "/rules/0/wait/approveWhen/count: must be a whole number from 1 to 100000"},
      {"a gang of nobody knows how many", "SamplePermit", R"({"rules":[{"wait":{"approveWhen":{}}}]})",
       "/rules/0/wait/approveWhen/count: must say how many pods are needed"},
      {"a message without a denial", "SamplePermit", R"({"rules":[{"wait":{"denyMessage":"x"}}]})",
       "/rules/0/wait/denyMessage: goes with denyAfterSeconds only"},
      {"a bad selector", "SamplePermit", R"({"rules":[{"approve":true,"podSelector":{"matchLabels":{"a":1}}}]})",
       "/rules/0/podSelector/matchLabels/a: must be a string"},
  };
  for (const Mistake& mistake : mistakes) {
    json with = scenario(mistake.plugin, json::array(), json::array());
    with["config"]["profiles"][0]["pluginConfig"][0]["args"] = json::parse(mistake.args);
    Story story(with);
    const std::string place = "/config/profiles/0/pluginConfig/0/args";
    ASSERT_FALSE(story.issues().empty()) << mistake.name;
    EXPECT_EQ(story.issues()[0], place + mistake.issue) << mistake.name;
    ASSERT_EQ(story.entries("config").size(), 1U) << mistake.name;
    EXPECT_EQ(story.entries("config")[0]["error"],
              "initializing profiles: creating profile for scheduler name default-scheduler: initializing plugin \"" +
                  std::string(mistake.plugin) + "\": args" + mistake.issue)
        << mistake.name;
  }
}

}  // namespace
}  // namespace podberth::session
