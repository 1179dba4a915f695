#include "core/api/encode_pod.h"

#include <utility>

#include "core/api/json_writer.h"

namespace podberth::api {
namespace {

const char* const kRequired = "requiredDuringSchedulingIgnoredDuringExecution";
const char* const kPreferred = "preferredDuringSchedulingIgnoredDuringExecution";

Json encodeContainer(const Container& c) {
  Json out = fromRest(c.rest);
  put(out, "name", c.name);
  put(out, "image", c.image);
  put(out, "imagePullPolicy", c.image_pull_policy);
  put(out, "restartPolicy", c.restart_policy);
  putJson(out, "resources", encodeRequirements(c.resources));
  putList(out, "ports", c.ports, [](const ContainerPort& p) {
    Json port = Json::object();
    put(port, "name", p.name);
    putNumber(port, "hostPort", p.host_port);
    putNumber(port, "containerPort", p.container_port);
    put(port, "protocol", p.protocol);
    put(port, "hostIP", p.host_ip);
    return port;
  });
  return out;
}

Json encodeAffinityTerm(const PodAffinityTerm& t) {
  Json out = Json::object();
  put(out, "labelSelector", t.label_selector);
  put(out, "namespaces", t.namespaces);
  put(out, "topologyKey", t.topology_key);
  put(out, "namespaceSelector", t.namespace_selector);
  put(out, "matchLabelKeys", t.match_label_keys);
  put(out, "mismatchLabelKeys", t.mismatch_label_keys);
  return out;
}

Json encodePodAffinity(const PodAffinity& a) {
  Json out = Json::object();
  putList(out, kRequired, a.required, encodeAffinityTerm);
  putList(out, kPreferred, a.preferred, [](const WeightedPodAffinityTerm& t) {
    Json weighted = Json::object();
    putNumber(weighted, "weight", t.weight);
    weighted["podAffinityTerm"] = encodeAffinityTerm(t.term);
    return weighted;
  });
  return out;
}

Json encodeAffinity(const Affinity& a) {
  Json out = Json::object();
  if (a.node) {
    Json node = Json::object();
    put(node, kRequired, a.node->required);
    putList(node, kPreferred, a.node->preferred, [](const PreferredSchedulingTerm& t) {
      Json term = Json::object();
      putNumber(term, "weight", t.weight);
      term["preference"] = encodeTerm(t.preference);
      return term;
    });
    out["nodeAffinity"] = std::move(node);
  }
  if (a.pod) out["podAffinity"] = encodePodAffinity(*a.pod);
  if (a.pod_anti) out["podAntiAffinity"] = encodePodAffinity(*a.pod_anti);
  return out;
}

Json encodeToleration(const Toleration& t) {
  Json out = Json::object();
  put(out, "key", t.key);
  put(out, "operator", t.op);
  put(out, "value", t.value);
  put(out, "effect", t.effect);
  putNumber(out, "tolerationSeconds", t.toleration_seconds);
  return out;
}

Json encodeSpread(const TopologySpreadConstraint& c) {
  Json out = Json::object();
  putNumber(out, "maxSkew", c.max_skew);
  put(out, "topologyKey", c.topology_key);
  put(out, "whenUnsatisfiable", c.when_unsatisfiable);
  put(out, "labelSelector", c.label_selector);
  putNumber(out, "minDomains", c.min_domains);
  put(out, "nodeAffinityPolicy", c.node_affinity_policy);
  put(out, "nodeTaintsPolicy", c.node_taints_policy);
  put(out, "matchLabelKeys", c.match_label_keys);
  return out;
}

// A volume made without text has only what the scheduler looks at.
Json encodeVolume(const Volume& v) {
  Json out = fromRest(v.rest);
  put(out, "name", v.name);
  if (!v.rest.empty()) return out;
  if (v.persistent_volume_claim) {
    Json source = Json::object();
    put(source, "claimName", v.persistent_volume_claim->claim_name);
    putFlag(source, "readOnly", v.persistent_volume_claim->read_only);
    out["persistentVolumeClaim"] = std::move(source);
  }
  if (v.ephemeral != nullptr) {
    Json claim_template = Json::object();
    claim_template["spec"] = encodeClaimSpec(*v.ephemeral);
    Json source = Json::object();
    source["volumeClaimTemplate"] = std::move(claim_template);
    out["ephemeral"] = std::move(source);
  }
  if (v.gce_persistent_disk) {
    Json source = Json::object();
    put(source, "pdName", v.gce_persistent_disk->pd_name);
    putFlag(source, "readOnly", v.gce_persistent_disk->read_only);
    out["gcePersistentDisk"] = std::move(source);
  }
  if (v.aws_elastic_block_store) {
    Json source = Json::object();
    put(source, "volumeID", v.aws_elastic_block_store->volume_id);
    putFlag(source, "readOnly", v.aws_elastic_block_store->read_only);
    out["awsElasticBlockStore"] = std::move(source);
  }
  if (v.iscsi) {
    Json source = Json::object();
    put(source, "iqn", v.iscsi->iqn);
    put(source, "targetPortal", v.iscsi->target_portal);
    putNumber(source, "lun", v.iscsi->lun);
    putFlag(source, "readOnly", v.iscsi->read_only);
    out["iscsi"] = std::move(source);
  }
  if (v.rbd) {
    Json source = Json::object();
    put(source, "monitors", v.rbd->monitors);
    put(source, "pool", v.rbd->pool);
    put(source, "image", v.rbd->image);
    putFlag(source, "readOnly", v.rbd->read_only);
    out["rbd"] = std::move(source);
  }
  if (v.azure_disk) {
    Json source = Json::object();
    put(source, "diskName", v.azure_disk->disk_name);
    out["azureDisk"] = std::move(source);
  }
  if (v.csi) {
    Json source = Json::object();
    put(source, "driver", v.csi->driver);
    out["csi"] = std::move(source);
  }
  return out;
}

Json named(const std::string& name) {
  Json out = Json::object();
  put(out, "name", name);
  return out;
}

Json encodeSpec(const PodSpec& s) {
  Json out = fromRest(s.rest);
  put(out, "nodeName", s.node_name);
  put(out, "schedulerName", s.scheduler_name);
  putNumber(out, "priority", s.priority);
  put(out, "priorityClassName", s.priority_class_name);
  put(out, "preemptionPolicy", s.preemption_policy);
  put(out, "nodeSelector", s.node_selector);
  if (s.affinity) out["affinity"] = encodeAffinity(*s.affinity);
  putList(out, "tolerations", s.tolerations, encodeToleration);
  putList(out, "topologySpreadConstraints", s.topology_spread_constraints, encodeSpread);
  putList(out, "containers", s.containers, encodeContainer);
  putList(out, "initContainers", s.init_containers, encodeContainer);
  putList(out, "ephemeralContainers", s.ephemeral_containers, encodeContainer);
  put(out, "overhead", s.overhead);
  if (s.resources) out["resources"] = encodeRequirements(*s.resources);
  putList(out, "volumes", s.volumes, encodeVolume);
  putList(out, "schedulingGates", s.scheduling_gates, named);
  if (!out.contains("resourceClaims")) putList(out, "resourceClaims", s.resource_claims, named);
  if (s.pod_group && !out.contains("schedulingGroup")) {
    Json group = Json::object();
    group["podGroupName"] = *s.pod_group;
    out["schedulingGroup"] = std::move(group);
  }
  if (!s.os_name.empty()) out["os"] = named(s.os_name);
  put(out, "restartPolicy", s.restart_policy);
  put(out, "dnsPolicy", s.dns_policy);
  putNumber(out, "terminationGracePeriodSeconds", s.termination_grace_period_seconds);
  putNumber(out, "activeDeadlineSeconds", s.active_deadline_seconds);
  putFlag(out, "hostNetwork", s.host_network);
  return out;
}

Json encodeContainerStatus(const ContainerStatus& s) {
  Json out = fromRest(s.rest);
  put(out, "name", s.name);
  if (s.resources) out["resources"] = encodeRequirements(*s.resources);
  put(out, "allocatedResources", s.allocated_resources);
  putFlag(out, "started", s.started);
  return out;
}

Json encodeStatus(const PodStatus& s) {
  Json out = fromRest(s.rest);
  put(out, "phase", s.phase);
  putList(out, "conditions", s.conditions, [](const PodCondition& c) {
    Json condition = Json::object();
    put(condition, "type", c.type);
    put(condition, "status", c.status);
    put(condition, "reason", c.reason);
    put(condition, "message", c.message);
    putTime(condition, "lastTransitionTime", c.last_transition_time);
    putTime(condition, "lastProbeTime", c.last_probe_time);
    putNumber(condition, "observedGeneration", c.observed_generation);
    return condition;
  });
  put(out, "nominatedNodeName", s.nominated_node_name);
  putTime(out, "startTime", s.start_time);
  put(out, "qosClass", s.qos_class);
  putList(out, "containerStatuses", s.container_statuses, encodeContainerStatus);
  putList(out, "initContainerStatuses", s.init_container_statuses, encodeContainerStatus);
  if (s.resources) out["resources"] = encodeRequirements(*s.resources);
  put(out, "allocatedResources", s.allocated_resources);
  putNumber(out, "observedGeneration", s.observed_generation);
  return out;
}

}  // namespace

void encodePod(const Pod& pod, Json& out) {
  putJson(out, "spec", encodeSpec(pod.spec));
  putJson(out, "status", encodeStatus(pod.status));
}

}  // namespace podberth::api
