#include "core/api/quantity.h"

#include <algorithm>
#include <cstddef>

namespace podberth::api {
namespace {

using Int128 = __int128;
using UInt128 = unsigned __int128;

constexpr const char* kErrFormat =
    "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";
constexpr const char* kErrNumeric = "unable to parse numeric part of quantity";
constexpr const char* kErrSuffix = "unable to parse quantity's suffix";

constexpr int kNano = -9;
constexpr int kMaxDigits = 38;
constexpr std::int64_t kMaxInt64 = INT64_MAX;
constexpr std::int64_t kMinInt64 = INT64_MIN;

UInt128 magnitude(Int128 v) { return v < 0 ? -static_cast<UInt128>(v) : static_cast<UInt128>(v); }

constexpr UInt128 pow10(int n) {
  UInt128 p = 1;
  for (int i = 0; i < n; ++i) p *= 10;
  return p;
}
constexpr Int128 kMaxUnits = static_cast<Int128>(pow10(kMaxDigits) - 1);

int digitsOf(UInt128 v) {
  int n = 0;
  for (; v != 0; v /= 10) ++n;
  return n;
}

bool fitsInt64(Int128 v) { return v >= kMinInt64 && v <= kMaxInt64; }

std::int64_t lowBits(Int128 v) { return static_cast<std::int64_t>(static_cast<std::uint64_t>(v)); }

// big.Int.Int64: the low 64 bits of the magnitude, with the sign.
std::int64_t bigInt64(Int128 v) {
  const auto low = static_cast<std::uint64_t>(magnitude(v));
  return static_cast<std::int64_t>(v < 0 ? 0 - low : low);
}

// v * 10^n, kept within 38 digits.
Int128 scaleUp(Int128 v, int n) {
  if (v == 0 || n <= 0) return v;
  if (digitsOf(magnitude(v)) + n > kMaxDigits) return v < 0 ? -kMaxUnits : kMaxUnits;
  return v * static_cast<Int128>(pow10(n));
}

// v * 10^n for a short number; false if an int64 cannot hold it. Then `out` is what upstream goes on with when it does
// not ask: the low bits for the powers that it multiplies by at once, 0 for the others.
bool shortScaleUp(std::int64_t v, int n, std::int64_t& out) {
  if (n <= 3 || n == 6 || n == 9) {
    const Int128 product = static_cast<Int128>(v) * static_cast<Int128>(pow10(n));
    out = v == kMinInt64 && n > 0 ? 0 : lowBits(product);
    return fitsInt64(product) && (v != kMinInt64 || n == 0);
  }
  out = v;
  for (int i = 0; i < n && out != 0; ++i) {
    if (out > kMaxInt64 / 10 || out < kMinInt64 / 10) {
      out = 0;
      return false;
    }
    out *= 10;
  }
  return true;
}

// v / 10^n, rounded away from zero.
Int128 scaleDown(Int128 v, int n, bool* exact = nullptr) {
  if (exact != nullptr) *exact = true;
  if (n <= 0 || v == 0) return v;
  const UInt128 divisor = n > kMaxDigits ? 0 : pow10(n);
  const Int128 quotient = divisor == 0 ? 0 : v / static_cast<Int128>(divisor);
  const bool fraction = divisor == 0 || v % static_cast<Int128>(divisor) != 0;
  if (exact != nullptr) *exact = !fraction;
  return quotient + (fraction ? (v < 0 ? -1 : 1) : 0);
}

std::string toString(Int128 v) {
  if (v == 0) return "0";
  std::string out;
  for (UInt128 m = magnitude(v); m != 0; m /= 10) out += static_cast<char>('0' + static_cast<int>(m % 10));
  if (v < 0) out += '-';
  std::reverse(out.begin(), out.end());
  return out;
}

struct Suffix {
  const char* text;
  int base;
  int exponent;
};
constexpr Suffix kSuffixes[] = {
    {"", 10, 0},   {"n", 10, -9}, {"u", 10, -6}, {"m", 10, -3}, {"k", 10, 3},  {"M", 10, 6},
    {"G", 10, 9},  {"T", 10, 12}, {"P", 10, 15}, {"E", 10, 18}, {"Ki", 2, 10}, {"Mi", 2, 20},
    {"Gi", 2, 30}, {"Ti", 2, 40}, {"Pi", 2, 50}, {"Ei", 2, 60},
};

const char* suffixOf(int base, int exponent) {
  for (const Suffix& s : kSuffixes) {
    if (s.base == base && s.exponent == exponent) return s.text;
  }
  return "";  // upstream drops a power that has no suffix
}

// An exponent as strconv.ParseInt takes it, narrowed as upstream narrows it.
bool parseExponent(std::string_view text, int& out) {
  bool negative = false;
  if (!text.empty() && (text[0] == '+' || text[0] == '-')) {
    negative = text[0] == '-';
    text.remove_prefix(1);
  }
  if (text.empty() || text.size() > 19) return false;
  UInt128 value = 0;
  for (const char c : text) {
    if (c < '0' || c > '9') return false;
    value = value * 10 + static_cast<UInt128>(c - '0');
  }
  if (value > static_cast<UInt128>(kMaxInt64)) return false;
  const auto wide = static_cast<std::int64_t>(value);
  out = static_cast<std::int32_t>(static_cast<std::uint32_t>(negative ? -wide : wide));
  return true;
}

bool isDigit(char c) { return c >= '0' && c <= '9'; }

}  // namespace

// Reads a quantity as resource.ParseQuantity does.
class QuantityParser {
 public:
  explicit QuantityParser(std::string_view text) : text_(text) {}

