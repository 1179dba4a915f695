// Names of the resources by which a node says how many volumes can be attached to it. Upstream (v1.24):
// pkg/volume/util/attach_limit.go.
#pragma once

#include <string>
#include <string_view>

namespace podberth::scheduler::plugins {

// "attachable-volumes-csi-" and the driver's name; of a long name its beginning and a hash.
std::string csiLimitResource(std::string_view driver);

// The SHA-1 hash (FIPS 180-4) in lower-case hexadecimal digits.
std::string sha1Hex(std::string_view text);

}  // namespace podberth::scheduler::plugins
