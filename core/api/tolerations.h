// Whether tolerations let a pod be where a taint is.
// Upstream: k8s.io/api/core/v1/toleration.go, k8s.io/component-helpers/scheduling/corev1/helpers.go.
#pragma once

#include <vector>

#include "core/api/node.h"
#include "core/api/pod.h"

namespace podberth::api {

// The operators Lt and Gt compare integers, behind the gate TaintTolerationComparisonOperators (off by default);
// without it they tolerate nothing.
bool tolerates(const Toleration& toleration, const Taint& taint, bool comparison_operators = false);
bool toleratesAny(const std::vector<Toleration>& tolerations, const Taint& taint, bool comparison_operators = false);

// The first taint, among those for which `counts` is true, that no toleration tolerates; null if there is none.
template <class Counts>
const Taint* findMatchingUntoleratedTaint(const std::vector<Taint>& taints, const std::vector<Toleration>& tolerations,
                                          const Counts& counts, bool comparison_operators = false) {
  for (const Taint& taint : taints) {
    if (counts(taint) && !toleratesAny(tolerations, taint, comparison_operators)) return &taint;
  }
  return nullptr;
}
// The same for the effects that keep a pod away: NoSchedule and NoExecute.
const Taint* findUntoleratedHardTaint(const std::vector<Taint>& taints, const std::vector<Toleration>& tolerations,
                                      bool comparison_operators = false);

}  // namespace podberth::api
