#include "core/scheduler/framework/node_info.h"

#include <algorithm>

#include "core/api/pod_requests.h"
#include "core/base/sort.h"
#include "core/scheduler/framework/container_requests.h"

namespace podberth::scheduler {
namespace {

constexpr std::string_view kAnyIp = "0.0.0.0";
constexpr std::string_view kTcp = "TCP";

std::int64_t generation_counter = 0;

bool contains(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }
bool isAlnum(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9'); }
bool isLowerAlnum(char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); }

bool isDnsSubdomain(std::string_view text) {
  if (text.empty() || text.size() > 253) return false;
  bool edge = true;  // at the edge of a label, where only letters and digits may stand
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '.') {
      if (edge) return false;
      edge = true;
      continue;
    }
    if (isLowerAlnum(c)) {
      edge = false;
      continue;
    }
    const bool label_goes_on = i + 1 < text.size() && text[i + 1] != '.';
    if (c != '-' || edge || !label_goes_on) return false;
  }
  return !edge;
}

bool isQualifiedName(std::string_view text) {
  std::string_view name = text;
  const std::size_t slash = text.find('/');
  if (slash != std::string_view::npos) {
    if (text.find('/', slash + 1) != std::string_view::npos) return false;
    if (!isDnsSubdomain(text.substr(0, slash))) return false;
    name = text.substr(slash + 1);
  }
  if (name.empty() || name.size() > 63 || !isAlnum(name.front()) || !isAlnum(name.back())) return false;
  return std::all_of(name.begin(), name.end(), [](char c) { return isAlnum(c) || c == '-' || c == '_' || c == '.'; });
}

// Whether a Resource keeps an amount of it (util.IsScalarResourceName).
bool computeIsScalar(std::string_view name) {
  const bool prefixed_native = contains(name, "kubernetes.io/");
  const bool native = !contains(name, "/") || prefixed_native;
  if (!native && !name.starts_with("requests.") && isQualifiedName("requests." + std::string(name))) return true;
  return name.starts_with("hugepages-") || prefixed_native || name.starts_with("attachable-volumes-");
}

bool isScalar(api::Symbol name) {
  static std::vector<signed char> known;  // by the symbol's number: 1 yes, 0 no, -1 not asked yet
  const std::size_t id = name.id();
  if (id >= known.size()) known.resize(id + 64, -1);
  if (known[id] < 0) known[id] = computeIsScalar(name) ? 1 : 0;
  return known[id] == 1;
}

AffinityTerm compile(const api::Pod& pod, const api::PodAffinityTerm& term, std::string* error) {
  AffinityTerm out;
  out.selector = api::Selector::from(term.label_selector, error);
  if (!error->empty()) return out;
  if (term.namespaces.empty() && !term.namespace_selector.has_value()) {
    out.namespaces.emplace_back(pod.meta.ns);
  } else {
    for (const std::string& ns : term.namespaces) out.namespaces.emplace_back(ns);
    base::sortUnique(out.namespaces);
  }
  out.topology_key = api::Symbol(term.topology_key);
  out.namespace_selector = api::Selector::from(term.namespace_selector, error);
  return out;
}

// One bad term leaves the whole list empty.
void compileTerms(const api::Pod& pod, const std::vector<api::PodAffinityTerm>& terms, const char* what,
                  std::vector<AffinityTerm>* out, std::vector<std::string>* errors) {
  for (const api::PodAffinityTerm& term : terms) {
    std::string error;
    out->push_back(compile(pod, term, &error));
    if (error.empty()) continue;
    errors->push_back(std::string(what) + ": " + error);
    out->clear();
    return;
  }
}

void compileTerms(const api::Pod& pod, const std::vector<api::WeightedPodAffinityTerm>& terms, const char* what,
                  std::vector<WeightedAffinityTerm>* out, std::vector<std::string>* errors) {
  for (const api::WeightedPodAffinityTerm& term : terms) {
    std::string error;
    WeightedAffinityTerm weighted;
    weighted.term = compile(pod, term.term, &error);
    weighted.weight = term.weight;
    out->push_back(std::move(weighted));
    if (error.empty()) continue;
    errors->push_back(std::string(what) + ": " + error);
    out->clear();
    return;
  }
}

