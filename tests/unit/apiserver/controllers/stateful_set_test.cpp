// StatefulSets: pods in order, their names and claims, and updates.
#include "tests/unit/apiserver/controllers/controllers_fixture.h"

namespace podberth::apiserver {
namespace {

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

TEST_F(ControllersTest, TheNextOneWaitsUntilTheOneBeforeHasBeenReadyForLongEnough) {
  mustCreate(workload("StatefulSet", "db", {{"replicas", 2}, {"minReadySeconds", 10}}));
  wait();
  bindAll();
  wait(9 * clock::kSecond);
  EXPECT_EQ(names(), Names({"db-0"}));
  wait(2 * clock::kSecond);
  EXPECT_EQ(names(), Names({"db-0", "db-1"}));
}

TEST_F(ControllersTest, AnUpdateTakesAsManyAtOnceAsMayBeMissing) {
  Json db = workload("StatefulSet", "db",
                     {{"replicas", 5},
                      {"podManagementPolicy", "Parallel"},
                      {"updateStrategy", {{"rollingUpdate", {{"maxUnavailable", "40%"}}}}}});
  mustCreate(db);
  wait();
  bindAll();
  wait();
  mustUpdate(withImage(db, "two"));
  wait();
  EXPECT_EQ(byImage(), (std::map<std::string, int>{{"one", 3}, {"two", 2}}));
  EXPECT_EQ(pods()[4]->spec.containers[0].image, "two");
  bindAll();
  wait();
  EXPECT_EQ(byImage(), (std::map<std::string, int>{{"one", 1}, {"two", 4}}));
}

TEST_F(ControllersTest, InNoOrderThoseThatDoNotRunAnywayAreReplacedFirst) {
  Json db = workload("StatefulSet", "db", {{"replicas", 3}, {"podManagementPolicy", "Parallel"}});
  mustCreate(db);
  wait();
  bind("db-1");
  bind("db-2");
  wait();
  mustUpdate(withImage(db, "two"));
  wait();
  EXPECT_EQ(pods()[0]->spec.containers[0].image, "two");
  EXPECT_EQ(byImage(), (std::map<std::string, int>{{"one", 2}, {"two", 1}}));
}

}  // namespace
}  // namespace podberth::apiserver
