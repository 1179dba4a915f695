// Parts of encode.
#pragma once

#include <nlohmann/json.hpp>

#include "core/api/pod.h"
#include "core/api/storage.h"

namespace podberth::api {

void encodePod(const Pod& pod, nlohmann::json& out);
nlohmann::json encodeClaimSpec(const PersistentVolumeClaimSpec& spec);

}  // namespace podberth::api
