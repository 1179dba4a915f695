// What becomes of workloads: which pods there are, what they are called, and what happens when some of them go.
#include "core/apiserver/controllers/controllers.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "core/api/storage.h"
#include "core/api/workload.h"
#include "core/apiserver/workload.h"

namespace podberth::apiserver {
namespace {

using Json = nlohmann::json;
using Names = std::vector<std::string>;

class ControllersTest : public ::testing::Test {
 protected:
  void SetUp() override {
    server.admitWorkloads();
    controllers.start();
  }

  std::string create(const Json& object) {
    Admitted admitted = server.admit(object);
    const std::string error = admitted.object == nullptr ? admitted.error : server.create(admitted.object);
    return error;
  }
  void mustCreate(const Json& object) { ASSERT_EQ(create(object), "") << object.dump(); }
  void mustUpdate(const Json& object) { ASSERT_EQ(server.update(object), "") << object.dump(); }
  void wait(clock::Duration d = clock::kSecond) { loop.sleep(d); }
  std::string remove(const std::string& kind, const std::string& name) {
    bool unknown = false;
    return server.remove(kind, "", name, &unknown);
  }

  std::vector<api::PodPtr> pods() const {
    std::vector<api::PodPtr> out;
    for (const api::ObjectPtr& object : server.list(api::Kind::kPod)) out.push_back(api::as<api::Pod>(object));
    return out;
  }
  Names names() const {
    Names out;
    for (const api::PodPtr& pod : pods()) out.push_back(pod->meta.name);
    return out;
  }
  // Puts a pod where the scheduler might.
  void bind(const std::string& name, const std::string& node = "n") {
    auto pod = std::make_shared<api::Pod>(*server.get<api::Pod>("default", name));
    pod->meta.resource_version = 0;
    pod->spec.node_name = node;
    ASSERT_FALSE(server.replace(std::move(pod)).failed);
  }
  void bindAll() {
    for (const api::PodPtr& pod : pods()) {
      if (!pod->assigned()) bind(pod->meta.name);
    }
  }
  void setPhase(const std::string& name, const std::string& phase) {
    auto pod = std::make_shared<api::Pod>(*server.get<api::Pod>("default", name));
    pod->meta.resource_version = 0;
    pod->status.phase = phase;
    ASSERT_FALSE(server.replace(std::move(pod)).failed);
  }
  std::string label(const api::Pod& pod, const char* key) const {
    const api::Symbol* value = pod.meta.labels.find(api::Symbol(std::string_view(key)));
    return value == nullptr ? "" : value->str();
  }
  // How many pods a ReplicaSet has, by its image.
  std::map<std::string, int> byImage() const {
    std::map<std::string, int> out;
    for (const api::PodPtr& pod : pods()) ++out[pod->spec.containers[0].image];
    return out;
  }
  std::vector<std::string> refusals() const {
    std::vector<std::string> out;
    for (const trace::Entry& entry : recorder.entries()) {
      if (!entry.rejected.empty()) out.push_back(entry.rejected);
    }
    return out;
  }

  static Json node(const std::string& name, const Json& labels = Json::object(), const Json& taints = Json::array()) {
    return Json{{"apiVersion", "v1"},
                {"kind", "Node"},
                {"metadata", {{"name", name}, {"labels", labels}}},
                {"spec", {{"taints", taints}}}};
  }
  static Json workload(const std::string& kind, const std::string& name, const Json& patch = Json::object()) {
    Json pod_spec{{"containers", Json::array({Json{{"name", "c"}, {"image", "one"}}})}};
    if (kind == "Job") pod_spec["restartPolicy"] = "Never";
    Json spec{{"template", {{"metadata", {{"labels", {{"app", name}}}}}, {"spec", pod_spec}}}};
    if (kind != "Job") spec["selector"] = {{"matchLabels", {{"app", name}}}};
    spec.merge_patch(patch);
    return Json{{"apiVersion", kind == "Job" ? "batch/v1" : "apps/v1"},
                {"kind", kind},
                {"metadata", {{"name", name}}},
                {"spec", spec}};
  }
  static Json withImage(Json object, const std::string& image) {
    object["spec"]["template"]["spec"]["containers"][0]["image"] = image;
    return object;
  }

