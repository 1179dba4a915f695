#include "core/session/metrics.h"

#include <algorithm>

namespace podberth::session {

namespace {

bool passed(const std::string& code) { return code.empty() || code == "Success" || code == "Skip" || code == "Wait"; }

// After these no other entry tells that the attempt has failed; a failure before them is part of the cycle's entry.
bool afterTheChoice(const std::string& point) {
  return point == "Reserve" || point == "Permit" || point == "WaitOnPermit" || point == "PreBind" || point == "Bind";
}

bool isRejection(const std::string& code) {
  return code == "Unschedulable" || code == "UnschedulableAndUnresolvable" || code == "Pending";
}

}  // namespace

void Metrics::apply(const trace::Entry& entry) {
  switch (entry.type) {
    case trace::Type::kMove:
      ++moves_[{entry.event, entry.queue}];
      since_.emplace(entry.pod, entry.at);
      break;
    case trace::Type::kCycle: {
      if (entry.cycle == nullptr) break;
      const trace::Cycle& c = *entry.cycle;
      if (!c.host.empty()) break;
      const bool rejected = !c.unschedulable_plugins.empty() || !c.pending_plugins.empty() || c.nodes.empty();
      ++(rejected ? unschedulable_ : errors_);
      break;
    }
    case trace::Type::kPoint:
      if (passed(entry.reason) || !afterTheChoice(entry.point)) break;
      ++(isRejection(entry.reason) ? unschedulable_ : errors_);
      break;
    case trace::Type::kBind: {
      ++scheduled_;
      auto it = since_.find(entry.pod);
      if (it == since_.end()) break;
      const clock::Duration wait = entry.at - it->second;
      total_wait_ += wait;
      longest_wait_ = std::max(longest_wait_, wait);
      since_.erase(it);
      break;
    }
    case trace::Type::kEvict:
      ++evicted_;
      break;
    default:
      break;
  }
}

}  // namespace podberth::session
