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

// Makes a document of v1 one of the version that a release without v1 reads it as, where it stands and in arguments of
// plugins. Whether it was one.
bool readAsOlder(const Rules& rules, Json& document, std::string& written) {
  if (rules.v1_is_read_as.empty()) return false;
  const std::string group(kGroup);
  const std::string from = "\"" + group + "/v1\"";
  const std::string to = "\"" + group + "/" + std::string(rules.v1_is_read_as) + "\"";
  const auto version = document.is_object() ? document.find("apiVersion") : document.end();
  const bool is_v1 = version != document.end() && *version == group + "/v1";
  for (std::size_t at = written.find(from); at != std::string::npos; at = written.find(from, at + to.size())) {
    written.replace(at, from.size(), to);
  }
  document = Json::parse(written, nullptr, false);
  return is_v1;
}

}  // namespace

Loaded load(std::string_view text, const FeatureGates& gates) {
  Loaded out;
  std::string written(text);
  Json document = Json::parse(written, nullptr, false);
  if (text.empty() || (document.is_null() && rulesOf(gates.release().config).null_is_default)) {
    out.config = toConfiguration(Document(), gates);
    return out;
  }
  const Rules& rules = rulesOf(gates.release().config);
  const bool older = readAsOlder(rules, document, written);
  DecodedDocument decoded = decodeDocument(document, written, rules);
  out.error = std::move(decoded.error);
  out.issues = std::move(decoded.issues);
  if (older) {
    out.issues.push_back({api::Issue::Severity::kInfo, "/apiVersion",
                          "Kubernetes " + std::string(gates.release().name) + " has no " + kGroup +
                              "/v1 yet: read as " + std::string(rules.v1_is_read_as)});
  }
  if (!out.error.empty()) return out;

  out.config = toConfiguration(decoded.document, gates);
  out.extenders = decoded.document.extenders;
  const api::field::ErrorList errors = validate(out.config, decoded.document, gates);
  out.error = errors.str();
  if (out.error.size() > 1 && out.error.front() == '[' && out.error.back() == ']') {
    out.error = out.error.substr(1, out.error.size() - 2);
  }
  for (const api::field::FieldError& error : errors.errors()) {
    out.issues.push_back({api::Issue::Severity::kError, error.pointer, error.str()});
  }
  noteUnused(document, out.issues);
  return out;
}

}  // namespace podberth::scheduler::config
