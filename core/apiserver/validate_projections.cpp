// Volumes that are made of other things' contents: secrets, config maps, fields of the pod, tokens, certificates.
#include <algorithm>

#include "core/api/fields.h"
#include "core/apiserver/shown_structure.h"
#include "core/apiserver/validation.h"

namespace podberth::apiserver {

namespace {

constexpr std::string_view kFileMode = "must be a number between 0 and 0777 (octal), both inclusive";
constexpr std::size_t kMaxSignerDomain = 253;
constexpr std::size_t kMaxSigner = 253 + 1 + 253 + 63 + 1;
constexpr std::int64_t kMaxCertificateSeconds = 91LL * 24 * 60 * 60;
constexpr std::int64_t kMaxKubernetesCertificateSeconds = 24LL * 60 * 60;

void validateMode(const Json& source, const char* key, const Path& path, ErrorList& errors) {
  const auto mode = integerOf(source, key);
  if (mode && (*mode > 0777 || *mode < 0)) errors.invalid(path.child(key), number(*mode), kFileMode);
}

void validateLocalNonReservedPath(std::string_view target, const Path& path, ErrorList& errors) {
  validateLocalDescendingPath(target, path, errors);
  if (target.starts_with("..") && !target.starts_with("../")) {
    errors.invalid(path, shown(target), "must not start with '..'");
  }
}

void validateKeyToPath(const Json& item, const Path& path, ErrorList& errors) {
  requireMembers(item, {"key", "path"}, path, errors);
  validateLocalNonReservedPath(stringOf(item, "path"), path.child("path"), errors);
  validateMode(item, "mode", path, errors);
  validateId(item, "user", path, errors);
}

void validateFieldFile(const Json& file, const Path& path, ErrorList& errors) {
  requireMembers(file, {"path"}, path, errors);
  validateLocalNonReservedPath(stringOf(file, "path"), path.child("path"), errors);
  const Json* resource = member(file, "resourceFieldRef");
  if (const Json* field = member(file, "fieldRef")) {
    validateFieldSelector(*field, FieldsOf::kVolume, path.child("fieldRef"), errors);
    if (resource != nullptr) {
      errors.invalid(path, shown("resource"), "fieldRef and resourceFieldRef can not be specified simultaneously");
    }
  } else if (resource != nullptr) {
    validateResourceSelector(*resource, FieldsOf::kVolume, path.child("resourceFieldRef"), errors);
  } else {
    errors.required(path, "one of fieldRef and resourceFieldRef is required");
  }
  validateMode(file, "mode", path, errors);
  validateId(file, "user", path, errors);
}

void validateSignerName(const std::string& name, const Path& path, ErrorList& errors) {
  if (name.empty()) return errors.required(path);
  const auto segments = split(name, '/');
  if (segments.size() != 2) {
    return errors.invalid(path, shown(name),
                          "must be a fully qualified domain and path of the form 'example.com/signer-name'");
  }
  if (segments[0].size() > kMaxSignerDomain) errors.tooLong(path, kMaxSignerDomain);
  const auto labels = [&](std::string_view segment, Messages (*rule)(std::string_view, const api::Wording&)) {
    for (const std::string_view label : split(segment, '.')) {
      const Messages messages = rule(label, errors.wording());
      for (const std::string& message : messages) {
        errors.invalid(path, shown(segment), "validating label " + go::quote(label) + ": " + message);
      }
      if (!messages.empty()) break;
    }
  };
  labels(segments[0], isDns1123Label);
  if (segments[0].find('.') == std::string_view::npos) {
    errors.invalid(path, shown(segments[0]), "should be a domain with at least two segments separated by dots");
  }
  labels(segments[1], isDns1123Subdomain);
  if (name.size() > kMaxSigner) errors.tooLong(path, kMaxSigner);
}

// A bundle of a signer is called after it, with colons for the slashes.
void validateBundleName(const std::string& name, const Path& path, ErrorList& errors) {
  if (name.empty()) errors.required(path, "must be a valid object name");
  const std::size_t colon = name.rfind(':');
  Messages messages;
  if (colon == 0) {
    messages = {"ClusterTrustBundle without signer name must not have \":\" in its name"};
  } else if (colon != std::string::npos && name.find('/') < colon) {
    std::string prefix = name.substr(0, colon + 1);
    std::replace(prefix.begin(), prefix.end(), '/', ':');
    std::string signer = name.substr(0, colon);
    std::replace(signer.begin(), signer.end(), ':', '/');
    messages = {"ClusterTrustBundle for signerName " + signer + " must be named with prefix " + prefix};
  } else {
    const std::size_t own = colon == std::string::npos ? 0 : colon + 1;
    messages = isDns1123Subdomain(std::string_view(name).substr(own), errors.wording());
  }
  for (const std::string& message : messages) {
    errors.invalid(path, shown(name), "not a valid clustertrustbundlename: " + message);
  }
}

constexpr ShownField kTrustBundle[] = {{"Name", "name", "*string"},
                                       {"SignerName", "signerName", "*string"},
                                       {"LabelSelector", "labelSelector", "*v1.LabelSelector"},
                                       {"Optional", "optional", "*bool"},
                                       {"Path", "path", "string"},
                                       {"User", "user", "*int64"},
                                       {nullptr, nullptr, nullptr}};

void validateTrustBundle(const Json& bundle, const Path& path, ErrorList& errors) {
  const bool by_name = member(bundle, "name") != nullptr;
  const bool by_signer = member(bundle, "signerName") != nullptr;
  std::vector<api::Issue> ignored;
  api::DecodeContext context{ignored, {}};
  const std::optional<api::LabelSelector> selector = api::Fields(bundle, "", context).selector("labelSelector");
  if (by_name && by_signer) {
    errors.invalid(path, shownStructure(bundle, "core.ClusterTrustBundleProjection", kTrustBundle),
                   "only one of name and signerName may be used");
  } else if (by_name) {
    validateBundleName(stringOf(bundle, "name"), path.child("name"), errors);
    if (selector) {
      errors.invalid(path.child("labelSelector"), shownSelector(selector),
                     "labelSelector must be unset if name is specified");
    }
  } else if (by_signer) {
    const std::string signer = stringOf(bundle, "signerName");
    if (signer.empty()) errors.required(path.child("signerName"), "must be a valid signer name");
    validateSignerName(signer, path.child("signerName"), errors);
    validateLabelSelector(selector, false, path.child("labelSelector"), errors);
  } else {
    errors.required(path, "either name or signerName must be specified");
  }
  requireMembers(bundle, {"path"}, path, errors);
  validateId(bundle, "user", path, errors);
  validateLocalNonReservedPath(stringOf(bundle, "path"), path.child("path"), errors);
}

void validateUserAnnotations(const Json& annotations, const Path& path, ErrorList& errors) {
  std::size_t size = 0;
  for (const auto& [key, value] : annotations.items()) {
    size += key.size() + (value.is_string() ? value.get_ref<const std::string&>().size() : 0);
    const std::string name = lowered(key);
    const Messages messages = isLabelKey(name, errors.wording());
    if (name.empty()) {
      errors.required(path);
    } else if (!messages.empty()) {
      errors.invalidEach(path, shown(name), messages);
    } else if (name.find('/') == std::string::npos) {
      errors.invalid(path, shown(name), "must be a domain-prefixed key (such as \"acme.io/foo\")");
    }
  }
  if (size > kAnnotationsLimit) errors.tooLong(path, static_cast<int>(kAnnotationsLimit));
}

// What a file is called that another source has too.
class FilePaths {
 public:
  FilePaths(const Path& path, ErrorList& errors) : path_(path), errors_(errors) {}
  void add(const std::string& file, const std::string& said) {
    if (!taken_.insert(file).second) errors_.invalid(path_, shown(said), "conflicting duplicate paths");
  }

