// v1.Node, v1.Namespace and scheduling.k8s.io PriorityClass, as far as the scheduler and admission look at them.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/api/meta.h"
#include "core/api/resources.h"

namespace podberth::api {

struct Taint {
  std::string key;
  std::string value;
  std::string effect;  // NoSchedule, PreferNoSchedule, NoExecute
  std::optional<clock::Time> time_added;
  friend bool operator==(const Taint& a, const Taint& b) {
    return a.key == b.key && a.value == b.value && a.effect == b.effect && a.time_added == b.time_added;
  }
  // "key=value:effect" as upstream prints taints ("key:effect" without a value).
  std::string str() const;
};

struct ContainerImage {
  std::vector<std::string> names;
  std::int64_t size_bytes = 0;
  friend bool operator==(const ContainerImage& a, const ContainerImage& b) {
    return a.names == b.names && a.size_bytes == b.size_bytes;
  }
};

struct NodeCondition {
  std::string type;
  std::string status;
  std::string reason;
  std::string rest;
  friend bool operator==(const NodeCondition& a, const NodeCondition& b) {
    return a.type == b.type && a.status == b.status && a.reason == b.reason && a.rest == b.rest;
  }
};

struct NodeSpec {
  bool unschedulable = false;
  std::vector<Taint> taints;
  std::string provider_id;
  std::vector<std::string> pod_cidrs;
  std::string rest;
};

struct NodeStatus {
  ResourceList capacity;
  ResourceList allocatable;
  std::vector<NodeCondition> conditions;
  std::vector<ContainerImage> images;
  std::vector<std::string> declared_features;
  std::string rest;
};

struct Node : Object {
  static constexpr Kind kKind = Kind::kNode;
  Node() : Object(Kind::kNode) {}
  NodeSpec spec;
  NodeStatus status;
};
using NodePtr = std::shared_ptr<const Node>;

struct Namespace : Object {
  static constexpr Kind kKind = Kind::kNamespace;
  Namespace() : Object(Kind::kNamespace) {}
};

struct PriorityClass : Object {
  static constexpr Kind kKind = Kind::kPriorityClass;
  PriorityClass() : Object(Kind::kPriorityClass) {}
  std::int32_t value = 0;
  bool global_default = false;
  std::optional<std::string> preemption_policy;
};

}  // namespace podberth::api