  const char* parse(Quantity& out) {
    if (text_.empty()) return kErrFormat;
    if (!split()) return kErrFormat;
    if (!interpretSuffix()) return kErrSuffix;
    if (parseShort(out)) return nullptr;
    return parseLong(out);
  }

 private:
  bool at(std::size_t i) const { return i < text_.size(); }

  // Splits into sign, digits before and after the point, and suffix.
  bool split() {
    std::size_t pos = 0;
    if (text_[0] == '-' || text_[0] == '+') {
      negative_ = text_[0] == '-';
      ++pos;
    }
    while (at(pos) && text_[pos] == '0') {
      ++pos;
      seen_digit_ = true;
    }
    if (!at(pos)) {  // also of a sign alone
      num_ = "0";
      seen_digit_ = true;
      return true;
    }
    std::size_t from = pos;
    while (at(pos) && isDigit(text_[pos])) ++pos;
    num_ = text_.substr(from, pos - from);
    seen_digit_ = seen_digit_ || !num_.empty();
    if (num_.empty()) num_ = "0";
    if (at(pos) && text_[pos] == '.') {
      from = ++pos;
      while (at(pos) && isDigit(text_[pos])) ++pos;
      denom_ = text_.substr(from, pos - from);
      seen_digit_ = seen_digit_ || !denom_.empty();
    }
    from = pos;
    while (at(pos) && std::string_view("eEinumkKMGTP").find(text_[pos]) != std::string_view::npos) ++pos;
    if (at(pos) && (text_[pos] == '-' || text_[pos] == '+')) ++pos;
    while (at(pos) && isDigit(text_[pos])) ++pos;
    suffix_ = text_.substr(from);
    return !at(pos);
  }

  bool interpretSuffix() {
    for (const Suffix& s : kSuffixes) {
      if (suffix_ == s.text) {
        exponent_ = s.exponent;
        format_ = s.base == 2 ? Quantity::Format::kBinarySI : Quantity::Format::kDecimalSI;
        return true;
      }
    }
    format_ = Quantity::Format::kDecimalExponent;
    return suffix_.size() > 1 && (suffix_[0] == 'e' || suffix_[0] == 'E') &&
           parseExponent(suffix_.substr(1), exponent_);
  }

