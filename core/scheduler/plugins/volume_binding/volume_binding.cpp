#include "core/scheduler/plugins/volume_binding/volume_binding.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <unordered_map>

#include "core/api/go_text.h"
#include "core/clock/arithmetic.h"
#include "core/scheduler/plugins/helper/volumes.h"

namespace podberth::scheduler::plugins {
namespace {

using api::go::quote;

constexpr const char* kNotFound = "not found";
constexpr const char* kLost = "Lost";
constexpr const char* kMigratedPluginsAnnotation = "storage.alpha.kubernetes.io/migrated-plugins";
constexpr std::int64_t kMaxUtilization = 100;
constexpr clock::Duration kPollInterval = clock::kSecond;

// One for the pod's whole attempt: the copies that preemption works on share it, as upstream.
struct BindingState : StateData {
  bool has_claims = true;
  bool all_bound = false;
  bool has_static_bindings = false;
  PodClaims claims;
  std::unordered_map<api::Symbol, PodVolumes> volumes_by_node;
  std::optional<BindRun> run;
};
constexpr StateKey<BindingState> kBindingState{"VolumeBinding"};

std::string bindingError(const std::string& error) { return "binding volumes: " + error; }

HintResult when(bool queue) { return queue ? HintResult::queue() : HintResult::skip(); }

HintResult afterStorageClassChange(const api::Pod&, const api::Object* old_object, const api::Object* new_object) {
  const auto* before = api::as<api::StorageClass>(old_object);
  const auto* now = api::as<api::StorageClass>(new_object);
  return when(before == nullptr || !(before->allowed_topologies == now->allowed_topologies));
}

HintResult afterClaimChange(const api::Pod& pod, const api::Object*, const api::Object* new_object) {
  return when(usesClaim(pod, *api::as<api::PersistentVolumeClaim>(new_object), true));
}

std::string migratedPlugins(const api::CSINode& csi_node) {
  const auto it = csi_node.meta.annotations.find(kMigratedPluginsAnnotation);
  return it == csi_node.meta.annotations.end() ? std::string() : it->second;
}

HintResult afterCSINodeChange(const api::Pod&, const api::Object* old_object, const api::Object* new_object) {
  const auto* before = api::as<api::CSINode>(old_object);
  const auto* now = api::as<api::CSINode>(new_object);
  return when(before == nullptr || migratedPlugins(*before) != migratedPlugins(*now));
}

// Upstream looks for volumes of the driver in the pod itself, not behind its claims.
HintResult afterCSIDriverChange(const api::Pod& pod, const api::Object* old_object, const api::Object* new_object) {
  const auto* before = api::as<api::CSIDriver>(old_object);
  const auto* now = api::as<api::CSIDriver>(new_object);
  const bool uses = std::any_of(pod.spec.volumes.begin(), pod.spec.volumes.end(), [&](const api::Volume& volume) {
    return volume.csi && volume.csi->driver == now->meta.name;
  });
  return when(uses && before->storage_capacity.value_or(false) && !now->storage_capacity.value_or(false));
}

HintResult afterCapacityChange(const api::Pod&, const api::Object* old_object, const api::Object* new_object) {
  const auto* before = api::as<api::CSIStorageCapacity>(old_object);
  if (before == nullptr) return HintResult::queue();
  const api::Quantity* old_limit = volumeLimit(*before);
  const api::Quantity* new_limit = volumeLimit(*api::as<api::CSIStorageCapacity>(new_object));
  return when(new_limit != nullptr && (old_limit == nullptr || new_limit->value() > old_limit->value()));
}

std::int64_t storageBytes(const api::ResourceList& list) {
  const api::Quantity* quantity = list.find(api::resource::kStorage);
  return quantity == nullptr ? 0 : quantity->value();
}

}  // namespace

std::int64_t storageScore(const FunctionShape& shape, const std::map<std::string, StorageUse>& by_class) {
  if (by_class.empty()) return 0;
  std::int64_t sum = 0;
  for (const auto& [name, use] : by_class) {
    const bool full = use.capacity == 0 || use.requested > use.capacity;
    sum += brokenLinear(shape, full ? kMaxUtilization : use.requested * kMaxUtilization / use.capacity);
  }
  return static_cast<std::int64_t>(std::round(static_cast<double>(sum) / static_cast<double>(by_class.size())));
}

std::map<std::string, StorageUse> storageUseOf(const PodVolumes& volumes, bool with_provisions) {
  std::map<std::string, StorageUse> by_class;
  for (const StaticBinding& binding : volumes.bindings) {
    StorageUse& use = by_class[binding.volume->storage_class_name];
    use.requested += storageBytes(binding.claim->spec.requests);
    use.capacity += storageBytes(binding.volume->capacity);
  }
  if (!volumes.bindings.empty() || !with_provisions) return by_class;
  for (const DynamicProvision& provision : volumes.provisions) {
    if (provision.node_capacity == nullptr) continue;
    StorageUse& use = by_class[provision.claim->spec.storage_class_name.value_or("")];
    // All claims of a class draw on one capacity.
    use.capacity = provision.node_capacity->capacity ? provision.node_capacity->capacity->value() : 0;
    use.requested += storageBytes(provision.claim->spec.requests);
  }
  return by_class;
}

VolumeBinding::VolumeBinding(const config::VolumeBindingArgs& args, Handle& handle, const VolumeBindingRules& rules)
    : handle_(handle),
      rules_(rules),
      binder_(handle, clock::seconds(args.bind_timeout_seconds), rules),
      unbound_immediate_(
          Status(Code::kUnschedulableAndUnresolvable, kReasonUnboundImmediate).withPlugin(names::kVolumeBinding)) {
  if (handle.gates().enabled(rules.scoring_gate)) shape_ = scaledShape(args.shape);
}

std::string VolumeBinding::noVolumesFor(const std::string& node) const { return rules_.no_volumes + quote(node); }

std::vector<ClusterEventWithHint> VolumeBinding::eventsToRegister() const {
  constexpr std::int64_t kAddOrUpdate = action::kAdd | action::kUpdate;
  return {{ClusterEvent{EventResource::kStorageClass, kAddOrUpdate, {}}, afterStorageClassChange},
          {ClusterEvent{EventResource::kPersistentVolumeClaim, kAddOrUpdate, {}}, afterClaimChange},
          {ClusterEvent{EventResource::kPersistentVolume, kAddOrUpdate, {}}, nullptr},
          {ClusterEvent{EventResource::kNode, action::kAdd | action::kUpdateNodeLabel, {}}, nullptr},
          {ClusterEvent{EventResource::kCSINode, kAddOrUpdate, {}}, afterCSINodeChange},
          {ClusterEvent{EventResource::kCSIDriver, action::kUpdate, {}}, afterCSIDriverChange},
          {ClusterEvent{EventResource::kCSIStorageCapacity, kAddOrUpdate, {}}, afterCapacityChange}};
}

bool VolumeBinding::hasClaims(const api::Pod& pod, std::string* error) const {
  bool any = false;
  for (const api::Volume& volume : pod.spec.volumes) {
    const std::optional<UsedClaim> used = usedClaim(pod, volume);
    if (!used) continue;
    any = true;
    const api::PersistentVolumeClaimPtr claim =
        handle_.listers().persistent_volume_claims->get(pod.meta.ns, used->name);
    if (claim == nullptr) {
      // Normal right after the creation of a pod with an ephemeral volume.
      *error = used->ephemeral
                   ? "waiting for ephemeral volume controller to create the persistentvolumeclaim " + quote(used->name)
                   : notFoundText(kClaimResource, used->name);
    } else if (claim->phase == kLost) {
      *error = "persistentvolumeclaim " + quote(claim->meta.name) + " bound to non-existent persistentvolume " +
               quote(claim->spec.volume_name);
    } else if (claim->meta.deletion_timestamp) {
      *error = "persistentvolumeclaim " + quote(claim->meta.name) + " is being deleted";
    } else if (used->ephemeral) {
      *error = whyNotForPod(pod, *claim);
    }
    if (!error->empty()) return true;
  }
  return any;
}

Status VolumeBinding::preFilter(CycleState& state, const PodInfo& pod, const std::vector<NodeInfo*>&,
                                PreFilterResult&) {
  std::string error;
  const bool has_claims = hasClaims(*pod.pod, &error);
  if (!error.empty()) return Status(Code::kUnschedulableAndUnresolvable, error);
  auto binding_state = std::make_shared<BindingState>();
  if (!has_claims) {
    binding_state->has_claims = false;
    state.write(kBindingState, std::move(binding_state));
    return rules_.skips ? Status(Code::kSkip) : Status();
  }
  error = binder_.claimsOf(*pod.pod, &binding_state->claims);
  if (!error.empty()) return Status::error(error);
  if (!binding_state->claims.immediate.empty()) return unbound_immediate_;
  state.write(kBindingState, std::move(binding_state));
  return {};
}

Status VolumeBinding::filter(CycleState& state, const PodInfo&, const NodeInfo& node) {
  BindingState* binding_state = state.read(kBindingState);
  if (binding_state == nullptr) return Status::error(kNotFound);
  if (!binding_state->has_claims) return {};
  PodVolumes volumes;
  std::string error;
  std::vector<std::string> reasons = binder_.find(binding_state->claims, *node.node(), &volumes, &error);
  if (!error.empty()) return Status::error(error);
  if (!reasons.empty()) return Status(Code::kUnschedulableAndUnresolvable, std::move(reasons));
  if (!volumes.bindings.empty()) binding_state->has_static_bindings = true;
  binding_state->volumes_by_node[node.name()] = std::move(volumes);
  return {};
}

Status VolumeBinding::preScore(CycleState& state, const PodInfo&, const std::vector<NodeInfo*>&) {
  if (!shape_) return Status(Code::kSkip);
  return state.read(kBindingState) == nullptr ? Status::error(kNotFound) : Status();
}

Status VolumeBinding::score(CycleState& state, const PodInfo&, const NodeInfo& node, std::int64_t& score) {
  score = 0;
  if (!shape_) return {};
  const BindingState* binding_state = state.read(kBindingState);
  if (binding_state == nullptr) return Status::error(kNotFound);
  const auto it = binding_state->volumes_by_node.find(node.name());
  if (it != binding_state->volumes_by_node.end()) {
    score = storageScore(*shape_, storageUseOf(it->second, rules_.scores_provisions));
  }
  return {};
}

Status VolumeBinding::reserve(CycleState& state, const api::PodPtr& pod, const std::string& node) {
  BindingState* binding_state = state.read(kBindingState);
  if (binding_state == nullptr) return Status::error(kNotFound);
  const auto it = binding_state->volumes_by_node.find(api::Symbol(node));
  if (it == binding_state->volumes_by_node.end()) {
    binding_state->all_bound = true;
    return {};
  }
  const std::string error = binder_.assume(*pod, node, it->second, &binding_state->all_bound);
  return error.empty() ? Status() : Status::error(error);
}

void VolumeBinding::unreserve(CycleState& state, const api::PodPtr&, const std::string& node) {
  BindingState* binding_state = state.read(kBindingState);
  if (binding_state == nullptr) return;
  const auto it = binding_state->volumes_by_node.find(api::Symbol(node));
  if (it != binding_state->volumes_by_node.end()) binder_.revert(it->second);
}

Status VolumeBinding::preBindPreFlight(CycleState& state, const api::PodPtr&, const std::string& node) {
  const BindingState* binding_state = state.read(kBindingState);
  if (binding_state == nullptr) return Status::error(kNotFound);
  if (binding_state->all_bound) return Status(Code::kSkip);
  const bool known = binding_state->volumes_by_node.count(api::Symbol(node)) != 0;
  return known ? Status() : Status::error(noVolumesFor(node));
}

PreBindProgress VolumeBinding::preBind(CycleState& state, const api::PodPtr& pod, const std::string& node) {
  BindingState* binding_state = state.read(kBindingState);
  if (binding_state == nullptr) return PreBindProgress::done(Status::error(kNotFound));
  if (binding_state->all_bound) return PreBindProgress::done({});
  const auto it = binding_state->volumes_by_node.find(api::Symbol(node));
  if (it == binding_state->volumes_by_node.end()) return PreBindProgress::done(Status::error(noVolumesFor(node)));

  const clock::Time now = handle_.loop().now();
  if (!binding_state->run) {
    const std::string missing = binder_.missing(*pod, it->second);
    if (!missing.empty()) return PreBindProgress::done(Status::error(missing));
    binding_state->run = VolumeBinder::start(it->second);
  }
  if (!binding_state->run->written) {
    BindRun& run = *binding_state->run;
    while (binder_.hasWrites(run)) {
      const clock::Duration latency = handle_.client().volumeWriteLatency();
      run.write_waited = latency > 0 && !run.write_waited;
      if (run.write_waited) return PreBindProgress::waitUntil(now + latency);
      const std::string error = binder_.writeNext(&run);
      if (!error.empty()) return PreBindProgress::done(Status::error(error));
    }
    run.written = true;
    run.next = now;
    const bool forever = rules_.zero_timeout_forever && binder_.bindTimeout() == 0;
    run.deadline = forever ? std::numeric_limits<clock::Time>::max() : clock::later(now, binder_.bindTimeout());
  } else if (now < binding_state->run->deadline || rules_.looks_at_deadline) {
    std::string error;
    const bool finished = binder_.finished(*pod, node, *binding_state->run, &error);
    if (!error.empty()) return PreBindProgress::done(Status::error(bindingError(error)));
    if (finished) return PreBindProgress::done({});
  }
  BindRun& run = *binding_state->run;
  if (now >= run.deadline) return PreBindProgress::done(Status::error(bindingError(rules_.timeout)));
  run.next += kPollInterval;
  return PreBindProgress::waitUntil(std::min(run.next, run.deadline));
}

std::vector<SignFragment> VolumeBinding::sign(const api::Pod& pod, bool& signable) const {
  return signVolumes(pod, signable);
}

config::VolumeBindingArgs volumeBindingArgs(const config::PluginArgs& args,
                                            const std::vector<config::UtilizationShapePoint>& default_shape) {
  const auto* given = std::get_if<config::VolumeBindingArgs>(&args);
  config::VolumeBindingArgs own = given == nullptr ? config::VolumeBindingArgs() : *given;
  if (own.shape.empty()) own.shape = default_shape;
  return own;
}

std::unique_ptr<Plugin> newVolumeBinding(const config::PluginArgs& args, Handle& handle, std::string*) {
  return std::make_unique<VolumeBinding>(volumeBindingArgs(args, {{0, 10}, {100, 0}}), handle);
}

}  // namespace podberth::scheduler::plugins
