// Scored nodes as a heap, the best first. Nodes of equal scores come out as Go's container/heap lets them: the heap's
// operations are the same, step by step. Upstream: pkg/scheduler/framework/sorted_nodes.go.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "core/api/symbol.h"

namespace podberth::scheduler {

struct ScoredNode {
  api::Symbol name;
  std::int64_t total = 0;
  std::int32_t row = 0;  // of its raw scores in SortedNodes
};

class SortedNodes {
 public:
  SortedNodes() = default;
  // `raw` are rows of raw scores, `stride` plugins each; `nodes` point into them.
  SortedNodes(std::vector<ScoredNode> nodes, std::vector<std::int64_t> raw, std::size_t stride);

  bool empty() const { return heap_.empty(); }
  std::size_t size() const { return heap_.size(); }
  ScoredNode pop();
  // In the heap's order.
  const std::vector<ScoredNode>& unordered() const { return heap_; }
  const std::int64_t* rawOf(const ScoredNode& node) const {
    return raw_.data() + static_cast<std::size_t>(node.row) * stride_;
  }

 private:
  bool less(std::size_t i, std::size_t j) const { return heap_[i].total > heap_[j].total; }
  void down(std::size_t from, std::size_t n);

  std::vector<ScoredNode> heap_;
  std::vector<std::int64_t> raw_;
  std::size_t stride_ = 0;
};

}  // namespace podberth::scheduler
