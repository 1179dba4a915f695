// Throws damaged documents at the session's door: fuzz_door INPUTS [SEED] SCENARIO...
// Each input is a known scenario that was damaged in a few places, as a tree or as bytes. What counts is that nothing
// traps (built with sanitizers) and that every answer is one JSON object. Same seed, same inputs.
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

}  // namespace

int main(int argc, char** argv) {
  if (argc < 4) {
    std::cerr << "usage: fuzz_door INPUTS SEED SCENARIO...\n";
    return 2;
  }
  const std::uint64_t inputs = std::strtoull(argv[1], nullptr, 10);
  const std::uint64_t seed = std::strtoull(argv[2], nullptr, 10);
  std::vector<json> scenarios;
  for (int i = 3; i < argc; ++i) {
    std::ifstream in(argv[i], std::ios::binary);
    std::ostringstream text;
    text << in.rdbuf();
    json value = json::parse(text.str(), nullptr, false);
    if (value.is_object()) scenarios.push_back(std::move(value));
  }
  if (scenarios.empty()) return 2;
  std::uint64_t loaded = 0;
  for (std::uint64_t n = 0; n < inputs; ++n) {
    Random random(seed + n);
    json document = scenarios[random.below(scenarios.size())];
    damage(document, random);
    std::string text = document.dump(-1, ' ', false, json::error_handler_t::ignore);
    if (random.below(20) == 0 && !text.empty()) text[random.below(text.size())] = static_cast<char>(random.below(256));
    if (std::getenv("FUZZ_PRINT") != nullptr) std::cerr << n << " " << text << "\n";
    podberth::session::Session session;
    const std::string answer = session.load(text, "");
    bool ok = object(answer);
    if (answer.rfind("{\"ok\":true", 0) == 0) {
      ++loaded;
      ok = object(session.run(R"({"units":40})")) && ok;
      ok = object(session.seek("{\"step\":" + std::to_string(random.below(60)) + ",\"nodes\":\"all\"}")) && ok;
      ok = object(session.seek(R"({"step":3})")) && ok;
      ok = object(session.attempt(R"({"step":5})")) && ok;
      if (random.below(4) == 0)
        ok = object(
                 session.apply(document.contains("steps") && document["steps"].is_array() && !document["steps"].empty()
                                   ? document["steps"][random.below(document["steps"].size())].dump(
                                         -1, ' ', false, json::error_handler_t::ignore)
                                   : "{}")) &&
             ok;
    }
    if (!ok) {
      std::cerr << "input " << seed + n << ": an answer is no object\n" << text << "\n";
      return 1;
    }
  }
  std::cout << inputs << " inputs, " << loaded << " of them loaded, nothing trapped\n";
  return 0;
}
