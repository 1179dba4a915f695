#include "core/api/normalize.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "core/api/field_error.h"
#include "core/api/go_parse.h"
#include "core/api/go_text.h"
#include "core/api/quantity.h"
#include "core/api/schema.h"
#include "core/api/schema_release.h"
#include "core/clock/time.h"

namespace podberth::api {
namespace {

const char* const kZeroTime = "0001-01-01T00:00:00Z";

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

// Whether two words differ in the case of letters only, or in one letter that is missing, too many or another one.
bool nearlySame(const std::string& a, const std::string& b) {
  if (a.size() > b.size()) return nearlySame(b, a);
  if (b.size() - a.size() > 1) return false;
  if (a.size() == b.size()) {
    int different = 0;
    for (std::size_t i = 0; i < a.size(); ++i) different += lower(a[i]) != lower(b[i]) ? 1 : 0;
    return different <= 1;
  }
  std::size_t i = 0;
  while (i < a.size() && lower(a[i]) == lower(b[i])) ++i;
  for (; i < a.size(); ++i) {
    if (lower(a[i]) != lower(b[i + 1])) return false;
  }
  return true;
}

const char* typeWord(const Json& json) {
  switch (json.type()) {
    case Json::value_t::object:
      return "object";
    case Json::value_t::array:
      return "array";
    case Json::value_t::string:
      return "string";
    case Json::value_t::boolean:
      return "bool";
    default:
      return "number";
  }
}

bool fitsInteger(const Json& json, bool narrow) {
  if (json.is_number_unsigned()) {
    const auto v = json.get<std::uint64_t>();
    return v <= static_cast<std::uint64_t>(narrow ? INT32_MAX : INT64_MAX);
  }
  if (!json.is_number_integer()) return false;
  const auto v = json.get<std::int64_t>();
  return !narrow || (v >= INT32_MIN && v <= INT32_MAX);
}

// A value that cannot be told from an absent one unless it is behind a pointer. Lists and maps are never behind one.
bool emptyCollection(const Json& json, SchemaKind kind) {
  return (kind == SchemaKind::kList || kind == SchemaKind::kMap) && json.empty();
}
bool isZero(const Json& json, SchemaKind kind) {
  switch (kind) {
    case SchemaKind::kString:
    case SchemaKind::kBytes:
      return json.is_string() && json.get_ref<const std::string&>().empty();
    case SchemaKind::kBool:
      return json == false;
    case SchemaKind::kInt32:
    case SchemaKind::kInt64:
    case SchemaKind::kFloat:
      return json == 0;
    case SchemaKind::kStruct:
      return json.empty();
    default:
      return false;
  }
}

Json nothing() { return Json(Json::value_t::discarded); }

}  // namespace

std::string pointerTo(const std::string& path, const std::string& key) { return path + field::pointerPart(key); }

void Normalizer::fail(std::string text, const std::string& path, bool gives_up) {
  Issue issue;
  issue.path = path;
  issue.message = text;
  issues_.push_back(std::move(issue));
  std::string& slot = gives_up ? fatal_ : first_;
  if (slot.empty()) slot = std::move(text);
}

Json Normalizer::mismatch(const Json& json, int type, const std::string& path, const Place& place) {
  const SchemaType& t = kSchemaTypes[type];
  const bool integer =
      t.kind == SchemaKind::kInt32 || t.kind == SchemaKind::kInt64 || t.kind == SchemaKind::kIntOrString;
  std::string what = typeWord(json);
  if (integer && json.is_number()) what += " " + json.dump();
  const bool text = t.kind == SchemaKind::kTime || t.kind == SchemaKind::kMicroTime;
  const char* name = t.kind == SchemaKind::kIntOrString ? "int32" : text ? "string" : t.name;
  const std::string where =
      place.fields.empty() ? "value" : std::string("struct field ") + place.owner + "." + place.fields;
  fail("json: cannot unmarshal " + what + " into Go " + where + " of type " + name, path, text);
  return nothing();
}

void Normalizer::unknown(const std::string& key, int structure, const std::string& path) {
  const SchemaStruct& s = kSchemaStructs[structure];
  Issue issue;
  issue.severity = Issue::Severity::kWarning;
  issue.path = path;
  issue.message = "unknown field " + go::quote(key) + " is ignored";
  for (int i = 0; i < s.count; ++i) {
    const char* name = kSchemaFields[s.first + i].name;
    if (nearlySame(key, name)) {
      issue.message += ": did you mean " + go::quote(name) + "?";
      break;
    }
  }
  issues_.push_back(std::move(issue));
}

void Normalizer::later(const std::string& key, const std::string& path) {
  Issue issue;
  issue.severity = Issue::Severity::kWarning;
  issue.path = path;
  issue.message = "field " + go::quote(key) + " came after this release and is ignored";
  issues_.push_back(std::move(issue));
}

Json Normalizer::zero(int type) const {
  switch (kSchemaTypes[type].kind) {
    case SchemaKind::kString:
    case SchemaKind::kBytes:
      return "";
    case SchemaKind::kBool:
      return false;
    case SchemaKind::kInt32:
    case SchemaKind::kInt64:
    case SchemaKind::kFloat:
    case SchemaKind::kIntOrString:
      return 0;
    case SchemaKind::kList:
      return Json::array();
    case SchemaKind::kMap:
    case SchemaKind::kStruct:
      return Json::object();
    case SchemaKind::kQuantity:
      return "0";
    case SchemaKind::kTime:
    case SchemaKind::kMicroTime:
    case SchemaKind::kAny:
      break;
  }
  return nullptr;
}

Json Normalizer::quantity(const Json& json, const std::string& path) {
  std::string text = json.is_string() ? json.get<std::string>() : json.dump();
  // Upstream reads the JSON text as it is: space that was escaped there is none.
  while (!text.empty() && text.back() == ' ') text.pop_back();
  text.erase(0, std::min(text.find_first_not_of(' '), text.size()));
  std::string error;
  const std::optional<Quantity> q = Quantity::parse(text, &error);
  if (q) return q->str();
  fail(error, path, true);
  return nothing();
}

Json Normalizer::time(const Json& json, int type, const std::string& path, const Place& place) {
  if (!json.is_string()) return mismatch(json, type, path, place);
  const std::string& text = json.get_ref<const std::string&>();
  if (text == kZeroTime) return nothing();
  clock::Time t = 0;
  const bool micro = kSchemaTypes[type].kind == SchemaKind::kMicroTime;
  std::string error = go::parseTimeError(text, micro ? go::TimeLayout::kMicroseconds : go::TimeLayout::kSeconds);
  if (!error.empty()) {
    fail(std::move(error), path, true);
    return nothing();
  }
  // The clock has no other centuries.
  if (!clock::parseRfc3339(text, t)) return text < "1678" ? "1678-01-01T00:00:00Z" : "2261-12-31T23:59:59Z";
  // The start of a pod keeps its fraction: pods that started within a second must not look alike.
  return micro || place.fields == "status.startTime" ? text : clock::formatRfc3339(t);
}

Json Normalizer::structure(const Json& json, int type, const std::string& path, const Place& place) {
  const int index = kSchemaTypes[type].ref;
  const SchemaStruct& s = kSchemaStructs[index];
  Json out = Json::object();
  for (const auto& item : json.items()) {
    const std::string at = pointerTo(path, item.key());
    const SchemaField* field = nullptr;
    for (int i = 0; i < s.count && field == nullptr; ++i) {
      const SchemaField& f = kSchemaFields[s.first + i];
      if (item.key() == f.name) field = &f;
    }
    if (field == nullptr) {
      unknown(item.key(), index, at);
      continue;
    }
    if (isLaterField(rules_, s.name, field->name)) {
      later(item.key(), at);
      continue;
    }
    if (item.value().is_null()) continue;
    Place inner;
    inner.owner = s.name;
    inner.fields = (place.fields.empty() ? "" : place.fields + ".") + field->inside + item.key();
    Json v = value(item.value(), field->type, at, inner);
    const SchemaKind kind = kSchemaTypes[field->type].kind;
    if (v.is_discarded() || emptyCollection(v, kind) || (!field->pointer && isZero(v, kind))) continue;
    out[item.key()] = std::move(v);
  }
  return out;
}

Json Normalizer::value(const Json& json, int type, const std::string& path, const Place& place) {
  const SchemaType& t = kSchemaTypes[type];
  switch (t.kind) {
    case SchemaKind::kString:
    case SchemaKind::kBytes:
      return json.is_string() ? json : mismatch(json, type, path, place);
    case SchemaKind::kBool:
      return json.is_boolean() ? json : mismatch(json, type, path, place);
    case SchemaKind::kInt32:
    case SchemaKind::kInt64:
      return fitsInteger(json, t.kind == SchemaKind::kInt32) ? json : mismatch(json, type, path, place);
    case SchemaKind::kFloat:
      return json.is_number() ? json : mismatch(json, type, path, place);
    case SchemaKind::kIntOrString:
      return json.is_string() || fitsInteger(json, true) ? json : mismatch(json, type, path, place);
    case SchemaKind::kAny:
      return json;
    case SchemaKind::kQuantity:
      return quantity(json, path);
    case SchemaKind::kTime:
    case SchemaKind::kMicroTime:
      return time(json, type, path, place);
    case SchemaKind::kStruct:
      return json.is_object() ? structure(json, type, path, place) : mismatch(json, type, path, place);
    case SchemaKind::kList: {
      if (!json.is_array()) return mismatch(json, type, path, place);
      Json out = Json::array();
      for (std::size_t i = 0; i < json.size(); ++i) {
        Json v = json[i].is_null() ? zero(t.ref) : value(json[i], t.ref, pointerTo(path, std::to_string(i)), place);
        if (!v.is_discarded()) out.push_back(std::move(v));
      }
      return out;
    }
    case SchemaKind::kMap: {
      if (!json.is_object()) return mismatch(json, type, path, place);
      Json out = Json::object();
      for (const auto& item : json.items()) {
        Json v = item.value().is_null() ? zero(t.ref) : value(item.value(), t.ref, pointerTo(path, item.key()), place);
        if (!v.is_discarded()) out[item.key()] = std::move(v);
      }
      return out;
    }
  }
  return nothing();
}

Json Normalizer::object(const Json& json, int type, const std::string& path) {
  Place place;
  if (!path.empty()) {
    place.owner = "ObjectMeta";
    place.fields = path.substr(1);
  }
  Json out = value(json, type, path, place);
  return out.is_discarded() ? Json::object() : out;
}

}  // namespace podberth::api
