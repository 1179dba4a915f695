// The store, its watches, and what the scheduler's writes lead to.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "core/api/storage.h"
#include "core/apiserver/client.h"

namespace podberth::apiserver {
namespace {

using Json = nlohmann::json;

constexpr clock::Duration kLatency = 100 * clock::kMicrosecond;

Json podJson(const std::string& name) {
  return Json{{"apiVersion", "v1"},
              {"kind", "Pod"},
              {"metadata", {{"name", name}}},
              {"spec", {{"containers", Json::array({Json{{"name", "c"}, {"image", "nginx"}}})}}}};
}

class ServerTest : public ::testing::Test {
 protected:
  void SetUp() override {
    server.watch(api::Kind::kPod, nullptr, [this](const WatchEvent& event) { events.push_back(event); });
  }
  std::string create(const Json& object) {
    Admitted admitted = server.admit(object);
    return admitted.object == nullptr ? admitted.error : server.create(admitted.object);
  }
  api::PodPtr pod(const std::string& name) { return server.get<api::Pod>("default", name); }

  clock::EventLoop loop;
  scheduler::FeatureGates gates;
  trace::Recorder recorder{loop};
  Server server{loop, gates};
  Client client{server, loop, recorder, gates, kLatency};
  std::vector<WatchEvent> events;
};

TEST_F(ServerTest, CompletesAPod) {
  loop.reset(clock::kEpoch + 1500 * clock::kMillisecond);
  ASSERT_EQ(create(podJson("a")), "");
  const api::PodPtr a = pod("a");
  ASSERT_NE(a, nullptr);
  EXPECT_EQ(a->meta.uid, "pod--a-1");
  EXPECT_EQ(a->meta.creation_timestamp, clock::kEpoch + clock::kSecond);
  EXPECT_EQ(a->meta.generation, 1);
  EXPECT_EQ(a->spec.scheduler_name, "default-scheduler");
  EXPECT_EQ(a->spec.priority, 0);
  EXPECT_EQ(a->status.phase, "Pending");
  EXPECT_EQ(a->status.qos_class, "BestEffort");
  EXPECT_NE(server.get<api::Namespace>("", "default"), nullptr);
  EXPECT_EQ(create(podJson("a")), "pods \"a\" already exists");
}

TEST_F(ServerTest, StartsAPodThatHasANode) {
  Json object = podJson("a");
  object["spec"]["nodeName"] = "n";
  loop.reset(clock::kEpoch + 1);
  ASSERT_EQ(create(object), "");
  EXPECT_EQ(pod("a")->status.phase, "Running");
  EXPECT_EQ(pod("a")->status.start_time, clock::kEpoch + 1);
}

TEST_F(ServerTest, TellsWatchersInOrderAndKeepsQuietWhenNothingChanges) {
  create(podJson("a"));
  ASSERT_EQ(server.update(podJson("a")), "");
  Json labelled = podJson("a");
  labelled["metadata"]["labels"] = {{"x", "y"}};
  ASSERT_EQ(server.update(labelled), "");
  bool unknown = false;
  ASSERT_EQ(server.remove("Pod", "", "a", &unknown), "");
  EXPECT_TRUE(events.empty());
  loop.rest();
  ASSERT_EQ(events.size(), 3U);
  EXPECT_EQ(events[0].type, WatchEvent::Type::kAdded);
  EXPECT_EQ(events[1].type, WatchEvent::Type::kModified);
  EXPECT_EQ(events[2].type, WatchEvent::Type::kDeleted);
  EXPECT_EQ(events[2].object->meta.resource_version, server.resourceVersion());
  EXPECT_EQ(server.remove("Pod", "", "a", &unknown), "pods \"a\" not found");
  EXPECT_FALSE(unknown);
  server.remove("Nonsense", "", "a", &unknown);
  EXPECT_TRUE(unknown);
}

TEST_F(ServerTest, RefusesAWriteToAnOldVersion) {
  create(podJson("a"));
  auto first = std::make_shared<api::Pod>(*pod("a"));
  auto second = std::make_shared<api::Pod>(*first);
  first->meta.labels.set("x", "1");
  second->meta.labels.set("x", "2");
  EXPECT_FALSE(server.replace(first).failed);
  const scheduler::ApiError error = server.replace(second);
  EXPECT_TRUE(error.conflict);
  EXPECT_EQ(error.message,
            "Operation cannot be fulfilled on pods \"a\": the object has been modified; please apply your changes to "
            "the latest version and try again");
}

TEST_F(ServerTest, AnObjectThatStopsBeingSelectedIsToldAsDeleted) {
  std::vector<WatchEvent> seen;
  server.watch(
      api::Kind::kPod, [](const api::Object& object) { return !object.meta.labels.has(api::Symbol("gone")); },
      [&](const WatchEvent& event) { seen.push_back(event); });
  create(podJson("a"));
  Json gone = podJson("a");
  gone["metadata"]["labels"] = {{"gone", "1"}};
  server.update(gone);
  loop.rest();
  ASSERT_EQ(seen.size(), 2U);
  EXPECT_EQ(seen[1].type, WatchEvent::Type::kDeleted);
  EXPECT_FALSE(seen[1].object->meta.labels.has(api::Symbol("gone")));
}

TEST_F(ServerTest, BindingTakesItsTimeThenThePodStarts) {
  create(podJson("a"));
  scheduler::ApiError result;
  int calls = 0;
  const auto done = [&](const scheduler::ApiError& error) {
    result = error;
    ++calls;
  };
  client.bindPod(*pod("a"), "n", done);
  loop.rest();
  EXPECT_EQ(calls, 0);
  loop.sleep(clock::kMillisecond);
  EXPECT_EQ(calls, 1);
  EXPECT_FALSE(result.failed);
  EXPECT_EQ(pod("a")->spec.node_name, "n");
  EXPECT_TRUE(pod("a")->status.start_time.has_value());
  EXPECT_EQ(pod("a")->status.condition("PodScheduled")->status, "True");
  ASSERT_EQ(recorder.entries().size(), 1U);
  EXPECT_EQ(recorder.entries()[0].type, trace::Type::kBind);
  client.bindPod(*pod("a"), "m", done);
  loop.sleep(clock::kMillisecond);
  EXPECT_EQ(result.message,
            "Operation cannot be fulfilled on pods/binding \"a\": pod a is already assigned to node \"n\"");
}

TEST_F(ServerTest, PatchesOnlyWhatDiffers) {
  create(podJson("a"));
  const api::PodPtr old = pod("a");
  api::PodCondition condition;
  condition.type = "PodScheduled";
  condition.status = "False";
  condition.reason = "Unschedulable";
  condition.message = "no";
  int calls = 0;
  const auto done = [&](const scheduler::ApiError&) { ++calls; };
  client.patchPodStatus(*old, condition, std::string("n"), done);
  loop.sleep(clock::kMillisecond);
  EXPECT_EQ(pod("a")->status.nominated_node_name, "n");
  EXPECT_EQ(pod("a")->status.condition("PodScheduled")->message, "no");
  const std::int64_t version = server.resourceVersion();
  client.patchPodStatus(*pod("a"), condition, std::nullopt, done);  // changes nothing: done at once
  EXPECT_EQ(calls, 2);
  loop.sleep(clock::kMillisecond);
  EXPECT_EQ(server.resourceVersion(), version);
}

TEST_F(ServerTest, APatchOfAPodThatIsGoneIsNotFoundAndSoIsItsEviction) {
  create(podJson("a"));
  const api::PodPtr old = pod("a");
  server.erase(api::Kind::kPod, "default", "a");
  std::vector<std::string> said;
  const auto done = [&](const scheduler::ApiError& error) { said.push_back(error.message); };
  client.patchPodStatus(*old, std::nullopt, std::string("n"), done);
  client.deletePod(*old, done);
  loop.sleep(clock::kMillisecond);
  const std::vector<std::string> expected = {"pods \"a\" not found", "pods \"a\" not found"};
  EXPECT_EQ(said, expected);
  ASSERT_EQ(recorder.entries().size(), 1U);
  EXPECT_EQ(recorder.entries()[0].type, trace::Type::kEvict);
}

TEST_F(ServerTest, AClaimWithASelectedNodeGetsAVolumeThere) {
  Json claim = {{"apiVersion", "v1"},
                {"kind", "PersistentVolumeClaim"},
                {"metadata", {{"name", "c"}}},
                {"spec",
                 {{"accessModes", {"ReadWriteOnce"}},
                  {"storageClassName", "fast"},
                  {"resources", {{"requests", {{"storage", "1Gi"}}}}}}}};
  ASSERT_EQ(create(claim), "");
  api::PersistentVolumeClaim wanted = *server.get<api::PersistentVolumeClaim>("default", "c");
  wanted.meta.annotations["volume.kubernetes.io/selected-node"] = "n";
  api::PersistentVolumeClaimPtr updated;
  ASSERT_FALSE(client.updatePersistentVolumeClaim(wanted, &updated).failed);
  EXPECT_EQ(updated->spec.volume_name, "pvc-default-c");
  EXPECT_EQ(updated->phase, "Bound");
  const auto volume = server.get<api::PersistentVolume>("", "pvc-default-c");
  ASSERT_NE(volume, nullptr);
  EXPECT_EQ(volume->storage_class_name, "fast");
  EXPECT_EQ(volume->node_affinity->terms[0].match_expressions[0].values[0], "n");
  EXPECT_EQ(recorder.entries()[0].type, trace::Type::kProvision);
}

TEST_F(ServerTest, AVolumeGivenToAClaimIsBoundToIt) {
  ASSERT_EQ(create({{"apiVersion", "v1"}, {"kind", "PersistentVolumeClaim"}, {"metadata", {{"name", "c"}}}}), "");
  ASSERT_EQ(create({{"apiVersion", "v1"}, {"kind", "PersistentVolume"}, {"metadata", {{"name", "v"}}}}), "");
  api::PersistentVolume wanted = *server.get<api::PersistentVolume>("", "v");
  wanted.claim_ref.emplace();
  wanted.claim_ref->ns = "default";
  wanted.claim_ref->name = "c";
  api::PersistentVolumePtr updated;
  ASSERT_FALSE(client.updatePersistentVolume(wanted, &updated).failed);
  EXPECT_EQ(updated->phase, "Bound");
  EXPECT_EQ(server.get<api::PersistentVolumeClaim>("default", "c")->spec.volume_name, "v");
  EXPECT_EQ(recorder.entries()[0].type, trace::Type::kBindVolume);
}

TEST_F(ServerTest, KeysOfLabelsAreMergedIntoSelectors) {
  Json object = podJson("a");
  object["metadata"]["labels"] = {{"app", "web"}};
  object["spec"]["topologySpreadConstraints"] = Json::array({Json{{"maxSkew", 1},
                                                                  {"topologyKey", "zone"},
                                                                  {"whenUnsatisfiable", "DoNotSchedule"},
                                                                  {"labelSelector", Json::object()},
                                                                  {"matchLabelKeys", {"app", "none"}}}});
  ASSERT_EQ(create(object), "");
  const auto& selector = pod("a")->spec.topology_spread_constraints[0].label_selector;
  ASSERT_EQ(selector->match_expressions.size(), 1U);
  EXPECT_EQ(selector->match_expressions[0].key, "app");
  EXPECT_EQ(selector->match_expressions[0].values[0], "web");
  EXPECT_EQ(server.update(object), "");  // the merged form is what the pod has
}

TEST_F(ServerTest, PriorityComesFromTheClassOrTheDefaultClass) {
  const auto priorityClass = [](const char* name, int value, bool is_default) {
    return Json{{"apiVersion", "scheduling.k8s.io/v1"},
                {"kind", "PriorityClass"},
                {"metadata", {{"name", name}}},
                {"value", value},
                {"globalDefault", is_default}};
  };
  create(priorityClass("high", 100, false));
  create(priorityClass("d1", 20, true));
  create(priorityClass("d2", 10, true));
  Json named = podJson("a");
  named["spec"]["priorityClassName"] = "high";
  create(named);
  create(podJson("b"));
  EXPECT_EQ(pod("a")->spec.priority, 100);
  EXPECT_EQ(pod("b")->spec.priority, 10);
  EXPECT_EQ(pod("b")->spec.priority_class_name, "d2");
  named["metadata"]["name"] = "c";
  named["spec"]["priorityClassName"] = "nope";
  EXPECT_EQ(create(named), "pods \"c\" is forbidden: no PriorityClass with name nope was found");
}

TEST_F(ServerTest, ProblemsAreToldAtTheirPlaces) {
  Json object = podJson("a");
  object["spec"]["containers"][0].erase("image");
  object["spec"]["tolerations"] = Json::array({Json{{"key", "a"}, {"operator", "Foo"}}});
  const Admitted admitted = server.admit(object);
  EXPECT_EQ(admitted.object, nullptr);
  std::vector<std::string> paths;
  for (const api::Issue& issue : admitted.issues) {
    if (issue.severity == api::Issue::Severity::kError) paths.push_back(issue.path);
  }
  const std::vector<std::string> expected = {"/spec/containers/0/image", "/spec/tolerations/0/operator"};
  EXPECT_EQ(paths, expected);
}

}  // namespace
}  // namespace podberth::apiserver
