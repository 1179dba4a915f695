// The queue between a reflector and the store: what has happened to each object since it was last looked at, object by
// object in the order in which they were first touched. Upstream: client-go/tools/cache/delta_fifo.go.
#pragma once

#include <deque>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "core/api/meta.h"

namespace podberth::informers {

struct Delta {
  enum class Type { kAdded, kUpdated, kDeleted, kReplaced, kSync };
  Type type = Type::kAdded;
  api::ObjectPtr object;
  // Of kDeleted: the deletion itself was missed, `object` is the last state known (DeletedFinalStateUnknown).
  bool final_state_unknown = false;
};
// "Added", "Updated", "Deleted", "Replaced", "Sync".
const char* deltaTypeName(Delta::Type type);

class DeltaFifo {
 public:
  // What the store knows, so that a replacement can tell what has gone, and a deletion of what nobody knows is dropped.
  struct KnownObjects {
    std::function<std::vector<std::string>()> list_keys;
    std::function<api::ObjectPtr(const std::string& key)> get;
  };
  using Process = std::function<void(const std::string& key, const std::vector<Delta>& deltas, bool in_initial_list)>;

  explicit DeltaFifo(KnownObjects known) : known_(std::move(known)) {}

  void add(const api::ObjectPtr& object);
  void update(const api::ObjectPtr& object);
  void remove(const api::ObjectPtr& object);
  // A fresh list: each object as Replaced; what the list lacks as Deleted with its final state unknown.
  void replace(const std::vector<api::ObjectPtr>& objects);
  // Every object of the store that does not wait here already, as Sync.
  void resync();

  // Hands the oldest object's deltas to `process`. False if nothing waits.
  bool pop(const Process& process);
  bool empty() const { return queue_.empty(); }
  std::size_t size() const { return queue_.size(); }
  // All of the first list, if there was one, has been popped.
  bool hasSynced() const { return populated_ && initial_population_ == 0; }

 private:
  void queueAction(Delta::Type type, const std::string& key, const api::ObjectPtr& object, bool final_state_unknown);

  KnownObjects known_;
  std::map<std::string, std::vector<Delta>> items_;
  std::deque<std::string> queue_;
  bool populated_ = false;
  std::size_t initial_population_ = 0;
};

}  // namespace podberth::informers
