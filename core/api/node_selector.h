// v1.NodeSelector and its match against a node.
// Upstream: k8s.io/component-helpers/scheduling/corev1/nodeaffinity/nodeaffinity.go.
#pragma once

#include <memory>
#include <string>
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
  explicit CompiledTerm(const NodeSelectorTerm& term);
  // False also if the term has an error.
  bool matches(const Node& node) const;
  // Upstream's error text for a malformed term; "" if it is sound.
  const std::string& error() const { return error_; }

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
  std::string error_;
};

// nodeaffinity.NodeSelector: terms are ORed, a term's requirements ANDed.
class CompiledNodeSelector {
 public:
  explicit CompiledNodeSelector(const NodeSelector& selector);
  // True if any term matches. If none does and a term is malformed, *error is set (its text) and the answer is false.
  bool matches(const Node& node, std::string* error = nullptr) const;
  // The first error among the terms; "" if all are sound.
  std::string error() const;

 private:
  std::vector<CompiledTerm> terms_;
};

}  // namespace podberth::api
