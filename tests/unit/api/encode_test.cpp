#include "core/api/encode.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "core/api/decode.h"
#include "core/api/pod.h"

namespace podberth::api {
namespace {

using nlohmann::json;

std::shared_ptr<Object> object(const char* text) {
  const Decoded d = decode(json::parse(text));
  EXPECT_NE(d.object, nullptr) << d.error << text;
  return d.object;
}

// One object of each kind, in normal form.
const char* const kObjects[] = {
    R"({"apiVersion":"v1","kind":"Pod","metadata":{"name":"p","namespace":"n","labels":{"a":"b"},"annotations":{"c":"d"},
        "ownerReferences":[{"apiVersion":"v1","kind":"K","name":"o","uid":"u","controller":false}],"finalizers":["f"],
        "creationTimestamp":"2000-01-01T00:00:00Z","resourceVersion":"7","managedFields":[{"manager":"m"}]},
        "spec":{"containers":[{"name":"c","image":"i","resources":{"requests":{"cpu":"1500m"},"limits":{"cpu":"2"},"claims":[{"name":"x"}]},
        "ports":[{"containerPort":1,"hostPort":2,"hostIP":"1.1.1.1","name":"n","protocol":"TCP"}],"tty":true}],"priority":0,
        "initContainers":[{"name":"i","restartPolicy":"Always"}],"ephemeralContainers":[{"name":"e","targetContainerName":"c"}],
        "affinity":{"nodeAffinity":{"requiredDuringSchedulingIgnoredDuringExecution":{"nodeSelectorTerms":[{"matchFields":[{"key":"k","operator":"In","values":["v"]}]}]},
        "preferredDuringSchedulingIgnoredDuringExecution":[{"weight":1,"preference":{"matchExpressions":[{"key":"k","operator":"Exists"}]}}]},
        "podAffinity":{"requiredDuringSchedulingIgnoredDuringExecution":[{"topologyKey":"t","labelSelector":{"matchLabels":{"a":"b"}},"namespaceSelector":{},"matchLabelKeys":["m"],"mismatchLabelKeys":["q"]}]},
        "podAntiAffinity":{"preferredDuringSchedulingIgnoredDuringExecution":[{"weight":3,"podAffinityTerm":{"topologyKey":"t"}}]}},
        "tolerations":[{"key":"a","operator":"Equal","value":"v","effect":"NoExecute","tolerationSeconds":0}],
        "topologySpreadConstraints":[{"maxSkew":1,"topologyKey":"z","whenUnsatisfiable":"ScheduleAnyway","labelSelector":{"matchExpressions":[{"key":"a","operator":"In","values":["x"]}]},"minDomains":1,"nodeAffinityPolicy":"Honor","nodeTaintsPolicy":"Ignore","matchLabelKeys":["k"]}],
        "volumes":[{"name":"v","emptyDir":{}},{"name":"w","persistentVolumeClaim":{"claimName":"c"}}],"schedulingGates":[{"name":"g"}],
        "resourceClaims":[{"name":"r","resourceClaimName":"x"}],"schedulingGroup":{"podGroupName":"g"},"os":{"name":"linux"},"overhead":{"cpu":"1m"},
        "resources":{"requests":{"cpu":"3"}},"hostNetwork":true,"hostname":"h","terminationGracePeriodSeconds":30},
        "status":{"phase":"Running","qosClass":"Burstable","startTime":"2000-01-01T00:00:00Z","hostIP":"1.2.3.4",
        "conditions":[{"type":"t","status":"True","reason":"r","message":"m","lastTransitionTime":"2000-01-01T00:00:00Z","observedGeneration":2}],
        "containerStatuses":[{"name":"c","ready":true,"started":false,"resources":{"requests":{"cpu":"1"}},"allocatedResources":{"cpu":"1"}}]}})",
    R"({"apiVersion":"v1","kind":"Node","metadata":{"name":"n"},"spec":{"unschedulable":true,"taints":[{"key":"k","value":"v","effect":"NoSchedule","timeAdded":"2000-01-01T00:00:00Z"}],
        "providerID":"p","podCIDRs":["1.0.0.0/8"],"podCIDR":"1.0.0.0/8"},"status":{"capacity":{"cpu":"4","memory":"8Gi"},"allocatable":{"cpu":"3900m"},
        "conditions":[{"type":"Ready","status":"True","reason":"r","message":"m"}],"images":[{"names":["i"],"sizeBytes":100}],"declaredFeatures":["f"],"nodeInfo":{"architecture":"amd64"}}})",
    R"({"apiVersion":"v1","kind":"Namespace","metadata":{"name":"n"},"spec":{"finalizers":["kubernetes"]},"status":{"phase":"Active"}})",
    R"({"apiVersion":"scheduling.k8s.io/v1","kind":"PriorityClass","metadata":{"name":"p"},"value":5,"globalDefault":true,"preemptionPolicy":"Never","description":"d"})",
    R"({"apiVersion":"v1","kind":"PersistentVolume","metadata":{"name":"p"},"spec":{"capacity":{"storage":"1Gi"},"accessModes":["ReadWriteOnce"],
        "claimRef":{"kind":"PersistentVolumeClaim","namespace":"a","name":"b","uid":"u","apiVersion":"v1"},"storageClassName":"s","volumeMode":"Block","hostPath":{"path":"/x"},
        "nodeAffinity":{"required":{"nodeSelectorTerms":[{"matchExpressions":[{"key":"k","operator":"Exists"}]}]}}},"status":{"phase":"Bound","message":"m"}})",
    R"({"apiVersion":"v1","kind":"PersistentVolumeClaim","metadata":{"name":"p"},"spec":{"accessModes":["ReadWriteOnce"],"resources":{"requests":{"storage":"1Gi"},"limits":{"storage":"2Gi"}},
        "storageClassName":"","volumeName":"v","selector":{"matchLabels":{"a":"b"}},"dataSource":{"kind":"K","name":"n"}},"status":{"phase":"Bound","accessModes":["ReadWriteOnce"]}})",
    R"({"apiVersion":"storage.k8s.io/v1","kind":"StorageClass","metadata":{"name":"s"},"provisioner":"p","volumeBindingMode":"Immediate","parameters":{"a":"b"},
        "allowedTopologies":[{"matchLabelExpressions":[{"key":"k","values":["v"]}]}]})",
    R"({"apiVersion":"storage.k8s.io/v1","kind":"CSINode","metadata":{"name":"n"},"spec":{"drivers":[{"name":"d","nodeID":"x","topologyKeys":["t"],"allocatable":{"count":0}}]}})",
    R"({"apiVersion":"storage.k8s.io/v1","kind":"CSIDriver","metadata":{"name":"d"},"spec":{"attachRequired":false,"storageCapacity":true,"podInfoOnMount":true}})",
    R"({"apiVersion":"storage.k8s.io/v1","kind":"CSIStorageCapacity","metadata":{"name":"c"},"nodeTopology":{"matchLabels":{"a":"b"}},"storageClassName":"s","capacity":"0","maximumVolumeSize":"1Gi"})",
    R"({"apiVersion":"storage.k8s.io/v1","kind":"VolumeAttachment","metadata":{"name":"v"},"spec":{"attacher":"a","nodeName":"n","source":{"inlineVolumeSpec":{"csi":{"driver":"d","volumeHandle":"h"}}}},"status":{"attached":true}})",
    R"({"apiVersion":"storage.k8s.io/v1","kind":"VolumeAttachment","metadata":{"name":"v"},"spec":{"attacher":"a","nodeName":"n","source":{"inlineVolumeSpec":{}}}})",
    R"({"apiVersion":"policy/v1","kind":"PodDisruptionBudget","metadata":{"name":"p"},"spec":{"selector":{},"minAvailable":1},"status":{"disruptionsAllowed":2,"disruptedPods":{"a":"2000-01-01T00:00:00Z"},"currentHealthy":3}})",
    R"({"apiVersion":"v1","kind":"Service","metadata":{"name":"s"},"spec":{"selector":{"a":"b"},"clusterIP":"1.1.1.1"},"status":{"loadBalancer":{"ingress":[{"ip":"1.1.1.1"}]}}})",
    R"({"apiVersion":"v1","kind":"ReplicationController","metadata":{"name":"r"},"spec":{"replicas":0,"selector":{"a":"b"}}})",
    R"({"apiVersion":"apps/v1","kind":"ReplicaSet","metadata":{"name":"r"},"spec":{"replicas":2,"selector":{"matchLabels":{"a":"b"}},"template":{"metadata":{"labels":{"a":"b"}}}}})",
    R"({"apiVersion":"apps/v1","kind":"StatefulSet","metadata":{"name":"s"},"spec":{"selector":{"matchLabels":{"a":"b"}},"serviceName":"x"}})",
    R"({"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"d","labels":{"a":"b"}},"spec":{"replicas":2}})",
};

