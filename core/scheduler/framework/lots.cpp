#include "core/scheduler/framework/lots.h"

namespace podberth::scheduler {

Lots::Lots(std::uint64_t seed, const std::vector<FollowedChoice>& followed) : state_(seed) {
  for (const FollowedChoice& choice : followed) followed_[{choice.pod, choice.attempt}].push_back(choice);
}

std::size_t Lots::draw(std::size_t n) {
  state_ += 0x9E3779B97F4A7C15ULL;
  std::uint64_t z = state_;
  z = (z ^ (z >> 30U)) * 0xBF58476D1CE4E5B9ULL;
  z = (z ^ (z >> 27U)) * 0x94D049BB133111EBULL;
  return static_cast<std::size_t>((z ^ (z >> 31U)) % n);
}

void Lots::beginAttempt(const std::string& pod, int attempt) {
  now_ = FollowedChoice();
  now_.pod = pod;
  now_.attempt = attempt;
  const auto it = followed_.find({pod, attempt});
  if (it == followed_.end()) return;
  now_ = std::move(it->second.front());
  it->second.pop_front();
  if (it->second.empty()) followed_.erase(it);
}

void Lots::refuse(const std::string& node, const std::string& why) {
  if (!refusal_.empty()) return;
  refusal_ = "the choice of node " + node + " for pod " + now_.pod + " (attempt " + std::to_string(now_.attempt) +
             ") cannot be followed: " + why;
}

}  // namespace podberth::scheduler
