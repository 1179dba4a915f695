#include "tests/unit/apiserver/replay.h"

#include <algorithm>
#include <fstream>
#include <sstream>

#include "core/api/raw_json.h"
#include "core/api/schema_release.h"
#include "core/apiserver/server.h"
#include "core/release/release.h"

namespace podberth::apiserver {

namespace {

std::string cut(const std::string& text) { return text.substr(0, text.find("\n@@")); }

}  // namespace

std::string readText(const std::string& file) {
  std::ifstream in(file);
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

nlohmann::json readJson(const std::string& file) { return nlohmann::json::parse(readText(file), nullptr, false); }

std::vector<std::string> replay(const std::string& source) {
  const nlohmann::json scenario = nlohmann::json::parse(source, nullptr, false);
  clock::EventLoop loop;
  const release::Release* release = release::find(scenario.value("release", ""));
  if (release == nullptr) return {"no such release"};
  scheduler::FeatureGates gates(*release);
  if (scenario.contains("featureGates")) {
    for (const auto& [gate, on] : scenario["featureGates"].items()) gates.set(gate, on.get<bool>(), nullptr);
  }
  Server server(loop, gates);
  std::vector<std::string> out;
  const auto note = [&](const std::string& error) {
    if (!error.empty()) out.push_back(cut(error));
  };
  const auto create = [&](const nlohmann::json& object, const std::string& place) {
    const bool named = place.empty() || api::saysWhatItIs(object);
    Admitted admitted = server.admit(object, named ? std::string_view() : api::rawValue(source, place));
    note(admitted.object == nullptr ? admitted.error : server.create(admitted.object));
  };
  std::vector<nlohmann::json> objects = scenario.value("objects", std::vector<nlohmann::json>());
  std::stable_sort(objects.begin(), objects.end(), [](const nlohmann::json& a, const nlohmann::json& b) {
    const auto first = [](const nlohmann::json& object) { return object.value("kind", "") == "PriorityClass"; };
    return first(a) && !first(b);
  });
  for (const nlohmann::json& object : objects) create(object, "");
  std::size_t number = 0;
  for (const nlohmann::json& step : scenario.value("steps", std::vector<nlohmann::json>())) {
    const std::string place = "/steps/" + std::to_string(number++) + "/object";
    const std::string op = step.value("op", "");
    if (op == "create") {
      create(step["object"], place);
    } else if (op == "update") {
      note(server.update(step["object"]));
    } else if (op == "delete") {
      note(server.remove(step.value("kind", ""), step.value("namespace", ""), step.value("name", ""), nullptr));
    }
  }
  return out;
}

std::vector<std::string> rejections(const nlohmann::json& trace) {
  std::vector<std::string> out;
  for (const nlohmann::json& entry : trace["trace"]) {
    if (entry.contains("rejected")) out.push_back(cut(entry["rejected"].get<std::string>()));
  }
  return out;
}

}  // namespace podberth::apiserver
