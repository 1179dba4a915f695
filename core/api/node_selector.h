// v1.NodeSelector and its match against a node.
// Upstream: k8s.io/component-helpers/scheduling/corev1/nodeaffinity/nodeaffinity.go.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/api/labels.h"

namespace podberth::api {

struct Node;

struct NodeSelectorRequirement {
  std::string key;
  std::string op;  // In, NotIn, Exists, DoesNotExist, Gt, Lt
  std::vector<std::string> values;
  friend bool operator==(const NodeSelectorRequirement& a, const NodeSelectorRequirement& b) {
    return a.key == b.key && a.op == b.op && a.values == b.values;
  }
};

struct NodeSelectorTerm {
  std::vector<NodeSelectorRequirement> match_expressions;
  std::vector<NodeSelectorRequirement> match_fields;
  friend bool operator==(const NodeSelectorTerm& a, const NodeSelectorTerm& b) {
    return a.match_expressions == b.match_expressions && a.match_fields == b.match_fields;
  }
};

struct NodeSelector {
  std::vector<NodeSelectorTerm> terms;
  friend bool operator==(const NodeSelector& a, const NodeSelector& b) { return a.terms == b.terms; }
};

struct PreferredSchedulingTerm {
  std::int32_t weight = 0;
  NodeSelectorTerm preference;
  friend bool operator==(const PreferredSchedulingTerm& a, const PreferredSchedulingTerm& b) {
    return a.weight == b.weight && a.preference == b.preference;
  }
};

// A term ready to be asked. An empty term matches nothing.
class CompiledTerm {
 public:
  // `path` is where the term stands, for the error texts ("[0]", "nodeSelectorTerms[1]").
  explicit CompiledTerm(const NodeSelectorTerm& term, const std::string& path = {});
  // False also if the term has an error.
  bool matches(const Node& node) const;
  bool empty() const { return empty_; }
  // Upstream's error text for a malformed term; "" if it is sound.
  std::string error() const;
  // The same, one by one.
  const std::vector<std::string>& errors() const { return errors_; }

 private:
  bool empty_ = true;
  Selector labels_;
  bool has_labels_ = false;
  struct Field {
    bool not_in = false;
    std::string key;
    std::string value;
  };
  std::vector<Field> fields_;
  std::vector<std::string> errors_;
};

// nodeaffinity.NodeSelector: terms are ORed, a term's requirements ANDed.
class CompiledNodeSelector {
 public:
  // `path` is where the selector stands, for the error texts.
  explicit CompiledNodeSelector(const NodeSelector& selector, const std::string& path = {});
  // True if any term matches. If none does and terms are malformed, *error is set (their texts) and the answer is
  // false.
  bool matches(const Node& node, std::string* error = nullptr) const;
  // The errors of all terms, as upstream prints them together; "" if all are sound.
  std::string error() const;

 private:
  std::vector<CompiledTerm> terms_;  // without the empty ones
};

// nodeaffinity.PreferredSchedulingTerms: terms of no weight and empty ones are left out.
class CompiledPreferredTerms {
 public:
  explicit CompiledPreferredTerms(const std::vector<PreferredSchedulingTerm>& terms, const std::string& path = {});
  // The sum of the weights of the terms that match.
  std::int64_t score(const Node& node) const;
  bool empty() const { return terms_.empty(); }
  // The errors of all terms, as upstream prints them together; "" if all are sound.
  std::string error() const;

 private:
  std::vector<std::pair<CompiledTerm, std::int32_t>> terms_;
};

}  // namespace podberth::api
