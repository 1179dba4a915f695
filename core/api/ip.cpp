#include "core/api/ip.h"

#include <array>
#include <cstddef>
#include <cstdint>

#include "core/api/go_text.h"

namespace podberth::api::names {

namespace {

constexpr std::string_view kNoIpMessage = "must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)";
constexpr std::string_view kNoCidrMessage = "must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)";

bool isDigit(char c) { return c >= '0' && c <= '9'; }

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

std::string splitHostPort(const std::string& address, std::string* host, std::int64_t* port) {
  const auto wrong = [&](const char* why) { return "address " + address + ": " + why; };
  constexpr const char* kNoPort = "missing port in address";
  constexpr const char* kColons = "too many colons in address";
  const std::size_t colon = address.rfind(':');
  if (colon == std::string::npos) return wrong(kNoPort);
  std::size_t after_open = 0;  // where an opening and a closing bracket may not stand any more
  std::size_t after_close = 0;
  if (address[0] == '[') {
    const std::size_t end = address.find(']');
    if (end == std::string::npos) return wrong("missing ']' in address");
    if (end + 1 == address.size()) return wrong(kNoPort);
    if (end + 1 != colon) return wrong(address[end + 1] == ':' ? kColons : kNoPort);
    *host = address.substr(1, end - 1);
    after_open = 1;
    after_close = end + 1;
  } else {
    *host = address.substr(0, colon);
    if (host->find(':') != std::string::npos) return wrong(kColons);
  }
  if (address.find('[', after_open) != std::string::npos) return wrong("unexpected '[' in address");
  if (address.find(']', after_close) != std::string::npos) return wrong("unexpected ']' in address");
  const std::string text = address.substr(colon + 1);
  if (go::parseInt64(text, *port)) return "";
  const std::size_t sign = !text.empty() && (text[0] == '-' || text[0] == '+') ? 1 : 0;
  bool digits = text.size() > sign;
  for (std::size_t i = sign; i < text.size(); ++i) digits = digits && isDigit(text[i]);
  return "strconv.Atoi: parsing " + go::quote(text) + (digits ? ": value out of range" : ": invalid syntax");
}

}  // namespace podberth::api::names
