// In-tree volumes as the CSI drivers that have taken their place see them.
// Upstream: k8s.io/csi-translation-lib (translate.go and plugins/).
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/api/pod.h"
#include "core/api/storage.h"
#include "core/scheduler/framework/handle.h"

namespace podberth::scheduler::plugins {

struct InTreePlugin {
  const char* source;        // the member of the volume's source: "awsElasticBlockStore"
  const char* name;          // "kubernetes.io/aws-ebs"
  const char* driver;        // the CSI driver: "ebs.csi.aws.com"
  const char* topology_key;  // the driver's zones; "" if its volumes' topology is left as it is
  bool migrated;             // whether the scheduler takes its volumes for the driver's
  // The gate of an older release that this depended on; "" if on none. Null: never, whatever the gates.
  const char* gate;
};

// Whether the scheduler takes a plugin's volumes for its driver's.
enum class CsiMigration {
  kDone,     // wherever it ever does
  kByGates,  // the gate CSIMigration and the plugin's own must be on
};
bool isMigrated(const InTreePlugin& plugin, CsiMigration migration, const FeatureGates& gates);
// Whether the node's CSINode says that the plugin's volumes are its driver's business there.
bool isMigratedOn(const api::CSINode* csi_node, std::string_view plugin_name);

// Null if no CSI driver has taken over the volume.
const InTreePlugin* inTreePluginOf(const api::PersistentVolume& volume);
const InTreePlugin* inTreePluginOf(const api::Volume& inline_volume);
// By the plugin's name, as a storage class's provisioner has it. That of RBD was dropped once migrations were done.
const InTreePlugin* inTreePluginNamed(std::string_view name, CsiMigration migration);

// The volume's handle with the driver of its plugin (which must not be null). On failure sets *error.
std::string csiHandle(const api::PersistentVolume& volume, std::string* error);
std::string csiHandle(const api::Volume& inline_volume, std::string* error);

// The volume's node affinity with the driver's topology keys in place of those of Kubernetes, or, if it has none, with
// the zones of the volume's labels.
std::optional<api::NodeSelector> csiNodeAffinity(const api::PersistentVolume& volume);

// The zones in the value of a label: "a__b". Empty if any of them is empty.
std::vector<std::string> zonesOfLabel(std::string_view value);

}  // namespace podberth::scheduler::plugins
