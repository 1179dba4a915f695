#include "core/api/decode.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "core/api/node.h"
#include "core/api/pod.h"
#include "core/api/storage.h"
#include "core/api/workload.h"

namespace podberth::api {
namespace {

using nlohmann::json;

json parse(const char* text) { return json::parse(text); }

template <class T>
std::shared_ptr<const T> decodeAs(const json& j) {
  const Decoded d = decode(j);
  EXPECT_EQ(d.error, "");
  return as<T>(ObjectPtr(d.object));
}

TEST(Decode, refuses_wrong_types_with_upstreams_text) {
  struct Case {
    const char* object;
    const char* want;
  };
  const std::string quantity =
      "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";
  const std::vector<Case> cases = {
      {R"({"apiVersion":"v1","kind":"Pod","spec":{"priority":"x"}})",
       "json: cannot unmarshal string into Go struct field PodSpec.spec.priority of type int32"},
      {R"({"apiVersion":"v1","kind":"Pod","spec":{"priority":1.5}})",
       "json: cannot unmarshal number 1.5 into Go struct field PodSpec.spec.priority of type int32"},
      {R"({"apiVersion":"v1","kind":"Pod","spec":{"priority":99999999999}})",
       "json: cannot unmarshal number 99999999999 into Go struct field PodSpec.spec.priority of type int32"},
      {R"({"apiVersion":"v1","kind":"Pod","spec":{"containers":{"a":1}}})",
       "json: cannot unmarshal object into Go struct field PodSpec.spec.containers of type []v1.Container"},
      {R"({"apiVersion":"v1","kind":"Pod","spec":{"containers":[{"name":1}]}})",
       "json: cannot unmarshal number into Go struct field Container.spec.containers.name of type string"},
      {R"({"apiVersion":"v1","kind":"Pod","metadata":{"labels":{"a":1}}})",
       "json: cannot unmarshal number into Go struct field ObjectMeta.metadata.labels of type string"},
      {R"({"apiVersion":"v1","kind":"Pod","metadata":"a"})",
       "json: cannot unmarshal string into Go struct field Pod.metadata of type v1.ObjectMeta"},
      {R"({"apiVersion":"v1","kind":"Pod","spec":{"hostNetwork":"true"}})",
       "json: cannot unmarshal string into Go struct field PodSpec.spec.hostNetwork of type bool"},
      {R"({"apiVersion":"v1","kind":"Pod","metadata":{"creationTimestamp":5}})",
       "json: cannot unmarshal number into Go struct field ObjectMeta.metadata.creationTimestamp of type string"},
      {R"({"apiVersion":"v1","kind":"Pod","spec":{"containers":[{"livenessProbe":{"periodSeconds":"x"}}]}})",
       "json: cannot unmarshal string into Go struct field Probe.spec.containers.livenessProbe.periodSeconds of type "
       "int32"},
      {R"({"apiVersion":"v1","kind":"PersistentVolume","spec":{"hostPath":{"path":1}}})",
       "json: cannot unmarshal number into Go struct field "
       "HostPathVolumeSource.spec.PersistentVolumeSource.hostPath.path of type string"},
      {R"({"apiVersion":"v1","kind":"Pod","metadata":{"creationTimestamp":"x"}})",
       R"(parsing time "x" as "2006-01-02T15:04:05Z07:00": cannot parse "x" as "2006")"},
      {R"({"apiVersion":"policy/v1beta1","kind":"PodDisruptionBudget","spec":{"minAvailable":true}})",
       "json: cannot unmarshal bool into Go struct field PodDisruptionBudgetSpec.spec.minAvailable of type int32"},
      {R"({"apiVersion":"v1","kind":"Node","metadata":{"generation":1.5}})",
       "json: cannot unmarshal number 1.5 into Go struct field ObjectMeta.metadata.generation of type int64"},
      {R"({"apiVersion":"v1","kind":"Pod","spec":{"containers":[{"resources":{"requests":{"cpu":"1x"}}}]}})",
       quantity.c_str()},
      {R"({"apiVersion":"v1","kind":"Node","status":{"capacity":{"cpu":true}}})", quantity.c_str()},
      {R"({"apiVersion":"v1","kind":"Node","status":{"capacity":{"cpu":{}}}})", quantity.c_str()},
      {R"({"apiVersion":"v1","kind":"Node","status":{"capacity":{"cpu":""}}})", quantity.c_str()},
  };
  for (const Case& c : cases) {
    const Decoded d = decode(parse(c.object));
    EXPECT_EQ(d.error, c.want) << c.object;
    EXPECT_EQ(d.object, nullptr) << c.object;
  }
}

TEST(Decode, refuses_unknown_kinds_with_upstreams_text) {
  struct Case {
    const char* object;
    const char* want;
  };
  const std::vector<Case> cases = {
      {R"({"apiVersion":"v1","kind":"Foo"})",
       R"(no kind "Foo" is registered for version "v1" in scheme "pkg/runtime/scheme.go:111")"},
      {R"({"apiVersion":"v2","kind":"Pod"})",
       R"(no kind "Pod" is registered for version "v2" in scheme "pkg/runtime/scheme.go:111")"},
      {R"({"apiVersion":"storage.k8s.io/v1alpha1","kind":"StorageClass"})",
       R"(no kind "StorageClass" is registered for version "storage.k8s.io/v1alpha1" in scheme "pkg/runtime/scheme.go:111")"},
      {R"({"apiVersion":"v1"})", R"(Object 'Kind' is missing in '{"apiVersion":"v1"}')"},
      {R"({"kind":"Pod"})", R"(Object 'apiVersion' is missing in '{"kind":"Pod"}')"},
      {R"({"apiVersion":"a/b/c","kind":"Pod"})", "unexpected GroupVersion string: a/b/c"},
      {R"({"apiVersion":"v1","kind":1})",
       "couldn't get version/kind; json parse error: json: cannot unmarshal number into Go struct field .kind of type "
       "string"},
      {R"({"apiVersion":"v1","kind":"PodList","items":[]})", "object does not implement the Object interfaces"},
      {R"({"apiVersion":"v1","kind":"Status"})", "object does not implement the Object interfaces"},
      {"null", "Object 'Kind' is missing in 'null'"},
      {"[]",
       "couldn't get version/kind; json parse error: json: cannot unmarshal array into Go value of type struct { "
       "APIVersion "
       "string \"json:\\\"apiVersion,omitempty\\\"\"; Kind string \"json:\\\"kind,omitempty\\\"\" }"},
  };
  for (const Case& c : cases) EXPECT_EQ(decode(parse(c.object)).error, c.want) << c.object;
}

TEST(Decode, reports_every_problem_at_its_place) {
  const Decoded d = decode(parse(
      R"({"apiVersion":"v1","kind":"Pod","spec":{"priority":"x","containers":[{"name":1,"resources":{"limits":{"a/b":"?"}}}]}})"));
  ASSERT_EQ(d.issues.size(), 3u);
  EXPECT_EQ(d.issues[0].path, "/spec/containers/0/name");
  EXPECT_EQ(d.issues[1].path, "/spec/containers/0/resources/limits/a~1b");
  EXPECT_EQ(d.issues[2].path, "/spec/priority");
  EXPECT_EQ(d.error, d.issues[1].message) << "a malformed value ends the decoding, a wrong type does not";
}

TEST(Decode, unknown_fields_are_warnings_with_a_suggestion) {
  const Decoded d = decode(parse(
      R"({"apiVersion":"v1","kind":"Pod","spec":{"nodename":"n","tolerationz":[],"shcedulerName":"x","toleration":[]}})"));
  ASSERT_NE(d.object, nullptr);
  std::map<std::string, std::string> messages;
  for (const Issue& i : d.issues) {
    EXPECT_EQ(i.severity, Issue::Severity::kWarning);
    messages[i.path] = i.message;
  }
  EXPECT_EQ(messages.size(), 4u);
  EXPECT_EQ(messages["/spec/nodename"], "unknown field \"nodename\" is ignored: did you mean \"nodeName\"?");
  EXPECT_EQ(messages["/spec/tolerationz"], "unknown field \"tolerationz\" is ignored: did you mean \"tolerations\"?");
  EXPECT_EQ(messages["/spec/toleration"], "unknown field \"toleration\" is ignored: did you mean \"tolerations\"?");
  EXPECT_EQ(messages["/spec/shcedulerName"], "unknown field \"shcedulerName\" is ignored");
  EXPECT_EQ(as<Pod>(ObjectPtr(d.object))->spec.node_name, "") << "names of fields are case-sensitive";
}

TEST(Decode, known_fields_that_scheduling_ignores_are_reported_once) {
  const Decoded d = decode(parse(
      R"({"apiVersion":"v1","kind":"Pod","spec":{"hostname":"h","containers":[{"tty":true},{"tty":true}]},"status":{"hostIP":"1.2.3.4"}})"));
  ASSERT_EQ(d.issues.size(), 2u);
  EXPECT_EQ(d.issues[0].severity, Issue::Severity::kInfo);
  EXPECT_EQ(d.issues[0].path, "/spec/containers/0/tty");
  EXPECT_EQ(d.issues[1].path, "/spec/hostname");
}

TEST(Decode, other_kinds_are_stored_and_reported) {
  const Decoded d = decode(
      parse(R"({"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"c","labels":{"a":"b"}},"data":{"k":"v"}})"));
  ASSERT_NE(d.object, nullptr);
  EXPECT_EQ(d.object->kind, Kind::kOther);
  EXPECT_EQ(d.object->kind_name, "ConfigMap");
  EXPECT_EQ(d.object->meta.name, "c");
  EXPECT_TRUE(d.object->meta.labels.has(Symbol("a")));
  EXPECT_EQ(d.object->rest, R"({"data":{"k":"v"}})");
  ASSERT_EQ(d.issues.size(), 1u);
  EXPECT_EQ(d.issues[0].message, "ConfigMap is stored but not simulated");
  EXPECT_NE(decode(parse(R"({"apiVersion":"v1","kind":"ConfigMap","metadata":{"labels":{"a":1}}})")).error, "");
}

TEST(Decode, brings_kinds_to_the_version_that_is_stored) {
  struct Case {
    const char* given;
    const char* kind;
    const char* want;
  };
  for (const Case& c : {Case{"v1", "Pod", "v1"}, Case{"policy/v1beta1", "PodDisruptionBudget", "policy/v1"},
                        Case{"scheduling.k8s.io/v1beta1", "PriorityClass", "scheduling.k8s.io/v1"},
                        Case{"storage.k8s.io/v1alpha1", "CSIStorageCapacity", "storage.k8s.io/v1"},
                        Case{"apps/v1beta2", "ReplicaSet", "apps/v1"}}) {
    json j;
    j["apiVersion"] = c.given;
    j["kind"] = c.kind;
    const Decoded d = decode(j);
    ASSERT_NE(d.object, nullptr) << c.given << " " << d.error;
    EXPECT_EQ(d.object->api_version, c.want);
    EXPECT_EQ(kindName(d.object->kind), c.kind);
  }
}

TEST(Decode, reads_metadata) {
  const auto n = decodeAs<Node>(parse(R"({"apiVersion":"v1","kind":"Node","metadata":{"name":"n","generateName":"g",
    "namespace":"ns","uid":"u","resourceVersion":"12","generation":3,"creationTimestamp":"2000-01-01T00:00:01.9Z",
    "deletionTimestamp":null,"deletionGracePeriodSeconds":0,"labels":{"b":"1","a":null},"annotations":{"x":"y"},
    "finalizers":["f"],"ownerReferences":[{"apiVersion":"v1","kind":"K","name":"o","uid":"ou","controller":true}],
    "selfLink":"s"}})"));
  const ObjectMeta& m = n->meta;
  EXPECT_EQ(m.name, "n");
  EXPECT_EQ(m.generate_name, "g");
  EXPECT_EQ(m.ns, "ns");
  EXPECT_EQ(m.uid, "u");
  EXPECT_EQ(m.resource_version, 12);
  EXPECT_EQ(m.generation, 3);
  EXPECT_EQ(m.creation_timestamp, clock::kEpoch + clock::kSecond);
  EXPECT_FALSE(m.deletion_timestamp);
  EXPECT_EQ(m.deletion_grace_period_seconds, 0);
  EXPECT_EQ(m.labels, (LabelSet{{"a", ""}, {"b", "1"}}));
  EXPECT_EQ(m.annotations.at("x"), "y");
  EXPECT_EQ(m.finalizers, (std::vector<std::string>{"f"}));
  ASSERT_EQ(m.owner_references.size(), 1u);
  EXPECT_EQ(m.owner_references[0].controller, true);
  EXPECT_EQ(n->rest, R"({"metadata":{"selfLink":"s"}})");
}

