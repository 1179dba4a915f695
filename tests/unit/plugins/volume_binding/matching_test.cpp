#include "core/scheduler/plugins/volume_binding/matching.h"

#include <gtest/gtest.h>

#include "tests/unit/support/volumes.h"

namespace podberth::scheduler::plugins {
namespace {

using testkit::makeClaim;
using testkit::makeNode;
using testkit::makeVolume;

const testkit::NodeBuilder& nodeA() {
  static const testkit::NodeBuilder node = makeNode("a").label("kubernetes.io/hostname", "a");
  return node;
}

std::string matching(const testkit::ClaimBuilder& claim, const std::vector<testkit::VolumeBuilder>& volumes,
                     const std::vector<std::string>& taken = {}, bool attributes_classes = true) {
  std::vector<Candidate> candidates;
  for (const testkit::VolumeBuilder& v : volumes) candidates.emplace_back(v.obj());
  std::string error;
  const auto volume = findMatchingVolume(WaitingClaim(claim.obj()), candidates, *nodeA().obj(), taken,
                                         attributes_classes ? AttributesClasses::kOn : AttributesClasses::kOff, &error);
  return !error.empty() ? "error: " + error : volume == nullptr ? "none" : volume->meta.name;
}

testkit::VolumeBuilder local(const char* name, const char* size) { return makeVolume(name).of("c").size(size).on("a"); }

TEST(FindMatchingVolume, TheSmallestOneThatWillDo) {
  const auto claim = makeClaim("x").of("c").size("10Gi");
  EXPECT_EQ(matching(claim, {}), "none");
  EXPECT_EQ(matching(claim, {local("big", "30Gi"), local("mid", "20Gi"), local("small", "5Gi")}), "mid");
  EXPECT_EQ(matching(claim, {local("one", "20Gi"), local("two", "20Gi")}), "one") << "the first of equals";
  EXPECT_EQ(matching(claim, {local("one", "20Gi"), local("two", "20Gi")}, {"one"}), "two") << "one is taken";
  EXPECT_EQ(matching(claim, {local("exact", "10Gi")}), "exact");
}

TEST(FindMatchingVolume, WhatRulesAVolumeOut) {
  const auto claim = makeClaim("x").of("c").size("10Gi");
  const auto with = [&](void (*change)(api::PersistentVolume&)) {
    auto volume = local("v", "10Gi");
    change(volume.raw());
    return matching(claim, {volume});
  };
  EXPECT_EQ(with([](api::PersistentVolume&) {}), "v");
  EXPECT_EQ(with([](api::PersistentVolume& v) { v.phase = "Released"; }), "none");
  EXPECT_EQ(with([](api::PersistentVolume& v) { v.storage_class_name = "d"; }), "none");
  EXPECT_EQ(with([](api::PersistentVolume& v) { v.volume_mode = "Block"; }), "none");
  EXPECT_EQ(with([](api::PersistentVolume& v) { v.volume_mode = "Filesystem"; }), "v");
  EXPECT_EQ(with([](api::PersistentVolume& v) { v.access_modes.assign(1, "ReadOnlyMany"); }), "none");
  EXPECT_EQ(with([](api::PersistentVolume& v) { v.access_modes.emplace_back("ReadOnlyMany"); }), "v");
  EXPECT_EQ(with([](api::PersistentVolume& v) { v.volume_attributes_class_name = "gold"; }), "none");
  EXPECT_EQ(with([](api::PersistentVolume& v) { v.meta.deletion_timestamp = clock::kEpoch; }), "none");
  EXPECT_EQ(with([](api::PersistentVolume& v) { v.meta.annotations["volume.beta.kubernetes.io/storage-class"] = "d"; }),
            "none");
  EXPECT_EQ(matching(claim, {makeVolume("v").of("c").size("10Gi").on("b")}), "none") << "on another node";
  EXPECT_EQ(matching(claim, {local("v", "10Gi").meantFor("other")}), "none");
}

TEST(FindMatchingVolume, TheVolumeThatIsMeantForTheClaim) {
  const auto claim = makeClaim("x").of("c").size("10Gi");
  EXPECT_EQ(matching(claim, {local("small", "10Gi"), local("mine", "90Gi").meantFor("x")}), "mine");
  EXPECT_EQ(matching(claim, {local("small", "10Gi"), local("mine", "90Gi").meantFor("x", "uid-x")}), "mine");
  EXPECT_EQ(matching(claim, {local("small", "10Gi"), local("mine", "90Gi").meantFor("x", "another")}), "small");
  EXPECT_EQ(matching(claim, {local("small", "10Gi"), makeVolume("mine").of("c").size("90Gi").on("b").meantFor("x")}),
            "none")
      << "no other volume will do";
}

TEST(FindMatchingVolume, SelectorsOfClaims) {
  auto claim = makeClaim("x").of("c").size("10Gi");
  claim.raw().spec.selector.emplace();
  claim.raw().spec.selector->match_labels.set("tier", "gold");
  EXPECT_EQ(matching(claim, {local("plain", "10Gi"), local("gold", "20Gi").label("tier", "gold")}), "gold");
  api::LabelSelectorRequirement bad;
  bad.key = "tier";
  bad.op = "Sometimes";
  claim.raw().spec.selector->match_expressions.push_back(bad);
  EXPECT_EQ(matching(claim, {local("v", "10Gi")}).rfind("error: error creating internal label selector for claim: ", 0),
            0U);
}

TEST(FindMatchingVolume, AttributesClassesBehindTheirGate) {
  auto claim = makeClaim("x").of("c").size("10Gi");
  auto volume = local("v", "10Gi");
  volume.raw().volume_attributes_class_name = "gold";
  EXPECT_EQ(matching(claim, {volume}, {}, false), "none");
  claim.raw().spec.volume_attributes_class_name = "gold";
  EXPECT_EQ(matching(claim, {volume}), "v");
  EXPECT_EQ(matching(claim, {volume}, {}, false),
            "error: unsupported volumeAttributesClassName is set on claim default/x when the feature-gate "
            "VolumeAttributesClass is disabled");
}

TEST(VolumeAffinity, OnlyLabelsCount) {
  std::string why;
  EXPECT_TRUE(VolumeAffinity(std::nullopt).matches(*nodeA().obj()));
  api::NodeSelector by_name;
  by_name.terms.push_back(testkit::fieldTerm("metadata.name", "In", {"b"}));
  EXPECT_TRUE(VolumeAffinity(by_name).matches(*nodeA().obj())) << "the node is asked without its name";
  api::NodeSelector by_label;
  by_label.terms.push_back(testkit::labelTerm("kubernetes.io/hostname", "In", {"b"}));
  EXPECT_FALSE(VolumeAffinity(by_label).matches(*nodeA().obj(), &why));
  EXPECT_EQ(why, "no matching NodeSelectorTerms");
  EXPECT_FALSE(VolumeAffinity(api::NodeSelector()).matches(*nodeA().obj())) << "no term matches nothing";
}

TEST(BoundVolume, SaysWhomItBelongsTo) {
  const auto claim = makeClaim("x").obj();
  const auto bound = boundVolume(*local("v", "1Gi").obj(), *claim);
  ASSERT_NE(bound, nullptr);
  EXPECT_EQ(bound->claim_ref->uid, "uid-x");
  EXPECT_EQ(bound->meta.annotations.count("pv.kubernetes.io/bound-by-controller"), 1U);
  EXPECT_EQ(boundVolume(*bound, *claim), nullptr) << "nothing to change";
  const auto prebound = boundVolume(*local("v", "1Gi").meantFor("x").obj(), *claim);
  ASSERT_NE(prebound, nullptr);
  EXPECT_EQ(prebound->claim_ref->uid, "uid-x");
  EXPECT_TRUE(prebound->meta.annotations.empty()) << "the user has bound it";
}

TEST(MatchesTopologies, OneTermWithAllItsRequirements) {
  const auto term = [](std::vector<std::pair<const char*, std::vector<std::string>>> list) {
    api::TopologySelectorTerm t;
    for (auto& [key, values] : list) {
      api::TopologySelectorTerm::Requirement r;
      r.key = key;
      r.values = values;
      t.match_label_expressions.push_back(std::move(r));
    }
    return t;
  };
  const api::LabelSet labels{{"zone", "a"}, {"region", "r"}};
  EXPECT_TRUE(matchesTopologies({}, labels));
  EXPECT_TRUE(matchesTopologies({term({{"zone", {"b", "a"}}})}, labels));
  EXPECT_FALSE(matchesTopologies({term({{"zone", {"b"}}})}, labels));
  EXPECT_FALSE(matchesTopologies({term({{"zone", {"a"}}, {"region", {"s"}}})}, labels));
  EXPECT_TRUE(matchesTopologies({term({{"zone", {"b"}}}), term({{"region", {"r"}}})}, labels));
  EXPECT_FALSE(matchesTopologies({term({})}, labels)) << "an empty term is none";
  EXPECT_FALSE(matchesTopologies({term({{"zone", {"a", "not valid!"}}})}, labels)) << "malformed";
}

}  // namespace
}  // namespace podberth::scheduler::plugins
