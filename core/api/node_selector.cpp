#include "core/api/node_selector.h"

#include "core/api/field_error.h"
#include "core/api/go_text.h"
#include "core/api/node.h"

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

// The text of one error at a place: errors of terms are kept as texts.
std::string unsupported(const field::Path& path, const std::string& op,
                        const std::vector<std::string_view>& supported) {
  field::ErrorList errors;
  errors.notSupported(path.child("operator"), field::shown(op), supported);
  return errors.str();
}

std::string notOne(const field::Path& path, const std::vector<std::string>& values) {
  field::ErrorList errors;
  errors.invalid(path.child("values"), field::jsonStrings(values), kOneElement);
  return errors.str();
}

bool isEmpty(const NodeSelectorTerm& term) { return term.match_expressions.empty() && term.match_fields.empty(); }

}  // namespace

CompiledTerm::CompiledTerm(const NodeSelectorTerm& term, const std::string& path) : empty_(isEmpty(term)) {
  has_labels_ = !term.match_expressions.empty();
  for (std::size_t i = 0; i < term.match_expressions.size(); ++i) {
    const NodeSelectorRequirement& r = term.match_expressions[i];
    const field::Path at = field::Path(path, "").child("matchExpressions").index(i);
    Selector::Op op = Selector::Op::kIn;
    if (!operatorOf(r.op, op)) {
      errors_.push_back(unsupported(at, r.op, {"In", "NotIn", "Exists", "DoesNotExist", "Gt", "Lt"}));
      continue;
    }
    const auto wrong = Selector::problems(at.text(), r.key, op, r.values);
    if (!wrong.empty()) {
      errors_.insert(errors_.end(), wrong.begin(), wrong.end());
      continue;
    }
    Selector::Requirement compiled;
    compiled.key = Symbol(r.key);
    compiled.op = op;
    for (const std::string& v : r.values) compiled.values.push_back(Symbol(v));
    if (op == Selector::Op::kGreaterThan || op == Selector::Op::kLessThan) {
      go::parseInt64(r.values[0], compiled.bound);
    }
    labels_.add(std::move(compiled));
  }
  for (std::size_t i = 0; i < term.match_fields.size(); ++i) {
    const NodeSelectorRequirement& r = term.match_fields[i];
    const field::Path at = field::Path(path, "").child("matchFields").index(i);
    if (r.op != "In" && r.op != "NotIn") {
      errors_.push_back(unsupported(at, r.op, {"In", "NotIn"}));
    } else if (r.values.size() != 1) {
      errors_.push_back(notOne(at, r.values));
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

std::string CompiledTerm::error() const { return field::aggregate(errors_); }

CompiledNodeSelector::CompiledNodeSelector(const NodeSelector& selector, const std::string& path) {
  const field::Path terms_path = field::Path(path, "").child("nodeSelectorTerms");
  for (std::size_t i = 0; i < selector.terms.size(); ++i) {
    if (!isEmpty(selector.terms[i])) {
      terms_.push_back(CompiledTerm(selector.terms[i], terms_path.index(i).text()));
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
  return field::aggregate(all);
}

CompiledPreferredTerms::CompiledPreferredTerms(const std::vector<PreferredSchedulingTerm>& terms,
                                               const std::string& path) {
  for (std::size_t i = 0; i < terms.size(); ++i) {
    if (terms[i].weight == 0 || isEmpty(terms[i].preference)) continue;
    terms_.push_back(
        std::make_pair(CompiledTerm(terms[i].preference, field::Path(path, "").index(i).text()), terms[i].weight));
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
  return field::aggregate(all);
}

}  // namespace podberth::api
