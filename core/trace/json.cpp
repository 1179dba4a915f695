#include <algorithm>
#include <cstdlib>

#include "core/trace/json_text.h"
#include "core/trace/recorder.h"

namespace podberth::trace {

namespace {

// Length of the valid UTF-8 sequence at the start of `s`; 0 if there is none.
std::size_t sequence(std::string_view s) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(s[i]); };
  const auto tail = [&](std::size_t i) { return i < s.size() && (byte(i) & 0xC0U) == 0x80U; };
  const unsigned char c = byte(0);
  if (c < 0x80) return 1;
  if (c >= 0xC2 && c <= 0xDF) return tail(1) ? 2 : 0;
  if (c >= 0xE0 && c <= 0xEF) {
    if (!tail(1) || !tail(2)) return 0;
    if (c == 0xE0 && byte(1) < 0xA0) return 0;
    if (c == 0xED && byte(1) > 0x9F) return 0;
    return 3;
  }
  if (c >= 0xF0 && c <= 0xF4) {
    if (!tail(1) || !tail(2) || !tail(3)) return 0;
    if (c == 0xF0 && byte(1) < 0x90) return 0;
    if (c == 0xF4 && byte(1) > 0x8F) return 0;
    return 4;
  }
  return 0;
}

void status(JsonText& json, const NodeStatus& s) {
  json.beginObject().key("code").string(s.code);
  json.optional("plugin", s.plugin).optional("reasons", s.reasons).endObject();
}

void queues(JsonText& json, const Queues& q) {
  json.key("state").beginObject();
  json.key("active").strings(q.active);
  json.key("backoff").strings(q.backoff);
  json.key("unschedulable").strings(q.unschedulable);
  json.endObject();
}

void scores(JsonText& json, const Cycle& c) {
  if (c.scores.empty()) return;
  json.key("scores").beginObject();
  for (const auto& [node, s] : c.scores) {
    json.key(node).beginObject().key("total").number(s.total);
    json.key("plugins").beginObject();
    for (const PluginScore& p : s.plugins) json.key(p.plugin).number(p.weighted);
    json.endObject().key("raw").beginObject();
    for (const PluginScore& p : s.plugins) json.key(p.plugin).number(p.raw);
    json.endObject().endObject();
  }
  json.endObject();
}

void cycle(JsonText& json, const Cycle& c) {
  json.optional("profile", c.profile).optionalNumber("attempt", c.attempt).optional("nodes", c.nodes);
  if (c.pre_filter) {
    json.key("preFilter");
    status(json, *c.pre_filter);
  }
  if (c.pre_filter_nodes) json.optional("preFilterNodes", *c.pre_filter_nodes);
  if (!c.filters.empty()) {
    json.key("filters").beginObject();
    for (const auto& [node, s] : c.filters) {
      json.key(node);
      status(json, s);
    }
    json.endObject();
  }
  scores(json, c);
  json.optional("hint", c.hint).optional("host", c.host);
  json.optionalNumber("evaluated", c.evaluated).optionalNumber("feasible", c.feasible);
  json.optional("error", c.error);
  json.optional("unschedulablePlugins", c.unschedulable_plugins).optional("pendingPlugins", c.pending_plugins);
  if (c.post_filter) {
    json.key(c.post_filter_is_ours ? "x-postFilter" : "postFilter")
        .beginObject()
        .key("code")
        .string(c.post_filter->code);
    json.optional("nominated", c.post_filter->nominated).optional("message", c.post_filter->message).endObject();
  }
  if (c.summary) json.key("x-summary").boolean(true);
  queues(json, c.state);
}

void texts(JsonText& json, const char* key, const std::vector<std::pair<std::string, std::string>>& all) {
  if (all.empty()) return;
  json.key(key).beginObject();
  for (const auto& [name, text] : all) json.key(name).string(text);
  json.endObject();
}

}  // namespace

void extenderCall(JsonText& json, const ExtenderCall& call) {
  json.key("extender").string(call.name).key("verb").string(call.verb).key("url").string(call.url);
  json.key("nodes").strings(call.nodes);
  texts(json, "failed", call.failed);
  texts(json, "unresolvable", call.unresolvable);
  if (!call.scores.empty()) {
    json.key("weight").number(call.weight).key("scores").beginObject();
    for (const auto& [node, score] : call.scores) json.key(node).number(score);
    json.endObject();
  }
  if (call.verb == "preempt" && call.error.empty()) {
    json.key("victims").beginObject();
    for (const auto& [node, victims] : call.victims) json.key(node).strings(victims);
    json.endObject();
  }
  json.optional("error", call.error);
  if (call.ignored) json.key("ignored").boolean(true);
}

