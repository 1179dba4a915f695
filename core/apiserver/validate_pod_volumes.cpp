#include <algorithm>

#include "core/apiserver/validation.h"

namespace podberth::apiserver {

namespace {

constexpr std::string_view kOneSource = "may not specify more than 1 volume type";
constexpr std::string_view kBacksteps = "must not contain '..'";

bool isAbsolute(std::string_view path) { return path.starts_with("/"); }
bool isAlnum(char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

void requireList(const Json& source, const char* key, const Path& path, ErrorList& errors) {
  if (listOf(source, key).empty()) errors.required(path.child(key));
}

void validateRange(const Json& source, const char* key, std::int64_t low, std::int64_t high, std::int64_t low_said,
                   const Path& path, ErrorList& errors) {
  const std::int64_t value = integerOf(source, key).value_or(0);
  if (value < low || value > high) {
    errors.invalid(path.child(key), number(value), inclusiveRangeError(low_said, high));
  }
}

// iqn\.\d{4}-\d{2}\.([[:alnum:]-.]+)(:[^,;*&$|\s]+)$, anywhere in the name; eui and naa have a fixed length.
bool isIscsiName(std::string_view name) {
  if (name.starts_with("eui")) return name.size() == 20 && std::all_of(name.begin() + 4, name.end(), isAlnum);
  if (name.starts_with("naa")) return name.size() == 36 && std::all_of(name.begin() + 4, name.end(), isAlnum);
  const auto digit = [&](std::size_t i) { return name[i] >= '0' && name[i] <= '9'; };
  if (name.size() < 12 || name[3] != '.' || name[8] != '-' || name[11] != '.') return false;
  for (const std::size_t i : {4U, 5U, 6U, 7U, 9U, 10U}) {
    if (!digit(i)) return false;
  }
  const std::size_t colon = name.find(':', 12);
  if (colon == std::string_view::npos || colon == 12 || colon + 1 == name.size()) return false;
  for (std::size_t i = 12; i < colon; ++i) {
    if (!isAlnum(name[i]) && name[i] != '-' && name[i] != '.') return false;
  }
  return name.substr(colon + 1).find_first_of(",;*&$| \t\n\v\f\r") == std::string_view::npos;
}

void validateIscsiName(const std::string& name, const Path& path, ErrorList& errors) {
  if (!name.starts_with("iqn") && !name.starts_with("eui") && !name.starts_with("naa")) {
    errors.invalid(path, shown(name), "must be valid format starting with iqn, eui, or naa");
  } else if (!isIscsiName(name)) {
    errors.invalid(path, shown(name), "must be valid format");
  }
}

void validateIscsi(const Json& source, const Path& path, ErrorList& errors) {
  requireMembers(source, {"targetPortal", "iqn"}, path, errors);
  const std::string iqn = stringOf(source, "iqn");
  if (!iqn.empty()) validateIscsiName(iqn, path.child("iqn"), errors);
  validateRange(source, "lun", 0, 255, 0, path, errors);
  if ((boolOf(source, "chapAuthDiscovery") || boolOf(source, "chapAuthSession")) &&
      member(source, "secretRef") == nullptr) {
    errors.required(path.child("secretRef"));
  }
  if (member(source, "initiatorName") != nullptr) {
    validateIscsiName(stringOf(source, "initiatorName"), path.child("initiatorname", "initiatorName"), errors);
  }
}

void validateAzureDisk(const Json& source, const Path& path, ErrorList& errors) {
  requireMembers(source, {"diskName", "diskURI"}, path, errors);
  const std::string caching = member(source, "cachingMode") != nullptr ? stringOf(source, "cachingMode") : "ReadWrite";
  const std::string kind = member(source, "kind") != nullptr ? stringOf(source, "kind") : "Shared";
  const std::string uri = stringOf(source, "diskURI");
  if (caching != "None" && caching != "ReadOnly" && caching != "ReadWrite") {
    errors.notSupported(path.child("cachingMode"), jsonString(caching), {"None", "ReadOnly", "ReadWrite"});
  }
  if (kind != "Shared" && kind != "Dedicated" && kind != "Managed") {
    errors.notSupported(path.child("kind"), jsonString(kind), {"Dedicated", "Managed", "Shared"});
  }
  if (kind == "Managed" && !uri.starts_with("/subscriptions/")) {
    errors.notSupported(
        path.child("diskURI"), shown(uri),
        {"/subscriptions/{sub-id}/resourcegroups/{group-name}/providers/microsoft.compute/disks/{disk-id}"});
  }
  if (kind != "Managed" && !uri.starts_with("https://")) {
    errors.notSupported(path.child("diskURI"), shown(uri),
                        {"https://{account-name}.blob.core.windows.net/{container-name}/{disk-name}.vhd"});
  }
}

void validateCsi(const Json& source, const Path& path, ErrorList& errors) {
  const std::string driver = stringOf(source, "driver");
  if (driver.empty()) errors.required(path.child("driver"));
  if (!driver.empty() || !errors.rules().driver_needs_name) {
    if (driver.size() > 63) errors.tooLong(path.child("driver"), 63);
    errors.invalidEach(path.child("driver"), shown(driver), isDns1123Subdomain(lowered(driver), errors.wording()));
  }
  const Json* secret = member(source, "nodePublishSecretRef");
  if (secret == nullptr) return;
  const std::string name = stringOf(*secret, "name");
  if (name.empty()) {
    errors.required(path.child("nodePublishSecretRef").child("name"));
  } else {
    errors.invalidEach(Path(path.child("name").text(), path.child("nodePublishSecretRef").child("name").pointer()),
                       shown(name), isDns1123Subdomain(name, errors.wording()));
  }
}

void validateHostPath(const Json& source, const Path& path, ErrorList& errors) {
  const std::string target = stringOf(source, "path");
  if (target.empty()) {
    errors.required(path.child("path"));
    return;
  }
  validatePathNoBacksteps(target, path.child("path"), errors);
  const std::string type = stringOf(source, "type");
  const std::vector<std::string_view> types = {"",     "BlockDevice",  "CharDevice", "Directory", "DirectoryOrCreate",
                                               "File", "FileOrCreate", "Socket"};
  if (std::find(types.begin(), types.end(), type) == types.end()) {
    errors.notSupported(path.child("type"), jsonString(type), types);
  }
}

void validateNfs(const Json& source, const Path& path, ErrorList& errors) {
  requireMembers(source, {"server", "path"}, path, errors);
  const std::string target = stringOf(source, "path");
  if (!isAbsolute(target)) errors.invalid(path.child("path"), shown(target), "must be an absolute path");
}

void validateFc(const Json& source, const Path& path, ErrorList& errors) {
  const Json& wwns = listOf(source, "targetWWNs");
  const Json& wwids = listOf(source, "wwids");
  if (wwns.empty() && wwids.empty()) {
    errors.required(path.child("targetWWNs"), "must specify either targetWWNs or wwids, but not both");
  }
  if (!wwns.empty() && !wwids.empty()) {
    errors.invalid(path.child("targetWWNs"), jsonStrings(wwns.get<std::vector<std::string>>()),
                   "targetWWNs and wwids can not be specified simultaneously");
  }
  if (wwns.empty()) return;
  const auto lun = integerOf(source, "lun");
  if (!lun) {
    errors.required(path.child("lun"), "lun is required if targetWWNs is specified");
  } else if (*lun < 0 || *lun > 255) {
    errors.invalid(path.child("lun"), number(*lun), inclusiveRangeError(0, 255));
  }
}

void validateEmptyDir(const Json& source, const Path& path, ErrorList& errors) {
  const auto size = api::Quantity::parse(stringOf(source, "sizeLimit"));
  if (size && size->sign() < 0) {
    errors.forbidden(path.child("sizeLimit"), "SizeLimit field must be a valid resource quantity");
  }
  const auto mode = integerOf(source, "mode");
  if (mode && (*mode > 01777 || *mode < 0)) {
    errors.invalid(path.child("mode"), number(*mode), "must be a number between 0 and 01777 (octal), both inclusive");
  }
}

void validateEphemeral(const api::Pod& pod, const api::Volume& volume, const Json& source, const Path& path,
                       const Path& volume_path, const PodOptions& options, ErrorList& errors) {
  if (member(source, "volumeClaimTemplate") == nullptr || volume.ephemeral == nullptr) {
    errors.required(path.child("volumeClaimTemplate"));
  } else {
    const Path at = path.child("volumeClaimTemplate");
    const Json& claim = objectOf(source, "volumeClaimTemplate");
    const Json& meta = objectOf(claim, "metadata");
    for (const auto& [key, value] : objectOf(meta, "annotations").items()) {
      errors.invalidEach(at.child("metadata").child("annotations"), shown(key),
                         isLabelKey(lowered(key), errors.wording()));
    }
    for (const auto& [key, value] : objectOf(meta, "labels").items()) {
      validateLabelName(key, at.child("metadata").child("labels"), errors);
      const std::string text = value.is_string() ? value.get<std::string>() : std::string();
      errors.invalidEach(at.child("metadata").child("labels"), shown(text), isLabelValue(text, errors.wording()));
    }
    // Go's names of the fields, with a small letter first.
    for (const auto& [name, key] : {std::pair<const char*, const char*>{"name", "name"},
                                    {"generateName", "generateName"},
                                    {"namespace", "namespace"},
                                    {"selfLink", "selfLink"},
                                    {"uID", "uid"},
                                    {"resourceVersion", "resourceVersion"},
                                    {"generation", "generation"},
                                    {"creationTimestamp", "creationTimestamp"},
                                    {"deletionTimestamp", "deletionTimestamp"},
                                    {"deletionGracePeriodSeconds", "deletionGracePeriodSeconds"},
                                    {"ownerReferences", "ownerReferences"},
                                    {"finalizers", "finalizers"},
                                    {"managedFields", "managedFields"}}) {
      if (member(meta, key) != nullptr)
        errors.forbidden(at.child("metadata").child(name, key), errors.rules().no_metadata);
    }
    validateClaimSpec(*volume.ephemeral, objectOf(claim, "spec"), at.child("spec"), options, errors);
  }
  if (pod.meta.name.empty() || volume.name.empty()) return;
  const std::string claim = pod.meta.name + "-" + volume.name;
  for (const std::string& message : isDns1123Subdomain(claim, errors.wording())) {
    errors.invalid(volume_path.child("name"), shown(volume.name), "PVC name " + go::quote(claim) + ": " + message);
  }
}

// One kind of source. `key` is its JSON name, `path` where its own errors are (upstream misspells some).
using SourceRule = void (*)(const Json& source, const Path& path, ErrorList& errors);
struct SourceKind {
  const char* key;
  const char* name;       // in "may not specify more than 1 volume type"
  const char* rule_name;  // in its own errors
  SourceRule rule;
};

void validateFlocker(const Json& source, const Path& path, ErrorList& errors) {
  const std::string name = stringOf(source, "datasetName");
  const std::string uuid = stringOf(source, "datasetUUID");
  if (name.empty() && uuid.empty()) errors.required(path, "one of datasetName and datasetUUID is required");
  if (!name.empty() && !uuid.empty()) {
    errors.invalid(path, shown("resource"), "datasetName and datasetUUID can not be specified simultaneously");
  }
  if (name.find('/') != std::string::npos) {
    errors.invalid(path.child("datasetName"), shown(name), "must not contain '/'");
  }
}

void validateGitRepo(const Json& source, const Path& path, ErrorList& errors) {
  requireMembers(source, {"repository"}, path, errors);
  validateLocalDescendingPath(stringOf(source, "directory"), path.child("directory"), errors);
}

void validateDisk(const Json& source, const char* id, const Path& path, ErrorList& errors) {
  requireMembers(source, {id}, path, errors);
  validateRange(source, "partition", 0, 255, 1, path, errors);
}

void validateRbd(const Json& source, const Path& path, ErrorList& errors) {
  requireList(source, "monitors", path, errors);
  requireMembers(source, {"image"}, path, errors);
}

void validateCinder(const Json& source, const Path& path, ErrorList& errors) {
  requireMembers(source, {"volumeID"}, path, errors);
  const Json* secret = member(source, "secretRef");
  if (secret != nullptr) requireMembers(*secret, {"name"}, path.child("secretRef"), errors);
}

void validateImage(const Json& source, const Path& path, ErrorList& errors) {
  requireMembers(source, {"reference"}, path, errors);
  const std::string policy = stringOf(source, "pullPolicy");
  if (!policy.empty()) validatePullPolicy(policy, path.child("pullPolicy"), errors);
}

template <const char* const* kKeys>
void requireStrings(const Json& source, const Path& path, ErrorList& errors) {
  for (const char* const* key = kKeys; *key != nullptr; ++key) requireMembers(source, {*key}, path, errors);
}

constexpr const char* kGlusterfs[] = {"endpoints", "path", nullptr};
constexpr const char* kAzureFile[] = {"secretName", "shareName", nullptr};
constexpr const char* kVsphere[] = {"volumePath", nullptr};
constexpr const char* kPhoton[] = {"pdID", nullptr};
constexpr const char* kPortworx[] = {"volumeID", nullptr};
constexpr const char* kScaleIo[] = {"gateway", "system", "volumeName", nullptr};
constexpr const char* kClaim[] = {"claimName", nullptr};

void validateSecretSource(const Json& source, const Path& path, ErrorList& errors) {
  requireMembers(source, {"secretName"}, path, errors);
  validateFiles(source, path, errors);
}

void validateConfigMapSource(const Json& source, const Path& path, ErrorList& errors) {
  requireMembers(source, {"name"}, path, errors);
  validateFiles(source, path, errors);
}

void validateGce(const Json& source, const Path& path, ErrorList& errors) {
  validateDisk(source, "pdName", path, errors);
}
void validateAws(const Json& source, const Path& path, ErrorList& errors) {
  validateDisk(source, "volumeID", path, errors);
}
void validateCephFs(const Json& source, const Path& path, ErrorList& errors) {
  requireList(source, "monitors", path, errors);
}
void validateStorageOs(const Json& source, const Path& path, ErrorList& errors) {
  const std::string name = stringOf(source, "volumeName");
  if (name.empty()) {
    errors.required(path.child("volumeName"));
  } else {
    validateDnsLabel(name, path.child("volumeName"), errors);
  }
  const std::string ns = stringOf(source, "volumeNamespace");
  if (!ns.empty()) validateDnsLabel(ns, path.child("volumeNamespace"), errors);
  const Json* secret = member(source, "secretRef");
  if (secret != nullptr) requireMembers(*secret, {"name"}, path.child("secretRef"), errors);
}

// net.SplitHostPort: "host:port", the host in brackets if it has colons.
bool isHostPort(std::string_view text) {
  const std::size_t colon = text.rfind(':');
  if (colon == std::string_view::npos) return false;
  std::size_t open = 0;   // from here on there are no more brackets that open,
  std::size_t close = 0;  // from here on none that close
  if (text[0] == '[') {
    close = text.find(']');
    if (close == std::string_view::npos || ++close != colon) return false;
    open = 1;
  } else if (text.find(':') != colon) {
    return false;
  }
  return text.find('[', open) == std::string_view::npos && text.find(']', close) == std::string_view::npos;
}

void validateQuobyte(const Json& source, const Path& path, ErrorList& errors) {
  constexpr std::string_view kPairs = "must be a host:port pair or multiple pairs separated by commas";
  const std::string registry = stringOf(source, "registry");
  if (registry.empty()) {
    errors.required(path.child("registry"), kPairs);
  } else if (stringOf(source, "tenant").size() > 64) {
    errors.required(path.child("tenant"), "must be a UUID and may not exceed a length of 64 characters");
  } else {
    for (const std::string_view pair : split(registry, ',')) {
      if (!isHostPort(pair)) errors.invalid(path.child("registry"), shown(registry), kPairs);
    }
  }
  requireMembers(source, {"volume"}, path, errors);
}

void validateFlex(const Json& source, const Path& path, ErrorList& errors) {
  requireMembers(source, {"driver"}, path, errors);
  for (const auto& [key, value] : objectOf(source, "options").items()) {
    const std::string domain = "." + lowered(key.substr(0, key.find('/')));
    for (const std::string_view reserved : {".kubernetes.io", ".k8s.io"}) {
      if (domain.size() < reserved.size() || domain.substr(domain.size() - reserved.size()) != reserved) continue;
      errors.invalid(path.child("options").key(key), shown(key), "kubernetes.io and k8s.io namespaces are reserved");
    }
  }
}

// In the order in which upstream looks at them.
constexpr SourceKind kSources[] = {
    {"emptyDir", "emptyDir", "emptyDir", validateEmptyDir},
    {"hostPath", "hostPath", "hostPath", validateHostPath},
    {"gitRepo", "gitRepo", "gitRepo", validateGitRepo},
    {"gcePersistentDisk", "gcePersistentDisk", "persistentDisk", validateGce},
    {"awsElasticBlockStore", "awsElasticBlockStore", "awsElasticBlockStore", validateAws},
    {"secret", "secret", "secret", validateSecretSource},
    {"nfs", "nfs", "nfs", validateNfs},
    {"iscsi", "iscsi", "iscsi", validateIscsi},
    {"glusterfs", "glusterfs", "glusterfs", requireStrings<kGlusterfs>},
    {"flocker", "flocker", "flocker", validateFlocker},
    {"persistentVolumeClaim", "persistentVolumeClaim", "persistentVolumeClaim", requireStrings<kClaim>},
    {"rbd", "rbd", "rbd", validateRbd},
    {"cinder", "cinder", "cinder", validateCinder},
    {"cephfs", "cephFS", "cephfs", validateCephFs},
    {"quobyte", "quobyte", "quobyte", validateQuobyte},
    {"downwardAPI", "downwarAPI", "downwardAPI", validateDownwardApi},
    {"fc", "fc", "fc", validateFc},
    {"flexVolume", "flexVolume", "flexVolume", validateFlex},
    {"configMap", "configMap", "configMap", validateConfigMapSource},
    {"azureFile", "azureFile", "azureFile", requireStrings<kAzureFile>},
    {"vsphereVolume", "vsphereVolume", "vsphereVolume", requireStrings<kVsphere>},
    {"photonPersistentDisk", "photonPersistentDisk", "photonPersistentDisk", requireStrings<kPhoton>},
    {"portworxVolume", "portworxVolume", "portworxVolume", requireStrings<kPortworx>},
    {"azureDisk", "azureDisk", "azureDisk", validateAzureDisk},
    {"storageos", "storageos", "storageos", validateStorageOs},
    {"projected", "projected", "projected", validateProjected},
    {"scaleIO", "scaleIO", "scaleIO", requireStrings<kScaleIo>},
    {"csi", "csi", "csi", validateCsi},
    {"ephemeral", "ephemeral", "ephemeral", nullptr},
    {"image", "image", "image", validateImage},
};

void validateSource(const api::Pod& pod, const api::Volume& volume, const Path& path, const PodOptions& options,
                    ErrorList& errors) {
  const Json rest = parseRest(volume.rest);
  bool found = false;
  for (const SourceKind& kind : kSources) {
    const Json* source = member(rest, kind.key);
    if (source == nullptr) continue;
    if (found) {
      errors.forbidden(path.child(kind.name, kind.key), kOneSource);
    } else if (kind.rule != nullptr) {
      kind.rule(*source, path.child(kind.rule_name, kind.key), errors);
    } else {
      validateEphemeral(pod, volume, *source, path.child(kind.rule_name, kind.key), path, options, errors);
    }
    found = true;
    if (kind.rule != validateIscsi || member(*source, "initiatorName") == nullptr) continue;
    if (volume.name.size() + 1 + stringOf(*source, "targetPortal").size() <= 64) continue;
    errors.invalid(path.child("name"), shown(volume.name),
                   "Total length of <volume name>:<iscsi.targetPortal> must be under 64 characters if "
                   "iscsi.initiatorName is specified.");
  }
  if (!found) errors.required(path, "must specify a volume type");
}

}  // namespace

bool hasBacksteps(std::string_view target) {
  for (const std::string_view part : split(target, '/')) {
    if (part == "..") return true;
  }
  return false;
}

void validatePathNoBacksteps(std::string_view target, const Path& path, ErrorList& errors) {
  if (hasBacksteps(target)) errors.invalid(path, shown(target), kBacksteps);
}

void validateLocalDescendingPath(std::string_view target, const Path& path, ErrorList& errors) {
  if (isAbsolute(target)) errors.invalid(path, shown(target), "must be a relative path");
  validatePathNoBacksteps(target, path, errors);
}

VolumeNames validateVolumes(const api::Pod& pod, const Path& path, const PodOptions& options, ErrorList& errors) {
  VolumeNames names;
  std::set<std::string> created;  // claims that come into being for ephemeral volumes
  for (const api::Volume& volume : pod.spec.volumes) {
    const bool ephemeral = std::find(volume.sources.begin(), volume.sources.end(), "ephemeral") != volume.sources.end();
    if (ephemeral && !pod.meta.name.empty()) created.insert(pod.meta.name + "-" + volume.name);
  }
  for (std::size_t i = 0; i < pod.spec.volumes.size(); ++i) {
    const api::Volume& volume = pod.spec.volumes[i];
    const Path at = path.index(i);
    ErrorList found(errors.rules());
    validateSource(pod, volume, at, options, found);
    if (volume.name.empty()) {
      found.required(at.child("name"));
    } else {
      validateDnsLabel(volume.name, at.child("name"), found);
    }
    if (names.all.count(volume.name) != 0) found.duplicate(at.child("name"), shown(volume.name));
    if (found.empty()) {
      names.all.insert(volume.name);
      for (const std::string& source : volume.sources) {
        if (source == "persistentVolumeClaim" || source == "ephemeral") names.claims.insert(volume.name);
        if (source == "emptyDir") names.empty_dirs.insert(volume.name);
        if (source == "image") names.images.insert(volume.name);
      }
    }
    errors.append(found);
    if (volume.persistent_volume_claim && created.count(volume.persistent_volume_claim->claim_name) != 0) {
      errors.invalid(at.child("persistentVolumeClaim").child("claimName"),
                     shown(volume.persistent_volume_claim->claim_name),
                     "must not reference a PVC that gets created for an ephemeral volume");
    }
  }
  return names;
}

}  // namespace podberth::apiserver
