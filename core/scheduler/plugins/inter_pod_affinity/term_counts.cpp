#include "core/scheduler/plugins/inter_pod_affinity/term_counts.h"

#include <algorithm>

namespace podberth::scheduler::plugins {

bool sameTerm(const AffinityTerm& a, const AffinityTerm& b) {
  return a.topology_key == b.topology_key && a.namespaces == b.namespaces && a.selector == b.selector &&
         a.namespace_selector == b.namespace_selector;
}

std::size_t hashOf(const AffinityTerm& term) {
  std::size_t hash = mixHash(term.topology_key.id(), hashOf(term.selector));
  for (const api::Symbol ns : term.namespaces) hash = mixHash(hash, ns.id());
  return mixHash(hash, hashOf(term.namespace_selector));
}

bool termMatches(const AffinityTerm& term, api::Symbol ns, const api::LabelSet& labels,
                 const api::LabelSet& ns_labels) {
  if (std::find(term.namespaces.begin(), term.namespaces.end(), ns) == term.namespaces.end() &&
      !term.namespace_selector.matches(ns_labels)) {
    return false;
  }
  return term.selector.matches(labels);
}

bool matchesAllTerms(const std::vector<AffinityTerm>& terms, const PodInfo& pod) {
  static const api::LabelSet kNoLabels;
  return !terms.empty() && std::all_of(terms.begin(), terms.end(), [&](const AffinityTerm& term) {
    return termMatches(term, pod.ns, pod.pod->meta.labels, kNoLabels);
  });
}

IncomingTermCounts::IncomingTermCounts(const std::vector<AffinityTerm>& terms, Mode mode, SnapshotIndex& index)
    : terms_(terms), mode_(mode) {
  for (const AffinityTerm& term : terms_) {
    TopologyKey* key = &index.key(term.topology_key);
    if (mode == Mode::kAll && std::find(keys_.begin(), keys_.end(), key) != keys_.end()) continue;
    keys_.push_back(key);
  }
  tallies_.resize(keys_.size());
}

bool IncomingTermCounts::isFor(const std::vector<AffinityTerm>& terms, Mode mode) const {
  return mode == mode_ && std::equal(terms.begin(), terms.end(), terms_.begin(), terms_.end(), sameTerm);
}

std::size_t IncomingTermCounts::hash(const std::vector<AffinityTerm>& terms, Mode mode) {
  std::size_t hash = mode == Mode::kAll ? 1 : 2;
  for (const AffinityTerm& term : terms) hash = mixHash(hash, hashOf(term));
  return hash;
}

std::int32_t IncomingTermCounts::count(const NodeInfo& node, std::size_t i) const {
  static const api::LabelSet kNoLabels;
  std::int32_t pods = 0;
  for (const PodInfoPtr& pod : node.pods) {
    if (mode_ == Mode::kAll ? matchesAllTerms(terms_, *pod)
                            : termMatches(terms_[i], pod->ns, pod->pod->meta.labels, kNoLabels)) {
      ++pods;
    }
  }
  return pods;
}

void IncomingTermCounts::update(const SnapshotIndex& index) {
  index.follow(
      cursor_,
      [&] {
        for (Tally& tally : tallies_) tally.reset(index.size());
      },
      [&](int row) {
        std::int32_t pods = 0;
        for (std::size_t i = 0; i < tallies_.size(); ++i) {
          if (i == 0 || mode_ == Mode::kEach) pods = count(index.node(row), i);
          tallies_[i].set(row, keys_[i]->valueAt(row), pods);
        }
      });
}

void ExistingTermIndex::reset(std::size_t rows) {
  terms_.clear();
  by_hash_.clear();
  rows_.clear();
  rows_.resize(rows);
}

ExistingTermIndex::Term* ExistingTermIndex::find(SnapshotIndex& index, const AffinityTerm& term) {
  const std::size_t hash = hashOf(term);
  const auto [begin, end] = by_hash_.equal_range(hash);
  for (auto it = begin; it != end; ++it) {
    if (sameTerm(it->second->term, term)) return it->second;
  }
  // Terms that no pod has any more make room when there are many of them.
  constexpr std::size_t kFewTerms = 256;
  if (terms_.size() >= kFewTerms) {
    const auto used = static_cast<std::size_t>(
        std::count_if(terms_.begin(), terms_.end(), [](const std::unique_ptr<Term>& t) { return t->pods > 0; }));
    if (used * 2 < terms_.size()) {
      for (auto it = by_hash_.begin(); it != by_hash_.end();) {
        it = it->second->pods == 0 ? by_hash_.erase(it) : std::next(it);
      }
      terms_.erase(
          std::remove_if(terms_.begin(), terms_.end(), [](const std::unique_ptr<Term>& t) { return t->pods == 0; }),
          terms_.end());
    }
  }
  auto added = std::make_unique<Term>();
  added->term = term;
  added->key = &index.key(term.topology_key);
  Term* out = added.get();
  terms_.push_back(std::move(added));
  by_hash_.emplace(hash, out);
  return out;
}

void ExistingTermIndex::clear(int row) {
  std::vector<Booking>& bookings = rows_[static_cast<std::size_t>(row)];
  for (const Booking& booking : bookings) {
    booking.term->weight[static_cast<std::size_t>(booking.value)] -= booking.weight;
    --booking.term->pods;
  }
  bookings.clear();
}

void ExistingTermIndex::add(SnapshotIndex& index, int row, const AffinityTerm& term, std::int64_t weight) {
  Booking booking;
  booking.term = find(index, term);
  booking.value = booking.term->key->valueAt(row);
  if (booking.value == kNoValue) return;
  booking.weight = weight;
  const auto i = static_cast<std::size_t>(booking.value);
  if (i >= booking.term->weight.size()) booking.term->weight.resize(i + 1);
  booking.term->weight[i] += weight;
  ++booking.term->pods;
  rows_[static_cast<std::size_t>(row)].push_back(booking);
}

}  // namespace podberth::scheduler::plugins
