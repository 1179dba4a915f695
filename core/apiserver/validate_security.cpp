// Security contexts.
#include <limits>

#include "core/apiserver/shown_structure.h"
#include "core/apiserver/validation.h"

namespace podberth::apiserver {

namespace {

constexpr std::int64_t kMaxId = std::numeric_limits<std::int32_t>::max();
constexpr std::size_t kMaxSysctl = 253;

constexpr ShownField kProfile[] = {
    {"Type", "type", "string"}, {"LocalhostProfile", "localhostProfile", "*string"}, {nullptr, nullptr, nullptr}};
constexpr ShownField kCapabilities[] = {
    {"Add", "add", "[]core.Capability"}, {"Drop", "drop", "[]core.Capability"}, {nullptr, nullptr, nullptr}};
constexpr ShownField kSeLinux[] = {{"User", "user", "string"},
                                   {"Role", "role", "string"},
                                   {"Type", "type", "string"},
                                   {"Level", "level", "string"},
                                   {nullptr, nullptr, nullptr}};
constexpr ShownField kWindows[] = {{"GMSACredentialSpecName", "gmsaCredentialSpecName", "*string"},
                                   {"GMSACredentialSpec", "gmsaCredentialSpec", "*string"},
                                   {"RunAsUserName", "runAsUserName", "*string"},
                                   {"HostProcess", "hostProcess", "*bool"},
                                   {nullptr, nullptr, nullptr}};
// The last of them came later.
constexpr ShownField kContext[] = {
    {"Capabilities", "capabilities", "*core.Capabilities", kCapabilities},
    {"Privileged", "privileged", "*bool"},
    {"SELinuxOptions", "seLinuxOptions", "*core.SELinuxOptions", kSeLinux},
    {"WindowsOptions", "windowsOptions", "*core.WindowsSecurityContextOptions", kWindows},
    {"RunAsUser", "runAsUser", "*int64"},
    {"RunAsGroup", "runAsGroup", "*int64"},
    {"RunAsNonRoot", "runAsNonRoot", "*bool"},
    {"ReadOnlyRootFilesystem", "readOnlyRootFilesystem", "*bool"},
    {"AllowPrivilegeEscalation", "allowPrivilegeEscalation", "*bool"},
    {"ProcMount", "procMount", "*core.ProcMountType"},
    {"SeccompProfile", "seccompProfile", "*core.SeccompProfile", kProfile},
    {"AppArmorProfile", "appArmorProfile", "*core.AppArmorProfile", kProfile},
    {nullptr, nullptr, nullptr}};

Shown shownContext(const Json& context) {
  Shown value = shownStructure(context, "core.SecurityContext", kContext);
  value.go.erase(value.go.rfind(", AppArmorProfile:"), value.go.rfind('}') - value.go.rfind(", AppArmorProfile:"));
  return value;
}

// What is not privileged at first must not become so.
void validateEscalation(const Json& context, const Path& path, ErrorList& errors) {
  const Json* escalation = member(context, "allowPrivilegeEscalation");
  if (escalation == nullptr || *escalation != false) return;
  const auto wrong = [&](const char* what) {
    errors.invalid(path, shownContext(context),
                   std::string("cannot set `allowPrivilegeEscalation` to false and `") + what);
  };
  if (boolOf(context, "privileged")) wrong("privileged` to true");
  for (const Json& capability : listOf(objectOf(context, "capabilities"), "add")) {
    if (capability == "CAP_SYS_ADMIN") wrong("capabilities.Add` CAP_SYS_ADMIN");
  }
}

void validateSeccomp(const Json& context, const Path& path, ErrorList& errors) {
  const Json* profile = member(context, "seccompProfile");
  if (profile == nullptr) return;
  const Path at = path.child("seccompProfile");
  const std::string type = stringOf(*profile, "type");
  if (type.empty()) {
    errors.required(at.child("type"), "type is required when seccompProfile is set");
  } else {
    validateChoice(*profile, "type", {"Localhost", "RuntimeDefault", "Unconfined"}, at, errors);
  }
  const bool local = member(*profile, "localhostProfile") != nullptr;
  const std::string file = stringOf(*profile, "localhostProfile");
  if (type == "Localhost") {
    if (!local) {
      errors.required(at.child("localhostProfile"), "must be set when seccomp type is Localhost");
    } else {
      validateLocalDescendingPath(file, at.child("localhostProfile"), errors);
    }
  } else if (local) {
    errors.invalid(at.child("localhostProfile"), shownStructure(*profile, "core.SeccompProfile", kProfile),
                   "can only be set when seccomp type is Localhost");
  }
}

void validateAppArmor(const Json& context, const Path& path, ErrorList& errors) {
  const Json* profile = member(context, "appArmorProfile");
  if (profile == nullptr) return;
  const Path at = path.child("appArmorProfile");
  const std::string type = stringOf(*profile, "type");
  const bool local = member(*profile, "localhostProfile") != nullptr;
  const std::string name = stringOf(*profile, "localhostProfile");
  constexpr std::string_view kNeeded = "must be set when AppArmor type is Localhost";
  if (type == "Localhost") {
    const auto space = [](char c) { return c == ' ' || (c >= '\t' && c <= '\r'); };
    if (!local) {
      errors.required(at.child("localhostProfile"), kNeeded);
    } else if (!name.empty() && (space(name.front()) || space(name.back()))) {
      errors.invalid(at.child("localhostProfile"), shown(name), "must not be padded with whitespace");
    } else if (name.empty()) {
      errors.required(at.child("localhostProfile"), kNeeded);
    }
    if (name.size() > 4095) errors.tooLong(at.child("localhostProfile"), 4095);
  } else if (type == "RuntimeDefault" || type == "Unconfined") {
    if (local) {
      errors.invalid(at.child("localhostProfile"), jsonString(name), "can only be set when AppArmor type is Localhost");
    }
  } else if (type.empty()) {
    errors.required(at.child("type"), "type is required when appArmorProfile is set");
  } else {
    errors.notSupported(at.child("type"), jsonString(type), {"Localhost", "RuntimeDefault", "Unconfined"});
  }
}

// ([a-z0-9]([-_a-z0-9]*[a-z0-9])?[\./])*[a-z0-9]([-_a-z0-9]*[a-z0-9])?
bool isSysctlName(const std::string& name, bool slashes) {
  if (name.size() > kMaxSysctl) return false;
  const auto alnum = [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); };
  std::string part;
  const auto sound = [&] { return !part.empty() && alnum(part.front()) && alnum(part.back()); };
  for (const char c : name) {
    if (c == '.' || (slashes && c == '/')) {
      if (!sound()) return false;
      part.clear();
    } else if (alnum(c) || c == '-' || c == '_') {
      part += c;
    } else {
      return false;
    }
  }
  return sound();
}

// The kernel namespace that a sysctl belongs to, as far as pods can share it with the host; "" for others.
// Upstream: k8s.io/component-helpers/node/util/sysctl/namespace.go.
std::string_view sysctlNamespace(std::string name) {
  const std::size_t separator = name.find_first_of("./");
  if (separator != std::string::npos && name[separator] == '/') {
    for (char& c : name) c = c == '.' ? '/' : c == '/' ? '.' : c;
  }
  name = name.substr(0, name.find('*'));
  for (const char* ipc : {"kernel.sem", "kernel.shmall", "kernel.shmmax", "kernel.shmmni", "kernel.shm_rmid_forced",
                          "kernel.shm", "kernel.msgmax", "kernel.msgmnb", "kernel.msgmni", "kernel.msg"}) {
    if (name == ipc) return "IPC";
  }
  if (name.compare(0, 4, "net.") == 0) return "Net";
  if (name.compare(0, 10, "fs.mqueue.") == 0) return "IPC";
  return "";
}

void validateSysctls(const Json& context, const api::PodSpec& spec, bool host_ipc, const Path& path,
                     ErrorList& errors) {
  const Json& sysctls = listOf(context, "sysctls");
  const bool slashes = errors.rules().sysctl_slashes;
  std::set<std::string> seen;
  for (std::size_t i = 0; i < sysctls.size(); ++i) {
    const Path at = path.child("sysctls").index(i).child("name");
    const std::string name = stringOf(sysctls[i], "name");
    if (name.empty()) {
      errors.required(at);
    } else if (!isSysctlName(name, slashes)) {
      errors.invalid(at, shown(name),
                     std::string("must have at most 253 characters and match regex ") +
                         (slashes ? "^([a-z0-9]([-_a-z0-9]*[a-z0-9])?[\\./])*[a-z0-9]([-_a-z0-9]*[a-z0-9])?$"
                                  : "([a-z0-9]([-_a-z0-9]*[a-z0-9])?\\.)*[a-z0-9]([-_a-z0-9]*[a-z0-9])?"));
    } else if (seen.count(name) != 0) {
      errors.duplicate(at, shown(name));
    }
    const std::string_view space = slashes ? sysctlNamespace(name) : std::string_view();
    if (spec.host_network && space == "Net") {
      errors.invalid(at, shown(name), "may not be specified when 'hostNetwork' is true");
    } else if (host_ipc && space == "IPC") {
      errors.invalid(at, shown(name), "may not be specified when 'hostIPC' is true");
    }
    seen.insert(name);
  }
}

}  // namespace

