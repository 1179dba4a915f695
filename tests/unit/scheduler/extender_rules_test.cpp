#include "core/scheduler/extender_rules.h"

#include <gtest/gtest.h>

#include "tests/unit/support/builders.h"

namespace podberth::scheduler {
namespace {

using testkit::makeNode;
using testkit::makePod;
using Answer = ExtenderRule::Answer;

ExtenderRule rule(Answer answer, std::string text = {}) {
  ExtenderRule out;
  out.answer = answer;
  out.text = std::move(text);
  return out;
}

api::Selector labelled(std::string_view key, std::string_view value) {
  api::LabelSet labels;
  labels.set(key, value);
  return api::Selector::fromSet(labels);
}

struct Case {
  const char* name;
  void (*limit)(ExtenderRule&);
  bool holds;
};

TEST(ExtenderRule, HoldsForThePodsAndTimesThatItNames) {
  const Case cases[] = {
      {"nothing is named", [](ExtenderRule&) {}, true},
      {"the pod's label", [](ExtenderRule& r) { r.pods = labelled("app", "web"); }, true},
      {"another label", [](ExtenderRule& r) { r.pods = labelled("app", "db"); }, false},
      {"the pod's namespace", [](ExtenderRule& r) { r.ns = "default"; }, true},
      {"another namespace", [](ExtenderRule& r) { r.ns = "kube-system"; }, false},
      {"a resource that a container asks for", [](ExtenderRule& r) { r.resource = "example.com/gpu"; }, true},
      {"a resource that an init container asks for", [](ExtenderRule& r) { r.resource = "example.com/disk"; }, true},
      {"a resource that nobody asks for", [](ExtenderRule& r) { r.resource = "example.com/fpga"; }, false},
      {"from now on", [](ExtenderRule& r) { r.from = 5 * clock::kSecond; }, true},
      {"from later on", [](ExtenderRule& r) { r.from = 6 * clock::kSecond; }, false},
      {"until later", [](ExtenderRule& r) { r.until = 6 * clock::kSecond; }, true},
      {"until now", [](ExtenderRule& r) { r.until = 5 * clock::kSecond; }, false},
  };
  const api::PodPtr pod =
      makePod("p").label("app", "web").request("example.com/gpu", "1").init().request("example.com/disk", "1").obj();
  for (const Case& c : cases) {
    ExtenderRule r = rule(Answer::kAccept);
    c.limit(r);
    EXPECT_EQ(r.holds(*pod, 5 * clock::kSecond), c.holds) << c.name;
  }
}

TEST(ExtenderRule, ConcernsNodesThatAreNamedAndSelected) {
  const api::NodePtr node = makeNode("n1").label("rack", "old").obj();
  ExtenderRule r = rule(Answer::kAccept);
  EXPECT_TRUE(r.concerns(*node));
  r.node_names.emplace(1, "n1");
  EXPECT_TRUE(r.concerns(*node));
  r.nodes = labelled("rack", "new");
  EXPECT_FALSE(r.concerns(*node)) << "both must be true";
  r.nodes = labelled("rack", "old");
  EXPECT_TRUE(r.concerns(*node));
  r.node_names->clear();
  EXPECT_FALSE(r.concerns(*node)) << "an empty list names nobody";
}

TEST(ExtenderRule, TheFirstThatHoldsDecides) {
  std::vector<ExtenderRule> rules = {rule(Answer::kReject, "first"), rule(Answer::kReject, "second")};
  rules[0].node_names.emplace(1, "n1");
  const api::PodPtr pod = makePod("p").obj();
  EXPECT_EQ(ruleFor(rules, *pod, 0, *makeNode("n1").obj())->text, "first");
  EXPECT_EQ(ruleFor(rules, *pod, 0, *makeNode("n2").obj())->text, "second");
  rules[1].ns = "other";
  EXPECT_EQ(ruleFor(rules, *pod, 0, *makeNode("n2").obj()), nullptr);
}

TEST(ExtenderRule, OneThatFailsTheCallComesBeforeAllOthers) {
  std::vector<ExtenderRule> rules = {rule(Answer::kAccept), rule(Answer::kError, "down")};
  rules[1].node_names.emplace(1, "n2");
  const api::PodPtr pod = makePod("p").obj();
  const api::NodePtr n1 = makeNode("n1").obj();
  const api::NodePtr n2 = makeNode("n2").obj();
  EXPECT_EQ(failureOf(rules, *pod, 0, {n1.get()}), nullptr);
  ASSERT_NE(failureOf(rules, *pod, 0, {n1.get(), n2.get()}), nullptr);
  EXPECT_EQ(failureOf(rules, *pod, 0, {n1.get(), n2.get()})->text, "down");
  EXPECT_EQ(ruleFor(rules, *pod, 0, *n2)->answer, Answer::kAccept) << "it is no answer about a node";
}

TEST(ExtenderServer, AnswersForItsUrlWithOrWithoutSlashes) {
  ExtenderServer server;
  server.url_prefix = "http://a/b";
  EXPECT_TRUE(answersFor(server, "http://a/b"));
  EXPECT_TRUE(answersFor(server, "http://a/b//"));
  EXPECT_FALSE(answersFor(server, "http://a/c"));
}

}  // namespace
}  // namespace podberth::scheduler
