#include "core/api/labels.h"

#include <algorithm>

#include "core/api/field_error.h"
#include "core/api/go_text.h"
#include "core/api/names.h"
#include "core/base/sort.h"

namespace podberth::api {
namespace {

const char* const kEmptyValues = "for 'in', 'notin' operators, values set can't be empty";
const char* const kValuesGiven = "values set must be empty for exists and does not exist";
const char* const kOneBound = "for 'Gt', 'Lt' operators, exactly one value is required";
const char* const kBoundInteger = "for 'Gt', 'Lt' operators, the value must be an integer";

Selector::Requirement requirement(const std::string& key, Selector::Op op, const std::vector<std::string>& values) {
  Selector::Requirement r;
  r.key = Symbol(key);
  r.op = op;
  for (const std::string& v : values) r.values.push_back(Symbol(v));
  if (op == Selector::Op::kGreaterThan || op == Selector::Op::kLessThan) go::parseInt64(values[0], r.bound);
  return r;
}

Selector::Requirement equals(Symbol key, Symbol value) {
  Selector::Requirement r;
  r.key = key;
  r.op = Selector::Op::kIn;
  r.values.push_back(value);
  r.equals = true;
  return r;
}

bool operatorOf(const std::string& text, Selector::Op& op) {
  if (text == "In") {
    op = Selector::Op::kIn;
  } else if (text == "NotIn") {
    op = Selector::Op::kNotIn;
  } else if (text == "Exists") {
    op = Selector::Op::kExists;
  } else if (text == "DoesNotExist") {
    op = Selector::Op::kDoesNotExist;
  } else {
    return false;
  }
  return true;
}

bool requirementMatches(const Selector::Requirement& r, const LabelSet& labels) {
  const Symbol* value = labels.find(r.key);
  const auto listed = [&] { return std::find(r.values.begin(), r.values.end(), *value) != r.values.end(); };
  switch (r.op) {
    case Selector::Op::kIn:
      return value != nullptr && listed();
    case Selector::Op::kNotIn:
      return value == nullptr || !listed();
    case Selector::Op::kExists:
      return value != nullptr;
    case Selector::Op::kDoesNotExist:
      return value == nullptr;
    case Selector::Op::kGreaterThan:
    case Selector::Op::kLessThan: {
      std::int64_t number = 0;
      if (value == nullptr || !go::parseInt64(value->str(), number)) return false;
      return r.op == Selector::Op::kGreaterThan ? number > r.bound : number < r.bound;
    }
  }
  return false;
}

}  // namespace

LabelSet::LabelSet(std::initializer_list<std::pair<std::string_view, std::string_view>> items) {
  for (const auto& [key, value] : items) set(key, value);
}

void LabelSet::set(Symbol key, Symbol value) {
  const auto at =
      std::lower_bound(items_.begin(), items_.end(), key, [](const Item& item, Symbol k) { return item.first < k; });
  if (at != items_.end() && at->first == key) {
    at->second = value;
  } else {
    items_.insert(at, Item(key, value));
  }
}

void LabelSet::erase(Symbol key) {
  items_.erase(std::remove_if(items_.begin(), items_.end(), [key](const Item& item) { return item.first == key; }),
               items_.end());
}

std::vector<std::string> Selector::problems(const std::string& path, const std::string& key, Op op,
                                            const std::vector<std::string>& values) {
  field::ErrorList errors;
  const field::Path at(path, "");
  const auto valuesPath = [&] { return at.child("values"); };
  if (const auto wrong = names::isLabelKey(key, kWording); !wrong.empty()) {
    errors.invalid(at.child("key"), field::shown(key), names::joined(wrong, "; "));
  }
  const auto badValues = [&](const char* why) { errors.invalid(valuesPath(), field::jsonStrings(values), why); };
  switch (op) {
    case Op::kIn:
    case Op::kNotIn:
      if (values.empty()) badValues(kEmptyValues);
      break;
    case Op::kExists:
    case Op::kDoesNotExist:
      if (!values.empty()) badValues(kValuesGiven);
      break;
    case Op::kGreaterThan:
    case Op::kLessThan: {
      if (values.size() != 1) badValues(kOneBound);
      std::int64_t number = 0;
      for (std::size_t i = 0; i < values.size(); ++i) {
        if (go::parseInt64(values[i], number)) continue;
        errors.invalid(valuesPath().index(i), field::shown(values[i]), kBoundInteger);
      }
      break;
    }
  }
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (const auto wrong = names::isLabelValue(values[i], kWording); !wrong.empty()) {
      errors.invalid(valuesPath().index(i).inMessage(key), field::shown(values[i]), names::joined(wrong, "; "));
    }
  }
  return errors.texts();
}

Selector Selector::from(const std::optional<LabelSelector>& selector, std::string* error) {
  if (!selector) return nothing();
  Selector out;
  const auto fail = [&](const std::string& text) {
    if (error != nullptr) *error = text;
    return nothing();
  };
  for (const auto& [key, value] : selector->match_labels) {
    const auto wrong = problems("", key.str(), Op::kIn, {value.str()});
    if (!wrong.empty()) return fail(field::aggregate(wrong));
    out.requirements_.push_back(equals(key, value));
  }
  for (const LabelSelectorRequirement& r : selector->match_expressions) {
    Op op = Op::kIn;
    if (!operatorOf(r.op, op)) return fail(go::quote(r.op) + " is not a valid label selector operator");
    const auto wrong = problems("", r.key, op, r.values);
    if (!wrong.empty()) return fail(field::aggregate(wrong));
    out.requirements_.push_back(requirement(r.key, op, r.values));
  }
  base::stableSort(out.requirements_, [](const Requirement& a, const Requirement& b) { return a.key < b.key; });
  return out;
}

Selector Selector::fromSet(const LabelSet& set) {
  Selector out;
  for (const auto& [key, value] : set) out.requirements_.push_back(equals(key, value));
  return out;
}

bool Selector::matches(const LabelSet& labels) const {
  if (nothing_) return false;
  for (const Requirement& r : requirements_) {
    if (!requirementMatches(r, labels)) return false;
  }
  return true;
}

void Selector::add(Requirement r) {
  if (nothing_) return;
  const auto at = std::upper_bound(requirements_.begin(), requirements_.end(), r,
                                   [](const Requirement& a, const Requirement& b) { return a.key < b.key; });
  requirements_.insert(at, std::move(r));
}

std::string Selector::Requirement::str() const {
  std::string out = op == Op::kDoesNotExist ? "!" : "";
  out += key.str();
  if (op == Op::kExists || op == Op::kDoesNotExist) return out;
  if (op == Op::kGreaterThan) return out + ">" + std::to_string(bound);
  if (op == Op::kLessThan) return out + "<" + std::to_string(bound);
  if (equals) return out + "=" + values[0].str();
  std::vector<std::string> texts;
  for (const Symbol v : values) texts.push_back(v.str());
  base::sortTexts(texts);
  return out + (op == Op::kIn ? " in (" : " notin (") + names::joined(texts, ",") + ")";
}

std::string Selector::str() const {
  std::vector<std::string> texts;
  for (const Requirement& r : requirements_) texts.push_back(r.str());
  return names::joined(texts, ",");
}

}  // namespace podberth::api
