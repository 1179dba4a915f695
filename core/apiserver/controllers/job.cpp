// Pods that are to end. Upstream: pkg/controller/job/job_controller.go and indexed_job_utils.go, and
// pkg/controller/ttlafterfinished. Not modelled: failure and success policies, and limits per index.
#include <algorithm>
#include <map>
#include <set>

#include "core/api/workload.h"
#include "core/apiserver/controllers/controller.h"
#include "core/apiserver/workload.h"

namespace podberth::apiserver {

namespace {

constexpr const char* kIndexKey = "batch.kubernetes.io/job-completion-index";
constexpr std::size_t kBurst = 500;  // pods made or removed in one go
constexpr std::int64_t kDefaultBackoffLimit = 6;
constexpr clock::Duration kFirstBackoff = 10 * clock::kSecond;
constexpr clock::Duration kLongestBackoff = 10 * clock::kMinute;
constexpr std::int64_t kLongestSeconds = 1LL << 32;
constexpr const char* kOwnController = "kubernetes.io/job-controller";

int indexOf(const api::Pod& pod) {
  const auto it = pod.meta.annotations.find(kIndexKey);
  if (it == pod.meta.annotations.end()) return -1;
  const Json value = Json::parse(it->second, nullptr, false);
  return value.is_number_unsigned() ? static_cast<int>(value.get<std::uint32_t>() & 0x7FFFFFFFU) : -1;
}

clock::Time timeOf(const Json& object, const char* key, clock::Time fallback) {
  clock::Time t = 0;
  return clock::parseRfc3339(stringOf(object, key), t) ? t : fallback;
}

// When a Job was over that is given with a status that says so; -1 if it does not.
clock::Time finishedAt(const Json& status, clock::Time now) {
  for (const Json& condition : listOf(status, "conditions")) {
    const std::string type = stringOf(condition, "type");
    if ((type == "Complete" || type == "Failed") && stringOf(condition, "status") == "True") {
      return timeOf(condition, "lastTransitionTime", now);
    }
  }
  return -1;
}

// A number of seconds of the spec; -1 if it is not given.
clock::Duration secondsOf(const Json& spec, const char* key) {
  const auto given = integerOf(spec, key);
  return given ? std::min<std::int64_t>(*given, kLongestSeconds) * clock::kSecond : -1;
}

class JobController : public Controller {
 public:
  using Controller::Controller;
  api::Kind kind() const override { return api::Kind::kJob; }
  void forget(const api::Object& job) override { state_.erase(job.meta.uid); }

  bool concerns(const api::Object& /*job*/, const PodChange& change) const override {
    return change.active || change.labels;
  }

