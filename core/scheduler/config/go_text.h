// Texts as Go prints and reads them; error messages are full of them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace podberth::scheduler::config {

// strconv.Quote.
std::string quote(std::string_view text);
// json.Marshal of a string: quoted, with <, > and & escaped.
std::string jsonString(std::string_view text);
// json.Marshal of a []string.
std::string jsonStrings(const std::vector<std::string>& list);
// Escapes what json.Marshal escapes and others do not, in JSON text that is already sound.
std::string escapeHtml(std::string_view json);

// time.ParseDuration, in nanoseconds; nullopt, with Go's text in *error, if it is none.
std::optional<std::int64_t> parseDuration(std::string_view text, std::string* error);
// time.Duration.String: "1h0m0s", "1.5s", "-300ms".
std::string durationString(std::int64_t nanoseconds);

}  // namespace podberth::scheduler::config
