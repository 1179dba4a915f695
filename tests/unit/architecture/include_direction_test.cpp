// Data flows one way, and so do includes: every room may know only the rooms listed for it, and no plugin knows
// another.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <string>
#include <vector>

namespace {

namespace fs = std::filesystem;

// What a room may include, beside itself, `base` and the table of releases.
const std::map<std::string, std::set<std::string>> kMayKnow = {
    {"base", {}},
    {"release", {}},
    {"clock", {}},
    {"api", {"clock"}},
    {"trace", {"clock"}},
    {"informers", {"api", "clock", "trace"}},
    {"scheduler/framework", {"api", "clock", "informers", "trace", "scheduler/config"}},
    {"scheduler/config", {"api", "clock", "scheduler/framework"}},
    {"apiserver", {"api", "clock", "trace", "scheduler/framework"}},
    {"scheduler/cache", {"api", "clock", "scheduler/framework"}},
    {"scheduler/queue", {"api", "clock", "trace", "scheduler/framework"}},
    {"scheduler/preemption", {"api", "clock", "informers", "scheduler/framework", "scheduler/config"}},
    {"scheduler/plugins",
     {"api", "clock", "informers", "scheduler/framework", "scheduler/config", "scheduler/preemption"}},
    {"scheduler",
     {"api", "clock", "informers", "trace", "scheduler/framework", "scheduler/config", "scheduler/cache",
      "scheduler/queue", "scheduler/plugins", "scheduler/preemption"}},
    {"session",
     {"api", "apiserver", "clock", "informers", "trace", "scheduler", "scheduler/framework", "scheduler/config",
      "scheduler/plugins"}},
    {"cli", {"api", "session"}},
};

// The room of a path below core/: "scheduler/queue" for scheduler/queue/heap.h, "api" for api/pod.h.
std::string roomOf(const std::string& path) {
  std::string best;
  for (const auto& [room, known] : kMayKnow) {
    if (path.rfind(room + "/", 0) == 0 && room.size() > best.size()) best = room;
  }
  return best;
}

std::string pluginOf(const std::string& path) {
  static const std::regex kPlugin(R"(scheduler/plugins/([^/]+)/.*)");
  std::smatch m;
  return std::regex_match(path, m, kPlugin) ? m[1].str() : std::string();
}

std::vector<fs::path> sources(const fs::path& folder) {
  std::vector<fs::path> out;
  for (const fs::directory_entry& file : fs::recursive_directory_iterator(folder)) {
    const std::string ext = file.path().extension().string();
    if (ext == ".h" || ext == ".cpp") out.push_back(file.path());
  }
  return out;
}

TEST(Includes, GoOneWay) {
  const fs::path core = fs::path(PODBERTH_SOURCE_DIR) / "core";
  static const std::regex kInclude(R"re(\s*#include "core/([^"]+)".*)re");
  std::size_t checked = 0;
  for (const fs::path& file : sources(core)) {
    const std::string path = fs::relative(file, core).generic_string();
    const std::string room = roomOf(path);
    ASSERT_FALSE(room.empty()) << path << " is in no room";
    std::ifstream in(file);
    for (std::string line; std::getline(in, line);) {
      std::smatch m;
      if (!std::regex_match(line, m, kInclude)) continue;
      ++checked;
      const std::string other = roomOf(m[1]);
      EXPECT_TRUE(other == room || other == "base" || other == "release" || kMayKnow.at(room).count(other) != 0)
          << path << " includes " << m[1];
      const std::string plugin = pluginOf(path);
      const std::string known = pluginOf(m[1]);
      EXPECT_TRUE(plugin.empty() || known.empty() || known == plugin || known == "helper")
          << "plugin " << plugin << " includes " << m[1];
    }
  }
  EXPECT_GT(checked, 100U) << "the test has looked at nothing";
}

TEST(Core, ReadsNoClockNoFilesAndStartsNoThreads) {
  const fs::path core = fs::path(PODBERTH_SOURCE_DIR) / "core";
  static const std::regex kForbidden(
      R"re(\s*#include <(thread|mutex|atomic|future|fstream|iostream|filesystem|chrono|random|emscripten.*)>.*)re");
  for (const fs::path& file : sources(core)) {
    if (roomOf(fs::relative(file, core).generic_string()) == "cli") continue;
    std::ifstream in(file);
    for (std::string line; std::getline(in, line);)
      EXPECT_FALSE(std::regex_match(line, kForbidden)) << file << ": " << line;
  }
}

}  // namespace
