// Reading what the typed objects keep as JSON text: the fields that admission looks at and scheduling does not.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include <nlohmann/json.hpp>

namespace podberth::apiserver {

using Json = nlohmann::json;

// The object that `text` holds; an empty one for "" and for anything else.
Json parseRest(const std::string& text);
// Canonical text; "" for an empty object.
std::string dumpRest(const Json& object);
// The member, or null if it is absent or JSON's null.
const Json* member(const Json& object, const char* key);
// The list or object member; an empty one if there is none.
const Json& listOf(const Json& object, const char* key);
const Json& objectOf(const Json& object, const char* key);
std::string stringOf(const Json& object, const char* key);
std::optional<std::int64_t> integerOf(const Json& object, const char* key);
bool boolOf(const Json& object, const char* key);

}  // namespace podberth::apiserver
