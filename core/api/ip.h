// IP addresses and CIDRs as fields of objects have them. Upstream: k8s.io/apimachinery/pkg/util/validation/ip.go.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/api/names.h"

namespace podberth::api::names {

// Strict textual forms of IP addresses and CIDRs in fields that predate them (gate StrictIPCIDRValidation, on by
// default). `strict`: leading zeros, IPv4 in IPv6, and host bits are errors.
enum class IpFamily { kNone, kV4, kV6 };
Messages isIpForLegacyField(std::string_view value, bool strict);
Messages isCidrForLegacyField(std::string_view value, bool strict);
IpFamily ipFamily(std::string_view value);    // kNone if it is no address
IpFamily cidrFamily(std::string_view value);  // kNone if it is no CIDR

// net.SplitHostPort, with a port that strconv.Atoi reads. Returns Go's error or "".
std::string splitHostPort(const std::string& address, std::string* host, std::int64_t* port);

}  // namespace podberth::api::names
