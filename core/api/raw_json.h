// What a parsed document no longer tells: how a value was spelled, and names given twice.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace podberth::api {

// The text of the value at a JSON pointer ("/config/profiles/0"), without the space around it; empty if there is none.
// Of a name given twice the last counts. `json` must be sound JSON.
std::string_view rawValue(std::string_view json, std::string_view pointer);
// The texts of the items of the array that `json` is.
std::vector<std::string_view> rawItems(std::string_view json);
// The names in the object that `json` is, as written, in its order; a name given twice comes twice.
std::vector<std::string> rawKeys(std::string_view json);
// The same without the space between its parts.
std::string compactJson(std::string_view json);

}  // namespace podberth::api
