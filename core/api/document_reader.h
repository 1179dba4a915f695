// Takes the members of an object of ours one by one, and says what is wrong with them and where. Unlike Kubernetes'
// objects ours may have no member that nobody knows.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "core/api/decode.h"
#include "core/api/labels.h"
#include "core/clock/time.h"

namespace podberth::api {

class DocumentReader {
 public:
  using Json = nlohmann::json;
  DocumentReader(const Json& json, std::string path, std::vector<Issue>& issues);

  // Whether all went well so far, here and in what was read through children of this one.
  bool ok() const { return issues_.size() == issues_before_; }
  bool has(const char* key) const;
  const std::string& path() const { return path_; }
  void problem(const std::string& below, const std::string& message);

  // Each takes a member. An absent one leaves `out` alone.
  void text(const char* key, std::string& out);
  void flag(const char* key, bool& out);
  void integer(const char* key, std::int64_t min, std::int64_t max, std::int64_t& out);
  // A number of seconds, in nanoseconds.
  void seconds(const char* key, double min, double max, std::optional<clock::Duration>& out);
  void texts(const char* key, std::vector<std::string>& out);
  // A label selector; absent: everything.
  void selector(const char* key, Selector& out);
  void object(const char* key, const std::function<void(DocumentReader&)>& read);
  void list(const char* key, const std::function<void(DocumentReader&)>& element);
  // A member that may be anything.
  void ignore(const char* key) { known_.emplace_back(key); }
  // Complains of members that nobody has taken.
  void finish();

 private:
  const Json* take(const char* key);

  const Json& json_;
  std::string path_;
  std::vector<Issue>& issues_;
  std::size_t issues_before_;
  std::vector<std::string> known_;
};

}  // namespace podberth::api
