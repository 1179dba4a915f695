#include "core/api/field_error.h"

#include <set>

#include "core/api/go_text.h"

namespace podberth::api::field {
namespace {

std::string withDetail(std::string body, std::string_view detail) {
  if (!detail.empty()) {
    body += ": ";
    body += detail;
  }
  return body;
}

}  // namespace

std::string pointerPart(std::string_view name) {
  std::string out = "/";
  for (const char c : name) {
    if (c == '~') {
      out += "~0";
    } else if (c == '/') {
      out += "~1";
    } else {
      out += c;
    }
  }
  return out;
}

Path::Path(std::string_view name) : text_(name), pointer_(pointerPart(name)) {}

Path Path::child(std::string_view name, std::string_view name_in_document) const {
  std::string text = text_;
  if (!text.empty()) text += '.';
  return Path(text.append(name), pointer_ + pointerPart(name_in_document));
}

Path Path::index(std::size_t i) const {
  const std::string digits = std::to_string(i);
  return Path(text_ + "[" + digits + "]", pointer_ + "/" + digits);
}

Path Path::key(std::string_view key) const { return inMessage(key).inDocument(key); }

Path Path::inDocument(std::string_view name) const { return Path(text_, pointer_ + pointerPart(name)); }

Path Path::inMessage(std::string_view key) const { return Path(text_ + "[" + std::string(key) + "]", pointer_); }

Shown shown(std::string_view value) { return raw(go::quote(value)); }
Shown jsonString(std::string_view value) { return raw(go::jsonString(value), go::quote(value)); }
Shown number(std::int64_t value) { return raw(std::to_string(value)); }
Shown null() { return raw("null", "\"null\""); }
Shown raw(std::string json) { return Shown{json, json}; }
Shown raw(std::string json, std::string go) { return Shown{std::move(json), std::move(go)}; }

Shown jsonStrings(const std::vector<std::string>& values) {
  return raw(go::jsonStringsOrNull(values), go::sourceStrings(values));
}

void ErrorList::add(const Path& path, std::string body) {
  errors_.push_back(FieldError{path.text(), std::move(body), path.pointer()});
}

void ErrorList::required(const Path& path, std::string_view detail) { add(path, withDetail("Required value", detail)); }

void ErrorList::forbidden(const Path& path, std::string_view detail) { add(path, withDetail("Forbidden", detail)); }

void ErrorList::invalid(const Path& path, const Shown& value, std::string_view detail) {
  add(path, withDetail("Invalid value: " + text(value), detail));
}

void ErrorList::duplicate(const Path& path, const Shown& value, std::string_view detail) {
  add(path, withDetail("Duplicate value: " + text(value), detail));
}

void ErrorList::notFound(const Path& path, const Shown& value, std::string_view detail) {
  add(path, withDetail("Not found: " + text(value), detail));
}

void ErrorList::notSupported(const Path& path, const Shown& value, const std::vector<std::string_view>& supported) {
  std::string detail;
  for (const std::string_view one : supported) {
    detail += detail.empty() ? "supported values: " : ", ";
    detail += go::quote(one);
  }
  add(path, withDetail("Unsupported value: " + text(value), detail));
}

void ErrorList::tooLong(const Path& path, int max_bytes) {
  const std::string most = std::to_string(max_bytes);
  const bool one = max_bytes == 1 && wording_->counts_one;
  add(path, std::string("Too long: ") + wording_->too_long + " " + most + (one ? " byte" : " bytes"));
}

void ErrorList::tooMany(const Path& path, std::size_t actual, int max) {
  add(path, "Too many: " + std::to_string(actual) + ": must have at most " + std::to_string(max) +
                (max == 1 && wording_->counts_one ? " item" : " items"));
}

void ErrorList::internal(const Path& path, std::string_view detail) { add(path, withDetail("Internal error", detail)); }

void ErrorList::invalidEach(const Path& path, const Shown& value, const std::vector<std::string>& details) {
  for (const std::string& detail : details) invalid(path, value, detail);
}

void ErrorList::append(const ErrorList& other) {
  errors_.insert(errors_.end(), other.errors_.begin(), other.errors_.end());
}

std::vector<std::string> ErrorList::texts() const {
  std::vector<std::string> out;
  for (const FieldError& error : errors_) out.push_back(error.str());
  return out;
}

std::string ErrorList::str() const { return aggregate(texts()); }

std::string ErrorList::invalidObject(std::string_view kind, std::string_view name) const {
  return std::string(kind) + " " + go::quote(name) + " is invalid: " + str();
}

std::vector<Issue> ErrorList::issues() const {
  std::vector<Issue> out;
  std::set<std::string> seen;
  for (const FieldError& error : errors_) {
    if (!seen.insert(error.str()).second) continue;
    Issue issue;
    issue.path = error.pointer;
    issue.message = error.body;
    out.push_back(std::move(issue));
  }
  return out;
}

std::string aggregate(const std::vector<std::string>& texts) {
  std::set<std::string> seen;
  std::string out;
  for (const std::string& text : texts) {
    if (!seen.insert(text).second) continue;
    if (seen.size() > 1) out += ", ";
    out += text;
  }
  return seen.size() > 1 ? "[" + out + "]" : out;
}

}  // namespace podberth::api::field
