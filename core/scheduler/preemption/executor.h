// Evicts victims while scheduling goes on, and knows which preemptors must stay out of the queue meanwhile.
// Upstream: pkg/scheduler/framework/preemption/executor.go, KEP-4832.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/scheduler/framework/handle.h"
#include "core/scheduler/preemption/victims.h"

namespace podberth::scheduler::preemption {

// While it is on, evictions do not hold up the scheduling cycle.
inline constexpr std::string_view kAsyncPreemptionGate = "SchedulerAsyncPreemption";

class Executor {
 public:
  explicit Executor(Handle& handle) : handle_(handle) {}

  // Starts, on the event loop: lower-priority pods nominated to the node lose their nomination; the victims that are
  // not being deleted already are evicted one after the other (condition DisruptionTarget, deletion, Event). A victim
  // that waits for Permit or is in its PreBind is turned back instead.
  void actuate(const Candidate& candidate, const api::PodPtr& preemptor, std::string_view plugin);

  // The same within the scheduling cycle, which lasts until all is written: what happens while the gate
  // SchedulerAsyncPreemption is off. Nominations are cleared after the evictions. An error if a victim could not be
  // evicted.
  Status actuateNow(const Candidate& candidate, const api::PodPtr& preemptor, std::string_view plugin);

  // True while the pod (by uid) waits for evictions to be sent. Once the last one is seen to have happened it need not
  // wait.
  bool isPreempting(const std::string& uid) const;

 private:
  struct Run {
    std::string node;
    std::vector<api::PodPtr> victims;
    api::PodPtr preemptor;
    std::string plugin;
    std::vector<api::PodPtr> nominated;  // whose nominations are to be cleared
    std::vector<std::string> nomination_errors;
    bool failed = false;
    bool last_in_memory = false;  // no deletion will be seen of the last victim
  };
  using RunPtr = std::shared_ptr<Run>;
  // Gets whether the victim was turned back without a deletion, or what went wrong.
  using Evicted = std::function<void(bool in_memory, const std::string& error)>;

  static RunPtr makeRun(const Candidate& candidate, const api::PodPtr& preemptor, std::string_view plugin);
  void start(const RunPtr& run);
  void clearNominations(const RunPtr& run, std::size_t next);
  void evictFrom(const RunPtr& run, std::size_t next);
  void evictLast(const RunPtr& run);
  void finish(const RunPtr& run);
  void evict(const RunPtr& run, const api::PodPtr& victim, Evicted done);
  void deleteVictim(const RunPtr& run, const api::PodPtr& victim, Evicted done);
  void report(const RunPtr& run, const api::Pod& victim, bool in_memory);

  Handle& handle_;
  std::set<std::string> preempting_;  // uids of preemptors
  // The last victim ("namespace", "name") that a preemptor still waits for, by the preemptor's uid.
  std::map<std::string, std::pair<std::string, std::string>> last_victims_;
};

}  // namespace podberth::scheduler::preemption
