// Resolves a pod's priority class. Upstream: plugin/pkg/admission/priority/admission.go.
#pragma once

#include <string>

#include "core/api/pod.h"
#include "core/apiserver/server.h"

namespace podberth::apiserver {

// A pod that gives its priority keeps it. Returns why the pod is refused, or "".
std::string resolvePriority(api::Pod& pod, const Server& server);

}  // namespace podberth::apiserver
