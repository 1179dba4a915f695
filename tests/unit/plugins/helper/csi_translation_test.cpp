#include "core/scheduler/plugins/helper/csi_translation.h"

#include <gtest/gtest.h>

#include "tests/unit/support/volumes.h"

namespace podberth::scheduler::plugins {
namespace {

using testkit::makeVolume;

std::string handleOf(const testkit::VolumeBuilder& volume) {
  std::string error;
  const std::string handle = csiHandle(*volume.obj(), &error);
  return error.empty() ? handle : "error: " + error;
}

TEST(CsiTranslation, HandlesAreThoseOfTheDrivers) {
  struct Case {
    const char* name;
    testkit::VolumeBuilder volume;
    const char* handle;
  };
  const auto gce = [] { return makeVolume("v").inTree("gcePersistentDisk", "d"); };
  const Case cases[] = {
      {"EBS, bare", makeVolume("v").inTree("awsElasticBlockStore", "vol-1"), "vol-1"},
      {"EBS with a zone", makeVolume("v").inTree("awsElasticBlockStore", "aws://us-east-1a/vol-1"), "vol-1"},
      {"EBS without the zone", makeVolume("v").inTree("awsElasticBlockStore", "aws:///vol-1"), "vol-1"},
      {"EBS that is none", makeVolume("v").inTree("awsElasticBlockStore", "aws://z/disk"),
       "error: failed to translate Kubernetes ID to EBS Volume ID Invalid format for AWS volume (aws://z/disk)"},
      {"GCE without a zone", gce(), "projects/UNSPECIFIED/zones/UNSPECIFIED/disks/d"},
      {"GCE in a zone", gce().label("topology.kubernetes.io/zone", "us-east1-b"),
       "projects/UNSPECIFIED/zones/us-east1-b/disks/d"},
      {"the beta label comes first",
       gce()
           .label("topology.kubernetes.io/zone", "us-east1-b")
           .label("failure-domain.beta.kubernetes.io/zone", "us-east1-c"),
       "projects/UNSPECIFIED/zones/us-east1-c/disks/d"},
      {"GCE in two zones of a region", gce().label("topology.kubernetes.io/zone", "us-east1-b__us-east1-c"),
       "projects/UNSPECIFIED/regions/us-east1/disks/d"},
      {"GCE in two regions", gce().label("topology.kubernetes.io/zone", "us-east1-b__us-west1-c"),
       "error: failed to get region from zones: multiple or no regions gotten from zones, got: map[us-east1:{} "
       "us-west1:{}]"},
      {"GCE in no zone at all", gce().label("topology.kubernetes.io/zone", "a__b"),
       "error: failed to get region from zones: zone in unexpected format, expected: {locale}-{region}-{zone}, got: a"},
      {"Cinder", makeVolume("v").inTree("cinder", "c1"), "c1"},
  };
  for (const Case& c : cases) EXPECT_EQ(handleOf(c.volume), c.handle) << c.name;
}

TEST(CsiTranslation, TopologyKeysAreThoseOfTheDrivers) {
  auto volume = makeVolume("v").inTree("gcePersistentDisk", "d");
  EXPECT_FALSE(csiNodeAffinity(*volume.obj()).has_value()) << "nothing to translate";
  volume.label("topology.kubernetes.io/zone", "b__a");
  auto added = csiNodeAffinity(*volume.obj());
  ASSERT_TRUE(added.has_value());
  EXPECT_EQ(added->terms.at(0).match_expressions.at(0), testkit::requirement("topology.gke.io/zone", "In", {"a", "b"}))
      << "out of the labels";

  volume.raw().node_affinity.emplace();
  volume.raw().node_affinity->terms.push_back(
      testkit::labelTerm("failure-domain.beta.kubernetes.io/zone", "In", {"z"}));
  volume.raw().node_affinity->terms[0].match_expressions.push_back(
      testkit::requirement("failure-domain.beta.kubernetes.io/region", "In", {"r"}));
  const auto replaced = csiNodeAffinity(*volume.obj());
  EXPECT_EQ(replaced->terms.at(0).match_expressions.size(), 2U);
  EXPECT_EQ(replaced->terms.at(0).match_expressions.at(0).key, "topology.gke.io/zone");
  EXPECT_EQ(replaced->terms.at(0).match_expressions.at(1).key, "topology.kubernetes.io/region");

  volume.raw().source = "azureDisk";
  EXPECT_EQ(csiNodeAffinity(*volume.obj())->terms.at(0).match_expressions.at(0).key,
            "failure-domain.beta.kubernetes.io/zone")
      << "Azure disks keep theirs";
}

TEST(CsiTranslation, ZonesOfALabel) {
  EXPECT_EQ(zonesOfLabel("a"), std::vector<std::string>{"a"});
  EXPECT_EQ(zonesOfLabel(" a __b"), (std::vector<std::string>{"a", "b"}));
  EXPECT_TRUE(zonesOfLabel("a__").empty());
  EXPECT_TRUE(zonesOfLabel("").empty());
}

TEST(CsiTranslation, PluginsAreKnownByWhatTheyAreFor) {
  EXPECT_STREQ(inTreePluginOf(testkit::gceDisk("d"))->driver, "pd.csi.storage.gke.io");
  EXPECT_EQ(inTreePluginOf(*makeVolume("v").obj()), nullptr) << "CSI itself";
  EXPECT_FALSE(inTreePluginNamed("kubernetes.io/vsphere-volume", CsiMigration::kDone)->migrated);
  EXPECT_EQ(inTreePluginNamed("csi.example.com", CsiMigration::kDone), nullptr);
}

}  // namespace
}  // namespace podberth::scheduler::plugins