TEST(Encode, gives_back_what_was_decoded) {
  for (const char* text : kObjects) EXPECT_EQ(encode(*object(text)), json::parse(text));
}

TEST(Encode, leaves_out_what_is_as_good_as_absent) {
  const auto pod =
      object(R"({"apiVersion":"v1","kind":"Pod","metadata":{"name":"p","creationTimestamp":null,"labels":{}},
    "spec":{"containers":[{"name":"c","image":"","resources":{},"env":[],"stdin":false,"securityContext":{}}],"nodeName":"",
    "tolerations":null,"priority":0,"volumes":[{"name":"v","emptyDir":{"sizeLimit":"1024Mi"}}]},"status":{"startTime":null}})");
  EXPECT_EQ(encode(*pod), json::parse(R"({"apiVersion":"v1","kind":"Pod","metadata":{"name":"p"},
    "spec":{"containers":[{"name":"c","securityContext":{}}],"priority":0,"volumes":[{"name":"v","emptyDir":{"sizeLimit":"1Gi"}}]}})"));
}

TEST(Equal, copies_are_equal_and_the_resource_version_does_not_count) {
  for (const char* text : kObjects) {
    const auto a = object(text);
    const auto b = clone(*a);
    EXPECT_NE(a, b);
    EXPECT_TRUE(semanticallyEqual(*a, *b)) << text;
    EXPECT_EQ(encode(*a), encode(*b)) << text;
    b->meta.resource_version += 1;
    EXPECT_TRUE(semanticallyEqual(*a, *b)) << text;
    b->meta.labels.set("x", "y");
    EXPECT_FALSE(semanticallyEqual(*a, *b)) << text;
  }
}

