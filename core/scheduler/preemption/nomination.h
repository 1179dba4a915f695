// Nominations: how preemption answers PostFilter, and how it takes them from others, whichever way victims are evicted.
// Upstream: framework.NewPostFilterResultWithNominatedNode and pkg/scheduler/framework/preemption
// (getLowerPriorityNominatedPods, util.ClearNominatedNodeName).
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/scheduler/framework/handle.h"
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

// The pods of lower priority that are nominated to the node: they may no longer fit, and sooner find another place
// without the nomination.
std::vector<api::PodPtr> losingNominations(Handle& handle, const std::string& node, const api::Pod& preemptor);

// Starts something and lets simulated time pass until it has called `done`.
void await(clock::EventLoop& loop, const std::function<void(const std::function<void()>& done)>& start);
// The same of a write to the API server.
ApiError awaitWrite(clock::EventLoop& loop, const std::function<void(ApiClient::Done)>& write);

// Clears the nominations of the pods that have one, one after the other, and waits for it. Returns the errors, "" if
// there were none.
std::string clearNominations(Handle& handle, const std::vector<api::PodPtr>& pods);
// The same of the losing ones; what fails is not critical, and logged.
void clearLosingNominations(Handle& handle, const std::string& node, const api::Pod& preemptor);

}  // namespace podberth::scheduler::preemption