 private:
  const Path& path_;
  ErrorList& errors_;
  std::set<std::string> taken_;
};

void validateCertificate(const Json& certificate, const Path& path, FilePaths& files, ErrorList& errors) {
  const std::string signer = stringOf(certificate, "signerName");
  validateSignerName(signer, path.child("signerName"), errors);
  validateUserAnnotations(objectOf(certificate, "userAnnotations"), path.child("userAnnotations"), errors);
  validateId(certificate, "user", path, errors);
  const std::vector<std::string_view> types = {"ECDSAP256", "ECDSAP384", "ECDSAP521", "ED25519", "RSA3072", "RSA4096"};
  const std::string type = stringOf(certificate, "keyType");
  if (std::find(types.begin(), types.end(), type) == types.end()) {
    errors.notSupported(path.child("keyType"), shown(type),
                        {"RSA3072", "RSA4096", "ECDSAP256", "ECDSAP384", "ECDSAP521", "ED25519"});
  }
  if (const auto seconds = integerOf(certificate, "maxExpirationSeconds")) {
    const std::string host = signer.substr(0, signer.find('/'));
    constexpr std::string_view kDomain = ".kubernetes.io";
    const bool own = host == kDomain.substr(1) ||
                     (host.size() >= kDomain.size() && host.substr(host.size() - kDomain.size()) == kDomain);
    const std::int64_t most = own ? kMaxKubernetesCertificateSeconds : kMaxCertificateSeconds;
    const auto wrong = [&](const std::string& bound) {
      errors.invalid(path.child("maxExpirationSeconds"), number(*seconds),
                     "if provided, maxExpirationSeconds must be " + bound);
    };
    if (*seconds < 3600) wrong(">= 3600");
    if (*seconds > most) wrong("<= " + std::to_string(most));
  }
  bool any = false;
  for (const char* key : {"credentialBundlePath", "keyPath", "certificateChainPath"}) {
    const std::string file = stringOf(certificate, key);
    if (file.empty()) continue;
    any = true;
    validateLocalNonReservedPath(file, path.child(key), errors);
    files.add(file, file);
  }
  if (!any) errors.required(path, "specify at least one of credentialBundlePath, keyPath, and certificateChainPath");
}

void validateToken(const Json& token, const Path& path, const Path& volume_path, ErrorList& errors) {
  const std::int64_t seconds = integerOf(token, "expirationSeconds").value_or(3600);  // the default
  const Path at = path.child("expirationSeconds");
  if (seconds < 600) errors.invalid(at, number(seconds), "may not specify a duration less than 10 minutes");
  if (seconds > std::int64_t{1} << 32U) {
    errors.invalid(at, number(seconds), "may not specify a duration larger than 2^32 seconds");
  }
  // Upstream looks for it in the volume.
  const Path file_path(volume_path.child("path").text(), path.child("path").pointer());
  const std::string file = stringOf(token, "path");
  if (file.empty()) {
    errors.required(file_path);
  } else if (errors.rules().local_tokens) {
    validateLocalNonReservedPath(file, file_path, errors);
  }
  validateId(token, "user", path, errors);
}

}  // namespace

void requireMembers(const Json& source, std::initializer_list<const char*> keys, const Path& path, ErrorList& errors) {
  for (const char* key : keys) {
    if (stringOf(source, key).empty()) errors.required(path.child(key));
  }
}

void validateFiles(const Json& source, const Path& path, ErrorList& errors) {
  validateMode(source, "defaultMode", path, errors);
  validateId(source, "defaultUser", path, errors);
  const Json& items = listOf(source, "items");
  for (std::size_t i = 0; i < items.size(); ++i) validateKeyToPath(items[i], path.child("items").index(i), errors);
}

void validateDownwardApi(const Json& source, const Path& path, ErrorList& errors) {
  validateMode(source, "defaultMode", path, errors);
  validateId(source, "defaultUser", path, errors);
  for (const Json& file : listOf(source, "items")) validateFieldFile(file, path, errors);
}

void validateProjected(const Json& volume, const Path& path, ErrorList& errors) {
  validateMode(volume, "defaultMode", path, errors);
  validateId(volume, "defaultUser", path, errors);
  FilePaths files(path, errors);
  const Json& sources = listOf(volume, "sources");
  for (std::size_t i = 0; i < sources.size(); ++i) {
    const Path place = path.child("sources").index(i);
    int count = 0;
    for (const char* kind :
         {"secret", "configMap", "downwardAPI", "serviceAccountToken", "clusterTrustBundle", "podCertificate"}) {
      const Json* source = member(sources[i], kind);
      if (source == nullptr) continue;
      ++count;
      const std::string_view name = kind;
      const Path at = place.child(name);
      if (name == "serviceAccountToken") {
        validateToken(*source, at, path, errors);
      } else if (name == "podCertificate") {
        validateCertificate(*source, at, files, errors);
      } else if (name == "clusterTrustBundle") {
        validateTrustBundle(*source, at, errors);
        files.add(stringOf(*source, "path"), stringOf(*source, "path"));
      } else {
        const bool fields = name == "downwardAPI";
        if (!fields) requireMembers(*source, {"name"}, at, errors);
        const Json& items = listOf(*source, "items");
        for (std::size_t j = 0; j < items.size(); ++j) {
          if (fields) {
            validateFieldFile(items[j], at, errors);
          } else {
            validateKeyToPath(items[j], at.child("items").index(j), errors);
          }
          const std::string file = stringOf(items[j], "path");
          if (!file.empty()) files.add(file, fields ? file : stringOf(*source, "name"));
        }
      }
    }
    if (count > 1) errors.forbidden(place, errors.rules().one_projection);
  }
}

}  // namespace podberth::apiserver
