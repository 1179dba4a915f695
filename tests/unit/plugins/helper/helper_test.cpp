#include <gtest/gtest.h>

#include "core/scheduler/plugins/helper/normalize_score.h"
#include "core/scheduler/plugins/helper/resource_names.h"
#include "core/scheduler/plugins/helper/shape_score.h"
#include "core/scheduler/plugins/helper/sign.h"
#include "tests/unit/support/builders.h"

namespace podberth::scheduler::plugins {
namespace {

using testkit::fieldTerm;
using testkit::labelTerm;
using testkit::makePod;

TEST(NormalizeScore, Tables) {
  struct Case {
    const char* sentence;
    bool reverse;
    std::vector<std::int64_t> scores;
    std::vector<std::int64_t> expected;
  };
  const Case cases[] = {
      {"in proportion to the highest, cut", false, {1, 2, 3, 4}, {25, 50, 75, 100}},
      {"turned round", true, {1, 2, 3, 4}, {75, 50, 25, 0}},
      {"three parts are cut", false, {1, 2, 3}, {33, 66, 100}},
      {"and turned after they are cut", true, {1, 2, 3}, {67, 34, 0}},
      {"all zero stay zero", false, {0, 0}, {0, 0}},
      {"all zero turned are all best", true, {0, 0}, {100, 100}},
      {"below zero counts as no highest", true, {-5, 0}, {100, 100}},
      {"nobody", false, {}, {}},
  };
  for (const Case& c : cases) {
    std::vector<NodeScore> scores;
    for (const std::int64_t s : c.scores) scores.push_back(NodeScore{nullptr, s});
    defaultNormalizeScore(100, c.reverse, scores);
    std::vector<std::int64_t> out;
    for (const NodeScore& s : scores) out.push_back(s.score);
    EXPECT_EQ(out, c.expected) << c.sentence;
  }
}

TEST(ShapeScore, BrokenLine) {
  const FunctionShape shape = {{1, 1}, {4, 10}};
  const std::int64_t expected[] = {1, 1, 4, 7, 10, 10};
  for (std::int64_t p = 0; p < 6; ++p) EXPECT_EQ(brokenLinear(shape, p), expected[p]) << p;
  const FunctionShape falling = {{0, 100}, {3, 0}};
  EXPECT_EQ(brokenLinear(falling, 1), 67) << "the division cuts towards zero";
  EXPECT_EQ(scaledShape({{50, 7}}).at(0).score, 70);
}

TEST(ResourceNames, Kinds) {
  struct Case {
    const char* name;
    bool scalar;
    bool extended;
  };
  const Case cases[] = {{"cpu", false, false},
                        {"pods", false, false},
                        {"made-up", false, false},
                        {"example.com/gpu", true, true},
                        {"hugepages-2Mi", true, false},
                        {"attachable-volumes-x", true, false},
                        {"kubernetes.io/thing", true, false},
                        {"requests.example.com/x", false, false},
                        {"bad name/x", false, false}};
  for (const Case& c : cases) {
    EXPECT_EQ(isScalarResource(api::Symbol(c.name)), c.scalar) << c.name;
    EXPECT_EQ(isExtendedResource(api::Symbol(c.name)), c.extended) << c.name;
  }
}

TEST(Sign, OrderDoesNotMatter) {
  EXPECT_EQ(sign::tolerations(*makePod("a").tolerate("x", "Exists").tolerate("b", "Exists").obj()),
            sign::tolerations(*makePod("a").tolerate("b", "Exists").tolerate("x", "Exists").obj()));
  EXPECT_EQ(sign::hostPorts(*makePod("a").hostPort(2).hostPort(1).obj()),
            sign::hostPorts(*makePod("a").hostPort(1).init().hostPort(2, "UDP").obj()));
  EXPECT_EQ(sign::nodeAffinity(
                *makePod("a").requireNode({labelTerm("x", "In", {"1", "2"}), fieldTerm("y", "In", {"3"})}).obj()),
            sign::nodeAffinity(
                *makePod("a").requireNode({fieldTerm("y", "In", {"3"}), labelTerm("x", "In", {"2", "1"})}).obj()));
}

TEST(Sign, WhatDiffersDiffers) {
  EXPECT_NE(sign::nodeAffinity(*makePod("a").obj()), sign::nodeAffinity(*makePod("a").requireNode({}).obj()));
  EXPECT_NE(sign::nodeAffinity(*makePod("a").requireNode({labelTerm("x", "In", {"1"})}).obj()),
            sign::nodeAffinity(*makePod("a").requireNode({fieldTerm("x", "In", {"1"})}).obj()));
  EXPECT_NE(sign::nodeAffinity(*makePod("a").preferNode(1, labelTerm("x", "Exists")).obj()),
            sign::nodeAffinity(*makePod("a").preferNode(2, labelTerm("x", "Exists")).obj()));
  EXPECT_NE(sign::nodeSelector(*makePod("a").nodeSelector("ab", "c").obj()),
            sign::nodeSelector(*makePod("a").nodeSelector("a", "bc").obj()));
  EXPECT_NE(sign::tolerations(*makePod("a").tolerate("x", "Exists", "", "NoSchedule").obj()),
            sign::tolerations(*makePod("a").tolerate("x", "Exists").obj()));
  EXPECT_NE(sign::hostPorts(*makePod("a").hostPort(1).hostPort(2).obj()),
            sign::hostPorts(*makePod("a").hostPort(12).obj()));
}

}  // namespace
}  // namespace podberth::scheduler::plugins
