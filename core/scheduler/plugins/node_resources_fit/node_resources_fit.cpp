#include "core/scheduler/plugins/node_resources_fit/node_resources_fit.h"

#include <cmath>

#include "core/api/pod_requests.h"
#include "core/scheduler/plugins/helper/arithmetic.h"
#include "core/scheduler/plugins/helper/resource_names.h"
#include "core/scheduler/plugins/helper/sign.h"

namespace podberth::scheduler::plugins {
namespace {

struct FilterState : StateData {
  FitRequest request;
};
struct ScoreState : StateData {
  std::vector<std::int64_t> requests;
};
constexpr StateKey<FilterState> kFilterState{"PreFilterNodeResourcesFit"};
constexpr StateKey<ScoreState> kScoreState{"PreScoreNodeResourcesFit"};
constexpr const char* kNoFilterState = "error reading \"PreFilterNodeResourcesFit\" from cycleState: not found";
constexpr const char* kNoResources = "resources not found";

constexpr std::int64_t kMaxUtilization = 100;
constexpr std::size_t kPlainMasks = 16;

HintResult afterAssignedPodDelete(const api::Pod&, const api::Object* old_object, const api::Object*) {
  const api::Pod* deleted = api::as<api::Pod>(old_object);
  const bool nowhere = deleted->spec.node_name.empty() && deleted->status.nominated_node_name.empty();
  return nowhere ? HintResult::skip() : HintResult::queue();
}

api::PodResourcesOptions actualOptions() {
  api::PodResourcesOptions options;
  options.use_status_resources = true;
  options.in_place_pod_level_resize = true;
  return options;
}

// What a pod takes of its node: in-place resizes count.
Resource actualRequests(const api::Pod& pod) {
  Resource out;
  out.setMax(api::podRequests(pod, actualOptions()));
  return out;
}

// Whether a pod on a node has come to take less of something that `pod` asks for.
HintResult afterAssignedPodScaleDown(const api::Pod& pod, const api::Object* old_object,
                                     const api::Object* new_object) {
  const api::Pod* now = api::as<api::Pod>(new_object);
  if (now->spec.node_name.empty()) return HintResult::skip();
  const Resource before = actualRequests(*api::as<api::Pod>(old_object));
  const Resource after = actualRequests(*now);
  const api::ResourceList requests = api::podRequests(pod, actualOptions());
  for (const auto& [name, quantity] : requests) {
    if (quantity.isZero() || name == api::resource::kPods) continue;
    if (before.get(name) > after.get(name)) return HintResult::queue();
  }
  return HintResult::skip();
}

bool moreOfWhatIsRequested(const FitRequest& request, const Resource& requests, const Resource& before,
                           const Resource& now) {
  if (now.allowed_pod_number > before.allowed_pod_number) return true;
  if (!request.anything) return false;
  if (requests.milli_cpu > 0 && now.milli_cpu > before.milli_cpu) return true;
  if (requests.memory > 0 && now.memory > before.memory) return true;
  if (requests.ephemeral_storage > 0 && now.ephemeral_storage > before.ephemeral_storage) return true;
  for (const auto& [name, value] : requests.scalar) {
    if (value != 0 && now.scalarOf(name) > before.scalarOf(name)) return true;
  }
  return false;
}

// A node that the pod would fit on if the node were empty, and that is new or has more of something the pod asks for.
HintResult afterNodeChange(const api::Pod& pod, const api::Object* old_object, const api::Object* new_object) {
  const Resource requests = specRequests(pod);
  const FitRequest request = fitRequest(requests, IgnoredResources());
  const Resource now(api::as<api::Node>(new_object)->status.allocatable);
  if (!findLack(request, 0, now, Resource()).none()) return HintResult::skip();
  const api::Node* old_node = api::as<api::Node>(old_object);
  if (old_node == nullptr) return HintResult::queue();
  const Resource before(old_node->status.allocatable);
  return moreOfWhatIsRequested(request, requests, before, now) ? HintResult::queue() : HintResult::skip();
}

}  // namespace

std::int64_t leastRequestedScore(std::int64_t requested, std::int64_t capacity) {
  if (capacity == 0 || requested > capacity) return 0;
  return wrappingMul(wrappingSub(capacity, requested), kMaxNodeScore) / capacity;
}

std::int64_t mostRequestedScore(std::int64_t requested, std::int64_t capacity) {
  if (capacity == 0) return 0;
  if (requested > capacity) requested = capacity;
  return wrappingMul(requested, kMaxNodeScore) / capacity;
}

std::int64_t capacityRatioScore(const FunctionShape& shape, std::int64_t requested, std::int64_t capacity) {
  if (capacity == 0 || requested > capacity) return brokenLinear(shape, kMaxUtilization);
  return brokenLinear(shape, wrappingMul(requested, kMaxUtilization) / capacity);
}

bool FitScorer::parse(const std::string& name, Strategy* out) {
  if (name == "LeastAllocated") {
    *out = Strategy::kLeastAllocated;
  } else if (name == "MostAllocated") {
    *out = Strategy::kMostAllocated;
  } else if (name == "RequestedToCapacityRatio") {
    *out = Strategy::kRequestedToCapacityRatio;
  } else {
    return false;
  }
  return true;
}

FitScorer::FitScorer(Strategy strategy, std::vector<ScoredResource> resources, FunctionShape shape)
    : strategy_(strategy), resources_(std::move(resources)), shape_(std::move(shape)) {}

std::int64_t FitScorer::score(const std::vector<std::int64_t>& pod_requests, const NodeInfo& node) const {
  std::int64_t sum = 0;
  std::int64_t weights = 0;
  for (std::size_t i = 0; i < resources_.size(); ++i) {
    const ScoredResource& resource = resources_[i];
    const Usage usage = usageOf(resource, pod_requests[i], node, node.non_zero_requested);
    if (usage.allocatable == 0) continue;
    std::int64_t score = 0;
    switch (strategy_) {
      case Strategy::kLeastAllocated:
        score = leastRequestedScore(usage.requested, usage.allocatable);
        break;
      case Strategy::kMostAllocated:
        score = mostRequestedScore(usage.requested, usage.allocatable);
        break;
      case Strategy::kRequestedToCapacityRatio:
        score = capacityRatioScore(shape_, usage.requested, usage.allocatable);
        if (score <= 0) continue;  // resources that score nothing do not weigh either
        break;
    }
    sum += score * resource.weight;
    weights += resource.weight;
  }
  if (weights == 0) return 0;
  if (strategy_ != Strategy::kRequestedToCapacityRatio) return sum / weights;
  return static_cast<std::int64_t>(std::round(static_cast<double>(sum) / static_cast<double>(weights)));
}

NodeResourcesFit::NodeResourcesFit(const config::NodeResourcesFitArgs& args, FitScorer::Strategy strategy,
                                   const FitRules& rules)
    : rules_(rules),
      scorer_(strategy, rules.by_container ? distinctResources(args.resources) : scoredResources(args.resources),
              scaledShape(args.shape)),
      plain_(2 * kPlainMasks) {
  ignored_.names.insert(args.ignored_resources.begin(), args.ignored_resources.end());
  ignored_.groups.insert(args.ignored_resource_groups.begin(), args.ignored_resource_groups.end());
}

std::vector<ClusterEventWithHint> NodeResourcesFit::eventsToRegister() const {
  return {{ClusterEvent{EventResource::kAssignedPod, action::kDelete, {}}, afterAssignedPodDelete},
          {ClusterEvent{EventResource::kNode, action::kAdd | action::kUpdateNodeAllocatable, {}}, afterNodeChange},
          // Device classes are not simulated: this one never comes.
          {ClusterEvent{EventResource::kDeviceClass, action::kAdd | action::kUpdate, {}}, nullptr},
          {ClusterEvent{EventResource::kAssignedPod, action::kUpdatePodScaleDown, {}}, afterAssignedPodScaleDown},
          {ClusterEvent{EventResource::kTargetPod, action::kUpdatePodScaleDown, {}},
           [](const api::Pod&, const api::Object*, const api::Object*) { return HintResult::queue(); }}};
}

Status NodeResourcesFit::preFilter(CycleState& state, const PodInfo& pod, const std::vector<NodeInfo*>&,
                                   PreFilterResult&) {
  auto data = std::make_shared<FilterState>();
  data->request =
      fitRequest(rules_.by_container ? pod.requests : specRequests(*pod.pod), ignored_, rules_.checks_zeros);
  state.write(kFilterState, std::move(data));
  return {};
}

const Status& NodeResourcesFit::statusOf(const Lack& lack) {
  Status& status = lack.scalar.empty() ? plain_[lack.mask + (lack.unresolvable ? kPlainMasks : 0)]
                                       : with_scalar_[std::make_tuple(lack.mask, lack.unresolvable, lack.scalar)];
  if (status.isSuccess()) {
    const Code code = lack.unresolvable ? Code::kUnschedulableAndUnresolvable : Code::kUnschedulable;
    status = Status(code, lackReasons(lack)).withPlugin(names::kNodeResourcesFit);
  }
  return status;
}

Status NodeResourcesFit::filter(CycleState& state, const PodInfo&, const NodeInfo& node) {
  const FilterState* data = state.read(kFilterState);
  if (data == nullptr) return Status::error(kNoFilterState);
  Lack lack = findLack(data->request, node.pods.size(), node.allocatable, node.requested, rules_.checks_zeros);
  if (lack.none()) return {};
  if (!rules_.tells_unresolvable) lack.unresolvable = false;
  return statusOf(lack);
}

std::vector<std::int64_t> NodeResourcesFit::scoredRequests(const api::Pod& pod) const {
  return rules_.by_container ? podRequestsByContainer(pod, scorer_.resources(), RequestKind::kNonZero)
                             : podRequestsOf(pod, scorer_.resources(), RequestKind::kNonZero);
}

Status NodeResourcesFit::preScore(CycleState& state, const PodInfo& pod, const std::vector<NodeInfo*>&) {
  auto data = std::make_shared<ScoreState>();
  data->requests = scoredRequests(*pod.pod);
  state.write(kScoreState, std::move(data));
  return {};
}

Status NodeResourcesFit::score(CycleState& state, const PodInfo& pod, const NodeInfo& node, std::int64_t& score) {
  const ScoreState* data = state.read(kScoreState);
  if (data == nullptr) {  // PreScore is turned off
    auto made = std::make_shared<ScoreState>();
    made->requests = scoredRequests(*pod.pod);
    data = made.get();
    state.write(kScoreState, std::move(made));
  }
  if (scorer_.resources().empty()) return Status::error(kNoResources);
  score = scorer_.score(data->requests, node);
  return {};
}

std::vector<SignFragment> NodeResourcesFit::sign(const api::Pod& pod, bool& signable) const {
  signable = true;
  return {{std::string(sign::kResources), sign::resources(pod)}};
}

std::unique_ptr<Plugin> newNodeResourcesFit(const config::PluginArgs& args, Handle&, std::string* error) {
  return makeNodeResourcesFit(args, error, FitRules());
}

}  // namespace podberth::scheduler::plugins
