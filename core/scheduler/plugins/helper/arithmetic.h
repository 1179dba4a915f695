// Integer arithmetic as Go has it: what does not fit into 64 bits wraps around. Quantities may be as large as the
// largest int64, so their sums and their hundredfolds need it.
#pragma once

#include <cstdint>

namespace podberth::scheduler::plugins {

constexpr std::int64_t wrappingAdd(std::int64_t a, std::int64_t b) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
}
constexpr std::int64_t wrappingSub(std::int64_t a, std::int64_t b) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) - static_cast<std::uint64_t>(b));
}
constexpr std::int64_t wrappingMul(std::int64_t a, std::int64_t b) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) * static_cast<std::uint64_t>(b));
}

}  // namespace podberth::scheduler::plugins
