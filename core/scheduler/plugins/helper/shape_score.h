// A function given by points with straight lines between them.
// Upstream: pkg/scheduler/framework/plugins/helper/shape_score.go.
#pragma once

#include <cstdint>
#include <vector>

#include "core/scheduler/config/types.h"

namespace podberth::scheduler::plugins {

struct FunctionShapePoint {
  std::int64_t utilization = 0;  // the argument, ascending
  std::int64_t score = 0;        // the value
};
using FunctionShape = std::vector<FunctionShapePoint>;

// What a configuration gives, with its scores (0..10) stretched to 0..100.
FunctionShape scaledShape(const std::vector<config::UtilizationShapePoint>& points);

// The value at `p`; before the first point the first value, after the last one the last. The shape must not be empty.
std::int64_t brokenLinear(const FunctionShape& shape, std::int64_t p);

}  // namespace podberth::scheduler::plugins
