// How preemption answers PostFilter, whichever way victims are evicted. Upstream:
// framework.NewPostFilterResultWithNominatedNode.
#pragma once

#include <string>
#include <string_view>
#include <utility>

#include "core/scheduler/framework/plugin.h"

namespace podberth::scheduler::preemption {

// What the nodes say on which nobody's leaving would help.
inline constexpr std::string_view kNotHelpful = "Preemption is not helpful for scheduling";

// The pod is nominated to the node; "" takes a nomination back.
inline PostFilterResult nominate(std::string node) {
  NominatingInfo info;
  info.mode = NominatingMode::kOverride;
  info.node = std::move(node);
  PostFilterResult result;
  result.nominating = std::move(info);
  return result;
}

}  // namespace podberth::scheduler::preemption
