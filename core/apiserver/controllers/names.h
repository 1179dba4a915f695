// Names of what controllers make. Upstream gives generated names a random end and hashes a Go dump of the template;
// here both are FNV-1a hashes of plain text, in the same alphabet and of the same lengths: the same scenario makes the
// same names. Upstream: k8s.io/apiserver/pkg/storage/names, k8s.io/apimachinery/pkg/util/rand (SafeEncodeString),
// pkg/controller/controller_utils.go (ComputeHash).
#pragma once

#include <string>
#include <string_view>

#include "core/apiserver/json_view.h"

namespace podberth::apiserver {

// Five letters and digits, from a text that is different for each object.
std::string nameSuffix(std::string_view seed);
// The hash of a pod template as labels and names show it. `collisions` counts the names that others had already.
std::string templateHash(const Json& pod_template, int collisions = 0);

}  // namespace podberth::apiserver
