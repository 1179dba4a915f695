// Counts behind pod affinity, kept up to date from cycle to cycle: which pods an incoming pod's terms speak of, and
// what the terms of the pods that run say about an incoming pod.
#pragma once

#include <memory>
#include <unordered_map>
#include <vector>

#include "core/scheduler/framework/node_info.h"
#include "core/scheduler/plugins/helper/topology_counts.h"

namespace podberth::scheduler::plugins {

bool sameTerm(const AffinityTerm& a, const AffinityTerm& b);
std::size_t hashOf(const AffinityTerm& term);
// AffinityTerm::matches for a pod that is known by its parts.
bool termMatches(const AffinityTerm& term, api::Symbol ns, const api::LabelSet& labels, const api::LabelSet& ns_labels);
// True if there are terms and the pod matches all of them. For terms whose namespace selector has been resolved.
bool matchesAllTerms(const std::vector<AffinityTerm>& terms, const PodInfo& pod);

// Pods on the nodes that the terms of an incoming pod match, by the values of the terms' topology keys. The same for
// all pods with the same terms.
class IncomingTermCounts {
 public:
  enum class Mode {
    kEach,  // a tally for each term, of the pods that match it
    kAll,   // a tally for each different topology key, of the pods that match all terms
  };
  IncomingTermCounts(const std::vector<AffinityTerm>& terms, Mode mode, SnapshotIndex& index);

  bool isFor(const std::vector<AffinityTerm>& terms, Mode mode) const;
  static std::size_t hash(const std::vector<AffinityTerm>& terms, Mode mode);
  void update(const SnapshotIndex& index);

  std::size_t size() const { return tallies_.size(); }
  const TopologyKey& key(std::size_t i) const { return *keys_[i]; }
  const Tally& tally(std::size_t i) const { return tallies_[i]; }

 private:
  std::int32_t count(const NodeInfo& node, std::size_t i) const;
  std::vector<AffinityTerm> terms_;
  Mode mode_;
  std::vector<TopologyKey*> keys_;
  std::vector<Tally> tallies_;
  SnapshotIndex::Cursor cursor_;
};

// The terms of the pods on the nodes, each different one once, with what the pods that have it weigh at each topology
// value.
class ExistingTermIndex {
 public:
  struct Term {
    AffinityTerm term;
    TopologyKey* key = nullptr;
    std::vector<std::int64_t> weight;  // by topology value
    std::int64_t pods = 0;             // that have the term and are on a node with the key
    std::int64_t weightAt(TopologyValue value) const {
      const auto i = static_cast<std::size_t>(value);
      return value >= 0 && i < weight.size() ? weight[i] : 0;
    }
  };
  // `terms_of(node, add)` calls add(term, weight) for each term of each pod on the node.
  template <class TermsOf>
  void update(SnapshotIndex& index, TermsOf terms_of) {
    index.follow(
        cursor_, [&] { reset(index.size()); },
        [&](int row) {
          clear(row);
          terms_of(index.node(row),
                   [&](const AffinityTerm& term, std::int64_t weight) { add(index, row, term, weight); });
        });
  }

  // Terms that some pod has. Good until the next update.
  const std::vector<std::unique_ptr<Term>>& terms() const { return terms_; }

 private:
  struct Booking {
    Term* term = nullptr;
    TopologyValue value = kNoValue;
    std::int64_t weight = 0;
  };
  void reset(std::size_t rows);
  void clear(int row);
  void add(SnapshotIndex& index, int row, const AffinityTerm& term, std::int64_t weight);
  Term* find(SnapshotIndex& index, const AffinityTerm& term);

  std::vector<std::unique_ptr<Term>> terms_;
  std::unordered_multimap<std::size_t, Term*> by_hash_;
  std::vector<std::vector<Booking>> rows_;
  SnapshotIndex::Cursor cursor_;
};

}  // namespace podberth::scheduler::plugins
