#include "core/session/own_documents.h"

#include <algorithm>
#include <set>
#include <utility>

#include "core/api/document_reader.h"
#include "core/api/names.h"
#include "core/scheduler/config/sample_args.h"

namespace podberth::session {
namespace {

using api::DocumentReader;
using scheduler::ExtenderRule;
using scheduler::ExtenderServer;

constexpr double kLongestSeconds = 31.0 * 24 * 3600;
constexpr const char* kApiVersion = "podberth/v1";

enum class Verb { kFilter, kPrioritize, kPreempt, kBind };

// The answers that a rule can give; which of them depends on what is asked.
const std::vector<const char*>& answersTo(Verb verb) {
  static const std::vector<const char*> filter = {"accept", "reject", "unresolvable", "error", "status", "unreachable"};
  static const std::vector<const char*> prioritize = {"score", "status", "unreachable"};
  static const std::vector<const char*> preempt = {"accept", "drop", "victims", "status", "unreachable"};
  static const std::vector<const char*> bind = {"accept", "error", "status", "unreachable"};
  switch (verb) {
    case Verb::kFilter:
      return filter;
    case Verb::kPrioritize:
      return prioritize;
    case Verb::kPreempt:
      return preempt;
    case Verb::kBind:
      return bind;
  }
  return filter;
}

std::string listed(const std::vector<const char*>& names) {
  std::string out;
  for (std::size_t i = 0; i < names.size(); ++i) {
    out += (i == 0 ? "" : i + 1 == names.size() ? " or " : ", ") + std::string(names[i]);
  }
  return out;
}

// A text that says something.
void reason(DocumentReader& reader, const char* key, ExtenderRule::Answer answer, ExtenderRule& rule) {
  rule.answer = answer;
  reader.text(key, rule.text);
  if (reader.ok() && rule.text.empty()) reader.problem("/" + std::string(key), "must not be empty");
}

// `true`, so that the rule can be read aloud.
void mark(DocumentReader& reader, const char* key, ExtenderRule::Answer answer, ExtenderRule& rule) {
  rule.answer = answer;
  bool yes = false;
  reader.flag(key, yes);
  if (reader.ok() && !yes) reader.problem("/" + std::string(key), "must be true; leave it out otherwise");
}

void readAnswer(DocumentReader& reader, Verb verb, ExtenderRule& rule) {
  std::vector<std::string> given;
  for (const char* name : answersTo(verb)) {
    if (reader.has(name)) given.emplace_back(name);
  }
  if (given.size() != 1) {
    // The members are known all the same.
    for (const char* name : answersTo(verb)) reader.ignore(name);
    reader.problem("", "a rule needs exactly one of " + listed(answersTo(verb)));
    return;
  }
  using Answer = ExtenderRule::Answer;
  const std::string& answer = given[0];
  if (answer == "accept") {
    mark(reader, "accept", Answer::kAccept, rule);
  } else if (answer == "reject") {
    reason(reader, "reject", Answer::kReject, rule);
  } else if (answer == "unresolvable") {
    reason(reader, "unresolvable", Answer::kUnresolvable, rule);
  } else if (answer == "score") {
    rule.answer = Answer::kScore;
    reader.integer("score", 0, 10, rule.score);
  } else if (answer == "drop") {
    mark(reader, "drop", Answer::kDrop, rule);
  } else if (answer == "victims") {
    rule.answer = Answer::kVictims;
    reader.texts("victims", rule.victims);
  } else if (answer == "error") {
    reason(reader, "error", Answer::kError, rule);
  } else if (answer == "status") {
    rule.answer = Answer::kStatus;
    reader.integer("status", 100, 599, rule.score);
    if (reader.ok() && rule.score == 200) reader.problem("/status", "200 is no failure");
  } else {
    reason(reader, "unreachable", Answer::kUnreachable, rule);
  }
}

void readRule(DocumentReader& reader, Verb verb, ExtenderRule& rule) {
  reader.object("when", [&rule](DocumentReader& when) {
    std::optional<clock::Duration> from;
    when.selector("podSelector", rule.pods);
    when.text("namespace", rule.ns);
    when.text("resource", rule.resource);
    when.seconds("fromSecond", 0, kLongestSeconds, from);
    when.seconds("untilSecond", 0, kLongestSeconds, rule.until);
    rule.from = from.value_or(0);
    if (rule.until.has_value() && *rule.until <= rule.from) {
      when.problem("/untilSecond", "must be later than fromSecond");
    }
  });
  reader.object("nodes", [&rule](DocumentReader& nodes) {
    if (nodes.has("names")) rule.node_names.emplace();
    std::vector<std::string> ignored;
    nodes.texts("names", rule.node_names.has_value() ? *rule.node_names : ignored);
    nodes.selector("selector", rule.nodes);
  });
  readAnswer(reader, verb, rule);
  if (verb == Verb::kBind) {
    reader.flag("bound", rule.bound);
    if (rule.bound && !rule.fails()) reader.problem("/bound", "goes with error, status or unreachable only");
  }
}

void readRules(DocumentReader& spec, const char* key, Verb verb, std::vector<ExtenderRule>& out) {
  spec.list(key, [verb, &out](DocumentReader& reader) {
    out.emplace_back();
    readRule(reader, verb, out.back());
  });
}

void readExtender(DocumentReader& reader, ExtenderServer& out) {
  std::string version;
  std::string kind;
  reader.text("apiVersion", version);
  reader.text("kind", kind);
  if (version != kApiVersion) reader.problem("/apiVersion", "must be " + std::string(kApiVersion));
  if (kind != "Extender") reader.problem("/kind", "must be Extender");
  reader.object("metadata", [&out](DocumentReader& metadata) {
    metadata.text("name", out.name);
    for (const char* other : {"annotations", "labels"}) metadata.ignore(other);
  });
  if (out.name.empty()) {
    reader.problem("/metadata/name", "an Extender needs a name");
  } else {
    for (const std::string& wrong : api::names::isDns1123Subdomain(out.name, api::kWording))
      reader.problem("/metadata/name", wrong);
  }
  if (!reader.has("spec")) reader.problem("/spec", "an Extender needs a spec");
  reader.object("spec", [&out](DocumentReader& spec) {
    spec.text("urlPrefix", out.url_prefix);
    if (out.url_prefix.empty()) {
      spec.problem("/urlPrefix", "must be the urlPrefix of an extender of the KubeSchedulerConfiguration");
    }
    readRules(spec, "filter", Verb::kFilter, out.filter);
    readRules(spec, "prioritize", Verb::kPrioritize, out.prioritize);
    readRules(spec, "preempt", Verb::kPreempt, out.preempt);
    readRules(spec, "bind", Verb::kBind, out.bind);
  });
}

void warn(std::vector<api::Issue>& issues, std::string path, std::string message) {
  api::Issue issue;
  issue.severity = api::Issue::Severity::kWarning;
  issue.path = std::move(path);
  issue.message = std::move(message);
  issues.push_back(std::move(issue));
}

}  // namespace

bool readExtenders(const nlohmann::json& list, const std::string& path, std::vector<ExtenderServer>& out,
                   std::vector<api::Issue>& issues) {
  const std::size_t before = issues.size();
  if (!list.is_array()) {
    api::Issue issue;
    issue.path = path;
    issue.message = "must be a list of Extender documents";
    issues.push_back(std::move(issue));
    return false;
  }
  std::set<std::string> names;
  std::set<std::string> urls;
  for (std::size_t i = 0; i < list.size(); ++i) {
    DocumentReader reader(list[i], path + "/" + std::to_string(i), issues);
    out.emplace_back();
    if (!reader.ok()) continue;
    readExtender(reader, out.back());
    reader.finish();
    if (!names.insert(out.back().name).second && !out.back().name.empty()) {
      reader.problem("/metadata/name", "there is an Extender \"" + out.back().name + "\" already");
    }
    if (!urls.insert(scheduler::withoutSlashes(out.back().url_prefix)).second && !out.back().url_prefix.empty()) {
      reader.problem("/spec/urlPrefix", "another Extender answers there already");
    }
  }
  return issues.size() == before;
}

void checkExtenders(const std::vector<scheduler::config::Extender>& configured,
                    const std::vector<ExtenderServer>& servers, std::vector<api::Issue>& issues) {
  for (std::size_t i = 0; i < configured.size(); ++i) {
    const bool answered = std::any_of(servers.begin(), servers.end(), [&](const ExtenderServer& server) {
      return scheduler::answersFor(server, configured[i].url_prefix);
    });
    if (!answered) {
      warn(issues, "/config/extenders/" + std::to_string(i),
           "no Extender document answers for this urlPrefix: the extender is not called");
    }
  }
  for (std::size_t i = 0; i < servers.size(); ++i) {
    const std::string spec = "/extenders/" + std::to_string(i) + "/spec";
    // The configuration may name the same server more than once.
    std::vector<const scheduler::config::Extender*> asking;
    for (const scheduler::config::Extender& extender : configured) {
      if (scheduler::answersFor(servers[i], extender.url_prefix)) asking.push_back(&extender);
    }
    if (asking.empty()) {
      warn(issues, spec + "/urlPrefix", "no extender of the configuration has this urlPrefix: nobody asks");
      continue;
    }
    const auto unasked = [&](const std::vector<ExtenderRule>& rules, std::string scheduler::config::Extender::*verb,
                             const char* list, const char* field) {
      const bool asked = std::any_of(asking.begin(), asking.end(), [&](const auto* e) { return !(e->*verb).empty(); });
      if (!rules.empty() && !asked) {
        warn(issues, spec + "/" + list,
             "the configuration gives this extender no " + std::string(field) + ": these rules are never asked");
      }
    };
    unasked(servers[i].filter, &scheduler::config::Extender::filter_verb, "filter", "filterVerb");
    unasked(servers[i].prioritize, &scheduler::config::Extender::prioritize_verb, "prioritize", "prioritizeVerb");
    unasked(servers[i].preempt, &scheduler::config::Extender::preempt_verb, "preempt", "preemptVerb");
    unasked(servers[i].bind, &scheduler::config::Extender::bind_verb, "bind", "bindVerb");
  }
}

void checkSampleArgs(const nlohmann::json& config, std::vector<api::Issue>& issues) {
  const auto member = [](const nlohmann::json& object, const char* key) -> const nlohmann::json& {
    static const nlohmann::json kNone;
    if (!object.is_object()) return kNone;
    const auto it = object.find(key);
    return it == object.end() ? kNone : *it;
  };
  const nlohmann::json& profiles = member(config, "profiles");
  for (std::size_t i = 0; profiles.is_array() && i < profiles.size(); ++i) {
    const nlohmann::json& plugins = member(profiles[i], "pluginConfig");
    for (std::size_t j = 0; plugins.is_array() && j < plugins.size(); ++j) {
      const nlohmann::json& name = member(plugins[j], "name");
      const nlohmann::json& args = member(plugins[j], "args");
      if (!name.is_string() || args.is_null()) continue;
      const auto& plugin = name.get_ref<const std::string&>();
      if (!scheduler::config::isSamplePlugin(plugin)) continue;
      scheduler::config::SampleArgs ignored;
      std::vector<api::Issue> own;
      scheduler::config::readSampleArgs(plugin, args.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace),
                                        ignored, own);
      for (api::Issue& issue : own) {
        issue.path.insert(0, "/config/profiles/" + std::to_string(i) + "/pluginConfig/" + std::to_string(j) + "/args");
        issues.push_back(std::move(issue));
      }
    }
  }
}

}  // namespace podberth::session
