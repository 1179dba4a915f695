#include "core/scheduler/framework/runtime.h"

#include <gtest/gtest.h>

namespace podberth::scheduler {
namespace {

// Answers at every point what a test has put in.
class FakePlugin : public Plugin {
 public:
  explicit FakePlugin(std::string name) : name_(std::move(name)) {}
  std::string_view name() const override { return name_; }
  Points points() const override { return Point::kPreFilter | Point::kFilter | Point::kScore; }

  Status preFilter(CycleState&, const PodInfo&, const std::vector<NodeInfo*>&, PreFilterResult& result) override {
    ++asked;
    result = narrowed;
    return pre_filter;
  }
  bool hasPreFilterExtensions() const override { return true; }
  Status addPod(CycleState&, const PodInfo&, const PodInfo& to_add, const NodeInfo&) override {
    log += "+" + to_add.pod->meta.name;
    return add_pod;
  }
  Status filter(CycleState&, const PodInfo&, const NodeInfo& node) override {
    log += " " + std::to_string(node.pods.size());
    return node.pods.size() > room ? Status(Code::kUnschedulable, "full") : filter_status;
  }
  Status postFilter(CycleState&, const PodInfo&, const NodeToStatus&, PostFilterResult& result) override {
    result = post_result;
    return post_filter;
  }
  Status preScore(CycleState&, const PodInfo&, const std::vector<NodeInfo*>&) override { return pre_score; }
  Status score(CycleState&, const PodInfo&, const NodeInfo& node, std::int64_t& score) override {
    score = scores.at(node.name().str());
    return score_status;
  }
  bool hasNormalizeScore() const override { return normalize; }
  Status normalizeScore(CycleState&, const PodInfo&, std::vector<NodeScore>& list) override {
    for (NodeScore& s : list) s.score *= 10;
    return {};
  }
  Status reserve(CycleState&, const api::PodPtr&, const std::string&) override { return reserve_status; }
  void unreserve(CycleState&, const api::PodPtr&, const std::string&) override { *unreserved += name_; }
  Status permit(CycleState&, const api::PodPtr&, const std::string&, clock::Duration& timeout) override {
    timeout = permit_timeout;
    return permit_status;
  }
  Status preBindPreFlight(CycleState&, const api::PodPtr&, const std::string&) override { return flight; }
  PreBindProgress preBind(CycleState&, const api::PodPtr&, const std::string&) override {
    if (polls_left-- > 0) return PreBindProgress::waitUntil(loop->now() + clock::kSecond);
    return PreBindProgress::done(pre_bind);
  }
  void bind(CycleState&, const api::PodPtr&, const std::string&, std::function<void(Status)> done) override {
    done(bind_status);
  }
  bool hasSign() const override { return signs; }
  std::vector<SignFragment> sign(const api::Pod& pod, bool& signable) const override {
    signable = true;
    return {{name_, pod.meta.name}};
  }

  Status pre_filter, add_pod, filter_status, post_filter, pre_score, score_status, reserve_status, permit_status,
      pre_bind, bind_status;
  Status flight;
  PreFilterResult narrowed;
  PostFilterResult post_result;
  clock::Duration permit_timeout = 0;
  std::size_t room = 100;
  std::map<std::string, std::int64_t> scores;
  bool normalize = false;
  bool signs = false;
  int polls_left = 0;
  clock::EventLoop* loop = nullptr;
  std::string log;
  int asked = 0;
  std::string own_unreserved;
  std::string* unreserved = &own_unreserved;

