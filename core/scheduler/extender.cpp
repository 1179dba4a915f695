#include "core/scheduler/extender.h"

#include <algorithm>

namespace podberth::scheduler {
namespace {

constexpr const char* kNodeResourcesFit = "NodeResourcesFit";

std::vector<const api::Node*> objectsOf(const std::vector<NodeInfo*>& nodes) {
  std::vector<const api::Node*> out;
  for (const NodeInfo* node : nodes) out.push_back(node->node());
  return out;
}

// Products wrap as in Go.
std::int64_t times(std::int64_t a, std::int64_t b) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) * static_cast<std::uint64_t>(b));
}

std::string keyOf(const api::Pod& preemptor, const std::string& name) {
  return name.find('/') == std::string::npos ? preemptor.meta.ns + "/" + name : name;
}

}  // namespace

bool HttpExtender::isInterested(const api::Pod& pod) const {
  const std::vector<config::ManagedResource>& managed = config_.managed_resources;
  return managed.empty() ||
         std::any_of(managed.begin(), managed.end(),
                     [&pod](const config::ManagedResource& resource) { return asksFor(pod, resource.name); });
}

clock::Duration HttpExtender::sinceStart() const { return shared_.loop->now() - shared_.recorder->start(); }

std::string HttpExtender::url(const std::string& verb) const { return withoutSlashes(config_.url_prefix) + "/" + verb; }

std::string HttpExtender::failure(const ExtenderRule& rule, const std::string& verb) const {
  switch (rule.answer) {
    case ExtenderRule::Answer::kStatus:
      return "failed " + verb + " with extender at URL " + url(verb) + ", code " + std::to_string(rule.score);
    case ExtenderRule::Answer::kUnreachable:
      return "Post \"" + url(verb) + "\": " + rule.text;
    default:
      return rule.text;
  }
}

trace::ExtenderCall HttpExtender::call(const char* verb, const std::string& path) const {
  trace::ExtenderCall out;
  out.name = server_.name;
  out.verb = verb;
  out.url = url(path);
  return out;
}

void HttpExtender::record(const api::Pod& pod, trace::ExtenderCall call, bool errors_ignored) {
  if (shared_.quiet) return;
  call.ignored = errors_ignored && !call.error.empty();
  shared_.recorder->add(trace::Type::kExtender, pod.key()).extender =
      std::make_shared<trace::ExtenderCall>(std::move(call));
}

Extender::Filtered HttpExtender::filter(const api::Pod& pod, const std::vector<NodeInfo*>& nodes) {
  Filtered out;
  const std::vector<const api::Node*> objects = objectsOf(nodes);
  trace::ExtenderCall told = call("filter", config_.filter_verb);
  const ExtenderRule* failing = failureOf(server_.filter, pod, sinceStart(), objects);
  if (failing != nullptr) out.error = failure(*failing, config_.filter_verb);
  for (std::size_t i = 0; i < objects.size(); ++i) {
    const std::string& name = objects[i]->meta.name;
    told.nodes.push_back(name);
    if (failing != nullptr) continue;
    const ExtenderRule* rule = ruleFor(server_.filter, pod, sinceStart(), *objects[i]);
    if (rule != nullptr && rule->answer == ExtenderRule::Answer::kReject) {
      out.failed.emplace_back(i, rule->text);
      told.failed.emplace_back(name, rule->text);
    } else if (rule != nullptr && rule->answer == ExtenderRule::Answer::kUnresolvable) {
      out.unresolvable.emplace_back(i, rule->text);
      told.unresolvable.emplace_back(name, rule->text);
    } else {
      out.passed.push_back(i);
    }
  }
  told.error = out.error;
  record(pod, std::move(told), config_.ignorable);
  return out;
}

