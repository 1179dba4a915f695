// The API server's errors about whole objects. Upstream: k8s.io/apimachinery/pkg/api/errors/errors.go.
#pragma once

#include <string>
#include <string_view>

#include "core/api/meta.h"
#include "core/scheduler/framework/handle.h"

namespace podberth::apiserver {

// The resource of a kind as errors name it: "pods", "poddisruptionbudgets.policy". Upstream:
// meta.UnsafeGuessKindToResource, schema.GroupResource.
std::string resourceName(std::string_view group, std::string_view kind);
std::string resourceName(api::Kind kind);
std::string resourceName(const api::Object& object);
// The group of an apiVersion: "" for "v1".
std::string_view groupOf(std::string_view api_version);
// The group of a kind that the simulator knows.
std::string_view groupOf(api::Kind kind);
// Kinds whose objects have no namespace.
bool isClusterScoped(std::string_view kind);

scheduler::ApiError notFound(std::string_view resource, std::string_view name);
scheduler::ApiError alreadyExists(std::string_view resource, std::string_view name);
scheduler::ApiError conflict(std::string_view resource, std::string_view name, std::string_view why);
std::string forbidden(std::string_view resource, std::string_view name, std::string_view why);

inline constexpr std::string_view kModifiedMeanwhile =
    "the object has been modified; please apply your changes to the latest version and try again";

}  // namespace podberth::apiserver