  bool sync(const api::Object& job, clock::Duration* again) override {
    const Json& spec = specs_.of(job).json;
    if (const std::string by = stringOf(spec, "managedBy"); !by.empty() && by != kOwnController) return true;
    const auto known = state_.find(job.meta.uid);
    State& state = known != state_.end() ? known->second : state_[job.meta.uid];
    if (known == state_.end()) {
      const Json rest = parseRest(job.rest);
      const Json& status = objectOf(rest, "status");
      state.finished = finishedAt(status, loop_.now());
      state.over = state.finished >= 0;
      if (!boolOf(spec, "suspend")) state.start = timeOf(status, "startTime", loop_.now());
    }
    if (state.finished >= 0) {
      expire(job, spec, state, again);
      return true;
    }
    std::vector<MirroredPod> active = count(job, state);
    if (boolOf(spec, "suspend")) {
      state.start = -1;
      remove(job, state, active);
      return true;
    }
    if (state.start < 0) state.start = loop_.now();
    if (const clock::Duration deadline = secondsOf(spec, "activeDeadlineSeconds"); deadline >= 0) {
      const clock::Duration left = state.start + deadline - loop_.now();
      if (left <= 0) state.over = true;
      *again = std::max<clock::Duration>(left, 0);
    }
    const auto completions = integerOf(spec, "completions");
    const bool single = !completions && !integerOf(spec, "parallelism");
    const std::int64_t wanted_completions = completions.value_or(1);
    const std::int64_t succeeded = isIndexed(spec) ? state.completed(wanted_completions) : state.succeeded;
    if (state.failures > integerOf(spec, "backoffLimit").value_or(kDefaultBackoffLimit)) state.over = true;
    if ((completions || single) && succeeded >= wanted_completions) state.over = true;
    if (!completions && !single && succeeded > 0 && active.empty()) state.over = true;
    if (state.over) {
      remove(job, state, active);
      state.finished = loop_.now();
      *again = 0;
      expire(job, spec, state, again);
      return true;
    }
    auto want = integerOf(spec, "parallelism").value_or(1);
    if (completions || single) {
      want = std::min(want, wanted_completions - succeeded);
    } else if (succeeded > 0) {
      want = static_cast<std::int64_t>(active.size());
    }
    const std::int64_t difference = want - static_cast<std::int64_t>(active.size());
    const auto surplus = static_cast<std::size_t>(std::max<std::int64_t>(-difference, 0));
    std::vector<MirroredPod> condemned;
    if (isIndexed(spec)) condemned = takeMisplaced(active, wanted_completions);
    if (condemned.size() < surplus) {
      sortForDeletion(active, {}, loop_.now());
      const auto end = active.begin() + static_cast<std::ptrdiff_t>(surplus - condemned.size());
      condemned.insert(condemned.end(), active.begin(), end);
    }
    if (!condemned.empty()) {
      if (condemned.size() > kBurst) condemned.resize(kBurst);
      remove(job, state, condemned);
      return true;
    }
    if (difference == 0) return true;
    if (const clock::Duration wait = state.waitAt(loop_.now()); wait > 0) {
      *again = sooner(*again, wait);
      return true;
    }
    return create(job, spec, state, active, std::min(static_cast<std::size_t>(difference), kBurst));
  }

 private:
  // A pod as of the last look, and whether it counts as running.
  struct Seen {
    api::PodPtr pod;
    bool active = false;
  };
  struct State {
    std::map<std::string, Seen> seen;  // by key
    std::int64_t succeeded = 0;        // pods
    std::set<int> indexes;             // completed
    std::int64_t failures = 0;         // pods that failed or were taken away
    int in_a_row = 0;                  // since the last success
    clock::Time last_failure = 0;
    int made = 0;
    bool over = false;
    clock::Time start = -1;     // since when it has been running; -1 while it is suspended
    clock::Time finished = -1;  // when its last pod ended

    // How many of the first `completions` indexes are through.
    std::int64_t completed(std::int64_t completions) const {
      return std::count_if(indexes.begin(), indexes.end(), [&](int index) { return index < completions; });
    }
    void fail(clock::Time now) {
      ++failures;
      ++in_a_row;
      last_failure = now;
    }
    // How long the next pod has to wait.
    clock::Duration waitAt(clock::Time now) const {
      if (in_a_row == 0) return 0;
      clock::Duration backoff = kFirstBackoff;
      for (int i = 1; i < in_a_row && backoff < kLongestBackoff; ++i) backoff *= 2;
      return last_failure + std::min(backoff, kLongestBackoff) - now;
    }
  };

  static bool isIndexed(const Json& spec) { return stringOf(spec, "completionMode") == "Indexed"; }

