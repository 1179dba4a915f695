// How a release words what is wrong with a field: the rules are older than their texts.
// Upstream: k8s.io/apimachinery/pkg/util/validation, its field package, pkg/api/validate/content.
#pragma once

namespace podberth::api {

struct Wording {
  // Values that are neither plain strings nor numbers are shown as JSON, or as Go structures (%#v).
  bool values_as_json = true;
  const char* too_long = "may not be more than";  // or "must have at most"
  bool counts_one = true;                         // "1 byte", or "1 bytes"
  // The length of the keys and values of labels is given in bytes, or in characters as that of other names is.
  const char* label_length_unit = "bytes";
  const char* label_key = "a valid label key";  // or "a qualified name"
  // A subdomain where a label must be is told that it has dots, not the whole syntax.
  bool names_dots = true;
  const char* port_letter = "must contain at least one letter (a-z)";
};

// Today's, and those of Kubernetes 1.24.
inline constexpr Wording kWording{};
inline constexpr Wording kWordingV1_24{false,
                                       "must have at most",
                                       false,
                                       "characters",
                                       "a qualified name",
                                       false,
                                       "must contain at least one letter or number (a-z, 0-9)"};

}  // namespace podberth::api
