// What the nodes said to a pod that fits none. Upstream: k8s.io/kube-scheduler/framework/interface.go (NodeToStatus).
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/api/symbol.h"
#include "core/scheduler/framework/status.h"

namespace podberth::scheduler {

class NodeInfo;
class Snapshot;

// In a full cluster every node is put in here for every pod, so the entries lie in one array, in the order in which
// they came, and a small table of numbers finds them. Nodes that PreFilter left out share one status.
class NodeToStatus {
 public:
  struct Entry {
    api::Symbol node;
    Status status;
  };

  // Gives a node its status; what it had before is replaced.
  void set(api::Symbol node, Status status);
  // The status of nodes that have none of their own; UnschedulableAndUnresolvable at first.
  void setAbsent(Status status) { absent_ = std::move(status); }
  const Status& absent() const { return absent_; }
  const Status& get(api::Symbol node) const;
  std::size_t size() const { return entries_.size(); }
  // Nodes of the snapshot with that code, in the snapshot's order.
  std::vector<NodeInfo*> nodesForCode(const Snapshot& snapshot, Code code) const;
  // In the order in which the nodes first came.
  const std::vector<Entry>& explicitStatuses() const { return entries_; }

 private:
  // Where the node is in the table, or the free place for it.
  std::size_t place(api::Symbol node) const;
  void grow();

  std::vector<Entry> entries_;
  std::vector<std::uint32_t> table_;  // 1 + an index into entries_, 0 is free; a power of two long, at most half full
  Status absent_{Code::kUnschedulableAndUnresolvable};
};

}  // namespace podberth::scheduler
