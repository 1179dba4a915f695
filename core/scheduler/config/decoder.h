// Reads JSON into typed values as sigs.k8s.io/json does in strict mode: case-sensitive names; the first value of a
// wrong type is the error, after which decoding goes on; unknown fields are collected. A "fatal" error comes from a
// type that reads itself (a duration) and ends the decoding.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "core/api/decode.h"
#include "core/scheduler/config/rules.h"

namespace podberth::scheduler::config {

// The order of the document decides which error comes first: it is taken from the text (raw_json.h).
using Json = nlohmann::json;

// What a document is read by.
struct Schema {
  const Rules& rules;
  const Version& version;
};

class Decoder {
 public:
  struct Field {
    const char* name;
    std::function<void(const Json&)> read;
    const char* embedded = nullptr;  // the Go struct whose fields are inlined here and that has this one
  };

  // `pointer`: where the value stands in the document; `text`: the document as it was written, which must outlive this,
  // as must the schema.
  Decoder(const Schema& schema, std::string pointer, std::string_view text)
      : schema_(schema), pointer_(std::move(pointer)), text_(text) {}

  const Schema& schema() const { return schema_; }

  // `go_type` is the Go type as messages have it, with "config" for the package of the version ("[]config.Plugin",
  // "v1.NodeSelectorTerm"). Null leaves everything as it is.
  void object(const Json& json, const char* go_type, const std::vector<Field>& fields);
  // Calls `element` with each element; `go_type` is the slice's ("[]v1.Plugin").
  void array(const Json& json, const char* go_type, const std::function<void(std::size_t, const Json&)>& element);
  // Calls `value` for each item of a map[string]string.
  void stringMap(const Json& json, const std::function<void(const std::string&, const std::string&)>& item);

  void read(const Json& json, std::string& out, const char* go_type = "string");
  void read(const Json& json, bool& out);
  void read(const Json& json, std::int32_t& out);
  void read(const Json& json, std::int64_t& out);
  // Null makes it empty.
  void read(const Json& json, std::optional<std::int32_t>& out);
  void read(const Json& json, std::optional<std::int64_t>& out);
  void read(const Json& json, std::optional<std::string>& out, const char* go_type = "string");
  void read(const Json& json, std::vector<std::string>& out);
  void readFloat(const Json& json);
  void readBytes(const Json& json);
  // A metav1.Duration in nanoseconds.
  void readDuration(const Json& json, std::int64_t& out);
  void readDuration(const Json& json, std::optional<std::int64_t>& out);

  // A Field that reads into `out`.
  template <class T>
  Field field(const char* name, T& out) {
    return {name, [this, &out](const Json& json) { read(json, out); }, nullptr};
  }

  // Why the value cannot be decoded, "" if it can.
  const std::string& error() const { return fatal_.empty() ? saved_ : fatal_; }
  // "unknown field \"a.b\"", "duplicate field \"a.b\"".
  const std::vector<std::string>& strictErrors() const { return strict_; }
  // All that is wrong, each at its place.
  const std::vector<api::Issue>& issues() const { return issues_; }
  // Lists and maps that were given, empty: Go tells them from those that were not.
  const std::set<std::string>& emptyLists() const { return empty_lists_; }
  const std::string& pointer() const { return pointer_; }

 private:
  void typeError(const std::string& value, std::string_view go_type);
  std::string typeErrorText(const std::string& value, std::string_view go_type) const;
  void integer(const Json& json, std::int64_t min, std::int64_t max, const char* go_type,
               const std::function<void(std::int64_t)>& store);

  // A number as it was written.
  std::string literal() const;
  void strictError(const std::string& text);

  const Schema& schema_;
  std::string pointer_;
  std::string_view text_;
  std::string struct_;               // the innermost struct type, without its package
  std::vector<std::string> fields_;  // the path to the field, without indexes
  std::string strict_path_;
  std::string saved_;
  std::string fatal_;
  std::vector<std::string> strict_;
  std::vector<api::Issue> issues_;
  std::set<std::string> empty_lists_;
};

// "string", "number", "bool", "object", "array", "null".
const char* kindOf(const Json& json);

}  // namespace podberth::scheduler::config
