#include "core/scheduler/framework/node_to_status.h"

#include <utility>

#include "core/scheduler/framework/node_info.h"

namespace podberth::scheduler {

namespace {
constexpr std::size_t kFirstTable = 16;
constexpr std::size_t kGrowth = 4;
}  // namespace

std::size_t NodeToStatus::place(api::Symbol node) const {
  const std::size_t mask = table_.size() - 1;
  // Names of nodes are mostly interned one after the other: their numbers need no scattering.
  std::size_t at = node.id() & mask;
  while (table_[at] != 0 && entries_[table_[at] - 1].node != node) at = (at + 1) & mask;
  return at;
}

void NodeToStatus::grow() {
  table_.assign(table_.empty() ? kFirstTable : table_.size() * kGrowth, 0);
  for (std::size_t i = 0; i < entries_.size(); ++i) table_[place(entries_[i].node)] = static_cast<std::uint32_t>(i + 1);
}

void NodeToStatus::set(api::Symbol node, Status status) {
  if (entries_.size() * 2 >= table_.size()) grow();
  std::uint32_t& number = table_[place(node)];
  if (number != 0) {
    entries_[number - 1].status = std::move(status);
    return;
  }
  entries_.push_back(Entry{node, std::move(status)});
  number = static_cast<std::uint32_t>(entries_.size());
}

const Status& NodeToStatus::get(api::Symbol node) const {
  if (table_.empty()) return absent_;
  const std::uint32_t number = table_[place(node)];
  return number == 0 ? absent_ : entries_[number - 1].status;
}

std::vector<NodeInfo*> NodeToStatus::nodesForCode(const Snapshot& snapshot, Code code) const {
  std::vector<NodeInfo*> out;
  if (entries_.empty() && absent_.code() != code) return out;
  for (NodeInfo* node : snapshot.nodes()) {
    if (get(node->name()).code() == code) out.push_back(node);
  }
  return out;
}

}  // namespace podberth::scheduler
