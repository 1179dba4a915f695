#include "core/scheduler/preemption/executor.h"

#include <optional>

#include "core/scheduler/preemption/nomination.h"

namespace podberth::scheduler::preemption {
namespace {

constexpr std::string_view kDisruptionTarget = "DisruptionTarget";
constexpr std::string_view kPreemptionByScheduler = "PreemptionByScheduler";
constexpr std::string_view kPreempted = "Preempted";

// The condition that tells why the victim goes; nothing if it has it already.
std::optional<api::PodCondition> disruptionTarget(const api::Pod& victim, const api::Pod& preemptor, clock::Time now) {
  api::PodCondition condition;
  condition.type = std::string(kDisruptionTarget);
  condition.status = "True";
  condition.reason = std::string(kPreemptionByScheduler);
  condition.message = preemptor.spec.scheduler_name + ": preempting to accommodate a higher priority pod";
  condition.observed_generation = victim.meta.generation;
  condition.last_transition_time = now / clock::kSecond * clock::kSecond;
  const api::PodCondition* old = victim.status.condition(kDisruptionTarget);
  if (old == nullptr) return condition;
  if (old->status == condition.status) {
    condition.last_transition_time = old->last_transition_time;
    if (old->reason == condition.reason && old->message == condition.message && !old->last_probe_time.has_value()) {
      return std::nullopt;
    }
  }
  return condition;
}

}  // namespace

Executor::RunPtr Executor::makeRun(const Candidate& candidate, const api::PodPtr& preemptor, std::string_view plugin) {
  auto run = std::make_shared<Run>();
  run->node = candidate.node;
  run->preemptor = preemptor;
  run->plugin = std::string(plugin);
  for (const api::PodPtr& victim : candidate.victims) {
    if (!victim->meta.deletion_timestamp.has_value()) run->victims.push_back(victim);
  }
  return run;
}

Status Executor::actuateNow(const Candidate& candidate, const api::PodPtr& preemptor, std::string_view plugin) {
  const RunPtr run = makeRun(candidate, preemptor, plugin);
  for (const api::PodPtr& victim : run->victims) {
    std::string failure;
    await(handle_.loop(), [&](const std::function<void()>& done) {
      evict(run, victim, [&failure, done](bool /*in_memory*/, const std::string& error) {
        failure = error;
        done();
      });
    });
    if (!failure.empty()) return Status::error(failure);
  }
  clearLosingNominations(handle_, candidate.node, *preemptor);
  return {};
}

void Executor::actuate(const Candidate& candidate, const api::PodPtr& preemptor, std::string_view plugin) {
  const RunPtr run = makeRun(candidate, preemptor, plugin);
  if (run->victims.empty()) return;
  preempting_.insert(preemptor->meta.uid);
  // After the scheduling cycle that is under way has ended, at the same instant.
  handle_.loop().at(handle_.loop().now(), [this, run] { start(run); });
}

bool Executor::isPreempting(const std::string& uid) const {
  if (preempting_.find(uid) == preempting_.end()) return false;
  const auto last = last_victims_.find(uid);
  if (last == last_victims_.end()) return true;
  const api::PodPtr victim = handle_.listers().pods->get(last->second.first, last->second.second);
  return victim != nullptr && !victim->meta.deletion_timestamp.has_value();
}

void Executor::start(const RunPtr& run) {
  run->nominated = losingNominations(handle_, run->node, *run->preemptor);
  clearNominations(run, 0);
}

void Executor::clearNominations(const RunPtr& run, std::size_t next) {
  while (next < run->nominated.size() && run->nominated[next]->status.nominated_node_name.empty()) ++next;
  if (next < run->nominated.size()) {
    handle_.client().patchPodStatus(*run->nominated[next], std::nullopt, std::string(),
                                    [this, run, next](const ApiError& error) {
                                      if (error.failed) run->nomination_errors.push_back(error.message);
                                      clearNominations(run, next + 1);
                                    });
    return;
  }
  if (!run->nomination_errors.empty()) {
    handle_.logError("Cannot clear 'NominatedNodeName' field from lower priority pods on the same target node",
                     aggregate(run->nomination_errors));
    run->failed = true;
  }
  evictFrom(run, 0);
}

// All but the last: while that one goes, isPreempting() can see for itself how far it is.
void Executor::evictFrom(const RunPtr& run, std::size_t next) {
  if (next + 1 >= run->victims.size()) return evictLast(run);
  evict(run, run->victims[next], [this, run, next](bool /*in_memory*/, const std::string& error) {
    if (error.empty()) return evictFrom(run, next + 1);
    handle_.logError("Error occurred during async preemption", error);
    run->failed = true;
    finish(run);
  });
}

void Executor::evictLast(const RunPtr& run) {
  const api::PodPtr& victim = run->victims.back();
  last_victims_[run->preemptor->meta.uid] = {victim->meta.ns, victim->meta.name};
  evict(run, victim, [this, run](bool in_memory, const std::string& error) {
    if (!error.empty()) {
      handle_.logError("Error occurred during async preemption of the last victim", error);
      run->failed = true;
    } else {
      run->last_in_memory = in_memory;
    }
    finish(run);
  });
}

void Executor::finish(const RunPtr& run) {
  preempting_.erase(run->preemptor->meta.uid);
  last_victims_.erase(run->preemptor->meta.uid);
  // No deletion will wake the preemptor up.
  if (run->failed || run->last_in_memory) handle_.activate({run->preemptor});
}

void Executor::evict(const RunPtr& run, const api::PodPtr& victim, Evicted done) {
  bool in_memory = false;
  if (WaitingPod* waiting = handle_.waitingPod(victim->meta.uid)) {
    in_memory = waiting->preempt(run->plugin, "preempted");
  } else {
    in_memory = handle_.cancelPodInPreBind(victim->meta.uid, "preempted by " + run->plugin);
  }
  if (in_memory) {
    report(run, *victim, true);
    return done(true, {});
  }
  const auto condition = disruptionTarget(*victim, *run->preemptor, handle_.loop().now());
  if (!condition.has_value()) return deleteVictim(run, victim, std::move(done));
  handle_.client().patchPodStatus(*victim, condition, std::nullopt, [this, run, victim, done](const ApiError& error) {
    if (!error.failed) return deleteVictim(run, victim, done);
    if (error.not_found) return done(false, {});
    handle_.logError("Could not add DisruptionTarget condition due to preemption", error.message);
    done(false, error.message);
  });
}

void Executor::deleteVictim(const RunPtr& run, const api::PodPtr& victim, Evicted done) {
  handle_.client().deletePod(*victim, [this, run, victim, done](const ApiError& error) {
    if (!error.failed) {
      report(run, *victim, false);
      return done(false, {});
    }
    if (error.not_found) return done(false, {});
    handle_.logError("Tried to preempted pod", error.message, victim->key());
    done(false, error.message);
  });
}

void Executor::report(const RunPtr& run, const api::Pod& victim, bool in_memory) {
  std::string message = "Preempted by pod " + run->preemptor->meta.uid + " on node " + run->node;
  if (in_memory) message += " (in kube-scheduler memory).";
  handle_.event(victim, kPreempted, message);
}

}  // namespace podberth::scheduler::preemption
