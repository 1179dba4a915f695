#include "core/scheduler/config/sample_args.h"

#include <algorithm>

#include <nlohmann/json.hpp>

#include "core/api/document_reader.h"

namespace podberth::scheduler::config {
namespace {

using api::DocumentReader;

// The framework lets nobody wait longer.
constexpr double kLongestWait = 15.0 * 60;
constexpr double kLongestPreBind = 3600;
constexpr double kShortest = 0.001;

void reason(DocumentReader& reader, const char* key, SampleRule::Result result, SampleRule& rule) {
  rule.result = result;
  reader.text(key, rule.message);
  if (reader.ok() && rule.message.empty()) reader.problem("/" + std::string(key), "must not be empty");
}

void readWait(DocumentReader& wait, SampleRule& rule) {
  rule.result = SampleRule::Result::kWait;
  std::optional<clock::Duration> timeout;
  wait.seconds("timeoutSeconds", kShortest, kLongestWait, timeout);
  rule.timeout = timeout.value_or(rule.timeout);
  wait.seconds("approveAfterSeconds", kShortest, kLongestWait, rule.approve_after);
  wait.seconds("denyAfterSeconds", kShortest, kLongestWait, rule.deny_after);
  wait.text("denyMessage", rule.deny_message);
  if (!rule.deny_after.has_value() && wait.has("denyMessage")) {
    wait.problem("/denyMessage", "goes with denyAfterSeconds only");
  }
  if (rule.deny_message.empty()) rule.deny_message = "denied after waiting";
  wait.object("approveWhen", [&rule](DocumentReader& when) {
    rule.approve_pods.emplace();
    when.selector("podSelector", *rule.approve_pods);
    if (!when.has("count")) when.problem("/count", "must say how many pods are needed");
    when.integer("count", 1, 100000, rule.approve_count);
  });
}

void readRule(DocumentReader& reader, std::string_view plugin, SampleRule& rule) {
  const bool permit = plugin == kSamplePermit;
  reader.selector("podSelector", rule.pods);
  if (reader.has("nodes")) {
    rule.nodes.emplace();
    reader.texts("nodes", *rule.nodes);
  }
  std::int64_t times = 0;
  const bool limited = reader.has("times");
  reader.integer("times", 1, 1000000, times);
  if (limited) rule.times = times;
  if (plugin == kSamplePreBind) {
    std::optional<clock::Duration> after;
    reader.seconds("afterSeconds", 0, kLongestPreBind, after);
    rule.after = after.value_or(0);
  }

  std::vector<const char*> results = {"approve", "reject", "error"};
  if (permit) results.push_back("wait");
  std::string given;
  std::size_t count = 0;
  for (const char* result : results) {
    if (!reader.has(result)) continue;
    given = result;
    ++count;
  }
  if (count != 1) {
    for (const char* result : results) reader.ignore(result);
    reader.problem("", permit ? "a rule needs exactly one of approve, reject, error or wait"
                              : "a rule needs exactly one of approve, reject or error");
  } else if (given == "approve") {
    bool yes = false;
    reader.flag("approve", yes);
    if (reader.ok() && !yes) reader.problem("/approve", "must be true; leave it out otherwise");
  } else if (given == "reject") {
    reason(reader, "reject", SampleRule::Result::kReject, rule);
  } else if (given == "error") {
    reason(reader, "error", SampleRule::Result::kError, rule);
  } else {
    reader.object("wait", [&rule](DocumentReader& wait) { readWait(wait, rule); });
  }
}

}  // namespace

bool isSamplePlugin(std::string_view plugin) {
  return plugin == kSamplePermit || plugin == kSampleReserve || plugin == kSamplePreBind;
}

bool readSampleArgs(std::string_view plugin, const std::string& json, SampleArgs& out,
                    std::vector<api::Issue>& issues) {
  if (json.empty()) return true;
  const nlohmann::json value = nlohmann::json::parse(json, nullptr, false);
  const std::size_t before = issues.size();
  DocumentReader reader(value, "", issues);
  if (!reader.ok()) return false;
  // As in the arguments of Kubernetes' own plugins; nothing depends on them.
  for (const char* key : {"apiVersion", "kind"}) reader.ignore(key);
  reader.list("rules", [plugin, &out](DocumentReader& rule) {
    out.rules.emplace_back();
    readRule(rule, plugin, out.rules.back());
  });
  reader.finish();
  return issues.size() == before;
}

const SampleRule* SampleArgs::find(const api::Pod& pod, std::string_view node,
                                   const std::vector<std::int64_t>& uses) const {
  for (std::size_t i = 0; i < rules.size(); ++i) {
    const SampleRule& rule = rules[i];
    if (!rule.pods.matches(pod.meta.labels)) continue;
    if (rule.nodes.has_value() && std::find(rule.nodes->begin(), rule.nodes->end(), node) == rule.nodes->end()) {
      continue;
    }
    if (rule.times.has_value() && i < uses.size() && uses[i] >= *rule.times) continue;
    return &rule;
  }
  return nullptr;
}

}  // namespace podberth::scheduler::config