  // Takes in what has become of the Job's pods. Returns those that are active.
  std::vector<MirroredPod> count(const api::Object& job, State& state) {
    std::vector<MirroredPod> active;
    const Claimed claimed = writer_.claim(job);
    // Both are in the order of the keys: walk them side by side.
    auto seen = state.seen.begin();
    const auto gone = [&] {
      // A pod that was taken away before it ended has failed.
      if (seen->second.active) state.fail(loop_.now());
      seen = state.seen.erase(seen);
    };
    for (const auto& [key, pod] : claimed.pods()) {
      while (seen != state.seen.end() && seen->first < key) gone();
      if (seen != state.seen.end() && seen->first == key && seen->second.pod->meta.uid != pod->meta.uid) gone();
      if (seen == state.seen.end() || seen->first != key) {
        seen = state.seen.emplace_hint(seen, key, Seen());
        seen->second.active = true;
      }
      if (seen->second.pod != pod.pod) {
        seen->second.pod = pod.pod;
        if (seen->second.active && !isActive(*pod)) {
          seen->second.active = false;
          end(*pod, state);
        }
      }
      if (isActive(*pod)) active.push_back(pod);
      ++seen;
    }
    while (seen != state.seen.end()) gone();
    return active;
  }

  void end(const api::Pod& pod, State& state) {
    if (pod.status.phase != "Succeeded") {
      state.fail(loop_.now());
      return;
    }
    ++state.succeeded;
    state.in_a_row = 0;
    if (const int index = indexOf(pod); index >= 0) state.indexes.insert(index);
  }

  // A Job that is over goes when its time is up.
  void expire(const api::Object& job, const Json& spec, const State& state, clock::Duration* again) {
    const clock::Duration ttl = secondsOf(spec, "ttlSecondsAfterFinished");
    if (ttl < 0) return;
    const clock::Duration left = state.finished + ttl - loop_.now();
    if (left > 0) {
      *again = left;
    } else {
      writer_.remove(job, job, "expire");
    }
  }

  // Takes the pods out of `pods` that do not count: those without an index, those beyond the last, and all but one of
  // an index. Upstream: appendDuplicatedIndexPodsForRemoval.
  std::vector<MirroredPod> takeMisplaced(std::vector<MirroredPod>& pods, std::int64_t completions) const {
    std::vector<MirroredPod> out;
    std::map<int, std::vector<MirroredPod>> by_index;
    for (const MirroredPod& pod : pods) {
      const int index = indexOf(*pod);
      if (index < 0 || index >= completions) {
        out.push_back(pod);
      } else {
        by_index[index].push_back(pod);
      }
    }
    pods.clear();
    for (auto& [index, same] : by_index) {
      if (same.size() > 1) sortForDeletion(same, {}, loop_.now());
      out.insert(out.end(), same.begin(), same.end() - 1);
      pods.push_back(same.back());
    }
    return out;
  }

  void remove(const api::Object& job, State& state, const std::vector<MirroredPod>& pods) {
    for (const MirroredPod& pod : pods) {
      state.seen[pod->key()].active = false;  // no failure
      writer_.remove(*pod, job);
    }
  }

  bool create(const api::Object& job, const Json& spec, State& state, const std::vector<MirroredPod>& active,
              std::size_t number) {
    const Json pod = Writer::podJson(objectOf(spec, "template"), job);
    std::set<int> taken = state.indexes;
    for (const MirroredPod& other : active) taken.insert(indexOf(*other));
    int index = 0;
    for (std::size_t i = 0; i < number; ++i) {
      Json one = pod;
      std::string prefix = job.meta.name + "-";
      if (isIndexed(spec)) {
        while (taken.count(index) != 0) ++index;
        taken.insert(index);
        const std::string text = std::to_string(index);
        one["metadata"]["annotations"][kIndexKey] = text;
        one["metadata"]["labels"][kIndexKey] = text;
        one["spec"]["hostname"] = job.meta.name + "-" + text;
        prefix += text + "-";
      }
      if (!writer_.createNamed(std::move(one), prefix, job.key() + "/" + std::to_string(state.made), job)) return false;
      ++state.made;
    }
    return true;
  }

  std::map<std::string, State> state_;  // by the Job's uid
};

}  // namespace

std::unique_ptr<Controller> makeJobController(const ControlContext& context) {
  return std::make_unique<JobController>(context);
}

}  // namespace podberth::apiserver
