// Writes JSON as text, without a tree behind it. Keys come in the order of the calls.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace podberth::trace {

// A string as a JSON string, quotes included. Invalid UTF-8 becomes U+FFFD.
void appendQuoted(std::string& out, std::string_view text);
// Nanoseconds as seconds, cut to a microsecond: 2100000 -> 0.0021.
void appendSeconds(std::string& out, std::int64_t nanoseconds);
// The same as the number is written in messages (%g of Go): from a million seconds on with an exponent.
std::string secondsText(std::int64_t nanoseconds);

struct ExtenderCall;
class JsonText;
// The members of a call of an extender.
void extenderCall(JsonText& json, const ExtenderCall& call);

class JsonText {
 public:
  explicit JsonText(std::string& out) : out_(out) {}

  JsonText& beginObject() { return open('{'); }
  JsonText& endObject() { return close('}'); }
  JsonText& beginArray() { return open('['); }
  JsonText& endArray() { return close(']'); }
  JsonText& key(std::string_view name) {
    comma();
    appendQuoted(out_, name);
    out_ += ':';
    fresh_ = true;
    return *this;
  }
  JsonText& string(std::string_view value) {
    comma();
    appendQuoted(out_, value);
    return *this;
  }
  JsonText& number(std::int64_t value) {
    comma();
    out_ += std::to_string(value);
    return *this;
  }
  JsonText& seconds(std::int64_t nanoseconds) {
    comma();
    appendSeconds(out_, nanoseconds);
    return *this;
  }
  JsonText& boolean(bool value) { return raw(value ? "true" : "false"); }
  JsonText& null() { return raw("null"); }
  // JSON text that is ready.
  JsonText& raw(std::string_view json) {
    comma();
    out_ += json;
    return *this;
  }
  JsonText& strings(const std::vector<std::string>& values) {
    beginArray();
    for (const std::string& v : values) string(v);
    return endArray();
  }

  // A member, left out if it is empty or zero.
  JsonText& optional(std::string_view name, std::string_view value) {
    return value.empty() ? *this : key(name).string(value);
  }
  JsonText& optional(std::string_view name, const std::vector<std::string>& values) {
    return values.empty() ? *this : key(name).strings(values);
  }
  JsonText& optionalNumber(std::string_view name, std::int64_t value) {
    return value == 0 ? *this : key(name).number(value);
  }

 private:
  JsonText& open(char c) {
    comma();
    out_ += c;
    fresh_ = true;
    return *this;
  }
  JsonText& close(char c) {
    out_ += c;
    fresh_ = false;
    return *this;
  }
  void comma() {
    if (!fresh_) out_ += ',';
    fresh_ = false;
  }

  std::string& out_;
  bool fresh_ = true;
};

}  // namespace podberth::trace
