// The feature gates of a release: name, default, stage, and which need which. Upstream: pkg/features/kube_features.go
// and the gates of the libraries that kube-scheduler links.
#pragma once

#include <cstddef>

namespace podberth::release {

enum class Stage { kAlpha, kBeta, kGA, kDeprecated };

struct Gate {
  const char* name;
  bool on;      // by default
  bool locked;  // to its default
  Stage stage;
};

// `gate` may be on only where `needs` is.
struct GateDependency {
  const char* gate;
  const char* needs;
};

struct GateTable {
  const Gate* gates;  // by name
  std::size_t count;
  const GateDependency* dependencies;  // by gate; null if there are none
  std::size_t dependency_count;
};

extern const GateTable kGatesV1_37;
extern const GateTable kGatesV1_24;

}  // namespace podberth::release
