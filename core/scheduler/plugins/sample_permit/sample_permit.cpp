#include "core/scheduler/plugins/sample_permit/sample_permit.h"

#include <algorithm>
#include <set>
#include <utility>

namespace podberth::scheduler::plugins {

SamplePermit::SamplePermit(config::SampleArgs args, Handle& handle) : handle_(handle), rules_(std::move(args)) {
  const auto assigned = [this](const api::ObjectPtr& object) {
    const auto pod = api::as<api::Pod>(object);
    if (pod == nullptr || !pod->assigned()) return;
    // From now on it is the lister that counts it.
    held_.erase(pod->meta.uid);
    approveWhereEnough();
  };
  informers::ResourceEventHandler pods;
  pods.on_add = assigned;
  pods.on_update = [assigned](const api::ObjectPtr& /*old_object*/, const api::ObjectPtr& object) { assigned(object); };
  pods.on_delete = [this](const api::ObjectPtr& object, bool /*final_state_unknown*/) {
    held_.erase(object->meta.uid);
  };
  handle_.informers().addEventHandler(api::Kind::kPod, std::move(pods));
}

std::vector<ClusterEventWithHint> SamplePermit::eventsToRegister() const {
  ClusterEventWithHint pods;
  pods.event.resource = EventResource::kPod;
  pods.event.action = action::kAdd | action::kUpdatePodLabel;
  pods.hint = [this](const api::Pod& pod, const api::Object* /*old_object*/, const api::Object* new_object) {
    const api::Pod* changed = api::as<api::Pod>(new_object);
    if (changed == nullptr) return HintResult::skip();
    if (changed->meta.uid == pod.meta.uid) return HintResult::queue();
    if (changed->meta.ns != pod.meta.ns) return HintResult::skip();
    for (const config::SampleRule& rule : rules_.args().rules) {
      if (rule.approve_pods.has_value() && rule.pods.matches(pod.meta.labels) &&
          rule.approve_pods->matches(changed->meta.labels)) {
        return HintResult::queue();
      }
    }
    return HintResult::skip();
  };
  ClusterEventWithHint nodes;
  nodes.event.resource = EventResource::kNode;
  nodes.event.action = action::kAdd;
  return {pods, nodes};
}

bool SamplePermit::enough(const config::SampleRule& rule, const std::string& ns) const {
  std::set<std::string> uids;
  for (const api::PodPtr& pod : handle_.listers().pods->list(ns)) {
    if (pod->assigned() && rule.approve_pods->matches(pod->meta.labels)) uids.insert(pod->meta.uid);
  }
  for (const auto& [uid, held] : held_) {
    if (held.pod->meta.ns == ns && rule.approve_pods->matches(held.pod->meta.labels)) uids.insert(uid);
  }
  return static_cast<std::int64_t>(uids.size()) >= rule.approve_count;
}

void SamplePermit::approveWhereEnough() {
  for (auto& [uid, held] : held_) {
    if (held.approved || !held.rule->approve_pods.has_value() || !enough(*held.rule, held.pod->meta.ns)) continue;
    WaitingPod* waiting = handle_.waitingPod(uid);
    if (waiting == nullptr) continue;
    held.approved = true;
    waiting->allow(name());
  }
}

// Those of the gang that have no place yet: now is the time to try them.
void SamplePermit::activateOthers(const config::SampleRule& rule, const api::Pod& pod) {
  if (!rule.approve_pods.has_value()) return;
  std::vector<api::PodPtr> others;
  for (const api::PodPtr& other : handle_.listers().pods->list(pod.meta.ns)) {
    if (!other->assigned() && held_.count(other->meta.uid) == 0 && rule.approve_pods->matches(other->meta.labels)) {
      others.push_back(other);
    }
  }
  if (!others.empty()) handle_.activate(others);
}

void SamplePermit::later(clock::Duration after, const std::string& uid, bool approve) {
  handle_.loop().after(after, [this, uid, approve, number = held_[uid].number] {
    const auto it = held_.find(uid);
    WaitingPod* waiting = handle_.waitingPod(uid);
    if (it == held_.end() || it->second.number != number || waiting == nullptr) return;
    if (approve) {
      it->second.approved = true;
      waiting->allow(name());
    } else {
      waiting->reject(name(), it->second.rule->deny_message);
    }
  });
}

Status SamplePermit::permit(CycleState& /*state*/, const api::PodPtr& pod, const std::string& node,
                            clock::Duration& timeout) {
  const config::SampleRule* rule = rules_.use(*pod, node);
  if (rule == nullptr || rule->result != config::SampleRule::Result::kWait) return sampleStatus(rule);
  const std::string& uid = pod->meta.uid;
  Held held;
  held.pod = pod;
  held.rule = rule;
  held.number = ++last_number_;
  held_[uid] = std::move(held);
  if (rule->approve_pods.has_value() && enough(*rule, pod->meta.ns)) {
    held_[uid].approved = true;
    approveWhereEnough();
    return {};
  }
  if (rule->approve_after.has_value()) later(*rule->approve_after, uid, true);
  if (rule->deny_after.has_value()) later(*rule->deny_after, uid, false);
  activateOthers(*rule, *pod);
  timeout = rule->timeout;
  return Status(Code::kWait);
}

void SamplePermit::unreserve(CycleState& /*state*/, const api::PodPtr& pod, const std::string& /*node*/) {
  held_.erase(pod->meta.uid);
}

std::unique_ptr<Plugin> newSamplePermit(const config::PluginArgs& args, Handle& handle, std::string* error) {
  config::SampleArgs own;
  if (!sampleArgs(config::kSamplePermit, args, &own, error)) return nullptr;
  return std::make_unique<SamplePermit>(std::move(own), handle);
}

}  // namespace podberth::scheduler::plugins
