// From typed objects back to JSON.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "core/api/meta.h"

namespace podberth::api {

// The object as Kubernetes writes it: kind and apiVersion, empty fields left out, quantities in canonical form, times
// in whole seconds.
nlohmann::json encode(const Object& object);

}  // namespace podberth::api
