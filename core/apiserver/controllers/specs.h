// The specs of workloads, read once for each version of an object.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "core/api/meta.h"
#include "core/apiserver/json_view.h"
#include "core/clock/time.h"

namespace podberth::apiserver {

struct Spec {
  Json json;  // without the selector
  int replicas = 0;
  clock::Duration min_ready = 0;
  Json plain_template;  // with defaults, without the label that a Deployment puts into its ReplicaSets' templates

  const Json& podTemplate() const { return objectOf(json, "template"); }
};

class Specs {
 public:
  // Valid until another version of the object is asked for.
  const Spec& of(const api::Object& workload);
  void forget(const api::Object& workload) { known_.erase(workload.meta.uid); }

 private:
  struct Known {
    std::int64_t version = -1;
    Spec spec;
  };
  std::map<std::string, Known> known_;  // by uid
};

// The label by which a Deployment tells its ReplicaSets and their pods apart.
inline constexpr const char* kTemplateHashLabel = "pod-template-hash";

}  // namespace podberth::apiserver