  // The short form, for numbers that surely fit.
  bool parseShort(Quantity& out) const {
    const bool binary = format_ == Quantity::Format::kBinarySI;
    const int digits = static_cast<int>(num_.size() + denom_.size());
    int precision = 18 - digits;
    if (binary) {
      precision = denom_.empty() ? 15 - static_cast<int>(num_.size()) - exponent_ * 3 / 10 - 1 : -1;
    }
    const std::int64_t scale = std::int64_t{binary ? 0 : exponent_} - static_cast<std::int64_t>(denom_.size());
    if (precision < 0 || scale < kNano) return false;
    std::string shifted(num_);
    shifted += denom_;
    std::int64_t value = 0;
    for (const char c : shifted) value = value * 10 + (c - '0');
    const Int128 result = static_cast<Int128>(value) * (binary ? Int128{1} << exponent_ : Int128{1});
    if (!fitsInt64(result)) return false;
    out.units_ = negative_ ? -result : result;
    out.scale_ = static_cast<std::int32_t>(scale);
    out.long_ = false;
    out.format_ = format_;
    const bool reuse = binary ? (value & 7) != 0
                              : scale % 3 == 0 && shifted[0] != '0' &&
                                    !(shifted.size() >= 3 && shifted.compare(shifted.size() - 3, 3, "000") == 0);
    if (reuse && out.str() != text_) out.text_ = Symbol(text_);
    return true;
  }

  const char* parseLong(Quantity& out) {
    if (!seen_digit_) return kErrNumeric;
    const bool binary = format_ == Quantity::Format::kBinarySI;
    const std::int64_t power = binary ? 0 : exponent_;
    // Digits, of which those finer than nano only count as "there is something".
    const std::string digits = std::string(num_) + std::string(denom_);
    Int128 units = 0;
    bool more = false;
    std::int64_t scale = power - static_cast<std::int64_t>(denom_.size());
    std::int64_t weight = power + static_cast<std::int64_t>(num_.size());  // a power of ten
    for (const char c : digits) {
      --weight;
      if (!binary && weight < kNano) {
        more = more || c != '0';
        scale = kNano;
      } else {
        units = units > (kMaxUnits - 9) / 10 ? kMaxUnits : units * 10 + (c - '0');
      }
    }
    if (binary) {
      const Int128 factor = Int128{1} << exponent_;
      units = units > kMaxUnits / factor ? kMaxUnits : units * factor;
    }
    if (scale < kNano)
      units = scaleDown(units, static_cast<int>(std::min<std::int64_t>(kNano - scale, kMaxDigits + 1)));
    if (scale < kNano) scale = kNano;
    if (more) units += 1;
    if (units != 0 && scale > kNano && digitsOf(magnitude(units)) + scale - kNano <= kMaxDigits) {
      units = scaleUp(units, static_cast<int>(scale - kNano));
      scale = kNano;
    }
    if (binary) {
      const Int128 cap = static_cast<Int128>(kMaxInt64);
      if (scaleDown(units, static_cast<int>(-scale)) > cap) {
        units = cap;
        scale = 0;
      }
      if (units != 0 && scale < 0 && units < static_cast<Int128>(pow10(static_cast<int>(-scale)))) {
        format_ = Quantity::Format::kDecimalSI;
      }
    }
    out.units_ = negative_ ? -units : units;
    out.scale_ = static_cast<std::int32_t>(scale);
    out.long_ = true;
    out.format_ = format_;
    return nullptr;
  }

