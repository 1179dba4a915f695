#include "core/scheduler/plugins/image_locality/image_locality.h"

#include <algorithm>

#include "core/base/sort.h"
#include "core/scheduler/plugins/helper/rest_text.h"
#include "core/scheduler/plugins/helper/sign.h"

namespace podberth::scheduler::plugins {
namespace {

// There is no PreScore to make it in: the first node that is scored does.
struct ScoreState : StateData {
  std::vector<api::Symbol> images;
};
constexpr StateKey<ScoreState> kScoreState{"ScoreImageLocality"};

constexpr std::int64_t kMb = 1024 * 1024;
constexpr std::int64_t kMinThreshold = 23 * kMb;
constexpr std::int64_t kMaxContainerThreshold = 1000 * kMb;

std::int64_t scaled(const ImageState& image, std::size_t total_nodes) {
  const double spread = static_cast<double>(image.num_nodes) / static_cast<double>(total_nodes);
  return static_cast<std::int64_t>(static_cast<double>(image.size) * spread);
}

}  // namespace

std::string normalizedImageName(const std::string& name) {
  // npos + 1 wraps to 0, so that what is not there comes before everything else.
  const std::size_t colon = name.rfind(':') + 1;
  const std::size_t slash = name.rfind('/') + 1;
  return colon <= slash ? name + ":latest" : name;
}

std::vector<api::Symbol> scoredImages(const api::Pod& pod, const ImageLocalityRules& rules) {
  std::vector<api::Symbol> images;
  if (!rules.containers_only) {
    for (const api::Container& c : pod.spec.init_containers) images.emplace_back(normalizedImageName(c.image));
  }
  for (const api::Container& c : pod.spec.containers) images.emplace_back(normalizedImageName(c.image));
  if (rules.containers_only) return images;
  for (const api::Volume& v : pod.spec.volumes) {
    if (std::find(v.sources.begin(), v.sources.end(), "image") == v.sources.end()) continue;
    images.emplace_back(normalizedImageName(restMemberText(v.rest, "reference")));
  }
  return images;
}

std::int64_t imageLocalityScore(const std::vector<api::Symbol>& images, const NodeInfo& node, std::size_t total_nodes) {
  std::int64_t sum = 0;
  if (!node.image_states.empty()) {
    for (const api::Symbol image : images) {
      const auto found = node.image_states.find(image);
      if (found != node.image_states.end()) sum += scaled(found->second, total_nodes);
    }
  }
  const std::int64_t max_threshold = kMaxContainerThreshold * static_cast<std::int64_t>(images.size());
  if (sum < kMinThreshold) {
    sum = kMinThreshold;
  } else if (sum > max_threshold) {
    sum = max_threshold;
  }
  return kMaxNodeScore * (sum - kMinThreshold) / (max_threshold - kMinThreshold);
}

Status ImageLocality::score(CycleState& state, const PodInfo& pod, const NodeInfo& node, std::int64_t& score) {
  const ScoreState* data = state.read(kScoreState);
  if (data == nullptr) {
    auto made = std::make_shared<ScoreState>();
    made->images = scoredImages(*pod.pod, rules_);
    data = made.get();
    state.write(kScoreState, std::move(made));
  }
  score = imageLocalityScore(data->images, node, handle_.snapshot().size());
  return {};
}

std::vector<SignFragment> ImageLocality::sign(const api::Pod& pod, bool& signable) const {
  signable = true;
  std::vector<std::string> images;
  for (const auto* containers : {&pod.spec.containers, &pod.spec.init_containers}) {
    for (const api::Container& c : *containers) images.push_back(normalizedImageName(c.image));
  }
  base::sortUnique(images);
  return {{std::string(sign::kImageNames), sign::list(images)}};
}

std::unique_ptr<Plugin> newImageLocality(const config::PluginArgs&, Handle& handle, std::string*) {
  return std::make_unique<ImageLocality>(handle);
}

}  // namespace podberth::scheduler::plugins
