// Texts as Go prints and reads them; error messages are full of them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace podberth::api::go {

// strconv.Quote; also %q and %#v of a string. Exotic code points that no release of Unicode has assigned count as
// printable.
std::string quote(std::string_view text);
// json.Marshal of a string: quoted, with <, > and & escaped.
std::string jsonString(std::string_view text);
// json.Marshal of a []string that was given, and of one that may be nil: null if it is empty.
std::string jsonStrings(const std::vector<std::string>& list);
std::string jsonStringsOrNull(const std::vector<std::string>& list);
// %#v of a []string, which is nil if it is empty: []string{"a", "b"}.
std::string sourceStrings(const std::vector<std::string>& list);
// %#v of a time in UTC, given in RFC 3339 to the second.
std::string sourceTime(const std::string& rfc3339);
// Escapes what json.Marshal escapes and others do not, in JSON text that is already sound.
std::string escapeHtml(std::string_view json);

// strconv.ParseInt(text, 10, 64).
bool parseInt64(std::string_view text, std::int64_t& out);
// time.ParseDuration, in nanoseconds; nullopt, with Go's text in *error, if it is none.
std::optional<std::int64_t> parseDuration(std::string_view text, std::string* error);
// time.Duration.String: "1h0m0s", "1.5s", "-300ms".
std::string durationString(std::int64_t nanoseconds);

}  // namespace podberth::api::go
