#include "core/api/decode_kinds.h"
#include "core/api/pod.h"

namespace podberth::api {
namespace {

using Json = nlohmann::json;

Container decodeContainer(Fields f) {
  Container c;
  c.name = f.text("name");
  c.image = f.text("image");
  c.image_pull_policy = f.text("imagePullPolicy");
  c.restart_policy = f.maybeText("restartPolicy");
  c.resources = decodeRequirements(f.child("resources"));
  f.forEach("ports", [&](Fields p) {
    ContainerPort port;
    port.name = p.text("name");
    port.host_port = p.integer32("hostPort");
    port.container_port = p.integer32("containerPort");
    port.protocol = p.text("protocol");
    port.host_ip = p.text("hostIP");
    c.ports.push_back(std::move(port));
  });
  c.rest = f.rest(true);
  return c;
}

PodAffinityTerm decodeAffinityTerm(Fields f) {
  PodAffinityTerm t;
  t.label_selector = f.selector("labelSelector");
  t.namespaces = f.texts("namespaces");
  t.topology_key = f.text("topologyKey");
  t.namespace_selector = f.selector("namespaceSelector");
  t.match_label_keys = f.texts("matchLabelKeys");
  t.mismatch_label_keys = f.texts("mismatchLabelKeys");
  return t;
}

PodAffinity decodePodAffinity(Fields f) {
  PodAffinity a;
  f.forEach("requiredDuringSchedulingIgnoredDuringExecution",
            [&](Fields t) { a.required.push_back(decodeAffinityTerm(std::move(t))); });
  f.forEach("preferredDuringSchedulingIgnoredDuringExecution", [&](Fields t) {
    WeightedPodAffinityTerm weighted;
    weighted.weight = t.integer32("weight");
    weighted.term = decodeAffinityTerm(t.child("podAffinityTerm"));
    a.preferred.push_back(std::move(weighted));
  });
  return a;
}

Affinity decodeAffinity(Fields f) {
  Affinity a;
  if (f.has("nodeAffinity")) {
    Fields n = f.child("nodeAffinity");
    NodeAffinity node;
    node.required = n.nodeSelector("requiredDuringSchedulingIgnoredDuringExecution");
    n.forEach("preferredDuringSchedulingIgnoredDuringExecution", [&](Fields t) {
      PreferredSchedulingTerm term;
      term.weight = t.integer32("weight");
      term.preference = t.nodeSelectorTerm("preference");
      node.preferred.push_back(std::move(term));
    });
    a.node = std::move(node);
  }
  if (f.has("podAffinity")) a.pod = decodePodAffinity(f.child("podAffinity"));
  if (f.has("podAntiAffinity")) a.pod_anti = decodePodAffinity(f.child("podAntiAffinity"));
  return a;
}

Toleration decodeToleration(Fields f) {
  Toleration t;
  t.key = f.text("key");
  t.op = f.text("operator");
  t.value = f.text("value");
  t.effect = f.text("effect");
  t.toleration_seconds = f.maybeInteger("tolerationSeconds");
  return t;
}

TopologySpreadConstraint decodeSpread(Fields f) {
  TopologySpreadConstraint c;
  c.max_skew = f.integer32("maxSkew");
  c.topology_key = f.text("topologyKey");
  c.when_unsatisfiable = f.text("whenUnsatisfiable");
  c.label_selector = f.selector("labelSelector");
  c.min_domains = f.maybeInteger32("minDomains");
  c.node_affinity_policy = f.maybeText("nodeAffinityPolicy");
  c.node_taints_policy = f.maybeText("nodeTaintsPolicy");
  c.match_label_keys = f.texts("matchLabelKeys");
  return c;
}

Volume decodeVolume(Fields f) {
  Volume v;
  v.name = f.text("name");
  v.rest = f.rest(false);
  for (const auto& item : f.json().items()) v.sources.push_back(item.key());
  if (f.has("persistentVolumeClaim")) {
    Fields s = f.child("persistentVolumeClaim");
    Volume::Claim claim;
    claim.claim_name = s.text("claimName");
    claim.read_only = s.flag("readOnly");
    v.persistent_volume_claim = std::move(claim);
  }
  if (f.has("ephemeral")) {
    v.ephemeral = std::make_shared<const PersistentVolumeClaimSpec>(
        decodeClaimSpec(f.child("ephemeral").child("volumeClaimTemplate").child("spec")));
  }
  if (f.has("gcePersistentDisk")) {
    Fields s = f.child("gcePersistentDisk");
    Volume::GCEPersistentDisk disk;
    disk.pd_name = s.text("pdName");
    disk.read_only = s.flag("readOnly");
    v.gce_persistent_disk = std::move(disk);
  }
  if (f.has("awsElasticBlockStore")) {
    Fields s = f.child("awsElasticBlockStore");
    Volume::AWSElasticBlockStore disk;
    disk.volume_id = s.text("volumeID");
    disk.read_only = s.flag("readOnly");
    v.aws_elastic_block_store = std::move(disk);
  }
  if (f.has("iscsi")) {
    Fields s = f.child("iscsi");
    Volume::ISCSI iscsi;
    iscsi.iqn = s.text("iqn");
    iscsi.target_portal = s.text("targetPortal");
    iscsi.lun = s.integer32("lun");
    iscsi.read_only = s.flag("readOnly");
    v.iscsi = std::move(iscsi);
  }
  if (f.has("rbd")) {
    Fields s = f.child("rbd");
    Volume::RBD rbd;
    rbd.monitors = s.texts("monitors");
    rbd.pool = s.text("pool");
    rbd.image = s.text("image");
    rbd.read_only = s.flag("readOnly");
    v.rbd = std::move(rbd);
  }
  if (f.has("azureDisk")) {
    Volume::AzureDisk disk;
    disk.disk_name = f.child("azureDisk").text("diskName");
    v.azure_disk = std::move(disk);
  }
  if (f.has("csi")) {
    Volume::CSI csi;
    csi.driver = f.child("csi").text("driver");
    v.csi = std::move(csi);
  }
  return v;
}

PodSpec decodeSpec(Fields f) {
  PodSpec s;
  s.node_name = f.text("nodeName");
  s.scheduler_name = f.text("schedulerName");
  s.priority = f.maybeInteger32("priority");
  s.priority_class_name = f.text("priorityClassName");
  s.preemption_policy = f.maybeText("preemptionPolicy");
  s.node_selector = f.labels("nodeSelector");
  if (f.has("affinity")) s.affinity = decodeAffinity(f.child("affinity"));
  f.forEach("tolerations", [&](Fields t) { s.tolerations.push_back(decodeToleration(std::move(t))); });
  f.forEach("topologySpreadConstraints",
            [&](Fields c) { s.topology_spread_constraints.push_back(decodeSpread(std::move(c))); });
  f.forEach("containers", [&](Fields c) { s.containers.push_back(decodeContainer(std::move(c))); });
  f.forEach("initContainers", [&](Fields c) { s.init_containers.push_back(decodeContainer(std::move(c))); });
  f.forEach("ephemeralContainers", [&](Fields c) { s.ephemeral_containers.push_back(decodeContainer(std::move(c))); });
  s.overhead = f.resources("overhead");
  if (f.has("resources")) s.resources = decodeRequirements(f.child("resources"));
  f.forEach("volumes", [&](Fields v) { s.volumes.push_back(decodeVolume(std::move(v))); });
  f.forEach("schedulingGates", [&](Fields g) { s.scheduling_gates.push_back(g.text("name")); });
  s.restart_policy = f.text("restartPolicy");
  s.dns_policy = f.text("dnsPolicy");
  s.termination_grace_period_seconds = f.maybeInteger("terminationGracePeriodSeconds");
  s.active_deadline_seconds = f.maybeInteger("activeDeadlineSeconds");
  s.host_network = f.flag("hostNetwork");
  // Claims and groups stay among the rest, whole: here are only the names that tell that the pod has some.
  Json claims = f.take("resourceClaims");
  Json group = f.take("schedulingGroup");
  Json os = f.take("os");
  if (os.is_object()) s.os_name = os.value("name", std::string());
  s.rest = f.rest(true);
  const bool nameless_os = os.is_object() && s.os_name.empty();
  if (!claims.is_null() || !group.is_null() || nameless_os) {
    Json rest = f.json();
    if (nameless_os) rest["os"] = std::move(os);
    if (claims.is_array()) {
      for (const Json& claim : claims) s.resource_claims.push_back(claim.value("name", std::string()));
      rest["resourceClaims"] = std::move(claims);
    }
    if (group.is_object()) {
      if (group.contains("podGroupName")) s.pod_group = group.value("podGroupName", std::string());
      rest["schedulingGroup"] = std::move(group);
    }
    s.rest = canonical(rest);
  }
  return s;
}

ContainerStatus decodeContainerStatus(Fields f) {
  ContainerStatus s;
  s.name = f.text("name");
  if (f.has("resources")) s.resources = decodeRequirements(f.child("resources"));
  s.allocated_resources = f.resources("allocatedResources");
  s.started = f.json().value("started", false);
  if (s.started) f.take("started");  // a "false" that was given stays in the rest
  s.rest = f.rest(false);
  return s;
}

PodStatus decodeStatus(Fields f) {
  PodStatus s;
  s.phase = f.text("phase");
  f.forEach("conditions", [&](Fields c) {
    PodCondition condition;
    condition.type = c.text("type");
    condition.status = c.text("status");
    condition.reason = c.text("reason");
    condition.message = c.text("message");
    condition.last_transition_time = c.time("lastTransitionTime");
    condition.last_probe_time = c.time("lastProbeTime");
    condition.observed_generation = c.integer("observedGeneration");
    s.conditions.push_back(std::move(condition));
  });
  s.nominated_node_name = f.text("nominatedNodeName");
  s.start_time = f.time("startTime");
  s.qos_class = f.text("qosClass");
  f.forEach("containerStatuses",
            [&](Fields c) { s.container_statuses.push_back(decodeContainerStatus(std::move(c))); });
  f.forEach("initContainerStatuses",
            [&](Fields c) { s.init_container_statuses.push_back(decodeContainerStatus(std::move(c))); });
  if (f.has("resources")) s.resources = decodeRequirements(f.child("resources"));
  s.allocated_resources = f.resources("allocatedResources");
  s.observed_generation = f.integer("observedGeneration");
  s.rest = f.rest(false);
  return s;
}

}  // namespace

ResourceRequirements decodeRequirements(Fields f) {
  ResourceRequirements r;
  r.requests = f.resources("requests");
  r.limits = f.resources("limits");
  r.rest = f.rest(false);
  return r;
}

std::shared_ptr<Object> decodePod(Fields& object) {
  auto pod = std::make_shared<Pod>();
  pod->spec = decodeSpec(object.child("spec"));
  pod->status = decodeStatus(object.child("status"));
  pod->rest = object.rest(true);
  return pod;
}

}  // namespace podberth::api
