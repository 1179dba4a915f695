// What the API server refuses, compared with what the real one said to the same objects.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "tests/unit/apiserver/replay.h"

namespace podberth::apiserver {
namespace {

// Folders with scenarios/ and traces/. ADMISSION_DIR may name one more.
std::vector<std::filesystem::path> scenarios() {
  const auto conformance = std::filesystem::path(PODBERTH_SOURCE_DIR) / "tests/conformance";
  std::vector<std::filesystem::path> roots = {conformance / "ours", conformance / "ours-1.24"};
  if (const char* more = std::getenv("ADMISSION_DIR")) roots.emplace_back(more);
  std::vector<std::filesystem::path> out;
  for (const auto& root : roots) {
    if (!std::filesystem::exists(root / "scenarios")) continue;
    for (const auto& file : std::filesystem::directory_iterator(root / "scenarios")) {
      if (file.path().filename().string().rfind("admission-", 0) == 0) out.push_back(file.path());
    }
  }
  std::sort(out.begin(), out.end());
  return out;
}

TEST(Admission, RefusesWhatTheRealApiServerRefusedInTheSameWords) {
  std::size_t compared = 0;
  for (const auto& file : scenarios()) {
    const auto trace = file.parent_path().parent_path() / "traces" / (file.stem().string() + ".trace.json");
    if (!std::filesystem::exists(trace)) continue;
    const auto ours = replay(readText(file.string()));
    const auto theirs = rejections(readJson(trace.string()));
    EXPECT_EQ(ours.size(), theirs.size()) << file;
    for (std::size_t i = 0; i < std::min(ours.size(), theirs.size()); ++i) {
      EXPECT_EQ(ours[i], theirs[i]) << file << " refusal " << i;
    }
    compared += theirs.size();
  }
  EXPECT_GT(compared, 0U);
}

}  // namespace
}  // namespace podberth::apiserver
