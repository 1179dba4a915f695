#include "core/scheduler/plugins/pod_topology_spread/constraints.h"

#include <utility>

#include "core/scheduler/plugins/helper/taints.h"

namespace podberth::scheduler::plugins {
namespace {

constexpr std::string_view kHonor = "Honor";

const std::optional<api::NodeSelector>& requiredNodeAffinity(const api::Pod& pod) {
  static const std::optional<api::NodeSelector> none;
  return pod.spec.affinity.has_value() && pod.spec.affinity->node.has_value() ? pod.spec.affinity->node->required
                                                                              : none;
}

// The pod with nothing but what decides which nodes take part.
api::Pod askerOf(const api::Pod& pod, bool honors_affinity, bool honors_taints) {
  api::Pod asker;
  if (honors_affinity) {
    asker.spec.node_selector = pod.spec.node_selector;
    if (requiredNodeAffinity(pod).has_value()) {
      api::NodeAffinity affinity;
      affinity.required = requiredNodeAffinity(pod);
      api::Affinity all;
      all.node = std::move(affinity);
      asker.spec.affinity = std::move(all);
    }
  }
  if (honors_taints) asker.spec.tolerations = pod.spec.tolerations;
  return asker;
}

bool anyHonorsAffinity(const SpreadConstraints& constraints) {
  return std::any_of(constraints.begin(), constraints.end(),
                     [](const SpreadConstraint& c) { return c.honor_affinity; });
}

bool anyHonorsTaints(const SpreadConstraints& constraints) {
  return std::any_of(constraints.begin(), constraints.end(), [](const SpreadConstraint& c) { return c.honor_taints; });
}

bool countsAlike(const SpreadConstraint& a, const SpreadConstraint& b) {
  return a.topology_key == b.topology_key && a.honor_affinity == b.honor_affinity && a.honor_taints == b.honor_taints &&
         a.selector == b.selector;
}

}  // namespace

bool compileConstraints(const std::vector<api::TopologySpreadConstraint>& constraints, const api::LabelSet& pod_labels,
                        std::string_view action, const SpreadRules& rules, SpreadConstraints* out, std::string* error) {
  for (const api::TopologySpreadConstraint& c : constraints) {
    if (c.when_unsatisfiable != action) continue;
    SpreadConstraint compiled;
    compiled.selector = api::Selector::from(c.label_selector, error);
    if (!error->empty()) {
      out->clear();
      return false;
    }
    // The API server merges these labels into the selector by default; a selector of nothing stays one.
    if (rules.merges_match_label_keys && !compiled.selector.selectsNothing()) {
      api::LabelSet labels;
      for (const std::string& key : c.match_label_keys) {
        const api::Symbol symbol(key);
        if (const api::Symbol* value = pod_labels.find(symbol)) labels.set(symbol, *value);
      }
      if (!labels.empty()) {
        api::Selector merged = api::Selector::fromSet(labels);
        for (const api::Selector::Requirement& requirement : compiled.selector.requirements()) merged.add(requirement);
        compiled.selector = std::move(merged);
      }
    }
    compiled.max_skew = c.max_skew;
    compiled.topology_key = api::Symbol(c.topology_key);
    compiled.min_domains = rules.has_min_domains ? c.min_domains.value_or(1) : 0;
    compiled.counts_everything = rules.empty_selector_counts;
    if (rules.has_inclusion_policies) {
      if (c.node_affinity_policy.has_value()) compiled.honor_affinity = *c.node_affinity_policy == kHonor;
      if (c.node_taints_policy.has_value()) compiled.honor_taints = *c.node_taints_policy == kHonor;
    }
    out->push_back(std::move(compiled));
  }
  return true;
}

bool hasAllTopologyKeys(const api::LabelSet& node_labels, const SpreadConstraints& constraints) {
  return std::all_of(constraints.begin(), constraints.end(),
                     [&](const SpreadConstraint& c) { return node_labels.has(c.topology_key); });
}

bool takesPart(const SpreadConstraint& constraint, const api::Pod& pod, const RequiredNodeAffinity& affinity,
               const api::Node& node) {
  if (constraint.honor_affinity && !affinity.matches(node)) return false;
  return !constraint.honor_taints || findUntoleratedTaint(node.spec.taints, pod.spec.tolerations) == nullptr;
}

SpreadCounts::SpreadCounts(const api::Pod& pod, api::Symbol ns, const SpreadConstraints& constraints,
                           bool require_all_keys, SnapshotIndex& index)
    : ns_(ns),
      constraints_(constraints),
      require_all_keys_(require_all_keys),
      honors_affinity_(anyHonorsAffinity(constraints)),
      honors_taints_(anyHonorsTaints(constraints)),
      asker_(askerOf(pod, honors_affinity_, honors_taints_)),
      affinity_(asker_),
      tallies_(constraints.size()) {
  for (const SpreadConstraint& c : constraints) keys_.push_back(&index.key(c.topology_key));
}

std::size_t SpreadCounts::hash(api::Symbol ns, const SpreadConstraints& constraints, bool require_all_keys) {
  std::size_t hash = mixHash(ns.id(), require_all_keys ? 1 : 0);
  for (const SpreadConstraint& c : constraints) {
    hash = mixHash(hash, c.topology_key.id());
    hash = mixHash(hash, hashOf(c.selector));
  }
  return hash;
}

bool SpreadCounts::isFor(const api::Pod& pod, api::Symbol ns, const SpreadConstraints& constraints,
                         bool require_all_keys) const {
  if (ns_ != ns || require_all_keys_ != require_all_keys || constraints_.size() != constraints.size()) return false;
  if (!std::equal(constraints.begin(), constraints.end(), constraints_.begin(), countsAlike)) return false;
  if (honors_affinity_ && !(asker_.spec.node_selector == pod.spec.node_selector &&
                            requiredNodeAffinity(asker_) == requiredNodeAffinity(pod))) {
    return false;
  }
  return !honors_taints_ || asker_.spec.tolerations == pod.spec.tolerations;
}

void SpreadCounts::update(const SnapshotIndex& index) {
  index.follow(
      cursor_,
      [&] {
        for (Tally& tally : tallies_) tally.reset(index.size());
      },
      [&](int row) {
        const NodeInfo& info = index.node(row);
        const api::Node& node = *info.node();
        const bool qualified = !require_all_keys_ || hasAllTopologyKeys(node.meta.labels, constraints_);
        for (std::size_t i = 0; i < constraints_.size(); ++i) {
          const SpreadConstraint& c = constraints_[i];
          TopologyValue value = kNoValue;
          if (qualified && takesPart(c, asker_, affinity_, node)) {
            value = keys_[i]->valueAt(row);
            if (value == kNoValue) value = keys_[i]->number(api::Symbol());
          }
          tallies_[i].set(row, value, countPods(info, c, ns_));
        }
      });
}

std::int32_t SpreadCounts::countPods(const NodeInfo& node, const SpreadConstraint& constraint, api::Symbol ns) {
  const api::Selector& selector = constraint.selector;
  if (selector.empty() && !constraint.counts_everything) return 0;
  std::int32_t count = 0;
  for (const PodInfoPtr& pod : node.pods) {
    if (pod->ns != ns || pod->pod->meta.deletion_timestamp.has_value()) continue;
    if (selector.matches(pod->pod->meta.labels)) ++count;
  }
  return count;
}

}  // namespace podberth::scheduler::plugins
