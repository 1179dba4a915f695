// What Go's parsers say of a text that they cannot read, and what they take a text for.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace podberth::api::go {

// What json.Unmarshal says of a text that is no JSON; "" if it is.
std::string jsonSyntaxError(std::string_view text);

// What time.Parse says of a text that is no time in a layout of RFC 3339; "" if it is one. With kMicroseconds it must
// have six digits of them.
enum class TimeLayout { kSeconds, kMicroseconds };
std::string parseTimeError(std::string_view text, TimeLayout layout);

// The length of the valid UTF-8 sequence at the start of a text that is not empty, and its code point; 0 if there is
// none.
std::size_t decodeRune(std::string_view text, std::uint32_t& rune);
// unicode.IsPrint, for what is likely to be typed.
bool isPrint(std::uint32_t rune);

}  // namespace podberth::api::go
