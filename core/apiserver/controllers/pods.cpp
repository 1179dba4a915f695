#include "core/apiserver/controllers/pods.h"

#include <algorithm>
#include <tuple>

#include "core/apiserver/json_view.h"

namespace podberth::apiserver {

namespace {

constexpr const char* kDeletionCost = "controller.kubernetes.io/pod-deletion-cost";

int phaseOrder(const api::Pod& pod) {
  return pod.status.phase == "Running" ? 2 : pod.status.phase == "Unknown" ? 1 : 0;
}

std::int64_t deletionCost(const api::Pod& pod) {
  const auto it = pod.meta.annotations.find(kDeletionCost);
  std::int64_t cost = 0;
  if (it != pod.meta.annotations.end()) {
    const Json value = Json::parse(it->second, nullptr, false);
    if (value.is_number_integer()) cost = value.get<std::int64_t>();
  }
  return cost;
}

// Ages that differ by less than a factor of two count as equal. Upstream: controller.logarithmicRankDiff.
int ageOrder(clock::Duration age) {
  if (age <= 0) return -1;
  int order = 0;
  for (clock::Duration rest = age; rest > 1; rest /= 2) ++order;
  return order;
}

clock::Time wholeSeconds(clock::Time t) { return t - (t % clock::kSecond + clock::kSecond) % clock::kSecond; }

// How much a pod would be missed.
struct Worth {
  bool assigned = false;
  int phase = 0;
  bool ready = false;
  std::int64_t cost = 0;
  int neighbours = 0;
  int ready_age = 0;
  int age = 0;
  MirroredPod pod;

  Worth(const MirroredPod& mirrored, int rank, clock::Time now)
      : assigned(mirrored->assigned()),
        phase(phaseOrder(*mirrored)),
        ready(isReady(*mirrored)),
        cost(deletionCost(*mirrored)),
        neighbours(rank),
        ready_age(ready ? ageOrder(now - wholeSeconds(mirrored.ready_since)) : 0),
        age(ageOrder(now - mirrored->meta.creation_timestamp.value_or(now))),
        pod(mirrored) {}

  bool operator<(const Worth& other) const {
    const auto key = [](const Worth& w) {
      return std::make_tuple(w.assigned, w.phase, w.ready, w.cost, -w.neighbours, w.ready_age, w.age);
    };
    if (key(*this) != key(other)) return key(*this) < key(other);
    return pod->meta.uid < other.pod->meta.uid;
  }
};

}  // namespace

bool isActive(const api::Pod& pod) { return !pod.terminal() && !pod.meta.deletion_timestamp; }

bool isReady(const api::Pod& pod) {
  if (!pod.assigned()) return false;
  const api::PodCondition* ready = pod.status.condition("Ready");
  return ready == nullptr || ready->status == "True";
}

bool isAvailable(const api::Pod& pod) { return isActive(pod) && isReady(pod); }

PodChange PodChange::between(const api::Pod& old_pod, const api::Pod& new_pod) {
  PodChange change;
  change.active = isActive(old_pod) != isActive(new_pod);
  change.ready = isAvailable(old_pod) != isAvailable(new_pod);
  change.labels = old_pod.meta.labels != new_pod.meta.labels;
  change.node = old_pod.spec.node_name != new_pod.spec.node_name;
  return change;
}

clock::Duration sooner(clock::Duration a, clock::Duration b) { return a == 0 ? b : b == 0 ? a : std::min(a, b); }

clock::Duration untilAvailable(const MirroredPods& pods, clock::Duration least, clock::Time now) {
  clock::Duration first = 0;
  if (least == 0) return first;
  for (const auto& item : pods) {
    const MirroredPod& pod = item.second;
    if (!isAvailable(*pod) || pod.availableFor(least, now)) continue;
    first = sooner(first, pod.ready_since + least - now);
  }
  return first;
}

void sortForDeletion(std::vector<MirroredPod>& pods, const std::function<int(const api::Pod&)>& rank, clock::Time now) {
  std::vector<Worth> worth;
  worth.reserve(pods.size());
  for (const MirroredPod& pod : pods) worth.emplace_back(pod, rank ? rank(*pod) : 0, now);
  std::sort(worth.begin(), worth.end());
  for (std::size_t i = 0; i < pods.size(); ++i) pods[i] = worth[i].pod;
}

}  // namespace podberth::apiserver
