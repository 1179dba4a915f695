// DaemonSets: which nodes have a pod, and updates.
#include "tests/unit/apiserver/controllers/controllers_fixture.h"

namespace podberth::apiserver {
namespace {

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

TEST_F(ControllersTest, ADaemonPodCarriesTheGenerationOfItsTemplate) {
  mustCreate(node("a"));
  Json log = workload("DaemonSet", "log");
  mustCreate(log);
  wait();
  EXPECT_EQ(label(*pods()[0], "pod-template-generation"), "1");
  log["spec"]["minReadySeconds"] = 1;
  mustUpdate(log);
  wait();
  EXPECT_EQ(label(*pods()[0], "pod-template-generation"), "1");
  mustUpdate(withImage(log, "two"));
  wait();
  EXPECT_EQ(label(*pods()[0], "pod-template-generation"), "2");
}

TEST_F(ControllersTest, WithASurgeTheNewDaemonPodComesBeforeTheOldOneGoes) {
  mustCreate(node("a"));
  mustCreate(node("b"));
  const Json strategy{{"rollingUpdate", {{"maxSurge", 1}, {"maxUnavailable", 0}}}};
  Json log = workload("DaemonSet", "log", {{"updateStrategy", strategy}});
  mustCreate(log);
  wait();
  bindToTargets();
  wait();
  mustUpdate(withImage(log, "two"));
  wait();
  EXPECT_EQ(byImage(), (std::map<std::string, int>{{"one", 2}, {"two", 1}}));
  bindToTargets();
  wait();
  EXPECT_EQ(byImage(), (std::map<std::string, int>{{"one", 1}, {"two", 2}})) << "the next node's turn";
  bindToTargets();
  wait();
  EXPECT_EQ(byImage(), (std::map<std::string, int>{{"two", 2}}));
}

TEST_F(ControllersTest, ADaemonPodThatKeepsFailingIsReplacedMoreSlowly) {
  mustCreate(node("a"));
  mustCreate(workload("DaemonSet", "log"));
  wait();
  setPhase(names()[0], "Failed");
  wait(100 * clock::kMillisecond);
  ASSERT_EQ(names().size(), 1U);
  EXPECT_EQ(pods()[0]->status.phase, "Pending") << "the first time at once";
  setPhase(names()[0], "Failed");
  wait(100 * clock::kMillisecond);
  EXPECT_EQ(pods()[0]->status.phase, "Failed");
  wait(2 * clock::kSecond);
  EXPECT_EQ(pods()[0]->status.phase, "Pending");
}

}  // namespace
}  // namespace podberth::apiserver
