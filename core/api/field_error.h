// What is wrong with a field of a document, told as Kubernetes tells it.
// Upstream: k8s.io/apimachinery/pkg/util/validation/field/{errors,path}.go, util/errors.Aggregate.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/api/decode.h"
#include "core/api/wording.h"

namespace podberth::api::field {

// Where a field is: as upstream writes it ("spec.containers[0].image") and as a JSON pointer
// ("/spec/containers/0/image"). Without a name it is the document itself.
class Path {
 public:
  Path() = default;
  explicit Path(std::string_view name);
  // For the few fields that upstream names by another path than their own.
  Path(std::string text, std::string pointer) : text_(std::move(text)), pointer_(std::move(pointer)) {}

  Path child(std::string_view name) const { return child(name, name); }
  // A child whose name in messages is not its name in the document.
  Path child(std::string_view name, std::string_view name_in_document) const;
  Path index(std::size_t i) const;
  Path key(std::string_view key) const;
  // A child that messages leave out.
  Path inDocument(std::string_view name) const;
  // "path[key]" in messages only.
  Path inMessage(std::string_view key) const;

  const std::string& text() const { return text_; }
  const std::string& pointer() const { return pointer_; }

 private:
  std::string text_;
  std::string pointer_;
};

// A JSON pointer's next part ("/a~1b" for "a/b").
std::string pointerPart(std::string_view name);

// A value as an error shows it. Upstream prints a Go string with %q and numbers as they are; everything else, named
// string types among it, as JSON, formerly as Go source.
struct Shown {
  std::string json;
  std::string go;
};
Shown shown(std::string_view value);       // a Go string
Shown jsonString(std::string_view value);  // a value of a named string type
Shown number(std::int64_t value);
Shown jsonStrings(const std::vector<std::string>& values);  // null if there are none
Shown null();
Shown raw(std::string json);                  // the same in both
Shown raw(std::string json, std::string go);  // a structure

struct FieldError {
  std::string field;
  std::string body;     // "Required value: ..." without the field
  std::string pointer;  // JSON pointer

  // Of no field at all the text is "<nil>".
  std::string str() const { return (field.empty() ? "<nil>" : field) + ": " + body; }
};

// Errors in the order in which they were found, in the words of a release.
class ErrorList {
 public:
  ErrorList() = default;
  explicit ErrorList(const Wording& wording) : wording_(&wording) {}

  void required(const Path& path, std::string_view detail = {});
  void forbidden(const Path& path, std::string_view detail);
  void invalid(const Path& path, const Shown& value, std::string_view detail);
  void invalid(const Path& path, std::int64_t value, std::string_view detail) { invalid(path, number(value), detail); }
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
  std::vector<std::string> texts() const;
  const Wording& wording() const { return *wording_; }

  // What an aggregate of them says: each text once, in brackets if there are several; "" if there are none.
  std::string str() const;
  // apierrors.NewInvalid: `Pod "a" is invalid: ...`.
  std::string invalidObject(std::string_view kind, std::string_view name) const;
  // The same, each at its place.
  std::vector<Issue> issues() const;

 private:
  void add(const Path& path, std::string body);
  const std::string& text(const Shown& value) const { return wording_->values_as_json ? value.json : value.go; }

  const Wording* wording_ = &kWording;
  std::vector<FieldError> errors_;
};

// Several texts in one as an aggregate of errors has it: each once, in brackets if there are several.
std::string aggregate(const std::vector<std::string>& texts);

}  // namespace podberth::api::field
