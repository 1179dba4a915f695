#include "core/scheduler/plugins/helper/go_log.h"

#include <cmath>
#include <limits>

namespace podberth::scheduler::plugins {
namespace {

// ln 2 in two parts, the first with zeros at its end, so that multiples of it are exact.
constexpr double kLn2High = 6.93147180369123816490e-01;
constexpr double kLn2Low = 1.90821492927058770002e-10;
constexpr double kSqrtHalf = 7.07106781186547524401e-01;
// Coefficients of the polynomial that stands for (log(1+s) - log(1-s) - 2s) / s.
constexpr double kL1 = 6.666666666666735130e-01;
constexpr double kL2 = 3.999999999940941908e-01;
constexpr double kL3 = 2.857142874366239149e-01;
constexpr double kL4 = 2.222219843214978396e-01;
constexpr double kL5 = 1.818357216161805012e-01;
constexpr double kL6 = 1.531383769920937332e-01;
constexpr double kL7 = 1.479819860511658591e-01;

}  // namespace

double goLog(double x) {
  if (std::isnan(x) || x == std::numeric_limits<double>::infinity()) return x;
  if (x < 0) return std::numeric_limits<double>::quiet_NaN();
  if (x == 0) return -std::numeric_limits<double>::infinity();
  // x = 2^exponent * (1+f) with 1+f between sqrt(1/2) and sqrt(2).
  int exponent = 0;
  double mantissa = std::frexp(x, &exponent);
  if (mantissa < kSqrtHalf) {
    mantissa *= 2;
    --exponent;
  }
  const double f = mantissa - 1;
  const double k = exponent;
  const double s = f / (2 + f);
  const double s2 = s * s;
  const double s4 = s2 * s2;
  // Odd and even coefficients on their own, and nothing contracted: the order of the operations is part of the result.
  const double odd = s2 * (kL1 + s4 * (kL3 + s4 * (kL5 + s4 * kL7)));
  const double even = s4 * (kL2 + s4 * (kL4 + s4 * kL6));
  const double rest = odd + even;
  const double half_square = 0.5 * f * f;
  return k * kLn2High - ((half_square - (s * (half_square + rest) + k * kLn2Low)) - f);
}

}  // namespace podberth::scheduler::plugins
