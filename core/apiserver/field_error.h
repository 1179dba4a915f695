// What is wrong with a field of an object, told as the API server tells it.
// Upstream: k8s.io/apimachinery/pkg/util/validation/field/{errors,path}.go, util/errors.Aggregate.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/api/decode.h"

namespace podberth::apiserver {

// Where a field is: as upstream writes it ("spec.containers[0].image") and as a JSON pointer
// ("/spec/containers/0/image").
class Path {
 public:
  explicit Path(std::string_view name);
  // For the few fields that upstream names by another path than their own.
  Path(std::string text, std::string pointer) : text_(std::move(text)), pointer_(std::move(pointer)) {}

  Path child(std::string_view name) const;
  Path index(std::size_t i) const;
  Path key(std::string_view key) const;

  const std::string& text() const { return text_; }
  const std::string& pointer() const { return pointer_; }

 private:
  std::string text_;
  std::string pointer_;
};

// A value as an error shows it. Upstream prints a Go string with %q, numbers as they are, and everything else, named
// string types among it, as JSON.
struct Shown {
  std::string text;
};
Shown shown(std::string_view value);       // a Go string
Shown jsonString(std::string_view value);  // a value of a named string type
Shown number(std::int64_t value);
Shown jsonStrings(const std::vector<std::string>& values);  // null if there are none
Shown null();
Shown raw(std::string json);

struct FieldError {
  std::string field;
  std::string body;     // "Required value: ..." without the field
  std::string pointer;  // JSON pointer

  std::string str() const { return field + ": " + body; }
};

// Errors in the order in which they were found.
class ErrorList {
 public:
  void required(const Path& path, std::string_view detail = {});
  void forbidden(const Path& path, std::string_view detail);
  void invalid(const Path& path, const Shown& value, std::string_view detail);
  void duplicate(const Path& path, const Shown& value, std::string_view detail = {});
  void notFound(const Path& path, const Shown& value, std::string_view detail = {});
  void notSupported(const Path& path, const Shown& value, const std::vector<std::string_view>& supported);
  void tooLong(const Path& path, int max_bytes);
  void tooMany(const Path& path, std::size_t actual, int max);
  void internal(const Path& path, std::string_view detail);
  // One "Invalid value" for each message.
  void invalidEach(const Path& path, const Shown& value, const std::vector<std::string>& details);

  void append(const ErrorList& other);
  bool empty() const { return errors_.empty(); }
  std::size_t size() const { return errors_.size(); }
  const std::vector<FieldError>& errors() const { return errors_; }

  // What an aggregate of them says: each text once, in brackets if there are several.
  std::string str() const;
  // apierrors.NewInvalid: `Pod "a" is invalid: ...`.
  std::string invalidObject(std::string_view kind, std::string_view name) const;
  // The same, each at its place.
  std::vector<api::Issue> issues() const;

 private:
  void add(const Path& path, std::string body);
  std::vector<FieldError> errors_;
};

// strconv.Quote.
std::string goQuote(std::string_view text);
// A string as encoding/json writes it, quotes included.
std::string goJsonString(std::string_view text);

}  // namespace podberth::apiserver
