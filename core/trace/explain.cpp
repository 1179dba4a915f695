#include "core/trace/explain.h"

#include <algorithm>
#include <map>
#include <string_view>
#include <utility>

namespace podberth::trace {

namespace {

std::string join(const std::vector<std::string>& parts, const char* with) {
  std::string out;
  for (const std::string& part : parts) {
    if (!out.empty()) out += with;
    out += part;
  }
  return out;
}

// What the events of the queue mean.
std::string because(const std::string& event) {
  static const std::map<std::string, std::string> kWords = {
      {"UnscheduledPodAdd", "it is new"},
      {"UnscheduledPodUpdate", "it was changed"},
      {"AssignedPodAdd", "another pod got a node"},
      {"AssignedPodDelete", "a pod left a node"},
      {"NodeAdd", "a node was added"},
      {"NodeDelete", "a node was deleted"},
      {"NodeUpdateNodeAllocatable", "a node's allocatable resources changed"},
      {"NodeUpdateNodeLabel", "a node's labels changed"},
      {"NodeUpdateNodeTaint", "a node's taints changed"},
      {"NodeUpdateNodeCondition", "a node's conditions changed"},
      {"TargetPodUpdatePodSchedulingGatesEliminated", "its last scheduling gate was removed"},
      {"TargetPodUpdatePodToleration", "it was given a toleration"},
      {"TargetPodUpdatePodLabel", "its labels changed"},
      {"TargetPodUpdatePodScaleDown", "it asks for less"},
      {"TargetPodUpdate", "it was changed"},
      {"AssignedPodUpdate", "a pod on a node changed"},
      {"AssignedPodUpdatePodLabel", "the labels of a pod on a node changed"},
      {"AssignedPodUpdatePodScaleDown", "a pod on a node asks for less"},
      {"PersistentVolumeAdd", "a volume was added"},
      {"PersistentVolumeClaimAdd", "a claim was added"},
      {"PersistentVolumeClaimUpdate", "a claim changed"},
      {"storage.k8s.io/StorageClassAdd", "a storage class was added"},
      {"storage.k8s.io/CSINodeAdd", "a node's storage drivers became known"},
      {"BackoffComplete", "its backoff is over"},
      {"PopFromBackoffQ", "activeQ is empty, so the scheduler takes the next pod of backoffQ early"},
      {"ScheduleAttemptFailure", "its attempt failed"},
      {"UnschedulableTimeout", "it has waited for more than five minutes"},
      {"ForceActivate", "a plugin asked for it"},
      // As v1.24 calls them.
      {"PodAdd", "it is new"},
      {"PodUpdate", "it was changed"},
      {"NodeSpecUnschedulableChange", "a node was cordoned or uncordoned"},
      {"NodeAllocatableChange", "a node's allocatable resources changed"},
      {"NodeLabelChange", "a node's labels changed"},
      {"NodeTaintChange", "a node's taints changed"},
      {"NodeConditionChange", "a node's conditions changed"},
      {"PvAdd", "a volume was added"},
      {"PvUpdate", "a volume changed"},
      {"PvcAdd", "a claim was added"},
      {"PvcUpdate", "a claim changed"},
      {"StorageClassAdd", "a storage class was added"},
      {"CSINodeAdd", "a node's storage drivers became known"},
      {"CSINodeUpdate", "a node's storage drivers changed"},
      {"ServiceAdd", "a service was added"},
      {"ServiceUpdate", "a service changed"},
      {"ServiceDelete", "a service was deleted"},
  };
  auto it = kWords.find(event);
  return it != kWords.end() ? it->second : event + " happened";
}

// What it means that an extension point has been passed.
std::string pointDone(const Entry& e, const std::string& pod) {
  const std::string node = e.node.empty() ? "the node" : e.node;
  static const std::map<std::string, std::pair<const char*, const char*>> kWords = {
      {"PreFilter", {"each plugin looks at ", " once, before any node"}},
      {"Filter", {"the nodes have been asked whether ", " can run there"}},
      {"PostFilter", {"preemption makes room for ", ""}},
      {"PreScore", {"plugins prepare to compare the nodes for ", ""}},
      {"Score", {"the nodes that fit have their points for ", ""}},
  };
  const auto it = kWords.find(e.point);
  std::string text = e.point + ": ";
  if (it != kWords.end()) {
    text += it->second.first + pod + it->second.second;
  } else if (e.point == "Reserve") {
    text += "the scheduler's cache counts " + pod + " on " + node + " from now on";
  } else if (e.point == "Permit" || e.point == "WaitOnPermit") {
    text += "nothing holds " + pod + " back";
  } else if (e.point == "PreBindPreFlight") {
    text += "plugins have work to do for " + pod + " before it is bound";
  } else if (e.point == "PreBind") {
    text += "what " + pod + " needs on " + node + " is ready";
  } else if (e.point == "Bind") {
    text += "the binding of " + pod + " to " + node + " is written";
  } else if (e.point == "PostBind") {
    text += "the attempt for " + pod + " is over";
  } else {
    text += pod + " passes";
  }
  if (!e.message.empty()) text += " (" + e.message + ")";
  return text;
}

// What it means that an extension point has ended otherwise.
std::string pointEnded(const Entry& e, const std::string& pod) {
  const std::string who = e.plugin.empty() ? "a plugin" : e.plugin;
  const std::string node = e.node.empty() ? "" : " on " + e.node;
  const std::string said = e.message.empty() ? "" : " (" + e.message + ")";
  const std::string start = e.point + ": ";
  if (e.reason == "Skip") return e.point + " of " + pod + node + ": nothing to do";
  if (e.reason == "Wait") return start + who + " lets " + pod + " wait" + node + said;
  if (e.reason == "Error") return start + who + " fails for " + pod + node + said;
  if (e.point == "PreFilter") return start + who + " rules " + pod + " out before any node is looked at" + said;
  if (e.point == "Filter") return start + "no node can run " + pod + said;
  if (e.point == "PostFilter") return start + "preemption makes no room for " + pod + said;
  return start + who + " stops " + pod + node + said;
}

// Where an attempt that found no node leaves its pod.
std::string afterFailure(const Entry& e, const std::string& pod) {
  const bool rejected = !e.plugins.empty();
  if (e.queue == "Unschedulable") {
    if (!rejected) return pod + " joins the unschedulable pods after its attempt";
    return pod + " joins the unschedulable pods and waits for something that could change the mind of " +
           join(e.plugins, ", ");
  }
  const std::string why =
      rejected ? "something that may help it happened during its attempt" : "its attempt ended with an error";
  if (e.queue != "Backoff") return pod + " goes back to activeQ: " + why;
  return pod + " goes to backoffQ: " + why + ", so it is tried again after a pause";
}

std::string ask(const ExtenderCall& call, const std::string& pod) {
  const std::string who = call.name + ", an extender,";
  if (!call.error.empty()) {
    return who + " fails to " + call.verb + " for " + pod + ": " + call.error +
           (call.ignored ? "; this is ignored" : "");
  }
  if (call.verb == "filter") {
    const std::size_t lost = call.failed.size() + call.unresolvable.size();
    if (lost == 0) return who + " has nothing against " + plural(call.nodes.size(), "node") + " for " + pod;
    std::map<std::string, std::size_t> reasons;
    for (const auto* list : {&call.failed, &call.unresolvable}) {
      for (const auto& [node, reason] : *list) ++reasons[reason];
    }
    std::vector<std::string> words;
    for (const auto& [reason, n] : reasons) words.push_back(reason);
    return who + " rejects " + std::to_string(lost) + " of " + plural(call.nodes.size(), "node") + " for " + pod +
           " (" + join(words, "; ") + ")";
  }
  if (call.verb == "prioritize") {
    std::vector<std::string> words;
    for (const auto& [node, score] : call.scores) {
      if (words.size() < 5) words.push_back(node + " " + std::to_string(score));
    }
    return who + " scores " + plural(call.nodes.size(), "node") + " for " + pod +
           " from 0 to 10: " + join(words, ", ") + (call.scores.size() > words.size() ? ", ..." : "");
  }
  if (call.verb == "preempt") {
    return who + " leaves " + std::to_string(call.victims.size()) + " of " + plural(call.nodes.size(), "node") +
           " where pods may be evicted for " + pod;
  }
  return who + " binds " + pod + " to " + join(call.nodes, ", ");
}

struct Rejection {
  std::size_t nodes = 0;
  std::map<std::string, std::size_t> reasons;
};

std::map<std::string, Rejection> rejections(const Cycle& c) {
  std::map<std::string, Rejection> out;
  for (const auto& [node, status] : c.filters) {
    if (status.code == "Success") continue;
    Rejection& r = out[status.plugin];
    ++r.nodes;
    for (const std::string& reason : status.reasons) ++r.reasons[reason];
  }
  return out;
}

std::string reasonsOf(const Rejection& r) {
  std::vector<std::string> words;
  for (const auto& [reason, n] : r.reasons) words.push_back(reason);
  return join(words, "; ");
}

std::string cycleSentence(const std::string& pod, const Cycle& c) {
  if (!c.host.empty()) {
    std::string text = pod + " goes to " + c.host;
    if (!c.hint.empty() && c.hint == c.host) return text + ": the node was next best for an equal pod a moment ago";
    if (c.feasible == 1) return text + ": the only node that passes the filters";
    const std::int64_t best = [&] {
      for (const auto& [node, s] : c.scores) {
        if (node == c.host) return s.total;
      }
      return std::int64_t{-1};
    }();
    if (best >= 0) {
      std::size_t ties = 0;
      for (const auto& [node, s] : c.scores) ties += s.total == best ? 1 : 0;
      text += " with " + std::to_string(best) + " points";
      if (ties > 1) text += ", tied with " + plural(ties - 1, "other node");
    }
    // A summary of a cycle names no nodes.
    const std::string all = c.nodes.empty() ? " nodes" : " of " + plural(c.nodes.size(), "node");
    return text + " (" + std::to_string(c.feasible) + all + " fit)";
  }
  if (c.pre_filter && c.pre_filter->code != "Success" && c.pre_filter->code != "Skip") {
    return pod + ": " + c.pre_filter->plugin + " rejected it before looking at any node (" +
           join(c.pre_filter->reasons, ", ") + ")";
  }
  std::vector<std::string> parts;
  for (const auto& [plugin, r] : rejections(c)) {
    parts.push_back(plugin + " rejected " + std::to_string(r.nodes) + " of " + plural(c.nodes.size(), "node") + " (" +
                    reasonsOf(r) + ")");
  }
  if (parts.empty()) return pod + ": " + c.error;
  return pod + ": " + join(parts, ", ");
}

}  // namespace

std::string plural(std::size_t n, const std::string& noun) {
  return std::to_string(n) + " " + noun + (n == 1 ? "" : "s");
}

std::string shortName(const std::string& key) {
  static const std::string kDefault = "default/";
  return key.compare(0, kDefault.size(), kDefault) == 0 ? key.substr(kDefault.size()) : key;
}

// A controller's write: "ReplicaSet web creates Pod web-x".
std::string controlSentence(const Entry& e) {
  const auto named = [](const std::string& titled) {  // "Kind key"
    const std::size_t space = titled.find(' ');
    return titled.substr(0, space + 1) + shortName(titled.substr(space + 1));
  };
  const std::string owner = named(e.message);
  const std::string object = e.point + " " + shortName(e.pod);
  if (!e.rejected.empty()) return "The API server refuses " + object + " of " + owner + ": " + e.rejected;
  if (e.reason == "create") return owner + " creates " + object;
  if (e.reason == "adopt") return owner + " takes in " + object;
  if (e.reason == "release") return owner + " lets go of " + object;
  if (e.reason == "end") return object + " has done its work";
  if (e.reason == "evict") return object + " is evicted: it does not tolerate a taint of " + owner;
  if (e.reason == "expire") return object + " is over and goes, as its time is up";
  if (e.reason == "delete")
    return e.message.rfind("Node ", 0) == 0 ? object + " goes, as its node is gone" : owner + " deletes " + object;
  constexpr std::string_view kScale = "scale to ";
  if (e.reason.rfind(kScale, 0) == 0) return owner + " scales " + object + " to " + e.reason.substr(kScale.size());
  if (e.reason.rfind("revision ", 0) == 0) return owner + " makes " + object + " its " + e.reason;
  if (e.reason == "update") return owner + " updates " + object;
  return owner + ": " + e.reason + " " + object;
}

std::string sentence(const Entry& e, const OpWords& op) {
  const std::string pod = shortName(e.pod);
  switch (e.type) {
    case Type::kOp: {
      if (!e.rejected.empty())
        return "The API server refuses to " + op.op + " " + op.kind + " " + op.name + ": " + e.rejected;
      if (op.op == "create") return op.kind + " " + op.name + " is created";
      if (op.op == "update") return op.kind + " " + op.name + " is updated";
      if (op.op == "delete") return op.kind + " " + op.name + " is deleted";
      if (op.op == "advance") return op.seconds + " s pass";
      return op.op;
    }
    case Type::kState:
      return "The scheduler is at rest";
    case Type::kCycle:
      return e.cycle == nullptr ? pod : cycleSentence(pod, *e.cycle);
    case Type::kMove: {
      const std::string queue = e.queue == "Active"    ? "activeQ"
                                : e.queue == "Backoff" ? "backoffQ"
                                                       : "the unschedulable pods";
      if (e.event == "ScheduleAttemptFailure") return afterFailure(e, pod);
      std::string text =
          pod + (e.event == "PopFromBackoffQ" ? " leaves backoffQ" : " moves to " + queue) + ": " + because(e.event);
      if (!e.plugins.empty() && e.queue == "Unschedulable") text += ", rejected by " + join(e.plugins, ", ");
      return text;
    }
    case Type::kSkip:
      return pod + " stays: " + because(e.event) + ", which does not help it";
    case Type::kInFlight:
      return e.event + " came while a pod was being scheduled; it is remembered";
    case Type::kPreEnqueue:
      return e.plugin + " keeps " + pod + " out of activeQ: " + e.message;
    case Type::kBind:
      return pod + " is bound to " + e.node;
    case Type::kEvict:
      return pod + " is evicted to make room for a pod of higher priority";
    case Type::kProvision:
      return "A volume is made for the claim " + pod + " on " + e.node;
    case Type::kBindVolume:
      return "The claim " + pod + " is bound to the volume " + e.node;
    case Type::kEvent:
      return pod + ": " + e.reason + ": " + e.message;
    case Type::kLog:
      return e.message + (e.error.empty() ? "" : ": " + e.error);
    case Type::kConfig:
      return "The scheduler does not start: " + e.error;
    case Type::kExtender:
      return e.extender == nullptr ? pod : ask(*e.extender, pod);
    case Type::kInformer:
      return e.reason + " " + e.pod + ": " + e.point + " " + e.event;
    case Type::kControl:
      return controlSentence(e);
    case Type::kPoint: {
      return e.reason == "Success" || e.reason.empty() ? pointDone(e, pod) : pointEnded(e, pod);
    }
  }
  return {};
}

std::vector<std::string> why(const std::string& key, const Cycle& c) {
  const std::string pod = shortName(key);
  std::vector<std::string> out;
  out.push_back("This is attempt " + std::to_string(c.attempt) + " of " + pod + ", with profile " + c.profile + ".");
  if (c.pre_filter && c.pre_filter->code != "Success" && c.pre_filter->code != "Skip") {
    out.push_back(c.pre_filter->plugin + " said " + c.pre_filter->code +
                  " before any node was looked at: " + join(c.pre_filter->reasons, ", ") + ".");
  }
  if (c.pre_filter_nodes) {
    out.push_back("PreFilter left " + plural(c.pre_filter_nodes->size(), "node") +
                  " to look at: " + join(*c.pre_filter_nodes, ", ") + ".");
  }
  std::size_t fit = 0;
  for (const auto& [node, status] : c.filters) fit += status.code == "Success" ? 1 : 0;
  for (const auto& [plugin, r] : rejections(c)) {
    out.push_back(plugin + " turned down " + std::to_string(r.nodes) + " of " + plural(c.nodes.size(), "node") + ": " +
                  reasonsOf(r) + ".");
  }
  if (!c.filters.empty()) out.push_back((fit == 0 ? "No node" : plural(fit, "node")) + " passed all filters.");
  if (c.evaluated > 0 && static_cast<std::size_t>(c.evaluated) < c.nodes.size() && !c.host.empty()) {
    out.push_back("The scheduler itself looked at " + std::to_string(c.evaluated) + " of " +
                  plural(c.nodes.size(), "node") + "; that was enough to decide.");
  }
  if (!c.hint.empty())
    out.push_back("The batch of equal pods proposed " + c.hint + ", so no other node was looked at.");
  if (!c.host.empty() && !c.scores.empty()) {
    const NodeScores* winner = nullptr;
    const NodeScores* second = nullptr;
    std::string second_name;
    for (const auto& [node, s] : c.scores) {
      if (node == c.host) {
        winner = &s;
      } else if (second == nullptr || s.total > second->total) {
        second = &s;
        second_name = node;
      }
    }
    if (winner != nullptr && second != nullptr) {
      const std::int64_t lead = winner->total - second->total;
      std::string text = c.host + " has " + std::to_string(winner->total) + " points, " + second_name + " " +
                         std::to_string(second->total) + ".";
      std::string plugin;
      std::int64_t most = 0;
      for (std::size_t i = 0; i < winner->plugins.size() && i < second->plugins.size(); ++i) {
        const std::int64_t d = winner->plugins[i].weighted - second->plugins[i].weighted;
        if (d > most) {
          most = d;
          plugin = winner->plugins[i].plugin;
        }
      }
      if (lead == 0) {
        text += " They are tied; the order of the scheduler's heap decides.";
      } else if (!plugin.empty()) {
        text += " " + plugin + " makes the largest difference: " + std::to_string(most) + " points.";
      }
      out.push_back(text);
    }
  }
  if (!c.host.empty()) {
    out.push_back(pod + " goes to " + c.host + ".");
  } else {
    out.push_back(
        pod + " stays pending. It is tried again when something happens that the plugins that rejected it care about.");
  }
  if (c.post_filter) {
    static const std::string kPrefix = "preemption: ";
    const std::string& message = c.post_filter->message;
    const std::string text =
        message.compare(0, kPrefix.size(), kPrefix) == 0 ? message.substr(kPrefix.size()) : message;
    out.push_back(!c.post_filter->nominated.empty() ? "Preemption makes room on " + c.post_filter->nominated + "."
                  : text.empty()                    ? "Preemption found no way."
                                                    : "Preemption found no way: " + text);
  }
  return out;
}

}  // namespace podberth::trace
