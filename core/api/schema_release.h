// What the API of an older release did not have yet: decoding drops those fields, as the API server of that release
// does, and does not know those kinds.
#pragma once

#include <string_view>

#include <nlohmann/json_fwd.hpp>

#include "core/api/decode.h"
#include "core/release/release.h"

namespace podberth::api {

// decode() with the eyes of a release.
// `text` is the object as it was written, if it is known.
Decoded decode(const nlohmann::json& json, release::AdmissionRules rules, std::string_view text = {});

// Whether the object says of what kind and version it is. The error about one that does not repeats it as it was
// written.
bool saysWhatItIs(const nlohmann::json& object);

// Whether a field of a struct ("PodSpec", "schedulingGates") came after the release.
bool isLaterField(release::AdmissionRules rules, std::string_view structure, std::string_view field);
bool isLaterKind(release::AdmissionRules rules, std::string_view group, std::string_view version,
                 std::string_view kind);

}  // namespace podberth::api
