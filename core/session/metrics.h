// Counters of a run up to a step, as kube-scheduler's metrics endpoint would count them (schedule_attempts_total,
// queue_incoming_pods_total), and how long pods waited in simulated time. Folded from the entries of the trace.
#pragma once

#include <map>
#include <string>
#include <utility>

#include "core/clock/time.h"
#include "core/trace/entry.h"

namespace podberth::session {

class Metrics {
 public:
  void apply(const trace::Entry& entry);

  // Attempts by result. One that found a node counts when its pod is bound.
  int scheduled() const { return scheduled_; }
  int unschedulable() const { return unschedulable_; }
  int errors() const { return errors_; }
  int evicted() const { return evicted_; }
  // Pods that came into a queue, by {event, queue}.
  const std::map<std::pair<std::string, std::string>, int>& moves() const { return moves_; }
  // From a pod's first queue to its binding, of all pods that were bound.
  clock::Duration totalWait() const { return total_wait_; }
  clock::Duration longestWait() const { return longest_wait_; }

 private:
  int scheduled_ = 0;
  int unschedulable_ = 0;
  int errors_ = 0;
  int evicted_ = 0;
  std::map<std::pair<std::string, std::string>, int> moves_;
  std::map<std::string, clock::Time> since_;  // pods that are on their way
  clock::Duration total_wait_ = 0;
  clock::Duration longest_wait_ = 0;
};

}  // namespace podberth::session
