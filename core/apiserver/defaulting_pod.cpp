#include <algorithm>

#include "core/api/pod_util.h"
#include "core/apiserver/defaulting.h"
#include "core/apiserver/json_view.h"
#include "core/apiserver/validation.h"

namespace podberth::apiserver {

namespace {

constexpr std::int64_t kGracePeriodSeconds = 30;
constexpr int kFileMode = 0644;
constexpr std::string_view kGatedMessage = "Scheduling is blocked due to non-empty scheduling gates";
constexpr std::string_view kGatedReason = "SchedulingGated";

void eraseIf(Json& object, const char* key, const Json& value) {
  if (!object.is_object()) return;
  const auto it = object.find(key);
  if (it != object.end() && *it == value) object.erase(it);
}

Json* memberOf(Json& object, const char* key) {
  if (!object.is_object()) return nullptr;
  const auto it = object.find(key);
  return it == object.end() || it->is_null() ? nullptr : &*it;
}

void stripHttpGet(Json& handler) {
  Json* get = memberOf(handler, "httpGet");
  if (get == nullptr) return;
  eraseIf(*get, "path", "/");
  eraseIf(*get, "scheme", "HTTP");
}

void stripContainer(std::string& rest) {
  if (rest.empty()) return;
  Json object = parseRest(rest);
  eraseIf(object, "terminationMessagePath", "/dev/termination-log");
  eraseIf(object, "terminationMessagePolicy", "File");
  if (Json* variables = memberOf(object, "env"); variables != nullptr && variables->is_array()) {
    for (Json& variable : *variables) {
      Json* from = memberOf(variable, "valueFrom");
      if (from == nullptr) continue;
      if (Json* field = memberOf(*from, "fieldRef")) eraseIf(*field, "apiVersion", "v1");
      if (Json* file = memberOf(*from, "fileKeyRef")) eraseIf(*file, "optional", false);
    }
  }
  for (const char* name : {"livenessProbe", "readinessProbe", "startupProbe"}) {
    Json* probe = memberOf(object, name);
    if (probe == nullptr) continue;
    eraseIf(*probe, "timeoutSeconds", 1);
    eraseIf(*probe, "periodSeconds", 10);
    eraseIf(*probe, "successThreshold", 1);
    eraseIf(*probe, "failureThreshold", 3);
    stripHttpGet(*probe);
    if (Json* grpc = memberOf(*probe, "grpc")) eraseIf(*grpc, "service", "");
  }
  if (Json* lifecycle = memberOf(object, "lifecycle")) {
    for (const char* hook : {"postStart", "preStop"}) {
      if (Json* handler = memberOf(*lifecycle, hook)) stripHttpGet(*handler);
    }
  }
  rest = dumpRest(object);
}

void requestsFromLimits(api::ResourceRequirements& resources) {
  for (const auto& [name, limit] : resources.limits) {
    if (!resources.requests.has(name)) resources.requests.set(name, limit);
  }
}

void defaultContainer(api::Container& container, bool host_network) {
  requestsFromLimits(container.resources);
  for (api::ContainerPort& port : container.ports) {
    if (host_network && port.host_port == 0) port.host_port = port.container_port;
    if (port.protocol.empty()) port.protocol = "TCP";
  }
  if (container.image_pull_policy.empty()) {
    container.image_pull_policy = isLatestImage(container.image) ? "Always" : "IfNotPresent";
  }
  roundUp(container.resources.limits);
  roundUp(container.resources.requests);
  stripContainer(container.rest);
}

void defaultEphemeralContainer(api::Container& container) {
  for (api::ContainerPort& port : container.ports) {
    if (port.protocol.empty()) port.protocol = "TCP";
  }
  if (container.image_pull_policy.empty()) {
    container.image_pull_policy = isLatestImage(container.image) ? "Always" : "IfNotPresent";
  }
  roundUp(container.resources.limits);
  roundUp(container.resources.requests);
  stripContainer(container.rest);
}

void stripFieldVersions(Json& source) {
  Json* items = memberOf(source, "items");
  if (items == nullptr || !items->is_array()) return;
  for (Json& item : *items) {
    if (Json* field = memberOf(item, "fieldRef")) eraseIf(*field, "apiVersion", "v1");
  }
}

void stripVolume(api::Volume& volume) {
  Json object = parseRest(volume.rest);
  for (const char* name : {"secret", "configMap", "downwardAPI", "projected"}) {
    if (Json* source = memberOf(object, name)) eraseIf(*source, "defaultMode", kFileMode);
  }
  if (Json* fields = memberOf(object, "downwardAPI")) stripFieldVersions(*fields);
  if (Json* path = memberOf(object, "hostPath")) eraseIf(*path, "type", "");
  if (Json* iscsi = memberOf(object, "iscsi")) eraseIf(*iscsi, "iscsiInterface", "default");
  if (Json* rbd = memberOf(object, "rbd")) {
    eraseIf(*rbd, "pool", "rbd");
    eraseIf(*rbd, "user", "admin");
    eraseIf(*rbd, "keyring", "/etc/ceph/keyring");
  }
  if (Json* disk = memberOf(object, "azureDisk")) {
    eraseIf(*disk, "cachingMode", "ReadWrite");
    eraseIf(*disk, "fsType", "ext4");
    eraseIf(*disk, "readOnly", false);
    eraseIf(*disk, "kind", "Shared");
  }
  if (Json* io = memberOf(object, "scaleIO")) {
    eraseIf(*io, "storageMode", "ThinProvisioned");
    eraseIf(*io, "fsType", "xfs");
  }
  if (Json* image = memberOf(object, "image")) {
    eraseIf(*image, "pullPolicy", isLatestImage(stringOf(*image, "reference")) ? "Always" : "IfNotPresent");
  }
  if (Json* ephemeral = memberOf(object, "ephemeral")) {
    Json* claim = memberOf(*ephemeral, "volumeClaimTemplate");
    Json* spec = claim == nullptr ? nullptr : memberOf(*claim, "spec");
    if (spec != nullptr) eraseIf(*spec, "volumeMode", "Filesystem");
  }
  if (Json* projected = memberOf(object, "projected")) {
    if (Json* sources = memberOf(*projected, "sources"); sources != nullptr && sources->is_array()) {
      for (Json& source : *sources) {
        if (Json* token = memberOf(source, "serviceAccountToken")) eraseIf(*token, "expirationSeconds", 3600);
        if (Json* fields = memberOf(source, "downwardAPI")) stripFieldVersions(*fields);
      }
    }
  }
  volume.rest = dumpRest(object);
}

void defaultVolume(api::Volume& volume) {
  if (volume.sources.empty()) {
    volume.sources.push_back("emptyDir");
    volume.rest = R"({"emptyDir":{}})";
    return;
  }
  if (volume.rbd && volume.rbd->pool.empty()) volume.rbd->pool = "rbd";
  if (volume.ephemeral != nullptr) {
    auto claim = std::make_shared<api::PersistentVolumeClaimSpec>(*volume.ephemeral);
    if (!claim->volume_mode) claim->volume_mode = "Filesystem";
    roundUp(claim->requests);
    volume.ephemeral = std::move(claim);
  }
  // A claim has nothing to leave out.
  if (volume.sources.size() != 1 || !volume.persistent_volume_claim) stripVolume(volume);
}

void stripSpec(std::string& rest) {
  if (rest.empty()) return;
  Json object = parseRest(rest);
  eraseIf(object, "enableServiceLinks", true);
  eraseIf(object, "securityContext", Json::object());
  // The old name of the account always follows the new one.
  if (stringOf(object, "serviceAccountName").empty()) {
    const std::string account = stringOf(object, "serviceAccount");
    if (!account.empty()) object["serviceAccountName"] = account;
  }
  object.erase("serviceAccount");
  rest = dumpRest(object);
}

// The pod's address and the first of its addresses are the same.
void defaultStatus(api::PodStatus& status) {
  if (status.rest.empty()) return;
  Json object = parseRest(status.rest);
  const std::string ip = stringOf(object, "podIP");
  const Json& ips = listOf(object, "podIPs");
  const std::string first = ips.empty() ? std::string() : stringOf(ips[0], "ip");
  if (!ip.empty() && first != ip) {
    object["podIPs"] = Json::array({Json{{"ip", ip}}});
  } else if (ip.empty() && !first.empty()) {
    object["podIP"] = first;
  }
  status.rest = dumpRest(object);
}

}  // namespace

void roundUp(api::ResourceList& list) {
  // Beyond this a number of thousandths does not fit in 64 bits, and nobody writes fractions.
  static const api::Quantity kLargest = api::Quantity::fromInt(9000000000000000);
  std::vector<api::ResourceList::Item> changed;
  for (const auto& [name, quantity] : list) {
    if (quantity.compare(kLargest) > 0 || quantity.compare(kLargest.neg()) < 0) continue;
    const api::Quantity rounded = api::Quantity::fromMilli(quantity.milliValue(), quantity.format());
    if (rounded != quantity) changed.emplace_back(name, rounded);
  }
  for (const auto& [name, quantity] : changed) list.set(name, quantity);
}

bool isLatestImage(const std::string& image) {
  const std::size_t at = image.find('@');
  const std::string named = image.substr(0, at);
  const std::size_t slash = named.rfind('/');
  const std::size_t colon = named.rfind(':');
  const bool tagged = colon != std::string::npos && (slash == std::string::npos || colon > slash);
  const std::string name = tagged ? named.substr(0, colon) : named;
  // What is not the name of an image has no tag. Its domain, if it has one, may have capitals.
  const std::size_t first = name.find('/');
  const std::string domain = first == std::string::npos ? std::string() : name.substr(0, first);
  const bool has_domain = domain.find('.') != std::string::npos || domain.find(':') != std::string::npos ||
                          domain == "localhost" ||
                          std::any_of(domain.begin(), domain.end(), [](char c) { return c >= 'A' && c <= 'Z'; });
  const std::string path = has_domain ? name.substr(first + 1) : name;
  if (path.empty()) return false;
  for (const char c : path) {
    if (!((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '/' || c == '.' || c == '_' || c == '-'))
      return false;
  }
  if (tagged) return named.substr(colon + 1) == "latest";
  return at == std::string::npos;
}

void setPodDefaults(api::Pod& pod) {
  api::PodSpec& spec = pod.spec;
  if (spec.termination_grace_period_seconds && *spec.termination_grace_period_seconds < 0) {
    spec.termination_grace_period_seconds = 1;
  }
  if (!spec.termination_grace_period_seconds) spec.termination_grace_period_seconds = kGracePeriodSeconds;
  for (api::Container& container : spec.containers) defaultContainer(container, spec.host_network);
  for (api::Container& container : spec.init_containers) defaultContainer(container, spec.host_network);
  for (api::Container& container : spec.ephemeral_containers) defaultEphemeralContainer(container);
  for (api::Volume& volume : spec.volumes) defaultVolume(volume);
  if (spec.dns_policy.empty()) spec.dns_policy = "ClusterFirst";
  if (spec.restart_policy.empty()) spec.restart_policy = "Always";
  if (spec.scheduler_name.empty()) spec.scheduler_name = "default-scheduler";
  roundUp(spec.overhead);
  if (spec.resources) {
    roundUp(spec.resources->limits);
    roundUp(spec.resources->requests);
  }
  stripSpec(spec.rest);
  defaultStatus(pod.status);
}

namespace {

// The annotations that came before appArmorProfile still set it, where it is not set and differs from the pod's.
void profilesFromAnnotations(api::Pod& pod) {
  if (pod.meta.annotations.empty() || pod.spec.os_name == "windows") return;
  const Json spec = parseRest(pod.spec.rest);
  const Json* of_pod = member(objectOf(spec, "securityContext"), "appArmorProfile");
  constexpr std::size_t kMaxName = 4095;
  const auto space = [](char c) { return c == ' ' || (c >= '\t' && c <= '\r'); };
  for (auto* containers : {&pod.spec.init_containers, &pod.spec.containers, &pod.spec.ephemeral_containers}) {
    for (api::Container& container : *containers) {
      const auto said = pod.meta.annotations.find(std::string(kAppArmorPrefix) + container.name);
      if (said == pod.meta.annotations.end()) continue;
      Json profile;
      if (said->second == "unconfined") profile = Json{{"type", "Unconfined"}};
      if (said->second == "runtime/default") profile = Json{{"type", "RuntimeDefault"}};
      if (said->second.compare(0, 10, "localhost/") == 0) {
        const std::string name = said->second.substr(10);
        if (name.empty() || name.size() > kMaxName || space(name.front()) || space(name.back())) continue;
        profile = Json{{"type", "Localhost"}, {"localhostProfile", name}};
      }
      Json rest = parseRest(container.rest);
      if (profile.is_null() || member(objectOf(rest, "securityContext"), "appArmorProfile") != nullptr ||
          (of_pod != nullptr && *of_pod == profile)) {
        continue;
      }
      rest["securityContext"]["appArmorProfile"] = std::move(profile);
      container.rest = dumpRest(rest);
    }
  }
}

}  // namespace

void preparePod(api::Pod& pod, const scheduler::FeatureGates& gates, clock::Time now) {
  pod.meta.generation = 1;
  pod.status = api::PodStatus();
  pod.status.phase = "Pending";
  dropDisabledFields(pod, gates);
  if (!pod.spec.scheduling_gates.empty()) {
    api::PodCondition condition;
    condition.type = "PodScheduled";
    condition.status = "False";
    condition.reason = kGatedReason;
    condition.message = kGatedMessage;
    api::updatePodCondition(pod.status, std::move(condition), now);
  }
  mergeMatchLabelKeys(pod, gates);
  profilesFromAnnotations(pod);
  defaultPodLevelResources(pod, gates);
  pod.status.qos_class = api::podQOS(pod);
}

}  // namespace podberth::apiserver
