// What the API server says of workloads when controllers look after them.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "core/api/workload.h"
#include "core/apiserver/server.h"

namespace podberth::apiserver {
namespace {

using Json = nlohmann::json;

// A sound workload of a kind.
Json workload(const std::string& kind) {
  Json pod_spec{{"containers", Json::array({Json{{"name", "c"}, {"image", "i"}}})}};
  if (kind == "Job") pod_spec["restartPolicy"] = "Never";
  Json spec{{"template", {{"metadata", {{"labels", {{"app", "w"}}}}}, {"spec", pod_spec}}}};
  if (kind != "Job") spec["selector"] = {{"matchLabels", {{"app", "w"}}}};
  return Json{{"apiVersion", kind == "Job" ? "batch/v1" : "apps/v1"},
              {"kind", kind},
              {"metadata", {{"name", "w"}}},
              {"spec", spec}};
}

class Workloads : public ::testing::Test {
 protected:
  void SetUp() override { server.admitWorkloads(); }
  std::string create(const Json& object) {
    Admitted admitted = server.admit(object);
    return admitted.object == nullptr ? admitted.error : server.create(admitted.object);
  }
  clock::EventLoop loop;
  scheduler::FeatureGates gates;
  Server server{loop, gates};
};

struct Refused {
  const char* name;
  const char* kind;
  const char* patch;  // a JSON merge patch
  const char* error;  // without `Kind "w" is invalid: `; "" = admitted
};

class RefusedTest : public Workloads, public ::testing::WithParamInterface<Refused> {};

TEST_P(RefusedTest, OnCreate) {
  const Refused& c = GetParam();
  Json object = workload(c.kind);
  object.merge_patch(Json::parse(c.patch));
  const std::string error = create(object);
  EXPECT_EQ(error, *c.error == 0 ? "" : std::string(c.kind) + " \"w\" is invalid: " + c.error);
}

constexpr const char* kMismatch =
    R"(spec.template.metadata.labels: Invalid value: {"app":"w"}: `selector` does not match template `labels`)";

INSTANTIATE_TEST_SUITE_P(
    Create, RefusedTest,
    ::testing::Values(
        Refused{"a_sound_ReplicaSet", "ReplicaSet", "{}", ""}, Refused{"a_sound_Deployment", "Deployment", "{}", ""},
        Refused{"a_sound_StatefulSet", "StatefulSet", "{}", ""}, Refused{"a_sound_DaemonSet", "DaemonSet", "{}", ""},
        Refused{"a_sound_Job", "Job", "{}", ""},
        Refused{"a_selector_that_selects_others", "Deployment", R"({"spec":{"selector":{"matchLabels":{"app":"x"}}}})",
                kMismatch},
        Refused{"the_same_of_a_DaemonSet", "DaemonSet", R"({"spec":{"selector":{"matchLabels":{"app":"x"}}}})",
                kMismatch},
        Refused{"no_selector", "ReplicaSet", R"({"spec":{"selector":null}})",
                R"([spec.selector: Required value, spec.template.metadata.labels: Invalid value: {"app":"w"}: )"
                "`selector` does not match template `labels`]"},
        Refused{"an_empty_selector", "StatefulSet", R"({"spec":{"selector":{"matchLabels":null}}})",
                "spec.selector: Invalid value: {}: empty selector is invalid for statefulset"},
        Refused{"negative_replicas", "ReplicaSet", R"({"spec":{"replicas":-1}})",
                "spec.replicas: Invalid value: -1: must be greater than or equal to 0"},
        Refused{"a_template_without_containers", "Deployment", R"({"spec":{"template":{"spec":{"containers":null}}}})",
                "spec.template.spec.containers: Required value"},
        Refused{"a_bad_label_in_the_template", "Deployment",
                R"({"spec":{"template":{"metadata":{"labels":{"b":"-"}}}}})",
                "spec.template.labels: Invalid value: \"-\": a valid label must be an empty string or consist of "
                "alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. "
                "'MyValue',  or 'my_value',  or '12345', regex used for validation is "
                "'(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')"},
        Refused{"pods_that_are_not_restarted", "DaemonSet",
                R"({"spec":{"template":{"spec":{"restartPolicy":"Never"}}}})",
                R"(spec.template.spec.restartPolicy: Unsupported value: "Never": supported values: "Always")"},
        Refused{"pods_with_a_deadline", "ReplicaSet", R"({"spec":{"template":{"spec":{"activeDeadlineSeconds":5}}}})",
                "spec.template.spec.activeDeadlineSeconds: Forbidden: activeDeadlineSeconds in ReplicaSet is not "
                "Supported"},
        Refused{"an_unknown_strategy", "Deployment", R"({"spec":{"strategy":{"type":"Jump"}}})",
                R"(spec.strategy: Unsupported value: {"Type":"Jump","RollingUpdate":null}: supported values: )"
                R"("Recreate", "RollingUpdate")"},
        Refused{"a_rollout_that_may_do_nothing", "Deployment",
                R"({"spec":{"strategy":{"rollingUpdate":{"maxSurge":0,"maxUnavailable":"0%"}}}})",
                "spec.strategy.rollingUpdate.maxUnavailable: Invalid value: \"0%\": may not be 0 when `maxSurge` is 0"},
        Refused{"more_than_all_missing", "Deployment",
                R"({"spec":{"strategy":{"rollingUpdate":{"maxUnavailable":"101%"}}}})",
                "spec.strategy.rollingUpdate.maxUnavailable: Invalid value: \"101%\": must not be greater than 100%"},
        Refused{"no_percentage", "Deployment", R"({"spec":{"strategy":{"rollingUpdate":{"maxSurge":"many"}}}})",
                "spec.strategy.rollingUpdate.maxSurge: Invalid value: \"many\": a valid percent string must be a "
                "numeric string followed by an ending '%' (e.g. '1%',  or '93%', regex used for validation is "
                "'[0-9]+%')"},
        Refused{"a_Recreate_with_a_rollout", "Deployment",
                R"({"spec":{"strategy":{"type":"Recreate","rollingUpdate":{"maxSurge":1}}}})",
                "spec.strategy.rollingUpdate: Forbidden: may not be specified when strategy `type` is 'Recreate'"},
        Refused{"an_unknown_order", "StatefulSet", R"({"spec":{"podManagementPolicy":"Random"}})",
                "spec.podManagementPolicy: Invalid value: \"Random\": must be 'OrderedReady' or 'Parallel'"},
        Refused{
            "a_claim_template_without_a_size", "StatefulSet",
            R"({"spec":{"volumeClaimTemplates":[{"metadata":{"name":"d"},"spec":{"accessModes":["ReadWriteOnce"]}}]}})",
            "spec.volumeClaimTemplates[0].spec.resources[storage]: Required value"},
        Refused{"surge_and_missing_at_once", "DaemonSet",
                R"({"spec":{"updateStrategy":{"rollingUpdate":{"maxSurge":1,"maxUnavailable":1}}}})",
                "spec.updateStrategy.rollingUpdate.maxSurge: Invalid value: 1: may not be set when maxUnavailable is "
                "non-zero"},
        Refused{"a_Job_that_is_always_restarted", "Job", R"({"spec":{"template":{"spec":{"restartPolicy":"Always"}}}})",
                R"(spec.template.spec.restartPolicy: Required value: valid values: "OnFailure", "Never")"},
        Refused{"an_indexed_Job_without_completions", "Job", R"({"spec":{"completionMode":"Indexed"}})",
                "spec.completions: Required value: when completion mode is Indexed"},
        Refused{"negative_parallelism", "Job", R"({"spec":{"parallelism":-2}})",
                "spec.parallelism: Invalid value: -2: must be greater than or equal to 0"}),
    [](const ::testing::TestParamInfo<Refused>& tested) { return tested.param.name; });

TEST_F(Workloads, MayNotHaveEveryName) {
  Json object = workload("StatefulSet");
  object["metadata"]["name"] = "w.w";
  EXPECT_EQ(create(object).rfind("StatefulSet \"w.w\" is invalid: metadata.name: Invalid value: \"w.w\": must not "
                                 "contain dots",
                                 0),
            0U)
      << create(object);
  object = workload("ReplicaSet");
  object["metadata"]["name"] = "w.w";
  EXPECT_EQ(create(object), "");
}

TEST_F(Workloads, AJobMayNotClaimTheLabelsOfAnother) {
  Json object = workload("Job");
  object["spec"]["template"]["metadata"]["labels"]["job-name"] = "x";
  const std::string error = create(object);
  EXPECT_NE(error.find("spec.template.metadata.labels[job-name]: Invalid value: "), std::string::npos) << error;
  EXPECT_NE(error.find("must be 'w'"), std::string::npos) << error;
}

TEST_F(Workloads, AreStoredUncheckedWhenNobodyLooksAfterThem) {
  Server other(loop, gates);
  Json object = workload("Deployment");
  object["spec"]["replicas"] = -1;
  Admitted admitted = other.admit(object);
  EXPECT_EQ(admitted.error, "");
  EXPECT_NE(admitted.object, nullptr);
}

struct Changed {
  const char* name;
  const char* kind;
  const char* patch;
  const char* error;
};
class ChangedTest : public Workloads, public ::testing::WithParamInterface<Changed> {};

TEST_P(ChangedTest, OnUpdate) {
  const Changed& c = GetParam();
  Json object = workload(c.kind);
  ASSERT_EQ(create(object), "");
  object.merge_patch(Json::parse(c.patch));
  EXPECT_EQ(server.update(object), *c.error == 0 ? "" : std::string(c.kind) + " \"w\" is invalid: " + c.error);
}

constexpr const char* kBoth =
    R"({"spec":{"selector":{"matchLabels":{"b":"c"}},"template":{"metadata":{"labels":{"b":"c"}}}}})";
constexpr const char* kKept =
    R"(spec.selector: Invalid value: {"matchLabels":{"app":"w","b":"c"}}: field is immutable)";

INSTANTIATE_TEST_SUITE_P(
    Update, ChangedTest,
    ::testing::Values(Changed{"more_replicas_are_welcome", "Deployment", R"({"spec":{"replicas":7}})", ""},
                      Changed{"a_Deployment_keeps_its_selector", "Deployment", kBoth, kKept},
                      Changed{"a_ReplicaSet_keeps_its_selector", "ReplicaSet", kBoth, kKept},
                      Changed{"a_DaemonSet_keeps_its_selector", "DaemonSet", kBoth, kKept},
                      Changed{"a_StatefulSet_keeps_its_selector", "StatefulSet", kBoth, kKept},
                      Changed{"a_StatefulSet_keeps_its_service", "StatefulSet", R"({"spec":{"serviceName":"s"}})",
                              "spec.serviceName: Invalid value: \"s\": field is immutable"},
                      Changed{"a_StatefulSet_keeps_its_order", "StatefulSet",
                              R"({"spec":{"podManagementPolicy":"Parallel"}})",
                              "spec.podManagementPolicy: Invalid value: \"Parallel\": field is immutable"},
                      Changed{"a_Job_need_not_say_what_was_generated", "Job", R"({"spec":{"parallelism":3}})", ""},
                      Changed{"a_Job_keeps_its_completions", "Job", R"({"spec":{"completions":3}})",
                              "spec.completions: Invalid value: 3: field is immutable"}),
    [](const ::testing::TestParamInfo<Changed>& tested) { return tested.param.name; });

TEST_F(Workloads, AJobSelectsThePodsThatCarryItsUid) {
  ASSERT_EQ(create(workload("Job")), "");
  const auto job = server.get<api::Job>("default", "w");
  ASSERT_TRUE(job->selector);
  const api::Symbol* uid = job->selector->match_labels.find(api::Symbol("batch.kubernetes.io/controller-uid"));
  ASSERT_NE(uid, nullptr);
  EXPECT_EQ(uid->str(), job->meta.uid);
  EXPECT_NE(job->spec_rest.find("\"job-name\":\"w\""), std::string::npos) << job->spec_rest;
}

}  // namespace
}  // namespace podberth::apiserver
