// Puts members into JSON objects as Go's encoder does with omitempty: what is empty is left out.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "core/api/labels.h"
#include "core/api/node_selector.h"
#include "core/api/resources.h"
#include "core/clock/time.h"

namespace podberth::api {

using Json = nlohmann::json;

void put(Json& out, const char* key, const std::string& value);
void put(Json& out, const char* key, const std::optional<std::string>& value);
void put(Json& out, const char* key, const std::vector<std::string>& value);
void putTime(Json& out, const char* key, const std::optional<clock::Time>& value);
void put(Json& out, const char* key, const LabelSet& value);
void put(Json& out, const char* key, const ResourceList& value);
void put(Json& out, const char* key, const std::optional<LabelSelector>& value);
void put(Json& out, const char* key, const std::optional<NodeSelector>& value);
void putNumber(Json& out, const char* key, std::int64_t value);
void putNumber(Json& out, const char* key, const std::optional<std::int64_t>& value);
void putNumber(Json& out, const char* key, const std::optional<std::int32_t>& value);
void putFlag(Json& out, const char* key, bool value);
void putFlag(Json& out, const char* key, const std::optional<bool>& value);
// An object or list; left out if it is empty.
void putJson(Json& out, const char* key, Json value);

Json encodeTerm(const NodeSelectorTerm& term);
Json encodeRequirements(const ResourceRequirements& requirements);

// An object that was kept as text, to start from; an empty one for "".
Json fromRest(const std::string& rest);

template <class T, class F>
void putList(Json& out, const char* key, const std::vector<T>& items, const F& encodeItem) {
  if (items.empty()) return;
  Json list = Json::array();
  for (const T& item : items) list.push_back(encodeItem(item));
  out[key] = std::move(list);
}

}  // namespace podberth::api
