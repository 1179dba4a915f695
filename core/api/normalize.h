// Checks JSON against the shape of an API type and brings it to a normal form: what Go's decoder and encoder would
// leave of it. Null and what equals an absent value go, quantities become canonical, times lose their fractions.
#pragma once

#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "core/api/decode.h"
#include "core/release/release.h"

namespace podberth::api {

using Json = nlohmann::json;

class Normalizer {
 public:
  explicit Normalizer(std::vector<Issue>& issues, release::AdmissionRules rules = release::AdmissionRules::kV1_37)
      : issues_(issues), rules_(rules) {}

  // The normal form of `json`, an object of the type with that number. `path` is its JSON pointer.
  Json object(const Json& json, int type, const std::string& path);

  // The text with which upstream's decoder would give up; "" if all is well.
  const std::string& error() const { return fatal_.empty() ? first_ : fatal_; }

 private:
  struct Place {
    const char* owner = "";  // the Go struct whose field is read
    std::string fields;      // "spec.containers.name"
  };
  // Returns a discarded value if there is nothing left of it.
  Json value(const Json& json, int type, const std::string& path, const Place& place);
  Json structure(const Json& json, int type, const std::string& path, const Place& place);
  Json quantity(const Json& json, const std::string& path);
  Json time(const Json& json, int type, const std::string& path, const Place& place);
  Json zero(int type) const;
  void unknown(const std::string& key, int structure, const std::string& path);
  void later(const std::string& key, const std::string& path);
  Json mismatch(const Json& json, int type, const std::string& path, const Place& place);
  void fail(std::string text, const std::string& path, bool gives_up);

  std::vector<Issue>& issues_;
  release::AdmissionRules rules_;
  std::string first_;
  std::string fatal_;
};

// A JSON pointer to a member.
std::string pointerTo(const std::string& path, const std::string& key);

}  // namespace podberth::api
