// ReplicaSets and ReplicationControllers: how many pods there are, which of them go, and what goes with a node.
#include "tests/unit/apiserver/controllers/controllers_fixture.h"

namespace podberth::apiserver {
namespace {

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

TEST_F(ControllersTest, ADelayDoesNotOutliveItsWorkload) {
  const Json web = workload("ReplicaSet", "web", {{"template", {{"spec", {{"priorityClassName", "gold"}}}}}});
  mustCreate(web);
  wait(8 * clock::kSecond);
  ASSERT_EQ(refusals().size(), 4U) << "at once, then after 1, 2 and 4 s";
  ASSERT_EQ(remove("ReplicaSet", "web"), "");
  wait();
  mustCreate(web);
  wait(2 * clock::kSecond);
  EXPECT_EQ(refusals().size(), 6U) << "at once, then after 1 s";
}

TEST_F(ControllersTest, AReplicationControllerKeepsItsPodsToo) {
  Json web = workload("ReplicationController", "web", {{"replicas", 2}});
  mustCreate(web);
  wait();
  ASSERT_EQ(names().size(), 2U);
  EXPECT_EQ(pods()[0]->meta.owner_references.at(0).kind, "ReplicationController");
  web["spec"]["replicas"] = 1;
  mustUpdate(web);
  wait();
  EXPECT_EQ(names().size(), 1U);
  ASSERT_EQ(remove("ReplicationController", "web"), "");
  wait();
  EXPECT_TRUE(names().empty());
}

Json noExecute(const std::string& key) { return Json::array({Json{{"key", key}, {"effect", "NoExecute"}}}); }

TEST_F(ControllersTest, ANoExecuteTaintEvictsWhatDoesNotTolerateIt) {
  mustCreate(node("a"));
  Json tolerant = workload("ReplicaSet", "calm");
  tolerant["spec"]["template"]["spec"]["tolerations"] = Json::array({Json{{"operator", "Exists"}}});
  mustCreate(tolerant);
  mustCreate(workload("ReplicaSet", "web"));
  wait();
  for (const std::string& name : names()) bind(name, "a");
  wait();
  const Names before = names();
  mustUpdate(node("a", Json::object(), noExecute("x")));
  wait();
  ASSERT_EQ(names().size(), 2U);
  EXPECT_EQ(names()[0], before[0]);
  EXPECT_NE(names()[1], before[1]);
}

TEST_F(ControllersTest, AToleratedTaintEvictsWhenTheTimeIsUp) {
  mustCreate(node("a"));
  Json web = workload("ReplicaSet", "web");
  web["spec"]["template"]["spec"]["tolerations"] =
      Json::array({Json{{"key", "x"}, {"operator", "Exists"}, {"effect", "NoExecute"}, {"tolerationSeconds", 20}}});
  mustCreate(web);
  wait();
  const Names before = names();
  bind(before[0], "a");
  mustUpdate(node("a", Json::object(), noExecute("x")));
  wait(10 * clock::kSecond);
  EXPECT_EQ(controllers.due(), -1) << "nobody should wait for that";
  mustUpdate(node("a"));
  wait(clock::kMinute);
  EXPECT_EQ(names(), before) << "the taint was gone in time";
  mustUpdate(node("a", Json::object(), noExecute("x")));
  wait(19 * clock::kSecond);
  EXPECT_EQ(names(), before);
  wait(2 * clock::kSecond);
  EXPECT_NE(names(), before);
}

}  // namespace
}  // namespace podberth::apiserver
