#include "core/apiserver/shown_structure.h"

#include "core/api/go_text.h"

namespace podberth::apiserver {

namespace go = api::go;

api::field::Shown shownStructure(const Json& value, const char* type, const ShownField* fields) {
  std::string json = "{";
  std::string source = std::string(type) + "{";
  for (const ShownField* field = fields; field->name != nullptr; ++field) {
    if (field != fields) {
      json += ',';
      source += ", ";
    }
    json.append("\"").append(field->name).append("\":");
    source.append(field->name).append(":");
    const Json* found = member(value, field->key);
    if (*field->type == '*') {
      source.append("(").append(field->type).append(found == nullptr ? ")(nil)" : ")(0x0)");
      if (found == nullptr) {
        json += "null";
      } else if (field->inside != nullptr) {
        json += shownStructure(*found, "", field->inside).json;
      } else {
        json += go::escapeHtml(found->dump(-1, ' ', false, Json::error_handler_t::replace));
      }
    } else if (*field->type == '[') {
      std::vector<std::string> list;
      for (const Json& item : listOf(value, field->key)) {
        list.push_back(item.is_string() ? item.get<std::string>() : std::string());
      }
      json += go::jsonStringsOrNull(list);
      // As a []string but for the type.
      source += field->type + go::sourceStrings(list).substr(8);
    } else {
      json += go::jsonString(stringOf(value, field->key));
      source += go::quote(stringOf(value, field->key));
    }
  }
  return api::field::raw(json + "}", source + "}");
}

}  // namespace podberth::apiserver
