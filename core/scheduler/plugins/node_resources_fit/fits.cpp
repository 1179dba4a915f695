#include "core/scheduler/plugins/node_resources_fit/fits.h"

#include "core/scheduler/plugins/helper/arithmetic.h"
#include "core/scheduler/plugins/helper/resource_names.h"

namespace podberth::scheduler::plugins {

bool IgnoredResources::has(api::Symbol name) const {
  if (names.empty() && groups.empty()) return false;
  if (!isExtendedResource(name)) return false;
  if (names.count(name.str()) > 0) return true;
  return !groups.empty() && groups.count(name.str().substr(0, name.str().find('/'))) > 0;
}

FitRequest fitRequest(const Resource& requests, const IgnoredResources& ignored, bool with_zeros) {
  FitRequest out;
  out.milli_cpu = requests.milli_cpu;
  out.memory = requests.memory;
  out.ephemeral_storage = requests.ephemeral_storage;
  out.anything =
      requests.milli_cpu != 0 || requests.memory != 0 || requests.ephemeral_storage != 0 || !requests.scalar.empty();
  for (const auto& [name, value] : requests.scalar) {
    if ((value > 0 || with_zeros) && !ignored.has(name)) out.scalar.emplace_back(name, value);
  }
  return out;
}

Lack findLack(const FitRequest& request, std::size_t pods, const Resource& allocatable, const Resource& requested,
              bool check_zeros) {
  Lack lack;
  if (static_cast<std::int64_t>(pods) + 1 > allocatable.allowed_pod_number) lack.mask |= Lack::kPods;
  if (!request.anything) return lack;
  const auto check = [&](unsigned bit, std::int64_t wanted, std::int64_t has, std::int64_t taken) {
    if ((wanted <= 0 && !check_zeros) || wanted <= wrappingSub(has, taken)) return;
    lack.mask |= bit;
    if (wanted > has) lack.unresolvable = true;
  };
  check(Lack::kCpu, request.milli_cpu, allocatable.milli_cpu, requested.milli_cpu);
  check(Lack::kMemory, request.memory, allocatable.memory, requested.memory);
  check(Lack::kEphemeralStorage, request.ephemeral_storage, allocatable.ephemeral_storage, requested.ephemeral_storage);
  for (const auto& [name, wanted] : request.scalar) {
    const std::int64_t has = allocatable.scalarOf(name);
    if (wanted <= wrappingSub(has, requested.scalarOf(name))) continue;
    lack.scalar.push_back(name);
    if (wanted > has) lack.unresolvable = true;
  }
  return lack;
}

std::vector<std::string> lackReasons(const Lack& lack) {
  std::vector<std::string> reasons;
  if ((lack.mask & Lack::kPods) != 0) reasons.emplace_back(kReasonTooManyPods);
  if ((lack.mask & Lack::kCpu) != 0) reasons.emplace_back(kReasonInsufficientCpu);
  if ((lack.mask & Lack::kMemory) != 0) reasons.emplace_back(kReasonInsufficientMemory);
  if ((lack.mask & Lack::kEphemeralStorage) != 0) reasons.emplace_back(kReasonInsufficientEphemeralStorage);
  for (const api::Symbol name : lack.scalar) reasons.push_back(kReasonInsufficient + name.str());
  return reasons;
}

}  // namespace podberth::scheduler::plugins
