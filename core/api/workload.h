// Services, the workloads that own pods, and disruption budgets, as far as anybody looks at them. What a workload says
// beside its selector (the template of its pods, how many there shall be) stays JSON: `spec_rest`.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "core/api/meta.h"

namespace podberth::api {

struct Service : Object {
  static constexpr Kind kKind = Kind::kService;
  Service() : Object(Kind::kService) {}
  LabelSet selector;  // empty selects nothing
  std::string spec_rest;
};

struct ReplicationController : Object {
  static constexpr Kind kKind = Kind::kReplicationController;
  ReplicationController() : Object(Kind::kReplicationController) {}
  LabelSet selector;
  std::string spec_rest;
};

struct ReplicaSet : Object {
  static constexpr Kind kKind = Kind::kReplicaSet;
  ReplicaSet() : Object(Kind::kReplicaSet) {}
  std::optional<LabelSelector> selector;
  std::string spec_rest;
};

struct StatefulSet : Object {
  static constexpr Kind kKind = Kind::kStatefulSet;
  StatefulSet() : Object(Kind::kStatefulSet) {}
  std::optional<LabelSelector> selector;
  std::string spec_rest;
};

struct Deployment : Object {
  static constexpr Kind kKind = Kind::kDeployment;
  Deployment() : Object(Kind::kDeployment) {}
  std::optional<LabelSelector> selector;
  std::string spec_rest;
};

struct DaemonSet : Object {
  static constexpr Kind kKind = Kind::kDaemonSet;
  DaemonSet() : Object(Kind::kDaemonSet) {}
  std::optional<LabelSelector> selector;
  std::string spec_rest;
};

struct Job : Object {
  static constexpr Kind kKind = Kind::kJob;
  Job() : Object(Kind::kJob) {}
  std::optional<LabelSelector> selector;
  std::string spec_rest;
};

struct PodDisruptionBudget : Object {
  static constexpr Kind kKind = Kind::kPodDisruptionBudget;
  PodDisruptionBudget() : Object(Kind::kPodDisruptionBudget) {}
  std::optional<LabelSelector> selector;
  std::int32_t disruptions_allowed = 0;
  std::map<std::string, clock::Time> disrupted_pods;
  std::string spec_rest;
  std::string status_rest;
};

// An object that the core stores but does not look into.
struct OtherObject : Object {
  static constexpr Kind kKind = Kind::kOther;
  OtherObject() : Object(Kind::kOther) {}
};

}  // namespace podberth::api
