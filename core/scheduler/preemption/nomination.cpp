#include "core/scheduler/preemption/nomination.h"

#include <optional>

#include "core/scheduler/preemption/victims.h"

namespace podberth::scheduler::preemption {

std::vector<api::PodPtr> losingNominations(Handle& handle, const std::string& node, const api::Pod& preemptor) {
  std::vector<api::PodPtr> out;
  for (const PodInfoPtr& pod : handle.nominator().nominatedPodsForNode(api::Symbol(node))) {
    if (pod->pod->priority() < preemptor.priority()) out.push_back(pod->pod);
  }
  return out;
}

void await(clock::EventLoop& loop, const std::function<void(const std::function<void()>& done)>& start) {
  bool done = false;
  start([&done] { done = true; });
  loop.runUntil(done);
}

ApiError awaitWrite(clock::EventLoop& loop, const std::function<void(ApiClient::Done)>& write) {
  ApiError result;
  await(loop, [&](const std::function<void()>& done) {
    write([&result, done](const ApiError& error) {
      result = error;
      done();
    });
  });
  return result;
}

std::string clearNominations(Handle& handle, const std::vector<api::PodPtr>& pods) {
  std::vector<std::string> errors;
  for (const api::PodPtr& pod : pods) {
    if (pod->status.nominated_node_name.empty()) continue;
    const ApiError error = awaitWrite(handle.loop(), [&](ApiClient::Done done) {
      handle.client().patchPodStatus(*pod, std::nullopt, std::string(), std::move(done));
    });
    if (error.failed) errors.push_back(error.message);
  }
  return errors.empty() ? std::string() : aggregate(errors);
}

void clearLosingNominations(Handle& handle, const std::string& node, const api::Pod& preemptor) {
  const std::string error = clearNominations(handle, losingNominations(handle, node, preemptor));
  if (!error.empty()) handle.logError("Cannot clear 'NominatedNodeName' field", error);
}

}  // namespace podberth::scheduler::preemption
