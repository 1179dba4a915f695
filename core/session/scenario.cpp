#include "core/session/scenario.h"

#include <cmath>
#include <optional>

#include "core/api/raw_json.h"
#include "core/api/schema_release.h"
#include "core/session/own_documents.h"

namespace podberth::session {

using nlohmann::json;

namespace {

void problem(std::vector<api::Issue>& issues, std::string path, std::string message,
             api::Issue::Severity severity = api::Issue::Severity::kError) {
  api::Issue issue;
  issue.severity = severity;
  issue.path = std::move(path);
  issue.message = std::move(message);
  issues.push_back(std::move(issue));
}

std::string text(const json& object, const char* key) {
  auto it = object.find(key);
  return it != object.end() && it->is_string() ? it->get<std::string>() : std::string();
}

bool stringOrAbsent(const json& object, const char* key, const std::string& path, std::vector<api::Issue>& issues) {
  auto it = object.find(key);
  if (it == object.end() || it->is_null() || it->is_string()) return true;
  problem(issues, path + "/" + key, "must be a string");
  return false;
}

// Nanoseconds of a number of seconds, cut as Go cuts.
bool seconds(const json& value, clock::Duration limit, clock::Duration& out) {
  if (!value.is_number()) return false;
  const double nanos = value.get<double>() * 1e9;
  if (!(nanos >= 0) || nanos > static_cast<double>(limit)) return false;
  out = static_cast<clock::Duration>(nanos);
  return true;
}

bool readTiming(const json& value, Timing& timing, std::vector<api::Issue>& issues) {
  if (!value.is_object()) {
    problem(issues, "/timing", "must be an object");
    return false;
  }
  bool ok = true;
  for (const auto& [key, v] : value.items()) {
    clock::Duration* slot = key == "operationSeconds"    ? &timing.operation
                            : key == "cycleSeconds"      ? &timing.cycle
                            : key == "writeSeconds"      ? &timing.write
                            : key == "controllerSeconds" ? &timing.controller
                                                         : nullptr;
    if (slot == nullptr) {
      problem(issues, "/timing/" + key, "unknown field", api::Issue::Severity::kWarning);
    } else if (!seconds(v, clock::kMinute, *slot)) {
      problem(issues, "/timing/" + key, "must be a number of seconds from 0 to 60");
      ok = false;
    }
  }
  if (timing.cycle <= 0) {
    problem(issues, "/timing/cycleSeconds", "must be greater than 0");
    ok = false;
  }
  return ok;
}

// The items of a list as they were written, found together when the first is asked for: each by its own would read the
// whole text again.
class WrittenItems {
 public:
  WrittenItems(std::string_view source, std::string_view path) : source_(source), path_(path) {}
  std::string_view at(std::size_t i) {
    if (!items_) items_ = api::rawItems(api::rawValue(source_, path_));
    return i < items_->size() ? (*items_)[i] : std::string_view();
  }

