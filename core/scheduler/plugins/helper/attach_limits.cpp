#include "core/scheduler/plugins/helper/attach_limits.h"

#include <array>
#include <cstddef>
#include <cstdint>

namespace podberth::scheduler::plugins {
namespace {

constexpr std::string_view kCsiPrefix = "attachable-volumes-csi-";
constexpr std::size_t kLongestName = 63;
constexpr std::size_t kKeptOfDriver = 23;
constexpr std::size_t kKeptOfHash = 16;

constexpr std::size_t kBlock = 64;  // bytes
constexpr std::size_t kLength = 8;  // bytes of the length at the end

std::uint32_t rotated(std::uint32_t x, unsigned by) { return (x << by) | (x >> (32 - by)); }

std::uint32_t bigEndian(const std::string& data, std::size_t at) {
  std::uint32_t word = 0;
  for (std::size_t i = 0; i < 4; ++i) word = (word << 8) | static_cast<unsigned char>(data[at + i]);
  return word;
}

void addBlock(const std::string& data, std::size_t at, std::array<std::uint32_t, 5>* state) {
  std::array<std::uint32_t, 80> w{};
  for (std::size_t i = 0; i < 16; ++i) w[i] = bigEndian(data, at + 4 * i);
  for (std::size_t i = 16; i < w.size(); ++i) w[i] = rotated(w[i - 3] ^ w[i - 8] ^ w[i - 14] ^ w[i - 16], 1);
  auto [a, b, c, d, e] = *state;
  for (std::size_t i = 0; i < w.size(); ++i) {
    std::uint32_t f = 0;
    std::uint32_t k = 0;
    if (i < 20) {
      f = (b & c) | (~b & d);
      k = 0x5a827999;
    } else if (i < 40) {
      f = b ^ c ^ d;
      k = 0x6ed9eba1;
    } else if (i < 60) {
      f = (b & c) | (b & d) | (c & d);
      k = 0x8f1bbcdc;
    } else {
      f = b ^ c ^ d;
      k = 0xca62c1d6;
    }
    const std::uint32_t next = rotated(a, 5) + f + e + k + w[i];
    e = d;
    d = c;
    c = rotated(b, 30);
    b = a;
    a = next;
  }
  (*state)[0] += a;
  (*state)[1] += b;
  (*state)[2] += c;
  (*state)[3] += d;
  (*state)[4] += e;
}

}  // namespace

std::string sha1Hex(std::string_view text) {
  std::string data(text);
  data += '\x80';
  while (data.size() % kBlock != kBlock - kLength) data += '\0';
  const std::uint64_t bits = std::uint64_t{text.size()} * 8;
  for (std::size_t i = 0; i < kLength; ++i) data += static_cast<char>(bits >> (8 * (kLength - 1 - i)));
  std::array<std::uint32_t, 5> state{0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0};
  for (std::size_t at = 0; at < data.size(); at += kBlock) addBlock(data, at, &state);
  std::string hex;
  for (const std::uint32_t word : state) {
    for (int shift = 28; shift >= 0; shift -= 4) hex += "0123456789abcdef"[(word >> shift) & 15];
  }
  return hex;
}

std::string csiLimitResource(std::string_view driver) {
  std::string name(kCsiPrefix);
  if (kCsiPrefix.size() + driver.size() < kLongestName) return name.append(driver);
  return name.append(driver.substr(0, kKeptOfDriver)).append(sha1Hex(driver).substr(0, kKeptOfHash));
}

}  // namespace podberth::scheduler::plugins
