#include "core/scheduler/config/decoder.h"

#include <algorithm>
#include <limits>

#include "core/api/field_error.h"
#include "core/api/go_text.h"
#include "core/api/raw_json.h"

namespace podberth::scheduler::config {
namespace {

using api::go::quote;

constexpr std::size_t kMaxStrictErrors = 100;

// Where base64 goes wrong, or nullopt if it does not: the offset that Go reports.
std::optional<std::size_t> badBase64(const std::string& text) {
  std::size_t in_group = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '\r' || c == '\n') continue;
    const bool ok = (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '+' || c == '/';
    if (ok) {
      in_group = (in_group + 1) % 4;
      continue;
    }
    if (c != '=' || in_group < 2) return i;
    std::size_t next = i + 1;
    if (in_group == 2) {
      while (next < text.size() && (text[next] == '\r' || text[next] == '\n')) ++next;
      if (next == text.size()) return text.size();
      if (text[next] != '=') return next;
      ++next;
    }
    while (next < text.size() && (text[next] == '\r' || text[next] == '\n')) ++next;
    if (next < text.size()) return next;
    return std::nullopt;
  }
  if (in_group != 0) return text.size() - in_group;
  return std::nullopt;
}

}  // namespace

const char* kindOf(const Json& json) {
  switch (json.type()) {
    case Json::value_t::string:
      return "string";
    case Json::value_t::boolean:
      return "bool";
    case Json::value_t::number_integer:
    case Json::value_t::number_unsigned:
    case Json::value_t::number_float:
      return "number";
    case Json::value_t::array:
      return "array";
    case Json::value_t::object:
      return "object";
    default:
      return "null";
  }
}

std::string Decoder::typeErrorText(const std::string& value, std::string_view go_type) const {
  std::string text = "json: cannot unmarshal " + value + " into Go ";
  if (struct_.empty() && fields_.empty()) {
    text += "value";
  } else {
    text += "struct field " + struct_ + ".";
    for (std::size_t i = 0; i < fields_.size(); ++i) text += (i == 0 ? "" : ".") + fields_[i];
  }
  text += " of type ";
  constexpr std::string_view kOwn = "config.";
  const std::size_t own = go_type.find(kOwn);
  if (own == std::string_view::npos) return text.append(go_type);
  text.append(go_type.substr(0, own)).append(schema_.version.name);
  return text.append(go_type.substr(own + kOwn.size() - 1));
}

void Decoder::typeError(const std::string& value, std::string_view go_type) {
  const std::string text = typeErrorText(value, go_type);
  if (saved_.empty()) saved_ = text;
  issues_.push_back({api::Issue::Severity::kError, pointer_, text});
}

void Decoder::strictError(const std::string& text) {
  if (strict_.size() < kMaxStrictErrors && std::find(strict_.begin(), strict_.end(), text) == strict_.end()) {
    strict_.push_back(text);
  }
  issues_.push_back({api::Issue::Severity::kError, pointer_, text});
}

std::string Decoder::literal() const { return std::string(api::rawValue(text_, pointer_)); }

void Decoder::object(const Json& json, const char* go_type, const std::vector<Field>& fields) {
  if (!fatal_.empty() || json.is_null()) return;
  if (!json.is_object()) return typeError(kindOf(json), go_type);
  const std::string outer_struct = struct_;
  const std::size_t depth = fields_.size();
  const std::size_t strict_size = strict_path_.size();
  const std::size_t pointer_size = pointer_.size();
  const std::string_view type = go_type;
  std::vector<const Field*> seen;
  for (const std::string& key : api::rawKeys(api::rawValue(text_, pointer_))) {
    const auto value = json.find(key);
    if (value == json.end()) continue;
    const auto field = std::find_if(fields.begin(), fields.end(), [&](const Field& f) { return key == f.name; });
    pointer_ += api::field::pointerPart(key);
    const std::string path = strict_path_ + (strict_path_.empty() ? "" : ".") + key;
    if (field == fields.end()) {
      strictError("unknown field " + quote(path));
    } else if (std::find(seen.begin(), seen.end(), &*field) != seen.end()) {
      strictError("duplicate field " + quote(path));
    } else {
      seen.push_back(&*field);
      if (field->embedded != nullptr && schema_.rules.inlined_structs_are_named) fields_.push_back(field->embedded);
      fields_.push_back(field->name);
      struct_ = std::string(type.substr(type.rfind('.') + 1));
      strict_path_ = path;
      field->read(*value);
      if (!fatal_.empty()) return;  // its text has been made where it happened
    }
    fields_.resize(depth);
    struct_ = outer_struct;
    strict_path_.resize(strict_size);
    pointer_.resize(pointer_size);
  }
}

void Decoder::array(const Json& json, const char* go_type,
                    const std::function<void(std::size_t, const Json&)>& element) {
  if (!fatal_.empty() || json.is_null()) return;
  if (!json.is_array()) return typeError(kindOf(json), go_type);
  if (json.empty()) empty_lists_.insert(pointer_);
  const std::size_t strict_size = strict_path_.size();
  const std::size_t pointer_size = pointer_.size();
  for (std::size_t i = 0; i < json.size(); ++i) {
    strict_path_ += "[" + std::to_string(i) + "]";
    pointer_ += "/" + std::to_string(i);
    element(i, json[i]);
    if (!fatal_.empty()) return;
    strict_path_.resize(strict_size);
    pointer_.resize(pointer_size);
  }
}

