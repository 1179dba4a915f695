#include "core/apiserver/validation.h"

namespace podberth::apiserver {

namespace {

bool isAccessMode(const std::string& mode) {
  return mode == "ReadWriteOnce" || mode == "ReadOnlyMany" || mode == "ReadWriteMany" || mode == "ReadWriteOncePod";
}

void validateAccessModes(const std::vector<std::string>& modes, const Path& path, const PodOptions& options,
                         ErrorList& errors) {
  bool once_pod = false;
  bool other = false;
  for (const std::string& mode : modes) {
    const bool is_once_pod = mode == "ReadWriteOncePod";
    const bool known = isAccessMode(mode);
    if (!known || (is_once_pod && !options.read_write_once_pod)) {
      std::vector<std::string_view> modes_there_are = {"ReadOnlyMany", "ReadWriteMany", "ReadWriteOnce"};
      if (options.read_write_once_pod) modes_there_are.push_back("ReadWriteOncePod");
      errors.notSupported(path, jsonString(mode), modes_there_are);
    }
    once_pod = once_pod || is_once_pod;
    other = other || (known && !is_once_pod);
  }
  if (once_pod && other) errors.forbidden(path, "may not use ReadWriteOncePod with other access modes");
}

void validateDataSource(const Json& source, const Path& path, ErrorList& errors) {
  requireMembers(source, {"name", "kind"}, path, errors);
  const std::string group = stringOf(source, "apiGroup");
  const std::string kind = stringOf(source, "kind");
  if (group.empty() && kind != "PersistentVolumeClaim") {
    errors.invalid(path, shown(kind), errors.rules().default_source);
  }
  if (!group.empty() && errors.rules().source_groups) validateDnsSubdomain(group, path.child("apiGroup"), errors);
}

void validateDataSources(const Json& spec, const Path& path, ErrorList& errors) {
  const Json* source = member(spec, "dataSource");
  const Json* reference = member(spec, "dataSourceRef");
  if (source != nullptr) validateDataSource(*source, path.child("dataSource"), errors);
  if (reference == nullptr) return;
  validateDataSource(*reference, path.child("dataSourceRef"), errors);
  const std::string ns = stringOf(*reference, "namespace");
  if (!ns.empty()) validateDnsLabel(ns, path.child("dataSourceRef").child("namespace"), errors);
  if (source == nullptr) return;
  // Upstream shows the path of the field, which has nothing to show.
  const Shown shown_path = raw("{}", "field.Path{name:\"dataSource\", index:\"\", parent:(*field.Path)(0x0)}");
  if (!ns.empty()) {
    errors.invalid(path, shown_path, "may not be specified when dataSourceRef.namespace is specified");
    return;
  }
  for (const char* key : {"apiGroup", "kind", "name"}) {
    const Json* a = member(*source, key);
    const Json* b = member(*reference, key);
    if (a == b || (a != nullptr && b != nullptr && *a == *b)) continue;
    errors.invalid(path, shown_path, "must match dataSourceRef");
    return;
  }
}

}  // namespace

void validateClaimSpec(const api::PersistentVolumeClaimSpec& spec, const Json& given, const Path& path,
                       const PodOptions& options, ErrorList& errors) {
  const Path modes = path.child("accessModes");
  if (spec.access_modes.empty()) errors.required(modes, "at least 1 access mode is required");
  validateLabelSelector(spec.selector, false, path.child("selector"), errors);
  validateAccessModes(spec.access_modes, modes, options, errors);
  const Path storage_path(path.child("resources").key("storage").text(),
                          path.child("resources").child("requests").child("storage").pointer());
  const api::Quantity* storage = spec.requests.find(api::resource::kStorage);
  if (storage == nullptr) {
    errors.required(storage_path);
  } else if (storage->sign() <= 0) {
    errors.invalid(storage_path, shown(storage->str()), kNotPositiveMessage);
  } else {
    validateResourceQuantity(api::resource::kStorage, *storage, storage_path, errors);
  }
  if (spec.storage_class_name && !spec.storage_class_name->empty()) {
    validateDnsSubdomain(*spec.storage_class_name, path.child("storageClassName"), errors);
  }
  if (spec.volume_mode && *spec.volume_mode != "Block" && *spec.volume_mode != "Filesystem") {
    errors.notSupported(path.child("volumeMode"), jsonString(*spec.volume_mode), {"Block", "Filesystem"});
  }
  validateDataSources(given, path, errors);
  if (spec.volume_attributes_class_name && !spec.volume_attributes_class_name->empty()) {
    validateDnsSubdomain(*spec.volume_attributes_class_name, path.child("volumeAttributesClassName"), errors);
  }
}

}  // namespace podberth::apiserver
