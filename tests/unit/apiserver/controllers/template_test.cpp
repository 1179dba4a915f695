// What the workloads do alike with their templates and names.
#include "tests/unit/apiserver/controllers/controllers_fixture.h"

namespace podberth::apiserver {
namespace {

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

}  // namespace
}  // namespace podberth::apiserver
