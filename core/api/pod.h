// v1.Pod, as far as scheduling, and the admission of what scheduling reads, look at it.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/api/meta.h"
#include "core/api/node_selector.h"
#include "core/api/resources.h"

namespace podberth::api {

struct ContainerPort {
  std::string name;
  std::int32_t host_port = 0;
  std::int32_t container_port = 0;
  std::string protocol;  // TCP, UDP, SCTP
  std::string host_ip;
  friend bool operator==(const ContainerPort& a, const ContainerPort& b) {
    return a.name == b.name && a.host_port == b.host_port && a.container_port == b.container_port &&
           a.protocol == b.protocol && a.host_ip == b.host_ip;
  }
};

struct Container {
  std::string name;
  std::string image;
  std::string image_pull_policy;
  std::optional<std::string> restart_policy;  // Always makes an init container a sidecar
  ResourceRequirements resources;
  std::vector<ContainerPort> ports;
  std::string rest;
  friend bool operator==(const Container& a, const Container& b) {
    return a.name == b.name && a.image == b.image && a.image_pull_policy == b.image_pull_policy &&
           a.restart_policy == b.restart_policy && a.resources == b.resources && a.ports == b.ports && a.rest == b.rest;
  }
  bool isSidecar() const { return restart_policy == "Always"; }
};

struct Toleration {
  std::string key;
  std::string op;  // "", Exists, Equal (and Lt, Gt behind a gate)
  std::string value;
  std::string effect;  // "" = all
  std::optional<std::int64_t> toleration_seconds;
  friend bool operator==(const Toleration& a, const Toleration& b) {
    return a.key == b.key && a.op == b.op && a.value == b.value && a.effect == b.effect &&
           a.toleration_seconds == b.toleration_seconds;
  }
};

struct PodAffinityTerm {
  std::optional<LabelSelector> label_selector;
  std::vector<std::string> namespaces;
  std::string topology_key;
  std::optional<LabelSelector> namespace_selector;
  std::vector<std::string> match_label_keys;
  std::vector<std::string> mismatch_label_keys;
  friend bool operator==(const PodAffinityTerm& a, const PodAffinityTerm& b) {
    return a.label_selector == b.label_selector && a.namespaces == b.namespaces && a.topology_key == b.topology_key &&
           a.namespace_selector == b.namespace_selector && a.match_label_keys == b.match_label_keys &&
           a.mismatch_label_keys == b.mismatch_label_keys;
  }
};

struct WeightedPodAffinityTerm {
  std::int32_t weight = 0;
  PodAffinityTerm term;
  friend bool operator==(const WeightedPodAffinityTerm& a, const WeightedPodAffinityTerm& b) {
    return a.weight == b.weight && a.term == b.term;
  }
};

struct NodeAffinity {
  std::optional<NodeSelector> required;
  std::vector<PreferredSchedulingTerm> preferred;
  friend bool operator==(const NodeAffinity& a, const NodeAffinity& b) {
    return a.required == b.required && a.preferred == b.preferred;
  }
};

// v1.PodAffinity and v1.PodAntiAffinity have the same shape.
struct PodAffinity {
  std::vector<PodAffinityTerm> required;
  std::vector<WeightedPodAffinityTerm> preferred;
  friend bool operator==(const PodAffinity& a, const PodAffinity& b) {
    return a.required == b.required && a.preferred == b.preferred;
  }
};

struct Affinity {
  std::optional<NodeAffinity> node;
  std::optional<PodAffinity> pod;
  std::optional<PodAffinity> pod_anti;
  friend bool operator==(const Affinity& a, const Affinity& b) {
    return a.node == b.node && a.pod == b.pod && a.pod_anti == b.pod_anti;
  }
};

struct TopologySpreadConstraint {
  std::int32_t max_skew = 0;
  std::string topology_key;
  std::string when_unsatisfiable;  // DoNotSchedule, ScheduleAnyway
  std::optional<LabelSelector> label_selector;
  std::optional<std::int32_t> min_domains;
  std::optional<std::string> node_affinity_policy;  // Honor, Ignore
  std::optional<std::string> node_taints_policy;
  std::vector<std::string> match_label_keys;
  friend bool operator==(const TopologySpreadConstraint& a, const TopologySpreadConstraint& b) {
    return a.max_skew == b.max_skew && a.topology_key == b.topology_key &&
           a.when_unsatisfiable == b.when_unsatisfiable && a.label_selector == b.label_selector &&
           a.min_domains == b.min_domains && a.node_affinity_policy == b.node_affinity_policy &&
           a.node_taints_policy == b.node_taints_policy && a.match_label_keys == b.match_label_keys;
  }
};

struct PersistentVolumeClaimSpec;

// The sources that the scheduler looks at; all others are in `rest`.
struct Volume {
  struct GCEPersistentDisk {
    std::string pd_name;
    bool read_only = false;
  };
  struct AWSElasticBlockStore {
    std::string volume_id;
    bool read_only = false;
  };
  struct ISCSI {
    std::string iqn;
    std::string target_portal;
    std::int32_t lun = 0;
    bool read_only = false;
  };
  struct RBD {
    std::vector<std::string> monitors;
    std::string pool;
    std::string image;
    bool read_only = false;
  };
  struct AzureDisk {
    std::string disk_name;
  };
  struct Claim {
    std::string claim_name;
    bool read_only = false;
  };
  struct CSI {
    std::string driver;
  };

