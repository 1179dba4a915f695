// podberth: runs scenarios natively.
//   podberth trace SCENARIO... -o DIR     writes DIR/NAME.trace.json for each
//   podberth hashes SCENARIO...           prints the state hash of every step; going back must give the same
//   podberth bench SCENARIO                 times the scheduler's decisions and prints one line of JSON
// --release R runs another release than the scenario names. --follow DIR takes what the release leaves to chance from
// the traces of the real scheduler in DIR.
// Ends with 0; with 1 if a scenario could not be read or run to its end; with 2 if it was called in a wrong way.
#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

#include "core/session/bench.h"
#include "core/session/session.h"
#include "core/session/simulation.h"

namespace {

using podberth::api::Issue;

int usage() {
  std::cerr << "usage: podberth trace SCENARIO... -o DIR [--release R] [--follow DIR] [--informers]\n"
               "       podberth hashes SCENARIO... [--release R] [--follow DIR]\n"
               "       podberth bench SCENARIO\n";
  return 2;
}

bool readFile(const std::string& path, std::string& out) {
  std::ifstream in(path, std::ios::binary);
  if (!in) return false;
  std::ostringstream text;
  text << in.rdbuf();
  out = text.str();
  return true;
}

void print(const std::string& file, const std::vector<Issue>& issues) {
  for (const Issue& issue : issues) {
    if (issue.severity == Issue::Severity::kInfo) continue;
    const char* what = issue.severity == Issue::Severity::kWarning ? "warning: " : "";
    std::cerr << file << ": " << what << issue.path << ": " << issue.message << "\n";
  }
}

// One line: the rest is in the trace.
void summarize(const std::string& file, const std::vector<Issue>& issues) {
  std::vector<Issue> told;
  for (const Issue& issue : issues) {
    if (issue.severity != Issue::Severity::kInfo) told.push_back(issue);
  }
  if (told.empty()) return;
  std::stable_partition(told.begin(), told.end(),
                        [](const Issue& issue) { return issue.severity == Issue::Severity::kError; });
  const std::size_t more = told.size() - 1;
  told.resize(1);
  if (more > 0) told[0].message += " (and " + std::to_string(more) + " more)";
  print(file, told);
}

struct Options {
  std::string out = ".";
  std::string release;  // "": the scenario's
  std::string follow;   // a folder of traces; "": lots are drawn
  bool informers = false;
};

// The trace to follow: of the same name as the scenario's. False if it cannot be read.
bool readTrace(const std::string& file, const std::string& folder, std::string& text) {
  const std::filesystem::path path =
      std::filesystem::path(folder) / (std::filesystem::path(file).stem().string() + ".trace.json");
  if (readFile(path.string(), text)) return true;
  std::cerr << path.string() << ": cannot be read\n";
  return false;
}

bool load(const std::string& file, const Options& options, podberth::session::Scenario& scenario) {
  std::string text;
  if (!readFile(file, text)) {
    std::cerr << file << ": cannot be read\n";
    return false;
  }
  nlohmann::json json;
  std::vector<Issue> issues;
  const bool ok =
      podberth::session::parseJson(text, json, issues) && podberth::session::readScenario(json, scenario, issues, text);
  if (ok && !options.release.empty()) scenario.release = podberth::release::find(options.release);
  if (ok && !options.follow.empty()) {
    std::string trace;
    if (!readTrace(file, options.follow, trace)) return false;
    nlohmann::json followed;
    if (!podberth::session::parseJson(trace, followed, issues) ||
        !podberth::session::readFollowed(followed, scenario.follow, issues)) {
      print(file, issues);
      return false;
    }
  }
  if (!ok) print(file, issues);
  return ok;
}

int trace(const std::vector<std::string>& files, const Options& given) {
  bool failed = false;
  std::error_code ignored;
  std::filesystem::create_directories(given.out, ignored);
  for (const std::string& file : files) {
    podberth::session::Scenario scenario;
    if (!load(file, given, scenario)) {
      failed = true;
      continue;
    }
    podberth::session::SimulationOptions options;
    options.informers = given.informers;
    options.points = false;
    podberth::session::Simulation simulation(scenario, options);
    simulation.start();
    while (simulation.runUnit()) {
    }
    summarize(file, simulation.issues());
    if (!simulation.failure().empty()) {
      std::cerr << file << ": " << simulation.failure() << "\n";
      failed = true;
    }
    const std::filesystem::path out =
        std::filesystem::path(given.out) / (std::filesystem::path(file).stem().string() + ".trace.json");
    std::ofstream stream(out, std::ios::binary);
    stream << simulation.traceJson();
    if (!stream) {
      std::cerr << out.string() << ": cannot be written\n";
      failed = true;
    }
  }
  return failed ? 1 : 0;
}

int hashes(const std::vector<std::string>& files, const Options& given) {
  for (const std::string& file : files) {
    std::string text;
    if (!readFile(file, text)) {
      std::cerr << file << ": cannot be read\n";
      return 1;
    }
    nlohmann::json options = nlohmann::json::object();
    if (!given.release.empty()) options["release"] = given.release;
    if (!given.follow.empty()) {
      std::string trace;
      if (!readTrace(file, given.follow, trace)) return 1;
      options["follow"] = nlohmann::json::parse(trace, nullptr, false);
    }
    podberth::session::Session session;
    session.load(text, options.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
    session.run(R"({"toEnd":true})");
    const auto hash = [&session](std::size_t step) {
      const std::string frame = session.seek("{\"step\":" + std::to_string(step) + "}");
      const std::size_t at = frame.find("\"hash\":\"");
      return at == std::string::npos ? std::string() : frame.substr(at + 8, 16);
    };
    std::vector<std::string> all;
    for (std::size_t i = 0; i <= session.steps(); ++i) all.push_back(hash(i));
    for (std::size_t i = all.size(); i-- > 0;) {
      if (hash(i) == all[i]) continue;
      std::cerr << file << ": going back to step " << i << " gives another state\n";
      return 1;
    }
    for (std::size_t i = 0; i < all.size(); ++i) {
      std::cout << std::filesystem::path(file).stem().string() << " " << i << " " << all[i] << "\n";
    }
  }
  return 0;
}

std::int64_t nowNanoseconds() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

int bench(const std::string& file) {
  podberth::session::Scenario scenario;
  if (!load(file, Options(), scenario)) return 1;
  std::string line = podberth::session::bench(scenario, nowNanoseconds);
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  line.insert(line.size() - 1, ",\"peak_mb\":" + std::to_string(usage.ru_maxrss / 1024));
  std::cout << line << "\n";
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  const std::vector<std::string> args(argv + 1, argv + argc);
  if (args.empty()) return usage();
  std::vector<std::string> files;
  Options options;
  for (std::size_t i = 1; i < args.size(); ++i) {
    std::string* value = args[i] == "-o"          ? &options.out
                         : args[i] == "--release" ? &options.release
                         : args[i] == "--follow"  ? &options.follow
                                                  : nullptr;
    if (value != nullptr) {
      if (++i == args.size()) return usage();
      *value = args[i];
    } else if (args[i] == "--informers") {
      options.informers = true;
    } else if (args[i].rfind("-", 0) == 0) {
      return usage();
    } else {
      files.push_back(args[i]);
    }
  }
  if (podberth::release::find(options.release) == nullptr) {
    std::cerr << "release \"" << options.release << "\" is not simulated; there are " << podberth::release::versions()
              << "\n";
    return 2;
  }
  if (args[0] == "trace" && !files.empty()) return trace(files, options);
  if (args[0] == "hashes" && !files.empty()) return hashes(files, options);
  if (args[0] == "bench" && files.size() == 1) return bench(files[0]);
  return usage();
}