TEST(Decode, reads_a_pod) {
  const auto p = decodeAs<Pod>(parse(R"({"apiVersion":"v1","kind":"Pod","metadata":{"name":"p"},"spec":{
    "nodeName":"n","schedulerName":"s","priority":0,"nodeSelector":{"a":"b"},"hostNetwork":true,
    "affinity":{"nodeAffinity":{"requiredDuringSchedulingIgnoredDuringExecution":{"nodeSelectorTerms":[
        {"matchExpressions":[{"key":"k","operator":"In","values":["v"]}]}, null]},
      "preferredDuringSchedulingIgnoredDuringExecution":[{"weight":5,"preference":{"matchFields":[{"key":"f","operator":"In"}]}}]},
      "podAntiAffinity":{"requiredDuringSchedulingIgnoredDuringExecution":[{"labelSelector":{},"topologyKey":"t"}],
        "preferredDuringSchedulingIgnoredDuringExecution":[{"weight":7,"podAffinityTerm":{"topologyKey":"z","namespaces":["q"]}}]}},
    "tolerations":[{"key":"a","operator":"Exists","tolerationSeconds":3}],
    "topologySpreadConstraints":[{"maxSkew":1,"topologyKey":"zone","whenUnsatisfiable":"DoNotSchedule","minDomains":2}],
    "initContainers":[{"name":"i","restartPolicy":"Always"}],
    "containers":[{"name":"c","image":"img","resources":{"requests":{"cpu":0.5,"memory":"1Gi","x/y":2}},
      "ports":[{"hostPort":80,"containerPort":8080,"protocol":"UDP"}],"command":["x"]}],
    "volumes":[{"name":"v","persistentVolumeClaim":{"claimName":"pvc"}},{"name":"e","emptyDir":{}},
      {"name":"g","ephemeral":{"volumeClaimTemplate":{"spec":{"storageClassName":""}}}},{"name":"i","iscsi":{"iqn":"q","lun":3}}],
    "schedulingGates":[{"name":"g"}],"resourceClaims":[{"name":"rc"}],"schedulingGroup":{"podGroupName":"pg"},
    "overhead":{"cpu":"1"},"os":{"name":"linux"}},
    "status":{"phase":"Running","startTime":"2000-01-01T00:00:00.25Z","conditions":[{"type":"Ready","status":"True"}],
      "nominatedNodeName":"nn","containerStatuses":[{"name":"c","started":false,"allocatedResources":{"cpu":"2"}}]}})"));
  const PodSpec& s = p->spec;
  EXPECT_EQ(s.node_name, "n");
  EXPECT_EQ(s.priority, 0);
  EXPECT_TRUE(s.host_network);
  ASSERT_EQ(s.affinity->node->required->terms.size(), 2u);
  EXPECT_EQ(s.affinity->node->required->terms[0].match_expressions[0].values[0], "v");
  EXPECT_TRUE(s.affinity->node->required->terms[1].match_expressions.empty());
  EXPECT_EQ(s.affinity->node->preferred[0].weight, 5);
  EXPECT_EQ(s.affinity->node->preferred[0].preference.match_fields[0].key, "f");
  EXPECT_FALSE(s.affinity->pod);
  EXPECT_TRUE(s.affinity->pod_anti->required[0].label_selector) << "an empty selector is not an absent one";
  EXPECT_FALSE(s.affinity->pod_anti->preferred[0].term.label_selector);
  EXPECT_EQ(s.affinity->pod_anti->preferred[0].term.namespaces[0], "q");
  EXPECT_EQ(s.tolerations[0].toleration_seconds, 3);
  EXPECT_EQ(s.topology_spread_constraints[0].min_domains, 2);
  EXPECT_TRUE(s.init_containers[0].isSidecar());
  EXPECT_EQ(s.containers[0].resources.requests.find(resource::kCPU)->str(), "500m");
  EXPECT_EQ(s.containers[0].resources.requests.find(Symbol("x/y"))->value(), 2);
  EXPECT_EQ(s.containers[0].ports[0].host_port, 80);
  EXPECT_EQ(s.containers[0].rest, R"({"command":["x"]})");
  ASSERT_EQ(s.volumes.size(), 4u);
  EXPECT_EQ(s.volumes[0].persistent_volume_claim->claim_name, "pvc");
  EXPECT_EQ(s.volumes[1].rest, R"({"emptyDir":{}})");
  EXPECT_EQ(s.volumes[1].sources, (std::vector<std::string>{"emptyDir"}));
  ASSERT_NE(s.volumes[2].ephemeral, nullptr);
  EXPECT_EQ(s.volumes[2].ephemeral->storage_class_name, "") << "an empty class is not an absent one";
  EXPECT_EQ(s.volumes[3].iscsi->lun, 3);
  EXPECT_EQ(s.scheduling_gates, (std::vector<std::string>{"g"}));
  EXPECT_EQ(s.resource_claims, (std::vector<std::string>{"rc"}));
  EXPECT_EQ(s.pod_group, "pg");
  EXPECT_EQ(s.os_name, "linux");
  EXPECT_EQ(p->status.start_time, clock::kEpoch + clock::kSecond / 4);
  EXPECT_EQ(p->status.conditions[0].type, "Ready");
  EXPECT_EQ(p->status.container_statuses[0].allocated_resources.find(resource::kCPU)->value(), 2);
}

