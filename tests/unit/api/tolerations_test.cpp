#include "core/api/tolerations.h"

#include <gtest/gtest.h>

namespace podberth::api {
namespace {

Toleration toleration(const char* key, const char* op, const char* value, const char* effect) {
  Toleration t;
  t.key = key;
  t.op = op;
  t.value = value;
  t.effect = effect;
  return t;
}

Taint taint(const char* key, const char* value, const char* effect) {
  Taint t;
  t.key = key;
  t.value = value;
  t.effect = effect;
  return t;
}

TEST(Tolerations, key_value_and_effect_must_fit) {
  struct Case {
    const char* name;
    Toleration toleration;
    Taint taint;
    bool want;
  };
  const std::vector<Case> cases = {
      {"equal", toleration("k", "Equal", "v", "NoSchedule"), taint("k", "v", "NoSchedule"), true},
      {"no operator means equal", toleration("k", "", "v", "NoSchedule"), taint("k", "v", "NoSchedule"), true},
      {"another value", toleration("k", "Equal", "w", "NoSchedule"), taint("k", "v", "NoSchedule"), false},
      {"another effect", toleration("k", "Equal", "v", "NoExecute"), taint("k", "v", "NoSchedule"), false},
      {"another key", toleration("x", "Equal", "v", "NoSchedule"), taint("k", "v", "NoSchedule"), false},
      {"exists takes any value", toleration("k", "Exists", "", "NoSchedule"), taint("k", "v", "NoSchedule"), true},
      {"no effect means all", toleration("k", "Exists", "", ""), taint("k", "v", "NoExecute"), true},
      {"no key means all", toleration("", "Exists", "", ""), taint("k", "v", "NoExecute"), true},
      {"an unknown operator tolerates nothing", toleration("k", "Foo", "v", ""), taint("k", "v", "NoExecute"), false},
      {"Lt is behind a gate", toleration("k", "Lt", "10", ""), taint("k", "5", "NoSchedule"), false},
  };
  for (const Case& c : cases) EXPECT_EQ(tolerates(c.toleration, c.taint), c.want) << c.name;
}

TEST(Tolerations, with_the_gate_integers_are_compared) {
  EXPECT_TRUE(tolerates(toleration("k", "Lt", "10", ""), taint("k", "5", "NoSchedule"), true));
  EXPECT_FALSE(tolerates(toleration("k", "Lt", "10", ""), taint("k", "10", "NoSchedule"), true));
  EXPECT_TRUE(tolerates(toleration("k", "Gt", "-3", ""), taint("k", "0", "NoSchedule"), true));
  EXPECT_FALSE(tolerates(toleration("k", "Gt", "01", ""), taint("k", "5", "NoSchedule"), true));
  EXPECT_FALSE(tolerates(toleration("k", "Gt", "x", ""), taint("k", "5", "NoSchedule"), true));
}

TEST(Tolerations, the_first_taint_that_is_not_tolerated_is_found) {
  const std::vector<Taint> taints = {taint("soft", "", "PreferNoSchedule"), taint("a", "", "NoSchedule"),
                                     taint("b", "", "NoExecute")};
  EXPECT_EQ(findUntoleratedHardTaint(taints, {})->key, "a");
  EXPECT_EQ(findUntoleratedHardTaint(taints, {toleration("a", "Exists", "", "")})->key, "b");
  EXPECT_EQ(findUntoleratedHardTaint(taints, {toleration("", "Exists", "", "")}), nullptr);
  EXPECT_EQ(findMatchingUntoleratedTaint(taints, {}, [](const Taint&) { return true; })->key, "soft");
}

TEST(Taint, prints_as_upstream_does) {
  EXPECT_EQ(taint("k", "v", "NoSchedule").str(), "k=v:NoSchedule");
  EXPECT_EQ(taint("k", "", "NoSchedule").str(), "k:NoSchedule");
  EXPECT_EQ(taint("k", "v", "").str(), "k=v:");
  EXPECT_EQ(taint("k", "", "").str(), "k");
}

}  // namespace
}  // namespace podberth::api
