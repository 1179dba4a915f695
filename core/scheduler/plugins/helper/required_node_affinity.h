// A pod's nodeSelector and required node affinity, ready to be asked.
// Upstream: k8s.io/component-helpers/scheduling/corev1/nodeaffinity (RequiredNodeAffinity).
#pragma once

#include <optional>
#include <string>

#include "core/api/node.h"
#include "core/api/node_selector.h"
#include "core/api/pod.h"

namespace podberth::scheduler::plugins {

class RequiredNodeAffinity {
 public:
  explicit RequiredNodeAffinity(const api::Pod& pod);
  // False, with upstream's text in *error, if no term matches and one of them is malformed.
  bool matches(const api::Node& node, std::string* error = nullptr) const;

 private:
  std::optional<api::Selector> labels_;
  std::optional<api::CompiledNodeSelector> terms_;
};

}  // namespace podberth::scheduler::plugins
