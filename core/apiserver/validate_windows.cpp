// The options of Windows' security contexts, and what depends on the operating system of a pod.
#include <algorithm>

#include "core/apiserver/validation.h"

namespace podberth::apiserver {

namespace {

constexpr std::string_view kNotOnWindows = "cannot be set for a windows pod";
constexpr std::size_t kMaxCredentialSpec = 64 * 1024;
constexpr std::size_t kMaxDomain = 256;
constexpr std::size_t kMaxUser = 104;
constexpr std::string_view kNotInUser = "\"/\\:;|=,+*?<>@[]";

bool isAlnum(char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

// 1 to 15 characters, a dot not first.
bool isNetBiosName(std::string_view name) {
  const auto characters =
      std::count_if(name.begin(), name.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xc0U) != 0x80; });
  return characters >= 1 && characters <= 15 && name[0] != '.' &&
         name.find_first_of("\\/:*?\"<>|") == std::string_view::npos;
}

bool isDnsDomain(std::string_view name) {
  for (const std::string_view part : split(name, '.')) {
    if (part.empty() || part.size() > 63 || !isAlnum(part.front()) || !isAlnum(part.back())) return false;
    if (!std::all_of(part.begin(), part.end(), [](char c) { return isAlnum(c) || c == '-'; })) return false;
  }
  return true;
}

// "DOMAIN\user" or "user".
void validateUserName(std::string_view name, const Path& path, ErrorList& errors) {
  const auto wrong = [&](std::string_view what) {
    errors.invalid(path, jsonString(name), std::string("runAsUserName").append(what));
  };
  if (name.empty()) return wrong(" cannot be an empty string");
  if (std::any_of(name.begin(), name.end(), [](char c) { return (c >= 0 && c < ' ') || c == 0x7f; })) {
    return wrong(" cannot contain control characters");
  }
  const auto parts = split(name, '\\');
  if (parts.size() > 2) return wrong(" cannot contain more than one backslash");
  const bool has_domain = parts.size() == 2;
  const std::string_view user = parts.back();
  if (has_domain) {
    if (parts[0].size() >= kMaxDomain) wrong("'s Domain length must be under 256 characters");
    if (!isNetBiosName(parts[0]) && !isDnsDomain(parts[0])) {
      wrong("'s Domain doesn't match the NetBios nor the DNS format");
    }
  }
  if (user.empty()) wrong("'s User cannot be empty");
  if (user.size() > kMaxUser) wrong("'s User length must not be longer than 104 characters");
  if (!user.empty() && user.find_first_not_of(". ") == std::string_view::npos) {
    wrong("'s User cannot contain only periods or spaces");
  }
  if (user.find_first_of(kNotInUser) != std::string_view::npos) {
    wrong("'s User cannot contain the following characters: \"/\\:;|=,+*?<>@[]");
  }
}

void forbidMembers(const Json& context, std::initializer_list<const char*> names, const Path& path, ErrorList& errors) {
  for (const char* name : names) {
    if (member(context, name) != nullptr) errors.forbidden(path.child(name), kNotOnWindows);
  }
}

// What a pod may not have on Windows: first what its security context has.
void forbidByPlace(const Json& rest, const Path& path, ErrorList& errors) {
  forbidMembers(objectOf(rest, "securityContext"),
                {"appArmorProfile", "seLinuxOptions", "seccompProfile", "fsGroup", "fsGroupChangePolicy", "sysctls",
                 "runAsUser", "runAsGroup", "supplementalGroups", "supplementalGroupsPolicy", "seLinuxChangePolicy"},
                path.child("securityContext"), errors);
  forbidMembers(rest, {"hostUsers", "hostPID", "hostIPC", "shareProcessNamespace"}, path, errors);
}

// The same in the order of the fields as the API has them together.
void forbidByField(const Json& rest, const Path& path, ErrorList& errors) {
  const Json& context = objectOf(rest, "securityContext");
  const Path at = path.child("securityContext");
  forbidMembers(context, {"seLinuxOptions"}, at, errors);
  forbidMembers(rest, {"hostPID", "hostIPC"}, path, errors);
  forbidMembers(context, {"seccompProfile", "fsGroup", "fsGroupChangePolicy", "sysctls"}, at, errors);
  forbidMembers(rest, {"shareProcessNamespace"}, path, errors);
  forbidMembers(context, {"runAsUser", "runAsGroup", "supplementalGroups"}, at, errors);
}

std::optional<bool> hostProcess(const Json& context) {
  const Json* found = member(objectOf(context, "windowsOptions"), "hostProcess");
  if (found == nullptr || !found->is_boolean()) return std::nullopt;
  return found->get<bool>();
}

}  // namespace

