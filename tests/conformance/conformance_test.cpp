// Every scenario that has a trace of the real scheduler beside it is a test: our trace must be equal to it.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "core/session/simulation.h"
#include "tests/conformance/judge.h"

namespace podberth::conformance {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

struct Vector {
  std::string name;
  fs::path scenario;
  fs::path trace;
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

std::vector<Vector> all() {
  std::vector<Vector> out;
  for (const char* set : {"vectors", "cases", "ours"}) {
    const fs::path scenarios = root() / set / "scenarios";
    if (!fs::exists(scenarios)) continue;
    for (const fs::directory_entry& file : fs::directory_iterator(scenarios)) {
      if (file.path().extension() != ".json") continue;
      Vector v;
      v.name = file.path().stem().string();
      v.scenario = file.path();
      v.trace = root() / set / "traces" / (v.name + ".trace.json");
      out.push_back(v);
    }
  }
  std::sort(out.begin(), out.end(), [](const Vector& a, const Vector& b) { return a.name < b.name; });
  return out;
}

// The reason for which a vector is left out; "" if it is not.
std::string skipped(const std::string& name) {
  static const json list = read(root() / "skip.json");
  if (auto it = list.at("vectors").find(name); it != list.at("vectors").end()) return it->get<std::string>();
  const std::string family = name.substr(0, name.find('-'));
  if (auto it = list.at("families").find(family); it != list.at("families").end()) return it->get<std::string>();
  return {};
}

class Conformance : public testing::TestWithParam<Vector> {};

TEST_P(Conformance, TraceEqualsTheRealSchedulers) {
  const std::string reason = skipped(GetParam().name);
  if (!reason.empty()) GTEST_SKIP() << reason;
  std::vector<api::Issue> issues;
  session::Scenario scenario;
  const std::string text = readText(GetParam().scenario);
  ASSERT_TRUE(session::readScenario(json::parse(text), scenario, issues, text));
  session::Simulation simulation(scenario, {});
  simulation.start();
  while (simulation.runUnit()) {
  }
  const json ours = json::parse(simulation.traceJson());
  const json oracle = read(GetParam().trace);
  for (const std::string& difference : differences(ours, oracle)) ADD_FAILURE() << difference;
}

INSTANTIATE_TEST_SUITE_P(Vectors, Conformance, testing::ValuesIn(all()), [](const auto& vector) {
  std::string name = vector.param.name;
  std::replace_if(
      name.begin(), name.end(), [](char c) { return std::isalnum(static_cast<unsigned char>(c)) == 0; }, '_');
  return name;
});

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
