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

// How full the node's resources are, with and without the pod; those that it does not have are left out.
class Fractions {
 public:
  Fractions(const std::vector<ScoredResource>& resources, const std::vector<std::int64_t>& pod_requests,
            const NodeInfo& node) {
    if (resources.size() > kUsual) {
      on_heap_.resize(2 * resources.size());
      with_pod_ = on_heap_.data();
    }
    without_pod_ = with_pod_ + std::max(resources.size(), kUsual);
    for (std::size_t i = 0; i < resources.size(); ++i) {
      const Usage usage = usageOf(resources[i], pod_requests[i], node, node.requested);
      if (usage.allocatable == 0) continue;
      with_pod_[count_] = fraction(usage.requested, usage.allocatable);
      without_pod_[count_] = fraction(usage.allocated, usage.allocatable);
      ++count_;
    }
  }
  Fractions(const Fractions&) = delete;
  Fractions& operator=(const Fractions&) = delete;
  std::int64_t balanceWith() const { return balanceOfFractions(with_pod_, count_); }
  std::int64_t balanceWithout() const { return balanceOfFractions(without_pod_, count_); }

 private:
  static constexpr std::size_t kUsual = 8;
  std::array<double, 2 * kUsual> on_stack_;
  std::vector<double> on_heap_;
  double* with_pod_ = on_stack_.data();
  double* without_pod_ = nullptr;
  std::size_t count_ = 0;
};

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
  const Fractions fractions(resources, pod_requests, node);
  return kMaxNodeScore / 2 + (kMaxNodeScore / 2 + fractions.balanceWith() - fractions.balanceWithout()) / 2;
}

std::int64_t balanceWithPod(const std::vector<ScoredResource>& resources, const std::vector<std::int64_t>& pod_requests,
                            const NodeInfo& node) {
  return Fractions(resources, pod_requests, node).balanceWith();
}

NodeResourcesBalancedAllocation::NodeResourcesBalancedAllocation(
    const config::NodeResourcesBalancedAllocationArgs& args, const BalancedAllocationRules& rules)
    : rules_(rules),
      resources_(rules.by_container ? distinctResources(args.resources) : scoredResources(args.resources)) {}

std::vector<std::int64_t> NodeResourcesBalancedAllocation::requestsOf(const api::Pod& pod) const {
  return rules_.by_container ? podRequestsByContainer(pod, resources_, RequestKind::kPlain)
                             : podRequestsOf(pod, resources_, RequestKind::kPlain);
}

Status NodeResourcesBalancedAllocation::preScore(CycleState& state, const PodInfo& pod, const std::vector<NodeInfo*>&) {
  auto data = std::make_shared<ScoreState>();
  data->requests = requestsOf(*pod.pod);
  if (rules_.leaves_out_nothing && asksForNothing(data->requests)) return Status(Code::kSkip);
  state.write(kScoreState, std::move(data));
  return {};
}

Status NodeResourcesBalancedAllocation::score(CycleState& state, const PodInfo& pod, const NodeInfo& node,
                                              std::int64_t& score) {
  const ScoreState* data = state.read(kScoreState);
  if (data == nullptr) {  // PreScore is turned off
    auto made = std::make_shared<ScoreState>();
    made->requests = requestsOf(*pod.pod);
    data = made.get();
    state.write(kScoreState, std::move(made));
  }
  score = 0;
  if (rules_.leaves_out_nothing && asksForNothing(data->requests)) return {};
  if (resources_.empty()) return Status::error(kNoResources);
  score = rules_.scores_change ? balancedAllocationScore(resources_, data->requests, node)
                               : balanceWithPod(resources_, data->requests, node);
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
