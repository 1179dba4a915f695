#include "core/scheduler/plugins/helper/shape_score.h"

#include "core/scheduler/framework/plugin.h"

namespace podberth::scheduler::plugins {

namespace {
// config.MaxCustomPriorityScore.
constexpr std::int64_t kMaxCustomPriorityScore = 10;
}  // namespace

FunctionShape scaledShape(const std::vector<config::UtilizationShapePoint>& points) {
  FunctionShape shape;
  shape.reserve(points.size());
  for (const config::UtilizationShapePoint& p : points) {
    shape.push_back(FunctionShapePoint{p.utilization, p.score * (kMaxNodeScore / kMaxCustomPriorityScore)});
  }
  return shape;
}

std::int64_t brokenLinear(const FunctionShape& shape, std::int64_t p) {
  for (std::size_t i = 0; i < shape.size(); ++i) {
    if (p > shape[i].utilization) continue;
    if (i == 0) return shape[0].score;
    const FunctionShapePoint& from = shape[i - 1];
    const FunctionShapePoint& to = shape[i];
    return from.score + (to.score - from.score) * (p - from.utilization) / (to.utilization - from.utilization);
  }
  return shape.back().score;
}

}  // namespace podberth::scheduler::plugins
