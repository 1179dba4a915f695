#include "core/scheduler/config/load.h"

#include <nlohmann/json.hpp>

#include "core/scheduler/config/defaults.h"
#include "core/scheduler/config/document.h"
#include "core/scheduler/config/validate.h"

namespace podberth::scheduler::config {
namespace {

// Fields that kube-scheduler reads and the simulator has no use for.
constexpr const char* kUnusedFields[] = {"leaderElection", "clientConnection", "enableProfiling",
                                         "enableContentionProfiling", "delayCacheUntilActive"};
constexpr const char* kUnused = "has no effect in the simulation";
constexpr const char* kUnusedExtenders = "extenders are not called in the simulation";
constexpr const char* kUnusedParallelism =
    "the simulation works on one node after the other; the decisions are the same";

void noteUnused(const Json& json, std::vector<api::Issue>& issues) {
  if (!json.is_object()) return;
  const auto note = [&](const char* field, api::Issue::Severity severity, const char* message) {
    if (json.find(field) != json.end()) issues.push_back({severity, std::string("/") + field, message});
  };
  for (const char* field : kUnusedFields) note(field, api::Issue::Severity::kInfo, kUnused);
  note("parallelism", api::Issue::Severity::kInfo, kUnusedParallelism);
  const auto extenders = json.find("extenders");
  if (extenders != json.end() && !extenders->empty()) {
    note("extenders", api::Issue::Severity::kWarning, kUnusedExtenders);
  }
}

}  // namespace

Loaded load(const nlohmann::ordered_json& json, const FeatureGates& gates, std::string_view text) {
  Loaded out;
  if (json.is_null()) {
    out.config = toConfiguration(Document(), gates);
    return out;
  }
  // The text counts if it is this document's; without one, or with another's, the document is written out.
  Json document = text.empty() ? Json(Json::value_t::discarded) : Json::parse(text.begin(), text.end(), nullptr, false);
  std::string written(text);
  if (document.is_discarded() || nlohmann::json(document) != nlohmann::json(json)) {
    document = json;
    written = json.dump(-1, ' ', false, Json::error_handler_t::replace);
  }
  DecodedDocument decoded = decodeDocument(document, written);
  out.error = std::move(decoded.error);
  out.issues = std::move(decoded.issues);
  if (!out.error.empty()) return out;

  out.config = toConfiguration(decoded.document, gates);
  const api::field::ErrorList errors = validate(out.config, decoded.document, gates);
  out.error = errors.str();
  if (out.error.size() > 1 && out.error.front() == '[' && out.error.back() == ']') {
    out.error = out.error.substr(1, out.error.size() - 2);
  }
  for (const api::field::FieldError& error : errors.errors()) {
    out.issues.push_back({api::Issue::Severity::kError, error.pointer, error.str()});
  }
  noteUnused(json, out.issues);
  return out;
}

Loaded load(const nlohmann::json& json, const FeatureGates& gates) { return load(nlohmann::ordered_json(json), gates); }

}  // namespace podberth::scheduler::config
