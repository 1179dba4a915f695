// From JSON to typed objects. The one place of the core, beside config/ and session/, that reads JSON.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "core/api/meta.h"

namespace podberth::api {

// A problem and where it is.
struct Issue {
  enum class Severity { kError, kWarning, kInfo };
  Severity severity = Severity::kError;
  std::string path;     // JSON pointer from the object's root: "/spec/containers/0/resources/requests/cpu"
  std::string message;  // for a person; upstream's text where upstream has one
};

struct Decoded {
  std::shared_ptr<Object> object;  // null if it cannot be decoded
  // Upstream's text of why it cannot be decoded ("json: cannot unmarshal ..."; "no kind ..."), "" if it can.
  std::string error;
  std::vector<Issue> issues;  // every problem found, not just the first; also unknown and ignored fields
  bool has_status = false;    // the JSON had a "status"
};

// Decodes one object of any known kind (lists are the caller's business). Nothing is defaulted or validated here but
// types: a wrong type, a malformed quantity or an unknown kind is an error; an unknown field is a warning (the API
// server accepts it silently); a field that is known to Kubernetes and ignored by the simulator is an info.
Decoded decode(const nlohmann::json& json);

// Whether two objects are the same in all that they carry but resourceVersion (apiequality.Semantic.DeepEqual).
bool semanticallyEqual(const Object& a, const Object& b);
// Copies an object of whatever kind.
std::shared_ptr<Object> clone(const Object& object);

}  // namespace podberth::api
