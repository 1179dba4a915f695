// Looks into the canonical JSON of what objects carry and no type models, where a rule asks for a single field of it.
#pragma once

#include <string>
#include <string_view>

namespace podberth::scheduler::plugins {

// Whether `rest` has a member `key` whose value begins with `value` (JSON text: "false", "\"x\"", "[\""), at any depth.
// Quotes inside of strings are escaped in JSON, so that no string can look like a member.
inline bool restHasMember(const std::string& rest, std::string_view key, std::string_view value) {
  if (rest.empty()) return false;
  std::string member;
  member.reserve(key.size() + value.size() + 3);
  member.append("\"").append(key).append("\":").append(value);
  return rest.find(member) != std::string::npos;
}

// The text of the member `key` (a string without escapes); "" if there is none.
inline std::string restMemberText(const std::string& rest, std::string_view key) {
  std::string member;
  member.append("\"").append(key).append("\":\"");
  const std::size_t at = rest.find(member);
  if (at == std::string::npos) return {};
  const std::size_t begin = at + member.size();
  return rest.substr(begin, rest.find('"', begin) - begin);
}

}  // namespace podberth::scheduler::plugins