 private:
  std::string name_;
};

class FakeNominator : public PodNominator {
 public:
  void addNominatedPod(const PodInfoPtr& pod, const std::optional<NominatingInfo>&) override { pods.push_back(pod); }
  void deleteNominatedPodIfExists(const api::Pod&) override {}
  std::vector<PodInfoPtr> nominatedPodsForNode(api::Symbol) const override { return pods; }
  std::vector<PodInfoPtr> pods;
};

api::PodPtr makePod(const std::string& name, std::int32_t priority = 0) {
  auto pod = std::make_shared<api::Pod>();
  pod->meta.name = name;
  pod->meta.ns = "default";
  pod->meta.uid = "uid-" + name;
  pod->spec.priority = priority;
  return pod;
}

class RuntimeTest : public ::testing::Test {
 protected:
  void SetUp() override {
    shared_.snapshot = &snapshot_;
    shared_.loop = &loop_;
    shared_.recorder = &recorder_;
    shared_.gates = &gates_;
    shared_.lots = &lots_;
    shared_.waiting_pods = &waiting_;
    shared_.pods_in_pre_bind = &in_pre_bind_;
    shared_.nominator = &nominator_;
    recorder_.points = false;
    std::vector<std::unique_ptr<Plugin>> plugins;
    config::ExpandedPlugins expanded;
    for (const char* name : {"A", "B"}) {
      auto plugin = std::make_unique<FakePlugin>(name);
      plugin->loop = &loop_;
      (*name == 'A' ? a_ : b_) = plugin.get();
      plugins.push_back(std::move(plugin));
      for (auto* list : {&expanded.pre_filter, &expanded.filter, &expanded.post_filter, &expanded.pre_score,
                         &expanded.reserve, &expanded.permit, &expanded.pre_bind, &expanded.bind, &expanded.all}) {
        list->push_back(name);
      }
    }
    expanded.score = {{"A", 2}, {"B", 3}};
    framework_ = std::make_unique<Framework>("default-scheduler", std::nullopt, shared_);
    framework_->setPlugins(expanded, std::move(plugins));
    for (const char* name : {"n1", "n2"}) {
      auto node = std::make_shared<api::Node>();
      node->meta.name = name;
      (*(name + 1) == '1' ? n1_ : n2_).setNode(node);
    }
  }

  std::string preFilter() {
    const Status status = framework_->runPreFilter(state_, pod_, narrowed_, plugins_with_nodes_);
    return std::string(codeName(status.code())) + "/" + status.plugin() + "/" + status.message();
  }
  static PreFilterResult only(const std::string& node) {
    PreFilterResult out;
    out.node_names = std::vector<api::Symbol>{api::Symbol(node)};
    return out;
  }
  std::string logs() {
    std::string out;
    for (const trace::Entry& e : recorder_.entries()) {
      if (e.type == trace::Type::kLog) out += e.message + ": " + e.error + ";";
    }
    return out;
  }

