#include "core/api/go_text.h"

#include <limits>

#include "core/api/go_parse.h"

namespace podberth::api::go {
namespace {

constexpr char kHex[] = "0123456789abcdef";

void appendHex(std::string& out, std::uint32_t value, int digits) {
  for (int shift = (digits - 1) * 4; shift >= 0; shift -= 4) out += kHex[(value >> shift) & 0xf];
}

}  // namespace

std::size_t decodeRune(std::string_view text, std::uint32_t& rune) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char first = byte(0);
  std::size_t length = first < 0x80 ? 1 : first >> 5 == 6 ? 2 : first >> 4 == 14 ? 3 : first >> 3 == 30 ? 4 : 0;
  if (length == 0 || length > text.size()) return 0;
  rune = length == 1 ? first : first & (0xffU >> (length + 1));
  for (std::size_t i = 1; i < length; ++i) {
    if (byte(i) >> 6 != 2) return 0;
    rune = rune << 6 | (byte(i) & 0x3fU);
  }
  static constexpr std::uint32_t kFirst[] = {0, 0, 0x80, 0x800, 0x10000};
  if (rune < kFirst[length] || rune > 0x10ffff || (rune >= 0xd800 && rune <= 0xdfff)) return 0;
  return length;
}

// For what is likely to be typed: controls, spaces other than ASCII's and format characters are not.
bool isPrint(std::uint32_t r) {
  if (r < 0x20 || (r >= 0x7f && r <= 0xa0) || r == 0xad) return false;
  if ((r >= 0x2000 && r <= 0x200f) || (r >= 0x2028 && r <= 0x202f) || (r >= 0x205f && r <= 0x206f)) return false;
  return r != 0x1680 && r != 0x180e && r != 0x3000 && r != 0xfeff && !(r >= 0xe000 && r <= 0xf8ff) &&
         !(r >= 0xfff0 && r <= 0xfffb) && r != 0xfffe && r != 0xffff && r < 0xe0000;
}

std::string quote(std::string_view text) {
  std::string out = "\"";
  for (std::size_t i = 0; i < text.size();) {
    std::uint32_t rune = 0;
    const std::size_t length = decodeRune(text.substr(i), rune);
    if (length == 0) {
      out += "\\x";
      appendHex(out, static_cast<unsigned char>(text[i]), 2);
      ++i;
      continue;
    }
    static constexpr std::string_view kEscaped = "\a\b\f\n\r\t\v\"\\";
    static constexpr std::string_view kEscapes = "abfnrtv\"\\";
    const std::size_t special = length == 1 ? kEscaped.find(text[i]) : std::string_view::npos;
    if (special != std::string_view::npos) {
      out += '\\';
      out += kEscapes[special];
    } else if (isPrint(rune)) {
      out.append(text.substr(i, length));
    } else if (rune < 0x80) {
      out += "\\x";
      appendHex(out, rune, 2);
    } else if (rune < 0x10000) {
      out += "\\u";
      appendHex(out, rune, 4);
    } else {
      out += "\\U";
      appendHex(out, rune, 8);
    }
    i += length;
  }
  return out + '"';
}

std::string jsonString(std::string_view text) {
  std::string out = "\"";
  for (std::size_t i = 0; i < text.size();) {
    std::uint32_t rune = 0;
    const std::size_t length = decodeRune(text.substr(i), rune);
    if (length == 0) {
      out += "\\ufffd";
      ++i;
      continue;
    }
    static constexpr std::string_view kEscaped = "\b\f\n\r\t\"\\";
    static constexpr std::string_view kEscapes = "bfnrt\"\\";
    const std::size_t special = length == 1 ? kEscaped.find(text[i]) : std::string_view::npos;
    if (special != std::string_view::npos) {
      out += '\\';
      out += kEscapes[special];
    } else if (rune < 0x20 || rune == '<' || rune == '>' || rune == '&' || rune == 0x2028 || rune == 0x2029) {
      out += "\\u";
      appendHex(out, rune, 4);
    } else {
      out.append(text.substr(i, length));
    }
    i += length;
  }
  return out + '"';
}

