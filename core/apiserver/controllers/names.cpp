#include "core/apiserver/controllers/names.h"

#include <cstdint>

namespace podberth::apiserver {

namespace {

// Without vowels and what looks like them, so that no words come about.
constexpr std::string_view kAlphabet = "bcdfghjklmnpqrstvwxz2456789";
constexpr int kSuffixLength = 5;

std::uint64_t fnv64(std::string_view text) {
  std::uint64_t hash = 1469598103934665603ULL;
  for (char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211ULL;
  return hash;
}

std::uint32_t fnv32(std::string_view text) {
  std::uint32_t hash = 2166136261U;
  for (char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 16777619U;
  return hash;
}

}  // namespace

std::string nameSuffix(std::string_view seed) {
  // The low bits of FNV differ little between texts that end alike: fold the high ones in.
  std::uint64_t hash = fnv64(seed);
  hash ^= hash >> 29U;
  std::string out;
  for (int i = 0; i < kSuffixLength; ++i) {
    out += kAlphabet[hash % kAlphabet.size()];
    hash /= kAlphabet.size();
  }
  return out;
}

std::string templateHash(const Json& pod_template, int collisions) {
  std::string text = dumpRest(pod_template);
  if (collisions > 0) text += "#" + std::to_string(collisions);
  std::string out;
  for (char digit : std::to_string(fnv32(text))) {
    out += kAlphabet[static_cast<unsigned char>(digit) % kAlphabet.size()];
  }
  return out;
}

}  // namespace podberth::apiserver
