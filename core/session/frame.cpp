// The frame of a step and the details of an attempt, as JSON.
#include <algorithm>
#include <optional>
#include <utility>

#include "core/base/sort.h"
#include "core/scheduler/config/expand.h"
#include "core/scheduler/config/load.h"
#include "core/scheduler/framework/extender.h"
#include "core/scheduler/plugins/registry.h"
#include "core/session/score_words.h"
#include "core/session/session.h"
#include "core/trace/json_text.h"

namespace podberth::session {

using nlohmann::json;
using trace::JsonText;

namespace {

const char* kindOf(const trace::Entry& e) {
  const bool point = e.type == trace::Type::kPoint || e.type == trace::Type::kExtender;
  return point ? "point" : e.type == trace::Type::kControl ? "control" : trace::typeName(e.type);
}

std::string podGroup(const api::Pod& pod) {
  for (const api::OwnerReference& owner : pod.meta.owner_references) {
    if (owner.controller.value_or(false)) return owner.kind + "/" + owner.name;
  }
  for (const char* key : {"app.kubernetes.io/name", "app", "k8s-app", "name"}) {
    if (const api::Symbol* value = pod.meta.labels.find(api::Symbol(key)); value != nullptr) {
      return std::string(key) + "=" + value->str();
    }
  }
  return pod.key();
}

void points(JsonText& text, const std::vector<PointResult>& results, bool binding_only) {
  text.key("points").beginArray();
  for (const PointResult& p : results) {
    if (binding_only && !ofBinding(p.point)) continue;
    text.beginObject().key("point").string(p.point);
    text.key("code").string(p.code.empty() ? "Success" : p.code).optional("plugin", p.plugin).endObject();
  }
  text.endArray();
}

void writePod(JsonText& text, const BoardPod& pod) {
  const api::Pod& o = *pod.object;
  text.beginObject().key("phase").string(o.status.phase.empty() ? "Pending" : o.status.phase);
  text.key("node").string(pod.lane == Lane::kNode ? pod.host : o.spec.node_name);
  text.key("nominated").string(o.status.nominated_node_name);
  const api::PodCondition* c = o.status.condition("PodScheduled");
  text.key("condition").string(c == nullptr ? "" : c->status + (c->reason.empty() ? "" : " " + c->reason));
  text.key("message").string(c == nullptr ? "" : c->message);
  text.key("priority").number(o.priority());
  text.key("group").string(podGroup(o));
  text.key("scheduler").string(o.spec.scheduler_name);
  text.key("requests").beginObject();
  text.optionalNumber("cpu", pod.info->requests.milli_cpu).optionalNumber("memory", pod.info->requests.memory);
  text.optionalNumber("ephemeral-storage", pod.info->requests.ephemeral_storage);
  for (const auto& [name, amount] : pod.info->requests.scalar) text.key(name).number(amount);
  text.endObject();
  text.key("gone").boolean(false).endObject();
}

void writeNode(JsonText& text, const std::string& name, const BoardNode& node) {
  text.beginObject().key("name").string(name);
  if (node.object == nullptr) {
    text.key("gone").boolean(true).key("pods").strings(node.pods).endObject();
    return;
  }
  const api::Node& o = *node.object;
  const api::Symbol* zone = o.meta.labels.find(api::Symbol("topology.kubernetes.io/zone"));
  text.key("zone").string(zone == nullptr ? "" : zone->str());
  text.key("unschedulable").boolean(o.spec.unschedulable);
  text.key("taints").beginArray();
  for (const api::Taint& taint : o.spec.taints) text.string(taint.str());
  text.endArray().key("labels").beginObject();
  for (const auto& [key, value] : o.meta.labels) text.key(key).string(value);
  text.endObject();
  const scheduler::Resource allocatable(o.status.allocatable);
  const auto amounts = [&](const scheduler::Resource& r, std::int64_t pods) {
    text.beginObject().key("cpu").number(r.milli_cpu).key("memory").number(r.memory).key("pods").number(pods);
    if (allocatable.ephemeral_storage != 0) text.key("ephemeral-storage").number(r.ephemeral_storage);
    for (const auto& [resource, amount] : r.scalar) text.key(resource).number(amount);
    text.endObject();
  };
  text.key("allocatable");
  amounts(allocatable, allocatable.allowed_pod_number);
  text.key("requested");
  amounts(node.requested, static_cast<std::int64_t>(node.pods.size()));
  text.key("pods").strings(node.pods).key("gone").boolean(false).endObject();
}

void writeMetrics(JsonText& text, const Metrics& m) {
  text.key("metrics").beginObject().key("attempts").beginObject();
  text.key("scheduled").number(m.scheduled()).key("unschedulable").number(m.unschedulable());
  text.key("error").number(m.errors()).endObject().key("evicted").number(m.evicted());
  text.key("moves").beginArray();
  for (const auto& [move, pods] : m.moves()) {
    text.beginObject().key("event").string(move.first).key("queue").string(move.second);
    text.key("pods").number(pods).endObject();
  }
  text.endArray().key("wait").beginObject().key("total").seconds(m.totalWait());
  text.key("longest").seconds(m.longestWait()).endObject().endObject();
}

void status(JsonText& text, const trace::NodeStatus& s) {
  text.beginObject().key("code").string(s.code).optional("plugin", s.plugin);
  text.key("reasons").strings(s.reasons).endObject();
}

// The filter plugins of a profile in the order in which they run.
std::vector<std::string> filterPlugins(const Scenario& scenario, const std::string& profile) {
  const scheduler::FeatureGates gates(*scenario.release);
  const scheduler::config::Loaded loaded = scheduler::config::load(scenario.config_text, gates);
  const scheduler::config::PointsOf points_of =
      scheduler::plugins::pointsOf(scenario.release->plugins, scenario.sample_plugins);
  for (const scheduler::config::Profile& p : loaded.config.profiles) {
    scheduler::config::ExpandedPlugins expanded;
    if (p.scheduler_name == profile && scheduler::config::expandPlugins(p, points_of, expanded).empty())
      return expanded.filter;
  }
  return {};
}

// The extenders' part in the attempt whose cycle is the entry at `index`.
std::vector<const trace::ExtenderCall*> extenderCalls(const std::vector<trace::Entry>& entries, std::size_t index,
                                                      const std::string& pod) {
  std::size_t first = index;
  while (first > 0 && entries[first - 1].type != trace::Type::kCycle) --first;
  std::vector<const trace::ExtenderCall*> out;
  for (std::size_t i = first; i < entries.size(); ++i) {
    if (entries[i].pod != pod) continue;
    if (i > index && (entries[i].type == trace::Type::kCycle || entries[i].point == "PreFilter")) break;
    const trace::ExtenderCall* call = entries[i].extender.get();
    if (call == nullptr) continue;
    // What came of an earlier attempt may still be told before this one's cycle.
    const bool of_nodes = call->verb == "filter" || call->verb == "prioritize";
    if (of_nodes == (i < index)) out.push_back(call);
  }
  return out;
}

void writeExtenders(JsonText& text, const std::vector<const trace::ExtenderCall*>& calls) {
  if (calls.empty()) return;
  text.key("extenders").beginArray();
  for (const trace::ExtenderCall* call : calls) {
    text.beginObject();
    trace::extenderCall(text, *call);
    text.endObject();
  }
  text.endArray();
}

// How the points that an extender gives a node come about; nothing if it is no extender.
std::vector<std::string> extenderScoreWords(const trace::Cycle& cycle, const std::string& node,
                                            const std::string& extender) {
  for (const auto& [name, weight] : cycle.x_extender_weights) {
    if (name != extender) continue;
    for (const auto& [scored, s] : cycle.scores) {
      if (scored != node) continue;
      for (const trace::PluginScore& p : s.plugins) {
        if (p.plugin != extender) continue;
        return {"the extender says " + std::to_string(p.raw) + " of 10",
                "x 10, as plugins give up to 100 points, = " + std::to_string(p.normalized),
                "x weight " + std::to_string(weight) + " = " + std::to_string(p.weighted)};
      }
    }
  }
  return {};
}

std::string memberText(const json& object, const char* key) {
  if (!object.is_object()) return {};
  auto it = object.find(key);
  return it != object.end() && it->is_string() ? it->get<std::string>() : std::string();
}

}  // namespace

trace::OpWords Session::words(const trace::Entry& entry) const {
  trace::OpWords words;
  if (entry.op_json.empty()) return words;
  const json op = json::parse(entry.op_json, nullptr, false);
  if (op.is_discarded() || !op.is_object()) return words;
  words.op = memberText(op, "op");
  words.kind = memberText(op, "kind");
  std::string ns = memberText(op, "namespace");
  words.name = memberText(op, "name");
  if (auto it = op.find("object"); it != op.end() && it->is_object()) {
    words.kind = memberText(*it, "kind");
    if (auto meta = it->find("metadata"); meta != it->end()) {
      words.name = memberText(*meta, "name");
      ns = memberText(*meta, "namespace");
    }
  }
  if (!ns.empty() && ns != "default") words.name.insert(0, ns + "/");
  if (auto it = op.find("seconds"); it != op.end()) words.seconds = it->dump();
  return words;
}

std::string Session::frame(bool all) {
  const std::vector<trace::Entry>& entries = simulation_->recorder().entries();
  const clock::Time zero = simulation_->recorder().start();
  const trace::Entry* entry = step_ == 0 ? nullptr : &entries[visible_[step_ - 1].entry];
  const std::size_t end = endOf(step_);
  const clock::Time now = entry != nullptr ? entry->at : zero;
  std::string out;
  JsonText text(out);
  text.beginObject().key("ok").boolean(true).key("issues").beginArray().endArray();
  text.key("step")
      .number(static_cast<std::int64_t>(step_))
      .key("steps")
      .number(static_cast<std::int64_t>(visible_.size()));
  text.key("done").boolean(simulation_->done()).key("t").seconds(now - zero);
  Hash hash;
  hash.add(step_ == 0 ? std::string("start") : std::to_string(visible_[step_ - 1].hash));
  hash.add(static_cast<std::int64_t>(board_.hash()));
  static const char* const kHex = "0123456789abcdef";
  std::string digits;
  for (int shift = 60; shift >= 0; shift -= 4) digits += kHex[(hash.value() >> static_cast<unsigned>(shift)) & 0xFU];
  text.key("hash").string(digits);
  const bool of_unit = step_ > 0 && visible_[step_ - 1].unit < units_.size();
  text.key("operation").number(of_unit ? static_cast<std::int64_t>(units_[visible_[step_ - 1].unit].step) : -1);
  if (entry != nullptr) {
    text.key("sentence").string(trace::sentence(*entry, words(*entry))).key("kind").string(kindOf(*entry));
    std::string entry_json;
    trace::appendJson(entry_json, *entry, zero);
    text.key("entry").raw(entry_json).key("focus").beginObject();
    const bool about_pod = entry->type != trace::Type::kProvision && entry->type != trace::Type::kBindVolume &&
                           (entry->type != trace::Type::kControl || entry->point == "Pod");
    if (about_pod) text.optional("pod", entry->pod);
    const std::string& host = entry->cycle != nullptr ? entry->cycle->host : entry->node;
    text.optional("node", host).endObject();
  } else {
    text.key("sentence")
        .string("")
        .key("kind")
        .string("start")
        .key("entry")
        .null()
        .key("focus")
        .beginObject()
        .endObject();
  }
  text.key("queues").beginObject().key("active").beginArray();
  for (const auto& [key, pod] : board_.lane(Lane::kActive)) {
    text.beginObject().key("pod").string(key).key("priority").number(pod->object->priority());
    text.key("attempts").number(pod->attempts).endObject();
  }
  text.endArray().key("backoff").beginArray();
  for (const auto& [key, pod] : board_.lane(Lane::kBackoff)) {
    text.beginObject().key("pod").string(key).key("until").seconds(pod->backoff_until - zero);
    text.key("left").seconds(std::max<clock::Duration>(0, pod->backoff_until - now));
    text.key("error").boolean(pod->plugins.empty()).key("attempts").number(pod->attempts).endObject();
  }
  text.endArray().key("unschedulable").beginArray();
  for (const auto& [key, pod] : board_.lane(Lane::kUnschedulable)) {
    text.beginObject().key("pod").string(key).key("plugins").strings(pod->plugins).key("gated").string(pod->gated);
    text.key("message").string(pod->message).key("attempts").number(pod->attempts).endObject();
  }
  text.endArray().endObject();
  text.key("cycle");
  const auto cycle = board_.pods().find(board_.inCycle());
  if (cycle == board_.pods().end()) {
    text.null();
  } else {
    text.beginObject().key("pod").string(cycle->first).key("attempt").number(cycle->second.attempts);
    text.key("profile").string(cycle->second.profile);
    points(text, cycle->second.points, false);
    text.key("host").string(cycle->second.host).endObject();
  }
  text.key("binding").beginArray();
  for (const auto& [key, pod] : board_.lane(Lane::kBinding)) {
    text.beginObject().key("pod").string(key).key("node").string(pod->host);
    points(text, pod->points, true);
    text.endObject();
  }
  text.endArray();
  writeMetrics(text, board_.metrics());
  auto [changed_pods, changed_nodes] = board_.takeChanged();
  text.key("pods").beginObject();
  if (all) {
    for (const auto& [key, pod] : board_.pods()) {
      text.key(key);
      writePod(text, pod);
    }
  } else {
    for (const std::string& key : changed_pods) {
      text.key(key);
      auto it = board_.pods().find(key);
      if (it == board_.pods().end()) {
        text.beginObject().key("gone").boolean(true).endObject();
      } else {
        writePod(text, it->second);
      }
    }
  }
  text.endObject().key("nodes").beginArray();
  if (all) {
    for (const auto& [name, node] : board_.nodes()) writeNode(text, name, node);
  } else {
    for (const std::string& name : changed_nodes) {
      auto it = board_.nodes().find(name);
      if (it == board_.nodes().end()) {
        text.beginObject()
            .key("name")
            .string(name)
            .key("gone")
            .boolean(true)
            .key("pods")
            .beginArray()
            .endArray()
            .endObject();
      } else {
        writeNode(text, name, it->second);
      }
    }
  }
  text.endArray();
  text.key("all").boolean(all).key("nodeOrder").strings(board_.nodeOrder());
  // Events that came with the step, as kubectl describe would list them.
  text.key("events").beginArray();
  for (std::size_t i = step_ == 0 ? 0 : visible_[step_ - 1].entry; i < end; ++i) {
    if (entries[i].type != trace::Type::kEvent) continue;
    text.beginObject().key("pod").string(entries[i].pod).key("reason").string(entries[i].reason);
    text.key("message").string(entries[i].message).endObject();
  }
  text.endArray().endObject();
  return out;
}

const trace::Entry* Session::findCycle(const json& query, std::size_t* step) const {
  const std::vector<trace::Entry>& entries = simulation_->recorder().entries();
  if (!query.is_object()) return nullptr;
  if (auto s = query.find("step"); s != query.end() && s->is_number_unsigned()) {
    const std::size_t n = std::min(s->get<std::size_t>(), visible_.size());
    if (n == 0) return nullptr;
    // The cycle that the step belongs to: its own entry, or the cycle of the same pod around it in the same unit.
    const trace::Entry& at = entries[visible_[n - 1].entry];
    const std::size_t unit = visible_[n - 1].unit;
    for (std::size_t i = 0; i < visible_.size(); ++i) {
      const trace::Entry& e = entries[visible_[i].entry];
      if (visible_[i].unit == unit && e.type == trace::Type::kCycle && (e.pod == at.pod || at.pod.empty())) {
        *step = i + 1;
        return &e;
      }
    }
    return nullptr;
  }
  const std::string pod = memberText(query, "pod");
  auto wanted = query.find("attempt");
  const std::int64_t attempt = wanted != query.end() && wanted->is_number_integer() ? wanted->get<std::int64_t>() : 0;
  const trace::Entry* found = nullptr;
  for (std::size_t i = 0; i < visible_.size(); ++i) {
    const trace::Entry& e = entries[visible_[i].entry];
    if (e.type != trace::Type::kCycle || e.pod != pod) continue;
    if (attempt == 0 || e.cycle->attempt == attempt) {
      found = &e;  // without a number: the last one
      *step = i + 1;
    }
  }
  return found;
}

std::shared_ptr<trace::Cycle> Session::detailed(std::size_t entry) const {
  const std::vector<trace::Entry>& entries = simulation_->recorder().entries();
  if (!entries[entry].cycle->summary) return entries[entry].cycle;
  // Run it again up to this cycle, and this cycle in full.
  std::size_t unit = 0;
  while (unit + 1 < units_.size() && units_[unit + 1].first_entry <= entry) ++unit;
  Simulation again(scenario_, options_);
  again.start();
  for (std::size_t i = 0; i < unit; ++i) again.runUnit();
  again.setDetailLimit(0);
  again.runUnit();
  if (entry >= again.recorder().entries().size()) return entries[entry].cycle;
  const trace::Entry& same = again.recorder().entries()[entry];
  return same.cycle != nullptr && same.pod == entries[entry].pod ? same.cycle : entries[entry].cycle;
}

Board Session::boardBefore(std::size_t entry) const {
  const std::vector<trace::Entry>& entries = simulation_->recorder().entries();
  const std::vector<ObjectChange>& changes = simulation_->changes();
  Board board;
  std::size_t change = 0;
  for (std::size_t i = 0; i <= entry; ++i) {
    while (change < changes.size() && changes[change].entry <= i) board.apply(changes[change++]);
    if (i < entry) board.apply(entries[i]);
  }
  return board;
}

std::string Session::attempt(const std::string& query_text) {
  if (simulation_ == nullptr) return answer(false, {{api::Issue::Severity::kError, "", "no scenario is loaded"}}, "");
  json query;
  std::vector<api::Issue> issues;
  if (!parseJson(query_text, query, issues)) return answer(false, issues, "");
  std::size_t step = 0;
  const trace::Entry* entry = findCycle(query, &step);
  if (entry == nullptr) return answer(false, {{api::Issue::Severity::kError, "", "there is no such attempt"}}, "");
  const std::vector<trace::Entry>& entries = simulation_->recorder().entries();
  const std::size_t index = visible_[step - 1].entry;
  const std::shared_ptr<trace::Cycle> cycle = detailed(index);
  const trace::Cycle& c = *cycle;
  std::string out;
  JsonText text(out);
  text.beginObject().key("ok").boolean(true).key("issues").beginArray().endArray();
  text.key("pod")
      .string(entry->pod)
      .key("attempt")
      .number(c.attempt)
      .key("step")
      .number(static_cast<std::int64_t>(step));
  text.key("t").seconds(entry->at - simulation_->recorder().start()).key("profile").string(c.profile);
  text.key("preFilter");
  if (c.pre_filter) {
    status(text, *c.pre_filter);
  } else {
    text.null();
  }
  text.key("preFilterNodes");
  if (c.pre_filter_nodes) {
    text.strings(*c.pre_filter_nodes);
  } else {
    text.null();
  }
  // One verdict a filter plugin, in the order in which they run. Only the rejections are recorded.
  std::vector<std::string> filters = filterPlugins(scenario_, c.profile);
  if (c.x_extenders) filters.emplace_back(scheduler::kExtenderName);
  text.key("plugins").strings(filters).key("nodes").beginArray();
  std::size_t verdict = 0;
  for (const auto& [node, s] : c.filters) {
    text.beginObject().key("name").string(node).key("code").string(s.code).optional("plugin", s.plugin);
    if (!c.x_looked_at.empty()) {
      text.key("evaluated").boolean(std::binary_search(c.x_looked_at.begin(), c.x_looked_at.end(), node));
    }
    text.key("reasons").strings(s.reasons).key("verdicts").beginArray();
    const bool rejected = verdict < c.x_verdicts.size() && c.x_verdicts[verdict].first == node;
    for (const std::string& plugin : filters) {
      const trace::NodeStatus* found = nullptr;
      if (rejected) {
        for (const trace::NodeStatus& v : c.x_verdicts[verdict].second) {
          if (v.plugin == plugin) found = &v;
        }
      }
      text.beginObject().key("code").string(found != nullptr ? found->code : "Success");
      // Extenders hear only of nodes that every plugin lets pass.
      if (plugin == scheduler::kExtenderName && rejected && found == nullptr) text.key("skipped").boolean(true);
      if (found != nullptr) text.optional("reasons", found->reasons);
      text.endObject();
    }
    if (rejected) ++verdict;
    text.endArray().endObject();
  }
  text.endArray();
  std::vector<std::pair<std::string, std::int64_t>> weights = c.x_extender_weights;
  for (const auto& [name, weight] : scoreWeights(c.profile)) weights.emplace_back(name, weight);
  text.key("scorePlugins").beginArray();
  if (!c.scores.empty()) {
    for (const trace::PluginScore& p : c.scores.front().second.plugins) {
      std::int64_t weight = 1;
      for (const auto& [name, w] : weights) {
        if (name == p.plugin) weight = w;
      }
      text.beginObject().key("name").string(p.plugin).key("weight").number(weight).endObject();
    }
  }
  text.endArray().key("scores").beginArray();
  std::vector<const std::pair<std::string, trace::NodeScores>*> sorted;
  for (const auto& s : c.scores) sorted.push_back(&s);
  base::stableSort(sorted, [&](const auto* a, const auto* b) {
    if (a->second.total != b->second.total) return a->second.total > b->second.total;
    return a->first == c.host && b->first != c.host;
  });
  for (const auto* s : sorted) {
    text.beginObject().key("node").string(s->first).key("total").number(s->second.total).key("plugins").beginArray();
    for (const trace::PluginScore& p : s->second.plugins) {
      text.beginObject().key("raw").number(p.raw).key("normalized").number(p.normalized);
      text.key("weighted").number(p.weighted).endObject();
    }
    text.endArray().endObject();
  }
  text.endArray().key("host").string(c.host).key("evaluated").number(c.evaluated).key("feasible").number(c.feasible);
  text.key("hint")
      .string(c.hint)
      .key("error")
      .string(c.error)
      .key("unschedulablePlugins")
      .strings(c.unschedulable_plugins);
  text.key("postFilter");
  const std::optional<trace::PostFilter>& post = entries[index].cycle->post_filter;
  if (post) {
    text.beginObject().key("code").string(post->code).key("nominated").string(post->nominated);
    text.key("message").string(post->message).endObject();
  } else {
    text.null();
  }
  std::string event;
  for (std::size_t i = index + 1; i < entries.size() && entries[i].type != trace::Type::kCycle; ++i) {
    if (entries[i].type == trace::Type::kEvent && entries[i].pod == entry->pod) event = entries[i].message;
  }
  text.key("event").string(event);
  writeExtenders(text, extenderCalls(entries, index, entry->pod));
  trace::Cycle told = c;
  told.post_filter = post;
  text.key("why").strings(trace::why(entry->pod, told)).endObject();
  return out;
}

std::string Session::explain(const std::string& query_text) {
  if (simulation_ == nullptr) return answer(false, {{api::Issue::Severity::kError, "", "no scenario is loaded"}}, "");
  json query;
  std::vector<api::Issue> issues;
  if (!parseJson(query_text, query, issues)) return answer(false, issues, "");
  const std::vector<trace::Entry>& entries = simulation_->recorder().entries();
  std::vector<std::string> lines;
  std::string title;
  if (const std::string name = memberText(query, "pod"); !name.empty()) {
    title = trace::shortName(name);
    for (std::size_t i = 0; i < std::min(step_, visible_.size()); ++i) {
      const trace::Entry& e = entries[visible_[i].entry];
      if (e.pod == name && e.type != trace::Type::kPoint) lines.push_back(trace::sentence(e, words(e)));
    }
  } else if (const std::string node_name = memberText(query, "node"); !node_name.empty()) {
    title = node_name;
    auto it = board_.nodes().find(node_name);
    if (it != board_.nodes().end()) {
      for (const std::string& key : it->second.pods) {
        auto pod = board_.pods().find(key);
        if (pod == board_.pods().end()) continue;
        const scheduler::Resource& r = pod->second.info->requests;
        lines.push_back(trace::shortName(key) + " takes " + std::to_string(r.milli_cpu) + "m CPU and " +
                        std::to_string(r.memory / (1 << 20)) + "Mi memory");
      }
      if (lines.empty()) lines.emplace_back("No pod runs here.");
    }
  } else if (query.is_object() && query.contains("score") && query["score"].is_object()) {
    const json& score = query["score"];
    std::size_t step = 0;
    const trace::Entry* entry = findCycle(score, &step);
    const std::string node = memberText(score, "node");
    const std::string plugin = memberText(score, "plugin");
    if (entry != nullptr) {
      const std::size_t index = visible_[step - 1].entry;
      const std::shared_ptr<trace::Cycle> cycle = detailed(index);
      title = plugin + " for " + node;
      std::int64_t weight = 1;
      for (const auto& [scored, w] : scoreWeights(cycle->profile)) {
        if (scored == plugin) weight = w;
      }
      const Board before = boardBefore(index);
      const scheduler::config::Loaded config =
          scheduler::config::load(scenario_.config_text, scheduler::FeatureGates(*scenario_.release));
      const scheduler::config::PluginArgs* args = nullptr;
      for (const scheduler::config::Profile& p : config.config.profiles) {
        if (p.scheduler_name == cycle->profile) args = p.args(plugin);
      }
      lines = extenderScoreWords(*cycle, node, plugin);
      if (lines.empty()) lines = scoreWords({*cycle, before, entry->pod, node, plugin, args, weight});
    }
  }
  std::string members;
  JsonText text(members);
  text.key("title").string(title).key("lines").beginArray();
  for (const std::string& line : lines) text.beginObject().key("text").string(line).endObject();
  text.endArray();
  return answer(true, {}, members);
}

}  // namespace podberth::session
