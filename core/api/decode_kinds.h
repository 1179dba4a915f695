// The decoders of the kinds. Each takes a whole object whose kind, apiVersion and metadata are taken already, and
// leaves in Object::rest what the type does not model.
#pragma once

#include <memory>
#include <string>

#include "core/api/fields.h"
#include "core/api/meta.h"
#include "core/api/storage.h"

namespace podberth::api {

std::shared_ptr<Object> decodePod(Fields& object);
std::shared_ptr<Object> decodeNode(Fields& object);
std::shared_ptr<Object> decodeNamespace(Fields& object);
std::shared_ptr<Object> decodePriorityClass(Fields& object);

std::shared_ptr<Object> decodePersistentVolume(Fields& object);
std::shared_ptr<Object> decodePersistentVolumeClaim(Fields& object);
std::shared_ptr<Object> decodeStorageClass(Fields& object);
std::shared_ptr<Object> decodeCSINode(Fields& object);
std::shared_ptr<Object> decodeCSIDriver(Fields& object);
std::shared_ptr<Object> decodeCSIStorageCapacity(Fields& object);
std::shared_ptr<Object> decodeVolumeAttachment(Fields& object);

// `version` is the one that the object was given in: policy/v1beta1 reads selectors in its own way.
std::shared_ptr<Object> decodePodDisruptionBudget(Fields& object, const std::string& version);
std::shared_ptr<Object> decodeService(Fields& object);
std::shared_ptr<Object> decodeReplicationController(Fields& object);
std::shared_ptr<Object> decodeReplicaSet(Fields& object);
std::shared_ptr<Object> decodeStatefulSet(Fields& object);
std::shared_ptr<Object> decodeDeployment(Fields& object);
std::shared_ptr<Object> decodeDaemonSet(Fields& object);
std::shared_ptr<Object> decodeJob(Fields& object);

ResourceRequirements decodeRequirements(Fields fields);
PersistentVolumeClaimSpec decodeClaimSpec(Fields fields);

}  // namespace podberth::api
