#include "core/api/validation.h"

#include <algorithm>

#include <nlohmann/json.hpp>

namespace podberth::api::validation {
namespace {

constexpr std::size_t kLabelMaxLength = 63;
constexpr std::size_t kSubdomainMaxLength = 253;

const char* const kLabelKeyRegex = "([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]";
const char* const kLabelKeyMessage =
    "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character";
const char* const kLabelValueRegex = "(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?";
const char* const kLabelValueMessage =
    "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and "
    "end with an alphanumeric character";
const char* const kDnsLabelRegex = "[a-z0-9]([-a-z0-9]*[a-z0-9])?";
const char* const kDnsLabelMessage =
    "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with "
    "an alphanumeric character";
const char* const kDnsSubdomainRegex = "[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*";
const char* const kDnsSubdomainMessage =
    "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and "
    "end with an alphanumeric character";
const char* const kEmpty = "must be non-empty";

bool isLowerOrDigit(char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); }
bool isAlphanumeric(char c) { return isLowerOrDigit(c) || (c >= 'A' && c <= 'Z'); }

bool matchesLabelKey(std::string_view s) {
  return !s.empty() && isAlphanumeric(s.front()) && isAlphanumeric(s.back()) &&
         std::all_of(s.begin(), s.end(), [](char c) { return isAlphanumeric(c) || c == '-' || c == '_' || c == '.'; });
}

bool matchesDnsLabel(std::string_view s) {
  return !s.empty() && isLowerOrDigit(s.front()) && isLowerOrDigit(s.back()) &&
         std::all_of(s.begin(), s.end(), [](char c) { return isLowerOrDigit(c) || c == '-'; });
}

bool matchesDnsSubdomain(std::string_view s) {
  for (;;) {
    const std::size_t dot = s.find('.');
    if (!matchesDnsLabel(s.substr(0, dot))) return false;
    if (dot == std::string_view::npos) return true;
    s.remove_prefix(dot + 1);
  }
}

std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> parts(1);
  for (const char c : text) {
    if (c == separator) {
      parts.push_back("");
    } else {
      parts.back() += c;
    }
  }
  return parts;
}

}  // namespace

std::string maxLenError(int length) { return "must be no more than " + std::to_string(length) + " bytes"; }

std::string regexError(const std::string& message, const std::string& regex, const std::vector<std::string>& examples) {
  if (examples.empty()) return message + " (regex used for validation is '" + regex + "')";
  std::string out = message + " (e.g. ";
  for (std::size_t i = 0; i < examples.size(); ++i) {
    if (i > 0) out += " or ";
    out += "'" + examples[i] + "', ";
  }
  return out + "regex used for validation is '" + regex + "')";
}

std::vector<std::string> labelKey(std::string_view value) {
  std::vector<std::string> errors;
  const std::vector<std::string> parts = split(value, '/');
  const std::string what = regexError(kLabelKeyMessage, kLabelKeyRegex, {"MyName", "my.name", "123-abc"});
  if (parts.size() > 2) {
    errors.push_back("a valid label key " + what +
                     " with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')");
    return errors;
  }
  if (parts.size() == 2) {
    if (parts[0].empty()) {
      errors.push_back(std::string("prefix part ") + kEmpty);
    } else {
      for (const std::string& e : dns1123Subdomain(parts[0])) errors.push_back("prefix part " + e);
    }
  }
  const std::string& name = parts.back();
  if (name.empty()) {
    errors.push_back(std::string("name part ") + kEmpty);
  } else if (name.size() > kLabelMaxLength) {
    errors.push_back("name part " + maxLenError(static_cast<int>(kLabelMaxLength)));
  }
  if (!matchesLabelKey(name)) errors.push_back("name part " + what);
  return errors;
}

std::vector<std::string> labelValue(std::string_view value) {
  std::vector<std::string> errors;
  if (value.size() > kLabelMaxLength) errors.push_back(maxLenError(static_cast<int>(kLabelMaxLength)));
  if (!value.empty() && !matchesLabelKey(value)) {
    errors.push_back(regexError(kLabelValueMessage, kLabelValueRegex, {"MyValue", "my_value", "12345"}));
  }
  return errors;
}

