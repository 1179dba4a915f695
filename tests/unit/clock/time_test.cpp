#include "core/clock/time.h"

#include <limits>

#include <gtest/gtest.h>

#include "core/clock/arithmetic.h"

namespace podberth::clock {
namespace {

TEST(Time, prints_whole_seconds_in_utc) {
  EXPECT_EQ(formatRfc3339(kEpoch), "2000-01-01T00:00:00Z");
  EXPECT_EQ(formatRfc3339(kEpoch + 10 * kSecond + kSecond - 1), "2000-01-01T00:00:10Z");
  EXPECT_EQ(formatRfc3339(0), "1970-01-01T00:00:00Z");
  EXPECT_EQ(formatRfc3339(-1), "1969-12-31T23:59:59Z");
  EXPECT_EQ(formatRfc3339(1709210096 * kSecond), "2024-02-29T12:34:56Z");
}

TEST(Time, parses_what_it_prints) {
  for (Time t : {Time{0}, kEpoch, kEpoch - kSecond, 4107542399 * kSecond, -9000000000 * kSecond}) {
    Time back = 1;
    ASSERT_TRUE(parseRfc3339(formatRfc3339(t), back)) << formatRfc3339(t);
    EXPECT_EQ(back, t);
  }
}

TEST(Time, parses_fractions_and_offsets) {
  struct Case {
    const char* text;
    Time want;
  };
  for (const Case& c :
       {Case{"2000-01-01T00:00:00.5Z", kEpoch + kSecond / 2}, Case{"2000-01-01T00:00:00,000000001Z", kEpoch + 1},
        Case{"2000-01-01T00:00:00.0000000019Z", kEpoch + 1}, Case{"2000-01-01T01:30:00+01:30", kEpoch},
        Case{"1999-12-31T23:00:00-01:00", kEpoch}, Case{"2000-01-01T0:00:00Z", kEpoch}}) {
    Time t = -1;
    ASSERT_TRUE(parseRfc3339(c.text, t)) << c.text;
    EXPECT_EQ(t, c.want) << c.text;
  }
}

TEST(Time, refuses_what_is_no_time) {
  for (const char* text :
       {"", "x", "2000-01-01", "2000-01-01T00:00:00", "2000-02-30T00:00:00Z", "2001-02-29T00:00:00Z",
        "2000-13-01T00:00:00Z", "2000-01-01T24:00:00Z", "2000-01-01T00:60:00Z", "2000-01-01T00:00:60Z",
        "2000-01-01 00:00:00Z", "2000-01-01T00:00:00.Z", "2000-01-01T00:00:00Zx", "2000-01-01T00:00:00+1:00",
        "0001-01-01T00:00:00Z", "9999-01-01T00:00:00Z"}) {
    Time t = 0;
    EXPECT_FALSE(parseRfc3339(text, t)) << text;
  }
}

TEST(Time, durations_wrap_and_times_end) {
  constexpr Time kMax = std::numeric_limits<Time>::max();
  constexpr Time kMin = std::numeric_limits<Time>::min();
  EXPECT_EQ(seconds(3), 3 * kSecond);
  EXPECT_EQ(seconds(9223372037), -9223372036709551616);
  EXPECT_EQ(minus(kMin, 1), kMax);
  EXPECT_EQ(minus(5, 7), -2);
  EXPECT_EQ(later(kEpoch, kSecond), kEpoch + kSecond);
  EXPECT_EQ(later(kEpoch, kMax), kMax);
  EXPECT_EQ(later(-1, kMin), kMin);
  EXPECT_EQ(later(kEpoch, -kSecond), kEpoch - kSecond);
}

}  // namespace
}  // namespace podberth::clock
