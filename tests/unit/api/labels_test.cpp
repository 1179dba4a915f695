#include "core/api/labels.h"

#include <gtest/gtest.h>

namespace podberth::api {
namespace {

LabelSelectorRequirement require(const char* key, const char* op, std::vector<std::string> values = {}) {
  LabelSelectorRequirement r;
  r.key = key;
  r.op = op;
  r.values = std::move(values);
  return r;
}

Selector compile(const LabelSelector& s) {
  std::string error;
  const Selector out = Selector::from(s, &error);
  EXPECT_EQ(error, "");
  return out;
}

TEST(LabelSet, keeps_its_keys_in_order_and_once) {
  LabelSet set{{"b", "1"}, {"a", "2"}, {"b", "3"}};
  ASSERT_EQ(set.size(), 2u);
  EXPECT_EQ(set.begin()->first, Symbol("a"));
  EXPECT_EQ(*set.find(Symbol("b")), Symbol("3"));
  set.erase(Symbol("a"));
  EXPECT_FALSE(set.has(Symbol("a")));
  EXPECT_TRUE(set == (LabelSet{{"b", "3"}}));
}

TEST(Selector, an_absent_selector_selects_nothing_and_an_empty_one_everything) {
  EXPECT_FALSE(Selector::from(std::nullopt).matches({}));
  EXPECT_TRUE(Selector::from(std::nullopt).selectsNothing());
  EXPECT_TRUE(compile(LabelSelector()).matches({}));
  EXPECT_TRUE(compile(LabelSelector()).empty());
  EXPECT_TRUE(Selector::fromSet({}).matches({{"a", "b"}}));
}

TEST(Selector, requirements_are_anded) {
  LabelSelector s;
  s.match_labels = {{"app", "web"}};
  s.match_expressions = {require("tier", "In", {"a", "b"}), require("old", "DoesNotExist"),
                         require("zone", "NotIn", {"x"}), require("name", "Exists")};
  const Selector selector = compile(s);
  EXPECT_TRUE(selector.matches({{"app", "web"}, {"tier", "b"}, {"name", ""}}));
  EXPECT_TRUE(selector.matches({{"app", "web"}, {"tier", "b"}, {"name", ""}, {"zone", "y"}}));
  EXPECT_FALSE(selector.matches({{"app", "web"}, {"tier", "b"}, {"name", ""}, {"zone", "x"}}));
  EXPECT_FALSE(selector.matches({{"app", "web"}, {"tier", "c"}, {"name", ""}}));
  EXPECT_FALSE(selector.matches({{"app", "web"}, {"tier", "b"}}));
  EXPECT_FALSE(selector.matches({{"app", "web"}, {"tier", "b"}, {"name", ""}, {"old", ""}}));
  EXPECT_FALSE(selector.matches({{"tier", "b"}, {"name", ""}}));
}

TEST(Selector, prints_as_upstream_does) {
  LabelSelector s;
  s.match_labels = {{"a", "b"}};
  EXPECT_EQ(compile(s).str(), "a=b");
  s.match_labels = {};
  s.match_expressions = {require("a", "In", {"z", "b"}), require("A", "DoesNotExist"), require("c", "Exists"),
                         require("b", "NotIn", {"x"})};
  EXPECT_EQ(compile(s).str(), "!A,a in (b,z),b notin (x),c");
  EXPECT_EQ(Selector::nothing().str(), "");
  EXPECT_EQ(Selector::fromSet({{"x", "1"}, {"w", ""}}).str(), "w=,x=1");
}

TEST(Selector, says_what_is_wrong_as_upstream_does) {
  const std::string value_rule =
      "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start "
      "and "
      "end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is "
      "'(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')";
  const std::string key_rule =
      "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character "
      "(e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is "
      "'([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";
  struct Case {
    LabelSelectorRequirement requirement;
    std::string want;
  };
  const std::vector<Case> cases = {
      {require("a", "in"), "\"in\" is not a valid label selector operator"},
      {require("a", "In"), "values: Invalid value: null: for 'in', 'notin' operators, values set can't be empty"},
      {require("/x", "Exists"), "key: Invalid value: \"/x\": prefix part must be non-empty"},
      {require("a/b/c", "In"), "[key: Invalid value: \"a/b/c\": a valid label key " + key_rule +
                                   " with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName'), "
                                   "values: Invalid value: null: for "
                                   "'in', 'notin' operators, values set can't be empty]"},
      {require("", "Exists", {"a b", "<"}),
       "[key: Invalid value: \"\": name part must be non-empty; name part " + key_rule +
           ", values: Invalid value: [\"a b\",\"\\u003c\"]: values set must be empty for exists and does not exist, "
           "values[0][]: Invalid value: \"a b\": " +
           value_rule + ", values[1][]: Invalid value: \"<\": " + value_rule + "]"},
  };
  for (const Case& c : cases) {
    LabelSelector s;
    s.match_expressions = {c.requirement};
    std::string error;
    EXPECT_TRUE(Selector::from(s, &error).selectsNothing());
    EXPECT_EQ(error, c.want);
  }
  LabelSelector s;
  s.match_labels = {{"a", "-"}};
  std::string error;
  Selector::from(s, &error);
  EXPECT_EQ(error, "values[0][a]: Invalid value: \"-\": " + value_rule);
}

}  // namespace
}  // namespace podberth::api