  clock::EventLoop loop;
  scheduler::FeatureGates gates;
  trace::Recorder recorder{loop};
  Server server{loop, gates};
  Controllers controllers{server, loop, recorder, clock::kMillisecond};
};

// ---- ReplicaSets ----

TEST_F(ControllersTest, AReplicaSetMakesItsPodsAfterTheLatency) {
  mustCreate(workload("ReplicaSet", "web", {{"replicas", 3}}));
  wait(clock::kMillisecond / 2);
  EXPECT_TRUE(names().empty());
  EXPECT_GT(controllers.due(), 0);
  wait();
  EXPECT_EQ(controllers.due(), -1);
  ASSERT_EQ(names().size(), 3U);
  const auto set = server.get<api::ReplicaSet>("default", "web");
  for (const api::PodPtr& pod : pods()) {
    EXPECT_EQ(pod->meta.name.size(), std::string("web-12345").size());
    EXPECT_EQ(pod->meta.name.find_first_not_of("bcdfghjklmnpqrstvwxz2456789", 4), std::string::npos) << pod->meta.name;
    EXPECT_EQ(pod->meta.generate_name, "web-");
    EXPECT_EQ(label(*pod, "app"), "web");
    ASSERT_EQ(pod->meta.owner_references.size(), 1U);
    EXPECT_EQ(pod->meta.owner_references[0].uid, set->meta.uid);
    EXPECT_EQ(pod->meta.owner_references[0].controller, true);
    EXPECT_EQ(pod->status.phase, "Pending");
  }
}

TEST_F(ControllersTest, NamesFollowFromTheWorkloadAlone) {
  mustCreate(workload("ReplicaSet", "web", {{"replicas", 3}}));
  wait();
  clock::EventLoop other_loop;
  trace::Recorder other_recorder{other_loop};
  Server other{other_loop, gates};
  Controllers others{other, other_loop, other_recorder, 7 * clock::kMillisecond};
  other.admitWorkloads();
  others.start();
  other.create(other.admit(workload("ReplicaSet", "before")).object);
  other.create(other.admit(workload("ReplicaSet", "web", {{"replicas", 3}})).object);
  other_loop.sleep(clock::kSecond);
  for (const std::string& name : names()) EXPECT_NE(other.get<api::Pod>("default", name), nullptr) << name;
}

TEST_F(ControllersTest, AReplicaSetReplacesWhatIsGoneAndWhatHasEnded) {
  mustCreate(workload("ReplicaSet", "web", {{"replicas", 3}}));
  wait();
  const Names before = names();
  ASSERT_EQ(remove("Pod", before[0]), "");
  setPhase(before[1], "Failed");
  wait();
  const Names after = names();
  EXPECT_EQ(after.size(), 4U) << "three that run and one that has failed";
  EXPECT_EQ(std::count(after.begin(), after.end(), before[0]), 0);
}

TEST_F(ControllersTest, ScalingDownTakesThePodsFirstThatAreMissedLeast) {
  mustCreate(workload("ReplicaSet", "web", {{"replicas", 4}}));
  wait();
  const Names all = names();
  bind(all[0], "a");
  bind(all[1], "b");
  bind(all[2], "b");
  wait();
  mustUpdate(workload("ReplicaSet", "web", {{"replicas", 3}}));
  wait();
  EXPECT_EQ(names(), Names({all[0], all[1], all[2]})) << "the one without a node goes first";
  mustUpdate(workload("ReplicaSet", "web", {{"replicas", 2}}));
  wait();
  ASSERT_EQ(names().size(), 2U);
  EXPECT_EQ(names()[0], all[0]) << "then one of two on the same node";
}

TEST_F(ControllersTest, DeletingTheOwnerDeletesThePods) {
  mustCreate(workload("Deployment", "web", {{"replicas", 3}}));
  wait();
  ASSERT_EQ(names().size(), 3U);
  ASSERT_EQ(remove("Deployment", "web"), "");
  wait();
  EXPECT_TRUE(names().empty());
  EXPECT_TRUE(server.list(api::Kind::kReplicaSet).empty());
}

TEST_F(ControllersTest, AStrayPodThatIsSelectedIsTakenIn) {
  Json stray{{"apiVersion", "v1"}, {"kind", "Pod"}, {"metadata", {{"name", "stray"}, {"labels", {{"app", "web"}}}}}};
  stray["spec"]["containers"] = Json::array({Json{{"name", "c"}, {"image", "i"}}});
  mustCreate(stray);
  mustCreate(workload("ReplicaSet", "web", {{"replicas", 2}}));
  wait();
  EXPECT_EQ(names().size(), 2U);
  EXPECT_EQ(server.get<api::Pod>("default", "stray")->meta.owner_references.size(), 1U);
}

TEST_F(ControllersTest, ARefusedPodIsToldAndTriedAgainLater) {
  mustCreate(workload("ReplicaSet", "web", {{"template", {{"spec", {{"priorityClassName", "gold"}}}}}}));
  wait(100 * clock::kMillisecond);
  EXPECT_EQ(refusals().size(), 1U);
  EXPECT_EQ(controllers.due(), -1) << "nobody should wait for a retry";
  mustCreate(Json::parse(
      R"({"apiVersion":"scheduling.k8s.io/v1","kind":"PriorityClass","metadata":{"name":"gold"},"value":7})"));
  wait(2 * clock::kSecond);
  EXPECT_EQ(names().size(), 1U);
}

// ---- Deployments ----

TEST_F(ControllersTest, ADeploymentMakesAReplicaSetThatIsNamedForItsTemplate) {
  mustCreate(workload("Deployment", "web", {{"replicas", 2}}));
  wait();
  const auto sets = server.list(api::Kind::kReplicaSet);
  ASSERT_EQ(sets.size(), 1U);
  const api::Symbol* hash = sets[0]->meta.labels.find(api::Symbol("pod-template-hash"));
  ASSERT_NE(hash, nullptr);
  EXPECT_EQ(sets[0]->meta.name, "web-" + hash->str());
  ASSERT_EQ(pods().size(), 2U);
  EXPECT_EQ(label(*pods()[0], "pod-template-hash"), hash->str());
  EXPECT_EQ(pods()[0]->meta.name.rfind(sets[0]->meta.name + "-", 0), 0U);
}

TEST_F(ControllersTest, ARolloutGoesOnlyAsFarAsItMay) {
  Json web = workload("Deployment", "web", {{"replicas", 4}});  // 25 %: one more, one less
  mustCreate(web);
  wait();
  bindAll();
  wait();
  web = withImage(web, "two");
  mustUpdate(web);
  wait();
  EXPECT_EQ(byImage(), (std::map<std::string, int>{{"one", 3}, {"two", 2}})) << "5 in all, 3 of them available";
  bindAll();
  wait();
  EXPECT_EQ(byImage(), (std::map<std::string, int>{{"one", 1}, {"two", 4}}));
  bindAll();
  wait();
  EXPECT_EQ(byImage(), (std::map<std::string, int>{{"two", 4}}));
  EXPECT_EQ(server.list(api::Kind::kReplicaSet).size(), 2U) << "the old one stays as history";
}

TEST_F(ControllersTest, GoingBackUsesTheOldReplicaSetAgain) {
  Json web = workload("Deployment", "web", {{"replicas", 1}, {"strategy", {{"type", "Recreate"}}}});
  mustCreate(web);
  wait();
  mustUpdate(withImage(web, "two"));
  wait();
  EXPECT_EQ(byImage(), (std::map<std::string, int>{{"two", 1}}));
  mustUpdate(web);
  wait();
  EXPECT_EQ(byImage(), (std::map<std::string, int>{{"one", 1}}));
  EXPECT_EQ(server.list(api::Kind::kReplicaSet).size(), 2U);
}

TEST_F(ControllersTest, ADeploymentScalesAndAPausedOneRollsNothingOut) {
  Json web = workload("Deployment", "web", {{"replicas", 1}});
  mustCreate(web);
  wait();
  web["spec"]["replicas"] = 5;
  mustUpdate(web);
  wait();
  EXPECT_EQ(names().size(), 5U);
  web["spec"]["paused"] = true;
  mustUpdate(withImage(web, "two"));
  wait();
  EXPECT_EQ(byImage(), (std::map<std::string, int>{{"one", 5}}));
}

TEST_F(ControllersTest, APausedDeploymentIsScaledAllTheSame) {
  Json web = workload("Deployment", "web", {{"replicas", 2}});
  mustCreate(web);
  wait();
  web["spec"]["paused"] = true;
  web["spec"]["replicas"] = 4;
  mustUpdate(withImage(web, "two"));
  wait();
  EXPECT_EQ(byImage(), (std::map<std::string, int>{{"one", 4}})) << "the one that is active, though not the newest";
  web["spec"]["replicas"] = 1;
  mustUpdate(withImage(web, "two"));
  wait();
  EXPECT_EQ(byImage(), (std::map<std::string, int>{{"one", 1}}));
}

Json spelledOut(Json object) {
  Json& spec = object["spec"]["template"]["spec"];
  spec["terminationGracePeriodSeconds"] = 30;
  spec["dnsPolicy"] = "ClusterFirst";
  spec["containers"][0]["imagePullPolicy"] = "Always";
  return object;
}

TEST_F(ControllersTest, ADefaultThatIsSpelledOutChangesNoTemplate) {
  for (const char* kind : {"Deployment", "StatefulSet", "DaemonSet", "Job"}) {
    Json object = workload(kind, "x");
    if (std::string(kind) == "DaemonSet") mustCreate(node("n"));
    mustCreate(object);
    wait();
    bindAll();
    wait();
    const Names before = names();
    ASSERT_EQ(before.size(), 1U) << kind;
    const std::string uid = pods()[0]->meta.uid;
    mustUpdate(spelledOut(object));
    wait();
    EXPECT_EQ(names(), before) << kind;
    EXPECT_EQ(pods()[0]->meta.uid, uid) << kind;
    ASSERT_EQ(remove(kind, "x"), "");
    wait();
    ASSERT_TRUE(names().empty()) << kind;
  }
  EXPECT_TRUE(refusals().empty());
}

TEST_F(ControllersTest, ALongNameIsCutBeforeFiveLetters) {
  mustCreate(workload("ReplicaSet", "web", {{"replicas", 1}}));
  Json longer = workload("ReplicaSet", "web", {{"replicas", 1}});
  longer["metadata"]["name"] = std::string(60, 'x');
  mustCreate(longer);
  wait();
  ASSERT_EQ(names().size(), 2U);
  EXPECT_EQ(names()[1].size(), 63U);
  EXPECT_EQ(names()[1].substr(0, 58), std::string(58, 'x'));
  EXPECT_EQ(names()[0].rfind("web-", 0), 0U);
}

// ---- StatefulSets ----

TEST_F(ControllersTest, AStatefulSetMakesOnePodAfterTheOther) {
  mustCreate(workload("StatefulSet", "db", {{"replicas", 3}, {"serviceName", "db"}}));
  wait();
  EXPECT_EQ(names(), Names({"db-0"}));
  bindAll();
  wait();
  EXPECT_EQ(names(), Names({"db-0", "db-1"}));
  bindAll();
  wait();
  bindAll();
  wait();
  EXPECT_EQ(names(), Names({"db-0", "db-1", "db-2"}));
  EXPECT_EQ(label(*pods()[1], "statefulset.kubernetes.io/pod-name"), "db-1");
  EXPECT_EQ(label(*pods()[1], "apps.kubernetes.io/pod-index"), "1");
  ASSERT_EQ(remove("Pod", "db-1"), "");
  wait();
  EXPECT_EQ(names(), Names({"db-0", "db-1", "db-2"})) << "the same name comes back";
}

TEST_F(ControllersTest, AParallelOneMakesThemAllAndTakesThemAllAway) {
  Json db = workload("StatefulSet", "db",
                     {{"replicas", 3}, {"podManagementPolicy", "Parallel"}, {"ordinals", {{"start", 5}}}});
  mustCreate(db);
  wait();
  EXPECT_EQ(names(), Names({"db-5", "db-6", "db-7"}));
  db["spec"]["replicas"] = 1;
  mustUpdate(db);
  wait();
  EXPECT_EQ(names(), Names({"db-5"}));
}

TEST_F(ControllersTest, ScalingDownInOrderStartsAtTheEndAndKeepsTheClaims) {
  const Json claim = Json::parse(
      R"({"metadata":{"name":"data"},"spec":{"accessModes":["ReadWriteOnce"],"resources":{"requests":{"storage":"1Gi"}}}})");
  Json db = workload("StatefulSet", "db", {{"replicas", 2}, {"volumeClaimTemplates", Json::array({claim})}});
  mustCreate(db);
  for (int i = 0; i < 3; ++i) {
    wait();
    bindAll();
  }
  ASSERT_EQ(names(), Names({"db-0", "db-1"}));
  ASSERT_EQ(pods()[1]->spec.volumes.size(), 1U);
  EXPECT_EQ(pods()[1]->spec.volumes[0].persistent_volume_claim->claim_name, "data-db-1");
  db["spec"]["replicas"] = 1;
  mustUpdate(db);
  wait();
  EXPECT_EQ(names(), Names({"db-0"}));
  const auto kept = server.get<api::PersistentVolumeClaim>("default", "data-db-1");
  ASSERT_NE(kept, nullptr);
  EXPECT_TRUE(kept->meta.labels.has(api::Symbol("app")));
}

TEST_F(ControllersTest, AnUpdateReplacesPodsFromTheEndDownToThePartition) {
  Json db =
      workload("StatefulSet", "db", {{"replicas", 3}, {"updateStrategy", {{"rollingUpdate", {{"partition", 1}}}}}});
  mustCreate(db);
  for (int i = 0; i < 4; ++i) {
    wait();
    bindAll();
  }
  db = withImage(db, "two");
  mustUpdate(db);
  wait();
  EXPECT_EQ(byImage(), (std::map<std::string, int>{{"one", 2}, {"two", 1}}));
  EXPECT_EQ(pods()[2]->spec.containers[0].image, "two");
  for (int i = 0; i < 3; ++i) {
    bindAll();
    wait();
  }
  EXPECT_EQ(byImage(), (std::map<std::string, int>{{"one", 1}, {"two", 2}}));
  ASSERT_EQ(remove("Pod", "db-0"), "");
  wait();
  EXPECT_EQ(pods()[0]->spec.containers[0].image, "one") << "below the partition the old template counts";
}

// ---- DaemonSets ----

TEST_F(ControllersTest, ADaemonSetHasAPodOnEveryNodeThatLetsIt) {
  mustCreate(node("a", {{"disk", "ssd"}}));
  mustCreate(node("b"));
  mustCreate(node("c", {{"disk", "ssd"}}, Json::parse(R"([{"key":"x","effect":"NoSchedule"}])")));
  mustCreate(node("d", {{"disk", "ssd"}},
                  Json::parse(R"([{"key":"node.kubernetes.io/unschedulable","effect":"NoSchedule"}])")));
  mustCreate(workload("DaemonSet", "log", {{"template", {{"spec", {{"nodeSelector", {{"disk", "ssd"}}}}}}}}));
  wait();
  ASSERT_EQ(pods().size(), 2U);
  std::set<std::string> targets;
  for (const api::PodPtr& pod : pods()) {
    const auto& terms = pod->spec.affinity->node->required->terms;
    ASSERT_EQ(terms.size(), 1U);
    ASSERT_EQ(terms[0].match_fields.size(), 1U);
    EXPECT_EQ(terms[0].match_fields[0].key, "metadata.name");
    targets.insert(terms[0].match_fields[0].values.at(0));
    EXPECT_EQ(pod->spec.tolerations.size(), 6U);
  }
  EXPECT_EQ(targets, (std::set<std::string>{"a", "d"}));
  mustCreate(node("e", {{"disk", "ssd"}}));
  wait();
  EXPECT_EQ(pods().size(), 3U);
}

TEST_F(ControllersTest, ADaemonPodLeavesANodeThatWillNotHaveIt) {
  mustCreate(node("a"));
  mustCreate(workload("DaemonSet", "log"));
  wait();
  bind(names()[0], "a");
  mustUpdate(node("a", Json::object(), Json::parse(R"([{"key":"x","effect":"NoSchedule"}])")));
  wait();
  EXPECT_EQ(pods().size(), 1U) << "what is there may stay";
  mustUpdate(node("a", Json::object(), Json::parse(R"([{"key":"x","effect":"NoExecute"}])")));
  wait();
  EXPECT_EQ(pods().size(), 0U);
}

TEST_F(ControllersTest, ADaemonSetIsUpdatedNodeByNode) {
  mustCreate(node("a"));
  mustCreate(node("b"));
  mustCreate(workload("DaemonSet", "log"));
  wait();
  for (const api::PodPtr& pod : pods()) {
    bind(pod->meta.name, pod->spec.affinity->node->required->terms[0].match_fields[0].values.at(0));
  }
  wait();
  mustUpdate(withImage(workload("DaemonSet", "log"), "two"));
  wait();
  EXPECT_EQ(byImage(), (std::map<std::string, int>{{"one", 1}, {"two", 1}}));
  bindAll();
  wait();
  EXPECT_EQ(byImage()["two"], 2);
}

// ---- Jobs ----

TEST_F(ControllersTest, AJobRunsAsManyAtOnceAsItMayUntilAllAreDone) {
  mustCreate(workload("Job", "sum", {{"parallelism", 2}, {"completions", 3}}));
  wait();
  const Names first = names();
  ASSERT_EQ(first.size(), 2U);
  EXPECT_EQ(label(*pods()[0], "batch.kubernetes.io/job-name"), "sum");
  setPhase(first[0], "Succeeded");
  wait();
  ASSERT_EQ(names().size(), 3U);
  for (const std::string& name : names()) setPhase(name, "Succeeded");
  wait();
  EXPECT_EQ(names().size(), 3U) << "three are done: no more are made";
}

TEST_F(ControllersTest, AnIndexedJobHasOnePodForEachIndex) {
  mustCreate(workload("Job", "sum", {{"parallelism", 2}, {"completions", 3}, {"completionMode", "Indexed"}}));
  wait();
  ASSERT_EQ(names().size(), 2U);
  EXPECT_EQ(names()[0].rfind("sum-0-", 0), 0U);
  EXPECT_EQ(names()[1].rfind("sum-1-", 0), 0U);
  EXPECT_EQ(pods()[1]->meta.annotations.at("batch.kubernetes.io/job-completion-index"), "1");
  setPhase(names()[1], "Succeeded");
  wait();
  ASSERT_EQ(names().size(), 3U);
  EXPECT_EQ(names()[2].rfind("sum-2-", 0), 0U);
}

TEST_F(ControllersTest, AnIndexedJobThatBecomesSmallerLosesItsLastIndexes) {
  Json job = workload("Job", "sum", {{"parallelism", 4}, {"completions", 4}, {"completionMode", "Indexed"}});
  mustCreate(job);
  wait();
  ASSERT_EQ(names().size(), 4U);
  bind(names()[2]);
  bind(names()[3]);
  job["spec"]["parallelism"] = 2;
  job["spec"]["completions"] = 2;
  mustUpdate(job);
  wait();
  ASSERT_EQ(names().size(), 2U);
  EXPECT_EQ(names()[0].rfind("sum-0-", 0), 0U);
  EXPECT_EQ(names()[1].rfind("sum-1-", 0), 0U);
}

TEST_F(ControllersTest, AnIndexBeyondTheLastDoesNotCountAsCompleted) {
  Json job = workload("Job", "sum", {{"parallelism", 3}, {"completions", 3}, {"completionMode", "Indexed"}});
  mustCreate(job);
  wait();
  ASSERT_EQ(names().size(), 3U);
  setPhase(names()[2], "Succeeded");
  wait();
  job["spec"]["parallelism"] = 1;
  job["spec"]["completions"] = 1;
  mustUpdate(job);
  wait();
  ASSERT_EQ(names().size(), 2U) << "index 0 runs on, beside what has ended";
  EXPECT_EQ(names()[0].rfind("sum-0-", 0), 0U);
}

TEST_F(ControllersTest, AJobWhoseNameMakesALongUidIsTaken) {
  Json job = workload("Job", "x");
  job["metadata"]["name"] = "nightly-reconciliation-report-europe";
  job["metadata"]["namespace"] = "team-payments-production";
  mustCreate(job);
  mustUpdate(job);
  wait();
  ASSERT_EQ(pods().size(), 1U);
  EXPECT_EQ(label(*pods()[0], "controller-uid").size(), 63U);
}

TEST_F(ControllersTest, AFailedPodIsReplacedAfterABackoffAndNotForEver) {
  mustCreate(workload("Job", "sum", {{"backoffLimit", 1}}));
  wait();
  setPhase(names()[0], "Failed");
  wait(9 * clock::kSecond);
  EXPECT_EQ(names().size(), 1U);
  EXPECT_EQ(controllers.due(), -1) << "a backoff is nothing to wait for";
  wait(2 * clock::kSecond);
  ASSERT_EQ(names().size(), 2U);
  for (const std::string& name : names()) setPhase(name, "Failed");
  wait(clock::kMinute);
  EXPECT_EQ(names().size(), 2U);
}

TEST_F(ControllersTest, ASuspendedJobHasNoPods) {
  Json job = workload("Job", "sum", {{"parallelism", 2}, {"completions", 2}});
  mustCreate(job);
  wait();
  job["spec"]["suspend"] = true;
  mustUpdate(job);
  wait();
  EXPECT_TRUE(names().empty());
  job["spec"]["suspend"] = false;
  mustUpdate(job);
  wait();
  EXPECT_EQ(names().size(), 2U);
}

TEST_F(ControllersTest, APodThatSaysHowLongItRunsEndsByItself) {
  mustCreate(workload("Job", "sum",
                      {{"template", {{"metadata", {{"annotations", {{"podberth/runs-for-seconds", "2.5"}}}}}}}}));
  wait();
  bindAll();
  wait(2 * clock::kSecond);
  EXPECT_EQ(pods()[0]->status.phase, "Pending");
  wait();
  EXPECT_EQ(pods()[0]->status.phase, "Succeeded");
  EXPECT_EQ(names().size(), 1U);
}

// ---- what goes with a node ----

TEST_F(ControllersTest, PodsGoFortySecondsAfterTheirNode) {
  mustCreate(node("a"));
  mustCreate(workload("ReplicaSet", "web", {{"replicas", 2}}));
  wait();
  const Names before = names();
  for (const std::string& name : before) bind(name, "a");
  wait();
  ASSERT_EQ(remove("Node", "a"), "");
  wait(39 * clock::kSecond);
  EXPECT_EQ(names(), before);
  wait(2 * clock::kSecond);
  EXPECT_EQ(names().size(), 2U);
  for (const api::PodPtr& pod : pods()) EXPECT_FALSE(pod->assigned()) << "they are new";
}

TEST_F(ControllersTest, PodsStayIfTheNodeComesBackInTime) {
  mustCreate(node("a"));
  mustCreate(workload("ReplicaSet", "web"));
  wait();
  const Names before = names();
  bind(before[0], "a");
  ASSERT_EQ(remove("Node", "a"), "");
  wait(20 * clock::kSecond);
  mustCreate(node("a"));
  wait(clock::kMinute);
  EXPECT_EQ(names(), before);
}

}  // namespace
}  // namespace podberth::apiserver
