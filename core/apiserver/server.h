// The simulated API server: admission, the store, and watches. It does to objects what the real one does: it defaults
// and validates them, resolves priorities, gives them uids and resource versions, and tells the watchers in the order
// of writes.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "core/api/decode.h"
#include "core/api/meta.h"
#include "core/api/node.h"
#include "core/api/pod.h"
#include "core/clock/event_loop.h"
#include "core/scheduler/framework/handle.h"

namespace podberth::apiserver {

class ErrorList;
struct Rules;

struct WatchEvent {
  enum class Type { kAdded, kModified, kDeleted };
  Type type = Type::kAdded;
  api::ObjectPtr object;  // of kDeleted: the last state, with the resource version of the deletion
};

// What was to be stored, or why it was refused.
struct Admitted {
  std::shared_ptr<api::Object> object;
  std::string error;               // the API server's text; "" if admitted
  std::vector<api::Issue> issues;  // the same at its places, and warnings about what is ignored
};

class Server {
 public:
  using Watcher = std::function<void(const WatchEvent&)>;
  using Selects = std::function<bool(const api::Object&)>;

  Server(clock::EventLoop& loop, const scheduler::FeatureGates& gates);

  // From now on workloads (workload.h) are validated and completed as pods and nodes are. Without it they are stored as
  // they come: nobody makes pods of them.
  void admitWorkloads() { admits_workloads_ = true; }

  // Decodes, completes (uid, creationTimestamp, namespace, defaults, priority) and validates what a scenario creates.
  // `text`: the object as it was written, if it does not say what it is.
  Admitted admit(const nlohmann::json& object, std::string_view text = {});
  // Stores what was admitted, and its namespace if that is new. Returns the error text ("pods \"a\" already exists") or
  // "".
  std::string create(std::shared_ptr<api::Object> object);
  // Replaces an object, in one write, as a put of it and a put of its status would: a status that is not given stays,
  // and so does what the API server has put into a pod's spec. Returns the error text or "".
  std::string update(const nlohmann::json& object, std::vector<api::Issue>* issues = nullptr,
                     std::string_view text = {});
  // Removes an object at once. `unknown_kind` is set if there is no such kind at all.
  std::string remove(const std::string& kind, const std::string& ns, const std::string& name, bool* unknown_kind);

  // Store access for the clients. `replace` compares resource versions if the object has one (conflict), keeps quiet if
  // nothing changes, and tells the watchers.
  api::ObjectPtr get(api::Kind kind, const std::string& ns, const std::string& name) const;
  template <class T>
  std::shared_ptr<const T> get(const std::string& ns, const std::string& name) const {
    return api::as<T>(get(T::kKind, ns, name));
  }
  // The priority classes that pods may name or have by default, by name; of WriteRules::kValidationOnly all that were
  // ever admitted, even if they were refused or deleted then.
  std::map<std::string, std::shared_ptr<const api::PriorityClass>> priorityClasses() const;
  // In the order of "namespace/name"; of kOther all, kind by kind.
  std::vector<api::ObjectPtr> list(api::Kind kind) const;
  scheduler::ApiError insert(std::shared_ptr<api::Object> object);
  scheduler::ApiError replace(std::shared_ptr<api::Object> object);
  scheduler::ApiError erase(api::Kind kind, const std::string& ns, const std::string& name);

  // Tells `watcher` of every change from now on of objects of the kind that `selects` (empty = all) lets through, each
  // through the event loop's line. The caller lists first. An object that stops being selected is told as deleted.
  void watch(api::Kind kind, Selects selects, Watcher watcher);

  std::int64_t resourceVersion() const { return resource_version_; }

 private:
  // A kind, and of kinds that the simulator does not know their resource.
  using Resource = std::pair<api::Kind, std::string>;
  struct Watch {
    Selects selects;
    Watcher watcher;
  };

  static Resource resourceOf(const api::Object& object);
  api::ObjectPtr find(const Resource& resource, const std::string& key) const;
  scheduler::ApiError erase(const Resource& resource, const std::string& resource_name, const std::string& key,
                            const std::string& name);
  void notify(api::Kind kind, const api::ObjectPtr& old_object, const api::ObjectPtr& new_object);

  // Decodes and gives the object what every object has.
  Admitted read(const nlohmann::json& object, std::string_view text, bool* has_status);
  std::string admitPod(api::Pod& pod, ErrorList& errors);
  std::string admitNode(api::Node& node, ErrorList& errors);
  // WriteRules::kValidationOnly.
  std::string admitPodAsGiven(api::Pod& pod, ErrorList& errors);
  std::string updateAsGiven(api::Object& object, const nlohmann::json& json, const api::Object& old_object);
  std::string updatePod(api::Pod& pod, const api::Pod& old_pod, ErrorList& errors);
  std::string updateNode(api::Node& node, const api::Node& old_node, bool has_status, ErrorList& errors);
  std::string admitWorkload(api::Object& object, ErrorList& errors);
  std::string updateWorkload(api::Object& object, const api::Object& old_object, ErrorList& errors);

  clock::EventLoop& loop_;
  const scheduler::FeatureGates& gates_;
  const Rules& rules_;
  bool admits_workloads_ = false;
  std::int64_t resource_version_ = 0;
  std::int64_t sequence_ = 0;  // numbers the objects decoded, rejected ones too; uids show it
  std::map<Resource, std::map<std::string, api::ObjectPtr>> objects_;              // by kind, then key
  std::map<std::string, std::shared_ptr<const api::PriorityClass>> kept_classes_;  // ever admitted
  std::set<std::string> namespaces_;  // ever seen: with WriteRules::kValidationOnly they are made once
  std::map<api::Kind, std::vector<Watch>> watches_;
};

}  // namespace podberth::apiserver
