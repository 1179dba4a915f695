// Scenarios for tests, run to their end, and questions about the trace.
#pragma once

#include <gtest/gtest.h>

#include <initializer_list>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "core/session/session.h"

namespace podberth::session::testkit {

using nlohmann::json;

inline json node(const std::string& name, const std::string& cpu = "2", json labels = json::object()) {
  labels["kubernetes.io/hostname"] = name;
  const json resources = {{"cpu", cpu}, {"memory", "4Gi"}, {"pods", "10"}};
  return {{"apiVersion", "v1"},
          {"kind", "Node"},
          {"metadata", {{"name", name}, {"labels", labels}}},
          {"status", {{"allocatable", resources}, {"capacity", resources}}}};
}

inline json pod(const std::string& name, const std::string& cpu = "500m", const json& labels = json::object()) {
  return {{"apiVersion", "v1"},
          {"kind", "Pod"},
          {"metadata", {{"name", name}, {"namespace", "default"}, {"labels", labels}}},
          {"spec", {{"containers", {{{"name", "c"}, {"image", "i"}, {"resources", {{"requests", {{"cpu", cpu}}}}}}}}}}};
}

inline json config(json fields = json::object()) {
  fields["apiVersion"] = "kubescheduler.config.k8s.io/v1";
  fields["kind"] = "KubeSchedulerConfiguration";
  return fields;
}

inline json create(const json& object) { return {{"op", "create"}, {"object", object}}; }
inline json remove(const std::string& name) {
  return {{"op", "delete"}, {"kind", "Pod"}, {"namespace", "default"}, {"name", name}};
}
inline json advance(double seconds) { return {{"op", "advance"}, {"seconds", seconds}}; }
inline json settle() { return {{"op", "settle"}}; }

// A scenario that has been run to its end.
class Story {
 public:
  explicit Story(const json& scenario) {
    loaded = json::parse(session.load(scenario.dump(), ""));
    if (!loaded["ok"]) return;
    ran = json::parse(session.run(R"({"toEnd":true})"));
    const json answer = json::parse(session.trace("{}"));
    trace = json::parse(answer["trace"].get<std::string>())["trace"];
  }

  std::vector<json> entries(const std::string& type, const std::string& name = {}) const {
    std::vector<json> out;
    for (const json& entry : trace) {
      if (entry["type"] == type && (name.empty() || entry.value("pod", "") == "default/" + name)) out.push_back(entry);
    }
    return out;
  }
  // "name: node" of every binding, in order.
  std::vector<std::string> bindings() const {
    std::vector<std::string> out;
    for (const json& entry : entries("bind")) {
      out.push_back(entry["pod"].get<std::string>().substr(8) + ": " + entry["node"].get<std::string>());
    }
    return out;
  }
  // The messages of the pod's Events.
  std::vector<std::string> events(const std::string& name) const {
    std::vector<std::string> out;
    for (const json& entry : entries("event", name)) out.push_back(entry["message"]);
    return out;
  }
  // "queue by event" of every move of the pod.
  std::vector<std::string> moves(const std::string& name) const {
    std::vector<std::string> out;
    for (const json& entry : entries("move", name)) {
      out.push_back(entry.value("queue", "") + " by " + entry.value("event", ""));
    }
    return out;
  }
  // The pod as the last state entry that speaks of it has it.
  json podState(const std::string& name) const {
    json out;
    for (const json& entry : entries("state")) {
      if (entry.contains("pods") && entry["pods"].contains("default/" + name)) out = entry["pods"]["default/" + name];
    }
    return out;
  }
  json attempt(const std::string& name) {
    return json::parse(session.attempt(json{{"pod", "default/" + name}}.dump()));
  }
  // "path: message" of every issue of loading and running.
  std::vector<std::string> issues() const {
    std::vector<std::string> out;
    for (const json* reply : {&loaded, &ran}) {
      if (!reply->is_object() || !reply->contains("issues")) continue;
      for (const json& issue : (*reply)["issues"]) {
        out.push_back(issue["path"].get<std::string>() + ": " + issue["message"].get<std::string>());
      }
    }
    return out;
  }

  Session session;
  json loaded;
  json ran;
  json trace = json::array();
};

}  // namespace podberth::session::testkit
