#include "core/api/node_selector.h"

#include "core/api/node.h"
#include "core/api/validation.h"

namespace podberth::api {
namespace {

const char* const kOneElement = "must have one element";
const char* const kNameField = "metadata.name";

bool operatorOf(const std::string& text, Selector::Op& op) {
  if (text == "In") {
    op = Selector::Op::kIn;
  } else if (text == "NotIn") {
    op = Selector::Op::kNotIn;
  } else if (text == "Exists") {
    op = Selector::Op::kExists;
  } else if (text == "DoesNotExist") {
    op = Selector::Op::kDoesNotExist;
  } else if (text == "Gt") {
    op = Selector::Op::kGreaterThan;
  } else if (text == "Lt") {
    op = Selector::Op::kLessThan;
  } else {
    return false;
  }
  return true;
}

bool isEmpty(const NodeSelectorTerm& term) { return term.match_expressions.empty() && term.match_fields.empty(); }

}  // namespace

CompiledTerm::CompiledTerm(const NodeSelectorTerm& term, const std::string& path) : empty_(isEmpty(term)) {
  has_labels_ = !term.match_expressions.empty();
  for (std::size_t i = 0; i < term.match_expressions.size(); ++i) {
    const NodeSelectorRequirement& r = term.match_expressions[i];
    const std::string at = validation::index(validation::child(path, "matchExpressions"), i);
    Selector::Op op = Selector::Op::kIn;
    if (!operatorOf(r.op, op)) {
      errors_.push_back(validation::notSupported(validation::child(at, "operator"), r.op,
                                                 {"In", "NotIn", "Exists", "DoesNotExist", "Gt", "Lt"}));
      continue;
    }
    const auto wrong = Selector::problems(at, r.key, op, r.values);
    if (!wrong.empty()) {
      errors_.insert(errors_.end(), wrong.begin(), wrong.end());
      continue;
    }
    Selector::Requirement compiled;
    compiled.key = Symbol(r.key);
    compiled.op = op;
    for (const std::string& v : r.values) compiled.values.push_back(Symbol(v));
    if (op == Selector::Op::kGreaterThan || op == Selector::Op::kLessThan) {
      validation::parseInt64(r.values[0], compiled.bound);
    }
    labels_.add(std::move(compiled));
  }
  for (std::size_t i = 0; i < term.match_fields.size(); ++i) {
    const NodeSelectorRequirement& r = term.match_fields[i];
    const std::string at = validation::index(validation::child(path, "matchFields"), i);
    if (r.op != "In" && r.op != "NotIn") {
      errors_.push_back(validation::notSupported(validation::child(at, "operator"), r.op, {"In", "NotIn"}));
    } else if (r.values.size() != 1) {
      errors_.push_back(
          validation::invalid(validation::child(at, "values"), validation::jsonList(r.values), kOneElement));
    } else {
      Field f;
      f.not_in = r.op == "NotIn";
      f.key = r.key;
      f.value = r.values[0];
      fields_.push_back(std::move(f));
    }
  }
}

bool CompiledTerm::matches(const Node& node) const {
  if (empty_ || !errors_.empty()) return false;
  if (has_labels_ && !labels_.matches(node.meta.labels)) return false;
  if (node.meta.name.empty()) return true;  // without a name there are no fields to look at
  static const std::string kNone;
  for (const Field& f : fields_) {
    const std::string& value = f.key == kNameField ? node.meta.name : kNone;
    if ((value == f.value) == f.not_in) return false;
  }
  return true;
}

std::string CompiledTerm::error() const { return validation::aggregate(errors_); }

CompiledNodeSelector::CompiledNodeSelector(const NodeSelector& selector, const std::string& path) {
  const std::string terms_path = validation::child(path, "nodeSelectorTerms");
  for (std::size_t i = 0; i < selector.terms.size(); ++i) {
    if (!isEmpty(selector.terms[i])) {
      terms_.push_back(CompiledTerm(selector.terms[i], validation::index(terms_path, i)));
    }
  }
}

bool CompiledNodeSelector::matches(const Node& node, std::string* error) const {
  bool malformed = false;
  for (const CompiledTerm& term : terms_) {
    if (!term.errors().empty()) {
      malformed = true;
    } else if (term.matches(node)) {
      return true;
    }
  }
  if (malformed && error != nullptr) *error = this->error();
  return false;
}

std::string CompiledNodeSelector::error() const {
  std::vector<std::string> all;
  for (const CompiledTerm& term : terms_) all.insert(all.end(), term.errors().begin(), term.errors().end());
  return validation::aggregate(all);
}

CompiledPreferredTerms::CompiledPreferredTerms(const std::vector<PreferredSchedulingTerm>& terms,
                                               const std::string& path) {
  for (std::size_t i = 0; i < terms.size(); ++i) {
    if (terms[i].weight == 0 || isEmpty(terms[i].preference)) continue;
    terms_.push_back(std::make_pair(CompiledTerm(terms[i].preference, validation::index(path, i)), terms[i].weight));
  }
}

std::int64_t CompiledPreferredTerms::score(const Node& node) const {
  std::int64_t score = 0;
  for (const auto& [term, weight] : terms_) {
    if (term.matches(node)) score += weight;
  }
  return score;
}

std::string CompiledPreferredTerms::error() const {
  std::vector<std::string> all;
  for (const auto& item : terms_) all.insert(all.end(), item.first.errors().begin(), item.first.errors().end());
  return validation::aggregate(all);
}

}  // namespace podberth::api
