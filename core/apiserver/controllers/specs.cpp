#include "core/apiserver/controllers/specs.h"

#include <algorithm>

#include "core/apiserver/workload.h"

namespace podberth::apiserver {

namespace {

Json withoutHash(Json pod_template) {
  const Json* labels = member(objectOf(pod_template, "metadata"), "labels");
  if (labels == nullptr || !labels->contains(kTemplateHashLabel)) return pod_template;
  Json& meta = pod_template["metadata"];
  meta["labels"].erase(kTemplateHashLabel);
  if (meta["labels"].empty()) meta.erase("labels");
  if (meta.empty()) pod_template.erase("metadata");
  return pod_template;
}

}  // namespace

const Spec& Specs::of(const api::Object& workload) {
  Known& known = known_[workload.meta.uid];
  if (known.version == workload.meta.resource_version) return known.spec;
  known.version = workload.meta.resource_version;
  Spec& spec = known.spec;
  spec.json = specOf(workload);
  spec.replicas = replicasOf(spec.json);
  spec.min_ready = minReadyOf(spec.json);
  spec.plain_template = withoutHash(defaultedTemplate(spec.podTemplate()));
  return spec;
}

}  // namespace podberth::apiserver
