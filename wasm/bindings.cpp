// The door: nine functions, text in and out (DOOR.md). One module holds one session.
#include <emscripten/bind.h>
#include <emscripten/emscripten.h>

#include <cstdint>
#include <string>

#include "core/session/bench.h"
#include "core/session/session.h"

namespace {

std::int64_t nanoseconds() { return static_cast<std::int64_t>(emscripten_get_now() * 1e6); }

podberth::session::Session& session() {
  static podberth::session::Session the_session;
  the_session.setClock(nanoseconds);
  return the_session;
}

std::string version() { return podberth::session::Session::version(); }
std::string load(const std::string& scenario, const std::string& options) { return session().load(scenario, options); }
std::string run(const std::string& budget) { return session().run(budget); }
std::string seek(const std::string& target) { return session().seek(target); }
std::string apply(const std::string& op) { return session().apply(op); }
std::string attempt(const std::string& query) { return session().attempt(query); }
std::string explain(const std::string& query) { return session().explain(query); }
std::string check(const std::string& document) { return session().check(document); }
std::string trace(const std::string& options) { return session().trace(options); }

// For `./dev bench --wasm`.
std::string bench(const std::string& text) {
  podberth::session::Scenario scenario;
  nlohmann::json json;
  std::vector<podberth::api::Issue> issues;
  if (!podberth::session::parseJson(text, json, issues) || !podberth::session::readScenario(json, scenario, issues)) {
    return podberth::session::answer(false, issues, "");
  }
  return podberth::session::bench(scenario, nanoseconds);
}

}  // namespace

EMSCRIPTEN_BINDINGS(podberth) {
  emscripten::function("version", &version);
  emscripten::function("load", &load);
  emscripten::function("run", &run);
  emscripten::function("seek", &seek);
  emscripten::function("apply", &apply);
  emscripten::function("attempt", &attempt);
  emscripten::function("explain", &explain);
  emscripten::function("check", &check);
  emscripten::function("trace", &trace);
  emscripten::function("bench", &bench);
}
