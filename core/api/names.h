// The syntax of names, labels and keys. Each function returns what is wrong in upstream's words; nothing if all is
// well. Upstream: k8s.io/apimachinery/pkg/util/validation, pkg/api/validate/content, pkg/api/validation.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/api/wording.h"

namespace podberth::api::names {

using Messages = std::vector<std::string>;

Messages isDns1123Label(std::string_view value, const Wording& wording);
Messages isDns1123Subdomain(std::string_view value, const Wording& wording);
Messages isDns1123SubdomainWithUnderscore(std::string_view value);
Messages isLabelKey(std::string_view value, const Wording& wording);  // what upstream also calls a qualified name
Messages isLabelValue(std::string_view value, const Wording& wording);
Messages isPortName(std::string_view value, const Wording& wording);
Messages isPortNumber(std::int64_t port);
Messages isEnvVarName(std::string_view value);
Messages isRelaxedEnvVarName(std::string_view value);
Messages isConfigMapKey(std::string_view value);
Messages isHttpHeaderName(std::string_view value);
Messages isDecimalInteger(std::string_view value);
Messages isPathSegmentName(std::string_view value);
Messages isPathSegmentPrefix(std::string_view value);

// The same for a prefix that a name is generated from: it may end in a dash.
Messages nameIsDns1123Subdomain(std::string_view name, bool prefix, const Wording& wording);
Messages nameIsDns1123Label(std::string_view name, bool prefix, const Wording& wording);

std::string inclusiveRangeError(std::int64_t low, std::int64_t high);
std::string joined(const Messages& messages, std::string_view separator);
std::string lowered(std::string_view text);  // ASCII
std::vector<std::string_view> split(std::string_view text, char separator);

}  // namespace podberth::api::names
