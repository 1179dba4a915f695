#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "core/trace/explain.h"
#include "core/trace/json_text.h"
#include "core/trace/recorder.h"

namespace podberth::trace {
namespace {

TEST(JsonText, QuotesWhatJsonCannotHold) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"plain", "\"plain\""},
      {"a\"b\\c", R"("a\"b\\c")"},
      {"line\nfeed\ttab\x01", "\"line\\nfeed\\ttab\\u0001\""},
      {"gr\xC3\xBC\xC3\x9F \xF0\x9F\x9A\xA2", "\"gr\xC3\xBC\xC3\x9F \xF0\x9F\x9A\xA2\""},
      {"cut \xC3", "\"cut \xEF\xBF\xBD\""},
      {"surrogate \xED\xA0\x80", "\"surrogate \xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\""},
  };
  for (const auto& [in, want] : cases) {
    std::string out;
    appendQuoted(out, in);
    EXPECT_EQ(out, want);
    EXPECT_FALSE(nlohmann::json::parse(out, nullptr, false).is_discarded()) << out;
  }
}

TEST(JsonText, SecondsAreCutToAMicrosecond) {
  const std::vector<std::pair<std::int64_t, std::string>> cases = {
      {0, "0"}, {2100000, "0.0021"}, {1000000000, "1"}, {10000200999, "10.0002"}, {-1500000, "-0.0015"}, {999, "0"}};
  for (const auto& [in, want] : cases) {
    std::string out;
    appendSeconds(out, in);
    EXPECT_EQ(out, want);
  }
}

Entry move(const std::string& pod, const std::string& event, clock::Time at = 5) {
  Entry e;
  e.type = Type::kMove;
  e.pod = pod;
  e.event = event;
  e.at = at;
  return e;
}

std::vector<std::string> pods(const std::vector<Entry>& entries) {
  std::vector<std::string> out;
  for (const Entry& e : entries) out.push_back(e.pod);
  return out;
}

TEST(Order, WhatOneEventDidComesByPodNameAndBackoffsEndFirst) {
  std::vector<Entry> entries = {move("z", "NodeAdd"), move("b", "NodeAdd"), move("m", "BackoffComplete"),
                                move("a", "NodeAdd", 6)};
  order(entries);
  EXPECT_EQ(pods(entries), (std::vector<std::string>{"m", "b", "z", "a"}));
}

TEST(Order, AnotherKindOfEntryIsABorder) {
  Entry cycle;
  cycle.type = Type::kCycle;
  cycle.pod = "cycle";
  cycle.at = 5;
  std::vector<Entry> entries = {move("b", "NodeAdd"), cycle, move("a", "NodeAdd")};
  order(entries);
  EXPECT_EQ(pods(entries), (std::vector<std::string>{"b", "cycle", "a"}));
}

TEST(Json, ACycleSaysWhatTheRealSchedulersTraceSays) {
  Entry e;
  e.type = Type::kCycle;
  e.pod = "default/p";
  e.at = clock::kEpoch + 12 * clock::kMillisecond;
  e.cycle = std::make_shared<Cycle>();
  e.cycle->profile = "default-scheduler";
  e.cycle->attempt = 2;
  e.cycle->nodes = {"n1", "n2"};
  e.cycle->pre_filter = NodeStatus{"Success", "", {}};
  e.cycle->filters = {{"n1", {"Success", "", {}}}, {"n2", {"Unschedulable", "NodeResourcesFit", {"Insufficient cpu"}}}};
  NodeScores scores;
  scores.total = 300;
  scores.plugins = {{"TaintToleration", 0, 100, 300}};
  e.cycle->scores = {{"n1", scores}};
  e.cycle->host = "n1";
  std::string out;
  appendJson(out, e, clock::kEpoch);
  const nlohmann::json json = nlohmann::json::parse(out);
  EXPECT_EQ(json["t"], 0.012);
  EXPECT_EQ(json["filters"]["n2"]["reasons"][0], "Insufficient cpu");
  EXPECT_EQ(json["scores"]["n1"]["plugins"]["TaintToleration"], 300);
  EXPECT_EQ(json["scores"]["n1"]["raw"]["TaintToleration"], 0);
  EXPECT_FALSE(json.contains("error"));
  EXPECT_FALSE(json.contains("evaluated"));
}

TEST(Explain, ACycleInOneSentence) {
  Entry e;
  e.type = Type::kCycle;
  e.pod = "default/web";
  e.cycle = std::make_shared<Cycle>();
  e.cycle->nodes = {"n1", "n2", "n3"};
  e.cycle->filters = {
      {"n1", {"Unschedulable", "NodeResourcesFit", {"Insufficient cpu"}}},
      {"n2", {"Unschedulable", "NodeResourcesFit", {"Insufficient cpu"}}},
      {"n3", {"UnschedulableAndUnresolvable", "NodeName", {"node(s) didn't match the requested node name"}}}};
  EXPECT_EQ(
      sentence(e, {}),
      "web: NodeName rejected 1 of 3 nodes (node(s) didn't match the requested node name), NodeResourcesFit rejected 2 "
      "of 3 nodes (Insufficient cpu)");
  e.cycle->host = "n2";
  e.cycle->feasible = 1;
  EXPECT_EQ(sentence(e, {}), "web goes to n2: the only node that passes the filters");
  e.cycle->feasible = 2;
  EXPECT_EQ(sentence(e, {}), "web goes to n2 (2 of 3 nodes fit)");
  e.cycle->nodes.clear();  // a summary
  EXPECT_EQ(sentence(e, {}), "web goes to n2 (2 nodes fit)");
}

TEST(Explain, WhatBecomesOfAPodWhoseAttemptFailed) {
  Entry e;
  e.type = Type::kMove;
  e.pod = "default/web";
  e.event = "ScheduleAttemptFailure";
  e.queue = "Unschedulable";
  e.plugins = {"NodeResourcesFit", "TaintToleration"};
  EXPECT_EQ(sentence(e, {}),
            "web joins the unschedulable pods and waits for something that could change the mind of NodeResourcesFit, "
            "TaintToleration");
  e.queue = "Backoff";
  EXPECT_EQ(sentence(e, {}),
            "web goes to backoffQ: something that may help it happened during its attempt, so it is tried again after "
            "a pause");
  e.plugins.clear();
  EXPECT_EQ(sentence(e, {}),
            "web goes to backoffQ: its attempt ended with an error, so it is tried again after a pause");
}

TEST(Explain, AnExtensionPointThatDidNotPass) {
  struct Case {
    const char* point;
    const char* reason;
    const char* words;
  };
  const Case cases[] = {
      {"PreFilter", "UnschedulableAndUnresolvable", "PreFilter: P rules web out before any node is looked at (m)"},
      {"Filter", "Unschedulable", "Filter: no node can run web (m)"},
      {"PostFilter", "Unschedulable", "PostFilter: preemption makes no room for web (m)"},
      {"Permit", "Wait", "Permit: P lets web wait on n1 (m)"},
      {"PreBind", "Error", "PreBind: P fails for web on n1 (m)"},
      {"Reserve", "Unschedulable", "Reserve: P stops web on n1 (m)"},
  };
  for (const Case& c : cases) {
    Entry e;
    e.type = Type::kPoint;
    e.pod = "default/web";
    e.point = c.point;
    e.reason = c.reason;
    e.plugin = "P";
    e.node = "n1";
    e.message = "m";
    EXPECT_EQ(sentence(e, {}), c.words);
  }
}

}  // namespace
}  // namespace podberth::trace
