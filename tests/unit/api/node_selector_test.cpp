#include "core/api/node_selector.h"

#include <gtest/gtest.h>

#include "core/api/node.h"

namespace podberth::api {
namespace {

NodeSelectorRequirement require(const char* key, const char* op, std::vector<std::string> values = {}) {
  NodeSelectorRequirement r;
  r.key = key;
  r.op = op;
  r.values = std::move(values);
  return r;
}

NodeSelectorTerm term(std::vector<NodeSelectorRequirement> expressions,
                      std::vector<NodeSelectorRequirement> fields = {}) {
  NodeSelectorTerm t;
  t.match_expressions = std::move(expressions);
  t.match_fields = std::move(fields);
  return t;
}

NodeSelector selector(std::vector<NodeSelectorTerm> terms) {
  NodeSelector s;
  s.terms = std::move(terms);
  return s;
}

Node node(const char* name, LabelSet labels) {
  Node n;
  n.meta.name = name;
  n.meta.labels = std::move(labels);
  return n;
}

TEST(NodeSelector, a_term_matches_when_all_its_requirements_do) {
  struct Case {
    const char* name;
    NodeSelectorTerm t;
    bool want;
  };
  const Node n = node("n1", {{"zone", "a"}, {"cores", "8"}, {"bad", "x"}});
  const std::vector<Case> cases = {
      {"an empty term matches nothing", term({}), false},
      {"In", term({require("zone", "In", {"a", "b"})}), true},
      {"In without the label", term({require("rack", "In", {"a"})}), false},
      {"NotIn without the label", term({require("rack", "NotIn", {"a"})}), true},
      {"NotIn with the label", term({require("zone", "NotIn", {"a"})}), false},
      {"Exists and DoesNotExist", term({require("zone", "Exists"), require("rack", "DoesNotExist")}), true},
      {"Gt", term({require("cores", "Gt", {"7"})}), true},
      {"Gt is strict", term({require("cores", "Gt", {"8"})}), false},
      {"Lt", term({require("cores", "Lt", {"9"})}), true},
      {"Lt of a label that is no number", term({require("bad", "Lt", {"9"})}), false},
      {"Gt without the label", term({require("rack", "Gt", {"0"})}), false},
      {"the node's name", term({}, {require("metadata.name", "In", {"n1"})}), true},
      {"another node's name", term({}, {require("metadata.name", "In", {"n2"})}), false},
      {"not another node's name", term({}, {require("metadata.name", "NotIn", {"n2"})}), true},
      {"an unknown field is empty", term({}, {require("spec.x", "In", {""})}), true},
      {"expressions and fields are anded",
       term({require("zone", "In", {"b"})}, {require("metadata.name", "In", {"n1"})}), false},
  };
  for (const Case& c : cases) {
    EXPECT_EQ(CompiledTerm(c.t).matches(n), c.want) << c.name;
    EXPECT_EQ(CompiledNodeSelector(selector({c.t})).matches(n), c.want) << c.name;
  }
}

TEST(NodeSelector, terms_are_ored_and_errors_count_only_if_none_matches) {
  const Node n = node("n1", {{"zone", "a"}});
  const NodeSelectorTerm good = term({require("zone", "Exists")}), bad = term({require("zone", "Gt", {"x"})});
  std::string error;
  EXPECT_TRUE(CompiledNodeSelector(selector({bad, good})).matches(n, &error));
  EXPECT_EQ(error, "");
  EXPECT_FALSE(CompiledNodeSelector(selector({term({}), bad})).matches(n, &error));
  EXPECT_EQ(
      error,
      "nodeSelectorTerms[1].matchExpressions[0].values[0]: Invalid value: \"x\": for 'Gt', 'Lt' operators, the value "
      "must be an integer");
}

TEST(NodeSelector, says_all_that_is_wrong_as_upstream_does) {
  const CompiledNodeSelector s(
      selector({term({}), term({require("a", "Foo"), require("b", "In")},
                               {require("metadata.name", "Exists"), require("metadata.name", "In", {"a", "b"})})}));
  EXPECT_EQ(
      s.error(),
      "[nodeSelectorTerms[1].matchExpressions[0].operator: Unsupported value: \"Foo\": supported values: \"In\", "
      "\"NotIn\", \"Exists\", \"DoesNotExist\", \"Gt\", \"Lt\", nodeSelectorTerms[1].matchExpressions[1].values: "
      "Invalid value: null: for 'in', 'notin' operators, values set can't be empty, "
      "nodeSelectorTerms[1].matchFields[0].operator: Unsupported value: \"Exists\": supported values: \"In\", "
      "\"NotIn\", nodeSelectorTerms[1].matchFields[1].values: Invalid value: [\"a\",\"b\"]: must have one element]");
  EXPECT_EQ(
      CompiledNodeSelector(selector({term({require("a", "Gt")})})).error(),
      "nodeSelectorTerms[0].matchExpressions[0].values: Invalid value: null: for 'Gt', 'Lt' operators, exactly one "
      "value is required");
  EXPECT_EQ(CompiledNodeSelector(selector({term({require("a", "In", {"b"})})})).error(), "");
}

TEST(NodeSelector, preferences_add_up_and_those_without_weight_are_not_read) {
  PreferredSchedulingTerm ignored, two, three;
  ignored.preference = term({require("a", "Foo")});
  two.weight = 2;
  two.preference = term({require("zone", "In", {"a"})});
  three.weight = 3;
  three.preference = term({require("disk", "Exists")});
  const CompiledPreferredTerms terms({ignored, two, three});
  EXPECT_EQ(terms.error(), "");
  EXPECT_EQ(terms.score(node("n", {{"zone", "a"}, {"disk", "ssd"}})), 5);
  EXPECT_EQ(terms.score(node("n", {{"zone", "b"}, {"disk", "ssd"}})), 3);
  ignored.weight = 1;
  EXPECT_EQ(
      CompiledPreferredTerms({two, ignored}).error(),
      "[1].matchExpressions[0].operator: Unsupported value: \"Foo\": supported values: \"In\", \"NotIn\", \"Exists\", "
      "\"DoesNotExist\", \"Gt\", \"Lt\"");
}

}  // namespace
}  // namespace podberth::api
