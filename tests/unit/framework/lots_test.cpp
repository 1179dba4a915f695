#include "core/scheduler/framework/lots.h"

#include <gtest/gtest.h>

namespace podberth::scheduler {
namespace {

FollowedChoice choice(const std::string& pod, int attempt, const std::string& host) {
  FollowedChoice out;
  out.pod = pod;
  out.attempt = attempt;
  out.host = host;
  return out;
}

TEST(Lots, OneSeedAlwaysDrawsTheSame) {
  Lots a(7);
  Lots b(7);
  Lots c(8);
  bool differs = false;
  for (int i = 0; i < 100; ++i) {
    const std::size_t drawn = a.draw(1000);
    EXPECT_LT(drawn, 1000U);
    EXPECT_EQ(drawn, b.draw(1000));
    differs = differs || drawn != c.draw(1000);
  }
  EXPECT_TRUE(differs);
}

// The generator's published first numbers for the seed 1234567.
TEST(Lots, AreThoseOfSplitMix64) {
  Lots lots(1234567);
  constexpr std::size_t kAll = ~std::size_t{0};
  EXPECT_EQ(lots.draw(kAll), 6457827717110365317ULL);
  EXPECT_EQ(lots.draw(kAll), 3203168211198807973ULL);
}

TEST(Lots, EveryNumberIsDrawn) {
  Lots lots;
  int seen[3] = {0, 0, 0};
  for (int i = 0; i < 300; ++i) ++seen[lots.draw(3)];
  for (const int count : seen) EXPECT_GT(count, 60);
}

TEST(Lots, FollowTheChoiceOfThePodsAttempt) {
  Lots lots(1, {choice("default/a", 1, "n1"), choice("default/a", 2, "n2"), choice("default/a", 1, "n3")});
  lots.beginAttempt("default/a", 1);
  EXPECT_EQ(lots.host(), "n1");
  lots.beginAttempt("default/a", 2);
  EXPECT_EQ(lots.host(), "n2");
  lots.beginAttempt("default/a", 1);
  EXPECT_EQ(lots.host(), "n3") << "another pod of that name";
  lots.beginAttempt("default/a", 1);
  EXPECT_EQ(lots.host(), "");
  lots.beginAttempt("default/b", 1);
  EXPECT_EQ(lots.host(), "");
}

TEST(Lots, TheFirstRefusalStays) {
  Lots lots;
  lots.beginAttempt("default/a", 3);
  lots.refuse("n1", "it is full");
  lots.refuse("n2", "so is this");
  EXPECT_EQ(lots.refusal(), "the choice of node n1 for pod default/a (attempt 3) cannot be followed: it is full");
}

}  // namespace
}  // namespace podberth::scheduler
