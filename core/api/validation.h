// Rules for names, labels and the texts of validation errors that more than one room needs.
// Upstream: k8s.io/apimachinery/pkg/api/validate/content, pkg/util/validation, pkg/util/validation/field,
// pkg/util/errors.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace podberth::api::validation {

// Each returns what is wrong, in upstream's words; empty if nothing is.
std::vector<std::string> labelKey(std::string_view value);  // also "qualified name"
std::vector<std::string> labelValue(std::string_view value);
std::vector<std::string> dns1123Label(std::string_view value);
std::vector<std::string> dns1123Subdomain(std::string_view value);

// Parts of the texts.
std::string maxLenError(int length);
std::string regexError(const std::string& message, const std::string& regex, const std::vector<std::string>& examples);
// Go's %q: in double quotes, with escapes.
std::string quote(std::string_view text);
// encoding/json's text of a list of strings; an empty list prints as null, as a nil slice does.
std::string jsonList(const std::vector<std::string>& values);

// Texts of field errors: "path: Invalid value: \"x\": detail" and so on. `value` is printed already (quote, jsonList,
// a number).
std::string invalid(const std::string& path, const std::string& value, const std::string& detail);
std::string notSupported(const std::string& path, std::string_view value, const std::vector<std::string>& supported);
// A child of a field's path: child("", "a") is "a", child("a", "b") is "a.b". Of no path at all the text is "<nil>".
std::string child(const std::string& path, const std::string& name);
std::string index(const std::string& path, std::size_t i);

std::string join(const std::vector<std::string>& texts, const std::string& separator);
// Several errors in one text, each once: "a", or "[a, b]". "" if there are none.
std::string aggregate(const std::vector<std::string>& errors);

// Go's strconv.ParseInt(text, 10, 64).
bool parseInt64(std::string_view text, std::int64_t& out);

}  // namespace podberth::api::validation
