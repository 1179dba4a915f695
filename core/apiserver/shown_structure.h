// Structures as errors show them: the API server's own types, as JSON by the names of their Go fields, formerly as Go
// source (%#v).
#pragma once

#include "core/api/field_error.h"
#include "core/apiserver/json_view.h"

namespace podberth::apiserver {

struct ShownField {
  const char* name;  // in Go
  const char* key;   // in JSON
  // The Go type: "string" (whatever its name), "[]" of named strings, or a pointer: "*bool", "*core.Capabilities".
  const char* type;
  const ShownField* inside = nullptr;  // of what a pointer points to, if that is a structure
};

// `fields` ends with one that has no name. Go source shows addresses behind pointers, which differ from run to run;
// here they are all 0x0.
api::field::Shown shownStructure(const Json& value, const char* type, const ShownField* fields);

}  // namespace podberth::apiserver
