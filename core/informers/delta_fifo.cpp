#include "core/informers/delta_fifo.h"

#include <set>
#include <utility>

namespace podberth::informers {

const char* deltaTypeName(Delta::Type type) {
  switch (type) {
    case Delta::Type::kAdded:
      return "Added";
    case Delta::Type::kUpdated:
      return "Updated";
    case Delta::Type::kDeleted:
      return "Deleted";
    case Delta::Type::kReplaced:
      return "Replaced";
    case Delta::Type::kSync:
      return "Sync";
  }
  return "";
}

void DeltaFifo::add(const api::ObjectPtr& object) {
  populated_ = true;
  queueAction(Delta::Type::kAdded, object->key(), object, false);
}

void DeltaFifo::update(const api::ObjectPtr& object) {
  populated_ = true;
  queueAction(Delta::Type::kUpdated, object->key(), object, false);
}

void DeltaFifo::remove(const api::ObjectPtr& object) {
  const std::string key = object->key();
  populated_ = true;
  // What neither waits here nor is known to the store has been deleted already (by a list, say).
  if (items_.count(key) == 0 && known_.get(key) == nullptr) return;
  queueAction(Delta::Type::kDeleted, key, object, false);
}

void DeltaFifo::replace(const std::vector<api::ObjectPtr>& objects) {
  std::set<std::string> keys;
  for (const api::ObjectPtr& object : objects) {
    keys.insert(object->key());
    queueAction(Delta::Type::kReplaced, object->key(), object, false);
  }
  std::size_t deletions = 0;
  std::vector<std::pair<std::string, api::ObjectPtr>> gone;
  for (const auto& [key, deltas] : items_) {
    // The newest thing known about an object that waits here; one whose deletion is known needs no second one.
    if (keys.count(key) == 0 && deltas.back().type != Delta::Type::kDeleted)
      gone.emplace_back(key, deltas.back().object);
  }
  for (const auto& [key, object] : gone) queueAction(Delta::Type::kDeleted, key, object, true);
  for (const std::string& key : known_.list_keys()) {
    if (keys.count(key) != 0 || items_.count(key) != 0) continue;
    ++deletions;
    queueAction(Delta::Type::kDeleted, key, known_.get(key), true);
  }
  if (!populated_) {
    populated_ = true;
    initial_population_ = keys.size() + gone.size() + deletions;
  }
}

void DeltaFifo::resync() {
  for (const std::string& key : known_.list_keys()) {
    if (items_.count(key) != 0) continue;  // something newer waits
    const api::ObjectPtr object = known_.get(key);
    if (object != nullptr) queueAction(Delta::Type::kSync, key, object, false);
  }
}

bool DeltaFifo::pop(const Process& process) {
  if (queue_.empty()) return false;
  const bool in_initial_list = !hasSynced();
  const std::string key = queue_.front();
  queue_.pop_front();
  if (initial_population_ > 0) --initial_population_;
  auto it = items_.find(key);
  const std::vector<Delta> deltas = std::move(it->second);
  items_.erase(it);
  process(key, deltas, in_initial_list);
  return true;
}

void DeltaFifo::queueAction(Delta::Type type, const std::string& key, const api::ObjectPtr& object,
                            bool final_state_unknown) {
  auto [it, is_new] = items_.try_emplace(key);
  std::vector<Delta>& deltas = it->second;
  if (is_new) queue_.push_back(key);
  Delta delta;
  delta.type = type;
  delta.object = object;
  delta.final_state_unknown = final_state_unknown;
  // Two deletions in a row are one; the one that knows the final state tells more.
  if (!deltas.empty() && type == Delta::Type::kDeleted && deltas.back().type == Delta::Type::kDeleted) {
    if (final_state_unknown) return;
    deltas.back() = delta;
    return;
  }
  deltas.push_back(std::move(delta));
}

}  // namespace podberth::informers
