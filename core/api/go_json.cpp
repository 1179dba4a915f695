// Go's scanner of JSON, for the sake of its errors.
#include <cstddef>
#include <string>

#include "core/api/go_parse.h"
#include "core/api/go_text.h"

namespace podberth::api::go {
namespace {

bool isDigit(char c) { return c >= '0' && c <= '9'; }

class Scanner {
 public:
  explicit Scanner(std::string_view text) : text_(text) {}

  std::string check() {
    value(0);
    if (error_.empty()) {
      space();
      if (at_ < text_.size()) fail("after top-level value");
    }
    return error_;
  }

 private:
  static constexpr int kMaxDepth = 1000;  // deeper than any document here may be

  char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  bool done() const { return at_ >= text_.size(); }
  void space() {
    while (!done() && (text_[at_] == ' ' || text_[at_] == '\t' || text_[at_] == '\r' || text_[at_] == '\n')) ++at_;
  }

  // Blames the character that comes next, or that there is none. Upstream reads a space after the end: it blames that
  // where there may be none.
  void fail(const std::string& where, bool space_may_be = true) {
    if (!error_.empty()) return;
    if (done() && space_may_be) {
      error_ = "unexpected end of JSON input";
      return;
    }
    const char c = done() ? ' ' : text_[at_];
    const auto byte = static_cast<unsigned char>(c);
    std::string rune(1, c);
    if (byte >= 0x80) {  // upstream takes a byte for a rune
      rune = {static_cast<char>(0xc0 | byte >> 6), static_cast<char>(0x80 | (byte & 0x3f))};
    }
    std::string quoted = byte == '"' ? "\"" : byte == '\'' ? "\\'" : quote(rune);
    if (byte != '"' && byte != '\'') quoted = quoted.substr(1, quoted.size() - 2);
    error_ = "invalid character '" + quoted + "' " + where;
  }

  bool take(char c) {
    if (done() || text_[at_] != c) return false;
    ++at_;
    return true;
  }

  void value(int depth) {
    space();
    const char c = peek();
    if (c == '{' && depth < kMaxDepth) {
      ++at_;
      members(depth);
    } else if (c == '[' && depth < kMaxDepth) {
      ++at_;
      items(depth);
    } else if (c == '"') {
      string();
    } else if (c == '-' || isDigit(c)) {
      number();
    } else if (c == 't') {
      literal("true");
    } else if (c == 'f') {
      literal("false");
    } else if (c == 'n') {
      literal("null");
    } else {
      fail("looking for beginning of value");
    }
  }

  void members(int depth) {
    space();
    if (take('}')) return;
    while (error_.empty()) {
      space();
      if (peek() != '"') return fail("looking for beginning of object key string");
      string();
      space();
      if (error_.empty() && !take(':')) return fail("after object key");
      if (error_.empty()) value(depth + 1);
      space();
      if (!error_.empty() || take('}')) return;
      if (!take(',')) return fail("after object key:value pair");
    }
  }

  void items(int depth) {
    space();
    if (take(']')) return;
    while (error_.empty()) {
      value(depth + 1);
      space();
      if (!error_.empty() || take(']')) return;
      if (!take(',')) return fail("after array element");
    }
  }

  void string() {
    ++at_;
    while (!take('"')) {
      if (done() || static_cast<unsigned char>(peek()) < 0x20) return fail("in string literal");
      if (!take('\\')) {
        ++at_;
        continue;
      }
      if (take('u')) {
        for (int i = 0; i < 4; ++i) {
          const char c = peek();
          if (!isDigit(c) && !(c >= 'a' && c <= 'f') && !(c >= 'A' && c <= 'F')) {
            return fail("in \\u hexadecimal character escape", false);
          }
          ++at_;
        }
      } else if (!done() && std::string_view("bfnrt\\/\"").find(peek()) != std::string_view::npos) {
        ++at_;
      } else {
        return fail("in string escape code", false);
      }
    }
  }

  void digits(const char* where) {
    if (!isDigit(peek())) return fail(where, false);
    while (isDigit(peek())) ++at_;
  }

  void number() {
    take('-');
    if (!take('0')) digits("in numeric literal");
    if (take('.')) digits("after decimal point in numeric literal");
    if (!error_.empty() || (!take('e') && !take('E'))) return;
    if (!take('+')) take('-');
    digits("in exponent of numeric literal");
  }

  void literal(std::string_view word) {
    for (std::size_t i = 0; i < word.size(); ++i) {
      if (take(word[i])) continue;
      return fail("in literal " + std::string(word) + " (expecting '" + word[i] + "')", false);
    }
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::string error_;
};

}  // namespace

std::string jsonSyntaxError(std::string_view text) { return Scanner(text).check(); }

}  // namespace podberth::api::go
