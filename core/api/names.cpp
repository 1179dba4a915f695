#include "core/api/names.h"

#include <cstddef>

namespace podberth::api::names {

namespace {

constexpr std::string_view kDns1123LabelFormat = "[a-z0-9]([-a-z0-9]*[a-z0-9])?";
constexpr std::string_view kDns1123SubdomainFormat =
    R"([a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*)";
constexpr std::string_view kDns1123UnderscoreFormat =
    R"(_?[a-z0-9]([-_a-z0-9]*[a-z0-9])?(\._?[a-z0-9]([-_a-z0-9]*[a-z0-9])?)*)";
constexpr std::string_view kLabelMessage =
    "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with "
    "an "
    "alphanumeric character";
constexpr std::string_view kSubdomainMessage =
    "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and "
    "end "
    "with an alphanumeric character";
constexpr std::string_view kUnderscoreMessage =
    "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '_', '-' or '.', and must "
    "start and "
    "end with an alphanumeric character";
constexpr std::string_view kLabelKeyFormat = "([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]";
constexpr std::string_view kLabelKeyMessage =
    "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character";
constexpr std::string_view kLabelValueFormat = "(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?";
constexpr std::string_view kLabelValueMessage =
    "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and "
    "end "
    "with an alphanumeric character";
constexpr std::string_view kConfigKeyMessage =
    "a valid config key must consist of alphanumeric characters, '-', '_' or '.'";
constexpr std::string_view kHeaderMessage = "a valid HTTP header must consist of alphanumeric characters or '-'";
constexpr std::string_view kEnvNameMessage =
    "a valid environment variable name must consist only of printable ASCII characters other than '='";
constexpr std::string_view kOldEnvNameMessage =
    "a valid environment variable name must consist of alphabetic characters, digits, '_', '-', or '.', and must not "
    "start with a digit";
constexpr std::string_view kDecimalMessage = "must be a valid decimal integer in canonical form";
constexpr std::string_view kEmptyMessage = "must be non-empty";

constexpr std::size_t kLabelMaxLength = 63;
constexpr std::size_t kSubdomainMaxLength = 253;

bool isDigit(char c) { return c >= '0' && c <= '9'; }
bool isLower(char c) { return c >= 'a' && c <= 'z'; }
bool isLowerAlnum(char c) { return isLower(c) || isDigit(c); }
bool isAlnum(char c) { return isLowerAlnum(c) || (c >= 'A' && c <= 'Z'); }

std::string maxLength(std::size_t length, std::string_view unit) {
  return "must be no more than " + std::to_string(length) + " " + std::string(unit);
}

std::string regexError(std::string_view message, std::string_view format,
                       const std::vector<std::string_view>& examples) {
  std::string out(message);
  out += examples.empty() ? " (" : " (e.g. ";
  for (std::size_t i = 0; i < examples.size(); ++i) {
    if (i > 0) out += " or ";
    out += "'" + std::string(examples[i]) + "', ";
  }
  return out + "regex used for validation is '" + std::string(format) + "')";
}

bool matchesDnsLabel(std::string_view value) {
  if (value.empty() || !isLowerAlnum(value.front()) || !isLowerAlnum(value.back())) return false;
  for (const char c : value) {
    if (!isLowerAlnum(c) && c != '-') return false;
  }
  return true;
}

bool matchesDnsSubdomain(std::string_view value) {
  for (const std::string_view label : split(value, '.')) {
    if (!matchesDnsLabel(label)) return false;
  }
  return true;
}

bool matchesUnderscoreLabel(std::string_view value) {
  if (!value.empty() && value.front() == '_') value.remove_prefix(1);
  if (value.empty() || !isLowerAlnum(value.front()) || !isLowerAlnum(value.back())) return false;
  for (const char c : value) {
    if (!isLowerAlnum(c) && c != '-' && c != '_') return false;
  }
  return true;
}

bool matchesLabelKey(std::string_view value) {
  if (value.empty() || !isAlnum(value.front()) || !isAlnum(value.back())) return false;
  for (const char c : value) {
    if (!isAlnum(c) && c != '-' && c != '_' && c != '.') return false;
  }
  return true;
}

std::string labelKeyError() { return regexError(kLabelKeyMessage, kLabelKeyFormat, {"MyName", "my.name", "123-abc"}); }

// NameIsDNS...: what would be generated from a prefix. Upstream drops the character before the dash too; so do we.
std::string masked(std::string_view name) {
  if (name.size() > 1 && name.back() == '-') return std::string(name.substr(0, name.size() - 2)) + "a";
  return std::string(name);
}

}  // namespace

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> out;
  for (;;) {
    const std::size_t at = text.find(separator);
    out.push_back(text.substr(0, at));
    if (at == std::string_view::npos) return out;
    text.remove_prefix(at + 1);
  }
}