void validateId(const Json& owner, const char* key, const Path& path, ErrorList& errors) {
  const auto id = integerOf(owner, key);
  if (id && (*id < 0 || *id > kMaxId)) errors.invalid(path.child(key), number(*id), inclusiveRangeError(0, kMaxId));
}

void validateIds(const Json& owner, const char* key, const Path& path, ErrorList& errors) {
  const Json& ids = listOf(owner, key);
  for (std::size_t i = 0; i < ids.size(); ++i) {
    const std::int64_t id = ids[i].is_number_integer() ? ids[i].get<std::int64_t>() : 0;
    if (id < 0 || id > kMaxId) errors.invalid(path.child(key).index(i), number(id), inclusiveRangeError(0, kMaxId));
  }
}

void validateChoice(const Json& owner, const char* key, const std::vector<std::string_view>& choices, const Path& path,
                    ErrorList& errors) {
  if (member(owner, key) == nullptr) return;
  const std::string value = stringOf(owner, key);
  for (const std::string_view choice : choices) {
    if (value == choice) return;
  }
  errors.notSupported(path.child(key), jsonString(value), choices);
}

void forEachContainer(const api::PodSpec& spec, const Path& path,
                      const std::function<void(const api::Container&, const Path&)>& visit) {
  const auto walk = [&](const std::vector<api::Container>& containers, const char* list) {
    for (std::size_t i = 0; i < containers.size(); ++i) visit(containers[i], path.child(list).index(i));
  };
  walk(spec.init_containers, "initContainers");
  walk(spec.containers, "containers");
  walk(spec.ephemeral_containers, "ephemeralContainers");
}