  std::string_view text_;
  std::string_view num_, denom_, suffix_;
  bool negative_ = false;
  bool seen_digit_ = false;
  int exponent_ = 0;
  Quantity::Format format_ = Quantity::Format::kDecimalSI;
};

Quantity Quantity::fromInt(std::int64_t value, Format format) {
  Quantity q;
  q.units_ = value;
  q.format_ = format;
  return q;
}

Quantity Quantity::fromMilli(std::int64_t milli, Format format) {
  Quantity q = fromInt(milli, format);
  q.scale_ = -3;
  return q;
}

std::optional<Quantity> Quantity::parse(std::string_view text, std::string* error) {
  Quantity q;
  if (const char* problem = QuantityParser(text).parse(q)) {
    if (error != nullptr) *error = problem;
    return std::nullopt;
  }
  return q;
}

std::int64_t Quantity::scaledValue(int scale) const {
  const int up = scale_ - scale;
  if (!long_) {
    if (up < 0) return static_cast<std::int64_t>(scaleDown(units_, -up));
    std::int64_t out = 0;
    shortScaleUp(static_cast<std::int64_t>(units_), up, out);
    return out;
  }
  if (up >= 0) {
    auto out = static_cast<std::uint64_t>(bigInt64(units_));
    for (int i = 0; i < up && out != 0; ++i) out *= 10;
    return static_cast<std::int64_t>(out);
  }
  if (-up < 19 && units_ < static_cast<Int128>(kMaxInt64)) {
    // Upstream takes the low 64 bits here, and adds one to a quotient that is cut towards zero: also to a negative one.
    const std::int64_t low = bigInt64(units_);
    const auto divisor = static_cast<std::int64_t>(pow10(-up));
    return low / divisor + (low % divisor != 0 ? 1 : 0);
  }
  if (-up > kMaxDigits) return units_ > 0 ? 1 : 0;
  const Int128 divisor = static_cast<Int128>(pow10(-up));
  const Int128 quotient = units_ / divisor;
  return bigInt64(units_ % divisor != 0 && units_ > 0 ? quotient + 1 : quotient);
}

int Quantity::compare(const Quantity& other) const {
  if (sign() != other.sign()) return sign() < other.sign() ? -1 : 1;
  if (units_ == 0) return 0;
  if (scale_ == other.scale_) return units_ < other.units_ ? -1 : units_ > other.units_ ? 1 : 0;
  UInt128 a = magnitude(units_), b = magnitude(other.units_);
  const std::int64_t size_a = std::int64_t{digitsOf(a)} + scale_, size_b = std::int64_t{digitsOf(b)} + other.scale_;
  int result = 0;
  if (size_a != size_b) {
    result = size_a < size_b ? -1 : 1;
  } else {
    // Of the same magnitude: the one with fewer digits gets zeros.
    if (scale_ > other.scale_) {
      a *= pow10(scale_ - other.scale_);
    } else {
      b *= pow10(other.scale_ - scale_);
    }
    result = a < b ? -1 : a > b ? 1 : 0;
  }
  return units_ < 0 ? -result : result;
}

Quantity Quantity::add(const Quantity& other) const {
  Quantity sum = *this;
  sum.text_ = Symbol();
  if (units_ == 0) sum.format_ = other.format_;
  if (!long_ && !other.long_) {
    if (other.units_ == 0) return sum;
    if (units_ == 0) {
      sum.units_ = other.units_;
      sum.scale_ = other.scale_;
      return sum;
    }
    const int scale = std::min(scale_, other.scale_);
    std::int64_t a = 0, b = 0;
    if (shortScaleUp(static_cast<std::int64_t>(units_), scale_ - scale, a) &&
        shortScaleUp(static_cast<std::int64_t>(other.units_), other.scale_ - scale, b) && fitsInt64(Int128{a} + b)) {
      sum.units_ = Int128{a} + b;
      sum.scale_ = scale;
      return sum;
    }
  }
  sum.long_ = true;
  sum.scale_ = std::min(scale_, other.scale_);
  const Int128 total = scaleUp(units_, scale_ - sum.scale_) + scaleUp(other.units_, other.scale_ - sum.scale_);
  sum.units_ = std::clamp(total, -kMaxUnits, kMaxUnits);
  return sum;
}

Quantity Quantity::sub(const Quantity& other) const { return add(other.neg()); }

Quantity Quantity::neg() const {
  Quantity q = *this;
  q.units_ = -q.units_;
  q.text_ = Symbol();
  return q;
}

std::string Quantity::str() const {
  if (!text_.empty()) return text_.str();
  if (units_ == 0) return "0";
  Format format = format_;
  if (format == Format::kBinarySI) {
    bool exact = true;
    const Int128 whole = scale_ >= 0 ? scaleUp(units_, scale_) : scaleDown(units_, -scale_, &exact);
    // Small numbers and fractions are written in decimal, so that nothing is rounded.
    if (compare(fromInt(1024)) < 0 && compare(fromInt(-1024)) > 0) exact = false;
    if (exact) {
      Int128 number = whole;
      int exponent = 0;
      for (; number % 1024 == 0; number /= 1024) exponent += 10;
      return toString(number) + suffixOf(2, exponent);
    }
    format = Format::kDecimalSI;
  }
  Int128 number = units_;
  int exponent = scale_;
  for (; number % 10 == 0; number /= 10) ++exponent;
  std::string out = toString(number);
  for (; exponent % 3 != 0; --exponent) out += '0';
  if (format == Format::kDecimalSI) {
    out += suffixOf(10, exponent);
  } else if (exponent != 0) {
    out += 'e';
    out += std::to_string(exponent);
  }
  return out;
}

}  // namespace podberth::api
