#include <algorithm>

#include "core/api/decode_kinds.h"
#include "core/api/workload.h"

namespace podberth::api {
namespace {

// In policy/v1beta1 an empty selector selects nothing. This key stands for that in v1, which has no other way to say
// it.
const char* const kMatchNoneKey = "pdb.kubernetes.io/deprecated-v1beta1-empty-selector-match";

// Upstream: pkg/apis/policy/v1beta1/conversion.go.
void convertV1Beta1Selector(std::optional<LabelSelector>& selector) {
  if (!selector) return;
  auto& expressions = selector->match_expressions;
  if (selector->match_labels.empty() && expressions.empty()) {
    LabelSelectorRequirement none;
    none.key = kMatchNoneKey;
    none.op = "Exists";
    expressions.push_back(std::move(none));
    return;
  }
  expressions.erase(std::remove_if(expressions.begin(), expressions.end(),
                                   [](const LabelSelectorRequirement& r) { return r.key == kMatchNoneKey; }),
                    expressions.end());
}

template <class T>
std::shared_ptr<Object> decodeSelecting(Fields& object) {
  auto workload = std::make_shared<T>();
  Fields spec = object.child("spec");
  workload->selector = spec.selector("selector");
  workload->spec_rest = spec.rest(false);
  workload->rest = object.rest(false);
  return workload;
}

}  // namespace

std::shared_ptr<Object> decodePodDisruptionBudget(Fields& object, const std::string& version) {
  auto pdb = std::make_shared<PodDisruptionBudget>();
  Fields spec = object.child("spec");
  pdb->selector = spec.selector("selector");
  if (version == "v1beta1") convertV1Beta1Selector(pdb->selector);
  pdb->spec_rest = spec.rest(false);
  Fields status = object.child("status");
  pdb->disruptions_allowed = status.integer32("disruptionsAllowed");
  const nlohmann::json disrupted = status.take("disruptedPods");
  if (disrupted.is_object()) {
    for (const auto& item : disrupted.items()) {
      clock::Time t = 0;
      if (item.value().is_string()) clock::parseRfc3339(item.value().get<std::string>(), t);
      pdb->disrupted_pods[item.key()] = t;
    }
  }
  pdb->status_rest = status.rest(false);
  pdb->rest = object.rest(false);
  return pdb;
}

std::shared_ptr<Object> decodeService(Fields& object) {
  auto service = std::make_shared<Service>();
  Fields spec = object.child("spec");
  service->selector = spec.labels("selector");
  service->spec_rest = spec.rest(false);
  service->rest = object.rest(false);
  return service;
}

std::shared_ptr<Object> decodeReplicationController(Fields& object) {
  auto controller = std::make_shared<ReplicationController>();
  Fields spec = object.child("spec");
  controller->selector = spec.labels("selector");
  controller->spec_rest = spec.rest(false);
  controller->rest = object.rest(false);
  return controller;
}

std::shared_ptr<Object> decodeReplicaSet(Fields& object) { return decodeSelecting<ReplicaSet>(object); }
std::shared_ptr<Object> decodeStatefulSet(Fields& object) { return decodeSelecting<StatefulSet>(object); }
std::shared_ptr<Object> decodeDeployment(Fields& object) { return decodeSelecting<Deployment>(object); }
std::shared_ptr<Object> decodeDaemonSet(Fields& object) { return decodeSelecting<DaemonSet>(object); }
std::shared_ptr<Object> decodeJob(Fields& object) { return decodeSelecting<Job>(object); }

}  // namespace podberth::api