std::vector<std::string> dns1123Label(std::string_view value) {
  std::vector<std::string> errors;
  if (value.size() > kLabelMaxLength) errors.push_back(maxLenError(static_cast<int>(kLabelMaxLength)));
  if (!matchesDnsLabel(value)) {
    errors.push_back(matchesDnsSubdomain(value) ? "must not contain dots"
                                                : regexError(kDnsLabelMessage, kDnsLabelRegex, {"my-name", "123-abc"}));
  }
  return errors;
}

std::vector<std::string> dns1123Subdomain(std::string_view value) {
  std::vector<std::string> errors;
  if (value.size() > kSubdomainMaxLength) errors.push_back(maxLenError(static_cast<int>(kSubdomainMaxLength)));
  if (!matchesDnsSubdomain(value)) {
    errors.push_back(regexError(kDnsSubdomainMessage, kDnsSubdomainRegex, {"example.com"}));
  }
  return errors;
}

std::string quote(std::string_view text) {
  constexpr char kHex[] = "0123456789abcdef";
  std::string out = "\"";
  for (const char c : text) {
    switch (c) {
      case '"':
      case '\\':
        out += '\\';
        out += c;
        break;
      case '\a':
        out += "\\a";
        break;
      case '\b':
        out += "\\b";
        break;
      case '\f':
        out += "\\f";
        break;
      case '\n':
        out += "\\n";
        break;
      case '\r':
        out += "\\r";
        break;
      case '\t':
        out += "\\t";
        break;
      case '\v':
        out += "\\v";
        break;
      default: {
        const auto u = static_cast<unsigned char>(c);
        if (u < 0x20 || u == 0x7f) {
          out += "\\x";
          out += kHex[u >> 4];
          out += kHex[u & 15];
        } else {
          out += c;
        }
      }
    }
  }
  return out + "\"";
}

std::string jsonList(const std::vector<std::string>& values) {
  if (values.empty()) return "null";
  const std::string plain = nlohmann::json(values).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  std::string out;
  for (const char c : plain) {  // Go's encoder escapes what HTML would read
    if (c == '<') {
      out += "\\u003c";
    } else if (c == '>') {
      out += "\\u003e";
    } else if (c == '&') {
      out += "\\u0026";
    } else {
      out += c;
    }
  }
  return out;
}

std::string invalid(const std::string& path, const std::string& value, const std::string& detail) {
  std::string out = path + ": Invalid value: " + value;
  if (!detail.empty()) out += ": " + detail;
  return out;
}

std::string notSupported(const std::string& path, std::string_view value, const std::vector<std::string>& supported) {
  std::string out = path + ": Unsupported value: " + quote(value);
  for (std::size_t i = 0; i < supported.size(); ++i) {
    out += (i == 0 ? ": supported values: " : ", ") + quote(supported[i]);
  }
  return out;
}

std::string child(const std::string& path, const std::string& name) { return path.empty() ? name : path + "." + name; }

std::string index(const std::string& path, std::size_t i) { return path + "[" + std::to_string(i) + "]"; }

std::string join(const std::vector<std::string>& texts, const std::string& separator) {
  std::string out;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    if (i > 0) out += separator;
    out += texts[i];
  }
  return out;
}

std::string aggregate(const std::vector<std::string>& errors) {
  std::vector<std::string> once;
  for (const std::string& e : errors) {
    if (std::find(once.begin(), once.end(), e) == once.end()) once.push_back(e);
  }
  if (once.empty()) return "";
  return once.size() == 1 ? once[0] : "[" + join(once, ", ") + "]";
}

bool parseInt64(std::string_view text, std::int64_t& out) {
  bool negative = false;
  if (!text.empty() && (text[0] == '+' || text[0] == '-')) {
    negative = text[0] == '-';
    text.remove_prefix(1);
  }
  if (text.empty()) return false;
  const std::uint64_t limit = static_cast<std::uint64_t>(INT64_MAX) + (negative ? 1 : 0);
  std::uint64_t value = 0;
  for (const char c : text) {
    if (c < '0' || c > '9') return false;
    const auto digit = static_cast<std::uint64_t>(c - '0');
    if (value > (limit - digit) / 10) return false;
    value = value * 10 + digit;
  }
  out = static_cast<std::int64_t>(negative ? 0 - value : value);
  return true;
}

}  // namespace podberth::api::validation
