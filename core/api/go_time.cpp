// Go's parser of times, for the sake of its errors.
#include <cstddef>
#include <iterator>

#include "core/api/go_parse.h"

namespace podberth::api::go {
namespace {

// The quoting of package time: bytes beyond printable ASCII are escaped one by one.
std::string quoteBytes(std::string_view text) {
  constexpr char kHex[] = "0123456789abcdef";
  std::string out = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte >= 0x80) {
      out += "\\x";
      out += kHex[byte >> 4];
      out += kHex[byte & 0xf];
      continue;
    }
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + '"';
}

bool digitAt(std::string_view text, std::size_t i) { return i < text.size() && text[i] >= '0' && text[i] <= '9'; }

// Takes two digits, or one if there is no second and one is enough. False if there are none.
bool takeNumber(std::string_view& text, bool two, int& out) {
  out = 0;
  if (!digitAt(text, 0) || (two && !digitAt(text, 1))) return false;
  for (int i = 0; i < 2 && digitAt(text, 0); ++i) {
    out = out * 10 + (text[0] - '0');
    text.remove_prefix(1);
  }
  return true;
}

// An element of a layout: what stands before it, how it is written there, and what it says if it is out of range.
struct Element {
  const char* before;
  std::string_view written;
  const char* name;
  int least;
  int most;
};
constexpr Element kElements[] = {{"", "2006", "", 0, 9999},  {"-", "01", "month", 1, 12},  {"-", "02", "day", 0, 99},
                                 {"T", "15", "hour", 0, 23}, {":", "04", "minute", 0, 59}, {":", "05", "second", 0, 59},
                                 {"", ".000000", "", 0, 0},  {"", "Z07:00", "", 0, 0}};

// Takes a time zone. False if it is none; `range` is then, or otherwise, what is out of range.
bool takeZone(std::string_view& text, const char** range) {
  if (!text.empty() && text[0] == 'Z') {
    text.remove_prefix(1);
    return true;
  }
  if (text.size() < 6 || text[3] != ':') return false;
  std::string_view hours = text.substr(1, 2);
  std::string_view minutes = text.substr(4, 2);
  int hour = 0;
  int minute = 0;
  const bool sound = takeNumber(hours, true, hour) && takeNumber(minutes, true, minute);
  if (hour > 24) *range = "time zone offset hour";
  if (minute > 60) *range = "time zone offset minute";
  const bool signed_offset = text[0] == '+' || text[0] == '-';
  text.remove_prefix(6);
  return sound && signed_offset;
}

bool isFraction(std::string_view text) {
  return text.size() >= 2 && (text[0] == '.' || text[0] == ',') && digitAt(text, 1);
}

// Takes a point and six digits. A sign may stand for the first of them, but a minus is out of range.
bool takeMicroseconds(std::string_view& text, const char** range) {
  if (text.size() < 7 || (text[0] != '.' && text[0] != ',')) return false;
  const bool has_sign = text[1] == '-' || text[1] == '+';
  bool zero = true;
  for (std::size_t i = has_sign ? 2 : 1; i < 7; ++i) {
    if (!digitAt(text, i)) return false;
    zero = zero && text[i] == '0';
  }
  if (text[1] == '-' && !zero) *range = "fractional second";
  text.remove_prefix(7);
  return true;
}

}  // namespace

std::string parseTimeError(std::string_view text, TimeLayout layout) {
  const bool micro = layout == TimeLayout::kMicroseconds;
  const std::string prefix = "parsing time " + quoteBytes(text);
  const auto cannot = [&](std::string_view value, std::string_view element) {
    return prefix + " as \"2006-01-02T15:04:05" + (micro ? ".000000" : "") + "Z07:00\": cannot parse " +
           quoteBytes(value) + " as " + quoteBytes(element);
  };
  std::string_view rest = text;
  int numbers[6] = {};
  for (std::size_t i = 0; i < std::size(kElements); ++i) {
    const Element& element = kElements[i];
    if (*element.before != '\0') {
      if (rest.empty() || rest[0] != *element.before) return cannot(rest, element.before);
      rest.remove_prefix(1);
    }
    const std::string_view hold = rest;
    const char* range = nullptr;
    bool sound = true;
    if (i == 0) {
      sound = rest.size() >= 4;
      for (std::size_t k = 0; sound && k < 4; ++k) {
        sound = digitAt(rest, k);
        numbers[0] = numbers[0] * 10 + (rest[k] - '0');
      }
      if (sound) rest.remove_prefix(4);
    } else if (i < 6) {
      sound = takeNumber(rest, i != 3, numbers[i]);
      if (sound && (numbers[i] < element.least || numbers[i] > element.most)) range = element.name;
      // Seconds may have a fraction where the layout has none.
      if (i == 5 && sound && range == nullptr && !micro && isFraction(rest)) {
        rest.remove_prefix(1);
        while (digitAt(rest, 0)) rest.remove_prefix(1);
      }
    } else if (i == 6) {
      if (micro) sound = takeMicroseconds(rest, &range);
    } else {
      sound = takeZone(rest, &range);
    }
    if (range != nullptr) return prefix + ": " + range + " out of range";
    if (!sound) return cannot(hold, element.written);
  }
  if (!rest.empty()) return prefix + ": extra text: " + quoteBytes(rest);
  const int year = numbers[0];
  const bool leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
  constexpr int kDays[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  const int days = numbers[1] == 2 && leap ? 29 : kDays[numbers[1] - 1];
  return numbers[2] < 1 || numbers[2] > days ? prefix + ": day out of range" : "";
}

}  // namespace podberth::api::go
