// Kinds of resource names. Upstream: pkg/scheduler/util/utils.go, pkg/apis/core/v1/helper/helpers.go.
#pragma once

#include "core/api/symbol.h"

namespace podberth::scheduler::plugins {

// Whether a Resource has an entry for it rather than a field: extended resources, hugepages, attachable volumes and
// what has the prefix kubernetes.io/.
bool isScalarResource(api::Symbol name);
// Whether it is an extended resource: one with a domain that is not Kubernetes' own.
bool isExtendedResource(api::Symbol name);

}  // namespace podberth::scheduler::plugins