void appendHostPorts(const api::Container& container, std::vector<HostPort>* out) {
  for (const api::ContainerPort& port : container.ports) {
    if (port.host_port <= 0) continue;
    HostPort p;
    p.ip = port.host_ip.empty() ? std::string(kAnyIp) : port.host_ip;
    p.protocol = port.protocol.empty() ? std::string(kTcp) : port.protocol;
    p.port = port.host_port;
    out->push_back(std::move(p));
  }
}

// Takes a pod out of a list the way upstream does: the last one takes its place.
PodInfoPtr swapOut(std::vector<PodInfoPtr>* list, const std::string& uid) {
  for (PodInfoPtr& info : *list) {
    if (info->pod->meta.uid != uid) continue;
    PodInfoPtr removed = std::move(info);
    if (&info != &list->back()) info = std::move(list->back());
    list->pop_back();
    return removed;
  }
  return nullptr;
}

}  // namespace

Resource::Resource(const api::ResourceList& list) { add(list); }

void Resource::add(const api::ResourceList& list) {
  for (const auto& [name, quantity] : list) {
    if (name == api::resource::kCPU) {
      milli_cpu += quantity.milliValue();
    } else if (name == api::resource::kMemory) {
      memory += quantity.value();
    } else if (name == api::resource::kPods) {
      allowed_pod_number += quantity.value();
    } else if (name == api::resource::kEphemeralStorage) {
      ephemeral_storage += quantity.value();
    } else if (isScalar(name)) {
      setScalar(name, scalarOf(name) + quantity.value());
    }
  }
}

void Resource::setMax(const api::ResourceList& list) {
  for (const auto& [name, quantity] : list) {
    if (name == api::resource::kCPU) {
      milli_cpu = std::max(milli_cpu, quantity.milliValue());
    } else if (name == api::resource::kMemory) {
      memory = std::max(memory, quantity.value());
    } else if (name == api::resource::kEphemeralStorage) {
      ephemeral_storage = std::max(ephemeral_storage, quantity.value());
    } else if (isScalar(name)) {
      setScalar(name, std::max(scalarOf(name), quantity.value()));
    }
  }
}

std::int64_t Resource::scalarOf(api::Symbol name) const {
  for (const auto& [n, value] : scalar) {
    if (n == name) return value;
  }
  return 0;
}

bool Resource::hasScalar(api::Symbol name) const {
  return std::any_of(scalar.begin(), scalar.end(), [name](const auto& item) { return item.first == name; });
}

void Resource::setScalar(api::Symbol name, std::int64_t value) {
  for (auto& [n, old] : scalar) {
    if (n == name) {
      old = value;
      return;
    }
  }
  const auto at = std::find_if(scalar.begin(), scalar.end(), [name](const auto& item) { return name < item.first; });
  scalar.insert(at, std::make_pair(name, value));
}

std::int64_t Resource::get(api::Symbol name) const {
  if (name == api::resource::kCPU) return milli_cpu;
  if (name == api::resource::kMemory) return memory;
  if (name == api::resource::kEphemeralStorage) return ephemeral_storage;
  if (name == api::resource::kPods) return allowed_pod_number;
  return scalarOf(name);
}

bool AffinityTerm::matches(const api::Pod& pod, const api::LabelSet& ns_labels) const {
  const bool of_namespace =
      std::any_of(namespaces.begin(), namespaces.end(), [&pod](api::Symbol ns) { return ns.str() == pod.meta.ns; });
  return (of_namespace || namespace_selector.matches(ns_labels)) && selector.matches(pod.meta.labels);
}

