// Rules for names in a configuration. Each returns upstream's complaints, none if the name is sound.
// Upstream: k8s.io/apimachinery/pkg/api/validate/content, pkg/apis/core/v1/helper.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace podberth::scheduler::config {

std::vector<std::string> checkLabelKey(std::string_view name);
std::vector<std::string> checkLabelValue(std::string_view value);
bool isExtendedResourceName(std::string_view name);

}  // namespace podberth::scheduler::config
