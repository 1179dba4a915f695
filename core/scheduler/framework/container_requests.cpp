#include "core/scheduler/framework/container_requests.h"

#include <algorithm>
#include <utility>

#include "core/scheduler/framework/handle.h"

namespace podberth::scheduler {

Resource requestsByContainer(const api::Pod& pod) {
  Resource out;
  for (const api::Container& c : pod.spec.containers) out.add(c.resources.requests);
  for (const api::Container& c : pod.spec.init_containers) out.setMax(c.resources.requests);
  out.add(pod.spec.overhead);
  return out;
}

NonZeroRequests nonZeroRequestsByContainer(const api::Pod& pod) {
  NonZeroRequests out;
  for (const api::Container& c : pod.spec.containers) {
    out.milli_cpu += containerRequest(c.resources.requests, api::resource::kCPU, true);
    out.memory += containerRequest(c.resources.requests, api::resource::kMemory, true);
  }
  for (const api::Container& c : pod.spec.init_containers) {
    out.milli_cpu = std::max(out.milli_cpu, containerRequest(c.resources.requests, api::resource::kCPU, true));
    out.memory = std::max(out.memory, containerRequest(c.resources.requests, api::resource::kMemory, true));
  }
  out.milli_cpu += containerRequest(pod.spec.overhead, api::resource::kCPU, false);
  out.memory += containerRequest(pod.spec.overhead, api::resource::kMemory, false);
  return out;
}

std::int64_t containerRequest(const api::ResourceList& requests, api::Symbol name, bool minimum) {
  const api::Quantity* quantity = requests.find(name);
  if (quantity != nullptr) return name == api::resource::kCPU ? quantity->milliValue() : quantity->value();
  if (minimum && name == api::resource::kCPU) return kDefaultMilliCpuRequest;
  if (minimum && name == api::resource::kMemory) return kDefaultMemoryRequest;
  return 0;
}

Counting::Counting(const FeatureGates& gates)
    : rules(gates.release().framework),
      local_storage(rules != release::FrameworkRules::kV1_24 || gates.enabled("LocalStorageCapacityIsolation")) {}

std::shared_ptr<PodInfo> makePodInfo(api::PodPtr pod, const Counting& counting) {
  auto info = std::make_shared<PodInfo>(std::move(pod));
  if (counting.rules != release::FrameworkRules::kV1_24) return info;
  const api::Pod& of = *info->pod;
  info->requests = requestsByContainer(of);
  if (!counting.local_storage) info->requests.ephemeral_storage = 0;
  const NonZeroRequests minimum = nonZeroRequestsByContainer(of);
  info->non0_cpu = minimum.milli_cpu;
  info->non0_memory = minimum.memory;
  const bool sidecars = std::any_of(of.spec.init_containers.begin(), of.spec.init_containers.end(),
                                    [](const api::Container& c) { return c.isSidecar() && !c.ports.empty(); });
  if (sidecars) {
    auto without = std::make_shared<api::Pod>(of);
    without->spec.init_containers.clear();
    info->host_ports = PodInfo(without).host_ports;
  }
  return info;
}

}  // namespace podberth::scheduler
