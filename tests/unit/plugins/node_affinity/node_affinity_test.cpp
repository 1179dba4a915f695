#include "core/scheduler/plugins/node_affinity/node_affinity.h"

#include <gtest/gtest.h>

#include "tests/unit/support/plugin_run.h"

namespace podberth::scheduler::plugins {
namespace {

using testkit::fieldTerm;
using testkit::labelTerm;
using testkit::makeNode;
using testkit::makePod;
using testkit::requirement;

constexpr const char* kNo = "UnschedulableAndUnresolvable: node(s) didn't match Pod's node affinity/selector";

NodeAffinity plain() {
  std::string error;
  return NodeAffinity(config::NodeAffinityArgs(), &error);
}

TEST(NodeAffinity, WhichNodesMatch) {
  struct Case {
    const char* sentence;
    testkit::PodBuilder pod;
    const char* result;
  };
  api::NodeSelectorTerm both = labelTerm("zone", "In", {"a"});
  both.match_expressions.push_back(requirement("disk", "In", {"hdd"}));
  const Case cases[] = {
      {"a pod that does not care skips", makePod("p"), "PreFilter Skip"},
      {"preferences alone skip too", makePod("p").preferNode(1, labelTerm("zone", "In", {"b"})), "PreFilter Skip"},
      {"the node selector matches", makePod("p").nodeSelector("zone", "a"), "Success"},
      {"the node selector has another value", makePod("p").nodeSelector("zone", "b"), kNo},
      {"the node selector has another key", makePod("p").nodeSelector("rack", "a"), kNo},
      {"In", makePod("p").requireNode({labelTerm("zone", "In", {"b", "a"})}), "Success"},
      {"NotIn", makePod("p").requireNode({labelTerm("zone", "NotIn", {"a"})}), kNo},
      {"NotIn of a label that is not there", makePod("p").requireNode({labelTerm("rack", "NotIn", {"a"})}), "Success"},
      {"Exists", makePod("p").requireNode({labelTerm("zone", "Exists")}), "Success"},
      {"DoesNotExist", makePod("p").requireNode({labelTerm("zone", "DoesNotExist")}), kNo},
      {"Gt compares integers", makePod("p").requireNode({labelTerm("gen", "Gt", {"9"})}), "Success"},
      {"Lt compares integers", makePod("p").requireNode({labelTerm("gen", "Lt", {"9"})}), kNo},
      {"Gt of a label that is no number", makePod("p").requireNode({labelTerm("zone", "Gt", {"9"})}), kNo},
      {"one of several terms is enough",
       makePod("p").requireNode({labelTerm("zone", "In", {"b"}), labelTerm("disk", "In", {"ssd"})}), "Success"},
      {"a term's requirements must all hold", makePod("p").requireNode({both}), kNo},
      {"an empty term matches nothing", makePod("p").requireNode({api::NodeSelectorTerm()}), kNo},
      {"no terms match nothing", makePod("p").requireNode({}), kNo},
      {"the selector and the affinity must both hold",
       makePod("p").nodeSelector("zone", "b").requireNode({labelTerm("disk", "In", {"ssd"})}), kNo},
      {"the node's name", makePod("p").requireNode({fieldTerm("metadata.name", "In", {"n"})}), "Success"},
      {"not the node's name", makePod("p").requireNode({fieldTerm("metadata.name", "NotIn", {"n"})}), kNo},
      {"a malformed term matches nothing", makePod("p").requireNode({labelTerm("zone", "Like", {"a"})}), kNo},
      {"but does not spoil the others",
       makePod("p").requireNode({labelTerm("zone", "Like", {"a"}), labelTerm("zone", "In", {"a"})}), "Success"},
  };
  NodeAffinity plugin = plain();
  const NodeInfo node = makeNode("n").label("zone", "a").label("disk", "ssd").label("gen", "10").info();
  for (const Case& c : cases) EXPECT_EQ(testkit::filterText(plugin, c.pod.info(), node), c.result) << c.sentence;
}

TEST(NodeAffinity, PreFilterLeavesTheNamedNodes) {
  struct Case {
    const char* sentence;
    std::vector<api::NodeSelectorTerm> terms;
    const char* nodes;  // "all", or names
  };
  api::NodeSelectorTerm contradiction = fieldTerm("metadata.name", "In", {"a"});
  contradiction.match_fields.push_back(requirement("metadata.name", "In", {"b"}));
  const Case cases[] = {
      {"one name", {fieldTerm("metadata.name", "In", {"a"})}, "a"},
      {"terms add up",
       {fieldTerm("metadata.name", "In", {"b"}), fieldTerm("metadata.name", "In", {"a"}),
        fieldTerm("metadata.name", "In", {"b"})},
       "a b"},
      {"a term without a name is for all nodes",
       {fieldTerm("metadata.name", "In", {"a"}), labelTerm("zone", "In", {"x"})},
       "all"},
      {"NotIn names nobody", {fieldTerm("metadata.name", "NotIn", {"a"})}, "all"},
      {"a contradiction drops out", {contradiction, fieldTerm("metadata.name", "In", {"c"})}, "c"},
      {"only contradictions leave none", {contradiction}, ""},
      {"no terms", {}, "all"},
  };
  for (const Case& c : cases) {
    api::NodeSelector selector;
    selector.terms = c.terms;
    const auto names = namedNodes(selector);
    std::string text = names ? "" : "all";
    if (names) {
      for (const api::Symbol s : *names) text += (text.empty() ? "" : " ") + s.str();
    }
    EXPECT_EQ(text, c.nodes) << c.sentence;
  }

  NodeAffinity plugin = plain();
  CycleState state;
  PreFilterResult result;
  EXPECT_EQ(testkit::text(plugin.preFilter(state, *makePod("p").requireNode({contradiction}).info(), {}, result)),
            "UnschedulableAndUnresolvable: pod affinity terms conflict");
}

TEST(NodeAffinity, WeightsOfMatchingPreferencesAddUp) {
  NodeAffinity plugin = plain();
  const std::vector<NodeInfo> nodes = {makeNode("a").label("zone", "a").label("disk", "ssd").info(),
                                       makeNode("b").label("zone", "b").label("disk", "ssd").info(),
                                       makeNode("c").label("zone", "c").info()};
  const auto scores = testkit::scoresOf(plugin,
                                        makePod("p")
                                            .preferNode(30, labelTerm("zone", "In", {"a"}))
                                            .preferNode(7, labelTerm("disk", "Exists"))
                                            .preferNode(5, api::NodeSelectorTerm())
                                            .info(),
                                        nodes);
  EXPECT_EQ(scores.raw, (std::vector<std::int64_t>{37, 7, 0}));
  EXPECT_EQ(scores.normalized, (std::vector<std::int64_t>{100, 18, 0}));
  EXPECT_EQ(testkit::scoresOf(plugin, makePod("p").info(), nodes).pre_score, "Skip");
  const auto bad = testkit::scoresOf(plugin, makePod("p").preferNode(1, labelTerm("zone", "Like")).info(), nodes);
  EXPECT_EQ(bad.pre_score.substr(0, 6), "Error:") << bad.pre_score;
}

TEST(NodeAffinity, TheConfigurationAddsAffinity) {
  config::NodeAffinityArgs args;
  args.added_affinity.emplace();
  args.added_affinity->required.emplace();
  args.added_affinity->required->terms.push_back(labelTerm("zone", "In", {"a"}));
  api::PreferredSchedulingTerm preferred;
  preferred.weight = 3;
  preferred.preference = labelTerm("disk", "Exists");
  args.added_affinity->preferred.push_back(preferred);
  std::string error;
  NodeAffinity plugin(args, &error);
  EXPECT_EQ(error, "");
  const NodeInfo a = makeNode("a").label("zone", "a").label("disk", "ssd").info();
  const NodeInfo b = makeNode("b").label("zone", "b").info();
  EXPECT_EQ(testkit::filterText(plugin, makePod("p").info(), a), "Success");
  EXPECT_EQ(testkit::filterText(plugin, makePod("p").info(), b),
            "UnschedulableAndUnresolvable: node(s) didn't match scheduler-enforced node affinity");
  EXPECT_EQ(testkit::filterText(plugin, makePod("p").nodeSelector("zone", "c").info(), a), kNo);
  EXPECT_EQ(testkit::scoresOf(plugin, makePod("p").info(), {a, b}).raw, (std::vector<std::int64_t>{3, 0}));

  args.added_affinity->required->terms[0] = labelTerm("zone", "Like", {"a"});
  NodeAffinity malformed(args, &error);
  EXPECT_EQ(error.rfind("parsing addedAffinity.requiredDuringSchedulingIgnoredDuringExecution: ", 0), 0u) << error;
}

TEST(NodeAffinity, WhatQueuesAPodAgain) {
  const NodeAffinity plugin = plain();
  const auto pod = makePod("p").nodeSelector("zone", "a").obj();
  const auto a = makeNode("n").label("zone", "a").obj();
  const auto a2 = makeNode("n").label("zone", "a").label("x", "y").obj();
  const auto b = makeNode("n").label("zone", "b").obj();
  const auto after = [&](const api::NodePtr& before, const api::NodePtr& now) {
    return testkit::hintText(plugin, EventResource::kNode, before ? action::kUpdateNodeLabel : action::kAdd, pod,
                             before.get(), now.get());
  };
  EXPECT_EQ(after(nullptr, a), "Queue");
  EXPECT_EQ(after(nullptr, b), "Skip");
  EXPECT_EQ(after(b, a), "Queue");
  EXPECT_EQ(after(a, a2), "Skip") << "it matched before";
  EXPECT_EQ(after(a, b), "Skip");
}

}  // namespace
}  // namespace podberth::scheduler::plugins
