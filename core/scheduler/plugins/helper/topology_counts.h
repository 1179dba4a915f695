// Counts of pods by topology domain, kept up to date from one scheduling cycle to the next instead of counted anew:
// only nodes that have changed since are looked at again. Topology values are numbers here; the counts are arrays.
//
// How it fits together: a plugin has one SnapshotIndex and calls sync() first of all. The index knows which rows
// (positions in the snapshot's list) have changed, and which value each row has for each topology key asked for. A
// Tally is a count of some kind of pods by the values of one key; it belongs to an object that remembers, with a
// Cursor, how far it has followed the index.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/api/node.h"
#include "core/api/symbol.h"
#include "core/scheduler/framework/node_info.h"

namespace podberth::scheduler::plugins {

// A number for each value of a topology key; kNoValue where a node does not have the label.
using TopologyValue = std::int32_t;
inline constexpr TopologyValue kNoValue = -1;

class TopologyKey {
 public:
  explicit TopologyKey(api::Symbol name) : name_(name) {}

  api::Symbol name() const { return name_; }
  // The number of a value, given out at first sight.
  TopologyValue number(api::Symbol value);
  // kNoValue if the value was never seen.
  TopologyValue find(api::Symbol value) const;
  TopologyValue valueOf(const api::Node& node) const;
  TopologyValue valueAt(int row) const { return by_row_[static_cast<std::size_t>(row)]; }
  std::size_t size() const { return numbers_.size(); }

 private:
  friend class SnapshotIndex;
  api::Symbol name_;
  std::unordered_map<api::Symbol, TopologyValue> numbers_;
  std::vector<TopologyValue> by_row_;
};

class SnapshotIndex {
 public:
  // How far somebody has followed the changes.
  struct Cursor {
    std::uint64_t epoch = 0;
    std::uint64_t position = 0;
  };

  // Notes what has changed in the snapshot since the last call.
  void sync(const Snapshot& snapshot);

  // The key's numbers, kept up to date from now on. The address stays.
  TopologyKey& key(api::Symbol name);

  std::size_t size() const { return rows_.size(); }
  const NodeInfo& node(int row) const { return *rows_[static_cast<std::size_t>(row)].info; }
  // The row of the same node object, -1 if there is none. Pods on it may differ: a copy of a node has the row of the
  // node.
  int rowOf(const NodeInfo& node) const {
    const auto row = static_cast<std::size_t>(node.index);
    if (node.index < 0 || row >= rows_.size() || rows_[row].node.get() != node.node()) return -1;
    return node.index;
  }
  // Whether it is the snapshot's node with the snapshot's pods.
  bool isCurrent(int row, const NodeInfo& node) const {
    return row >= 0 && rows_[static_cast<std::size_t>(row)].generation == node.generation;
  }
  // The node's value of the key, by its row if it has one.
  TopologyValue valueOf(const TopologyKey& key, int row, const NodeInfo& node) const {
    return row >= 0 ? key.valueAt(row) : key.valueOf(*node.node());
  }

  // Calls `reset()` first if everything has to be counted anew, then `row(number)` for each row to look at again; a row
  // may come twice.
  template <class Reset, class Row>
  void follow(Cursor& cursor, Reset reset, Row row) const {
    if (cursor.epoch != epoch_ || cursor.position < log_start_) {
      reset();
      for (std::size_t i = 0; i < rows_.size(); ++i) row(static_cast<int>(i));
    } else {
      for (std::uint64_t i = cursor.position; i < log_start_ + log_.size(); ++i) {
        row(log_[static_cast<std::size_t>(i - log_start_)]);
      }
    }
    cursor.epoch = epoch_;
    cursor.position = log_start_ + log_.size();
  }

 private:
  struct RowState {
    const NodeInfo* info = nullptr;
    std::int64_t generation = -1;
    api::NodePtr node;
  };

  std::vector<RowState> rows_;
  std::vector<std::unique_ptr<TopologyKey>> keys_;
  std::vector<int> log_;         // rows that changed, in order
  std::uint64_t log_start_ = 0;  // number of the log's first entry
  std::uint64_t epoch_ = 0;      // grows when rows come or go
  const Snapshot* synced_ = nullptr;
  std::int64_t synced_generation_ = 0;
};

// Pods of some kind by the values of one key. On nodes that do not take part, pods are counted for the row only.
class Tally {
 public:
  void reset(std::size_t rows);
  // Sets what the row contributes: `pods` of them at `value` (kNoValue: it takes no part).
  void set(int row, TopologyValue value, std::int32_t pods);

  std::int64_t podsAt(TopologyValue value) const {
    const auto i = static_cast<std::size_t>(value);
    return value >= 0 && i < pods_.size() ? pods_[i] : 0;
  }
  bool hasDomain(TopologyValue value) const {
    const auto i = static_cast<std::size_t>(value);
    return value >= 0 && i < nodes_.size() && nodes_[i] > 0;
  }
  std::int32_t podsOnRow(int row) const { return rows_[static_cast<std::size_t>(row)].pods; }
  TopologyValue valueOnRow(int row) const { return rows_[static_cast<std::size_t>(row)].value; }
  // Values that a node which takes part has.
  std::int32_t domains() const { return domains_; }
  // Values with pods.
  std::int32_t nonZero() const { return non_zero_; }

  // Calls f(value, pods) for each domain.
  template <class F>
  void forEachDomain(F f) const {
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      if (nodes_[i] > 0) f(static_cast<TopologyValue>(i), pods_[i]);
    }
  }

 private:
  struct Booking {
    TopologyValue value = kNoValue;
    std::int32_t pods = 0;
  };
  std::vector<Booking> rows_;
  std::vector<std::int64_t> pods_;   // by value
  std::vector<std::int32_t> nodes_;  // by value
  std::int32_t domains_ = 0;
  std::int32_t non_zero_ = 0;
};

// Mixes numbers into a hash for RecentlyUsed.
inline std::size_t mixHash(std::size_t hash, std::size_t value) {
  return (hash ^ (value + 0x9e3779b9U + (hash << 6) + (hash >> 2))) * 0x01000193U;
}
std::size_t hashOf(const api::Selector& selector);

// The last few of something that is costly to make. The one used longest ago goes first.
template <class T>
class RecentlyUsed {
 public:
  explicit RecentlyUsed(std::size_t capacity) : capacity_(capacity) {}

  // The entry of that hash for which `same` is true; null if there is none.
  template <class Same>
  std::shared_ptr<T> find(std::size_t hash, Same same) {
    for (Entry& entry : entries_) {
      if (entry.hash == hash && same(*entry.value)) {
        entry.used = ++clock_;
        return entry.value;
      }
    }
    return nullptr;
  }
  void insert(std::size_t hash, std::shared_ptr<T> value) {
    Entry entry;
    entry.hash = hash;
    entry.used = ++clock_;
    entry.value = std::move(value);
    if (entries_.size() < capacity_) {
      entries_.push_back(std::move(entry));
      return;
    }
    *std::min_element(entries_.begin(), entries_.end(),
                      [](const Entry& a, const Entry& b) { return a.used < b.used; }) = std::move(entry);
  }

 private:
  struct Entry {
    std::size_t hash = 0;
    std::uint64_t used = 0;
    std::shared_ptr<T> value;
  };
  std::size_t capacity_;
  std::vector<Entry> entries_;
  std::uint64_t clock_ = 0;
};

}  // namespace podberth::scheduler::plugins