 private:
  std::string_view source_;
  std::string_view path_;
  std::optional<std::vector<std::string_view>> items_;
};

// Whether the step is about an object that does not say what it is.
bool hasNamelessObject(const json& step) {
  const auto object = step.is_object() ? step.find("object") : step.end();
  return step.is_object() && object != step.end() && object->is_object() && !api::saysWhatItIs(*object);
}

}  // namespace

bool readFollowed(const json& trace, std::vector<scheduler::FollowedChoice>& out, std::vector<api::Issue>& issues) {
  const auto entries = trace.is_object() ? trace.find("trace") : trace.end();
  if (!trace.is_object() || entries == trace.end() || !entries->is_array()) {
    problem(issues, "/follow", "must be a trace, an object with a list \"trace\"");
    return false;
  }
  constexpr std::string_view kPreemptedOn = "Preempted by a pod on node ";
  for (const json& entry : *entries) {
    if (!entry.is_object()) continue;
    const std::string type = text(entry, "type");
    if (type == "cycle") {
      scheduler::FollowedChoice choice;
      choice.pod = text(entry, "pod");
      const auto attempt = entry.find("attempt");
      if (attempt != entry.end() && attempt->is_number_integer()) choice.attempt = attempt->get<int>();
      choice.host = text(entry, "host");
      out.push_back(std::move(choice));
    } else if (type == "event" && text(entry, "reason") == "Preempted" && !out.empty()) {
      // An attempt's victims are told of before the next attempt.
      const std::string message = text(entry, "message");
      if (message.rfind(kPreemptedOn, 0) == 0) out.back().preemption = message.substr(kPreemptedOn.size());
    }
  }
  return true;
}

bool parseJson(const std::string& input, json& out, std::vector<api::Issue>& issues) {
  if (input.size() > kMaxBytes) {
    problem(issues, "", "the document is larger than " + std::to_string(kMaxBytes >> 20U) + " MiB");
    return false;
  }
  bool too_deep = false;
  out = json::parse(
      input,
      [&too_deep](int depth, json::parse_event_t event, json&) {
        if ((event == json::parse_event_t::object_start || event == json::parse_event_t::array_start) &&
            depth > kMaxDepth) {
          too_deep = true;
          return false;
        }
        return true;
      },
      false);
  if (too_deep) {
    problem(issues, "", "the document is nested more than " + std::to_string(kMaxDepth) + " levels deep");
    return false;
  }
  if (out.is_discarded()) {
    problem(issues, "", "the document is not valid JSON");
    return false;
  }
  return true;
}

bool readOp(const json& value, const std::string& path, Op& out, std::vector<api::Issue>& issues,
            std::string_view source) {
  if (!value.is_object()) {
    problem(issues, path, "a step must be an object");
    return false;
  }
  for (const char* key : {"op", "kind", "namespace", "name"}) {
    if (!stringOrAbsent(value, key, path, issues)) return false;
  }
  const std::string op = text(value, "op");
  out.object_kind = text(value, "kind");
  out.ns = text(value, "namespace");
  out.name = text(value, "name");
  out.json = value.dump(-1, ' ', false, json::error_handler_t::replace);
  if (op == "create" || op == "update") {
    out.kind = op == "create" ? Op::Kind::kCreate : Op::Kind::kUpdate;
    auto it = value.find("object");
    if (it == value.end() || !it->is_object()) {
      problem(issues, path + "/object", "step " + op + " needs an object");
      return false;
    }
    out.object = *it;
    if (!source.empty() && !api::saysWhatItIs(*it)) out.object_text = std::string(api::rawValue(source, "/object"));
    return true;
  }
  if (op == "delete") {
    out.kind = Op::Kind::kDelete;
    if (out.object_kind.empty() || out.name.empty()) {
      problem(issues, path, "step delete needs kind and name");
      return false;
    }
    return true;
  }
  if (op == "advance") {
    out.kind = Op::Kind::kAdvance;
    auto it = value.find("seconds");
    if (it != value.end() && !it->is_null() && !seconds(*it, kMaxAdvance, out.duration)) {
      problem(issues, path + "/seconds",
              "must be a number of seconds from 0 to " + std::to_string(kMaxAdvance / clock::kSecond));
      return false;
    }
    return true;
  }
  if (op == "step" || op == "settle") {
    out.kind = op == "step" ? Op::Kind::kStep : Op::Kind::kSettle;
    return true;
  }
  problem(
      issues, path + "/op",
      op.empty() ? "a step needs an op: create, update, delete, advance, step or settle" : "unknown op \"" + op + "\"");
  return false;
}

bool readScenario(const json& value, Scenario& out, std::vector<api::Issue>& issues, std::string_view source) {
  if (!value.is_object()) {
    problem(issues, "", "a scenario must be an object");
    return false;
  }
  bool ok = true;
  for (const auto& [key, v] : value.items()) {
    const std::string path = "/" + key;
    if (key == "name" || key == "note" || key == "source" || key == "release") {
      ok = stringOrAbsent(value, key.c_str(), "", issues) && ok;
    } else if (key == "featureGates") {
      if (v.is_null()) continue;
      if (!v.is_object()) {
        problem(issues, path, "must be an object of gates and true or false");
        ok = false;
        continue;
      }
      for (const auto& [gate, on] : v.items()) {
        if (!on.is_boolean()) {
          problem(issues, path + "/" + gate, "must be true or false");
          ok = false;
        } else {
          out.feature_gates.emplace_back(gate, on.get<bool>());
        }
      }
    } else if (key == "config") {
      out.config = v;
      out.config_text = std::string(api::rawValue(source, path));
      if (out.config_text.empty()) out.config_text = v.dump(-1, ' ', false, json::error_handler_t::replace);
    } else if (key == "objects") {
      if (v.is_null()) continue;
      if (!v.is_array()) {
        problem(issues, path, "must be a list of objects");
        ok = false;
        continue;
      }
      WrittenItems written(source, path);
      for (const json& object : v) {
        const std::size_t i = out.objects.size();
        if (!api::saysWhatItIs(object)) out.object_texts[i] = std::string(written.at(i));
        out.objects.push_back(object);
      }
    } else if (key == "steps") {
      if (v.is_null()) continue;
      if (!v.is_array()) {
        problem(issues, path, "must be a list of steps");
        ok = false;
        continue;
      }
      WrittenItems written(source, path);
      for (std::size_t i = 0; i < v.size(); ++i) {
        Op op;
        const std::string_view text = hasNamelessObject(v[i]) ? written.at(i) : std::string_view();
        if (readOp(v[i], path + "/" + std::to_string(i), op, issues, text)) {
          out.steps.push_back(std::move(op));
        } else {
          ok = false;
        }
      }
    } else if (key == "seed") {
      if (!v.is_number_integer() || v < 0) {
        problem(issues, path, "must be a whole number, 0 or greater");
        ok = false;
      } else {
        out.seed = v.get<std::uint64_t>();
      }
    } else if (key == "extenders") {
      if (!v.is_null()) ok = readExtenders(v, path, out.extenders, issues) && ok;
    } else if (key == "controllers" || key == "samplePlugins") {
      if (v.is_null()) continue;
      if (!v.is_boolean()) {
        problem(issues, path, "must be true or false");
        ok = false;
        continue;
      }
      (key == "controllers" ? out.controllers : out.sample_plugins) = v.get<bool>();
    } else if (key == "timing") {
      ok = readTiming(v, out.timing, issues) && ok;
    } else if (key != "expect" && key != "expectRV" && key.rfind("x-", 0) != 0) {
      problem(issues, path, "unknown field of a scenario");
      ok = false;
    }
  }
  out.name = text(value, "name");
  const std::string wanted = text(value, "release");
  if (const release::Release* found = release::find(wanted); found != nullptr) {
    out.release = found;
  } else {
    problem(issues, "/release", "release \"" + wanted + "\" is not simulated; there are " + release::versions());
    ok = false;
  }
  return ok;
}

}  // namespace podberth::session
