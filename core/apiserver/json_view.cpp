#include "core/apiserver/json_view.h"

namespace podberth::apiserver {

Json parseRest(const std::string& text) {
  if (text.empty()) return Json::object();
  Json parsed = Json::parse(text, nullptr, /*allow_exceptions=*/false);
  return parsed.is_object() ? parsed : Json::object();
}

std::string dumpRest(const Json& object) {
  if (object.empty()) return "";
  return object.dump(-1, ' ', false, Json::error_handler_t::replace);
}

const Json* member(const Json& object, const char* key) {
  if (!object.is_object()) return nullptr;
  const auto it = object.find(key);
  return it == object.end() || it->is_null() ? nullptr : &*it;
}

const Json& listOf(const Json& object, const char* key) {
  static const Json kEmpty = Json::array();
  const Json* found = member(object, key);
  return found != nullptr && found->is_array() ? *found : kEmpty;
}

const Json& objectOf(const Json& object, const char* key) {
  static const Json kEmpty = Json::object();
  const Json* found = member(object, key);
  return found != nullptr && found->is_object() ? *found : kEmpty;
}

std::string stringOf(const Json& object, const char* key) {
  const Json* found = member(object, key);
  return found != nullptr && found->is_string() ? found->get_ref<const std::string&>() : std::string();
}

std::optional<std::int64_t> integerOf(const Json& object, const char* key) {
  const Json* found = member(object, key);
  if (found == nullptr || !found->is_number_integer()) return std::nullopt;
  return found->get<std::int64_t>();
}

bool boolOf(const Json& object, const char* key) {
  const Json* found = member(object, key);
  return found != nullptr && found->is_boolean() && found->get<bool>();
}

}  // namespace podberth::apiserver
