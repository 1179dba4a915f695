#include "core/release/release.h"

#include <gtest/gtest.h>

#include <cstring>
#include <set>

namespace podberth::release {
namespace {

TEST(Releases, AreFoundByNameAndByVersion) {
  struct Case {
    const char* text;
    const char* version;  // null: there is none
  };
  for (const Case& c : {Case{"", "v1.37.2"}, Case{"v1.37", "v1.37.2"}, Case{"v1.37.2", "v1.37.2"},
                        Case{"v1.24", "v1.24.17"}, Case{"v1.24.17", "v1.24.17"}, Case{"1.24", nullptr},
                        Case{"v1.24.16", nullptr}, Case{"v1.30", nullptr}, Case{"V1.24", nullptr}}) {
    const Release* found = find(c.text);
    ASSERT_EQ(found != nullptr, c.version != nullptr) << c.text;
    if (found != nullptr) {
      EXPECT_EQ(found->version, c.version) << c.text;
    }
  }
}

TEST(Releases, StandInTheListNewestFirst) {
  EXPECT_EQ(versions(), "v1.37.2, v1.24.17");
  EXPECT_EQ(&newest(), &v1_37());
}

// Gates are looked up by halving the table.
TEST(Releases, HaveTheirGatesInTheOrderOfTheNames) {
  for (const Release* release : all()) {
    ASSERT_GT(release->gates->count, 0U);
    for (std::size_t i = 1; i < release->gates->count; ++i) {
      EXPECT_LT(std::strcmp(release->gates->gates[i - 1].name, release->gates->gates[i].name), 0)
          << release->version << ": " << release->gates->gates[i].name;
    }
  }
}

TEST(Releases, KnowTheGatesThatTheirGatesDependOn) {
  for (const Release* release : all()) {
    std::set<std::string> names;
    for (std::size_t i = 0; i < release->gates->count; ++i) names.insert(release->gates->gates[i].name);
    for (std::size_t i = 0; i < release->gates->dependency_count; ++i) {
      EXPECT_EQ(names.count(release->gates->dependencies[i].gate), 1U) << release->gates->dependencies[i].gate;
      EXPECT_EQ(names.count(release->gates->dependencies[i].needs), 1U) << release->gates->dependencies[i].needs;
    }
  }
}

}  // namespace
}  // namespace podberth::release