void forEachSecurityContext(const api::PodSpec& spec, const Path& path,
                            const std::function<void(const Json&, const Path&)>& visit) {
  forEachContainer(spec, path, [&](const api::Container& container, const Path& at) {
    if (container.rest.find("\"securityContext\"") == std::string::npos) return;
    const Json rest = parseRest(container.rest);
    const Json* context = member(rest, "securityContext");
    if (context != nullptr) visit(*context, at.child("securityContext"));
  });
}

void validateContainerSecurity(const Json& container, bool host_users, const Path& path, ErrorList& errors) {
  const Json* context = member(container, "securityContext");
  if (context == nullptr) return;
  const Path at = path.child("securityContext");
  // The real API server's own default: --allow-privileged is off.
  if (boolOf(*context, "privileged")) errors.forbidden(at.child("privileged"), "disallowed by cluster policy");
  validateId(*context, "runAsUser", at, errors);
  validateId(*context, "runAsGroup", at, errors);
  validateChoice(*context, "procMount", {"Default", "Unmasked"}, at, errors);
  if (host_users && stringOf(*context, "procMount") == "Unmasked") {
    errors.invalid(at.child("procMount"), jsonString("Unmasked"), "`hostUsers` must be false to use `Unmasked`");
  }
  validateSeccomp(*context, at, errors);
  validateEscalation(*context, at, errors);
  validateWindowsOptions(*context, at, errors);
  validateAppArmor(*context, at, errors);
}

void validateProcessSharing(const Json& rest, const Path& path, ErrorList& errors) {
  if (!boolOf(rest, "shareProcessNamespace") || !boolOf(rest, "hostPID")) return;
  errors.invalid(path.child("shareProcessNamespace"), raw("true"),
                 "ShareProcessNamespace and HostPID cannot both be enabled");
}

void validatePodSecurity(const api::PodSpec& spec, const Json& rest, const Path& path, const PodOptions& options,
                         ErrorList& errors) {
  const Path at = path.child("securityContext");
  const Json* context = member(rest, "securityContext");
  if (context == nullptr) {
    if (!errors.rules().share_process_in_spec) validateProcessSharing(rest, at, errors);
    return;
  }
  validateId(*context, "fsGroup", at, errors);
  validateId(*context, "runAsUser", at, errors);
  validateId(*context, "runAsGroup", at, errors);
  validateIds(*context, "supplementalGroups", at, errors);
  if (!errors.rules().share_process_in_spec) validateProcessSharing(rest, at, errors);
  validateSysctls(*context, spec, boolOf(rest, "hostIPC"), at, errors);
  validateChoice(*context, "fsGroupChangePolicy", {"Always", "OnRootMismatch"}, at, errors);
  validateSeccomp(*context, at, errors);
  validateWindowsOptions(*context, at, errors);
  validateAppArmor(*context, at, errors);
  validateChoice(*context, "supplementalGroupsPolicy", {"Merge", "Strict"}, at, errors);
  if (options.only_recursive_labels) {
    validateChoice(*context, "seLinuxChangePolicy", {"Recursive"}, at, errors);
  } else {
    validateChoice(*context, "seLinuxChangePolicy", {"MountOption", "Recursive"}, at, errors);
  }
}

}  // namespace podberth::apiserver