void validateWindowsOptions(const Json& context, const Path& path, ErrorList& errors) {
  const Json* options = member(context, "windowsOptions");
  if (options == nullptr) return;
  const Path at = path.child("windowsOptions");
  if (member(*options, "gmsaCredentialSpecName") != nullptr) {
    const std::string name = stringOf(*options, "gmsaCredentialSpecName");
    errors.invalidEach(at.child("gmsaCredentialSpecName"), jsonString(name),
                       isDns1123Subdomain(name, errors.wording()));
  }
  if (member(*options, "gmsaCredentialSpec") != nullptr) {
    const std::string spec = stringOf(*options, "gmsaCredentialSpec");
    if (spec.empty() || spec.size() > kMaxCredentialSpec) {
      errors.invalid(at.child("gmsaCredentialSpec"), jsonString(spec),
                     spec.empty() ? "gmsaCredentialSpec cannot be an empty string"
                                  : "gmsaCredentialSpec size must be under 64 KiB");
    }
  }
  if (member(*options, "runAsUserName") != nullptr) {
    validateUserName(stringOf(*options, "runAsUserName"), at.child("runAsUserName"), errors);
  }
}

void validateHostProcess(const api::PodSpec& spec, const Json& rest, const Path& path, const PodOptions& options,
                         ErrorList& errors) {
  const Json& pod_context = objectOf(rest, "securityContext");
  const std::optional<bool> of_pod = hostProcess(pod_context);
  const std::size_t containers =
      spec.init_containers.size() + spec.containers.size() + spec.ephemeral_containers.size();
  constexpr std::string_view kNeedsGate = "not allowed when feature gate 'WindowsHostProcessContainers' is not enabled";
  const auto field = [](const Path& context) { return context.child("windowsOptions").child("hostProcess"); };
  if (of_pod && !options.windows_host_process) {
    return errors.forbidden(field(path.child("securityContext")), kNeedsGate);
  }
  std::size_t said = 0;
  std::size_t on = 0;
  forEachSecurityContext(spec, path, [&](const Json& context, const Path& at) {
    const std::optional<bool> of_container = hostProcess(context);
    if (!of_container) return;
    ++said;
    if (*of_container) ++on;
    if (!options.windows_host_process) errors.forbidden(field(at), kNeedsGate);
    if (of_pod && *of_pod != *of_container) {
      errors.invalid(field(at), raw(*of_container ? "true" : "false"),
                     std::string("pod hostProcess value must be identical if both are specified, was ") +
                         (*of_pod ? "true" : "false"));
    }
  });
  if (of_pod.value_or(false)) on += containers - said;  // the others do as the pod does
  if (on == 0) return;
  if (!options.windows_host_process) {
    return errors.forbidden(path,
                            "pod must not contain Windows hostProcess containers when feature gate "
                            "'WindowsHostProcessContainers' is not enabled");
  }
  if (on != containers) {
    errors.invalid(path, shown(""),
                   "If pod contains any hostProcess containers then all containers must be HostProcess containers");
  }
  if (!spec.host_network) {
    errors.invalid(path.child("hostNetwork"), raw("false"),
                   "hostNetwork must be true if pod contains any hostProcess containers");
  }
  errors.forbidden(path, "hostProcess containers are disallowed by cluster policy");
}

void validateOs(const api::PodSpec& spec, const Json& rest, const Path& path, ErrorList& errors) {
  if (spec.os_name.empty()) {
    if (member(rest, "os") != nullptr) errors.required(path.child("os").child("name"), errors.rules().empty_os);
    return;
  }
  if (spec.os_name == "linux") {
    constexpr std::string_view kNotOnLinux = "windows options cannot be set for a linux pod";
    const auto check = [&](const Json& context, const Path& at) {
      if (member(context, "windowsOptions") != nullptr) errors.forbidden(at.child("windowsOptions"), kNotOnLinux);
    };
    check(objectOf(rest, "securityContext"), path.child("securityContext"));
    forEachSecurityContext(spec, path, check);
    return;
  }
  if (spec.os_name != "windows") {
    errors.notSupported(path.child("os"), jsonString(spec.os_name), {"linux", "windows"});
    return;
  }
  if (errors.rules().windows_by_field) {
    forbidByField(rest, path, errors);
  } else {
    forbidByPlace(rest, path, errors);
  }
  forEachSecurityContext(spec, path, [&](const Json& context, const Path& at) {
    forbidMembers(context,
                  {"appArmorProfile", "seLinuxOptions", "seccompProfile", "capabilities", "readOnlyRootFilesystem",
                   "privileged", "allowPrivilegeEscalation", "procMount", "runAsUser", "runAsGroup"},
                  at, errors);
  });
}

}  // namespace podberth::apiserver
