#include "core/scheduler/config/names.h"

#include <algorithm>

namespace podberth::scheduler::config {
namespace {

constexpr std::size_t kMaxLabelLength = 63;
constexpr std::size_t kMaxSubdomainLength = 253;
constexpr const char* kEmpty = "must be non-empty";
constexpr const char* kBadName =
    "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character "
    "(e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is "
    "'([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";
constexpr const char* kBadValue =
    "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and "
    "end "
    "with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is "
    "'(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')";
constexpr const char* kBadSubdomain =
    "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and "
    "end "
    "with an alphanumeric character (e.g. 'example.com', regex used for validation is "
    "'[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";

std::string tooLong(std::size_t length) { return "must be no more than " + std::to_string(length) + " bytes"; }

bool isLower(char c) { return c >= 'a' && c <= 'z'; }
bool isUpper(char c) { return c >= 'A' && c <= 'Z'; }
bool isDigit(char c) { return c >= '0' && c <= '9'; }
bool isAlnum(char c) { return isLower(c) || isUpper(c) || isDigit(c); }

bool isLabelText(std::string_view text) {
  return !text.empty() && isAlnum(text.front()) && isAlnum(text.back()) &&
         std::all_of(text.begin(), text.end(), [](char c) { return isAlnum(c) || c == '-' || c == '_' || c == '.'; });
}

bool isSubdomain(std::string_view text) {
  const auto ok = [](char c) { return isLower(c) || isDigit(c); };
  while (true) {
    const std::size_t dot = text.find('.');
    const std::string_view label = text.substr(0, dot);
    if (label.empty() || !ok(label.front()) || !ok(label.back()) ||
        !std::all_of(label.begin(), label.end(), [&](char c) { return ok(c) || c == '-'; })) {
      return false;
    }
    if (dot == std::string_view::npos) return true;
    text.remove_prefix(dot + 1);
  }
}

}  // namespace

std::vector<std::string> checkLabelKey(std::string_view name) {
  std::vector<std::string> errors;
  const std::size_t slash = name.find('/');
  if (slash != std::string_view::npos) {
    if (name.find('/', slash + 1) != std::string_view::npos) {
      return {std::string("a valid label key ") + kBadName +
              " with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')"};
    }
    const std::string_view prefix = name.substr(0, slash);
    name.remove_prefix(slash + 1);
    if (prefix.empty()) {
      errors.push_back(std::string("prefix part ") + kEmpty);
    } else {
      if (prefix.size() > kMaxSubdomainLength) errors.push_back("prefix part " + tooLong(kMaxSubdomainLength));
      if (!isSubdomain(prefix)) errors.push_back(std::string("prefix part ") + kBadSubdomain);
    }
  }
  if (name.empty()) {
    errors.push_back(std::string("name part ") + kEmpty);
  } else if (name.size() > kMaxLabelLength) {
    errors.push_back("name part " + tooLong(kMaxLabelLength));
  }
  if (!isLabelText(name)) errors.push_back(std::string("name part ") + kBadName);
  return errors;
}

std::vector<std::string> checkLabelValue(std::string_view value) {
  std::vector<std::string> errors;
  if (value.size() > kMaxLabelLength) errors.push_back(tooLong(kMaxLabelLength));
  if (!value.empty() && !isLabelText(value)) errors.push_back(kBadValue);
  return errors;
}

bool isExtendedResourceName(std::string_view name) {
  if (name.find('/') == std::string_view::npos || name.find("kubernetes.io/") != std::string_view::npos) return false;
  if (name.substr(0, 9) == "requests.") return false;
  return checkLabelKey("requests." + std::string(name)).empty();
}

}  // namespace podberth::scheduler::config