namespace {

void pods(JsonText& json, const std::map<std::string, PodState>& all) {
  if (all.empty()) return;
  json.key("pods").beginObject();
  for (const auto& [name, p] : all) {
    json.key(name).beginObject();
    json.optional("node", p.node).optional("nominated", p.nominated);
    json.optional("condition", p.condition).optional("message", p.message).endObject();
  }
  json.endObject();
}

}  // namespace

void appendQuoted(std::string& out, std::string_view text) {
  static const char* const kHex = "0123456789abcdef";
  out += '"';
  for (std::size_t i = 0; i < text.size();) {
    const char c = text[i];
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
      ++i;
    } else if (c == '\n') {
      out += "\\n";
      ++i;
    } else if (c == '\t') {
      out += "\\t";
      ++i;
    } else if (static_cast<unsigned char>(c) < 0x20) {
      out += "\\u00";
      out += kHex[static_cast<unsigned char>(c) >> 4U];
      out += kHex[static_cast<unsigned char>(c) & 0xFU];
      ++i;
    } else if (const std::size_t n = sequence(text.substr(i)); n > 0) {
      out += text.substr(i, n);
      i += n;
    } else {
      out += "\xEF\xBF\xBD";
      ++i;
    }
  }
  out += '"';
}

void appendSeconds(std::string& out, std::int64_t nanoseconds) {
  std::int64_t micros = nanoseconds / 1000;
  if (micros < 0) {
    out += '-';
    micros = -micros;
  }
  out += std::to_string(micros / 1000000);
  std::int64_t fraction = micros % 1000000;
  if (fraction == 0) return;
  std::string digits = std::to_string(fraction);
  digits.insert(0, 6 - digits.size(), '0');
  while (digits.back() == '0') digits.pop_back();
  out += '.';
  out += digits;
}

std::string secondsText(std::int64_t nanoseconds) {
  constexpr std::int64_t kMillionSeconds = 1000000LL * 1000000000LL;
  std::string out;
  appendSeconds(out, nanoseconds);
  if (nanoseconds < kMillionSeconds) return out;
  const std::size_t whole = std::min(out.find('.'), out.size());
  std::string digits = out.substr(0, whole);
  if (whole < out.size()) digits += out.substr(whole + 1);
  while (digits.size() > 1 && digits.back() == '0') digits.pop_back();
  const std::string exponent = std::to_string(whole - 1);
  out = digits.substr(0, 1);
  if (digits.size() > 1) out += "." + digits.substr(1);
  return out + (exponent.size() < 2 ? "e+0" : "e+") + exponent;
}

void appendJson(std::string& out, const Entry& e, clock::Time start) {
  JsonText json(out);
  json.beginObject().key("t").seconds(e.at - start).key("type").string(typeName(e.type));
  if (!e.op_json.empty()) json.key("op").raw(e.op_json);
  json.optional("rejected", e.rejected).optional("pod", e.pod);
  if (e.cycle != nullptr) cycle(json, *e.cycle);
  if (e.extender != nullptr) extenderCall(json, *e.extender);
  json.optional("error", e.error).optional("event", e.event).optional("queue", e.queue);
  json.optional("queueingHint", e.queueing_hint).optional("plugins", e.plugins).optional("node", e.node);
  json.optional("reason", e.reason).optional("message", e.message).optional("plugin", e.plugin);
  json.optional("point", e.point);
  if (e.state) queues(json, *e.state);
  pods(json, e.pods);
  json.optional("gone", e.gone);
  json.endObject();
}

std::string toJson(const std::string& name, std::string_view version, const std::vector<Entry>& entries,
                   clock::Time start, const std::string& failure) {
  std::string out;
  JsonText head(out);
  head.beginObject().key("name").string(name).key("scheduler").string(version);
  head.optional("failure", failure).key("trace").raw("[");
  // Entries before the restart count from the beginning of the clock, as they happened before there was a t = 0.
  clock::Time zero = clock::kEpoch;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    if (entries[i].type == Type::kState) zero = start;
    out += i == 0 ? "\n" : ",\n";
    if (entries[i].sent_first) {
      Entry sent = entries[i];
      sent.rejected.clear();
      appendJson(out, sent, zero);
      out += ",\n";
    }
    appendJson(out, entries[i], zero);
  }
  out += "\n]}\n";
  return out;
}

}  // namespace podberth::trace
