// A number of like nodes, written once: {apiVersion: podberth/v1, kind: NodePool, metadata: {name},
// spec: {count, zones, template: {metadata: {labels, annotations}, spec, status}}}. It becomes nodes called name-0,
// name-1, ... The schema is described in wasm/DOOR.md.
#pragma once

#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "core/api/decode.h"

namespace podberth::session {

inline constexpr int kMaxPoolNodes = 5000;
inline constexpr int kMaxNodesOfPools = 10000;  // of all pools of a scenario
inline constexpr const char* kNodePoolKind = "NodePool";
inline constexpr const char* kOwnApiVersion = "podberth/v1";

struct NodePool {
  std::string name;
  int count = 1;
  std::vector<std::string> zones;  // given to the nodes in turn; may be empty
  nlohmann::json node_template = nlohmann::json::object();

  std::string nodeName(int i) const { return name + "-" + std::to_string(i); }
  // The node as a manifest.
  nlohmann::json node(int i) const;
};

// Whether an object is meant to be a pool.
bool isNodePool(const nlohmann::json& object);
// Reads a pool. What is wrong with it is added to `issues` as errors at their places; false if there is anything.
bool readNodePool(const nlohmann::json& object, NodePool& out, std::vector<api::Issue>& issues);
// Where in the pool a place of one of its nodes comes from: "/spec/taints/0" is "/spec/template/spec/taints/0".
std::string pathInPool(const std::string& path_in_node);

}  // namespace podberth::session