Extender::Scored HttpExtender::prioritize(const api::Pod& pod, const std::vector<NodeInfo*>& nodes) {
  Scored out;
  const std::vector<const api::Node*> objects = objectsOf(nodes);
  trace::ExtenderCall told = call("prioritize", config_.prioritize_verb);
  told.weight = config_.weight;
  const ExtenderRule* failing = failureOf(server_.prioritize, pod, sinceStart(), objects);
  if (failing != nullptr) out.error = failure(*failing, config_.prioritize_verb);
  for (const api::Node* node : objects) {
    told.nodes.push_back(node->meta.name);
    if (failing != nullptr) continue;
    const ExtenderRule* rule = ruleFor(server_.prioritize, pod, sinceStart(), *node);
    out.scores.push_back(rule == nullptr ? 0 : rule->score);
    told.scores.emplace_back(node->meta.name, out.scores.back());
  }
  told.error = out.error;
  // Whether it is ignorable or not: nobody's attempt fails for want of scores.
  record(pod, std::move(told), true);
  return out;
}

Extender::Preempted HttpExtender::processPreemption(const api::Pod& pod, const std::vector<NodeVictims>& victims) {
  Preempted out;
  std::vector<NodeInfo*> nodes;
  for (const NodeVictims& candidate : victims) nodes.push_back(shared_.snapshot->get(candidate.node));
  trace::ExtenderCall told = call("preempt", config_.preempt_verb);
  for (const NodeVictims& candidate : victims) told.nodes.push_back(candidate.node);
  const auto finish = [&] {
    if (!out.error.empty()) out.victims.clear();
    for (const NodeVictims& left : out.victims) {
      std::vector<std::string> names;
      for (const api::PodPtr& victim : left.victims) names.push_back(victim->key());
      told.victims.emplace_back(left.node, std::move(names));
    }
    told.error = out.error;
    record(pod, std::move(told), config_.ignorable);
    return out;
  };
  if (const ExtenderRule* failing = failureOf(server_.preempt, pod, sinceStart(), objectsOf(nodes))) {
    out.error = failure(*failing, config_.preempt_verb);
    return finish();
  }
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const ExtenderRule* rule = ruleFor(server_.preempt, pod, sinceStart(), *nodes[i]->node());
    if (rule != nullptr && rule->answer == ExtenderRule::Answer::kDrop) continue;
    NodeVictims left = victims[i];
    if (rule != nullptr && rule->answer == ExtenderRule::Answer::kVictims) {
      // The extender names pods by their uids; the scheduler looks for them on the node.
      left.victims.clear();
      for (const std::string& name : rule->victims) {
        const std::string key = keyOf(pod, name);
        const std::vector<PodInfoPtr>& there = nodes[i]->pods;
        const auto found =
            std::find_if(there.begin(), there.end(), [&key](const PodInfoPtr& p) { return p->pod->key() == key; });
        if (found != there.end()) {
          left.victims.push_back((*found)->pod);
          continue;
        }
        const std::size_t slash = key.find('/');
        const api::PodPtr elsewhere = shared_.listers->pods->get(key.substr(0, slash), key.substr(slash + 1));
        out.error = "extender: " + config_.url_prefix + " claims to preempt pod (UID: &{" +
                    (elsewhere == nullptr ? key : elsewhere->meta.uid) + "}) on node: " + left.node +
                    ", but the pod is not found on that node";
        return finish();
      }
    }
    out.victims.push_back(std::move(left));
  }
  return finish();
}

void HttpExtender::bind(const api::Pod& pod, const std::string& node, std::function<void(const std::string&)> done) {
  const NodeInfo* info = shared_.snapshot->get(node);
  api::Node named;
  named.meta.name = node;
  const api::Node& object = info == nullptr || info->node() == nullptr ? named : *info->node();
  const ExtenderRule* failing = failureOf(server_.bind, pod, sinceStart(), {&object});
  const std::string error = failing == nullptr ? std::string() : failure(*failing, config_.bind_verb);
  const auto answer = [this, copy = pod, node, done](const std::string& text) {
    trace::ExtenderCall told = call("bind", config_.bind_verb);
    told.nodes.push_back(node);
    told.error = text;
    record(copy, std::move(told), config_.ignorable);
    done(text);
  };
  if (failing != nullptr && !failing->bound) {
    answer(error);
    return;
  }
  // The extender writes the binding itself.
  shared_.client->bindPod(
      pod, node, [answer, error](const ApiError& refused) { answer(refused.failed ? refused.message : error); });
}

