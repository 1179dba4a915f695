#include "core/session/board.h"
#include "core/base/sort.h"
#include "core/scheduler/framework/container_requests.h"

#include <algorithm>

namespace podberth::session {

namespace {

void addTo(scheduler::Resource& sum, const scheduler::Resource& r, int sign) {
  sum.milli_cpu += sign * r.milli_cpu;
  sum.memory += sign * r.memory;
  sum.ephemeral_storage += sign * r.ephemeral_storage;
  for (const auto& [name, amount] : r.scalar) sum.setScalar(name, sum.scalarOf(name) + sign * amount);
}

}  // namespace

bool ofBinding(const std::string& point) {
  return point == "WaitOnPermit" || point == "PreBindPreFlight" || point == "PreBind" || point == "Bind" ||
         point == "PostBind";
}

void Hash::add(std::string_view text) {
  for (const char c : text) {
    value_ ^= static_cast<unsigned char>(c);
    value_ *= 1099511628211ULL;
  }
  value_ ^= 0xFF;  // so that "ab","c" and "a","bc" differ
  value_ *= 1099511628211ULL;
}

void Hash::add(std::int64_t number) { add(std::to_string(number)); }

BoardPod* Board::find(const std::string& key) {
  auto it = pods_.find(key);
  return it == pods_.end() ? nullptr : &it->second;
}

void Board::move(const std::string& key, BoardPod& pod, Lane lane) {
  if (in_cycle_ == key && lane != Lane::kCycle) in_cycle_.clear();
  if (pod.lane == Lane::kNode && lane != Lane::kNode) unplace(key, pod);
  pod.lane = lane;
  pod.since = ++clock_;
  touchPod(key);
}

void Board::place(const std::string& key, BoardPod& pod, const std::string& node) {
  if (pod.lane == Lane::kNode) {
    if (pod.host == node) return;
    unplace(key, pod);
  }
  move(key, pod, Lane::kNode);
  pod.host = node;
  pod.plugins.clear();
  pod.gated.clear();
  BoardNode& at = nodes_[node];
  at.pods.insert(std::lower_bound(at.pods.begin(), at.pods.end(), key), key);
  addTo(at.requested, pod.info->requests, 1);
  touchNode(node);
}

void Board::unplace(const std::string& key, BoardPod& pod) {
  auto it = nodes_.find(pod.host);
  if (it == nodes_.end()) return;
  std::vector<std::string>& pods = it->second.pods;
  pods.erase(std::remove(pods.begin(), pods.end(), key), pods.end());
  addTo(it->second.requested, pod.info->requests, -1);
  touchNode(pod.host);
  if (it->second.object == nullptr && pods.empty()) nodes_.erase(it);
}

void Board::enterCycle(const std::string& key, BoardPod& pod) {
  if (pod.lane == Lane::kCycle || pod.lane == Lane::kNode) return;
  move(key, pod, Lane::kCycle);
  in_cycle_ = key;
  ++pod.attempts;
  pod.points.clear();
  pod.host.clear();
  pod.plugins.clear();
  pod.message.clear();
  pod.gated.clear();
  pod.backoff_until = 0;
}

void Board::apply(const ObjectChange& change) {
  const api::ObjectPtr& object = change.new_object != nullptr ? change.new_object : change.old_object;
  if (object == nullptr) return;
  if (object->kind == api::Kind::kNode) {
    const std::string& name = object->meta.name;
    touchNode(name);
    if (change.new_object == nullptr) {
      auto it = nodes_.find(name);
      if (it == nodes_.end()) return;
      it->second.object = nullptr;
      if (it->second.pods.empty()) nodes_.erase(it);
      node_order_.erase(std::remove(node_order_.begin(), node_order_.end(), name), node_order_.end());
      return;
    }
    BoardNode& node = nodes_[name];
    if (node.object == nullptr) node_order_.push_back(name);
    node.object = api::as<api::Node>(change.new_object);
    return;
  }
  const std::string key = object->key();
  touchPod(key);
  if (change.new_object == nullptr) {
    if (BoardPod* pod = find(key); pod != nullptr) {
      move(key, *pod, Lane::kNone);
      pods_.erase(key);
    }
    return;
  }
  BoardPod& pod = pods_[key];
  const bool replaced = pod.object != nullptr && pod.object->meta.uid != change.new_object->meta.uid;
  if (replaced) {
    move(key, pod, Lane::kNone);
    pod = BoardPod();
  }
  const std::string node = pod.lane == Lane::kNode ? pod.host : std::string();
  if (!node.empty()) {  // what it takes of its node may have changed
    unplace(key, pod);
    pod.lane = Lane::kNone;
  }
  pod.object = api::as<api::Pod>(change.new_object);
  pod.info = scheduler::makePodInfo(pod.object, rules_);
  const std::string& now = pod.object->spec.node_name.empty() ? node : pod.object->spec.node_name;
  if (!now.empty()) place(key, pod, now);
}

void Board::apply(const trace::Entry& entry) {
  metrics_.apply(entry);
  if (entry.type == trace::Type::kCycle && entry.cycle != nullptr && !entry.cycle->nodes.empty()) {
    if (node_order_ != entry.cycle->nodes && !entry.cycle->summary) node_order_ = entry.cycle->nodes;
  }
  BoardPod* pod = find(entry.pod);
  if (pod == nullptr) return;
  const std::string& key = entry.pod;
  switch (entry.type) {
    case trace::Type::kMove:
      if (entry.queue == "Active") {
        move(key, *pod, Lane::kActive);
        if (entry.reason != "gated") pod->gated.clear();
      } else if (entry.queue == "Backoff") {
        move(key, *pod, Lane::kBackoff);
        pod->backoff_until = entry.x_until;
      } else {
        move(key, *pod, Lane::kUnschedulable);
      }
      if (!entry.plugins.empty()) pod->plugins = entry.plugins;
      break;
    case trace::Type::kPreEnqueue:
      pod->gated = entry.plugin;
      pod->message = entry.message;
      touchPod(key);
      break;
    case trace::Type::kPoint: {
      PointResult result;
      result.point = entry.point;
      result.plugin = entry.plugin;
      result.code = entry.reason;
      if (entry.point == "Unreserve" && pod->lane == Lane::kBinding) {
        // What was reserved is given back where the binding has failed.
      } else if (ofBinding(entry.point)) {
        if (pod->lane != Lane::kBinding && pod->lane != Lane::kNode) move(key, *pod, Lane::kBinding);
      } else {
        enterCycle(key, *pod);
      }
      if (entry.point == "WaitOnPermit" && !pod->points.empty() && pod->points.back().point == entry.point) {
        pod->points.back() = std::move(result);  // the waiting is over
      } else {
        pod->points.push_back(std::move(result));
      }
      if (!entry.node.empty()) pod->host = pod->lane == Lane::kNode ? pod->host : entry.node;
      touchPod(key);
      break;
    }
    case trace::Type::kExtender: {
      const trace::ExtenderCall& call = *entry.extender;
      if (call.verb == "bind") break;  // told by the point Bind
      enterCycle(key, *pod);
      PointResult result;
      result.point = "Extender " + call.verb;
      result.plugin = call.name;
      const bool none_left =
          call.verb == "filter" && call.failed.size() + call.unresolvable.size() == call.nodes.size();
      result.code = call.error.empty() ? (none_left ? "Unschedulable" : "Success") : call.ignored ? "Skip" : "Error";
      // Several extenders share a mark; the last one's counts.
      const auto same = std::find_if(pod->points.begin(), pod->points.end(),
                                     [&result](const PointResult& p) { return p.point == result.point; });
      if (same != pod->points.end()) {
        *same = std::move(result);
      } else {
        pod->points.push_back(std::move(result));
      }
      touchPod(key);
      break;
    }
    case trace::Type::kCycle:
      enterCycle(key, *pod);
      pod->attempts = entry.cycle->attempt;
      pod->profile = entry.cycle->profile;
      pod->host = entry.cycle->host;
      pod->message = entry.cycle->error;
      pod->plugins = entry.cycle->unschedulable_plugins;
      touchPod(key);
      break;
    case trace::Type::kBind:
      place(key, *pod, entry.node);
      break;
    default:
      break;
  }
}

std::vector<std::pair<std::string, const BoardPod*>> Board::lane(Lane lane) const {
  std::vector<std::pair<std::string, const BoardPod*>> out;
  for (const auto& [key, pod] : pods_) {
    if (pod.lane == lane) out.emplace_back(key, &pod);
  }
  base::stableSort(out, [lane](const auto& a, const auto& b) {
    if (lane == Lane::kActive && a.second->object->priority() != b.second->object->priority()) {
      return a.second->object->priority() > b.second->object->priority();
    }
    if (lane == Lane::kBackoff && a.second->backoff_until != b.second->backoff_until) {
      return a.second->backoff_until < b.second->backoff_until;
    }
    return a.second->since < b.second->since;
  });
  return out;
}

std::pair<std::vector<std::string>, std::vector<std::string>> Board::takeChanged() {
  std::pair<std::vector<std::string>, std::vector<std::string>> out;
  for (const auto& [name, yes] : changed_pods_) out.first.push_back(name);
  for (const auto& [name, yes] : changed_nodes_) out.second.push_back(name);
  changed_pods_.clear();
  changed_nodes_.clear();
  return out;
}

std::uint64_t Board::hash() const {
  Hash h;
  for (const auto& [key, pod] : pods_) {
    h.add(key);
    h.add(static_cast<std::int64_t>(pod.lane));
    h.add(static_cast<std::int64_t>(pod.since));
    h.add(pod.host);
    h.add(pod.attempts);
    h.add(pod.message);
    h.add(pod.object->meta.resource_version);
  }
  for (const auto& [name, node] : nodes_) {
    h.add(name);
    h.add(node.requested.milli_cpu);
    h.add(node.requested.memory);
    h.add(static_cast<std::int64_t>(node.pods.size()));
    h.add(node.object == nullptr ? -1 : node.object->meta.resource_version);
  }
  h.add(in_cycle_);
  return h.value();
}

}  // namespace podberth::session
