// Interned strings: names, label keys and values, resource names. Comparing two for equality is comparing two pointers.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace podberth::api {

class Symbol {
 public:
  Symbol() noexcept : entry_(emptyEntry()) {}
  explicit Symbol(std::string_view text);

  const std::string& str() const noexcept { return entry_->text; }
  operator std::string_view() const noexcept { return entry_->text; }  // NOLINT: reading it as text is always right
  bool empty() const noexcept { return entry_->text.empty(); }
  // Dense numbers in the order of first use. For indexing tables; never for an order that anybody sees.
  std::uint32_t id() const noexcept { return entry_->id; }

  friend bool operator==(Symbol a, Symbol b) noexcept { return a.entry_ == b.entry_; }
  friend bool operator!=(Symbol a, Symbol b) noexcept { return a.entry_ != b.entry_; }
  // By text.
  friend bool operator<(Symbol a, Symbol b) noexcept { return a.entry_ != b.entry_ && a.str() < b.str(); }

 private:
  struct Entry {
    std::string text;
    std::uint32_t id = 0;
  };
  static const Entry* emptyEntry() noexcept;
  static const Entry* intern(std::string_view text);
  const Entry* entry_;
};

inline bool operator==(Symbol a, std::string_view b) noexcept { return a.str() == b; }
inline bool operator==(Symbol a, const char* b) noexcept { return a.str() == b; }
inline bool operator==(Symbol a, const std::string& b) noexcept { return a.str() == b; }

}  // namespace podberth::api

template <>
struct std::hash<podberth::api::Symbol> {
  std::size_t operator()(podberth::api::Symbol s) const noexcept { return s.id() * 0x9e3779b97f4a7c15ULL; }
};
