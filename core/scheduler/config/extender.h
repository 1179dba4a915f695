// The extenders of a KubeSchedulerConfiguration. Upstream: Extender in pkg/scheduler/apis/config/types.go.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace podberth::scheduler::config {

struct ManagedResource {
  std::string name;
  bool ignored_by_scheduler = false;
};

// The fields that matter here: nothing is sent, so neither TLS nor timeouts do.
struct Extender {
  std::string url_prefix;
  std::string filter_verb;
  std::string preempt_verb;
  std::string prioritize_verb;
  std::string bind_verb;
  std::int64_t weight = 0;
  bool node_cache_capable = false;
  std::vector<ManagedResource> managed_resources;
  bool ignorable = false;
};

}  // namespace podberth::scheduler::config
