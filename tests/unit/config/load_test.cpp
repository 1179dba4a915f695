// Defaults, merging, the order of expanded plugins, and where in the document a problem is.
#include <gtest/gtest.h>

#include "core/api/raw_json.h"
#include "tests/unit/config/errors.h"

namespace podberth::scheduler::config {
namespace {

using Names = std::vector<std::string>;

// A configuration of one profile with these plugins (JSON), loaded.
Loaded withPlugins(const std::string& plugins) {
  const std::string text = R"({"apiVersion":"kubescheduler.config.k8s.io/v1","kind":"KubeSchedulerConfiguration",)"
                           R"("profiles":[{"plugins":)" +
                           plugins + "}]}";
  return load(text, FeatureGates());
}

ExpandedPlugins expanded(const std::string& plugins) {
  const Loaded loaded = withPlugins(plugins);
  EXPECT_EQ(loaded.error, "");
  ExpandedPlugins out;
  EXPECT_EQ(expandPlugins(loaded.config.profiles[0], inTreePoints, out), "");
  return out;
}

std::string weights(const ExpandedPlugins& plugins) {
  std::string out;
  for (const auto& [name, weight] : plugins.score)
    out += (out.empty() ? "" : " ") + name + "=" + std::to_string(weight);
  return out;
}

TEST(Load, NullIsTheDefaultConfiguration) {
  const Loaded loaded = load("", FeatureGates());
  EXPECT_EQ(loaded.error, "");
  ASSERT_EQ(loaded.config.profiles.size(), 1U);
  const Profile& profile = loaded.config.profiles[0];
  EXPECT_EQ(profile.scheduler_name, "default-scheduler");
  EXPECT_EQ(loaded.config.percentage_of_nodes_to_score, 0);
  EXPECT_EQ(loaded.config.pod_initial_backoff_seconds, 1);
  EXPECT_EQ(loaded.config.pod_max_backoff_seconds, 10);
  Names configured;
  for (const auto& item : profile.plugin_config) configured.push_back(item.first);
  EXPECT_EQ(configured,
            (Names{"DefaultPreemption", "DynamicResources", "InterPodAffinity", "NodeAffinity",
                   "NodeResourcesBalancedAllocation", "NodeResourcesFit", "PodTopologySpread", "VolumeBinding"}));
  const auto* volumes = std::get_if<VolumeBindingArgs>(profile.args("VolumeBinding"));
  ASSERT_NE(volumes, nullptr);
  EXPECT_EQ(volumes->bind_timeout_seconds, 600);
  ASSERT_EQ(volumes->shape.size(), 2U);
  EXPECT_EQ(volumes->shape[0].score, 10);
  EXPECT_EQ(volumes->shape[1].utilization, 100);
}

TEST(Expand, DefaultPluginsComeInUpstreamsOrder) {
  const ExpandedPlugins plugins = expanded("null");
  EXPECT_EQ(
      weights(plugins),
      "TaintToleration=3 NodeAffinity=2 NodeResourcesFit=1 VolumeBinding=1 PodTopologySpread=2 InterPodAffinity=2 "
      "DynamicResources=2 NodeResourcesBalancedAllocation=1 ImageLocality=1");
  EXPECT_EQ(plugins.filter,
            (Names{"NodeName", "NodeUnschedulable", "TaintToleration", "NodeAffinity", "NodePorts", "NodeResourcesFit",
                   "VolumeRestrictions", "NodeVolumeLimits", "VolumeBinding", "VolumeZone", "PodTopologySpread",
                   "InterPodAffinity", "DynamicResources", "NodeDeclaredFeatures"}));
  EXPECT_EQ(plugins.post_filter, (Names{"DynamicResources", "DefaultPreemption"}));
  EXPECT_EQ(plugins.pre_enqueue, (Names{"SchedulingGates", "DynamicResources", "DefaultPreemption"}));
  EXPECT_EQ(plugins.pre_bind, (Names{"VolumeBinding", "DynamicResources"}));
}

TEST(Expand, APointsOwnPluginsComeFirstIfTheyOverrideMultiPointAndLastIfNot) {
  const ExpandedPlugins plugins = expanded(R"({
      "multiPoint": {"disabled": [{"name": "ImageLocality"}]},
      "score": {"enabled": [{"name": "ImageLocality", "weight": 7}, {"name": "NodeAffinity", "weight": 5},
                            {"name": "TaintToleration"}]}})");
  EXPECT_EQ(
      weights(plugins),
      "NodeAffinity=5 TaintToleration=1 NodeResourcesFit=1 VolumeBinding=1 PodTopologySpread=2 InterPodAffinity=2 "
      "DynamicResources=2 NodeResourcesBalancedAllocation=1 ImageLocality=7");
}

TEST(Expand, APluginEnabledAgainAtMultiPointKeepsItsPlace) {
  const ExpandedPlugins plugins = expanded(R"({
      "multiPoint": {"enabled": [{"name": "NodeAffinity", "weight": 9}], "disabled": [{"name": "VolumeBinding"}]},
      "score": {"disabled": [{"name": "DynamicResources"}]}})");
  EXPECT_EQ(weights(plugins),
            "TaintToleration=3 NodeAffinity=9 NodeResourcesFit=1 PodTopologySpread=2 InterPodAffinity=2 "
            "NodeResourcesBalancedAllocation=1 ImageLocality=1");
  EXPECT_EQ(plugins.reserve, (Names{"DynamicResources"}));
}

