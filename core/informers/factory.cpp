#include "core/informers/factory.h"

#include <utility>

namespace podberth::informers {

namespace {
// Namespaces and the objects that plugins look up come before the nodes and pods that refer to them.
constexpr api::Kind kKinds[] = {
    api::Kind::kNamespace,
    api::Kind::kStorageClass,
    api::Kind::kCSINode,
    api::Kind::kCSIDriver,
    api::Kind::kPersistentVolume,
    api::Kind::kPersistentVolumeClaim,
    api::Kind::kCSIStorageCapacity,
    api::Kind::kVolumeAttachment,
    api::Kind::kPodDisruptionBudget,
    api::Kind::kService,
    api::Kind::kReplicationController,
    api::Kind::kReplicaSet,
    api::Kind::kStatefulSet,
    api::Kind::kOther,
    api::Kind::kNode,
    api::Kind::kPod,
};
}  // namespace

SharedInformerFactory::SharedInformerFactory(Source source, trace::Recorder* recorder) {
  for (api::Kind kind : kKinds) {
    informers_.emplace(kind, std::make_unique<SharedInformer>(kind, source(kind), recorder));
  }
}

void SharedInformerFactory::addEventHandler(api::Kind kind, ResourceEventHandler handler) {
  auto it = informers_.find(kind);
  if (it != informers_.end()) it->second->addEventHandler(std::move(handler));
}

SharedInformer& SharedInformerFactory::informer(api::Kind kind) { return *informers_.at(kind); }

void SharedInformerFactory::start() {
  for (api::Kind kind : kKinds) informers_.at(kind)->run();
}

}  // namespace podberth::informers
