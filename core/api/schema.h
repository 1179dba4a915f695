// The shapes of the API types, as the Go types of the real API have them. The decoder checks objects against them.
// The tables are in schema_data.cpp, which tests/oracle/api_schema writes.
#pragma once

#include <cstdint>

namespace podberth::api {

enum class SchemaKind : std::uint8_t {
  kString,
  kBool,
  kInt32,
  kInt64,
  kFloat,
  kList,    // of kSchemaTypes[ref]
  kMap,     // from strings to kSchemaTypes[ref]
  kStruct,  // kSchemaStructs[ref]
  kTime,
  kMicroTime,
  kQuantity,
  kIntOrString,
  kBytes,
  kAny,
};

struct SchemaType {
  SchemaKind kind;
  std::uint16_t ref;
  const char* name;  // the Go type, for error texts: "[]v1.Container"
};

struct SchemaField {
  const char* name;
  const char* inside;  // the embedded Go structs that it comes from, for error texts: "VolumeSource."
  std::uint16_t type;
  bool pointer;  // nil and zero are different values
};

struct SchemaStruct {
  const char* name;  // the Go type without its package: "PodSpec"
  std::uint16_t first;
  std::uint16_t count;
};

// A kind that the client's scheme knows.
struct SchemaKindEntry {
  const char* group;
  const char* version;
  const char* kind;
  const char* stored;  // the version of the group in which the API server stores it
  std::int16_t type;   // of the whole object; kSchemaMetaType if only its metadata is known; -1 if it has no metadata
};

extern const SchemaType kSchemaTypes[];
extern const SchemaStruct kSchemaStructs[];
extern const SchemaField kSchemaFields[];
extern const SchemaKindEntry kSchemaKinds[];
extern const int kSchemaKindCount;
extern const int kSchemaMetaType;

}  // namespace podberth::api