void HostPortInfo::add(std::string_view ip, std::string_view protocol, std::int32_t port) {
  if (port <= 0) return;
  HostPort p;
  p.ip = std::string(ip.empty() ? kAnyIp : ip);
  p.protocol = std::string(protocol.empty() ? kTcp : protocol);
  p.port = port;
  if (std::find(ports_.begin(), ports_.end(), p) == ports_.end()) ports_.push_back(std::move(p));
}

void HostPortInfo::remove(std::string_view ip, std::string_view protocol, std::int32_t port) {
  if (port <= 0) return;
  if (ip.empty()) ip = kAnyIp;
  if (protocol.empty()) protocol = kTcp;
  for (auto it = ports_.begin(); it != ports_.end(); ++it) {
    if (it->port == port && it->protocol == protocol && it->ip == ip) {
      ports_.erase(it);
      return;
    }
  }
}

bool HostPortInfo::conflicts(std::string_view ip, std::string_view protocol, std::int32_t port) const {
  if (port <= 0) return false;
  if (ip.empty()) ip = kAnyIp;
  if (protocol.empty()) protocol = kTcp;
  return std::any_of(ports_.begin(), ports_.end(), [&](const HostPort& p) {
    return p.port == port && p.protocol == protocol && (ip == kAnyIp || p.ip == kAnyIp || p.ip == ip);
  });
}

PodInfo::PodInfo(api::PodPtr of) : pod(std::move(of)) {
  const api::PodSpec& spec = pod->spec;
  ns = api::Symbol(pod->meta.ns);
  node_name = api::Symbol(spec.node_name);

  if (spec.affinity.has_value()) {
    std::vector<std::string> errors;
    const std::optional<api::PodAffinity>& to = spec.affinity->pod;
    const std::optional<api::PodAffinity>& anti = spec.affinity->pod_anti;
    if (to.has_value()) compileTerms(*pod, to->required, "requiredAffinityTerms", &required_affinity_terms, &errors);
    if (anti.has_value()) {
      compileTerms(*pod, anti->required, "requiredAntiAffinityTerms", &required_anti_affinity_terms, &errors);
    }
    if (to.has_value()) compileTerms(*pod, to->preferred, "preferredAffinityTerms", &preferred_affinity_terms, &errors);
    if (anti.has_value()) {
      compileTerms(*pod, anti->preferred, "preferredAntiAffinityTerms", &preferred_anti_affinity_terms, &errors);
    }
    for (std::size_t i = 0; i < errors.size(); ++i) parse_error += (i > 0 ? ", " : "") + errors[i];
    if (errors.size() > 1) parse_error = "[" + parse_error + "]";
    has_affinity = to.has_value() || anti.has_value();
    has_required_anti_affinity = anti.has_value() && !anti->required.empty();
  }

  for (const api::Container& c : spec.init_containers) {
    if (c.isSidecar()) appendHostPorts(c, &host_ports);
  }
  for (const api::Container& c : spec.containers) appendHostPorts(c, &host_ports);
  for (const api::Volume& v : spec.volumes) {
    if (v.persistent_volume_claim.has_value())
      pvc_keys.push_back(pod->meta.ns + "/" + v.persistent_volume_claim->claim_name);
  }

  api::PodResourcesOptions options;
  options.use_status_resources = true;
  options.in_place_pod_level_resize = true;
  const api::ResourceList list = api::podRequests(*pod, options);
  requests.add(list);
  // Containers that ask for no CPU or memory count with a minimum, so that many of them do not end up on one node.
  const bool pod_level = api::isPodLevelRequestsSet(*pod);
  api::ResourceList minimum;
  if (!pod_level || !list.has(api::resource::kCPU)) {
    minimum.set(api::resource::kCPU, api::Quantity::fromMilli(kDefaultMilliCpuRequest));
  }
  if (!pod_level || !list.has(api::resource::kMemory)) {
    minimum.set(api::resource::kMemory, api::Quantity::fromInt(kDefaultMemoryRequest));
  }
  options.non_missing_container_requests = &minimum;
  const api::ResourceList with_minimum = minimum.empty() ? list : api::podRequests(*pod, options);
  if (const api::Quantity* q = with_minimum.find(api::resource::kCPU)) non0_cpu = q->milliValue();
  if (const api::Quantity* q = with_minimum.find(api::resource::kMemory)) non0_memory = q->value();
}

