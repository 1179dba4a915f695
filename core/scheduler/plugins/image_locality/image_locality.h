// ImageLocality (Score): prefers nodes that have the pod's images; an image that is on many nodes counts for more, so
// that pods do not crowd onto the one node that has it. Upstream:
// pkg/scheduler/framework/plugins/imagelocality/image_locality.go.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/scheduler/config/types.h"
#include "core/scheduler/framework/handle.h"
#include "core/scheduler/plugins/names.h"

namespace podberth::scheduler::plugins {

// "nginx" is "nginx:latest".
std::string normalizedImageName(const std::string& name);

struct ImageLocalityRules {
  bool containers_only = false;  // init containers and image volumes do not count
};

// The images that count, normalised: of init containers, containers and image volumes, one that is used twice twice.
std::vector<api::Symbol> scoredImages(const api::Pod& pod, const ImageLocalityRules& rules = {});

// 0..100. `total_nodes` is the size of the snapshot.
std::int64_t imageLocalityScore(const std::vector<api::Symbol>& images, const NodeInfo& node, std::size_t total_nodes);

class ImageLocality : public Plugin {
 public:
  static constexpr Points kPoints = static_cast<Points>(Point::kScore);
  explicit ImageLocality(Handle& handle, const ImageLocalityRules& rules = {}) : handle_(handle), rules_(rules) {}
  std::string_view name() const override { return names::kImageLocality; }
  Points points() const override { return kPoints; }
  Status score(CycleState& state, const PodInfo& pod, const NodeInfo& node, std::int64_t& score) override;
  bool hasSign() const override { return true; }
  std::vector<SignFragment> sign(const api::Pod& pod, bool& signable) const override;

 private:
  Handle& handle_;
  ImageLocalityRules rules_;
};

std::unique_ptr<Plugin> newImageLocality(const config::PluginArgs& args, Handle& handle, std::string* error);

}  // namespace podberth::scheduler::plugins
