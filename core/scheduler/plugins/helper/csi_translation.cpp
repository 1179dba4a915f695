#include "core/scheduler/plugins/helper/csi_translation.h"

#include <algorithm>
#include <set>

#include "core/scheduler/plugins/helper/rest_text.h"

namespace podberth::scheduler::plugins {
namespace {

constexpr const char* kEbs = "awsElasticBlockStore";
constexpr const char* kGcePd = "gcePersistentDisk";
constexpr const char* kAzureDisk = "azureDisk";
constexpr const char* kAzureFile = "azureFile";
constexpr const char* kCinder = "cinder";
constexpr std::string_view kRbd = "rbd";
constexpr const char* kPortworx = "portworxVolume";
constexpr const char* kVsphere = "vsphereVolume";

constexpr InTreePlugin kPlugins[] = {
    {kGcePd, "kubernetes.io/gce-pd", "pd.csi.storage.gke.io", "topology.gke.io/zone", true, "CSIMigrationGCE"},
    {kEbs, "kubernetes.io/aws-ebs", "ebs.csi.aws.com", "topology.ebs.csi.aws.com/zone", true, "CSIMigrationAWS"},
    {kCinder, "kubernetes.io/cinder", "cinder.csi.openstack.org", "topology.cinder.csi.openstack.org/zone", true, ""},
    {kAzureDisk, "kubernetes.io/azure-disk", "disk.csi.azure.com", "", true, "CSIMigrationAzureDisk"},
    {kAzureFile, "kubernetes.io/azure-file", "file.csi.azure.com", "", false, nullptr},
    {kVsphere, "kubernetes.io/vsphere-volume", "csi.vsphere.vmware.com", "", false, nullptr},
    {kPortworx, "kubernetes.io/portworx-volume", "pxd.portworx.com", "", true, "CSIMigrationPortworx"},
    {kRbd.data(), "kubernetes.io/rbd", "rbd.csi.ceph.com", "", false, "CSIMigrationRBD"},
};

constexpr const char* kMigratedPluginsAnnotation = "storage.alpha.kubernetes.io/migrated-plugins";
constexpr std::string_view kZone = "topology.kubernetes.io/zone";
constexpr std::string_view kBetaZone = "failure-domain.beta.kubernetes.io/zone";
constexpr std::string_view kRegion = "topology.kubernetes.io/region";
constexpr std::string_view kBetaRegion = "failure-domain.beta.kubernetes.io/region";
constexpr std::string_view kZoneDelimiter = "__";
constexpr std::string_view kEbsScheme = "aws://";
constexpr std::string_view kEbsIdPrefix = "vol-";
constexpr std::string_view kManaged = "managed";
constexpr const char* kRbdHandleAnnotation = "rbd.csi.ceph.com/volume-handle";
constexpr const char* kUnspecified = "UNSPECIFIED";

std::vector<std::string> split(std::string_view text, std::string_view delimiter) {
  std::vector<std::string> parts;
  for (;;) {
    const std::size_t at = text.find(delimiter);
    parts.emplace_back(text.substr(0, at));
    if (at == std::string_view::npos) return parts;
    text.remove_prefix(at + delimiter.size());
  }
}

std::string trim(std::string_view text) {
  constexpr const char* kSpace = " \t\n\v\f\r";
  const std::size_t begin = text.find_first_not_of(kSpace);
  if (begin == std::string_view::npos) return {};
  return std::string(text.substr(begin, text.find_last_not_of(kSpace) - begin + 1));
}

std::string labelOf(const api::PersistentVolume& volume, std::string_view key) {
  const api::Symbol* value = volume.meta.labels.find(api::Symbol(key));
  return value == nullptr ? std::string() : value->str();
}

// "aws://zone/vol-1", "aws:///vol-1" and "vol-1" are all "vol-1".
std::string ebsVolume(const std::string& id, std::string* error) {
  if (id.compare(0, kEbsScheme.size(), kEbsScheme) != 0) return id;
  std::string path = id.substr(kEbsScheme.size());
  path = path.substr(0, path.find_first_of("?#"));
  const std::size_t slash = path.find('/');
  path = slash == std::string::npos ? std::string() : path.substr(slash);
  const std::size_t begin = path.find_first_not_of('/');
  path = begin == std::string::npos ? std::string() : path.substr(begin, path.find_last_not_of('/') - begin + 1);
  if (path.compare(0, kEbsIdPrefix.size(), kEbsIdPrefix) == 0 && path.find('/') == std::string::npos) return path;
  *error = "failed to translate Kubernetes ID to EBS Volume ID Invalid format for AWS volume (" + id + ")";
  return {};
}

std::string gceDisk(const char* places, const std::string& place, const std::string& name) {
  return std::string("projects/") + kUnspecified + "/" + places + "/" + place + "/disks/" + name;
}

// The region of all the zones ("us-east1-b").
std::string gceRegion(const std::vector<std::string>& zones, std::string* error) {
  std::set<std::string> regions;
  for (const std::string& zone : zones) {
    const std::vector<std::string> parts = split(zone, "-");
    if (parts.size() != 3) {
      *error = "failed to get region from zones: zone in unexpected format, expected: {locale}-{region}-{zone}, got: " +
               zone;
      return {};
    }
    regions.insert(parts[0] + "-" + parts[1]);
  }
  if (regions.size() == 1) return *regions.begin();
  *error = "failed to get region from zones: multiple or no regions gotten from zones, got: map[";
  const char* space = "";
  for (const std::string& region : regions) {
    *error += space + region + ":{}";
    space = " ";
  }
  *error += "]";
  return {};
}

// The kind of an Azure disk must be "Managed". Where it is not kept it is the API server's default.
std::string azureDisk(const std::string& rest, std::string* error) {
  const std::string kind = restHasMember(rest, "kind", "\"") ? restMemberText(rest, "kind") : "Shared";
  std::string lower = kind;
  std::transform(lower.begin(), lower.end(), lower.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  if (lower == kManaged) return restMemberText(rest, "diskURI");
  *error = "kind(" + kind + ") is not supported in csi migration";
  return {};
}

// The driver's own handle is made of hashes; this one is as good at telling volumes apart.
std::string rbdVolume(const api::PersistentVolume& volume) {
  const auto given = volume.meta.annotations.find(kRbdHandleAnnotation);
  if (given != volume.meta.annotations.end() && !given->second.empty()) return given->second;
  return "mig_" + restMemberText(volume.spec_rest, "image") + "_" + restMemberText(volume.spec_rest, "pool");
}

bool hasKey(const api::NodeSelector& selector, std::string_view key) {
  for (const api::NodeSelectorTerm& term : selector.terms) {
    for (const api::NodeSelectorRequirement& r : term.match_expressions) {
      if (r.key == key) return true;
    }
  }
  return false;
}

bool hasValues(const api::NodeSelector& selector, std::string_view key) {
  for (const api::NodeSelectorTerm& term : selector.terms) {
    for (const api::NodeSelectorRequirement& r : term.match_expressions) {
      if (r.key == key && !r.values.empty()) return true;
    }
  }
  return false;
}

void replaceKey(api::NodeSelector& selector, std::string_view from, std::string_view to) {
  for (api::NodeSelectorTerm& term : selector.terms) {
    for (api::NodeSelectorRequirement& r : term.match_expressions) {
      if (r.key == from) r.key = std::string(to);
    }
  }
}

void addZones(std::optional<api::NodeSelector>& selector, std::string_view key, const std::vector<std::string>& zones) {
  std::set<std::string> values;
  for (const std::string& zone : zones) {
    std::string trimmed = trim(zone);
    if (!trimmed.empty()) values.insert(std::move(trimmed));
  }
  if (values.empty()) return;
  if (!selector) selector.emplace();
  if (selector->terms.empty()) selector->terms.emplace_back();
  api::NodeSelectorRequirement r;
  r.key = std::string(key);
  r.op = "In";
  r.values.assign(values.begin(), values.end());
  for (api::NodeSelectorTerm& term : selector->terms) term.match_expressions.push_back(r);
}

}  // namespace

bool isMigrated(const InTreePlugin& plugin, CsiMigration migration, const FeatureGates& gates) {
  if (migration == CsiMigration::kDone) return plugin.migrated;
  if (plugin.gate == nullptr || !gates.enabled("CSIMigration")) return false;
  return plugin.gate[0] == '\0' || gates.enabled(plugin.gate);
}

bool isMigratedOn(const api::CSINode* csi_node, std::string_view plugin_name) {
  if (csi_node == nullptr) return false;
  const auto it = csi_node->meta.annotations.find(kMigratedPluginsAnnotation);
  if (it == csi_node->meta.annotations.end()) return false;
  std::string_view list = it->second;
  while (!list.empty()) {
    const std::size_t comma = list.find(',');
    if (list.substr(0, comma) == plugin_name) return true;
    if (comma == std::string_view::npos) return false;
    list.remove_prefix(comma + 1);
  }
  return false;
}

const InTreePlugin* inTreePluginOf(const api::PersistentVolume& volume) {
  for (const InTreePlugin& plugin : kPlugins) {
    if (volume.source == plugin.source) return &plugin;
  }
  return nullptr;
}

const InTreePlugin* inTreePluginOf(const api::Volume& inline_volume) {
  for (const InTreePlugin& plugin : kPlugins) {
    for (const std::string& source : inline_volume.sources) {
      if (source == plugin.source) return source == kRbd ? nullptr : &plugin;
    }
  }
  return nullptr;
}

const InTreePlugin* inTreePluginNamed(std::string_view name, CsiMigration migration) {
  for (const InTreePlugin& plugin : kPlugins) {
    if (name == plugin.name) return migration == CsiMigration::kDone && plugin.source == kRbd ? nullptr : &plugin;
  }
  return nullptr;
}

std::string csiHandle(const api::PersistentVolume& volume, std::string* error) {
  if (volume.source == kEbs) return ebsVolume(volume.in_tree_id, error);
  if (volume.source == kAzureDisk) return azureDisk(volume.spec_rest, error);
  if (volume.source == kRbd) return rbdVolume(volume);
  if (volume.source != kGcePd) return volume.in_tree_id;
  std::string label = labelOf(volume, kBetaZone);
  if (label.empty()) label = labelOf(volume, kZone);
  const std::vector<std::string> zones = split(label, kZoneDelimiter);
  if (zones.size() == 1) return gceDisk("zones", label.empty() ? kUnspecified : label, volume.in_tree_id);
  const std::string region = gceRegion(zones, error);
  return error->empty() ? gceDisk("regions", region, volume.in_tree_id) : std::string();
}

std::string csiHandle(const api::Volume& inline_volume, std::string* error) {
  if (inline_volume.aws_elastic_block_store) return ebsVolume(inline_volume.aws_elastic_block_store->volume_id, error);
  if (inline_volume.azure_disk) return azureDisk(inline_volume.rest, error);
  if (inline_volume.gce_persistent_disk) {
    return gceDisk("zones", kUnspecified, inline_volume.gce_persistent_disk->pd_name);
  }
  return restMemberText(inline_volume.rest, "volumeID");
}

std::optional<api::NodeSelector> csiNodeAffinity(const api::PersistentVolume& volume) {
  std::optional<api::NodeSelector> selector = volume.node_affinity;
  const InTreePlugin* plugin = inTreePluginOf(volume);
  if (plugin == nullptr || plugin->topology_key[0] == '\0') return selector;
  const bool beta = selector && hasKey(*selector, kZone) ? false
                    : selector && hasKey(*selector, kBetaZone)
                        ? true
                        : !volume.meta.labels.has(api::Symbol(kZone)) && volume.meta.labels.has(api::Symbol(kBetaZone));
  const std::string_view zone = beta ? kBetaZone : kZone;
  if (selector && hasValues(*selector, zone)) {
    replaceKey(*selector, zone, plugin->topology_key);
  } else if (volume.meta.labels.has(api::Symbol(zone))) {
    addZones(selector, plugin->topology_key, split(labelOf(volume, zone), kZoneDelimiter));
  }
  // New nodes have no beta labels.
  if (beta && selector && hasValues(*selector, kBetaRegion)) replaceKey(*selector, kBetaRegion, kRegion);
  return selector;
}

std::vector<std::string> zonesOfLabel(std::string_view value) {
  std::vector<std::string> zones = split(value, kZoneDelimiter);
  for (std::string& zone : zones) {
    zone = trim(zone);
    if (zone.empty()) return {};
  }
  return zones;
}

}  // namespace podberth::scheduler::plugins