int ClaimCounts::of(const std::string& claim) const {
  const auto it = map().find(claim);
  return it == map().end() ? 0 : it->second;
}

void ClaimCounts::add(const std::string& claim, int pods) {
  Map& counts = shared_ == nullptr ? own_ : *shared_;
  if ((counts[claim] += pods) <= 0) counts.erase(claim);
}

std::int64_t nextGeneration() { return ++generation_counter; }
void resetGeneration(std::int64_t value) { generation_counter = value; }

void NodeInfo::setNode(api::NodePtr node) {
  node_ = std::move(node);
  name_ = api::Symbol(node_->meta.name);
  allocatable = Resource(node_->status.allocatable);
  declared_features = node_->status.declared_features;
  generation = nextGeneration();
}

void NodeInfo::removeNode() {
  node_ = nullptr;
  generation = nextGeneration();
}

void NodeInfo::addPod(PodInfoPtr pod) {
  const PodInfo& info = *pod;
  if (info.has_affinity) pods_with_affinity.push_back(pod);
  if (info.has_required_anti_affinity) pods_with_required_anti_affinity.push_back(pod);
  pods.push_back(std::move(pod));
  update(info, 1);
}

bool NodeInfo::removePod(const api::Pod& pod) {
  const std::string& uid = pod.meta.uid;
  const std::optional<api::Affinity>& affinity = pod.spec.affinity;
  if (affinity.has_value() && (affinity->pod.has_value() || affinity->pod_anti.has_value())) {
    swapOut(&pods_with_affinity, uid);
    if (affinity->pod_anti.has_value() && !affinity->pod_anti->required.empty()) {
      swapOut(&pods_with_required_anti_affinity, uid);
    }
  }
  const PodInfoPtr removed = swapOut(&pods, uid);
  if (removed == nullptr) return false;
  update(*removed, -1);
  return true;
}

void NodeInfo::copyPodsFrom(const NodeInfo& other) {
  pods = other.pods;
  pods_with_affinity = other.pods_with_affinity;
  pods_with_required_anti_affinity = other.pods_with_required_anti_affinity;
  requested = other.requested;
  non_zero_requested = other.non_zero_requested;
  used_ports = other.used_ports;
  pvc_ref_counts = other.pvc_ref_counts;
}

void NodeInfo::copyNodeFrom(const NodeInfo& other) {
  node_ = other.node_;
  name_ = other.name_;
  allocatable = other.allocatable;
  declared_features = other.declared_features;
}

void NodeInfo::update(const PodInfo& pod, int sign) {
  requested.milli_cpu += sign * pod.requests.milli_cpu;
  requested.memory += sign * pod.requests.memory;
  requested.ephemeral_storage += sign * pod.requests.ephemeral_storage;
  for (const auto& [name, value] : pod.requests.scalar)
    requested.setScalar(name, requested.scalarOf(name) + sign * value);
  non_zero_requested.milli_cpu += sign * pod.non0_cpu;
  non_zero_requested.memory += sign * pod.non0_memory;
  for (const HostPort& p : pod.host_ports) {
    if (sign > 0) {
      used_ports.add(p.ip, p.protocol, p.port);
    } else {
      used_ports.remove(p.ip, p.protocol, p.port);
    }
  }
  for (const std::string& key : pod.pvc_keys) pvc_ref_counts.add(key, sign);
  generation = nextGeneration();
}

NodeInfo* Snapshot::get(api::Symbol name) const {
  const auto it = infos_.find(name);
  return it == infos_.end() ? nullptr : it->second.get();
}

}  // namespace podberth::scheduler
