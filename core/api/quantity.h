// resource.Quantity: a fixed-point number with a suffix, with upstream's arithmetic, rounding and canonical form.
// Upstream: k8s.io/apimachinery/pkg/api/resource/quantity.go.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace podberth::api {

class Quantity {
 public:
  enum class Format { kDecimalExponent, kBinarySI, kDecimalSI };

  Quantity() = default;
  static Quantity fromInt(std::int64_t value, Format format = Format::kDecimalSI);
  static Quantity fromMilli(std::int64_t milli, Format format = Format::kDecimalSI);

  // Parses "100m", "1.5Gi", "1e3", "12E", ... On failure returns nothing and, if `error` is given, upstream's text.
  // Finer than nano is rounded up (away from zero); beyond +-2^63-1 of nano..E is capped as upstream caps.
  static std::optional<Quantity> parse(std::string_view text, std::string* error = nullptr);

  // The value rounded up to an integer; int64 max when it does not fit, as upstream.
  std::int64_t value() const;
  // 1000 times the value, rounded up; int64 max when it does not fit.
  std::int64_t milliValue() const;
  // The value in units of 10^scale (0 = value(), -3 = milliValue()), rounded up.
  std::int64_t scaledValue(int scale) const;

  bool isZero() const { return units_ == 0; }
  int sign() const { return units_ > 0 ? 1 : units_ < 0 ? -1 : 0; }
  // -1, 0, 1.
  int compare(const Quantity& other) const;
  Quantity add(const Quantity& other) const;
  Quantity sub(const Quantity& other) const;
  Quantity neg() const;

  Format format() const { return format_; }
  // Canonical form, as the API server would write it: "1500m", "1Gi", "0".
  std::string str() const;

  // Same number; the format does not count.
  friend bool operator==(const Quantity& a, const Quantity& b) { return a.compare(b) == 0; }
  friend bool operator!=(const Quantity& a, const Quantity& b) { return a.compare(b) != 0; }

 private:
  // The number is units_ * 10^-9; 128 bits hold all that upstream's int64 and inf.Dec hold for capped values.
  __int128 units_ = 0;
  Format format_ = Format::kDecimalSI;
};

}  // namespace podberth::api
