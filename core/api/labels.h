// Label sets and the selectors over them. Upstream: k8s.io/apimachinery/pkg/labels, apis/meta/v1/helpers.go.
#pragma once

#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/api/symbol.h"

namespace podberth::api {

// A map of labels, kept in the order of its keys' text.
class LabelSet {
 public:
  using Item = std::pair<Symbol, Symbol>;
  LabelSet() = default;
  LabelSet(std::initializer_list<std::pair<std::string_view, std::string_view>> items);

  void set(Symbol key, Symbol value);
  void set(std::string_view key, std::string_view value) { set(Symbol(key), Symbol(value)); }
  void erase(Symbol key);
  // Null if there is no such label. Valid until the next change.
  const Symbol* find(Symbol key) const noexcept {
    for (const Item& item : items_) {
      if (item.first == key) return &item.second;
    }
    return nullptr;
  }
  bool has(Symbol key) const noexcept { return find(key) != nullptr; }
  bool empty() const noexcept { return items_.empty(); }
  std::size_t size() const noexcept { return items_.size(); }
  auto begin() const noexcept { return items_.begin(); }
  auto end() const noexcept { return items_.end(); }

  friend bool operator==(const LabelSet& a, const LabelSet& b) { return a.items_ == b.items_; }
  friend bool operator!=(const LabelSet& a, const LabelSet& b) { return !(a == b); }

 private:
  std::vector<Item> items_;
};

// metav1.LabelSelectorRequirement, as written: the operator may be one that does not exist.
struct LabelSelectorRequirement {
  std::string key;
  std::string op;  // In, NotIn, Exists, DoesNotExist
  std::vector<std::string> values;
  friend bool operator==(const LabelSelectorRequirement& a, const LabelSelectorRequirement& b) {
    return a.key == b.key && a.op == b.op && a.values == b.values;
  }
};

// metav1.LabelSelector, as written. An absent (nullopt) selector selects nothing, an empty one everything.
struct LabelSelector {
  LabelSet match_labels;
  std::vector<LabelSelectorRequirement> match_expressions;
  friend bool operator==(const LabelSelector& a, const LabelSelector& b) {
    return a.match_labels == b.match_labels && a.match_expressions == b.match_expressions;
  }
};

// labels.Selector: a selector ready to be asked.
class Selector {
 public:
  enum class Op { kIn, kNotIn, kExists, kDoesNotExist, kGreaterThan, kLessThan };
  struct Requirement {
    Symbol key;
    Op op = Op::kExists;
    std::vector<Symbol> values;
    std::int64_t bound = 0;  // of kGreaterThan and kLessThan
    bool equals = false;     // a kIn with one value that was written as "=": only its text differs
    friend bool operator==(const Requirement& a, const Requirement& b) {
      return a.key == b.key && a.op == b.op && a.values == b.values && a.bound == b.bound && a.equals == b.equals;
    }
    // labels.Requirement.String().
    std::string str() const;
  };

  static Selector nothing() { return Selector(true); }
  static Selector everything() { return Selector(false); }
  // metav1.LabelSelectorAsSelector. On a bad operator or value sets *error (upstream's text) and returns nothing().
  static Selector from(const std::optional<LabelSelector>& selector, std::string* error = nullptr);
  // labels.Set.AsSelector: all labels must be equal; empty selects everything.
  static Selector fromSet(const LabelSet& set);

  bool matches(const LabelSet& labels) const;
  bool selectsNothing() const { return nothing_; }
  bool empty() const { return !nothing_ && requirements_.empty(); }
  const std::vector<Requirement>& requirements() const { return requirements_; }
  void add(Requirement r);
  // labels.NewRequirement: what is wrong with a requirement, each problem as "path: Invalid value: ..."; empty if it is
  // sound. `path` may be "".
  static std::vector<std::string> problems(const std::string& path, const std::string& key, Op op,
                                           const std::vector<std::string>& values);
  // labels.Selector.String().
  std::string str() const;

  Selector() = default;  // everything
  friend bool operator==(const Selector& a, const Selector& b) {
    return a.nothing_ == b.nothing_ && a.requirements_ == b.requirements_;
  }

 private:
  explicit Selector(bool nothing) : nothing_(nothing) {}
  bool nothing_ = false;
  std::vector<Requirement> requirements_;  // in the order of their keys
};

}  // namespace podberth::api
