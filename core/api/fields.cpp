#include "core/api/fields.h"

namespace podberth::api {
namespace {

using Json = nlohmann::json;

std::vector<std::string> textsOf(const Json& list) {
  std::vector<std::string> out;
  if (!list.is_array()) return out;
  for (const Json& item : list) out.push_back(item.get<std::string>());
  return out;
}

std::string textOf(const Json& object, const char* key) {
  const auto it = object.find(key);
  return it == object.end() ? std::string() : it->get<std::string>();
}

const Json& memberOf(const Json& object, const char* key) {
  static const Json kNone;
  const auto it = object.find(key);
  return it == object.end() ? kNone : *it;
}

// Label and node selector requirements have the same shape.
template <class Requirement>
std::vector<Requirement> requirementsOf(const Json& list) {
  std::vector<Requirement> out;
  if (!list.is_array()) return out;
  for (const Json& item : list) {
    Requirement r;
    r.key = textOf(item, "key");
    r.op = textOf(item, "operator");
    r.values = textsOf(memberOf(item, "values"));
    out.push_back(std::move(r));
  }
  return out;
}

// "/spec/containers/0/tty" without the numbers: reported once for all containers.
std::string withoutIndices(const std::string& path) {
  std::string out, part;
  const auto flush = [&] {
    if (part.find_first_not_of("0123456789") != std::string::npos) out += (out.empty() ? "" : ".") + part;
    part.clear();
  };
  for (const char c : path) {
    if (c == '/') {
      flush();
    } else {
      part += c;
    }
  }
  flush();
  return out;
}

}  // namespace

std::string canonical(const Json& json) {
  return json.empty() ? std::string() : json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

Json Fields::take(const char* key) {
  const auto it = object_.find(key);
  if (it == object_.end()) return nullptr;
  Json value = std::move(*it);
  object_.erase(it);
  return value;
}

std::string Fields::text(const char* key) { return maybeText(key).value_or(std::string()); }

std::optional<std::string> Fields::maybeText(const char* key) {
  const Json value = take(key);
  if (!value.is_string()) return std::nullopt;
  return value.get<std::string>();
}

std::int64_t Fields::integer(const char* key) { return maybeInteger(key).value_or(0); }

std::optional<std::int64_t> Fields::maybeInteger(const char* key) {
  const Json value = take(key);
  if (!value.is_number()) return std::nullopt;
  return value.get<std::int64_t>();
}

std::optional<std::int32_t> Fields::maybeInteger32(const char* key) {
  const std::optional<std::int64_t> value = maybeInteger(key);
  if (!value) return std::nullopt;
  return static_cast<std::int32_t>(*value);
}

bool Fields::flag(const char* key) { return maybeFlag(key).value_or(false); }

std::optional<bool> Fields::maybeFlag(const char* key) {
  const Json value = take(key);
  if (!value.is_boolean()) return std::nullopt;
  return value.get<bool>();
}

std::vector<std::string> Fields::texts(const char* key) { return textsOf(take(key)); }

std::map<std::string, std::string> Fields::textMap(const char* key) {
  std::map<std::string, std::string> out;
  const Json map = take(key);
  if (!map.is_object()) return out;
  for (const auto& item : map.items()) out[item.key()] = item.value().get<std::string>();
  return out;
}

std::optional<clock::Time> Fields::time(const char* key) {
  const std::optional<std::string> value = maybeText(key);
  clock::Time t = 0;
  if (!value || !clock::parseRfc3339(*value, t)) return std::nullopt;
  return t;
}

LabelSet Fields::labels(const char* key) {
  LabelSet out;
  const Json map = take(key);
  if (!map.is_object()) return out;
  for (const auto& item : map.items()) {
    out.set(std::string_view(item.key()), item.value().get_ref<const std::string&>());
  }
  return out;
}

ResourceList Fields::resources(const char* key) {
  ResourceList out;
  const Json map = take(key);
  if (!map.is_object()) return out;
  for (const auto& item : map.items()) {
    out.set(std::string_view(item.key()),
            Quantity::parse(item.value().get_ref<const std::string&>()).value_or(Quantity()));
  }
  return out;
}

std::optional<LabelSelector> Fields::selector(const char* key) {
  const Json json = take(key);
  if (!json.is_object()) return std::nullopt;
  LabelSelector out;
  for (const auto& item : memberOf(json, "matchLabels").items()) {
    out.match_labels.set(std::string_view(item.key()), item.value().get_ref<const std::string&>());
  }
  out.match_expressions = requirementsOf<LabelSelectorRequirement>(memberOf(json, "matchExpressions"));
  return out;
}

NodeSelectorTerm Fields::nodeSelectorTermOf(const Json& json) {
  NodeSelectorTerm out;
  if (!json.is_object()) return out;
  out.match_expressions = requirementsOf<NodeSelectorRequirement>(memberOf(json, "matchExpressions"));
  out.match_fields = requirementsOf<NodeSelectorRequirement>(memberOf(json, "matchFields"));
  return out;
}

NodeSelectorTerm Fields::nodeSelectorTerm(const char* key) { return nodeSelectorTermOf(take(key)); }

std::optional<NodeSelector> Fields::nodeSelector(const char* key) {
  const Json json = take(key);
  if (!json.is_object()) return std::nullopt;
  NodeSelector out;
  for (const Json& term : memberOf(json, "nodeSelectorTerms")) out.terms.push_back(nodeSelectorTermOf(term));
  return out;
}

Fields Fields::child(const char* key) { return Fields(take(key), path_ + "/" + key, context_); }

std::string Fields::rest(bool loud) {
  if (loud) {
    for (const auto& item : object_.items()) {
      const std::string path = path_ + "/" + item.key();
      const std::string name = withoutIndices(path);
      if (!context_.ignored.insert(name).second) continue;
      Issue issue;
      issue.severity = Issue::Severity::kInfo;
      issue.path = path;
      issue.message = name + " is stored; scheduling does not look at it";
      context_.issues.push_back(std::move(issue));
    }
  }
  return canonical(object_);
}

}  // namespace podberth::api
