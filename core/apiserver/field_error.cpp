#include "core/apiserver/field_error.h"

#include <set>

namespace podberth::apiserver {

namespace {

constexpr char kHex[] = "0123456789abcdef";

void appendHex(std::string& out, std::uint32_t value, int digits) {
  for (int i = digits - 1; i >= 0; --i) out += kHex[(value >> (4 * i)) & 0xf];
}

// Decodes one rune of UTF-8 at `pos`. Returns its length, or 0 if there is no valid one.
int decodeRune(std::string_view text, std::size_t pos, std::uint32_t& rune) {
  const auto byte = [&](std::size_t i) -> std::uint32_t {
    return pos + i < text.size() ? static_cast<unsigned char>(text[pos + i]) : 0U;
  };
  const std::uint32_t first = byte(0);
  if (first < 0x80) {
    rune = first;
    return 1;
  }
  int length = 0;
  if (first >= 0xc2 && first < 0xe0) {
    length = 2;
    rune = first & 0x1fU;
  } else if (first >= 0xe0 && first < 0xf0) {
    length = 3;
    rune = first & 0x0fU;
  } else if (first >= 0xf0 && first < 0xf5) {
    length = 4;
    rune = first & 0x07U;
  } else {
    return 0;
  }
  for (int i = 1; i < length; ++i) {
    const std::uint32_t next = byte(static_cast<std::size_t>(i));
    if ((next & 0xc0U) != 0x80) return 0;
    rune = (rune << 6) | (next & 0x3fU);
  }
  if (length == 3 && (rune < 0x800 || (rune >= 0xd800 && rune < 0xe000))) return 0;
  if (length == 4 && (rune < 0x10000 || rune > 0x10ffff)) return 0;
  return length;
}

// unicode.IsPrint for what people write; exotic unassigned code points are taken as printable.
bool isPrint(std::uint32_t rune) {
  if (rune < 0x20 || (rune >= 0x7f && rune <= 0xa0) || rune == 0xad) return false;
  if (rune >= 0x2000 && rune <= 0x200f) return false;
  if (rune >= 0x2028 && rune <= 0x202f) return false;
  if (rune >= 0x205f && rune <= 0x206f) return false;
  if (rune == 0x1680 || rune == 0x3000 || rune == 0xfeff) return false;
  return !(rune >= 0xe000 && rune <= 0xf8ff);
}

std::string pointerToken(std::string_view name) {
  std::string out;
  for (const char c : name) {
    if (c == '~') {
      out += "~0";
    } else if (c == '/') {
      out += "~1";
    } else {
      out += c;
    }
  }
  return out;
}

std::string withDetail(std::string body, std::string_view detail) {
  if (!detail.empty()) {
    body += ": ";
    body += detail;
  }
  return body;
}

}  // namespace

std::string goQuote(std::string_view text) {
  std::string out = "\"";
  for (std::size_t i = 0; i < text.size();) {
    std::uint32_t rune = 0;
    const int length = decodeRune(text, i, rune);
    if (length == 0) {
      out += "\\x";
      appendHex(out, static_cast<unsigned char>(text[i]), 2);
      ++i;
      continue;
    }
    switch (rune) {
      case '"':
        out += "\\\"";
        break;
      case '\\':
        out += "\\\\";
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
      default:
        if (isPrint(rune)) {
          out += text.substr(i, static_cast<std::size_t>(length));
        } else if (rune < 0x80) {
          out += "\\x";
          appendHex(out, rune, 2);
        } else if (rune < 0x10000) {
          out += "\\u";
          appendHex(out, rune, 4);
        } else {
          out += "\\U";
          appendHex(out, rune, 8);
        }
    }
    i += static_cast<std::size_t>(length);
  }
  return out + "\"";
}

std::string goJsonString(std::string_view text) {
  std::string out = "\"";
  for (std::size_t i = 0; i < text.size();) {
    std::uint32_t rune = 0;
    const int length = decodeRune(text, i, rune);
    if (length == 0) {
      out += "\\ufffd";
      ++i;
      continue;
    }
    switch (rune) {
      case '"':
        out += "\\\"";
        break;
      case '\\':
        out += "\\\\";
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
      case '<':
      case '>':
      case '&':
      case 0x2028:
      case 0x2029:
        out += "\\u";
        appendHex(out, rune, 4);
        break;
      default:
        if (rune < 0x20) {
          out += "\\u";
          appendHex(out, rune, 4);
        } else {
          out += text.substr(i, static_cast<std::size_t>(length));
        }
    }
    i += static_cast<std::size_t>(length);
  }
  return out + "\"";
}

Path::Path(std::string_view name) : text_(name), pointer_("/" + pointerToken(name)) {}

Path Path::child(std::string_view name) const {
  return Path(text_ + "." + std::string(name), pointer_ + "/" + pointerToken(name));
}

Path Path::index(std::size_t i) const {
  const std::string digits = std::to_string(i);
  return Path(text_ + "[" + digits + "]", pointer_ + "/" + digits);
}

Path Path::key(std::string_view key) const {
  return Path(text_ + "[" + std::string(key) + "]", pointer_ + "/" + pointerToken(key));
}

Shown shown(std::string_view value) { return Shown{goQuote(value)}; }
Shown jsonString(std::string_view value) { return Shown{goJsonString(value)}; }
Shown number(std::int64_t value) { return Shown{std::to_string(value)}; }
Shown null() { return Shown{"null"}; }
Shown raw(std::string json) { return Shown{std::move(json)}; }

Shown jsonStrings(const std::vector<std::string>& values) {
  if (values.empty()) return null();
  std::string out = "[";
  for (const std::string& value : values) {
    if (out.size() > 1) out += ",";
    out += goJsonString(value);
  }
  return Shown{out + "]"};
}

void ErrorList::add(const Path& path, std::string body) {
  errors_.push_back(FieldError{path.text(), std::move(body), path.pointer()});
}

void ErrorList::required(const Path& path, std::string_view detail) { add(path, withDetail("Required value", detail)); }

void ErrorList::forbidden(const Path& path, std::string_view detail) { add(path, withDetail("Forbidden", detail)); }

void ErrorList::invalid(const Path& path, const Shown& value, std::string_view detail) {
  add(path, withDetail("Invalid value: " + value.text, detail));
}

void ErrorList::duplicate(const Path& path, const Shown& value, std::string_view detail) {
  add(path, withDetail("Duplicate value: " + value.text, detail));
}

void ErrorList::notFound(const Path& path, const Shown& value, std::string_view detail) {
  add(path, withDetail("Not found: " + value.text, detail));
}

void ErrorList::notSupported(const Path& path, const Shown& value, const std::vector<std::string_view>& supported) {
  std::string detail;
  for (const std::string_view one : supported) {
    detail += detail.empty() ? "supported values: " : ", ";
    detail += goQuote(one);
  }
  add(path, withDetail("Unsupported value: " + value.text, detail));
}

void ErrorList::tooLong(const Path& path, int max_bytes) {
  add(path, "Too long: may not be more than " + std::to_string(max_bytes) + (max_bytes == 1 ? " byte" : " bytes"));
}

void ErrorList::tooMany(const Path& path, std::size_t actual, int max) {
  add(path, "Too many: " + std::to_string(actual) + ": must have at most " + std::to_string(max) +
                (max == 1 ? " item" : " items"));
}

void ErrorList::internal(const Path& path, std::string_view detail) { add(path, withDetail("Internal error", detail)); }

void ErrorList::invalidEach(const Path& path, const Shown& value, const std::vector<std::string>& details) {
  for (const std::string& detail : details) invalid(path, value, detail);
}

void ErrorList::append(const ErrorList& other) {
  errors_.insert(errors_.end(), other.errors_.begin(), other.errors_.end());
}

std::string ErrorList::str() const {
  std::set<std::string> seen;
  std::string out;
  for (const FieldError& error : errors_) {
    const std::string text = error.str();
    if (!seen.insert(text).second) continue;
    if (seen.size() > 1) out += ", ";
    out += text;
  }
  return seen.size() > 1 ? "[" + out + "]" : out;
}

std::string ErrorList::invalidObject(std::string_view kind, std::string_view name) const {
  return std::string(kind) + " " + goQuote(name) + " is invalid: " + str();
}

std::vector<api::Issue> ErrorList::issues() const {
  std::vector<api::Issue> out;
  std::set<std::string> seen;
  for (const FieldError& error : errors_) {
    if (!seen.insert(error.str()).second) continue;
    api::Issue issue;
    issue.path = error.pointer;
    issue.message = error.body;
    out.push_back(std::move(issue));
  }
  return out;
}

}  // namespace podberth::apiserver