std::string joined(const Messages& messages, std::string_view separator) {
  std::string out;
  for (std::size_t i = 0; i < messages.size(); ++i) {
    if (i > 0) out += separator;
    out += messages[i];
  }
  return out;
}

std::string lowered(std::string_view text) {
  std::string out(text);
  for (char& c : out) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return out;
}

std::string inclusiveRangeError(std::int64_t low, std::int64_t high) {
  return "must be between " + std::to_string(low) + " and " + std::to_string(high) + ", inclusive";
}

Messages isDns1123Label(std::string_view value, const Wording& wording) {
  Messages out;
  if (value.size() > kLabelMaxLength) out.push_back(maxLength(kLabelMaxLength, "characters"));
  if (!matchesDnsLabel(value)) {
    out.push_back(wording.names_dots && matchesDnsSubdomain(value)
                      ? "must not contain dots"
                      : regexError(kLabelMessage, kDns1123LabelFormat, {"my-name", "123-abc"}));
  }
  return out;
}

namespace {

Messages isSubdomain(std::string_view value, std::string_view unit) {
  Messages out;
  if (value.size() > kSubdomainMaxLength) out.push_back(maxLength(kSubdomainMaxLength, unit));
  if (!matchesDnsSubdomain(value)) {
    out.push_back(regexError(kSubdomainMessage, kDns1123SubdomainFormat, {"example.com"}));
  }
  return out;
}

}  // namespace

Messages isDns1123Subdomain(std::string_view value, const Wording&) { return isSubdomain(value, "characters"); }

Messages isDns1123SubdomainWithUnderscore(std::string_view value) {
  Messages out;
  if (value.size() > kSubdomainMaxLength) out.push_back(maxLength(kSubdomainMaxLength, "characters"));
  for (const std::string_view label : split(value, '.')) {
    if (matchesUnderscoreLabel(label)) continue;
    out.push_back(regexError(kUnderscoreMessage, kDns1123UnderscoreFormat, {"example.com"}));
    break;
  }
  return out;
}

Messages isLabelKey(std::string_view value, const Wording& wording) {
  Messages out;
  const auto parts = split(value, '/');
  std::string_view name = parts[0];
  if (parts.size() == 2) {
    name = parts[1];
    if (parts[0].empty()) {
      out.push_back("prefix part " + std::string(kEmptyMessage));
    } else {
      for (const std::string& message : isSubdomain(parts[0], wording.label_length_unit))
        out.push_back("prefix part " + message);
    }
  } else if (parts.size() > 2) {
    out.push_back(wording.label_key + (" " + labelKeyError()) +
                  " with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')");
    return out;
  }
  if (name.empty()) {
    out.push_back("name part " + std::string(kEmptyMessage));
  } else if (name.size() > kLabelMaxLength) {
    out.push_back("name part " + maxLength(kLabelMaxLength, wording.label_length_unit));
  }
  if (!matchesLabelKey(name)) out.push_back("name part " + labelKeyError());
  return out;
}

Messages isLabelValue(std::string_view value, const Wording& wording) {
  Messages out;
  if (value.size() > kLabelMaxLength) out.push_back(maxLength(kLabelMaxLength, wording.label_length_unit));
  if (!value.empty() && !matchesLabelKey(value)) {
    out.push_back(regexError(kLabelValueMessage, kLabelValueFormat, {"MyValue", "my_value", "12345"}));
  }
  return out;
}

