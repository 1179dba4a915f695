// The pods that wait to be scheduled, as the rest of the scheduler sees them. activeQ: ready, the scheduler takes its
// head. backoffQ: tried before, waits for its backoff to end. Unschedulable pods: wait for an event that could help
// them. What brings pods back is the release's queue policy: SchedulingQueue (queueing hints) or MoveCycleQueue.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/api/pod.h"
#include "core/clock/event_loop.h"
#include "core/scheduler/framework/handle.h"
#include "core/scheduler/framework/plugin.h"
#include "core/scheduler/framework/queued_pod.h"
#include "core/scheduler/queue/cluster_event_map.h"
#include "core/scheduler/queue/queueing_hints.h"
#include "core/trace/recorder.h"

namespace podberth::scheduler {

// Whether an event on a node could help the pod at all; asked before anything else.
using PreEnqueueCheck = std::function<bool(const PodInfo& pod)>;
// The pod's signature for opportunistic batching; nullopt if it cannot be batched.
using PodSigner = std::function<std::optional<std::string>(const api::Pod& pod)>;

// Plugins and listers must outlive the queue.
struct QueueOptions {
  std::function<bool(const QueuedPodInfo& a, const QueuedPodInfo& b)> less;  // the QueueSort plugin
  clock::Duration initial_backoff = 1 * clock::kSecond;
  clock::Duration max_backoff = 10 * clock::kSecond;  // 0 = no backoff at all
  clock::Duration max_in_unschedulable = 5 * clock::kMinute;
  std::map<std::string, QueueingHintMap> hints;             // by profile
  ClusterEventMap events;                                   // of all profiles; for queues without hints
  std::map<std::string, std::vector<Plugin*>> pre_enqueue;  // by profile, in the profile's order
  std::map<std::string, PodSigner> signers;                 // by profile; empty = nothing is signed
  const Lister<api::Pod>* pods = nullptr;                   // asked whether a nominated pod still lives
  const Lister<api::Namespace>* namespaces = nullptr;       // asked for the labels that affinity terms select
};

class PodQueue : public PodNominator {
 public:
  // Starts the two flushes, of backoffQ each second and of the unschedulable pods every 30 s.
  virtual void run() = 0;
  // Stops them; pods in flight are done.
  virtual void close() = 0;

  // A new pod without a node.
  virtual void add(const api::PodPtr& pod) = 0;
  // A pod without a node has changed, wherever it is; an unknown one is added.
  virtual void update(const api::PodPtr& old_pod, const api::PodPtr& new_pod) = 0;
  // Takes a pod (by namespace and name) out of the queues and the nominator. One in flight stays so until done().
  virtual void remove(const api::Pod& pod) = 0;

  // Moves the pods that wait in backoffQ or as unschedulable to activeQ; for those in flight the wish is remembered.
  virtual void activate(const std::vector<api::PodPtr>& pods) = 0;
  // An event happened: moves the unschedulable pods to activeQ or backoffQ that it could help. `old_object` is null for
  // an addition, `new_object` for a deletion; an empty `check` lets every pod pass.
  virtual void moveAllToActiveOrBackoffQueue(const ClusterEvent& event, const api::ObjectPtr& old_object,
                                             const api::ObjectPtr& new_object, const PreEnqueueCheck& check = {}) = 0;
  // A pod with a node was added, or has changed.
  virtual void assignedPodAdded(const api::PodPtr& pod) = 0;
  virtual void assignedPodUpdated(const api::PodPtr& old_pod, const api::PodPtr& new_pod) = 0;

  // Whether pop() would return a pod.
  virtual bool poppable() const = 0;
  // Null if there is none. The pod's `attempts` count this attempt.
  virtual QueuedPodInfoPtr pop() = 0;
  // An attempt is over: the pod (by uid) is in flight no more. Does nothing for others.
  virtual void done(const std::string& uid) = 0;
  // Brings a pod back whose attempt has failed, with the plugins that rejected it in its info; none means that an error
  // happened. Ends the pod's flight in any case. On failure returns upstream's error text, "" otherwise.
  virtual std::string addUnschedulablePodIfNotPresent(const QueuedPodInfoPtr& info, std::int64_t scheduling_cycle) = 0;
  // Grows with each pop.
  virtual std::int64_t schedulingCycle() const = 0;

  // For showing.
  virtual std::vector<QueuedPodInfoPtr> podsInActiveQ() const = 0;      // in the order of popping
  virtual std::vector<QueuedPodInfoPtr> podsInBackoffQ() const = 0;     // in the order of popping
  virtual std::vector<QueuedPodInfoPtr> unschedulablePods() const = 0;  // gated ones too; by "namespace/name"
  // When the backoff of a pod in backoffQ ends; whether it waits there because of an error.
  virtual clock::Time backoffUntil(const QueuedPodInfo& info) const = 0;
  virtual bool inErrorBackoff(const QueuedPodInfo& info) const = 0;
  // Keys of the pods in the three, sorted.
  virtual trace::Queues queues() const = 0;
};

// The queue of the release that the gates are of.
std::unique_ptr<PodQueue> makePodQueue(clock::EventLoop& loop, trace::Recorder& recorder, const FeatureGates& gates,
                                       QueueOptions options);

}  // namespace podberth::scheduler
