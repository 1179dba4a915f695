// Takes the members of a normal JSON object one by one: what nobody takes is the rest.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "core/api/decode.h"
#include "core/api/labels.h"
#include "core/api/node_selector.h"
#include "core/api/resources.h"
#include "core/clock/time.h"

namespace podberth::api {

// What decoding one object shares.
struct DecodeContext {
  std::vector<Issue>& issues;
  std::set<std::string> ignored;  // fields that have been reported as ignored
};

class Fields {
 public:
  using Json = nlohmann::json;
  // `object` has been through the Normalizer: members are of the right type.
  Fields(Json object, std::string path, DecodeContext& context)
      : object_(object.is_object() ? std::move(object) : Json::object()), path_(std::move(path)), context_(context) {}

  const Json& json() const { return object_; }
  bool has(const char* key) const { return object_.contains(key); }
  // The member, which is not there any more afterwards; null if there is none.
  Json take(const char* key);

  std::string text(const char* key);
  std::optional<std::string> maybeText(const char* key);
  std::int64_t integer(const char* key);
  std::int32_t integer32(const char* key) { return static_cast<std::int32_t>(integer(key)); }
  std::optional<std::int64_t> maybeInteger(const char* key);
  std::optional<std::int32_t> maybeInteger32(const char* key);
  bool flag(const char* key);
  std::optional<bool> maybeFlag(const char* key);
  std::vector<std::string> texts(const char* key);
  std::map<std::string, std::string> textMap(const char* key);
  std::optional<clock::Time> time(const char* key);
  LabelSet labels(const char* key);
  ResourceList resources(const char* key);
  std::optional<LabelSelector> selector(const char* key);
  NodeSelectorTerm nodeSelectorTerm(const char* key);
  std::optional<NodeSelector> nodeSelector(const char* key);

  Fields child(const char* key);
  // Calls `each(Fields)` for every item of a list of objects.
  template <class F>
  void forEach(const char* key, const F& each) {
    Json list = take(key);
    if (!list.is_array()) return;
    for (std::size_t i = 0; i < list.size(); ++i) {
      each(Fields(std::move(list[i]), path_ + "/" + key + "/" + std::to_string(i), context_));
    }
  }

  // What is left, as canonical text; "" if nothing is. `loud` tells the user that it is ignored.
  std::string rest(bool loud);
  DecodeContext& context() const { return context_; }
  const std::string& path() const { return path_; }

  // A term that has been normalised.
  static NodeSelectorTerm nodeSelectorTermOf(const Json& json);

 private:
  Json object_;
  std::string path_;
  DecodeContext& context_;
};

// Canonical text: sorted keys, no spaces; "" for an empty object.
std::string canonical(const nlohmann::json& json);

}  // namespace podberth::api
