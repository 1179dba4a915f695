#include "core/scheduler/plugins/node_resources_balanced_allocation/balanced_allocation.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/scheduler/plugins/helper/sign.h"

namespace podberth::scheduler::plugins {
namespace {

struct ScoreState : StateData {
  std::vector<std::int64_t> requests;
};
constexpr StateKey<ScoreState> kScoreState{"PreScoreNodeResourcesBalancedAllocation"};
constexpr const char* kNoResources = "resources not found";

bool asksForNothing(const std::vector<std::int64_t>& requests) {
  return std::all_of(requests.begin(), requests.end(), [](std::int64_t r) { return r == 0; });
}

double fraction(std::int64_t part, std::int64_t whole) {
  const double f = static_cast<double>(part) / static_cast<double>(whole);
  return f > 1 ? 1 : f;
}

}  // namespace

std::int64_t balanceOfFractions(const double* fractions, std::size_t count) {
  double deviation = 0;
  if (count == 2) {
    deviation = std::fabs((fractions[0] - fractions[1]) / 2);
  } else if (count > 2) {
    double total = 0;
    for (std::size_t i = 0; i < count; ++i) total += fractions[i];
    const double mean = total / static_cast<double>(count);
    double sum = 0;
    for (std::size_t i = 0; i < count; ++i) sum = sum + (fractions[i] - mean) * (fractions[i] - mean);
    deviation = std::sqrt(sum / static_cast<double>(count));
  }
  return static_cast<std::int64_t>((1 - deviation) * static_cast<double>(kMaxNodeScore));
}

std::int64_t balancedAllocationScore(const std::vector<ScoredResource>& resources,
                                     const std::vector<std::int64_t>& pod_requests, const NodeInfo& node) {
  constexpr std::size_t kUsual = 8;
  std::array<double, 2 * kUsual> on_stack;
  std::vector<double> on_heap;
  double* with_pod = on_stack.data();
  if (resources.size() > kUsual) {
    on_heap.resize(2 * resources.size());
    with_pod = on_heap.data();
  }
  double* without_pod = with_pod + std::max(resources.size(), kUsual);
  std::size_t count = 0;
  for (std::size_t i = 0; i < resources.size(); ++i) {
    const Usage usage = usageOf(resources[i], pod_requests[i], node, node.requested);
    if (usage.allocatable == 0) continue;
    with_pod[count] = fraction(usage.requested, usage.allocatable);
    without_pod[count] = fraction(usage.allocated, usage.allocatable);
    ++count;
  }
  const std::int64_t with = balanceOfFractions(with_pod, count);
  const std::int64_t without = balanceOfFractions(without_pod, count);
  return kMaxNodeScore / 2 + (kMaxNodeScore / 2 + with - without) / 2;
}

NodeResourcesBalancedAllocation::NodeResourcesBalancedAllocation(
    const config::NodeResourcesBalancedAllocationArgs& args)
    : resources_(scoredResources(args.resources)) {}

Status NodeResourcesBalancedAllocation::preScore(CycleState& state, const PodInfo& pod, const std::vector<NodeInfo*>&) {
  auto data = std::make_shared<ScoreState>();
  data->requests = podRequestsOf(*pod.pod, resources_, RequestKind::kPlain);
  if (asksForNothing(data->requests)) return Status(Code::kSkip);
  state.write(kScoreState, std::move(data));
  return {};
}

Status NodeResourcesBalancedAllocation::score(CycleState& state, const PodInfo& pod, const NodeInfo& node,
                                              std::int64_t& score) {
  const ScoreState* data = state.read(kScoreState);
  if (data == nullptr) {  // PreScore is turned off
    auto made = std::make_shared<ScoreState>();
    made->requests = podRequestsOf(*pod.pod, resources_, RequestKind::kPlain);
    data = made.get();
    state.write(kScoreState, std::move(made));
  }
  score = 0;
  if (asksForNothing(data->requests)) return {};
  if (resources_.empty()) return Status::error(kNoResources);
  score = balancedAllocationScore(resources_, data->requests, node);
  return {};
}

std::vector<SignFragment> NodeResourcesBalancedAllocation::sign(const api::Pod& pod, bool& signable) const {
  signable = true;
  return {{std::string(sign::kResources), sign::resources(pod)}};
}

std::unique_ptr<Plugin> newNodeResourcesBalancedAllocation(const config::PluginArgs& args, Handle&, std::string*) {
  const auto* given = std::get_if<config::NodeResourcesBalancedAllocationArgs>(&args);
  return std::make_unique<NodeResourcesBalancedAllocation>(
      given != nullptr ? *given : config::NodeResourcesBalancedAllocationArgs());
}

}  // namespace podberth::scheduler::plugins
