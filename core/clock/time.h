// Simulated time. Nothing in the core asks the machine what time it is.
#pragma once

#include <cstdint>
#include <string>

namespace podberth::clock {

// Nanoseconds since the Unix epoch, on the simulated clock.
using Time = std::int64_t;
// Nanoseconds.
using Duration = std::int64_t;

inline constexpr Duration kNanosecond = 1;
inline constexpr Duration kMicrosecond = 1000;
inline constexpr Duration kMillisecond = 1000 * kMicrosecond;
inline constexpr Duration kSecond = 1000 * kMillisecond;
inline constexpr Duration kMinute = 60 * kSecond;

// The simulated clock starts here: 2000-01-01T00:00:00Z.
inline constexpr Time kEpoch = 946684800 * kSecond;

// RFC 3339 in UTC with whole seconds, as the API server prints times: "2000-01-01T00:00:10Z".
std::string formatRfc3339(Time t);
// Parses an RFC 3339 time, fractions of a second included. False if it is none; the year must be 1678 to 2261.
bool parseRfc3339(const std::string& text, Time& out);

}  // namespace podberth::clock
