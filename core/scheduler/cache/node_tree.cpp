#include "core/scheduler/cache/node_tree.h"

#include <algorithm>
#include <string_view>

namespace podberth::scheduler {
namespace {

std::string_view label(const api::Node& node, api::Symbol old_key, api::Symbol key) {
  if (const api::Symbol* value = node.meta.labels.find(old_key)) return *value;
  if (const api::Symbol* value = node.meta.labels.find(key)) return *value;
  return {};
}

}  // namespace

std::string zoneKey(const api::Node& node) {
  static const api::Symbol beta_zone("failure-domain.beta.kubernetes.io/zone");
  static const api::Symbol beta_region("failure-domain.beta.kubernetes.io/region");
  static const api::Symbol zone_label("topology.kubernetes.io/zone");
  static const api::Symbol region_label("topology.kubernetes.io/region");
  const std::string_view zone = label(node, beta_zone, zone_label);
  const std::string_view region = label(node, beta_region, region_label);
  if (zone.empty() && region.empty()) return {};
  std::string key(region);
  key += ':';
  key += '\0';  // cannot be part of a label, so that different pairs make different keys
  key += ':';
  key += zone;
  return key;
}

void NodeTree::add(const api::Node& node) {
  const std::string key = zoneKey(node);
  const api::Symbol name(node.meta.name);
  auto zone = std::find_if(zones_.begin(), zones_.end(), [&key](const Zone& z) { return z.key == key; });
  if (zone == zones_.end()) {
    Zone fresh;
    fresh.key = key;
    zones_.push_back(std::move(fresh));
    zone = zones_.end() - 1;
  }
  if (std::find(zone->nodes.begin(), zone->nodes.end(), name) != zone->nodes.end()) return;
  zone->nodes.push_back(name);
  ++size_;
}

bool NodeTree::remove(const api::Node& node) {
  const std::string key = zoneKey(node);
  const auto zone = std::find_if(zones_.begin(), zones_.end(), [&key](const Zone& z) { return z.key == key; });
  if (zone == zones_.end()) return false;
  const auto it = std::find(zone->nodes.begin(), zone->nodes.end(), api::Symbol(node.meta.name));
  if (it == zone->nodes.end()) return false;
  zone->nodes.erase(it);
  if (zone->nodes.empty()) zones_.erase(zone);
  --size_;
  return true;
}

void NodeTree::update(const api::Node* old_node, const api::Node& new_node) {
  const std::string old_key = old_node == nullptr ? std::string() : zoneKey(*old_node);
  if (old_key == zoneKey(new_node)) return;
  if (old_node != nullptr) remove(*old_node);
  add(new_node);
}

std::vector<api::Symbol> NodeTree::list() const {
  std::vector<api::Symbol> out;
  out.reserve(size_);
  for (std::size_t turn = 0; out.size() < size_; ++turn) {
    for (const Zone& zone : zones_) {
      if (turn < zone.nodes.size()) out.push_back(zone.nodes[turn]);
    }
  }
  return out;
}

}  // namespace podberth::scheduler
