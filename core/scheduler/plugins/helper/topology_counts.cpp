#include "core/scheduler/plugins/helper/topology_counts.h"

namespace podberth::scheduler::plugins {
namespace {

// Whoever is further behind than this counts everything anew.
constexpr std::size_t kLongestLog = 1U << 16;

template <class T>
T& growTo(std::vector<T>& values, TopologyValue value) {
  const auto i = static_cast<std::size_t>(value);
  if (i >= values.size()) values.resize(i + 1);
  return values[i];
}

}  // namespace

TopologyValue TopologyKey::number(api::Symbol value) {
  return numbers_.emplace(value, static_cast<TopologyValue>(numbers_.size())).first->second;
}

TopologyValue TopologyKey::find(api::Symbol value) const {
  const auto it = numbers_.find(value);
  return it == numbers_.end() ? kNoValue : it->second;
}

TopologyValue TopologyKey::valueOf(const api::Node& node) const {
  const api::Symbol* label = node.meta.labels.find(name_);
  return label == nullptr ? kNoValue : find(*label);
}

void SnapshotIndex::sync(const Snapshot& snapshot) {
  const std::vector<NodeInfo*>& nodes = snapshot.nodes();
  if (synced_ == &snapshot && synced_generation_ == snapshot.generation() && rows_.size() == nodes.size()) return;
  synced_ = &snapshot;
  synced_generation_ = snapshot.generation();
  if (rows_.size() != nodes.size()) {
    ++epoch_;
    rows_.resize(nodes.size());
    for (const auto& key : keys_) key->by_row_.resize(nodes.size(), kNoValue);
  }
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    RowState& row = rows_[i];
    const NodeInfo* info = nodes[i];
    if (row.info == info && row.generation == info->generation) continue;
    row.info = info;
    row.generation = info->generation;
    log_.push_back(static_cast<int>(i));
    if (row.node == info->nodePtr()) continue;
    row.node = info->nodePtr();
    for (const auto& key : keys_) {
      const api::Symbol* label = row.node->meta.labels.find(key->name());
      key->by_row_[i] = label == nullptr ? kNoValue : key->number(*label);
    }
  }
  if (log_.size() > kLongestLog) {
    log_start_ += log_.size();
    log_.clear();
  }
}

TopologyKey& SnapshotIndex::key(api::Symbol name) {
  for (const auto& key : keys_) {
    if (key->name() == name) return *key;
  }
  keys_.push_back(std::make_unique<TopologyKey>(name));
  TopologyKey& key = *keys_.back();
  key.by_row_.reserve(rows_.size());
  for (const RowState& row : rows_) {
    const api::Symbol* label = row.node->meta.labels.find(name);
    key.by_row_.push_back(label == nullptr ? kNoValue : key.number(*label));
  }
  return key;
}

void Tally::reset(std::size_t rows) {
  rows_.assign(rows, Booking());
  pods_.clear();
  nodes_.clear();
  domains_ = 0;
  non_zero_ = 0;
}

void Tally::set(int row, TopologyValue value, std::int32_t pods) {
  Booking& booking = rows_[static_cast<std::size_t>(row)];
  if (booking.value == value && booking.pods == pods) return;
  if (booking.value != kNoValue) {
    std::int64_t& count = pods_[static_cast<std::size_t>(booking.value)];
    const bool was = count != 0;
    count -= booking.pods;
    if (was && count == 0) --non_zero_;
    if (--nodes_[static_cast<std::size_t>(booking.value)] == 0) --domains_;
  }
  booking.value = value;
  booking.pods = pods;
  if (value == kNoValue) return;
  std::int64_t& count = growTo(pods_, value);
  const bool was = count != 0;
  count += pods;
  if (!was && count != 0) ++non_zero_;
  if (++growTo(nodes_, value) == 1) ++domains_;
}

std::size_t hashOf(const api::Selector& selector) {
  std::size_t hash = selector.selectsNothing() ? 1 : 2;
  for (const api::Selector::Requirement& requirement : selector.requirements()) {
    hash = mixHash(hash, requirement.key.id());
    hash = mixHash(hash, static_cast<std::size_t>(requirement.op));
    for (const api::Symbol value : requirement.values) hash = mixHash(hash, value.id());
  }
  return hash;
}

}  // namespace podberth::scheduler::plugins
