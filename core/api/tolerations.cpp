#include "core/api/tolerations.h"

#include <algorithm>

#include "core/api/go_text.h"

namespace podberth::api {
namespace {

// content.IsDecimalInteger: no sign but "-", no leading zeros.
bool decimalInteger(const std::string& text, std::int64_t& out) {
  const std::string digits = text.substr(!text.empty() && text[0] == '-' ? 1 : 0);
  if (digits.empty() || digits[0] < '0' || digits[0] > '9') return false;
  if (digits[0] == '0' && text != "0") return false;
  return go::parseInt64(text, out);
}

}  // namespace

bool tolerates(const Toleration& toleration, const Taint& taint, bool comparison_operators) {
  if (!toleration.effect.empty() && toleration.effect != taint.effect) return false;
  if (!toleration.key.empty() && toleration.key != taint.key) return false;
  if (toleration.op.empty() || toleration.op == "Equal") return toleration.value == taint.value;
  if (toleration.op == "Exists") return true;
  if (!comparison_operators || (toleration.op != "Lt" && toleration.op != "Gt")) return false;
  std::int64_t bound = 0, value = 0;
  if (!decimalInteger(toleration.value, bound) || !decimalInteger(taint.value, value)) return false;
  return toleration.op == "Lt" ? value < bound : value > bound;
}

bool toleratesAny(const std::vector<Toleration>& tolerations, const Taint& taint, bool comparison_operators) {
  return std::any_of(tolerations.begin(), tolerations.end(),
                     [&](const Toleration& t) { return tolerates(t, taint, comparison_operators); });
}

const Taint* findUntoleratedHardTaint(const std::vector<Taint>& taints, const std::vector<Toleration>& tolerations,
                                      bool comparison_operators) {
  return findMatchingUntoleratedTaint(
      taints, tolerations, [](const Taint& t) { return t.effect == "NoSchedule" || t.effect == "NoExecute"; },
      comparison_operators);
}

}  // namespace podberth::api