void Decoder::stringMap(const Json& json, const std::function<void(const std::string&, const std::string&)>& item) {
  if (!fatal_.empty() || json.is_null()) return;
  if (!json.is_object()) return typeError(kindOf(json), "map[string]string");
  if (json.empty()) empty_lists_.insert(pointer_);
  const std::size_t pointer_size = pointer_.size();
  std::vector<std::string> seen;
  for (const std::string& key : api::rawKeys(api::rawValue(text_, pointer_))) {
    const auto entry = json.find(key);
    if (entry == json.end()) continue;
    pointer_ += api::field::pointerPart(key);
    if (std::find(seen.begin(), seen.end(), key) != seen.end()) {
      strictError("duplicate field " + quote(strict_path_ + (strict_path_.empty() ? "" : ".") + key));
    } else {
      std::string value;
      read(*entry, value);
      item(key, value);
      seen.push_back(key);
    }
    pointer_.resize(pointer_size);
  }
}

void Decoder::read(const Json& json, std::string& out, const char* go_type) {
  if (!fatal_.empty() || json.is_null()) return;
  if (const auto* text = json.get_ptr<const std::string*>()) {
    out = *text;
  } else {
    typeError(kindOf(json), go_type);
  }
}

void Decoder::read(const Json& json, bool& out) {
  if (!fatal_.empty() || json.is_null()) return;
  if (const auto* value = json.get_ptr<const bool*>()) {
    out = *value;
  } else {
    typeError(kindOf(json), "bool");
  }
}

void Decoder::integer(const Json& json, std::int64_t min, std::int64_t max, const char* go_type,
                      const std::function<void(std::int64_t)>& store) {
  if (!fatal_.empty() || json.is_null()) return;
  if (!json.is_number()) return typeError(kindOf(json), go_type);
  bool fits = json.is_number_integer();
  if (fits && json.is_number_unsigned()) {
    fits = json.get<std::uint64_t>() <= static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
  }
  const std::int64_t value = fits ? json.get<std::int64_t>() : 0;
  if (!fits || value < min || value > max) return typeError("number " + literal(), go_type);
  store(value);
}

void Decoder::read(const Json& json, std::int32_t& out) {
  integer(json, std::numeric_limits<std::int32_t>::min(), std::numeric_limits<std::int32_t>::max(), "int32",
          [&](std::int64_t value) { out = static_cast<std::int32_t>(value); });
}

void Decoder::read(const Json& json, std::int64_t& out) {
  integer(json, std::numeric_limits<std::int64_t>::min(), std::numeric_limits<std::int64_t>::max(), "int64",
          [&](std::int64_t value) { out = value; });
}

void Decoder::read(const Json& json, std::optional<std::int32_t>& out) {
  if (json.is_null()) return out.reset();
  std::int32_t value = 0;
  read(json, value);
  out = value;
}

void Decoder::read(const Json& json, std::optional<std::int64_t>& out) {
  if (json.is_null()) return out.reset();
  std::int64_t value = 0;
  read(json, value);
  out = value;
}

void Decoder::read(const Json& json, std::optional<std::string>& out, const char* go_type) {
  if (json.is_null()) return out.reset();
  std::string value;
  read(json, value, go_type);
  out = value;
}

void Decoder::read(const Json& json, std::vector<std::string>& out) {
  out.clear();
  array(json, "[]string", [&](std::size_t, const Json& element) {
    out.emplace_back();
    read(element, out.back());
  });
}

void Decoder::readFloat(const Json& json) {
  if (!fatal_.empty() || json.is_null()) return;
  if (!json.is_number()) return typeError(kindOf(json), "float32");
  const double value = json.get<double>();
  // What rounds to a finite float32 fits.
  constexpr double kLimit = 3.4028235677973366e38;
  if (value >= kLimit || value <= -kLimit) typeError("number " + literal(), "float32");
}

void Decoder::readBytes(const Json& json) {
  if (!fatal_.empty() || json.is_null()) return;
  if (json.is_array()) {
    array(json, "[]uint8",
          [this](std::size_t, const Json& element) { integer(element, 0, 255, "uint8", [](std::int64_t) {}); });
    return;
  }
  const auto* text = json.get_ptr<const std::string*>();
  if (text == nullptr) return typeError(kindOf(json), "[]uint8");
  const std::optional<std::size_t> bad = badBase64(*text);
  if (!bad.has_value()) return;
  const std::string error = "illegal base64 data at input byte " + std::to_string(*bad);
  if (saved_.empty()) saved_ = error;
  issues_.push_back({api::Issue::Severity::kError, pointer_, error});
}

void Decoder::readDuration(const Json& json, std::int64_t& out) {
  if (!fatal_.empty()) return;
  std::string text;  // null is read as ""
  if (const auto* given = json.get_ptr<const std::string*>()) {
    text = *given;
  } else if (!json.is_null()) {
    fatal_ = typeErrorText(kindOf(json), "string");
  }
  if (fatal_.empty()) {
    std::string error;
    if (const std::optional<std::int64_t> value = api::go::parseDuration(text, &error)) {
      out = *value;
      return;
    }
    fatal_ = error;
  }
  issues_.push_back({api::Issue::Severity::kError, pointer_, fatal_});
}

void Decoder::readDuration(const Json& json, std::optional<std::int64_t>& out) {
  if (json.is_null()) return out.reset();
  std::int64_t value = 0;
  readDuration(json, value);
  out = value;
}

}  // namespace podberth::scheduler::config
