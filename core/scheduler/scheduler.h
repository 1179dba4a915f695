// The scheduler: what the informers tell it goes to the cache and the queue; ScheduleOne takes a pod from the queue
// through its scheduling cycle and its binding cycle. Upstream: pkg/scheduler/scheduler.go, schedule_one.go,
// eventhandlers.go.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/clock/event_loop.h"
#include "core/informers/handler.h"
#include "core/scheduler/config/extender.h"
#include "core/scheduler/config/types.h"
#include "core/scheduler/extender_rules.h"
#include "core/scheduler/framework/handle.h"
#include "core/trace/recorder.h"

namespace podberth::scheduler {

// What the scheduler is made of and talks to; all of it must outlive the scheduler.
struct Dependencies {
  clock::EventLoop* loop = nullptr;
  trace::Recorder* recorder = nullptr;
  const FeatureGates* gates = nullptr;  // and with them the release
  Lots* lots = nullptr;
  ApiClient* client = nullptr;
  informers::InformerFactory* informers = nullptr;
  const Listers* listers = nullptr;
  // The configuration's extenders, and who answers for them; those for whom nobody does are not asked. Read when the
  // scheduler is made.
  const std::vector<config::Extender>* extenders = nullptr;
  const std::vector<ExtenderServer>* extender_servers = nullptr;
  // Whether the registry has the sample plugins too.
  bool sample_plugins = false;
  // For benchmarks: if given, read (in nanoseconds) before and after each decision (schedulePod: filter, score,
  // select), and the difference appended to `decisions`.
  std::int64_t (*decision_clock)() = nullptr;
  std::vector<std::int64_t>* decisions = nullptr;
};

// A pod in a queue, for whoever shows it.
struct QueuedPodView {
  std::string pod;  // "namespace/name"
  std::int32_t priority = 0;
  int attempts = 0;
  clock::Time backoff_until = 0;  // in backoffQ
  bool error_backoff = false;
  std::vector<std::string> unschedulable_plugins;
  std::vector<std::string> pending_plugins;
  std::string gating_plugin;
};

class Scheduler {
 public:
  // Makes the profiles and their plugins and registers the event handlers. Null, with the text of why the scheduler
  // does not start in *error, if it cannot.
  static std::unique_ptr<Scheduler> create(const config::Configuration& config, const Dependencies& deps,
                                           std::string* error);
  virtual ~Scheduler() = default;

  // Starts the queue's flush timers at the current time.
  virtual void run() = 0;
  // Whether a pod can be popped now (activeQ, or backoffQ where popping from it is on).
  virtual bool poppable() const = 0;
  // Pops a pod and takes it through its scheduling cycle; its binding cycle goes on through the event loop. Records the
  // cycle. False if there was nothing to pop.
  virtual bool scheduleOne() = 0;

  virtual std::vector<QueuedPodView> activeQ() const = 0;  // in the order of popping
  virtual std::vector<QueuedPodView> backoffQ() const = 0;
  virtual std::vector<QueuedPodView> unschedulablePods() const = 0;  // gated ones too; by name
  // The three as the trace's state entries have them.
  virtual trace::Queues queues() const = 0;
};

}  // namespace podberth::scheduler
