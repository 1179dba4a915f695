#include "core/scheduler/plugins/inter_pod_affinity/inter_pod_affinity.h"

#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "tests/unit/support/plugin_cluster.h"

namespace podberth::scheduler::plugins {
namespace {

using testkit::ClusterHandle;
using testkit::filterAll;
using testkit::makeNode;
using testkit::makePod;
using testkit::NodeBuilder;
using testkit::passing;
using testkit::PodBuilder;
using testkit::scoreAll;

api::PodAffinityTerm term(std::string_view app, std::string key) {
  api::PodAffinityTerm t;
  t.label_selector.emplace();
  t.label_selector->match_labels.set("app", app);
  t.topology_key = std::move(key);
  return t;
}
api::PodAffinityTerm inNamespacesWith(api::PodAffinityTerm t, std::string_view key, std::string_view value) {
  t.namespace_selector.emplace();
  t.namespace_selector->match_labels.set(key, value);
  return t;
}
api::PodAffinityTerm inAllNamespaces(api::PodAffinityTerm t) {
  t.namespace_selector.emplace();
  return t;
}
api::PodAffinity& affinityOf(PodBuilder& pod, bool anti) {
  if (!pod.raw().spec.affinity) pod.raw().spec.affinity.emplace();
  auto& affinity = anti ? pod.raw().spec.affinity->pod_anti : pod.raw().spec.affinity->pod;
  if (!affinity) affinity.emplace();
  return *affinity;
}
PodBuilder require(PodBuilder pod, api::PodAffinityTerm t, bool anti = false) {
  affinityOf(pod, anti).required.push_back(std::move(t));
  return pod;
}
PodBuilder avoid(PodBuilder pod, api::PodAffinityTerm t) { return require(std::move(pod), std::move(t), true); }
PodBuilder prefer(PodBuilder pod, std::int32_t weight, api::PodAffinityTerm t, bool anti = false) {
  api::WeightedPodAffinityTerm weighted;
  weighted.weight = weight;
  weighted.term = std::move(t);
  affinityOf(pod, anti).preferred.push_back(std::move(weighted));
  return pod;
}
NodeBuilder inZone(std::string name, std::string_view zone) {
  NodeBuilder node = makeNode(name);
  node.label("host", name).label("zone", zone);
  return node;
}
PodBuilder running(std::string name, std::string_view app, std::string node) {
  return makePod(std::move(name)).label("app", app).on(std::move(node));
}

class AffinityTest : public testing::Test {
 protected:
  AffinityTest() {
    cluster_.add(inZone("a", "z1")).add(inZone("b", "z1")).add(inZone("c", "z2"));
    addNamespace("default", "team", "red");
    addNamespace("other", "team", "blue");
  }
  void addNamespace(std::string name, std::string_view key, std::string_view value) {
    auto ns = std::make_shared<api::Namespace>();
    ns->meta.name = std::move(name);
    ns->meta.labels.set(key, value);
    cluster_.namespaces.put(ns);
  }
  InterPodAffinity& plugin() {
    if (plugin_ == nullptr) plugin_ = std::make_unique<InterPodAffinity>(args_, cluster_);
    return *plugin_;
  }
  ClusterHandle cluster_;
  config::InterPodAffinityArgs args_;
  std::unique_ptr<InterPodAffinity> plugin_;
};

TEST_F(AffinityTest, SkipsPodsThatNobodyHasTermsAbout) {
  cluster_.add(running("r", "x", "a"));
  EXPECT_EQ(filterAll(plugin(), cluster_, makePod("p").info()), "PreFilter Skip");
}

TEST_F(AffinityTest, WantsTheDomainOfAMatchingPod) {
  cluster_.add(running("r", "x", "a"));
  EXPECT_EQ(filterAll(plugin(), cluster_, require(makePod("p"), term("x", "zone")).info()),
            "a: Success, b: Success, c: UnschedulableAndUnresolvable: node(s) didn't match pod affinity rules");
  EXPECT_EQ(passing(plugin(), cluster_, require(makePod("p"), term("x", "host")).info()), "a");
}

TEST_F(AffinityTest, OnePodHasToMatchAllTerms) {
  cluster_.add(running("r", "x", "a")).add(running("s", "y", "b")).add(running("t", "y", "c").label("color", "red"));
  api::PodAffinityTerm red = term("y", "host");
  red.label_selector->match_labels.set("color", "red");
  EXPECT_EQ(passing(plugin(), cluster_, require(require(makePod("p"), term("x", "zone")), term("y", "host")).info()),
            "");
  EXPECT_EQ(passing(plugin(), cluster_, require(require(makePod("p"), term("y", "zone")), red).info()), "c");
}

TEST_F(AffinityTest, TheFirstPodOfAGroupMayGoToAnyNodeWithTheKeys) {
  cluster_.add(makeNode("d"));
  const PodBuilder self = require(makePod("p").label("app", "x"), term("x", "zone"));
  EXPECT_EQ(passing(plugin(), cluster_, self.info()), "a b c");
  EXPECT_EQ(passing(plugin(), cluster_, require(makePod("p"), term("x", "zone")).info()), "");
  cluster_.add(running("r", "x", "c"));
  EXPECT_EQ(passing(plugin(), cluster_, self.info()), "c");
}

TEST_F(AffinityTest, AvoidsTheDomainOfAMatchingPod) {
  cluster_.add(running("r", "x", "a"));
  const std::string no = "Unschedulable: node(s) didn't match pod anti-affinity rules";
  EXPECT_EQ(filterAll(plugin(), cluster_, avoid(makePod("p"), term("x", "zone")).info()),
            "a: " + no + ", b: " + no + ", c: Success");
}

TEST_F(AffinityTest, IsKeptAwayByThoseThatAvoidIt) {
  cluster_.add(avoid(running("r", "y", "a"), term("x", "zone")));
  const std::string no = "Unschedulable: node(s) didn't satisfy existing pods anti-affinity rules";
  EXPECT_EQ(filterAll(plugin(), cluster_, makePod("p").label("app", "x").info()),
            "a: " + no + ", b: " + no + ", c: Success");
  EXPECT_EQ(filterAll(plugin(), cluster_, makePod("p").label("app", "z").info()), "PreFilter Skip");
  EXPECT_EQ(cluster_.cache.removePod(*avoid(running("r", "y", "a"), term("x", "zone")).obj()), "");
  EXPECT_EQ(filterAll(plugin(), cluster_, makePod("p").label("app", "x").info()), "PreFilter Skip");
}

TEST_F(AffinityTest, SpeaksOfItsOwnNamespaceUnlessItNamesOthers) {
  cluster_.add(running("r", "x", "a").ns("other"));
  api::PodAffinityTerm named = term("x", "host");
  named.namespaces = {"other"};
  EXPECT_EQ(passing(plugin(), cluster_, require(makePod("p"), term("x", "host")).info()), "");
  EXPECT_EQ(passing(plugin(), cluster_, require(makePod("p"), named).info()), "a");
  EXPECT_EQ(
      passing(plugin(), cluster_, require(makePod("p"), inNamespacesWith(term("x", "host"), "team", "blue")).info()),
      "a");
  EXPECT_EQ(
      passing(plugin(), cluster_, require(makePod("p"), inNamespacesWith(term("x", "host"), "team", "red")).info()),
      "");
  EXPECT_EQ(passing(plugin(), cluster_, require(makePod("p"), inAllNamespaces(term("x", "host"))).info()), "a");
}

TEST_F(AffinityTest, ExistingPodsSelectByTheLabelsOfTheIncomingPodsNamespace) {
  cluster_.add(avoid(running("r", "y", "a").ns("other"), inNamespacesWith(term("x", "host"), "team", "red")));
  EXPECT_EQ(passing(plugin(), cluster_, makePod("p").label("app", "x").info()), "b c");
  EXPECT_EQ(passing(plugin(), cluster_, makePod("p").label("app", "x").ns("other").info()), "Skip");
}

TEST_F(AffinityTest, RemovingAndAddingPodsChangesTheAnswerOfACopyOnly) {
  const PodBuilder enemy = avoid(running("e", "y", "a"), term("x", "zone"));
  cluster_.add(enemy).add(running("s", "y", "c")).update();
  const PodInfoPtr pod = avoid(require(makePod("p").label("app", "x"), term("y", "zone")), term("y", "host")).info();
  CycleState state;
  PreFilterResult narrowed;
  ASSERT_TRUE(plugin().preFilter(state, *pod, cluster_.snapshot().nodes(), narrowed).isSuccess());
  CycleState copy = state.clone();
  const auto says = [&](CycleState& s, std::string_view node) {
    return testkit::text(plugin().filter(s, *pod, cluster_.node(node)));
  };
  EXPECT_EQ(says(copy, "a"), "Unschedulable: node(s) didn't match pod anti-affinity rules");
  EXPECT_EQ(says(copy, "b"), "Unschedulable: node(s) didn't satisfy existing pods anti-affinity rules");
  ASSERT_TRUE(plugin().removePod(copy, *pod, *enemy.info(), cluster_.node("a")).isSuccess());
  EXPECT_EQ(says(copy, "a"), "UnschedulableAndUnresolvable: node(s) didn't match pod affinity rules");
  ASSERT_TRUE(plugin().addPod(copy, *pod, *running("t", "y", "a").info(), cluster_.node("a")).isSuccess());
  EXPECT_EQ(says(copy, "a"), "Unschedulable: node(s) didn't match pod anti-affinity rules");
  EXPECT_EQ(says(copy, "b"), "Success");
  EXPECT_EQ(says(state, "b"), "Unschedulable: node(s) didn't satisfy existing pods anti-affinity rules");
}

TEST_F(AffinityTest, RemovingTheOnlyMatchingPodLetsAPodThatMatchesItselfIn) {
  cluster_.add(running("r", "x", "a")).update();
  const PodInfoPtr pod = require(makePod("p").label("app", "x"), term("x", "zone")).info();
  CycleState state;
  PreFilterResult narrowed;
  ASSERT_TRUE(plugin().preFilter(state, *pod, cluster_.snapshot().nodes(), narrowed).isSuccess());
  EXPECT_FALSE(plugin().filter(state, *pod, cluster_.node("c")).isSuccess());
  ASSERT_TRUE(plugin().removePod(state, *pod, *running("r", "x", "a").info(), cluster_.node("a")).isSuccess());
  EXPECT_TRUE(plugin().filter(state, *pod, cluster_.node("c")).isSuccess());
}

TEST_F(AffinityTest, PreferencesScoreForAndAgainst) {
  cluster_.add(running("r", "x", "a")).add(running("s", "y", "c"));
  EXPECT_EQ(scoreAll(plugin(), cluster_, makePod("p").info()), "Skip");
  EXPECT_EQ(scoreAll(plugin(), cluster_, prefer(makePod("p"), 5, term("x", "host")).info()), "a 5/100, b 0/0, c 0/0");
  EXPECT_EQ(scoreAll(plugin(), cluster_,
                     prefer(prefer(makePod("p"), 3, term("x", "zone")), 4, term("y", "host"), true).info()),
            "a 3/100, b 3/100, c -4/0");
}

TEST_F(AffinityTest, RunningPodsPreferencesAndRequirementsScoreToo) {
  args_.hard_pod_affinity_weight = 7;
  cluster_.add(prefer(running("r", "y", "a"), 10, term("x", "zone")))
      .add(require(running("s", "y", "c"), term("x", "host")));
  EXPECT_EQ(scoreAll(plugin(), cluster_, makePod("p").label("app", "x").info()), "a 10/100, b 10/100, c 7/0");
  EXPECT_EQ(scoreAll(plugin(), cluster_, makePod("p").label("app", "z").info()), "Skip");
}

TEST_F(AffinityTest, RunningPodsPreferencesCanBeIgnoredForPodsWithoutOnes) {
  args_.ignore_preferred_terms_of_existing_pods = true;
  cluster_.add(prefer(running("r", "y", "a"), 10, term("x", "zone")));
  EXPECT_EQ(scoreAll(plugin(), cluster_, makePod("p").label("app", "x").info()), "Skip");
}

TEST_F(AffinityTest, HintsSayWhatCouldHelp) {
  const api::PodPtr wants = require(makePod("p"), term("x", "zone")).obj();
  const api::PodPtr hates = avoid(makePod("p").label("app", "p"), term("x", "zone")).obj();
  const api::PodPtr selects = require(makePod("p"), inNamespacesWith(term("x", "zone"), "team", "red")).obj();
  const api::PodPtr x = running("r", "x", "a").obj();
  const api::PodPtr y = running("r", "y", "a").obj();
  const api::PodPtr enemy = avoid(running("e", "y", "a"), term("p", "zone")).obj();
  const api::NodePtr z1 = inZone("n", "z1").obj();
  const api::NodePtr z2 = inZone("n", "z2").obj();
  const api::NodePtr bare = makeNode("n").obj();
  struct Case {
    const char* what;
    api::PodPtr pod;
    EventResource resource;
    std::int64_t event;
    const api::Object* before;
    const api::Object* after;
    const char* want;
  };
  const auto assigned = EventResource::kAssignedPod;
  const auto node = EventResource::kNode;
  const Case cases[] = {
      {"a wanted pod comes", wants, assigned, action::kAdd, nullptr, x.get(), "Queue"},
      {"an indifferent pod comes", wants, assigned, action::kAdd, nullptr, y.get(), "Skip"},
      {"a pod becomes wanted", wants, assigned, action::kUpdatePodLabel, y.get(), x.get(), "Queue"},
      {"a hated pod goes", hates, assigned, action::kDelete, x.get(), nullptr, "Queue"},
      {"a pod is hated no more", hates, assigned, action::kUpdatePodLabel, x.get(), y.get(), "Queue"},
      {"an indifferent pod goes", hates, assigned, action::kDelete, y.get(), nullptr, "Skip"},
      {"a pod that hates it goes", hates, assigned, action::kDelete, enemy.get(), nullptr, "Queue"},
      {"namespace selectors are not resolved", selects, assigned, action::kAdd, nullptr, x.get(), "Skip"},
      {"a node of a wanted key comes", wants, node, action::kAdd, nullptr, z1.get(), "Queue"},
      {"a node without the wanted key comes", wants, node, action::kAdd, nullptr, bare.get(), "Skip"},
      {"any node comes and there is something to avoid", hates, node, action::kAdd, nullptr, bare.get(), "Queue"},
      {"a node changes its domain", wants, node, action::kUpdateNodeLabel, z1.get(), z2.get(), "Queue"},
      {"a node leaves a wanted domain", wants, node, action::kUpdateNodeLabel, z1.get(), bare.get(), "Skip"},
      {"a node leaves an avoided domain", hates, node, action::kUpdateNodeLabel, z1.get(), bare.get(), "Queue"},
      {"the pod's own labels change", hates, EventResource::kTargetPod, action::kUpdatePodLabel, hates.get(),
       hates.get(), "Queue"},
  };
  for (const Case& c : cases) {
    EXPECT_EQ(testkit::hintText(plugin(), c.resource, c.event, c.pod, c.before, c.after), c.want) << c.what;
  }
}

TEST_F(AffinityTest, PodsWithoutTermsAreBatchedByTheirLabels) {
  bool signable = false;
  const auto x = plugin().sign(*makePod("p").label("app", "x").obj(), signable);
  EXPECT_TRUE(signable);
  const auto y = plugin().sign(*makePod("q").label("app", "y").obj(), signable);
  ASSERT_EQ(x.size(), 1U);
  ASSERT_EQ(y.size(), 1U);
  EXPECT_EQ(x[0].key, "v1.Pod.Labels");
  EXPECT_NE(x[0].value, y[0].value);
  plugin().sign(*require(makePod("p"), term("x", "zone")).obj(), signable);
  EXPECT_FALSE(signable);
}

}  // namespace
}  // namespace podberth::scheduler::plugins
