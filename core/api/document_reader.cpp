#include "core/api/document_reader.h"

#include <algorithm>
#include <cstdio>

#include "core/api/field_error.h"

namespace podberth::api {
namespace {

std::string number(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%g", value);
  return text;
}

}  // namespace

DocumentReader::DocumentReader(const Json& json, std::string path, std::vector<Issue>& issues)
    : json_(json), path_(std::move(path)), issues_(issues), issues_before_(issues.size()) {
  if (!json_.is_object()) problem("", "must be an object");
}

void DocumentReader::problem(const std::string& below, const std::string& message) {
  Issue issue;
  issue.path = path_ + below;
  issue.message = message;
  issues_.push_back(std::move(issue));
}

bool DocumentReader::has(const char* key) const {
  if (!json_.is_object()) return false;
  const auto it = json_.find(key);
  return it != json_.end() && !it->is_null();
}

const DocumentReader::Json* DocumentReader::take(const char* key) {
  known_.emplace_back(key);
  return has(key) ? &*json_.find(key) : nullptr;
}

void DocumentReader::text(const char* key, std::string& out) {
  const Json* value = take(key);
  if (value == nullptr) return;
  if (!value->is_string()) {
    problem("/" + std::string(key), "must be a string");
    return;
  }
  out = value->get<std::string>();
}

void DocumentReader::flag(const char* key, bool& out) {
  const Json* value = take(key);
  if (value == nullptr) return;
  if (!value->is_boolean()) {
    problem("/" + std::string(key), "must be true or false");
    return;
  }
  out = value->get<bool>();
}

void DocumentReader::integer(const char* key, std::int64_t min, std::int64_t max, std::int64_t& out) {
  const Json* value = take(key);
  if (value == nullptr) return;
  // Beyond the largest signed number there are only unsigned ones.
  const bool too_large = value->is_number_unsigned() && value->get<std::uint64_t>() > std::uint64_t{INT64_MAX};
  if (value->is_number_integer() && !too_large && value->get<std::int64_t>() >= min &&
      value->get<std::int64_t>() <= max) {
    out = value->get<std::int64_t>();
    return;
  }
  problem("/" + std::string(key), "must be a whole number from " + std::to_string(min) + " to " + std::to_string(max));
}

void DocumentReader::seconds(const char* key, double min, double max, std::optional<clock::Duration>& out) {
  const Json* value = take(key);
  if (value == nullptr) return;
  if (value->is_number() && value->get<double>() >= min && value->get<double>() <= max) {
    out = static_cast<clock::Duration>(value->get<double>() * 1e9);
    return;
  }
  problem("/" + std::string(key), "must be a number of seconds from " + number(min) + " to " + number(max));
}

void DocumentReader::texts(const char* key, std::vector<std::string>& out) {
  const Json* value = take(key);
  if (value == nullptr) return;
  const std::string at = "/" + std::string(key);
  if (!value->is_array()) {
    problem(at, "must be a list of strings");
    return;
  }
  for (std::size_t i = 0; i < value->size(); ++i) {
    if ((*value)[i].is_string()) {
      out.push_back((*value)[i].get<std::string>());
    } else {
      problem(at + "/" + std::to_string(i), "must be a string");
    }
  }
}

void DocumentReader::selector(const char* key, Selector& out) {
  if (!has(key)) {
    known_.emplace_back(key);
    return;
  }
  object(key, [&out](DocumentReader& reader) {
    LabelSelector selector;
    reader.object("matchLabels", [&selector](DocumentReader& labels) {
      if (!labels.json_.is_object()) return;
      for (const auto& item : labels.json_.items()) {
        const std::string& name = item.key();
        std::string value;
        labels.text(name.c_str(), value);
        selector.match_labels.set(std::string_view(name), std::string_view(value));
      }
    });
    reader.list("matchExpressions", [&selector](DocumentReader& expression) {
      LabelSelectorRequirement requirement;
      expression.text("key", requirement.key);
      expression.text("operator", requirement.op);
      expression.texts("values", requirement.values);
      selector.match_expressions.push_back(std::move(requirement));
    });
    if (!reader.ok()) return;
    std::string error;
    out = Selector::from(selector, &error);
    if (!error.empty()) reader.problem("", error);
  });
}

void DocumentReader::object(const char* key, const std::function<void(DocumentReader&)>& read) {
  const Json* value = take(key);
  if (value == nullptr) return;
  DocumentReader reader(*value, path_ + field::pointerPart(key), issues_);
  if (!reader.ok()) return;
  read(reader);
  reader.finish();
}

void DocumentReader::list(const char* key, const std::function<void(DocumentReader&)>& element) {
  const Json* value = take(key);
  if (value == nullptr) return;
  const std::string at = field::pointerPart(key);
  if (!value->is_array()) {
    problem(at, "must be a list");
    return;
  }
  for (std::size_t i = 0; i < value->size(); ++i) {
    DocumentReader reader((*value)[i], path_ + at + "/" + std::to_string(i), issues_);
    if (!reader.ok()) continue;
    element(reader);
    reader.finish();
  }
}

void DocumentReader::finish() {
  if (!json_.is_object()) return;
  for (const auto& item : json_.items()) {
    if (std::find(known_.begin(), known_.end(), item.key()) != known_.end()) continue;
    problem(field::pointerPart(item.key()), "unknown field");
  }
}

}  // namespace podberth::api
