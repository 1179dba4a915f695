#include "core/api/json_writer.h"

#include <utility>

namespace podberth::api {
namespace {

template <class Requirement>
Json encodeRequirement(const Requirement& r) {
  Json out = Json::object();
  put(out, "key", r.key);
  put(out, "operator", r.op);
  put(out, "values", r.values);
  return out;
}

}  // namespace

void put(Json& out, const char* key, const std::string& value) {
  if (!value.empty()) out[key] = value;
}
void put(Json& out, const char* key, const std::optional<std::string>& value) {
  if (value) out[key] = *value;
}
void put(Json& out, const char* key, const std::vector<std::string>& value) {
  if (!value.empty()) out[key] = value;
}
void putTime(Json& out, const char* key, const std::optional<clock::Time>& value) {
  if (value) out[key] = clock::formatRfc3339(*value);
}
void put(Json& out, const char* key, const LabelSet& value) {
  if (value.empty()) return;
  Json map = Json::object();
  for (const auto& [k, v] : value) map[k.str()] = v.str();
  out[key] = std::move(map);
}
void put(Json& out, const char* key, const ResourceList& value) {
  if (value.empty()) return;
  Json map = Json::object();
  for (const auto& [name, quantity] : value) map[name.str()] = quantity.str();
  out[key] = std::move(map);
}
void put(Json& out, const char* key, const std::optional<LabelSelector>& value) {
  if (!value) return;
  Json selector = Json::object();
  put(selector, "matchLabels", value->match_labels);
  putList(selector, "matchExpressions", value->match_expressions, encodeRequirement<LabelSelectorRequirement>);
  out[key] = std::move(selector);
}
void put(Json& out, const char* key, const std::optional<NodeSelector>& value) {
  if (!value) return;
  Json selector = Json::object();
  putList(selector, "nodeSelectorTerms", value->terms, encodeTerm);
  out[key] = std::move(selector);
}
void putNumber(Json& out, const char* key, std::int64_t value) {
  if (value != 0) out[key] = value;
}
void putNumber(Json& out, const char* key, const std::optional<std::int64_t>& value) {
  if (value) out[key] = *value;
}
void putNumber(Json& out, const char* key, const std::optional<std::int32_t>& value) {
  if (value) out[key] = *value;
}
void putFlag(Json& out, const char* key, bool value) {
  if (value) out[key] = true;
}
void putFlag(Json& out, const char* key, const std::optional<bool>& value) {
  if (value) out[key] = *value;
}
void putJson(Json& out, const char* key, Json value) {
  if (!value.empty()) out[key] = std::move(value);
}

Json encodeTerm(const NodeSelectorTerm& term) {
  Json out = Json::object();
  putList(out, "matchExpressions", term.match_expressions, encodeRequirement<NodeSelectorRequirement>);
  putList(out, "matchFields", term.match_fields, encodeRequirement<NodeSelectorRequirement>);
  return out;
}

Json encodeRequirements(const ResourceRequirements& requirements) {
  Json out = fromRest(requirements.rest);
  put(out, "requests", requirements.requests);
  put(out, "limits", requirements.limits);
  return out;
}

Json fromRest(const std::string& rest) {
  if (rest.empty()) return Json::object();
  Json json = Json::parse(rest, nullptr, false);
  return json.is_object() ? json : Json::object();
}

}  // namespace podberth::api
