#include "core/apiserver/controllers/controllers.h"

#include <algorithm>

#include "core/api/pod_util.h"
#include "core/api/workload.h"
#include "core/apiserver/workload.h"

namespace podberth::apiserver {

namespace {

constexpr clock::Duration kFirstRetry = clock::kSecond;
constexpr clock::Duration kLongestRetry = 1000 * clock::kSecond;

constexpr api::Kind kPodOwners[] = {api::Kind::kReplicationController, api::Kind::kReplicaSet, api::Kind::kStatefulSet,
                                    api::Kind::kDaemonSet, api::Kind::kJob};

}  // namespace

Controllers::Controllers(Server& server, clock::EventLoop& loop, trace::Recorder& recorder, clock::Duration latency)
    : loop_(loop),
      latency_(latency),
      mirror_(server, loop),
      writer_(server, mirror_, recorder),
      garbage_(loop, mirror_, writer_),
      eviction_(loop, mirror_, writer_, latency) {
  const ControlContext context{loop_, mirror_, specs_, writer_};
  for (auto* make : {makeDeploymentController, makeReplicaSetController, makeReplicationController,
                     makeStatefulSetController, makeDaemonSetController, makeJobController}) {
    std::unique_ptr<Controller> controller = make(context);
    controllers_.emplace(controller->kind(), std::move(controller));
  }
}

void Controllers::start() {
  mirror_.start(
      [this](const api::ObjectPtr& old_object, const api::ObjectPtr& new_object) { hear(old_object, new_object); });
}

clock::Time Controllers::due() const {
  clock::Time first = eviction_.due();
  if (!gone_.empty() && (first < 0 || gone_.begin()->first < first)) first = gone_.begin()->first;
  for (const auto& [key, work] : queue_) {
    if (!work.waits && (first < 0 || work.at < first)) first = work.at;
  }
  return first;
}

void Controllers::hear(const api::ObjectPtr& old_object, const api::ObjectPtr& new_object) {
  const api::ObjectPtr& object = new_object != nullptr ? new_object : old_object;
  garbage_.hear(old_object, new_object);
  eviction_.hear(old_object, new_object);
  if (object->kind == api::Kind::kPod) {
    hearPod(old_object, new_object);
  } else if (object->kind == api::Kind::kNode) {
    const bool same =
        old_object != nullptr && new_object != nullptr && old_object->meta.labels == object->meta.labels &&
        static_cast<const api::Node&>(*old_object).spec.taints == static_cast<const api::Node&>(*object).spec.taints;
    if (!same) enqueueAll(api::Kind::kDaemonSet);
  } else if (isWorkload(object->kind)) {
    if (new_object != nullptr) {
      enqueue(object->kind, object->key(), latency_);
    } else {
      // Another one of the same name starts afresh.
      refusals_.erase(Key(object->kind, object->key()));
      queue_.erase(Key(object->kind, object->key()));
      gone_.emplace(loop_.now() + latency_, object);
      loop_.after(latency_, [this, object] {
        for (auto it = gone_.begin(); it != gone_.end(); ++it) {
          if (it->second != object) continue;
          gone_.erase(it);
          break;
        }
        controllers_.at(object->kind)->forget(*object);
        specs_.forget(*object);
        mirror_.forget(*object);
        garbage_.collect(*object);
      });
    }
    if (object->kind == api::Kind::kReplicaSet) {
      enqueueOwner(*object, nullptr);
      // One that nobody owns may be taken in.
      if (api::controllerOf(object->meta) == nullptr) enqueueAll(api::Kind::kDeployment);
    }
  }
}

void Controllers::hearPod(const api::ObjectPtr& old_object, const api::ObjectPtr& new_object) {
  const api::Pod* old_pod = api::as<api::Pod>(old_object.get());
  const api::Pod* new_pod = api::as<api::Pod>(new_object.get());
  const auto uidOf = [](const api::Pod* pod) {
    const api::OwnerReference* owner = pod == nullptr ? nullptr : api::controllerOf(pod->meta);
    return owner == nullptr ? std::string() : owner->uid;
  };
  if (old_pod != nullptr && new_pod != nullptr && uidOf(old_pod) == uidOf(new_pod)) {
    const PodChange change = PodChange::between(*old_pod, *new_pod);
    enqueueOwner(*new_pod, &change);
    if (!change.labels) return;
  } else {
    for (const api::Pod* pod : {old_pod, new_pod}) {
      if (pod != nullptr) enqueueOwner(*pod, nullptr);
    }
  }
  if (new_pod == nullptr || !uidOf(new_pod).empty()) return;
  for (api::Kind kind : kPodOwners) {
    for (const auto& [key, owner] : mirror_.all(kind)) {
      if (owner->meta.ns != new_pod->meta.ns) continue;
      if (selectionOf(*owner).matches(new_pod->meta.labels)) enqueue(kind, key, latency_);
    }
  }
}

void Controllers::enqueueOwner(const api::Object& object, const PodChange* change) {
  const api::OwnerReference* reference = api::controllerOf(object.meta);
  if (reference == nullptr) return;
  for (const auto& [kind, controller] : controllers_) {
    if (api::kindName(kind) != reference->kind) continue;
    const std::string key = object.meta.ns + "/" + reference->name;
    const api::ObjectPtr owner = mirror_.get(kind, key);
    if (owner == nullptr || owner->meta.uid != reference->uid) return;
    if (change == nullptr || controller->concerns(*owner, *change) || refusals_.count(Key(kind, key)) != 0) {
      enqueue(kind, key, latency_);
    }
    // A Deployment waits for the pods of its ReplicaSets.
    if (kind == api::Kind::kReplicaSet) enqueueOwner(*owner, change);
    return;
  }
}

void Controllers::enqueueAll(api::Kind kind) {
  for (const auto& item : mirror_.all(kind)) enqueue(kind, item.first, latency_);
}

void Controllers::enqueue(api::Kind kind, const std::string& key, clock::Duration delay, bool waits) {
  const Key id(kind, key);
  const clock::Time at = loop_.now() + delay;
  const auto known = queue_.find(id);
  if (known != queue_.end() && known->second.at <= at) {
    known->second.waits = known->second.waits && waits;
    return;
  }
  queue_[id] = Work{at, waits};
  loop_.at(at, [this, id, at] {
    const auto work = queue_.find(id);
    if (work != queue_.end() && work->second.at == at) run(id);
  });
}

void Controllers::run(const Key& id) {
  queue_.erase(id);
  const api::ObjectPtr object = mirror_.get(id.first, id.second);
  if (object == nullptr || object->meta.deletion_timestamp) return;
  clock::Duration again = 0;
  if (!controllers_.at(id.first)->sync(*object, &again)) {
    int& refusals = refusals_[id];
    clock::Duration retry = kFirstRetry;
    for (int i = 0; i < refusals && retry < kLongestRetry; ++i) retry *= 2;
    ++refusals;
    enqueue(id.first, id.second, std::min(retry, kLongestRetry), true);
    return;
  }
  refusals_.erase(id);
  if (again > 0) enqueue(id.first, id.second, again, true);
}

}  // namespace podberth::apiserver
