#include "core/scheduler/select_host.h"

#include <gtest/gtest.h>

#include <set>

namespace podberth::scheduler {
namespace {

class SelectHost : public ::testing::Test {
 protected:
  SelectHost() {
    for (std::size_t i = 0; i < infos_.size(); ++i) {
      auto node = std::make_shared<api::Node>();
      node->meta.name = "n" + std::to_string(i);
      infos_[i].setNode(node);
      nodes_.push_back(&infos_[i]);
    }
  }
  Lots following(const std::string& host) {
    FollowedChoice choice;
    choice.pod = "default/p";
    choice.attempt = 1;
    choice.host = host;
    Lots lots(1, {choice});
    lots.beginAttempt("default/p", 1);
    return lots;
  }
  std::vector<NodeInfo> infos_{4};
  std::vector<NodeInfo*> nodes_;
};

TEST_F(SelectHost, TheOnlyBestIsTaken) {
  Lots lots;
  EXPECT_EQ(selectHost(nodes_, {3, 9, 2, 8}, lots), 1U);
}

TEST_F(SelectHost, AmongTheBestEachIsTakenSometimesAndNoOther) {
  Lots lots;
  std::set<std::size_t> taken;
  for (int i = 0; i < 100; ++i) taken.insert(selectHost(nodes_, {5, 9, 9, 9}, lots));
  EXPECT_EQ(taken, (std::set<std::size_t>{1, 2, 3}));
}

TEST_F(SelectHost, AFollowedChoiceAmongTheBestIsTaken) {
  Lots lots = following("n3");
  EXPECT_EQ(selectHost(nodes_, {5, 9, 9, 9}, lots), 3U);
  EXPECT_EQ(lots.refusal(), "");
}

TEST_F(SelectHost, AFollowedChoiceThatIsNotAmongTheBestIsRefused) {
  Lots lots = following("n0");
  EXPECT_NE(selectHost(nodes_, {5, 9, 9, 9}, lots), 0U);
  EXPECT_EQ(lots.refusal(),
            "the choice of node n0 for pod default/p (attempt 1) cannot be followed: it has 5 points, the best have 9");
}

TEST_F(SelectHost, AFollowedChoiceThatDoesNotFitIsRefused) {
  Lots lots = following("n9");
  selectHost(nodes_, {5, 9, 9, 9}, lots);
  EXPECT_EQ(lots.refusal(),
            "the choice of node n9 for pod default/p (attempt 1) cannot be followed: the pod does not fit there");
}

}  // namespace
}  // namespace podberth::scheduler
