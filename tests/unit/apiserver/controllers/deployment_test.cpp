// Deployments: which of their ReplicaSets has how many pods.
#include "tests/unit/apiserver/controllers/controllers_fixture.h"

namespace podberth::apiserver {
namespace {

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

TEST_F(ControllersTest, ADeploymentThatIsScaledInARolloutKeepsTheProportions) {
  Json web = workload("Deployment", "web",
                      {{"replicas", 10}, {"strategy", {{"rollingUpdate", {{"maxSurge", 3}, {"maxUnavailable", 2}}}}}});
  mustCreate(web);
  wait();
  bindAll();
  wait();
  web = withImage(web, "two");
  mustUpdate(web);
  wait();
  ASSERT_EQ(byImage(), (std::map<std::string, int>{{"one", 8}, {"two", 5}}));
  web["spec"]["replicas"] = 15;
  mustUpdate(web);
  wait();
  EXPECT_EQ(byImage(), (std::map<std::string, int>{{"one", 11}, {"two", 7}})) << "three and two of five";
  web["spec"]["replicas"] = 5;
  mustUpdate(web);
  wait();
  EXPECT_EQ(byImage()["one"] + byImage()["two"], 8) << "five and the surge";
}

TEST_F(ControllersTest, ANewPodCountsOnlyWhenItHasBeenReadyForLongEnough) {
  Json web = workload("Deployment", "web",
                      {{"replicas", 1},
                       {"minReadySeconds", 5},
                       {"strategy", {{"rollingUpdate", {{"maxSurge", 1}, {"maxUnavailable", 0}}}}}});
  mustCreate(web);
  wait();
  bindAll();
  wait(6 * clock::kSecond);
  mustUpdate(withImage(web, "two"));
  wait();
  bindAll();
  wait(4 * clock::kSecond);
  EXPECT_EQ(byImage(), (std::map<std::string, int>{{"one", 1}, {"two", 1}}));
  EXPECT_EQ(controllers.due(), -1) << "nobody should wait for that";
  wait(2 * clock::kSecond);
  EXPECT_EQ(byImage(), (std::map<std::string, int>{{"two", 1}}));
}

TEST_F(ControllersTest, AReplicaSetThatIsUsedAgainGetsTheNextRevision) {
  Json web = workload("Deployment", "web", {{"replicas", 1}, {"strategy", {{"type", "Recreate"}}}});
  const auto revisions = [this] {
    std::map<std::string, std::string> out;
    for (const api::ObjectPtr& set : server.list(api::Kind::kReplicaSet)) {
      const Json pod_template = objectOf(specOf(*set), "template");
      out[pod_template["spec"]["containers"][0]["image"]] =
          set->meta.annotations.at("deployment.kubernetes.io/revision");
    }
    return out;
  };
  mustCreate(web);
  wait();
  mustUpdate(withImage(web, "two"));
  wait();
  EXPECT_EQ(revisions(), (std::map<std::string, std::string>{{"one", "1"}, {"two", "2"}}));
  mustUpdate(web);
  wait();
  EXPECT_EQ(revisions(), (std::map<std::string, std::string>{{"one", "3"}, {"two", "2"}}));
}

TEST_F(ControllersTest, OldReplicaSetsBeyondTheHistoryGoWhenTheRolloutIsThrough) {
  Json web = workload("Deployment", "web", {{"replicas", 2}, {"revisionHistoryLimit", 0}});
  mustCreate(web);
  wait();
  bindAll();
  wait();
  mustUpdate(withImage(web, "two"));
  for (int i = 0; i < 2; ++i) {
    wait();
    EXPECT_EQ(server.list(api::Kind::kReplicaSet).size(), 2U);
    bindAll();
  }
  wait();
  EXPECT_EQ(server.list(api::Kind::kReplicaSet).size(), 1U);
}

TEST_F(ControllersTest, ManyPodsThatAreBoundAreNoReasonToLookAgain) {
  mustCreate(workload("Deployment", "web", {{"replicas", 1200}}));
  wait();
  ASSERT_EQ(names().size(), 1200U) << "in goes of 500";
  const std::size_t entries = recorder.entries().size();
  bindAll();
  wait();
  EXPECT_EQ(recorder.entries().size(), entries);
}

}  // namespace
}  // namespace podberth::apiserver
