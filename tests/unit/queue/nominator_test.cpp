#include "core/scheduler/queue/nominator.h"

#include "tests/unit/queue/queue_fixture.h"

namespace podberth::scheduler {
namespace {

class FakePods : public Lister<api::Pod> {
 public:
  std::shared_ptr<const api::Pod> get(std::string_view, std::string_view name) const override {
    const auto it = pods.find(std::string(name));
    return it == pods.end() ? nullptr : it->second;
  }
  std::vector<std::shared_ptr<const api::Pod>> list(std::string_view) const override { return {}; }
  std::map<std::string, std::shared_ptr<const api::Pod>> pods;
};

std::optional<NominatingInfo> to(const std::string& node) {
  NominatingInfo info;
  info.mode = NominatingMode::kOverride;
  info.node = node;
  return info;
}

std::shared_ptr<api::Pod> nominated(const std::string& name, const std::string& node) {
  auto pod = makePod(name);
  pod->status.nominated_node_name = node;
  return pod;
}

class NominatorTest : public ::testing::Test {
 protected:
  std::string on(const std::string& node) {
    std::string out;
    const auto* refs = nominator_.forNode(api::Symbol(node));
    if (refs == nullptr) return out;
    for (const Nominator::PodRef& ref : *refs) out += (out.empty() ? "" : " ") + ref.key.substr(8);
    return out;
  }
  Nominator nominator_{nullptr};
};

TEST_F(NominatorTest, PodsOfANodeComeInTheOrderOfNomination) {
  nominator_.add(*makePod("b"), to("n1"));
  nominator_.add(*makePod("a"), to("n1"));
  nominator_.add(*makePod("c"), to("n2"));
  EXPECT_EQ(on("n1"), "b a");
  EXPECT_EQ(on("n2"), "c");
}

TEST_F(NominatorTest, NominatingAgainMovesThePodToTheEnd) {
  nominator_.add(*makePod("b"), to("n1"));
  nominator_.add(*makePod("a"), to("n1"));
  nominator_.add(*makePod("b"), to("n1"));
  EXPECT_EQ(on("n1"), "a b");
  nominator_.add(*makePod("b"), to("n2"));
  EXPECT_EQ(on("n1"), "a");
  EXPECT_EQ(on("n2"), "b");
}

TEST_F(NominatorTest, WithoutAnInstructionTheStatusDecides) {
  nominator_.add(*nominated("a", "n1"), std::nullopt);
  EXPECT_EQ(on("n1"), "a");
  nominator_.add(*nominated("a", "n1"), NominatingInfo());
  EXPECT_EQ(on("n1"), "a");
}

TEST_F(NominatorTest, AnEmptyOverrideClearsTheNomination) {
  nominator_.add(*nominated("a", "n1"), std::nullopt);
  nominator_.add(*nominated("a", "n1"), to(""));
  EXPECT_EQ(on("n1"), "");
  EXPECT_EQ(nominator_.forNode(api::Symbol("n1")), nullptr);
}

TEST_F(NominatorTest, UpdatesKeepChangeOrEndTheNomination) {
  const struct {
    const char* name;
    const char* old_node;
    const char* new_node;
    const char* want_n1;
    const char* want_n2;
  } cases[] = {
      {"neither names a node: the reservation in memory stays", "", "", "a", ""},
      {"the new one names another node", "", "n2", "", "a"},
      {"both name the same node", "n1", "n1", "a", ""},
      {"the new one names none any more", "n1", "", "", ""},
  };
  for (const auto& c : cases) {
    nominator_.add(*makePod("a"), to("n1"));
    nominator_.update(*nominated("a", c.old_node), *nominated("a", c.new_node));
    EXPECT_EQ(on("n1"), c.want_n1) << c.name;
    EXPECT_EQ(on("n2"), c.want_n2) << c.name;
  }
}

TEST_F(NominatorTest, PodsThatAreGoneOrBoundAreNotNominated) {
  FakePods pods;
  nominator_ = Nominator(&pods);
  nominator_.add(*makePod("gone"), to("n1"));
  const auto bound = makePod("bound");
  bound->spec.node_name = "n2";
  pods.pods["bound"] = bound;
  nominator_.add(*makePod("bound"), to("n1"));
  pods.pods["alive"] = makePod("alive");
  nominator_.add(*makePod("alive"), to("n1"));
  EXPECT_EQ(on("n1"), "alive");
}

TEST_F(QueueTest, ANominatedPodOutsideTheQueuesIsBare) {
  const auto pod = makePod("a", 7);
  queue().add(pod);
  const QueuedPodInfoPtr info = queue().find("default/a");
  queue().addNominatedPod(info->info, to("n1"));
  ASSERT_EQ(queue().nominatedPodsForNode(api::Symbol("n1")).size(), 1u);
  EXPECT_EQ(queue().nominatedPodsForNode(api::Symbol("n1"))[0], info->info);

  queue().pop();
  const std::vector<PodInfoPtr> in_flight = queue().nominatedPodsForNode(api::Symbol("n1"));
  ASSERT_EQ(in_flight.size(), 1u);
  EXPECT_EQ(in_flight[0]->pod->key(), "default/a");
  EXPECT_EQ(in_flight[0]->pod->meta.uid, "uid-a");
  EXPECT_EQ(in_flight[0]->pod->priority(), 0);

  queue().remove(*pod);
  EXPECT_TRUE(queue().nominatedPodsForNode(api::Symbol("n1")).empty());
}

}  // namespace
}  // namespace podberth::scheduler