std::string jsonStrings(const std::vector<std::string>& list) {
  std::string out = "[";
  for (const std::string& text : list) {
    if (out.size() > 1) out += ',';
    out += jsonString(text);
  }
  return out + "]";
}

std::string escapeHtml(std::string_view json) {
  std::string out;
  for (std::size_t i = 0; i < json.size();) {
    std::uint32_t rune = 0;
    const std::size_t length = decodeRune(json.substr(i), rune);
    if (rune == '<' || rune == '>' || rune == '&' || rune == 0x2028 || rune == 0x2029) {
      out += "\\u";
      appendHex(out, rune, 4);
    } else {
      out.append(json.substr(i, length == 0 ? 1 : length));
    }
    i += length == 0 ? 1 : length;
  }
  return out;
}

std::string jsonStringsOrNull(const std::vector<std::string>& list) {
  return list.empty() ? "null" : jsonStrings(list);
}

std::string sourceStrings(const std::vector<std::string>& list) {
  if (list.empty()) return "[]string(nil)";
  std::string out;
  for (const std::string& text : list) out += (out.empty() ? "" : ", ") + quote(text);
  return "[]string{" + out + "}";
}

std::string sourceTime(const std::string& rfc3339) {
  static constexpr const char* kMonths[] = {"January", "February", "March",     "April",   "May",      "June",
                                            "July",    "August",   "September", "October", "November", "December"};
  std::int64_t parts[6] = {};
  constexpr std::size_t kAt[] = {0, 5, 8, 11, 14, 17};
  for (int i = 0; i < 6; ++i) parseInt64(std::string_view(rfc3339).substr(kAt[i], i == 0 ? 4 : 2), parts[i]);
  const auto n = [&](int i) { return std::to_string(parts[i]); };
  const std::int64_t month = parts[1] >= 1 && parts[1] <= 12 ? parts[1] - 1 : 0;
  return "time.Date(" + n(0) + ", time." + kMonths[month] + ", " + n(2) + ", " + n(3) + ", " + n(4) + ", " + n(5) +
         ", 0, time.Local)";
}

bool parseInt64(std::string_view text, std::int64_t& out) {
  bool negative = false;
  if (!text.empty() && (text[0] == '+' || text[0] == '-')) {
    negative = text[0] == '-';
    text.remove_prefix(1);
  }
  if (text.empty()) return false;
  const std::uint64_t limit = static_cast<std::uint64_t>(INT64_MAX) + (negative ? 1 : 0);
  std::uint64_t value = 0;
  for (const char c : text) {
    if (c < '0' || c > '9') return false;
    const auto digit = static_cast<std::uint64_t>(c - '0');
    if (value > (limit - digit) / 10) return false;
    value = value * 10 + digit;
  }
  out = static_cast<std::int64_t>(negative ? 0 - value : value);
  return true;
}

namespace {

// The quoting of package time: what is beyond printable ASCII is escaped byte by byte.
std::string quoteByByte(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte >= 0x80) {
      out += "\\x";
      appendHex(out, byte, 2);
    } else {
      if (c == '"' || c == '\\') out += '\\';
      out += c;
    }
  }
  return out + "\"";
}

}  // namespace

