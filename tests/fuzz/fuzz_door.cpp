// Throws damaged documents at the session's door: fuzz_door INPUTS SEED SCENARIO...
// An input is an object, a configuration or (one in twenty-five) a whole scenario that was damaged in a few places, as
// a tree or as bytes. Objects and configurations go through `check`: decoder, defaults, validation. Scenarios are
// loaded, run and looked at. What counts is that nothing traps (built with sanitizers) and that every answer is one
// JSON object. Same seed, same inputs; input N of seed S is input 0 of seed S + N.
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "core/session/session.h"

namespace {

using nlohmann::json;

class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed * 2654435769ULL + 1) {}
  std::uint64_t next() {
    state_ ^= state_ << 13U;
    state_ ^= state_ >> 7U;
    state_ ^= state_ << 17U;
    return state_;
  }
  std::size_t below(std::size_t n) { return n == 0 ? 0 : next() % n; }

 private:
  std::uint64_t state_;
};

// Values that documents get wrong.
json odd(Random& random) {
  static const std::vector<json> kValues = {nullptr,
                                            true,
                                            false,
                                            0,
                                            -1,
                                            1,
                                            2147483648LL,
                                            -9223372036854775807LL,
                                            1.5,
                                            1e300,
                                            "",
                                            "x",
                                            "100m",
                                            "-1",
                                            "1e1000",
                                            std::string(30, '9'),
                                            "NaN",
                                            "Exists",
                                            "In",
                                            "\xC3\xBC",
                                            std::string(300, 'a'),
                                            json::array(),
                                            json::object(),
                                            json::array({nullptr}),
                                            {{"a", "b"}},
                                            "Always",
                                            "kubernetes.io/hostname",
                                            "node-0",
                                            "default-scheduler",
                                            "2000-01-01T00:00:00Z",
                                            "0001-01-01T00:00:00Z"};
  return kValues[random.below(kValues.size())];
}

void collect(json& value, std::vector<json*>& out) {
  out.push_back(&value);
  if (value.is_structured()) {
    for (json& v : value) collect(v, out);
  }
}

void damage(json& document, Random& random) {
  const std::size_t times = 1 + random.below(4);
  for (std::size_t i = 0; i < times; ++i) {
    std::vector<json*> all;
    collect(document, all);
    json& at = *all[random.below(all.size())];
    json& other = *all[random.below(all.size())];
    switch (random.below(6)) {
      case 0:
        at = odd(random);
        break;
      case 1:
        if (at.is_structured() && !at.empty()) {
          auto it = at.begin();
          std::advance(it, static_cast<std::ptrdiff_t>(random.below(at.size())));
          at.erase(it);
        }
        break;
      case 2: {
        const json copy = other;
        at = copy;
        break;
      }
      case 3:
        if (at.is_array() && !at.empty()) at.push_back(at[random.below(at.size())]);
        break;
      case 4:
        if (at.is_object()) at["extra"] = odd(random);
        break;
      default:
        if (at.is_string()) {
          std::string text = at.get<std::string>();
          if (!text.empty()) text[random.below(text.size())] = static_cast<char>(random.below(256));
          at = text;
        } else if (at.is_number_integer()) {
          at = at.get<std::int64_t>() ^ (1LL << random.below(40));
        }
    }
  }
}

bool object(const std::string& answer) {
  const json value = json::parse(answer, nullptr, false);
  return value.is_object() && value.contains("ok");
}

// What is damaged.
struct Corpus {
  std::vector<json> scenarios;
  std::vector<json> objects;
  std::vector<json> configs;

  void add(json scenario) {
    for (const json& object : scenario.value("objects", json::array())) objects.push_back(object);
    for (const json& step : scenario.value("steps", json::array())) {
      if (step.contains("object")) objects.push_back(step["object"]);
    }
    if (scenario.contains("config")) configs.push_back(scenario["config"]);
    scenarios.push_back(std::move(scenario));
  }
};

