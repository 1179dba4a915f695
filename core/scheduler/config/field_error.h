// Errors of validation: what is wrong with which field. Upstream: k8s.io/apimachinery/pkg/util/validation/field.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/scheduler/config/go_text.h"

namespace podberth::scheduler::config {

// The path of a field as messages have it ("profiles[0].plugins"), with its JSON pointer ("/profiles/0/plugins").
class FieldPath {
 public:
  FieldPath() = default;
  FieldPath child(std::string_view name) const;
  // A child whose name in messages is not its name in the document.
  FieldPath child(std::string_view name, std::string_view name_in_document) const;
  FieldPath index(std::size_t i) const;
  // A child that messages leave out.
  FieldPath inDocument(std::string_view name) const;
  // "path[key]": part of the message only.
  FieldPath key(std::string_view key) const;

  const std::string& text() const { return text_; }
  const std::string& pointer() const { return pointer_; }

 private:
  std::string text_;
  std::string pointer_;
};

// A JSON pointer's next part, with ~ and / escaped.
std::string pointerPart(std::string_view name);

struct FieldError {
  std::string message;  // "field: Invalid value: 5: detail"
  std::string pointer;
};
using FieldErrors = std::vector<FieldError>;

// `value` as the message shows it: quote() for strings, plain numbers, json for the rest.
FieldError invalid(const FieldPath& path, const std::string& value, std::string_view detail);
FieldError invalid(const FieldPath& path, std::int64_t value, std::string_view detail);
FieldError duplicate(const FieldPath& path, const std::string& value);
FieldError required(const FieldPath& path, std::string_view detail);
FieldError forbidden(const FieldPath& path, std::string_view detail);
FieldError notSupported(const FieldPath& path, const std::string& value, const std::vector<std::string>& supported);

void append(FieldErrors& to, FieldErrors more);
// utilerrors.Aggregate.Error: each message once; several in brackets, "" if there is none.
std::string aggregate(const FieldErrors& errors);

}  // namespace podberth::scheduler::config
