#include "core/scheduler/select_host.h"

#include <algorithm>
#include <string>

namespace podberth::scheduler {
namespace {

// Whether the choice could be followed; then *at is its position.
bool follow(const std::vector<NodeInfo*>& nodes, const std::vector<std::int64_t>& totals, Lots& lots, std::size_t* at) {
  const std::string& wanted = lots.host();
  if (wanted.empty()) return false;
  const auto chosen = std::find_if(nodes.begin(), nodes.end(),
                                   [&wanted](const NodeInfo* node) { return node->name().str() == wanted; });
  if (chosen == nodes.end()) {
    lots.refuse(wanted, "the pod does not fit there");
    return false;
  }
  *at = static_cast<std::size_t>(chosen - nodes.begin());
  const std::int64_t most = *std::max_element(totals.begin(), totals.end());
  if (totals[*at] == most) return true;
  lots.refuse(wanted, "it has " + std::to_string(totals[*at]) + " points, the best have " + std::to_string(most));
  return false;
}

}  // namespace

std::size_t selectHost(const std::vector<NodeInfo*>& nodes, const std::vector<std::int64_t>& totals, Lots& lots) {
  std::size_t selected = 0;
  if (follow(nodes, totals, lots, &selected)) return selected;
  selected = 0;
  std::size_t equals = 1;
  for (std::size_t i = 1; i < nodes.size(); ++i) {
    if (totals[i] > totals[selected]) {
      selected = i;
      equals = 1;
    } else if (totals[i] == totals[selected] && lots.draw(++equals) == 0) {
      selected = i;
    }
  }
  return selected;
}

}  // namespace podberth::scheduler