  std::string name;
  std::optional<Claim> persistent_volume_claim;
  std::shared_ptr<const PersistentVolumeClaimSpec> ephemeral;  // the spec of ephemeral.volumeClaimTemplate
  std::optional<GCEPersistentDisk> gce_persistent_disk;
  std::optional<AWSElasticBlockStore> aws_elastic_block_store;
  std::optional<ISCSI> iscsi;
  std::optional<RBD> rbd;
  std::optional<AzureDisk> azure_disk;
  std::optional<CSI> csi;
  std::vector<std::string> sources;  // names of all sources given ("emptyDir", "configMap", ...), in JSON order
  std::string rest;                  // the whole volume but its name, as canonical JSON
  friend bool operator==(const Volume& a, const Volume& b) { return a.name == b.name && a.rest == b.rest; }
};

struct PodSpec {
  std::string node_name;
  std::string scheduler_name;
  std::optional<std::int32_t> priority;
  std::string priority_class_name;
  std::optional<std::string> preemption_policy;  // PreemptLowerPriority, Never
  LabelSet node_selector;
  std::optional<Affinity> affinity;
  std::vector<Toleration> tolerations;
  std::vector<TopologySpreadConstraint> topology_spread_constraints;
  std::vector<Container> containers;
  std::vector<Container> init_containers;
  std::vector<Container> ephemeral_containers;
  ResourceList overhead;
  std::optional<ResourceRequirements> resources;  // pod-level
  std::vector<Volume> volumes;
  std::vector<std::string> scheduling_gates;
  std::vector<std::string> resource_claims;  // names; claims themselves are not simulated
  std::optional<std::string> pod_group;      // schedulingGroup.podGroupName; groups are not simulated
  std::string os_name;
  std::string restart_policy;
  std::string dns_policy;
  std::optional<std::int64_t> termination_grace_period_seconds;
  std::optional<std::int64_t> active_deadline_seconds;
  bool host_network = false;
  std::string rest;
};

struct PodCondition {
  std::string type;
  std::string status;  // True, False, Unknown
  std::string reason;
  std::string message;
  std::optional<clock::Time> last_transition_time;
  std::optional<clock::Time> last_probe_time;
  std::int64_t observed_generation = 0;
  friend bool operator==(const PodCondition& a, const PodCondition& b) {
    return a.type == b.type && a.status == b.status && a.reason == b.reason && a.message == b.message &&
           a.last_transition_time == b.last_transition_time && a.last_probe_time == b.last_probe_time &&
           a.observed_generation == b.observed_generation;
  }
};

struct ContainerStatus {
  std::string name;
  std::optional<ResourceRequirements> resources;  // actual, of in-place resize
  ResourceList allocated_resources;
  bool started = false;
  std::string rest;
  friend bool operator==(const ContainerStatus& a, const ContainerStatus& b) {
    return a.name == b.name && a.resources == b.resources && a.allocated_resources == b.allocated_resources &&
           a.started == b.started && a.rest == b.rest;
  }
};

struct PodStatus {
  std::string phase;  // Pending, Running, Succeeded, Failed, Unknown
  std::vector<PodCondition> conditions;
  std::string nominated_node_name;
  std::optional<clock::Time> start_time;
  std::string qos_class;
  std::vector<ContainerStatus> container_statuses;
  std::vector<ContainerStatus> init_container_statuses;
  std::optional<ResourceRequirements> resources;  // pod-level, actual
  ResourceList allocated_resources;               // pod-level
  std::int64_t observed_generation = 0;
  std::string rest;
  // The condition of that type, or null.
  const PodCondition* condition(std::string_view type) const;
};

struct Pod : Object {
  static constexpr Kind kKind = Kind::kPod;
  Pod() : Object(Kind::kPod) {}
  PodSpec spec;
  PodStatus status;

  std::int32_t priority() const { return spec.priority.value_or(0); }
  bool assigned() const { return !spec.node_name.empty(); }
  bool terminal() const { return status.phase == "Succeeded" || status.phase == "Failed"; }
};
using PodPtr = std::shared_ptr<const Pod>;

}  // namespace podberth::api