std::optional<std::int64_t> parseDuration(std::string_view text, std::string* error) {
  const auto fail = [&](const std::string& what) {
    if (error != nullptr) *error = "time: " + what;
    return std::nullopt;
  };
  const std::string invalid = "invalid duration " + quoteByByte(text);
  std::string_view rest = text;
  bool negative = false;
  if (!rest.empty() && (rest[0] == '-' || rest[0] == '+')) {
    negative = rest[0] == '-';
    rest.remove_prefix(1);
  }
  if (rest == "0") return 0;
  if (rest.empty()) return fail(invalid);
  constexpr std::uint64_t kLimit = std::uint64_t{1} << 63;
  std::uint64_t total = 0;
  const auto isDigit = [](char c) { return c >= '0' && c <= '9'; };
  while (!rest.empty()) {
    if (rest[0] != '.' && !isDigit(rest[0])) return fail(invalid);
    std::uint64_t whole = 0;
    bool digits = false;
    while (!rest.empty() && isDigit(rest[0])) {
      if (whole > kLimit / 10) return fail(invalid);
      whole = whole * 10 + static_cast<std::uint64_t>(rest[0] - '0');
      if (whole > kLimit) return fail(invalid);
      digits = true;
      rest.remove_prefix(1);
    }
    std::uint64_t fraction = 0;
    double scale = 1;
    if (!rest.empty() && rest[0] == '.') {
      rest.remove_prefix(1);
      bool overflow = false;
      while (!rest.empty() && isDigit(rest[0])) {
        digits = true;
        const auto digit = static_cast<std::uint64_t>(rest[0] - '0');
        rest.remove_prefix(1);
        if (overflow) continue;
        if (fraction > (kLimit - 1) / 10 || fraction * 10 + digit > kLimit) {
          overflow = true;
          continue;
        }
        fraction = fraction * 10 + digit;
        scale *= 10;
      }
    }
    if (!digits) return fail(invalid);
    std::size_t end = 0;
    while (end < rest.size() && rest[end] != '.' && !isDigit(rest[end])) ++end;
    if (end == 0) return fail("missing unit in duration " + quoteByByte(text));
    const std::string_view unit_name = rest.substr(0, end);
    rest.remove_prefix(end);
    std::uint64_t unit = 0;
    if (unit_name == "ns") unit = 1;
    if (unit_name == "us" || unit_name == "\xc2\xb5s" || unit_name == "\xce\xbcs") unit = 1000;
    if (unit_name == "ms") unit = 1000000;
    if (unit_name == "s") unit = 1000000000;
    if (unit_name == "m") unit = 60000000000;
    if (unit_name == "h") unit = 3600000000000;
    if (unit == 0) return fail("unknown unit " + quoteByByte(unit_name) + " in duration " + quoteByByte(text));
    if (whole > kLimit / unit) return fail(invalid);
    std::uint64_t value = whole * unit;
    if (fraction > 0) {
      value += static_cast<std::uint64_t>(static_cast<double>(fraction) * (static_cast<double>(unit) / scale));
      if (value > kLimit) return fail(invalid);
    }
    total += value;
    if (total > kLimit) return fail(invalid);
  }
  if (negative) return static_cast<std::int64_t>(0 - total);
  if (total > kLimit - 1) return fail(invalid);
  return static_cast<std::int64_t>(total);
}

std::string durationString(std::int64_t nanoseconds) {
  if (nanoseconds == 0) return "0s";
  const bool negative = nanoseconds < 0;
  const std::uint64_t total =
      negative ? 0 - static_cast<std::uint64_t>(nanoseconds) : static_cast<std::uint64_t>(nanoseconds);
  // `value` in units of 10^-digits, without trailing zeros.
  const auto decimal = [](std::uint64_t value, int digits) {
    std::string fraction;
    for (int i = 0; i < digits; ++i) {
      const char digit = static_cast<char>('0' + value % 10);
      if (digit != '0' || !fraction.empty()) fraction.insert(fraction.begin(), digit);
      value /= 10;
    }
    return std::to_string(value) + (fraction.empty() ? "" : "." + fraction);
  };
  std::string out;
  if (total < 1000) {
    out = std::to_string(total) + "ns";
  } else if (total < 1000000) {
    out = decimal(total, 3) + "\xc2\xb5s";
  } else if (total < 1000000000) {
    out = decimal(total, 6) + "ms";
  } else {
    const std::uint64_t minutes = total / 60000000000;
    if (minutes >= 60) out += std::to_string(minutes / 60) + "h";
    if (minutes > 0) out += std::to_string(minutes % 60) + "m";
    out += decimal(total % 60000000000, 9) + "s";
  }
  return (negative ? "-" : "") + out;
}

}  // namespace podberth::api::go
