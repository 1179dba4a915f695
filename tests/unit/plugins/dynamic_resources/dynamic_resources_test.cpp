#include "core/scheduler/plugins/dynamic_resources/dynamic_resources.h"

#include <gtest/gtest.h>

#include "tests/unit/support/plugin_cluster.h"
#include "tests/unit/support/plugin_run.h"

namespace podberth::scheduler::plugins {
namespace {

using testkit::makeNode;
using testkit::makePod;

std::shared_ptr<api::OtherObject> claim(std::string name, std::string rest) {
  auto c = std::make_shared<api::OtherObject>();
  c->kind_name = "ResourceClaim";
  c->meta.ns = "default";
  c->meta.uid = "uid-" + name;
  c->meta.name = std::move(name);
  c->rest = std::move(rest);
  return c;
}

// A pod with one entry of spec.resourceClaims.
testkit::PodBuilder claiming(const std::string& entry, const std::string& status = {}) {
  auto pod = makePod("p");
  pod.raw().spec.resource_claims.push_back("dev");
  pod.raw().spec.rest = "{\"resourceClaims\":[" + entry + "]}";
  pod.raw().status.rest = status;
  return pod;
}
testkit::PodBuilder claimingC() { return claiming(R"({"name":"dev","resourceClaimName":"c"})"); }

constexpr const char* kAllocated = R"({"spec":{},"status":{"allocation":{}}})";

TEST(DynamicResources, PodsWithoutClaims) {
  testkit::ClusterHandle cluster;
  DynamicResources plugin(cluster);
  CycleState state;
  PreFilterResult narrowed;
  PostFilterResult nominated;
  const auto pod = makePod("p").info();
  EXPECT_EQ(testkit::text(plugin.preEnqueue(*pod->pod)), "Success");
  EXPECT_EQ(testkit::text(plugin.preFilter(state, *pod, {}, narrowed)), "Skip");
  std::int64_t score = 7;
  EXPECT_EQ(testkit::text(plugin.score(state, *pod, makeNode("n").info(), score)), "Success");
  EXPECT_EQ(score, 0);
  EXPECT_EQ(testkit::text(plugin.postFilter(state, *pod, NodeToStatus(), nominated)), "Unschedulable");
  EXPECT_EQ(testkit::text(plugin.reserve(state, pod->pod, "n")), "Success");
  EXPECT_EQ(testkit::text(plugin.preBindPreFlight(state, pod->pod, "n")), "Skip");
}

TEST(DynamicResources, EverythingFailsWherePreFilterDidNotRun) {
  testkit::ClusterHandle cluster;
  DynamicResources plugin(cluster);
  CycleState state;
  PostFilterResult nominated;
  std::int64_t score = 0;
  const auto pod = makePod("p").info();
  EXPECT_EQ(testkit::text(plugin.filter(state, *pod, makeNode("n").info())), "Error: not found");
  EXPECT_EQ(testkit::text(plugin.postFilter(state, *pod, NodeToStatus(), nominated)), "Error: not found");
  EXPECT_EQ(testkit::text(plugin.score(state, *pod, makeNode("n").info(), score)), "Error: not found");
  EXPECT_EQ(testkit::text(plugin.reserve(state, pod->pod, "n")), "Error: not found");
  EXPECT_EQ(testkit::text(plugin.preBindPreFlight(state, pod->pod, "n")), "Error: not found");
}

TEST(DynamicResources, APodWaitsForItsClaims) {
  testkit::ClusterHandle cluster;
  DynamicResources plugin(cluster);
  const std::string no = "UnschedulableAndUnresolvable: ";
  EXPECT_EQ(testkit::text(plugin.preEnqueue(*claimingC().obj())), no + "could not find ResourceClaim \"default/c\"");
  const auto going = claim("c", "{}");
  going->meta.deletion_timestamp = clock::kEpoch;
  cluster.resource_claims.put(going);
  EXPECT_EQ(testkit::text(plugin.preEnqueue(*claimingC().obj())), no + "resourceclaim \"c\" is being deleted");
  cluster.resource_claims.put(claim("c", "{}"));
  EXPECT_EQ(testkit::text(plugin.preEnqueue(*claimingC().obj())), "Success");
  EXPECT_EQ(testkit::text(plugin.preEnqueue(*claiming(R"({"name":"dev"})").obj())),
            no + "pod \"default/p\", spec.resourceClaim \"dev\": none of the supported fields are set");
}

TEST(DynamicResources, ClaimsOutOfATemplate) {
  testkit::ClusterHandle cluster;
  DynamicResources plugin(cluster);
  const std::string no = "UnschedulableAndUnresolvable: ";
  const char* const entry = R"({"name":"dev","resourceClaimTemplateName":"t"})";
  EXPECT_EQ(testkit::text(plugin.preEnqueue(*claiming(entry).obj())),
            no + "pod \"default/p\": ResourceClaim not created yet");
  EXPECT_EQ(testkit::text(plugin.preEnqueue(*claiming(entry, R"({"resourceClaimStatuses":[{"name":"dev"}]})").obj())),
            "Success")
      << "none is needed";
  const auto made = claiming(entry, R"({"resourceClaimStatuses":[{"name":"dev","resourceClaimName":"made"}]})");
  const auto own = claim("made", "{}");
  cluster.resource_claims.put(own);
  EXPECT_EQ(testkit::text(plugin.preEnqueue(*made.obj())),
            no + "ResourceClaim default/made was not created for Pod default/p (Pod is not owner)");
  own->meta.owner_references.emplace_back();
  own->meta.owner_references.back().uid = "uid-p";
  own->meta.owner_references.back().controller = true;
  EXPECT_EQ(testkit::text(plugin.preEnqueue(*made.obj())), "Success");
}

TEST(DynamicResources, AllocatedClaimsAreTakenAsTheyAreAndOthersAreNotSimulated) {
  testkit::ClusterHandle cluster;
  DynamicResources plugin(cluster);
  const std::string error =
      "PreFilter Error: spec.resourceClaims: the allocation of resource claims is not simulated yet";
  const std::pair<const char*, std::string> cases[] = {
      {kAllocated, "Success"},
      {R"({"status":{"allocation":{"devices":{"results":[{"driver":"d"}]}}}})", "Success"},
      {R"({"spec":{"devices":{}}})", error},
      {R"({"status":{"allocation":{"nodeSelector":{"nodeSelectorTerms":[]}}}})", error},
      {R"({"status":{"allocation":{"devices":{"results":[{"bindingConditions":["x"]}]}}}})", error},
  };
  for (const auto& [rest, expected] : cases) {
    cluster.resource_claims.put(claim("c", rest));
    EXPECT_EQ(testkit::filterText(plugin, claimingC().info(), makeNode("n").info()), expected) << rest;
  }
  bool signable = true;
  plugin.sign(*claimingC().obj(), signable);
  EXPECT_FALSE(signable);
  plugin.sign(*makePod("q").obj(), signable);
  EXPECT_TRUE(signable);
}

TEST(DynamicResources, PodsWithClaimsGoThroughPreBind) {
  testkit::ClusterHandle cluster;
  cluster.resource_claims.put(claim("c", kAllocated));
  DynamicResources plugin(cluster);
  CycleState state;
  PreFilterResult narrowed;
  const auto pod = claimingC().info();
  ASSERT_EQ(testkit::text(plugin.preFilter(state, *pod, {}, narrowed)), "Success");
  EXPECT_EQ(testkit::text(plugin.preBindPreFlight(state, pod->pod, "n")), "Success");
}

TEST(DynamicResources, Hints) {
  testkit::ClusterHandle cluster;
  DynamicResources plugin(cluster);
  const auto hint = [&](std::int64_t action, const api::Object* before, const api::Object* now) {
    return testkit::hintText(plugin, EventResource::kResourceClaim, action, claimingC().obj(), before, now);
  };
  const auto plain = claim("c", "{}");
  const auto allocated = claim("c", kAllocated);
  const auto other = claim("other", "{}");
  EXPECT_EQ(hint(action::kAdd, nullptr, other.get()), "Skip") << "the pod's own is still missing";
  cluster.resource_claims.put(plain);
  EXPECT_EQ(hint(action::kAdd, nullptr, plain.get()), "Queue");
  EXPECT_EQ(hint(action::kAdd, nullptr, other.get()), "Skip");
  EXPECT_EQ(hint(action::kUpdate, plain.get(), plain.get()), "Skip") << "the same status";
  EXPECT_EQ(hint(action::kUpdate, plain.get(), allocated.get()), "Queue");
  EXPECT_EQ(hint(action::kUpdate, claim("other", kAllocated).get(), other.get()), "Queue") << "devices given back";
  EXPECT_EQ(hint(action::kDelete, plain.get(), nullptr), "Skip");
  EXPECT_EQ(hint(action::kDelete, allocated.get(), nullptr), "Queue");
}

}  // namespace
}  // namespace podberth::scheduler::plugins
