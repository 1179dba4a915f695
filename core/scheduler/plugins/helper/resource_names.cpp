#include "core/scheduler/plugins/helper/resource_names.h"

#include <string>

#include "core/api/resources.h"
#include "core/scheduler/framework/node_info.h"

namespace podberth::scheduler::plugins {

bool isScalarResource(api::Symbol name) {
  // Resource knows the rule; there is no second copy of it here.
  api::ResourceList one;
  one.set(name, api::Quantity::fromInt(1));
  return Resource(one).hasScalar(name);
}

bool isExtendedResource(api::Symbol name) {
  const std::string& text = name.str();
  const bool native = text.find('/') == std::string::npos || text.find("kubernetes.io/") != std::string::npos;
  return !native && text.rfind("requests.", 0) != 0 && isScalarResource(name);
}

}  // namespace podberth::scheduler::plugins
