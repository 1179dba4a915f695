// resource.Quantity: a fixed-point number with a suffix, with upstream's arithmetic, rounding and canonical form.
// Upstream: k8s.io/apimachinery/pkg/api/resource/quantity.go.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/api/symbol.h"

namespace podberth::api {

class Quantity {
 public:
  enum class Format { kDecimalExponent, kBinarySI, kDecimalSI };

  Quantity() = default;
  static Quantity fromInt(std::int64_t value, Format format = Format::kDecimalSI);
  static Quantity fromMilli(std::int64_t milli, Format format = Format::kDecimalSI);

  // Parses "100m", "1.5Gi", "1e3", "12E", ... On failure returns nothing and, if `error` is given, upstream's text.
  // Finer than nano is rounded up (away from zero). With a binary suffix it is capped at +-(2^63-1). Numbers of more
  // than 38 digits, which upstream keeps, are capped at 38.
  static std::optional<Quantity> parse(std::string_view text, std::string* error = nullptr);

  // The value rounded up to an integer. What does not fit in 64 bits comes out as upstream has it: as 0 or cut to its
  // low 64 bits.
  std::int64_t value() const { return scaledValue(0); }
  // 1000 times the value, rounded up.
  std::int64_t milliValue() const { return scaledValue(-3); }
  // The value in units of 10^scale (0 = value(), -3 = milliValue()), rounded away from zero. (A negative fraction in
  // the long form is rounded up by one too many, as upstream does it.)
  std::int64_t scaledValue(int scale) const;

  bool isZero() const { return units_ == 0; }
  int sign() const { return units_ > 0 ? 1 : units_ < 0 ? -1 : 0; }
  // -1, 0, 1.
  int compare(const Quantity& other) const;
  Quantity add(const Quantity& other) const;
  Quantity sub(const Quantity& other) const;
  Quantity neg() const;

  Format format() const { return format_; }
  // Canonical form, as the API server would write it: "1500m", "1Gi", "0". A number that was parsed may print as
  // written
  // ("10.005"), as upstream's does.
  std::string str() const;

  // Same number; the format does not count.
  friend bool operator==(const Quantity& a, const Quantity& b) { return a.compare(b) == 0; }
  friend bool operator!=(const Quantity& a, const Quantity& b) { return a.compare(b) != 0; }

 private:
  friend class QuantityParser;

  // The number is units_ * 10^scale_. Upstream has a short form (an int64 and a scale) and a long one (inf.Dec); some
  // of what it does depends on which of them a number is in.
  __int128 units_ = 0;
  std::int32_t scale_ = 0;
  bool long_ = false;
  Format format_ = Format::kDecimalSI;
  // As written, if upstream would print that and it is not the canonical form ("1.500", "+5").
  Symbol text_;
};

}  // namespace podberth::api
