#include "core/session/score_words.h"

#include <algorithm>
#include <map>
#include <variant>

#include "core/scheduler/plugins/helper/resource_scorer.h"
#include "core/scheduler/plugins/node_resources_balanced_allocation/balanced_allocation.h"
#include "core/scheduler/plugins/node_resources_fit/node_resources_fit.h"

namespace podberth::session {

namespace {

namespace plugins = scheduler::plugins;
using plugins::ScoredResource;
using plugins::Usage;
using scheduler::kMaxNodeScore;

constexpr const char* kTimes = " \u00d7 ";

std::string number(std::int64_t n) { return std::to_string(n); }

// "1500m", "512Mi", "2".
std::string amount(const ScoredResource& resource, std::int64_t value) {
  constexpr std::int64_t kMebi = std::int64_t{1} << 20;
  if (resource.kind == ScoredResource::Kind::kCpu) return number(value) + "m";
  const bool bytes =
      resource.kind == ScoredResource::Kind::kMemory || resource.kind == ScoredResource::Kind::kEphemeralStorage;
  return bytes && value % kMebi == 0 ? number(value / kMebi) + "Mi" : number(value);
}

std::string nameOf(const ScoredResource& resource) { return resource.name.str(); }

// The node as the scheduler's snapshot had it: with the pods on it and those on their way.
scheduler::NodeInfo nodeAt(const ScoreQuestion& q, const BoardNode& node) {
  scheduler::NodeInfo info;
  info.setNode(node.object);
  for (const auto& [key, pod] : q.board.pods()) {
    const bool here = (pod.lane == Lane::kNode || pod.lane == Lane::kBinding) && pod.host == q.node;
    if (here && key != q.pod) info.addPod(pod.info);
  }
  return info;
}

struct Part {
  std::int64_t score;
  std::int64_t weight;
};

// "(43 + 75) / 2 = 59", with weights only where they differ from 1.
std::string mean(const std::vector<Part>& parts, std::int64_t result) {
  std::string text = "(";
  std::int64_t weights = 0;
  for (const Part& part : parts) {
    if (text.size() > 1) text += " + ";
    text += number(part.score) + (part.weight == 1 ? "" : kTimes + number(part.weight));
    weights += part.weight;
  }
  return text + ") / " + number(weights) + " = " + number(result);
}

std::vector<std::string> fitWords(const ScoreQuestion& q, const scheduler::NodeInfo& node, const api::Pod& pod,
                                  std::int64_t raw) {
  const auto* given = q.args == nullptr ? nullptr : std::get_if<scheduler::config::NodeResourcesFitArgs>(q.args);
  const scheduler::config::NodeResourcesFitArgs args =
      given == nullptr ? scheduler::config::NodeResourcesFitArgs() : *given;
  const bool least = args.scoring_strategy == "LeastAllocated";
  if (!least && args.scoring_strategy != "MostAllocated") return {};
  const std::vector<ScoredResource> resources = plugins::scoredResources(args.resources);
  const std::vector<std::int64_t> requests = plugins::podRequestsOf(pod, resources, plugins::RequestKind::kNonZero);
  std::vector<std::string> lines;
  std::vector<Part> parts;
  std::int64_t sum = 0;
  std::int64_t weights = 0;
  for (std::size_t i = 0; i < resources.size(); ++i) {
    const Usage u = plugins::usageOf(resources[i], requests[i], node, node.non_zero_requested);
    if (u.allocatable == 0) continue;
    const std::int64_t score = least ? plugins::leastRequestedScore(u.requested, u.allocatable)
                                     : plugins::mostRequestedScore(u.requested, u.allocatable);
    const std::string whole = amount(resources[i], u.allocatable);
    const std::string taken = amount(resources[i], u.requested);
    const std::string counted = least ? "(" + whole + " - " + taken + ")" : taken;
    lines.push_back(nameOf(resources[i]) + ": with the pod " + taken + " of " + whole + " are requested; " + counted +
                    kTimes + "100 / " + whole + " = " + number(score));
    parts.push_back({score, resources[i].weight});
    sum += score * resources[i].weight;
    weights += resources[i].weight;
  }
  if (weights == 0 || sum / weights != raw) return {};
  if (parts.size() > 1) lines.push_back(mean(parts, raw));
  return lines;
}

std::vector<std::string> balanceWords(const ScoreQuestion& q, const scheduler::NodeInfo& node, const api::Pod& pod,
                                      std::int64_t raw) {
  using Args = scheduler::config::NodeResourcesBalancedAllocationArgs;
  const auto* given = q.args == nullptr ? nullptr : std::get_if<Args>(q.args);
  const std::vector<ScoredResource> resources =
      plugins::scoredResources(given == nullptr ? Args().resources : given->resources);
  std::vector<std::string> out;
  // One release counts containers that ask for nothing with a minimum, another counts requests as written.
  for (const plugins::RequestKind kind : {plugins::RequestKind::kPlain, plugins::RequestKind::kNonZero}) {
    const std::vector<std::int64_t> requests = plugins::podRequestsOf(pod, resources, kind);
    const scheduler::Resource& taken = kind == plugins::RequestKind::kPlain ? node.requested : node.non_zero_requested;
    std::vector<double> with_pod;
    std::vector<double> without_pod;
    std::string shares;
    for (std::size_t i = 0; i < resources.size(); ++i) {
      const Usage u = plugins::usageOf(resources[i], requests[i], node, taken);
      if (u.allocatable == 0) continue;
      const auto whole = static_cast<double>(u.allocatable);
      with_pod.push_back(std::min(1.0, static_cast<double>(u.requested) / whole));
      without_pod.push_back(std::min(1.0, static_cast<double>(u.allocated) / whole));
      shares += (shares.empty() ? "" : " and ") + number(static_cast<std::int64_t>(with_pod.back() * 100 + 0.5)) +
                " % of " + nameOf(resources[i]);
    }
    if (with_pod.empty()) continue;
    const std::int64_t with = plugins::balanceOfFractions(with_pod.data(), with_pod.size());
    const std::int64_t without = plugins::balanceOfFractions(without_pod.data(), without_pod.size());
    const std::string balance = "with the pod " + shares + " are requested: balanced to " + number(with) + " of 100";
    if (kMaxNodeScore / 2 + (kMaxNodeScore / 2 + with - without) / 2 == raw) {
      return {balance + ", without it to " + number(without),
              "50 + (50 + " + number(with) + " - " + number(without) + ") / 2 = " + number(raw)};
    }
    if (with == raw) out = {balance};
  }
  return out;
}

// What the raw score of a plugin counts.
const char* meaning(const std::string& plugin) {
  static const std::map<std::string, const char*> kWords = {
      {"NodeAffinity", "the weights of the pod's preferences that the node meets, added up"},
      {"TaintToleration", "taints with PreferNoSchedule that the pod does not tolerate"},
      {"PodTopologySpread", "matching pods in the node's places; fewer is better"},
      {"SelectorSpread", "pods of the same services and controller on the node; fewer there and in its zone is better"},
      {"InterPodAffinity", "the weights of affinity terms that match here, less those of anti-affinity"},
      {"VolumeBinding", "how well the volumes or the free storage there fit what the pod's claims ask for"},
      {"ImageLocality", "how much of the pod's images the node has already, from 23 MB to 1000 MB a container"},
  };
  const auto it = kWords.find(plugin);
  return it == kWords.end() ? "" : it->second;
}

// Nodes without all topology keys get no points and do not count as the lowest; any other node with 0 would get 100.
bool isUncompared(const std::string& plugin, const trace::PluginScore& p) {
  return plugin == "PodTopologySpread" && p.raw == 0 && p.normalized == 0;
}

// From the raw score to one of 0..100; "" if the rule that is known here does not lead there.
std::string normalization(const std::string& plugin, const trace::PluginScore& p, std::int64_t lowest,
                          std::int64_t highest) {
  const std::string raw = number(p.raw);
  const std::string result = " = " + number(p.normalized);
  const std::string top = number(highest);
  std::int64_t value = -1;
  std::string text;
  if (isUncompared(plugin, p)) {
    value = 0;
    text = "0: the node lacks a topology key of the constraints, so it is not compared";
  } else if (plugin == "NodeAffinity") {
    value = highest == 0 ? 0 : kMaxNodeScore * p.raw / highest;
    text = highest == 0 ? "0: no node has any"
                        : "100" + (kTimes + raw) + " / " + top + result + "; " + top + " is the most that a node has";
  } else if (plugin == "TaintToleration") {
    value = highest == 0 ? kMaxNodeScore : kMaxNodeScore - kMaxNodeScore * p.raw / highest;
    text = highest == 0
               ? "100: no node has any"
               : "100 - 100" + (kTimes + raw) + " / " + top + result + "; " + top + " is the most that a node has";
  } else if (plugin == "PodTopologySpread" && highest == 0) {
    value = kMaxNodeScore;
    text = "100: no node has any";
  } else if (plugin == "InterPodAffinity" && highest == lowest) {
    value = 0;
    text = "0: all nodes have the same";
  } else if (plugin == "PodTopologySpread") {
    value = kMaxNodeScore * (highest + lowest - p.raw) / highest;
    text = "100" + std::string(kTimes) + "(" + top + " + " + number(lowest) + " - " + raw + ") / " + top + result +
           "; from " + number(lowest) + " to " + top + " is what nodes have";
  } else if (plugin == "InterPodAffinity" && highest > lowest) {
    value = static_cast<std::int64_t>(static_cast<double>(kMaxNodeScore) *
                                      (static_cast<double>(p.raw - lowest) / static_cast<double>(highest - lowest)));
    text = "100" + std::string(kTimes) + "(" + raw + " - " + number(lowest) + ") / (" + top + " - " + number(lowest) +
           ")" + result + "; from " + number(lowest) + " to " + top + " is what nodes have";
  }
  return value == p.normalized ? text : std::string();
}

}  // namespace

std::vector<std::string> scoreWords(const ScoreQuestion& q) {
  const trace::PluginScore* score = nullptr;
  std::int64_t lowest = 0;
  std::int64_t highest = 0;
  bool first = true;
  for (const auto& [node, s] : q.cycle.scores) {
    for (const trace::PluginScore& p : s.plugins) {
      if (p.plugin != q.plugin) continue;
      if (node == q.node) score = &p;
      if (isUncompared(q.plugin, p)) continue;
      lowest = first ? p.raw : std::min(lowest, p.raw);
      highest = first ? p.raw : std::max(highest, p.raw);
      first = false;
    }
  }
  std::vector<std::string> lines;
  if (score == nullptr) return lines;
  const auto node = q.board.nodes().find(q.node);
  const auto pod = q.board.pods().find(q.pod);
  if (node != q.board.nodes().end() && node->second.object != nullptr && pod != q.board.pods().end()) {
    const api::Pod& object = *pod->second.object;
    if (q.plugin == "NodeResourcesFit") lines = fitWords(q, nodeAt(q, node->second), object, score->raw);
    if (q.plugin == "NodeResourcesBalancedAllocation") {
      lines = balanceWords(q, nodeAt(q, node->second), object, score->raw);
    }
  }
  if (lines.empty()) {
    const std::string what = meaning(q.plugin);
    lines.push_back("raw " + number(score->raw) + (what.empty() ? "" : ": " + what));
  }
  const std::string text = normalization(q.plugin, *score, lowest, highest);
  if (!text.empty()) {
    lines.push_back(text);
  } else if (score->raw != score->normalized) {
    lines.push_back("normalised " + number(score->normalized) + ": compared with the scores of the other nodes");
  }
  lines.push_back(number(score->normalized) + kTimes + "weight " + number(q.weight) + " = " + number(score->weighted));
  return lines;
}

}  // namespace podberth::session
