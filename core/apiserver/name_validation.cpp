#include "core/apiserver/name_validation.h"

#include <array>
#include <cstddef>

namespace podberth::apiserver {

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
constexpr std::string_view kDecimalMessage = "must be a valid decimal integer in canonical form";
constexpr std::string_view kEmptyMessage = "must be non-empty";
constexpr std::string_view kNoIpMessage = "must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)";
constexpr std::string_view kNoCidrMessage = "must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)";

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

struct Address {
  IpFamily family = IpFamily::kNone;
  std::array<std::uint8_t, 16> bytes{};
  bool leading_zeros = false;  // sloppy IPv4
  bool mapped = false;         // IPv4 in IPv6
};

bool parseV4(std::string_view text, std::uint8_t* out, bool& leading_zeros) {
  const auto parts = split(text, '.');
  if (parts.size() != 4) return false;
  for (std::size_t i = 0; i < 4; ++i) {
    if (parts[i].empty()) return false;
    int value = 0;
    for (const char c : parts[i]) {
      if (!isDigit(c)) return false;
      value = value * 10 + (c - '0');
      if (value > 255) return false;
    }
    if (parts[i].size() > 1 && parts[i].front() == '0') leading_zeros = true;
    out[i] = static_cast<std::uint8_t>(value);
  }
  return true;
}

int hexValue(char c) {
  if (isDigit(c)) return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

bool parseV6(std::string_view text, Address& out) {
  std::array<std::uint8_t, 16> bytes{};
  std::size_t used = 0;
  int ellipsis = -1;
  std::size_t pos = 0;
  if (text.substr(0, 2) == "::") {
    ellipsis = 0;
    pos = 2;
  }
  while (pos < text.size()) {
    if (used >= 16) return false;
    std::size_t end = pos;
    int value = 0;
    while (end < text.size() && hexValue(text[end]) >= 0) {
      value = value * 16 + hexValue(text[end]);
      if (value > 0xffff) return false;
      ++end;
    }
    if (end == pos) return false;
    if (end < text.size() && text[end] == '.') {
      if ((ellipsis < 0 && used != 12) || used + 4 > 16) return false;
      if (!parseV4(text.substr(pos), &bytes[used], out.leading_zeros)) return false;
      used += 4;
      pos = text.size();
      break;
    }
    bytes[used++] = static_cast<std::uint8_t>(value >> 8);
    bytes[used++] = static_cast<std::uint8_t>(value & 0xff);
    pos = end;
    if (pos == text.size()) break;
    if (text[pos] != ':' || pos + 1 == text.size()) return false;
    ++pos;
    if (text[pos] == ':') {
      if (ellipsis >= 0) return false;
      ellipsis = static_cast<int>(used);
      ++pos;
    }
  }
  if (used < 16) {
    if (ellipsis < 0) return false;
    const std::size_t gap = 16 - used;
    for (std::size_t i = used; i > static_cast<std::size_t>(ellipsis); --i) {
      bytes[i - 1 + gap] = bytes[i - 1];
    }
    for (std::size_t i = 0; i < gap; ++i) bytes[static_cast<std::size_t>(ellipsis) + i] = 0;
  } else if (ellipsis >= 0) {
    return false;
  }
  out.family = IpFamily::kV6;
  out.bytes = bytes;
  out.mapped = bytes[10] == 0xff && bytes[11] == 0xff;
  for (std::size_t i = 0; i < 10; ++i) out.mapped = out.mapped && bytes[i] == 0;
  return true;
}

Address parseAddress(std::string_view text) {
  Address out;
  for (const char c : text) {
    if (c == ':') {
      if (!parseV6(text, out)) out.family = IpFamily::kNone;
      return out;
    }
    if (c == '.') break;
  }
  if (parseV4(text, out.bytes.data(), out.leading_zeros)) out.family = IpFamily::kV4;
  return out;
}

struct Cidr {
  Address address;
  int bits = -1;
  bool leading_zeros = false;
};

Cidr parseCidr(std::string_view text) {
  Cidr out;
  const std::size_t slash = text.find('/');
  if (slash == std::string_view::npos) return out;
  out.address = parseAddress(text.substr(0, slash));
  const std::string_view length = text.substr(slash + 1);
  int bits = length.empty() ? -1 : 0;
  for (const char c : length) {
    if (!isDigit(c) || bits > 128) {
      bits = -1;
      break;
    }
    bits = bits * 10 + (c - '0');
  }
  const int most = out.address.family == IpFamily::kV4 ? 32 : 128;
  if (bits < 0 || bits > most) out.address.family = IpFamily::kNone;
  out.bits = bits;
  out.leading_zeros = length.size() > 1 && length.front() == '0';
  return out;
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

Messages isDns1123Label(std::string_view value) {
  Messages out;
  if (value.size() > kLabelMaxLength) out.push_back(maxLength(kLabelMaxLength, "characters"));
  if (!matchesDnsLabel(value)) {
    out.push_back(matchesDnsSubdomain(value) ? "must not contain dots"
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

Messages isDns1123Subdomain(std::string_view value) { return isSubdomain(value, "characters"); }

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

Messages isLabelKey(std::string_view value) {
  Messages out;
  const auto parts = split(value, '/');
  std::string_view name = parts[0];
  if (parts.size() == 2) {
    name = parts[1];
    if (parts[0].empty()) {
      out.push_back("prefix part " + std::string(kEmptyMessage));
    } else {
      for (const std::string& message : isSubdomain(parts[0], "bytes")) out.push_back("prefix part " + message);
    }
  } else if (parts.size() > 2) {
    out.push_back("a valid label key " + labelKeyError() +
                  " with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')");
    return out;
  }
  if (name.empty()) {
    out.push_back("name part " + std::string(kEmptyMessage));
  } else if (name.size() > kLabelMaxLength) {
    out.push_back("name part " + maxLength(kLabelMaxLength, "bytes"));
  }
  if (!matchesLabelKey(name)) out.push_back("name part " + labelKeyError());
  return out;
}

Messages isLabelValue(std::string_view value) {
  Messages out;
  if (value.size() > kLabelMaxLength) out.push_back(maxLength(kLabelMaxLength, "bytes"));
  if (!value.empty() && !matchesLabelKey(value)) {
    out.push_back(regexError(kLabelValueMessage, kLabelValueFormat, {"MyValue", "my_value", "12345"}));
  }
  return out;
}

Messages isPortName(std::string_view value) {
  Messages out;
  if (value.size() > 15) out.push_back(maxLength(15, "characters"));
  bool charset = !value.empty();
  bool letter = false;
  for (const char c : value) {
    charset = charset && (isLowerAlnum(c) || c == '-');
    letter = letter || isLower(c);
  }
  if (!charset) out.push_back("must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)");
  if (!letter) out.push_back("must contain at least one letter (a-z)");
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

Messages isConfigMapKey(std::string_view value) {
  Messages out;
  if (value.size() > kSubdomainMaxLength) out.push_back(maxLength(kSubdomainMaxLength, "characters"));
  bool sound = !value.empty();
  for (const char c : value) sound = sound && (isAlnum(c) || c == '-' || c == '_' || c == '.');
  if (!sound) out.push_back(regexError(kConfigKeyMessage, "[-._a-zA-Z0-9]+", {"key.name", "KEY_NAME", "key-name"}));
  if (value == ".") {
    out.push_back("must not be '.'");
  } else if (value == "..") {
    out.push_back("must not be '..'");
  } else if (value.substr(0, 2) == "..") {
    out.push_back("must not start with '..'");
  }
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

Messages nameIsDns1123Subdomain(std::string_view name, bool prefix) {
  return prefix ? isDns1123Subdomain(masked(name)) : isDns1123Subdomain(name);
}

Messages nameIsDns1123Label(std::string_view name, bool prefix) {
  return prefix ? isDns1123Label(masked(name)) : isDns1123Label(name);
}

Messages isIpForLegacyField(std::string_view value, bool strict) {
  const Address address = parseAddress(value);
  if (address.family == IpFamily::kNone) return {std::string(kNoIpMessage)};
  Messages out;
  if (strict && address.leading_zeros) out.push_back("must not have leading 0s");
  if (strict && address.mapped && !address.leading_zeros) out.push_back("must not be an IPv4-mapped IPv6 address");
  return out;
}

Messages isCidrForLegacyField(std::string_view value, bool strict) {
  const Cidr cidr = parseCidr(value);
  if (cidr.address.family == IpFamily::kNone) return {std::string(kNoCidrMessage)};
  if (!strict) return {};
  if (cidr.address.leading_zeros || cidr.leading_zeros) {
    return {"must not have leading 0s in IP or prefix length"};
  }
  if (cidr.address.mapped) return {"must not have an IPv4-mapped IPv6 address"};
  const int size = cidr.address.family == IpFamily::kV4 ? 32 : 128;
  for (int bit = cidr.bits; bit < size; ++bit) {
    const auto byte = cidr.address.bytes[static_cast<std::size_t>(bit / 8)];
    if (((byte >> (7 - bit % 8)) & 1) != 0) return {"must not have bits set beyond the prefix length"};
  }
  return {};
}

IpFamily ipFamily(std::string_view value) {
  const Address address = parseAddress(value);
  return address.family == IpFamily::kV6 && address.mapped ? IpFamily::kV4 : address.family;
}

IpFamily cidrFamily(std::string_view value) { return parseCidr(value).address.family; }

}  // namespace podberth::apiserver
