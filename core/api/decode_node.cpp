#include "core/api/decode_kinds.h"
#include "core/api/node.h"

namespace podberth::api {

std::shared_ptr<Object> decodeNode(Fields& object) {
  auto node = std::make_shared<Node>();
  Fields spec = object.child("spec");
  node->spec.unschedulable = spec.flag("unschedulable");
  spec.forEach("taints", [&](Fields f) {
    Taint t;
    t.key = f.text("key");
    t.value = f.text("value");
    t.effect = f.text("effect");
    t.time_added = f.time("timeAdded");
    node->spec.taints.push_back(std::move(t));
  });
  node->spec.provider_id = spec.text("providerID");
  node->spec.pod_cidrs = spec.texts("podCIDRs");
  node->spec.rest = spec.rest(true);

  Fields status = object.child("status");
  node->status.capacity = status.resources("capacity");
  node->status.allocatable = status.resources("allocatable");
  status.forEach("conditions", [&](Fields f) {
    NodeCondition c;
    c.type = f.text("type");
    c.status = f.text("status");
    c.reason = f.text("reason");
    c.rest = f.rest(false);
    node->status.conditions.push_back(std::move(c));
  });
  status.forEach("images", [&](Fields f) {
    ContainerImage image;
    image.names = f.texts("names");
    image.size_bytes = f.integer("sizeBytes");
    node->status.images.push_back(std::move(image));
  });
  node->status.declared_features = status.texts("declaredFeatures");
  node->status.rest = status.rest(false);
  node->rest = object.rest(true);
  return node;
}

std::shared_ptr<Object> decodeNamespace(Fields& object) {
  auto ns = std::make_shared<Namespace>();
  ns->rest = object.rest(false);
  return ns;
}

std::shared_ptr<Object> decodePriorityClass(Fields& object) {
  auto pc = std::make_shared<PriorityClass>();
  pc->value = object.integer32("value");
  pc->global_default = object.flag("globalDefault");
  pc->preemption_policy = object.maybeText("preemptionPolicy");
  pc->rest = object.rest(false);
  return pc;
}

}  // namespace podberth::api