TEST(Decode, tells_whether_a_status_was_given) {
  EXPECT_FALSE(decode(parse(R"({"apiVersion":"v1","kind":"Pod"})")).has_status);
  EXPECT_TRUE(decode(parse(R"({"apiVersion":"v1","kind":"Pod","status":{}})")).has_status);
}

TEST(Decode, a_budget_of_v1beta1_without_requirements_selects_nothing) {
  const auto pdb = decodeAs<PodDisruptionBudget>(
      parse(R"({"apiVersion":"policy/v1beta1","kind":"PodDisruptionBudget","spec":{"selector":{}}})"));
  EXPECT_FALSE(Selector::from(pdb->selector).matches({{"a", "b"}}));
  const auto v1 = decodeAs<PodDisruptionBudget>(
      parse(R"({"apiVersion":"policy/v1","kind":"PodDisruptionBudget","spec":{"selector":{},"minAvailable":"50%"}})"));
  EXPECT_TRUE(Selector::from(v1->selector).matches({{"a", "b"}}));
  EXPECT_EQ(v1->spec_rest, R"({"minAvailable":"50%"})");
}

TEST(Decode, reads_volumes) {
  const auto pv = decodeAs<PersistentVolume>(parse(R"({"apiVersion":"v1","kind":"PersistentVolume","spec":{
    "capacity":{"storage":"1Gi"},"accessModes":["ReadWriteOnce"],"csi":{"driver":"d","volumeHandle":"h"},
    "claimRef":{"namespace":"a","name":"b","apiVersion":"v1"},"persistentVolumeReclaimPolicy":"Retain",
    "nodeAffinity":{"required":{"nodeSelectorTerms":[{}]}}},"status":{"phase":"Bound"}})"));
  EXPECT_EQ(pv->source, "csi");
  EXPECT_EQ(pv->csi_driver, "d");
  EXPECT_EQ(pv->csi_volume_handle, "h");
  EXPECT_EQ(pv->claim_ref->name, "b");
  EXPECT_EQ(pv->phase, "Bound");
  EXPECT_EQ(pv->node_affinity->terms.size(), 1u);
  const auto disk = decodeAs<PersistentVolume>(
      parse(R"({"apiVersion":"v1","kind":"PersistentVolume","spec":{"awsElasticBlockStore":{"volumeID":"vol-1"}}})"));
  EXPECT_EQ(disk->source, "awsElasticBlockStore");
  EXPECT_EQ(disk->in_tree_id, "vol-1");
  const auto node = decodeAs<CSINode>(parse(
      R"({"apiVersion":"storage.k8s.io/v1","kind":"CSINode","spec":{"drivers":[{"name":"d","nodeID":"x","allocatable":{"count":0}},{"name":"e"}]}})"));
  EXPECT_EQ(node->drivers[0].count, 0);
  EXPECT_FALSE(node->drivers[1].count);
}

}  // namespace
}  // namespace podberth::api
