#include "tests/conformance/judge.h"

#include <algorithm>
#include <cmath>
#include <set>

namespace podberth::conformance {

using nlohmann::json;

namespace {

const std::set<std::string> kOrdered = {"op", "cycle", "state", "config"};
const std::set<std::string> kIgnored = {"log", "informer", "inFlight"};
const std::set<std::string> kSets = {"unschedulablePlugins", "pendingPlugins", "plugins", "preFilterNodes"};

bool empty(const json& v) {
  return v.is_null() || (v.is_string() && v.get_ref<const std::string&>().empty()) ||
         ((v.is_array() || v.is_object()) && v.empty());
}

bool strings(const json& v) {
  return std::all_of(v.begin(), v.end(), [](const json& s) { return s.is_string(); });
}

json canonical(const json& value, const std::string& key) {
  if (value.is_object()) {
    json out = json::object();
    for (const auto& [k, v] : value.items()) {
      if (k.rfind("x-", 0) == 0) continue;
      json c = canonical(v, k);
      if (key == "pods" || !empty(c)) out[k] = std::move(c);
    }
    return out;
  }
  if (value.is_array()) {
    json out = json::array();
    for (const json& v : value) out.push_back(canonical(v, ""));
    if (kSets.count(key) != 0 && strings(out)) std::sort(out.begin(), out.end());
    if (key == "reasons" && strings(out)) {  // extended resources among the reasons have no order upstream
      const auto scalar = [](const json& v) {
        const std::string& s = v.get_ref<const std::string&>();
        return s.rfind("Insufficient ", 0) == 0 && s.find('/') != std::string::npos;
      };
      auto tail = std::stable_partition(out.begin(), out.end(), [&](const json& v) { return !scalar(v); });
      std::sort(tail, out.end());
    }
    return out;
  }
  if (key == "rejected" && value.is_string()) {
    const std::string& text = value.get_ref<const std::string&>();
    for (const char* d : {"json: cannot unmarshal", "no kind ", "couldn't get version/kind", "strict decoding error"}) {
      if (text.find(d) != std::string::npos) return "(cannot be decoded)";
    }
    std::string cut = text.substr(0, text.find("\n@@"));
    while (!cut.empty() && std::isspace(static_cast<unsigned char>(cut.back())) != 0) cut.pop_back();
    return cut;
  }
  return value;
}

struct Group {
  bool ordered = false;
  double t = 0;
  std::vector<json> entries;
};

std::vector<json> entriesOf(const json& trace) {
  std::vector<json> flat;
  bool started = false;
  for (const json& e : trace.at("trace")) {
    const std::string type = e.value("type", "");
    if (kIgnored.count(type) != 0 || type.rfind("x-", 0) == 0) continue;
    started = started || type == "state";
    json without = e;
    without.erase("t");
    json c = canonical(without, "");
    c["t"] = started ? std::round(e.value("t", 0.0) * 1e6) / 1e6 : 0.0;
    if (type == "op") {
      json op = c.value("op", json::object());
      op.erase("object");
      if (op.value("namespace", "") == "default") op.erase("namespace");
      if (op.contains("seconds") && op["seconds"] == 0) op.erase("seconds");
      c["op"] = std::move(op);
    }
    flat.push_back(std::move(c));
  }
  std::vector<json> out;
  for (std::size_t i = 0; i < flat.size();) {
    if (kOrdered.count(flat[i].value("type", "")) != 0) {
      out.push_back(flat[i++]);
      continue;
    }
    std::vector<json> group;
    const json t = flat[i]["t"];
    while (i < flat.size() && kOrdered.count(flat[i].value("type", "")) == 0 && flat[i]["t"] == t)
      group.push_back(flat[i++]);
    std::stable_sort(group.begin(), group.end(),
                     [](const json& a, const json& b) { return a.value("pod", "") < b.value("pod", ""); });
    out.insert(out.end(), group.begin(), group.end());
  }
  return out;
}

void parts(const json& a, const json& b, const std::string& at, std::vector<std::string>& out) {
  if (a == b || out.size() > 5) return;
  if (a.is_object() && b.is_object()) {
    std::set<std::string> keys;
    for (const auto& [k, v] : a.items()) keys.insert(k);
    for (const auto& [k, v] : b.items()) keys.insert(k);
    for (const std::string& k : keys) {
      parts(a.contains(k) ? a.at(k) : json(), b.contains(k) ? b.at(k) : json(), at + "." + k, out);
    }
    return;
  }
  out.push_back(at + ": ours " + a.dump().substr(0, 400) + "  oracle " + b.dump().substr(0, 400));
}

}  // namespace

std::vector<std::string> differences(const json& ours, const json& oracle) {
  std::vector<std::string> out;
  if (ours.contains("failure")) out.push_back("the trace says it failed: " + ours["failure"].dump());
  const std::vector<json> a = entriesOf(ours);
  const std::vector<json> b = entriesOf(oracle);
  for (std::size_t i = 0; i < std::max(a.size(), b.size()) && out.empty(); ++i) {
    if (i >= a.size()) {
      out.push_back("only in oracle: " + b[i].dump().substr(0, 500));
    } else if (i >= b.size()) {
      out.push_back("only in ours: " + a[i].dump().substr(0, 500));
    } else {
      parts(a[i], b[i], b[i].value("type", "") + " " + b[i].value("pod", "") + " t=" + b[i]["t"].dump(), out);
    }
  }
  return out;
}

}  // namespace podberth::conformance
