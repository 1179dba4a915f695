// Every scenario that has a trace of the real scheduler beside it is a test: our trace must be equal to it.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <functional>
#include <limits>
#include <sstream>
#include <string>
#include <vector>

#include "core/session/simulation.h"
#include "tests/conformance/judge.h"

namespace podberth::conformance {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

// Folders with scenarios and traces, the release that made the traces, and what is left out of them.
struct Set {
  const char* release;
  std::vector<const char*> folders;
  const char* skip;
};

const Set kV1_37 = {"v1.37", {"vectors", "cases", "ours"}, "skip.json"};
const Set kV1_24 = {"v1.24", {"vectors-1.24", "ours-1.24"}, "skip-1.24.json"};

struct Vector {
  std::string name;
  fs::path scenario;
  fs::path trace;
  const Set* set = nullptr;
};

void PrintTo(const Vector& vector, std::ostream* out) { *out << vector.name; }

fs::path root() { return fs::path(PODBERTH_SOURCE_DIR) / "tests" / "conformance"; }

std::string readText(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

json read(const fs::path& file) { return json::parse(readText(file)); }

std::vector<Vector> all(const Set& set) {
  std::vector<Vector> out;
  for (const char* folder : set.folders) {
    const fs::path scenarios = root() / folder / "scenarios";
    if (!fs::exists(scenarios)) continue;
    for (const fs::directory_entry& file : fs::directory_iterator(scenarios)) {
      if (file.path().extension() != ".json") continue;
      Vector v;
      v.name = file.path().stem().string();
      v.scenario = file.path();
      v.trace = root() / folder / "traces" / (v.name + ".trace.json");
      v.set = &set;
      out.push_back(v);
    }
  }
  std::sort(out.begin(), out.end(), [](const Vector& a, const Vector& b) { return a.name < b.name; });
  return out;
}

// The reason for which a vector is left out; "" if it is not.
std::string skipped(const Vector& vector) {
  const std::string& name = vector.name;
  const json list = read(root() / vector.set->skip);
  if (auto it = list.at("vectors").find(name); it != list.at("vectors").end()) return it->get<std::string>();
  const std::string family = name.substr(0, name.find('-'));
  if (auto it = list.at("families").find(family); it != list.at("families").end()) return it->get<std::string>();
  return {};
}

class Conformance : public testing::TestWithParam<Vector> {};

TEST_P(Conformance, TraceEqualsTheRealSchedulers) {
  const std::string reason = skipped(GetParam());
  if (!reason.empty()) GTEST_SKIP() << reason;
  std::vector<api::Issue> issues;
  session::Scenario scenario;
  const std::string text = readText(GetParam().scenario);
  ASSERT_TRUE(session::readScenario(json::parse(text), scenario, issues, text));
  const json oracle = read(GetParam().trace);
  scenario.release = release::find(GetParam().set->release);
  ASSERT_NE(scenario.release, nullptr);
  // Only what that release draws by lot is taken from the trace.
  if (scenario.release->ties == release::TiePolicy::kLots) {
    ASSERT_TRUE(session::readFollowed(oracle, scenario.follow, issues));
  }
  session::Simulation simulation(scenario, {});
  simulation.start();
  while (simulation.runUnit()) {
  }
  EXPECT_EQ(simulation.failure(), "");
  const json ours = json::parse(simulation.traceJson());
  for (const std::string& difference : differences(ours, oracle)) ADD_FAILURE() << difference;
}

std::string testName(const testing::TestParamInfo<Vector>& vector) {
  std::string name = vector.param.name;
  std::replace_if(
      name.begin(), name.end(), [](char c) { return std::isalnum(static_cast<unsigned char>(c)) == 0; }, '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(Vectors, Conformance, testing::ValuesIn(all(kV1_37)), testName);
INSTANTIATE_TEST_SUITE_P(Vectors_1_24, Conformance, testing::ValuesIn(all(kV1_24)), testName);

Vector followed() {
  for (const Vector& vector : all(kV1_24)) {
    if (vector.name == "resources-1-0") return vector;
  }
  return {};
}

// A scenario of v1.24 with a trace in which `change` has changed the cycle of a pod that had nodes to choose from.
session::Scenario followedWith(const std::function<void(json& cycle)>& change) {
  const std::string text = readText(followed().scenario);
  json trace = read(followed().trace);
  std::vector<api::Issue> issues;
  session::Scenario scenario;
  EXPECT_TRUE(session::readScenario(json::parse(text), scenario, issues, text));
  scenario.release = release::find("v1.24");
  for (json& e : trace["trace"]) {
    if (e["type"] != "cycle" || !e.contains("scores") || e["scores"].size() < 2) continue;
    change(e);
    break;
  }
  EXPECT_TRUE(session::readFollowed(trace, scenario.follow, issues));
  return scenario;
}

std::string failureOf(const session::Scenario& scenario) {
  session::Simulation simulation(scenario, {});
  simulation.start();
  while (simulation.runUnit()) {
  }
  return simulation.failure();
}

TEST(Following, ANodeWithFewerPointsThanTheBestIsRefused) {
  if (!skipped(followed()).empty()) GTEST_SKIP() << skipped(followed());
  std::string worst;
  const session::Scenario scenario = followedWith([&worst](json& cycle) {
    std::int64_t least = std::numeric_limits<std::int64_t>::max();
    for (const auto& [node, score] : cycle["scores"].items()) {
      if (score["total"] >= least) continue;
      least = score["total"];
      worst = node;
    }
    cycle["host"] = worst;
  });
  const std::string failure = failureOf(scenario);
  EXPECT_NE(failure.find("the choice of node " + worst + " for pod "), std::string::npos) << failure;
  EXPECT_NE(failure.find("points, the best have"), std::string::npos) << failure;
}

TEST(Following, ANodeThatThePodDoesNotFitOnIsRefused) {
  if (!skipped(followed()).empty()) GTEST_SKIP() << skipped(followed());
  const std::string failure = failureOf(followedWith([](json& cycle) { cycle["host"] = "elsewhere"; }));
  EXPECT_NE(failure.find("cannot be followed: the pod does not fit there"), std::string::npos) << failure;
}

TEST(Following, AnUnchangedTraceIsFollowedToItsEnd) {
  EXPECT_EQ(failureOf(followedWith([](json&) {})), "");
}

// The judge itself can tell traces apart.
TEST(Judge, SeesAChangedScoreMessageTimeAndOrder) {
  const json oracle = read(root() / "vectors" / "traces" / "resources-1-0.trace.json");
  EXPECT_TRUE(differences(oracle, oracle).empty());
  const auto differs = [&](const std::function<void(json&)>& change) {
    json ours = oracle;
    change(ours);
    return !differences(ours, oracle).empty();
  };
  const auto cycle = [](json& trace) -> json& {
    for (json& e : trace["trace"]) {
      if (e["type"] == "cycle" && e.contains("scores")) return e;
    }
    return trace["trace"][0];
  };
  EXPECT_TRUE(differs([&](json& t) { cycle(t)["scores"].begin().value()["total"] = 1; }));
  EXPECT_TRUE(differs([&](json& t) { cycle(t)["host"] = "elsewhere"; }));
  EXPECT_TRUE(differs([&](json& t) { cycle(t)["t"] = 99.5; }));
  EXPECT_TRUE(differs([&](json& t) { t["trace"].erase(3); }));
  EXPECT_TRUE(differs([&](json& t) { std::swap(t["trace"][1], t["trace"][3]); }));
}

}  // namespace
}  // namespace podberth::conformance