TEST(Expand, AStarLeavesOnlyWhatThePointEnables) {
  const ExpandedPlugins plugins = expanded(R"({
      "score": {"enabled": [{"name": "ImageLocality", "weight": 12}], "disabled": [{"name": "*"}]},
      "postFilter": {"disabled": [{"name": "*"}]}})");
  EXPECT_EQ(weights(plugins), "ImageLocality=12");
  EXPECT_TRUE(plugins.post_filter.empty());
  EXPECT_EQ(plugins.pre_score.size(), 7U);
}

TEST(Load, EachProblemIsAtItsPlace) {
  struct {
    const char* name;
    const char* plugins;
    const char* pointer;
  } cases[] = {
      {"an unknown field", R"({"filter": {"enabled": [{"name": "NodeName", "w/t": 1}]}})",
       "/profiles/0/plugins/filter/enabled/0/w~1t"},
      {"a wrong type", R"({"score": {"enabled": [{"name": "NodeName", "weight": "1"}]}})",
       "/profiles/0/plugins/score/enabled/0/weight"},
      {"a plugin of former versions", R"({"filter": {"enabled": [{"name": "NodeName"}, {"name": "EBSLimits"}]}})",
       "/profiles/0/plugins/filter/enabled/1"},
      {"two queue sort plugins", R"({"queueSort": {"enabled": [{"name": "A"}, {"name": "B"}]}})",
       "/profiles/0/plugins/queueSort/enabled"},
  };
  for (const auto& c : cases) {
    SCOPED_TRACE(c.name);
    const Loaded loaded = withPlugins(c.plugins);
    EXPECT_NE(loaded.error, "");
    ASSERT_EQ(loaded.issues.size(), 1U);
    EXPECT_EQ(loaded.issues[0].path, c.pointer);
    EXPECT_EQ(loaded.issues[0].severity, api::Issue::Severity::kError);
  }
}

TEST(Load, WhatTheSimulationDoesNotUseIsNoted) {
  const char* text = R"({"apiVersion":"kubescheduler.config.k8s.io/v1",
      "kind":"KubeSchedulerConfiguration","leaderElection":{"leaderElect":false},"extenders":[{"urlPrefix":"http://a"}]})";
  const Loaded loaded = load(text, FeatureGates());
  EXPECT_EQ(loaded.error, "");
  ASSERT_EQ(loaded.extenders.size(), 1U);
  EXPECT_EQ(loaded.extenders[0].url_prefix, "http://a");
  ASSERT_EQ(loaded.issues.size(), 2U);
  EXPECT_EQ(loaded.issues[0].path, "/leaderElection");
  EXPECT_EQ(loaded.issues[0].severity, api::Issue::Severity::kInfo);
  EXPECT_EQ(loaded.issues[1].path, "/extenders");
  EXPECT_EQ(loaded.issues[1].severity, api::Issue::Severity::kWarning);
}

TEST(Load, AFieldGivenTwiceIsSeenInTheText) {
  const std::string text = R"({"apiVersion":"kubescheduler.config.k8s.io/v1","kind":"KubeSchedulerConfiguration",
      "parallelism": 1, "parallelism": 2, "profiles": [{"schedulerName": "a", "schedulerName": "b"}]})";
  EXPECT_EQ(load(text, FeatureGates()).error,
            "strict decoding error: duplicate field \"parallelism\", duplicate field \"profiles[0].schedulerName\"");
}

TEST(Load, OfNamesThatDifferInCaseTheLastOneCounts) {
  EXPECT_EQ(load(R"({"kind":"A","Kind":"B","apiVersion":"v2","APIVERSION":"v1"})", FeatureGates()).error,
            load(R"({"kind":"B","apiVersion":"v1"})", FeatureGates()).error);
  EXPECT_EQ(load(R"({"Kind":"B","kind":"A","apiVersion":"v1"})", FeatureGates()).error,
            load(R"({"kind":"A","apiVersion":"v1"})", FeatureGates()).error);
}

TEST(RawJson, FindsAValueByItsPointer) {
  const char* text = R"( {"a": [1, {"x\"}": "]}\"", "b/c": 1e3 }], "a2": {} , "d": 1, "d" : [ 2 ] } )";
  EXPECT_EQ(api::rawValue(text, "/a/0"), "1");
  EXPECT_EQ(api::rawValue(text, "/a/1/b~1c"), "1e3");
  EXPECT_EQ(api::rawValue(text, "/a2"), "{}");
  EXPECT_EQ(api::rawValue(text, "/d"), "[ 2 ]");
  EXPECT_EQ(api::rawValue(text, "/nothing"), "");
  EXPECT_EQ(api::rawItems(api::rawValue(text, "/a")),
            (std::vector<std::string_view>{"1", R"({"x\"}": "]}\"", "b/c": 1e3 })"}));
  EXPECT_EQ(api::rawKeys(text), (Names{"a", "a2", "d", "d"}));
  EXPECT_EQ(api::rawKeys(api::rawValue(text, "/a/1")), (Names{"x\"}", "b/c"}));
}

}  // namespace
}  // namespace podberth::scheduler::config