// Every value in every object matters: without any one of its members an object is another one.
void withoutEach(json& root, json& at, const Object& whole, const std::string& path) {
  if (at.is_object()) {
    std::vector<std::string> keys;
    for (const auto& item : at.items()) keys.push_back(item.key());
    for (const std::string& key : keys) {
      const std::string here = path + "/" + key;
      if (here == "/kind" || here == "/apiVersion" || here == "/metadata/resourceVersion") continue;
      json value = at[key];
      at.erase(key);
      const Decoded d = decode(root);
      ASSERT_NE(d.object, nullptr) << here << " " << d.error;
      EXPECT_FALSE(semanticallyEqual(*d.object, whole)) << whole.kind_name << here;
      at[key] = value;
      withoutEach(root, at[key], whole, here);
    }
  } else if (at.is_array()) {
    for (std::size_t i = 0; i < at.size(); ++i) withoutEach(root, at[i], whole, path + "/" + std::to_string(i));
  }
}

TEST(Equal, every_member_counts) {
  for (const char* text : kObjects) {
    json root = json::parse(text);
    const auto whole = object(text);
    withoutEach(root, root, *whole, "");
  }
}

TEST(Equal, quantities_are_numbers) {
  const auto a = object(R"({"apiVersion":"v1","kind":"Node","status":{"capacity":{"cpu":"1"}}})");
  const auto b = object(R"({"apiVersion":"v1","kind":"Node","status":{"capacity":{"cpu":"1000m"}}})");
  const auto c = object(R"({"apiVersion":"v1","kind":"Node","status":{"capacity":{"cpu":"1001m"}}})");
  EXPECT_TRUE(semanticallyEqual(*a, *b));
  EXPECT_FALSE(semanticallyEqual(*a, *c));
  EXPECT_FALSE(semanticallyEqual(*a, *object(R"({"apiVersion":"v1","kind":"Pod"})")));
}

}  // namespace
}  // namespace podberth::api
