// Pods that are to end. Upstream: pkg/controller/job/job_controller.go and indexed_job_utils.go. Not modelled: failure
// and success policies, limits per index, deadlines, and the removal of finished Jobs.
#include <algorithm>
#include <map>
#include <set>

#include "core/api/workload.h"
#include "core/apiserver/controllers/controller.h"
#include "core/apiserver/workload.h"

namespace podberth::apiserver {

namespace {

constexpr const char* kIndexKey = "batch.kubernetes.io/job-completion-index";
constexpr int kBurst = 500;
constexpr std::int64_t kDefaultBackoffLimit = 6;
constexpr clock::Duration kFirstBackoff = 10 * clock::kSecond;
constexpr clock::Duration kLongestBackoff = 10 * clock::kMinute;

int indexOf(const api::Pod& pod) {
  const auto it = pod.meta.annotations.find(kIndexKey);
  if (it == pod.meta.annotations.end()) return -1;
  const Json value = Json::parse(it->second, nullptr, false);
  return value.is_number_unsigned() ? static_cast<int>(value.get<std::uint32_t>() & 0x7FFFFFFFU) : -1;
}

// A Job given with a status that says that it is over.
bool isFinished(const api::Object& job) {
  const Json rest = parseRest(job.rest);
  for (const Json& condition : listOf(objectOf(rest, "status"), "conditions")) {
    const std::string type = stringOf(condition, "type");
    if ((type == "Complete" || type == "Failed") && stringOf(condition, "status") == "True") return true;
  }
  return false;
}

class JobController : public Controller {
 public:
  using Controller::Controller;
  api::Kind kind() const override { return api::Kind::kJob; }
  void forget(const api::Object& job) override { state_.erase(job.meta.uid); }

  bool sync(const api::Object& job, clock::Duration* again) override {
    if (isFinished(job)) return true;
    const Json spec = specOf(job);
    State& state = state_[job.meta.uid];
    std::vector<api::PodPtr> active = count(job, state);
    if (boolOf(spec, "suspend")) {
      remove(job, state, active, active.size());
      return true;
    }
    const auto completions = integerOf(spec, "completions");
    const bool single = !completions && !integerOf(spec, "parallelism");
    const std::int64_t wanted_completions = completions.value_or(1);
    const std::int64_t succeeded =
        isIndexed(spec) ? state.completed(wanted_completions) : static_cast<std::int64_t>(state.succeeded.size());
    if (state.failures > integerOf(spec, "backoffLimit").value_or(kDefaultBackoffLimit)) state.over = true;
    if ((completions || single) && succeeded >= wanted_completions) state.over = true;
    if (state.over) {
      remove(job, state, active, active.size());
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
    std::vector<api::PodPtr> condemned;
    if (isIndexed(spec)) condemned = takeMisplaced(active, wanted_completions);
    if (condemned.size() < surplus) {
      sortForDeletion(active, {}, loop_.now());
      const auto end = active.begin() + static_cast<std::ptrdiff_t>(surplus - condemned.size());
      condemned.insert(condemned.end(), active.begin(), end);
    }
    if (!condemned.empty()) {
      remove(job, state, condemned, condemned.size());
      return true;
    }
    if (difference == 0) return true;
    if (const clock::Duration wait = state.waitAt(loop_.now()); wait > 0) {
      *again = wait;
      return true;
    }
    return create(job, spec, state, active, static_cast<int>(std::min<std::int64_t>(difference, kBurst)));
  }

 private:
  struct State {
    std::set<std::string> succeeded;  // uids
    std::set<std::string> failed;
    std::set<int> indexes;                      // completed
    std::map<std::string, std::string> active;  // uid by key, as of the last look
    std::int64_t failures = 0;                  // pods that failed or were taken away
    int in_a_row = 0;                           // since the last success
    clock::Time last_failure = 0;
    int made = 0;
    bool over = false;

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
  std::vector<api::PodPtr> count(const api::Object& job, State& state) {
    std::vector<api::PodPtr> active;
    std::map<std::string, std::string> now_active;
    for (const api::PodPtr& pod : writer_.claim(job)) {
      const std::string& uid = pod->meta.uid;
      if (isActive(*pod)) {
        active.push_back(pod);
        now_active[pod->key()] = uid;
      } else if (pod->status.phase == "Succeeded") {
        if (state.succeeded.insert(uid).second) state.in_a_row = 0;
        if (const int index = indexOf(*pod); index >= 0) state.indexes.insert(index);
      } else if (state.failed.insert(uid).second) {
        state.fail(loop_.now());
      }
    }
    // Pods that were taken away before they ended have failed.
    for (const auto& [key, uid] : state.active) {
      if (now_active.count(key) != 0 || state.succeeded.count(uid) != 0) continue;
      if (state.failed.insert(uid).second) state.fail(loop_.now());
    }
    state.active = std::move(now_active);
    return active;
  }

  // Takes the pods out of `pods` that do not count: those without an index, those beyond the last, and all but one of
  // an index. Upstream: appendDuplicatedIndexPodsForRemoval.
  std::vector<api::PodPtr> takeMisplaced(std::vector<api::PodPtr>& pods, std::int64_t completions) const {
    std::vector<api::PodPtr> out;
    std::map<int, std::vector<api::PodPtr>> by_index;
    for (const api::PodPtr& pod : pods) {
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

  void remove(const api::Object& job, State& state, const std::vector<api::PodPtr>& pods, std::size_t number) {
    for (std::size_t i = 0; i < std::min(number, pods.size()); ++i) {
      state.active.erase(pods[i]->key());
      writer_.remove(*pods[i], job);
    }
  }

  bool create(const api::Object& job, const Json& spec, State& state, const std::vector<api::PodPtr>& active,
              int number) {
    const Json pod = Writer::podJson(objectOf(spec, "template"), job);
    std::set<int> taken = state.indexes;
    for (const api::PodPtr& other : active) taken.insert(indexOf(*other));
    int index = 0;
    for (int i = 0; i < number; ++i) {
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
