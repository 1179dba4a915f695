// A cluster of an API server and the controllers, and what tests ask of it.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "core/api/storage.h"
#include "core/api/workload.h"
#include "core/apiserver/controllers/controllers.h"
#include "core/apiserver/workload.h"

namespace podberth::apiserver {

using Json = nlohmann::json;
using Names = std::vector<std::string>;

class ControllersTest : public ::testing::Test {
 protected:
  void SetUp() override {
    server.admitWorkloads();
    controllers.start();
  }

  std::string create(const Json& object) {
    Admitted admitted = server.admit(object);
    const std::string error = admitted.object == nullptr ? admitted.error : server.create(admitted.object);
    return error;
  }
  void mustCreate(const Json& object) { ASSERT_EQ(create(object), "") << object.dump(); }
  void mustUpdate(const Json& object) { ASSERT_EQ(server.update(object), "") << object.dump(); }
  void wait(clock::Duration d = clock::kSecond) { loop.sleep(d); }
  std::string remove(const std::string& kind, const std::string& name) {
    bool unknown = false;
    return server.remove(kind, "", name, &unknown);
  }

  std::vector<api::PodPtr> pods() const {
    std::vector<api::PodPtr> out;
    for (const api::ObjectPtr& object : server.list(api::Kind::kPod)) out.push_back(api::as<api::Pod>(object));
    return out;
  }
  Names names() const {
    Names out;
    for (const api::PodPtr& pod : pods()) out.push_back(pod->meta.name);
    return out;
  }
  // Puts a pod where the scheduler might.
  void bind(const std::string& name, const std::string& node = "n") {
    auto pod = std::make_shared<api::Pod>(*server.get<api::Pod>("default", name));
    pod->meta.resource_version = 0;
    pod->spec.node_name = node;
    ASSERT_FALSE(server.replace(std::move(pod)).failed);
  }
  void bindAll() {
    for (const api::PodPtr& pod : pods()) {
      if (!pod->assigned()) bind(pod->meta.name);
    }
  }
  // Puts daemon pods where they belong.
  void bindToTargets() {
    for (const api::PodPtr& pod : pods()) {
      if (!pod->assigned()) {
        bind(pod->meta.name, pod->spec.affinity->node->required->terms[0].match_fields[0].values.at(0));
      }
    }
  }
  void setPhase(const std::string& name, const std::string& phase) {
    auto pod = std::make_shared<api::Pod>(*server.get<api::Pod>("default", name));
    pod->meta.resource_version = 0;
    pod->status.phase = phase;
    ASSERT_FALSE(server.replace(std::move(pod)).failed);
  }
  std::string label(const api::Pod& pod, const char* key) const {
    const api::Symbol* value = pod.meta.labels.find(api::Symbol(std::string_view(key)));
    return value == nullptr ? "" : value->str();
  }
  // How many pods a ReplicaSet has, by its image.
  std::map<std::string, int> byImage() const {
    std::map<std::string, int> out;
    for (const api::PodPtr& pod : pods()) ++out[pod->spec.containers[0].image];
    return out;
  }
  std::vector<std::string> refusals() const {
    std::vector<std::string> out;
    for (const trace::Entry& entry : recorder.entries()) {
      if (!entry.rejected.empty()) out.push_back(entry.rejected);
    }
    return out;
  }

  static Json node(const std::string& name, const Json& labels = Json::object(), const Json& taints = Json::array()) {
    return Json{{"apiVersion", "v1"},
                {"kind", "Node"},
                {"metadata", {{"name", name}, {"labels", labels}}},
                {"spec", {{"taints", taints}}}};
  }
  static Json workload(const std::string& kind, const std::string& name, const Json& patch = Json::object()) {
    Json pod_spec{{"containers", Json::array({Json{{"name", "c"}, {"image", "one"}}})}};
    if (kind == "Job") pod_spec["restartPolicy"] = "Never";
    Json spec{{"template", {{"metadata", {{"labels", {{"app", name}}}}}, {"spec", pod_spec}}}};
    if (kind == "ReplicationController") {
      spec["selector"] = {{"app", name}};
    } else if (kind != "Job") {
      spec["selector"] = {{"matchLabels", {{"app", name}}}};
    }
    spec.merge_patch(patch);
    return Json{{"apiVersion", kind == "Job"                     ? "batch/v1"
                               : kind == "ReplicationController" ? "v1"
                                                                 : "apps/v1"},
                {"kind", kind},
                {"metadata", {{"name", name}}},
                {"spec", spec}};
  }
  static Json withImage(Json object, const std::string& image) {
    object["spec"]["template"]["spec"]["containers"][0]["image"] = image;
    return object;
  }

  clock::EventLoop loop;
  scheduler::FeatureGates gates;
  trace::Recorder recorder{loop};
  Server server{loop, gates};
  Controllers controllers{server, loop, recorder, clock::kMillisecond};
};

}  // namespace podberth::apiserver
