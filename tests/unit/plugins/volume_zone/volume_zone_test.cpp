#include "core/scheduler/plugins/volume_zone/volume_zone.h"

#include <gtest/gtest.h>

#include "tests/unit/support/plugin_cluster.h"
#include "tests/unit/support/volumes.h"

namespace podberth::scheduler::plugins {
namespace {

using testkit::makeClaim;
using testkit::makeClass;
using testkit::makeNode;
using testkit::makeVolume;
using testkit::podWith;

constexpr const char* kZone = "topology.kubernetes.io/zone";
constexpr const char* kBetaZone = "failure-domain.beta.kubernetes.io/zone";
constexpr const char* kRegion = "topology.kubernetes.io/region";

TEST(VolumeZone, LabelsOfVolumeAndNode) {
  struct Case {
    const char* name;
    api::LabelSet volume;
    api::LabelSet node;
    bool fits;
  };
  const Case cases[] = {
      {"the same zone", {{kZone, "a"}}, {{kZone, "a"}}, true},
      {"another zone", {{kZone, "a"}}, {{kZone, "b"}}, false},
      {"one of several zones", {{kZone, "a__b"}}, {{kZone, "b"}}, true},
      {"a node without any zone", {{kZone, "a"}}, {{"x", "y"}}, true},
      {"a node with a region only", {{kZone, "a"}}, {{kRegion, "r"}}, false},
      {"a beta label of the volume, the later one of the node", {{kBetaZone, "a"}}, {{kZone, "a"}}, true},
      {"a beta label of both", {{kBetaZone, "a"}}, {{kBetaZone, "a"}}, true},
      {"not the other way round", {{kZone, "a"}}, {{kBetaZone, "a"}}, false},
      {"a malformed label is left out", {{kZone, "a__"}}, {{kZone, "b"}}, true},
      {"zone and region", {{kZone, "a"}, {kRegion, "r"}}, {{kZone, "a"}, {kRegion, "s"}}, false},
  };
  for (const Case& c : cases) {
    auto volume = makeVolume("v");
    volume.raw().meta.labels = c.volume;
    EXPECT_EQ(nodeFitsTopologies(c.node, topologiesOf(*volume.obj())), c.fits) << c.name;
  }
}

TEST(VolumeZone, WhatPreFilterSays) {
  testkit::ClusterHandle cluster;
  cluster.add(makeNode("a").label(kZone, "z1")).add(makeNode("b").label(kZone, "z2"));
  cluster.storage_classes.put(makeClass("wait"));
  cluster.storage_classes.put(makeClass("now", "Immediate"));
  cluster.claims.put(makeClaim("waiting").of("wait").obj());
  cluster.claims.put(makeClaim("unbound").of("now").obj());
  cluster.claims.put(makeClaim("classless").obj());
  cluster.claims.put(makeClaim("ghost").of("none").obj());
  cluster.claims.put(makeClaim("lost").boundTo("gone").obj());
  cluster.claims.put(makeClaim("plain").boundTo("plain").obj());
  cluster.claims.put(makeClaim("zonal").boundTo("zonal").obj());
  cluster.volumes.put(makeVolume("plain").obj());
  cluster.volumes.put(makeVolume("zonal").label(kZone, "z2").obj());
  VolumeZone plugin(cluster);
  const std::string no = "PreFilter UnschedulableAndUnresolvable: ";
  const std::pair<const char*, std::string> cases[] = {
      {"missing", no + "persistentvolumeclaim \"missing\" not found"},
      {"waiting", "PreFilter Skip"},
      {"unbound", no + "PersistentVolume had no name"},
      {"classless", no + "PersistentVolumeClaim had no pv name and storageClass name"},
      {"ghost", no + "storageclass.storage.k8s.io \"none\" not found"},
      {"lost", no + "persistentvolume \"gone\" not found"},
      {"plain", "PreFilter Skip"},
      {"zonal", "a: UnschedulableAndUnresolvable: node(s) had no available volume zone, b: Success"},
  };
  for (const auto& [claim, expected] : cases) {
    EXPECT_EQ(testkit::filterAll(plugin, cluster, podWith("p", {claim}).info()), expected) << claim;
  }
}

TEST(VolumeZone, Hints) {
  testkit::ClusterHandle cluster;
  VolumeZone plugin(cluster);
  const auto pod = podWith("p", {"c"}).obj();
  const auto hint = [&](EventResource resource, const api::Object* before, const api::Object* now) {
    return testkit::hintText(plugin, resource, before == nullptr ? action::kAdd : action::kUpdate, pod, before, now);
  };
  EXPECT_EQ(hint(EventResource::kStorageClass, nullptr, makeClass("w").get()), "Queue");
  EXPECT_EQ(hint(EventResource::kStorageClass, nullptr, makeClass("i", "Immediate").get()), "Skip");
  EXPECT_EQ(hint(EventResource::kPersistentVolumeClaim, nullptr, makeClaim("c").obj().get()), "Queue");
  EXPECT_EQ(hint(EventResource::kPersistentVolumeClaim, nullptr, makeClaim("d").obj().get()), "Skip");
  const auto before = makeVolume("v").label(kZone, "a").obj();
  EXPECT_EQ(hint(EventResource::kPersistentVolume, nullptr, before.get()), "Queue");
  EXPECT_EQ(hint(EventResource::kPersistentVolume, before.get(), makeVolume("v").label(kZone, "b").obj().get()),
            "Queue");
  EXPECT_EQ(hint(EventResource::kPersistentVolume, before.get(),
                 makeVolume("v").label(kZone, "a").label("x", "y").obj().get()),
            "Skip");
}

}  // namespace
}  // namespace podberth::scheduler::plugins
