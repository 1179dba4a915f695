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

}  // namespace

void validateClaimSpec(const api::PersistentVolumeClaimSpec& spec, const Path& path, const PodOptions& options,
                       ErrorList& errors) {
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
  if (spec.volume_attributes_class_name && !spec.volume_attributes_class_name->empty()) {
    validateDnsSubdomain(*spec.volume_attributes_class_name, path.child("volumeAttributesClassName"), errors);
  }
}

}  // namespace podberth::apiserver
