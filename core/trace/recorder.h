// Where every station of the core reports to.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/clock/event_loop.h"
#include "core/trace/entry.h"

namespace podberth::trace {

class Recorder {
 public:
  explicit Recorder(const clock::EventLoop& loop) : loop_(loop) {}

  // Adds an entry, stamped with the time. The reference is good until the next one is added.
  Entry& add(Entry entry);
  Entry& add(Type type, std::string pod = {});

  // Entries before this instant count from another zero, as the oracle's.
  void restart();
  clock::Time start() const { return start_; }

  const std::vector<Entry>& entries() const { return entries_; }
  std::vector<Entry>& entries() { return entries_; }

  bool informers = false;        // record hops of objects through the informers
  bool points = true;            // record extension points
  bool skips = true;             // record each pod that an event did not help: pods times events
  std::size_t detail_limit = 0;  // clusters with more nodes than this record cycles as summaries; 0 = no limit

 private:
  const clock::EventLoop& loop_;
  std::vector<Entry> entries_;
  clock::Time start_ = clock::kEpoch;
};

// What one event did to the queue, in the order of the pods' names, and BackoffComplete before the other flush:
// upstream walks a Go map there. In place, from the entry at `from` on.
void order(std::vector<Entry>& entries, std::size_t from = 0);

// The whole trace as the judge reads it: one entry a line. `version` is the scheduler's; `failure` says why the trace
// ends early, if it does.
std::string toJson(const std::string& name, std::string_view version, const std::vector<Entry>& entries,
                   clock::Time start, const std::string& failure);
// One entry as a JSON object.
void appendJson(std::string& out, const Entry& entry, clock::Time start);

}  // namespace podberth::trace
