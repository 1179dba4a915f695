// What a release leaves to chance: which of the nodes with the most points a pod goes to, and which of equally good
// preemption candidates is taken. Lots come from the scenario's seed, or they follow choices that were made elsewhere
// (by the real scheduler, say): those are taken if they are possible and refused if they are not.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace podberth::scheduler {

// What came of the lots in one attempt; "" where nothing did.
struct FollowedChoice {
  std::string pod;  // "namespace/name"
  int attempt = 0;
  std::string host;
  std::string preemption;  // the node whose pods were evicted for it
};

class Lots {
 public:
  explicit Lots(std::uint64_t seed = 1, const std::vector<FollowedChoice>& followed = {});

  // A number from 0 to n-1, n > 0: the next one of SplitMix64 (Steele, Lea and Flood 2014), started with the seed,
  // modulo n.
  std::size_t draw(std::size_t n);

  // From now on lots are drawn for this attempt. Of several attempts of one number (of pods of one name) the first that
  // is left is followed.
  void beginAttempt(const std::string& pod, int attempt);
  // The choices to follow in this attempt; "" if there is none: then lots are drawn.
  const std::string& host() const { return now_.host; }
  const std::string& preemption() const { return now_.preemption; }

  // A choice cannot be followed; `why` is a sentence about the node. The first refusal stays.
  void refuse(const std::string& node, const std::string& why);
  // "" if all could be followed.
  const std::string& refusal() const { return refusal_; }

 private:
  std::uint64_t state_;
  std::map<std::pair<std::string, int>, std::deque<FollowedChoice>> followed_;
  FollowedChoice now_;
  std::string refusal_;
};

}  // namespace podberth::scheduler
