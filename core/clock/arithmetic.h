// Times and durations at the edges of 64 bits.
#pragma once

#include <cstdint>
#include <limits>

#include "core/clock/time.h"

namespace podberth::clock {

// A number of seconds as a duration, and a difference of durations, as Go has them: what does not fit into 64 bits
// wraps around.
constexpr Duration seconds(std::int64_t n) {
  return static_cast<Duration>(static_cast<std::uint64_t>(n) * static_cast<std::uint64_t>(kSecond));
}
constexpr Duration minus(Duration a, Duration b) {
  return static_cast<Duration>(static_cast<std::uint64_t>(a) - static_cast<std::uint64_t>(b));
}
// The time after `d` (which may be negative), at most the last and at least the first that there is.
constexpr Time later(Time t, Duration d) {
  if (d > 0 && t > std::numeric_limits<Time>::max() - d) return std::numeric_limits<Time>::max();
  if (d < 0 && t < std::numeric_limits<Time>::min() - d) return std::numeric_limits<Time>::min();
  return t + d;
}

}  // namespace podberth::clock