  clock::EventLoop loop_;
  trace::Recorder recorder_{loop_};
  FeatureGates gates_;
  Lots lots_;
  Snapshot snapshot_;
  WaitingPods waiting_;
  PodsInPreBind in_pre_bind_;
  FakeNominator nominator_;
  FrameworkShared shared_;
  std::unique_ptr<Framework> framework_;
  FakePlugin* a_ = nullptr;
  FakePlugin* b_ = nullptr;
  NodeInfo n1_, n2_;
  CycleState state_;
  PodInfo pod_{makePod("p")};
  PreFilterResult narrowed_;
  std::vector<std::string> plugins_with_nodes_;
};

TEST_F(RuntimeTest, APluginThatSkipsPreFilterIsNotAskedInFilter) {
  a_->pre_filter = Status(Code::kSkip);
  a_->filter_status = Status(Code::kUnschedulable, "would reject");
  EXPECT_EQ(preFilter(), "Success//");
  EXPECT_TRUE(framework_->runFilter(state_, pod_, n1_).isSuccess());
  EXPECT_EQ(a_->log, "");
  EXPECT_EQ(b_->log, " 0");
}

TEST_F(RuntimeTest, AnUnschedulablePreFilterLetsTheOthersSpeak) {
  a_->pre_filter = Status(Code::kUnschedulable, "no");
  EXPECT_EQ(preFilter(), "Unschedulable/A/no");
  EXPECT_EQ(b_->asked, 1);
}

TEST_F(RuntimeTest, AnUnresolvablePreFilterEndsIt) {
  a_->pre_filter = Status(Code::kUnschedulableAndUnresolvable, "never");
  EXPECT_EQ(preFilter(), "UnschedulableAndUnresolvable/A/never");
  EXPECT_EQ(b_->asked, 0);
}

TEST_F(RuntimeTest, AnErrorInPreFilterNamesThePlugin) {
  b_->pre_filter = Status::error("broken");
  EXPECT_EQ(preFilter(), "Error/B/running PreFilter plugin \"B\": broken");
}

TEST_F(RuntimeTest, PluginsThatLeaveNoCommonNodeAreNamed) {
  a_->narrowed = only("n1");
  EXPECT_EQ(preFilter(), "Success//");
  EXPECT_EQ(plugins_with_nodes_, std::vector<std::string>{"A"});
  b_->narrowed = only("n2");
  EXPECT_EQ(preFilter(), "UnschedulableAndUnresolvable//node(s) didn't satisfy plugin(s) [A B] simultaneously");
  a_->narrowed.node_names->clear();
  EXPECT_EQ(preFilter(), "UnschedulableAndUnresolvable//node(s) didn't satisfy plugin A");
}

TEST_F(RuntimeTest, ARejectionCarriesThePluginAndIsSharedAmongNodes) {
  a_->filter_status = Status(Code::kUnschedulable, "no");
  const Status one = framework_->runFilter(state_, pod_, n1_);
  const Status two = framework_->runFilter(state_, pod_, n2_);
  EXPECT_EQ(one.plugin(), "A");
  EXPECT_TRUE(one.sharedWith(two));
  EXPECT_EQ(b_->log, "");
}

TEST_F(RuntimeTest, AnErrorInFilterIsWrapped) {
  b_->filter_status = Status::error("broken");
  const Status status = framework_->runFilter(state_, pod_, n1_);
  EXPECT_EQ(status.message(), "running \"B\" filter plugin: broken");
  EXPECT_EQ(status.plugin(), "B");
}

TEST_F(RuntimeTest, NominatedPodsOfAtLeastThePodsPriorityTakeRoomInTheFirstPass) {
  nominator_.pods = {std::make_shared<PodInfo>(makePod("high", 5)), std::make_shared<PodInfo>(makePod("low", -5)),
                     std::make_shared<PodInfo>(makePod("p", 9))};
  a_->room = 0;
  EXPECT_EQ(framework_->runFilterPluginsWithNominatedPods(state_, pod_, n1_).message(), "full");
  EXPECT_EQ(a_->log, "+high 1");
  EXPECT_TRUE(n1_.pods.empty());
  a_->room = 1;
  a_->log.clear();
  EXPECT_TRUE(framework_->runFilterPluginsWithNominatedPods(state_, pod_, n1_).isSuccess());
  EXPECT_EQ(a_->log, "+high 1 0");
}

TEST_F(RuntimeTest, AFailingAddPodIsAnErrorAndLogged) {
  nominator_.pods = {std::make_shared<PodInfo>(makePod("high", 5))};
  a_->add_pod = Status::error("cannot");
  EXPECT_EQ(framework_->runFilterPluginsWithNominatedPods(state_, pod_, n1_).message(),
            "running AddPod on PreFilter plugin \"A\": cannot");
  EXPECT_EQ(logs(), "Plugin failed: cannot;");
}

TEST_F(RuntimeTest, PostFilterGathersReasonsUntilSomeoneSucceeds) {
  const NodeToStatus statuses;
  PostFilterResult result;
  a_->post_filter = Status(Code::kUnschedulable, "a");
  b_->post_filter = Status(Code::kUnschedulable, "b");
  Status status = framework_->runPostFilter(state_, pod_, statuses, result);
  EXPECT_EQ(status.message(), "a, b");
  EXPECT_EQ(status.plugin(), "A");
  EXPECT_FALSE(result.nominating.has_value());
  NominatingInfo nominating;
  nominating.mode = NominatingMode::kOverride;
  nominating.node = "n1";
  b_->post_filter = Status();
  b_->post_result.nominating = nominating;
  status = framework_->runPostFilter(state_, pod_, statuses, result);
  EXPECT_TRUE(status.isSuccess());
  EXPECT_EQ(result.nominating->node, "n1");
  a_->post_filter = Status::error("bad");
  status = framework_->runPostFilter(state_, pod_, statuses, result);
  EXPECT_TRUE(status.isError());
  EXPECT_FALSE(result.nominating.has_value());
}

TEST_F(RuntimeTest, ScoresAreNormalisedAndWeighed) {
  a_->scores = {{"n1", 1}, {"n2", 7}};
  a_->normalize = true;
  b_->scores = {{"n1", 100}, {"n2", 0}};
  ScoreTable table;
  table.nodes = {&n1_, &n2_};
  ASSERT_TRUE(framework_->runPreScore(state_, pod_, table.nodes).isSuccess());
  ASSERT_TRUE(framework_->runScore(state_, pod_, table).isSuccess());
  EXPECT_EQ(table.raw, (std::vector<std::int64_t>{1, 100, 7, 0}));
  EXPECT_EQ(table.totals, (std::vector<std::int64_t>{10 * 2 + 100 * 3, 70 * 2}));
}

TEST_F(RuntimeTest, APluginThatSkipsPreScoreDoesNotScore) {
  a_->pre_score = Status(Code::kSkip);
  b_->scores = {{"n1", 1}, {"n2", 2}};
  ScoreTable table;
  table.nodes = {&n1_, &n2_};
  ASSERT_TRUE(framework_->runPreScore(state_, pod_, table.nodes).isSuccess());
  ASSERT_TRUE(framework_->runScore(state_, pod_, table).isSuccess());
  EXPECT_EQ(table.totals, (std::vector<std::int64_t>{3, 6}));
  EXPECT_EQ(table.plugins, std::vector<std::size_t>{1});
}

TEST_F(RuntimeTest, ScoresOutsideOfTheirRangeAreAnError) {
  a_->scores = {{"n1", 0}, {"n2", 0}};
  b_->scores = {{"n1", 5}, {"n2", 101}};
  ScoreTable table;
  table.nodes = {&n1_, &n2_};
  EXPECT_EQ(
      framework_->runScore(state_, pod_, table).message(),
      "applying score defaultWeights on Score plugins: plugin \"B\" returns an invalid score 101, it should in the "
      "range of [0, 100] after normalizing");
  b_->scores["n2"] = -1;
  b_->score_status = Status::error("cannot");
  EXPECT_EQ(framework_->runScore(state_, pod_, table).message(),
            "running Score plugins: plugin \"B\" failed with: cannot");
  a_->pre_score = Status(Code::kUnschedulable, "odd");
  EXPECT_EQ(framework_->runPreScore(state_, pod_, table.nodes).message(), "running PreScore plugin \"A\": odd");
}

TEST_F(RuntimeTest, UnreserveGoesBackwards) {
  std::string order;
  a_->unreserved = b_->unreserved = &order;
  framework_->runUnreserve(state_, pod_.pod, "n1");
  EXPECT_EQ(order, "BA");
}

TEST_F(RuntimeTest, ReserveTellsRejectionsFromErrors) {
  a_->reserve_status = Status(Code::kUnschedulable, "taken");
  EXPECT_EQ(framework_->runReserve(state_, pod_.pod, "n1").plugin(), "A");
  a_->reserve_status = Status::error("broken");
  EXPECT_EQ(framework_->runReserve(state_, pod_.pod, "n1").message(), "running Reserve plugin \"A\": broken");
  EXPECT_EQ(logs(), "Plugin failed: broken;");
}

TEST_F(RuntimeTest, PermitWaitsNoLongerThanAQuarterOfAnHour) {
  std::map<std::string, clock::Duration> waits;
  a_->permit_status = b_->permit_status = Status(Code::kWait);
  a_->permit_timeout = clock::kMinute;
  b_->permit_timeout = 60 * clock::kMinute;
  EXPECT_TRUE(framework_->runPermit(state_, pod_.pod, "n1", waits).isWait());
  EXPECT_EQ(waits["A"], clock::kMinute);
  EXPECT_EQ(waits["B"], 15 * clock::kMinute);
  b_->permit_status = Status(Code::kUnschedulable, "no");
  EXPECT_EQ(framework_->runPermit(state_, pod_.pod, "n1", waits).plugin(), "B");
  EXPECT_TRUE(waits.empty());
}

TEST_F(RuntimeTest, PreBindGoesOnWhenThePluginHasDoneWaiting) {
  const auto state = std::make_shared<CycleState>();
  a_->flight = Status(Code::kSkip);
  a_->pre_bind = Status::error("must not run");
  ASSERT_TRUE(framework_->runPreBindPreFlight(*state, pod_.pod, "n1").isSuccess());
  b_->polls_left = 2;
  std::string outcome;
  framework_->runPreBind(state, pod_.pod, "n1", true, [&](const Status& s) { outcome = codeName(s.code()); });
  loop_.sleep(1500 * clock::kMillisecond);
  EXPECT_EQ(outcome, "");
  loop_.sleep(clock::kSecond);
  EXPECT_EQ(outcome, "Success");
}

TEST_F(RuntimeTest, ACancelledPreBindFailsWithTheReason) {
  const auto state = std::make_shared<CycleState>();
  b_->polls_left = 100;
  std::string outcome;
  framework_->runPreBind(state, pod_.pod, "n1", true, [&](const Status& s) { outcome = s.message(); });
  loop_.sleep(1500 * clock::kMillisecond);
  EXPECT_TRUE(framework_->cancelPodInPreBind("uid-p", "preempted"));
  loop_.sleep(1);
  EXPECT_EQ(outcome, "running PreBind plugin \"B\": preempted");
}

TEST_F(RuntimeTest, AFlightWithoutWorkIsSkipAndAnythingElseAnError) {
  a_->flight = b_->flight = Status(Code::kSkip);
  EXPECT_TRUE(framework_->runPreBindPreFlight(state_, pod_.pod, "n1").isSkip());
  b_->flight = Status(Code::kUnschedulable, "no");
  EXPECT_EQ(
      framework_->runPreBindPreFlight(state_, pod_.pod, "n1").message(),
      "PreBindPreFlight B returned \"Unschedulable\", which is unsupported. It is supposed to return Success, Skip, or "
      "Error status");
}

TEST_F(RuntimeTest, TheFirstBindPluginThatDoesNotSkipBinds) {
  const auto state = std::make_shared<CycleState>();
  std::string outcome;
  const auto bind = [&] {
    framework_->runBind(state, pod_.pod, "n1",
                        [&](const Status& s) { outcome = std::string(codeName(s.code())) + " " + s.message(); });
    return outcome;
  };
  a_->bind_status = Status(Code::kSkip);
  EXPECT_EQ(bind(), "Success ");
  b_->bind_status = Status::error("conflict");
  EXPECT_EQ(bind(), "Error running Bind plugin \"B\": conflict");
  b_->bind_status = Status(Code::kSkip);
  EXPECT_EQ(bind(), "Skip ");
}

TEST_F(RuntimeTest, APodIsSignedOnlyIfEveryPluginSigns) {
  a_->signs = true;
  EXPECT_FALSE(framework_->signPod(*pod_.pod).has_value());
}

}  // namespace
}  // namespace podberth::scheduler
