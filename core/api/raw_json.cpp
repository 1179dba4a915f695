#include "core/api/raw_json.h"

#include <functional>
#include <nlohmann/json.hpp>

namespace podberth::api {
namespace {

constexpr std::string_view kSpace = " \t\r\n";

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(kSpace);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kSpace) - first + 1);
}

// The end of the string that starts at `at`.
std::size_t stringEnd(std::string_view text, std::size_t at) {
  for (std::size_t i = at + 1; i < text.size(); ++i) {
    if (text[i] == '\\') {
      ++i;
    } else if (text[i] == '"') {
      return i + 1;
    }
  }
  return text.size();
}

// The end of the value that starts at or after `at`: the comma or bracket behind it.
std::size_t valueEnd(std::string_view text, std::size_t at) {
  int depth = 0;
  for (std::size_t i = at; i < text.size();) {
    const char c = text[i];
    if (c == '"') {
      i = stringEnd(text, i);
      continue;
    }
    if (c == '{' || c == '[') ++depth;
    if (depth == 0 && (c == ',' || c == '}' || c == ']')) return i;
    if (c == '}' || c == ']') --depth;
    ++i;
  }
  return text.size();
}

std::string unquoted(std::string_view literal) {
  const auto value = nlohmann::json::parse(std::string(literal), nullptr, false);
  return value.is_string() ? value.get<std::string>() : std::string();
}

// Calls `item` with the name (of an object's) and text of each item of the object or array.
void eachItem(std::string_view text, const std::function<void(std::size_t, std::string, std::string_view)>& item) {
  text = trimmed(text);
  if (text.empty() || (text[0] != '{' && text[0] != '[')) return;
  const bool object = text[0] == '{';
  std::size_t at = 1;
  for (std::size_t i = 0; at < text.size(); ++i) {
    at = text.find_first_not_of(kSpace, at);
    if (at == std::string_view::npos || text[at] == '}' || text[at] == ']') return;
    std::string name;
    if (object) {
      const std::size_t end = stringEnd(text, at);
      name = unquoted(text.substr(at, end - at));
      const std::size_t colon = text.find(':', end);
      if (colon == std::string_view::npos) return;
      at = colon + 1;
    }
    const std::size_t end = valueEnd(text, at);
    item(i, std::move(name), trimmed(text.substr(at, end - at)));
    at = end + 1;
  }
}

std::string pointerName(std::string_view part) {
  std::string out;
  for (std::size_t i = 0; i < part.size(); ++i) {
    if (part[i] == '~' && i + 1 < part.size()) {
      out += part[++i] == '0' ? '~' : '/';
    } else {
      out += part[i];
    }
  }
  return out;
}

}  // namespace

std::string_view rawValue(std::string_view json, std::string_view pointer) {
  std::string_view value = trimmed(json);
  while (!pointer.empty() && !value.empty()) {
    pointer.remove_prefix(1);
    const std::size_t slash = pointer.find('/');
    const std::string wanted = pointerName(pointer.substr(0, slash));
    pointer.remove_prefix(slash == std::string_view::npos ? pointer.size() : slash);
    const bool object = value[0] == '{';
    std::string_view found;
    eachItem(value, [&](std::size_t i, const std::string& name, std::string_view text) {
      if (object ? name == wanted : std::to_string(i) == wanted) found = text;
    });
    value = found;
  }
  return value;
}

std::string compactJson(std::string_view json) {
  std::string out;
  for (std::size_t i = 0; i < json.size();) {
    const std::size_t end = json[i] == '"' ? stringEnd(json, i) : i + 1;
    if (kSpace.find(json[i]) == std::string_view::npos) out.append(json.substr(i, end - i));
    i = end;
  }
  return out;
}

std::vector<std::string_view> rawItems(std::string_view json) {
  std::vector<std::string_view> items;
  eachItem(json, [&](std::size_t, const std::string&, std::string_view text) { items.push_back(text); });
  return items;
}

std::vector<std::string> rawKeys(std::string_view json) {
  std::vector<std::string> keys;
  eachItem(json, [&](std::size_t, std::string name, std::string_view) { keys.push_back(std::move(name)); });
  return keys;
}

}  // namespace podberth::api
