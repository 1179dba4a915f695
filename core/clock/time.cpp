#include "core/clock/time.h"

#include <cstddef>

namespace podberth::clock {
namespace {

// Days since 1970-01-01 of a date of the Gregorian calendar.
std::int64_t daysFromCivil(std::int64_t year, unsigned month, unsigned day) {
  year -= month <= 2 ? 1 : 0;
  const std::int64_t era = (year >= 0 ? year : year - 399) / 400;
  const auto year_of_era = static_cast<unsigned>(year - era * 400);
  const unsigned day_of_year = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
  const unsigned day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
  return era * 146097 + static_cast<std::int64_t>(day_of_era) - 719468;
}

unsigned daysInMonth(std::int64_t year, unsigned month) {
  constexpr unsigned kDays[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  const bool leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
  return month == 2 && leap ? 29 : kDays[month - 1];
}

void append(std::string& out, std::int64_t value, int width) {
  const std::string digits = std::to_string(value);
  out.append(digits.size() < static_cast<std::size_t>(width) ? static_cast<std::size_t>(width) - digits.size() : 0,
             '0');
  out += digits;
}

class Reader {
 public:
  explicit Reader(const std::string& text) : text_(text) {}
  bool digit() const { return at_ < text_.size() && text_[at_] >= '0' && text_[at_] <= '9'; }
  bool number(int digits, int& out) {
    out = 0;
    for (int i = 0; i < digits; ++i) {
      if (!digit()) return false;
      out = out * 10 + (text_[at_++] - '0');
    }
    return true;
  }
  // One digit or two: Go's parser takes an hour of one.
  bool shortNumber(int& out) {
    if (!number(1, out)) return false;
    if (digit()) out = out * 10 + (text_[at_++] - '0');
    return true;
  }
  bool literal(char c) {
    if (at_ >= text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }
  bool done() const { return at_ == text_.size(); }

 private:
  const std::string& text_;
  std::size_t at_ = 0;
};

}  // namespace

std::string formatRfc3339(Time t) {
  std::int64_t seconds = t / kSecond;
  if (t % kSecond < 0) --seconds;
  std::int64_t days = seconds / 86400;
  std::int64_t rest = seconds % 86400;
  if (rest < 0) {
    rest += 86400;
    --days;
  }
  const std::int64_t shifted = days + 719468;
  const std::int64_t era = (shifted >= 0 ? shifted : shifted - 146096) / 146097;
  const auto day_of_era = static_cast<unsigned>(shifted - era * 146097);
  const unsigned year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36524 - day_of_era / 146096) / 365;
  const unsigned day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
  const unsigned month_index = (5 * day_of_year + 2) / 153;
  const unsigned day = day_of_year - (153 * month_index + 2) / 5 + 1;
  const unsigned month = month_index < 10 ? month_index + 3 : month_index - 9;
  const std::int64_t year = static_cast<std::int64_t>(year_of_era) + era * 400 + (month <= 2 ? 1 : 0);

  std::string out;
  append(out, year, 4);
  out += '-';
  append(out, month, 2);
  out += '-';
  append(out, day, 2);
  out += 'T';
  append(out, rest / 3600, 2);
  out += ':';
  append(out, rest / 60 % 60, 2);
  out += ':';
  append(out, rest % 60, 2);
  out += 'Z';
  return out;
}

bool parseRfc3339(const std::string& text, Time& out) {
  Reader in(text);
  int year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0;
  if (!in.number(4, year) || !in.literal('-') || !in.number(2, month) || !in.literal('-') || !in.number(2, day) ||
      !in.literal('T') || !in.shortNumber(hour) || !in.literal(':') || !in.number(2, minute) || !in.literal(':') ||
      !in.number(2, second)) {
    return false;
  }
  std::int64_t nanoseconds = 0;
  if (in.literal('.') || in.literal(',')) {
    if (!in.digit()) return false;
    std::int64_t unit = kSecond;
    for (int value = 0; in.digit();) {
      in.number(1, value);
      unit /= 10;
      nanoseconds += value * unit;
    }
  }
  std::int64_t offset = 0;
  if (!in.literal('Z')) {
    const bool west = in.literal('-');
    if (!west && !in.literal('+')) return false;
    int hours = 0, minutes = 0;
    if (!in.number(2, hours) || !in.literal(':') || !in.number(2, minutes) || hours > 24 || minutes > 60) return false;
    offset = (hours * 3600 + minutes * 60) * (west ? -1 : 1);
  }
  if (!in.done() || year < 1678 || year > 2261 || month < 1 || month > 12 || day < 1 ||
      static_cast<unsigned>(day) > daysInMonth(year, static_cast<unsigned>(month)) || hour > 23 || minute > 59 ||
      second > 59) {
    return false;
  }
  const std::int64_t days = daysFromCivil(year, static_cast<unsigned>(month), static_cast<unsigned>(day));
  out = (days * 86400 + hour * 3600 + minute * 60 + second - offset) * kSecond + nanoseconds;
  return true;
}

}  // namespace podberth::clock
