#include "core/scheduler/config/field_error.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace podberth::scheduler::config {
namespace {

FieldError make(const FieldPath& path, std::string body, std::string_view detail) {
  if (!detail.empty()) body.append(": ").append(detail);
  // A field without a path is "<nil>" upstream.
  return FieldError{(path.text().empty() ? "<nil>" : path.text()) + ": " + body, path.pointer()};
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

FieldPath FieldPath::child(std::string_view name) const { return child(name, name); }

FieldPath FieldPath::child(std::string_view name, std::string_view name_in_document) const {
  FieldPath path = *this;
  if (!path.text_.empty()) path.text_ += '.';
  path.text_.append(name);
  path.pointer_ += pointerPart(name_in_document);
  return path;
}

FieldPath FieldPath::index(std::size_t i) const {
  FieldPath path = *this;
  path.text_ += "[" + std::to_string(i) + "]";
  path.pointer_ += "/" + std::to_string(i);
  return path;
}

FieldPath FieldPath::inDocument(std::string_view name) const {
  FieldPath path = *this;
  path.pointer_ += pointerPart(name);
  return path;
}

FieldPath FieldPath::key(std::string_view key) const {
  FieldPath path = *this;
  path.text_.append("[").append(key).append("]");
  return path;
}

FieldError invalid(const FieldPath& path, const std::string& value, std::string_view detail) {
  return make(path, "Invalid value: " + value, detail);
}

FieldError invalid(const FieldPath& path, std::int64_t value, std::string_view detail) {
  return invalid(path, std::to_string(value), detail);
}

FieldError duplicate(const FieldPath& path, const std::string& value) {
  return make(path, "Duplicate value: " + value, "");
}

FieldError required(const FieldPath& path, std::string_view detail) { return make(path, "Required value", detail); }

FieldError forbidden(const FieldPath& path, std::string_view detail) { return make(path, "Forbidden", detail); }

FieldError notSupported(const FieldPath& path, const std::string& value, const std::vector<std::string>& supported) {
  std::string detail;
  for (const std::string& s : supported) detail += (detail.empty() ? "supported values: " : ", ") + quote(s);
  return make(path, "Unsupported value: " + value, detail);
}

void append(FieldErrors& to, FieldErrors more) {
  to.insert(to.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
}

std::string aggregate(const FieldErrors& errors) {
  std::vector<std::string> seen;
  for (const FieldError& error : errors) {
    if (std::find(seen.begin(), seen.end(), error.message) == seen.end()) seen.push_back(error.message);
  }
  if (seen.empty()) return "";
  std::string out = seen[0];
  for (std::size_t i = 1; i < seen.size(); ++i) out += ", " + seen[i];
  return seen.size() == 1 ? out : "[" + out + "]";
}

}  // namespace podberth::scheduler::config