std::string buildExtenders(const std::vector<config::Extender>& configured, const std::vector<ExtenderServer>& servers,
                           const FrameworkShared& shared, config::Configuration& config,
                           std::vector<std::unique_ptr<Extender>>* out) {
  std::vector<std::unique_ptr<Extender>> ignorable;
  std::vector<std::string> ignored_resources;
  for (const config::Extender& extender : configured) {
    const auto server = std::find_if(servers.begin(), servers.end(), [&](const ExtenderServer& candidate) {
      return answersFor(candidate, extender.url_prefix);
    });
    if (server == servers.end()) continue;
    (extender.ignorable ? ignorable : *out).push_back(std::make_unique<HttpExtender>(extender, *server, shared));
    for (const config::ManagedResource& resource : extender.managed_resources) {
      if (resource.ignored_by_scheduler) ignored_resources.push_back(resource.name);
    }
  }
  for (std::unique_ptr<Extender>& extender : ignorable) out->push_back(std::move(extender));
  if (ignored_resources.empty()) return {};

  static const std::string prefix = "couldn't build extenders: ";
  for (config::Profile& profile : config.profiles) {
    const auto found = std::find_if(profile.plugin_config.begin(), profile.plugin_config.end(),
                                    [](const auto& item) { return item.first == kNodeResourcesFit; });
    if (found == profile.plugin_config.end()) return prefix + "can't find NodeResourcesFitArgs in plugin config";
    auto* args = std::get_if<config::NodeResourcesFitArgs>(&found->second);
    if (args == nullptr) return prefix + "want args to be of type NodeResourcesFitArgs, got <nil>";
    args->ignored_resources = ignored_resources;
  }
  return {};
}

Status passExtenders(const Extenders& extenders, const api::Pod& pod, std::vector<NodeInfo*>& nodes,
                     std::vector<std::unique_ptr<NodeInfo>>* bare,
                     const std::function<void(api::Symbol node, const Status&)>& reject) {
  for (Extender* extender : extenders) {
    if (nodes.empty()) break;
    if (!extender->isFilter() || !extender->isInterested(pod)) continue;
    const Extender::Filtered answer = extender->filter(pod, nodes);
    if (!answer.error.empty()) {
      if (extender->isIgnorable()) continue;
      nodes.clear();
      return Status::error(answer.error);
    }
    for (const auto& [at, reason] : answer.unresolvable) {
      reject(nodes[at]->name(), Status(Code::kUnschedulableAndUnresolvable, reason));
    }
    for (const auto& [at, reason] : answer.failed) reject(nodes[at]->name(), Status(Code::kUnschedulable, reason));
    std::vector<NodeInfo*> passed;
    for (const std::size_t at : answer.passed) {
      if (bare == nullptr || extender->isNodeCacheCapable()) {
        passed.push_back(nodes[at]);
        continue;
      }
      bare->push_back(std::make_unique<NodeInfo>());
      bare->back()->setNode(nodes[at]->nodePtr());
      passed.push_back(bare->back().get());
    }
    nodes = std::move(passed);
  }
  return {};
}

void askExtendersForScores(
    const Extenders& extenders, const api::Pod& pod, const std::vector<NodeInfo*>& nodes,
    const std::function<void(const Extender&, std::size_t, std::int64_t score, std::int64_t points)>& add) {
  for (Extender* extender : extenders) {
    if (!extender->isPrioritizer() || !extender->isInterested(pod)) continue;
    const Extender::Scored answer = extender->prioritize(pod, nodes);
    for (std::size_t i = 0; i < answer.scores.size(); ++i) {
      const std::int64_t points =
          times(times(answer.scores[i], extender->weight()), kMaxNodeScore / kMaxExtenderPriority);
      add(*extender, i, answer.scores[i], points);
    }
  }
}

}  // namespace podberth::scheduler
