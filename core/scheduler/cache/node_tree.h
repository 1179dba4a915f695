// The names of the nodes by zone, and the order in which the scheduler looks at them: zones take turns.
// Upstream: pkg/scheduler/backend/cache/node_tree.go.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "core/api/node.h"
#include "core/api/symbol.h"

namespace podberth::scheduler {

// Region and zone of a node as one key; "" if it has neither (node/topology.GetZoneKey).
std::string zoneKey(const api::Node& node);

class NodeTree {
 public:
  void add(const api::Node& node);
  // False if the node is not in the zone that its labels name.
  bool remove(const api::Node& node);
  // Moves the node if its zone has changed. `old_node` may be null.
  void update(const api::Node* old_node, const api::Node& new_node);
  std::size_t size() const { return size_; }
  std::vector<api::Symbol> list() const;

 private:
  struct Zone {
    std::string key;
    std::vector<api::Symbol> nodes;
  };
  std::vector<Zone> zones_;  // in the order of their first node
  std::size_t size_ = 0;
};

}  // namespace podberth::scheduler