Messages isPortName(std::string_view value, const Wording& wording) {
  Messages out;
  if (value.size() > 15) out.push_back(maxLength(15, "characters"));
  bool charset = !value.empty();
  bool letter = false;
  for (const char c : value) {
    charset = charset && (isLowerAlnum(c) || c == '-');
    letter = letter || isLower(c);
  }
  if (!charset) out.push_back("must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)");
  if (!letter) out.push_back(wording.port_letter);
  if (value.find("--") != std::string_view::npos) out.push_back("must not contain consecutive hyphens");
  if (!value.empty() && (value.front() == '-' || value.back() == '-')) {
    out.push_back("must not begin or end with a hyphen");
  }
  return out;
}

Messages isPortNumber(std::int64_t port) {
  if (port >= 1 && port <= 65535) return {};
  return {inclusiveRangeError(1, 65535)};
}

Messages isRelaxedEnvVarName(std::string_view value) {
  if (value.empty()) return {"environment variable name " + std::string(kEmptyMessage)};
  for (const char c : value) {
    if (c < 0x20 || c > 0x7e || c == '=') return {std::string(kEnvNameMessage)};
  }
  return {};
}

namespace {

Messages dotNames(std::string_view value) {
  if (value == ".") return {"must not be '.'"};
  if (value == "..") return {"must not be '..'"};
  if (value.substr(0, 2) == "..") return {"must not start with '..'"};
  return {};
}

}  // namespace

Messages isEnvVarName(std::string_view value) {
  bool sound = !value.empty() && !isDigit(value.front());
  for (const char c : value) sound = sound && (isAlnum(c) || c == '-' || c == '_' || c == '.');
  Messages out;
  if (!sound) {
    out.push_back(
        regexError(kOldEnvNameMessage, "[-._a-zA-Z][-._a-zA-Z0-9]*", {"my.env-name", "MY_ENV.NAME", "MyEnvName1"}));
  }
  for (std::string& message : dotNames(value)) out.push_back(std::move(message));
  return out;
}

Messages isConfigMapKey(std::string_view value) {
  Messages out;
  if (value.size() > kSubdomainMaxLength) out.push_back(maxLength(kSubdomainMaxLength, "characters"));
  bool sound = !value.empty();
  for (const char c : value) sound = sound && (isAlnum(c) || c == '-' || c == '_' || c == '.');
  if (!sound) out.push_back(regexError(kConfigKeyMessage, "[-._a-zA-Z0-9]+", {"key.name", "KEY_NAME", "key-name"}));
  for (std::string& message : dotNames(value)) out.push_back(std::move(message));
  return out;
}

Messages isHttpHeaderName(std::string_view value) {
  bool sound = !value.empty();
  for (const char c : value) sound = sound && (isAlnum(c) || c == '-');
  if (sound) return {};
  return {regexError(kHeaderMessage, "[-A-Za-z0-9]+", {"X-Header-Name"})};
}

Messages isDecimalInteger(std::string_view value) {
  if (value.empty()) return {std::string(kEmptyMessage)};
  std::string_view digits = value;
  if (digits.front() == '-') digits.remove_prefix(1);
  bool sound = !digits.empty();
  for (const char c : digits) sound = sound && isDigit(c);
  if (sound && digits.front() == '0') sound = value == "0";
  if (sound) return {};
  return {std::string(kDecimalMessage)};
}

Messages isPathSegmentPrefix(std::string_view value) {
  Messages out;
  if (value.find('/') != std::string_view::npos) out.push_back("may not contain '/'");
  if (value.find('%') != std::string_view::npos) out.push_back("may not contain '%'");
  return out;
}

Messages isPathSegmentName(std::string_view value) {
  if (value == "." || value == "..") return {"may not be '" + std::string(value) + "'"};
  return isPathSegmentPrefix(value);
}

Messages nameIsDns1123Subdomain(std::string_view name, bool prefix, const Wording& wording) {
  return isDns1123Subdomain(prefix ? masked(name) : std::string(name), wording);
}

Messages nameIsDns1123Label(std::string_view name, bool prefix, const Wording& wording) {
  return isDns1123Label(prefix ? masked(name) : std::string(name), wording);
}

}  // namespace podberth::api::names
