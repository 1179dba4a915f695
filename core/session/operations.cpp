// The operations of a scenario: objects are created, updated and deleted, pools of nodes among them.
#include <utility>

#include "core/apiserver/api_errors.h"
#include "core/apiserver/workload.h"
#include "core/session/simulation.h"

namespace podberth::session {

namespace {

constexpr std::string_view kPools = "nodepools.podberth";

api::Issue problem(std::string message) {
  api::Issue issue;
  issue.message = std::move(message);
  return issue;
}

bool isWorkload(const nlohmann::json& object) {
  const auto kind = object.find("kind");
  return kind != object.end() && kind->is_string() && apiserver::isWorkload(kind->get_ref<const std::string&>());
}

}  // namespace

std::string Simulation::create(const Op& op, const std::string& path, bool* admitted) {
  if (isNodePool(op.object)) return createPool(op.object, path);
  apiserver::Admitted read = server_.admit(op.object, op.object_text);
  noteUnused(read);
  const bool told = !read.issues.empty();
  collect(std::move(read.issues), path);
  *admitted = read.error.empty();
  std::string error = read.error;
  if (*admitted) {
    checkProfile(*read.object, path);
    if (isWorkload(op.object)) checkTemplate(op.object, path);
    error = server_.create(std::move(read.object));
  }
  if (!error.empty() && (!told || *admitted)) collect({problem(error)}, path);
  return error;
}

std::string Simulation::update(const Op& op, const std::string& path) {
  if (isNodePool(op.object)) return updatePool(op.object, path);
  std::vector<api::Issue> issues;
  const std::string error = server_.update(op.object, &issues, op.object_text);
  if (!error.empty() && issues.empty()) issues.push_back(problem(error));
  collect(std::move(issues), path);
  if (error.empty() && isWorkload(op.object)) checkTemplate(op.object, path);
  return error;
}

std::string Simulation::remove(const Op& op, const std::string& path, bool* unknown_kind) {
  if (op.object_kind == kNodePoolKind) return removePool(op.name, path);
  const std::string error = server_.remove(op.object_kind, op.ns, op.name, unknown_kind);
  if (!error.empty()) collect({problem(error)}, path);
  return error;
}

void Simulation::noteUnused(apiserver::Admitted& admitted) const {
  if (scenario_.controllers || admitted.object == nullptr) return;
  const api::Kind kind = admitted.object->kind;
  if (kind != api::Kind::kDeployment && kind != api::Kind::kDaemonSet && kind != api::Kind::kJob) return;
  api::Issue issue = problem(admitted.object->kind_name + " is stored but not simulated: the controllers are off");
  issue.severity = api::Issue::Severity::kInfo;
  admitted.issues.push_back(std::move(issue));
}

std::string Simulation::refusePool(std::string text, const std::string& path) {
  collect({problem(text)}, path);
  return text;
}

std::string Simulation::tooManyNodes(const NodePool& pool, const std::string& path) {
  int nodes = pool.count;
  for (const auto& [name, other] : pools_) nodes += name == pool.name ? 0 : other.count;
  if (nodes <= kMaxNodesOfPools) return "";
  return refusePool("the NodePools would have " + std::to_string(nodes) + " nodes; there may be " +
                        std::to_string(kMaxNodesOfPools) + " in all",
                    path + "/spec/count");
}

std::string Simulation::readPool(const nlohmann::json& object, const std::string& path, NodePool& out) {
  std::vector<api::Issue> issues;
  if (readNodePool(object, out, issues)) return "";
  const std::string text = "NodePool " + (out.name.empty() ? std::string() : "\"" + out.name + "\" ") +
                           "is invalid: " + issues.front().path + ": " + issues.front().message;
  collect(std::move(issues), path);
  return text;
}

std::string Simulation::createPool(const nlohmann::json& object, const std::string& path) {
  NodePool pool;
  if (std::string error = readPool(object, path, pool); !error.empty()) return error;
  if (pools_.count(pool.name) != 0) {
    return refusePool(apiserver::alreadyExists(kPools, pool.name).message, path + "/metadata/name");
  }
  if (std::string error = tooManyNodes(pool, path); !error.empty()) return error;
  if (std::string error = applyPool(pool, 0, path); !error.empty()) return error;
  pools_[pool.name] = std::move(pool);
  return "";
}

std::string Simulation::updatePool(const nlohmann::json& object, const std::string& path) {
  NodePool pool;
  if (std::string error = readPool(object, path, pool); !error.empty()) return error;
  const auto known = pools_.find(pool.name);
  if (known == pools_.end()) {
    return refusePool(apiserver::notFound(kPools, pool.name).message, path + "/metadata/name");
  }
  if (std::string error = tooManyNodes(pool, path); !error.empty()) return error;
  const int was = known->second.count;
  if (std::string error = applyPool(pool, was, path); !error.empty()) return error;
  for (int i = was - 1; i >= pool.count; --i) server_.erase(api::Kind::kNode, "", pool.nodeName(i));
  known->second = std::move(pool);
  return "";
}

std::string Simulation::removePool(const std::string& name, const std::string& path) {
  const auto known = pools_.find(name);
  if (known == pools_.end()) return refusePool(apiserver::notFound(kPools, name).message, path);
  for (int i = 0; i < known->second.count; ++i) server_.erase(api::Kind::kNode, "", known->second.nodeName(i));
  pools_.erase(known);
  return "";
}

std::string Simulation::applyPool(const NodePool& pool, int was, const std::string& path) {
  // A pool that is refused leaves no nodes behind that are nobody's.
  for (int i = was; i < pool.count; ++i) {
    if (server_.get(api::Kind::kNode, "", pool.nodeName(i)) == nullptr) continue;
    return refusePool(apiserver::alreadyExists(apiserver::resourceName(api::Kind::kNode), pool.nodeName(i)).message,
                      path + "/metadata/name");
  }
  for (int i = 0; i < pool.count; ++i) {
    const nlohmann::json node = pool.node(i);
    std::vector<api::Issue> issues;
    std::string error;
    if (i < was && server_.get(api::Kind::kNode, "", pool.nodeName(i)) != nullptr) {
      error = server_.update(node, &issues);
    } else {
      apiserver::Admitted admitted = server_.admit(node);
      issues = std::move(admitted.issues);
      error = admitted.error;
      if (error.empty()) error = server_.create(std::move(admitted.object));
    }
    // All nodes are alike: what is said of one is said of all.
    if (i == 0 || !error.empty()) {
      if (!error.empty() && issues.empty()) issues.push_back(problem(error));
      for (api::Issue& issue : issues) issue.path = pathInPool(issue.path);
      collect(std::move(issues), path);
    }
    if (!error.empty()) return error;
  }
  return "";
}

}  // namespace podberth::session