std::string damagedText(json document, Random& random) {
  damage(document, random);
  std::string text = document.dump(-1, ' ', false, json::error_handler_t::ignore);
  if (random.below(20) == 0 && !text.empty()) text[random.below(text.size())] = static_cast<char>(random.below(256));
  return text;
}

// One answer of the door is no JSON object: what was asked, else "".
std::string checkDocument(const std::string& text) {
  podberth::session::Session session;
  return object(session.check(text)) ? "" : "check";
}

std::string runScenario(const std::string& text, Random& random, bool* loaded) {
  podberth::session::Session session;
  const std::string answer = session.load(text, "");
  if (!object(answer)) return "load";
  *loaded = answer.rfind("{\"ok\":true", 0) == 0;
  if (!*loaded) return "";
  if (!object(session.run(R"({"units":40})"))) return "run";
  if (!object(session.seek("{\"step\":" + std::to_string(random.below(60)) + ",\"nodes\":\"all\"}"))) return "seek";
  if (!object(session.seek(R"({"step":3})"))) return "seek back";
  if (!object(session.attempt(R"({"step":5})"))) return "attempt";
  if (random.below(4) == 0) {
    const json scenario = json::parse(text, nullptr, false);
    const json steps = scenario.is_object() ? scenario.value("steps", json()) : json();
    const bool some = steps.is_array() && !steps.empty();
    const std::string op =
        some ? steps[random.below(steps.size())].dump(-1, ' ', false, json::error_handler_t::ignore) : "{}";
    if (!object(session.apply(op))) return "apply";
  }
  return "";
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 4) {
    std::cerr << "usage: fuzz_door INPUTS SEED SCENARIO...\n";
    return 2;
  }
  const std::uint64_t inputs = std::strtoull(argv[1], nullptr, 10);
  const std::uint64_t seed = std::strtoull(argv[2], nullptr, 10);
  Corpus corpus;
  for (int i = 3; i < argc; ++i) {
    std::ifstream in(argv[i], std::ios::binary);
    std::ostringstream text;
    text << in.rdbuf();
    json value = json::parse(text.str(), nullptr, false);
    if (value.is_object()) corpus.add(std::move(value));
  }
  if (corpus.scenarios.empty() || corpus.objects.empty() || corpus.configs.empty()) {
    std::cerr << "the scenarios hold no object or no configuration to damage\n";
    return 2;
  }
  std::uint64_t scenarios = 0;
  std::uint64_t loaded = 0;
  for (std::uint64_t n = 0; n < inputs; ++n) {
    Random random(seed + n);
    const std::size_t kind = random.below(25);
    std::string text;
    std::string failed;
    if (kind == 0) {
      json scenario = corpus.scenarios[random.below(corpus.scenarios.size())];
      if (random.below(4) == 0) scenario["release"] = "v1.24";
      text = damagedText(std::move(scenario), random);
      bool good = false;
      if (std::getenv("FUZZ_PRINT") != nullptr) std::cerr << seed + n << " " << text << "\n";
      failed = runScenario(text, random, &good);
      ++scenarios;
      if (good) ++loaded;
    } else {
      json document;
      if (kind == 1) {
        document["config"] = corpus.configs[random.below(corpus.configs.size())];
      } else {
        document["objects"] = json::array({corpus.objects[random.below(corpus.objects.size())]});
      }
      text = damagedText(std::move(document), random);
      if (std::getenv("FUZZ_PRINT") != nullptr) std::cerr << seed + n << " " << text << "\n";
      failed = checkDocument(text);
    }
    if (!failed.empty()) {
      std::cerr << "input " << seed + n << ": the answer of " << failed << " is no object\n" << text << "\n";
      return 1;
    }
  }
  std::cout << inputs << " inputs, " << scenarios << " of them scenarios (" << loaded
            << " could be run), nothing trapped\n";
  return 0;
}
