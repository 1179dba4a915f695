#include "core/session/node_pool.h"

#include <set>
#include <utility>

#include "core/api/names.h"

namespace podberth::session {

using nlohmann::json;

namespace {

constexpr const char* kZoneLabel = "topology.kubernetes.io/zone";
// Of the pool itself; all but the name has no effect.
const std::set<std::string> kKnownMeta = {"name", "labels", "annotations", "creationTimestamp"};
constexpr const char* kHostnameLabel = "kubernetes.io/hostname";

class Reader {
 public:
  explicit Reader(std::vector<api::Issue>& issues) : issues_(issues), before_(issues.size()) {}
  bool ok() const { return issues_.size() == before_; }

  void problem(std::string path, std::string message) {
    api::Issue issue;
    issue.path = std::move(path);
    issue.message = std::move(message);
    issues_.push_back(std::move(issue));
  }
  // The member if it is an object; an empty one if it is absent or wrong.
  const json& object(const json& value, const char* key, const std::string& path) {
    static const json kNone = json::object();
    const auto it = value.find(key);
    if (it == value.end() || it->is_null()) return kNone;
    if (it->is_object()) return *it;
    problem(path + "/" + key, "must be an object");
    return kNone;
  }
  void onlyKnows(const json& value, const std::set<std::string>& known, const std::string& path) {
    for (const auto& item : value.items()) {
      if (known.count(item.key()) == 0) problem(path + "/" + item.key(), "unknown field of a NodePool");
    }
  }

 private:
  std::vector<api::Issue>& issues_;
  std::size_t before_;
};

void readZones(const json& value, NodePool& out, Reader& reader) {
  if (value.is_null()) return;
  if (!value.is_array()) {
    reader.problem("/spec/zones", "must be a list of zones");
    return;
  }
  for (std::size_t i = 0; i < value.size(); ++i) {
    const std::string path = "/spec/zones/" + std::to_string(i);
    if (!value[i].is_string() || value[i].get_ref<const std::string&>().empty()) {
      reader.problem(path, "must be the name of a zone");
      continue;
    }
    const std::string zone = value[i].get<std::string>();
    for (const std::string& text : api::names::isLabelValue(zone, api::kWording)) reader.problem(path, text);
    out.zones.push_back(zone);
  }
}

}  // namespace

json NodePool::node(int i) const {
  json out = node_template;
  out["apiVersion"] = "v1";
  out["kind"] = "Node";
  json& meta = out["metadata"];
  if (!meta.is_object()) meta = json::object();
  meta["name"] = nodeName(i);
  json& labels = meta["labels"];
  if (!labels.is_object()) labels = json::object();
  labels[kHostnameLabel] = nodeName(i);
  if (!zones.empty()) labels[kZoneLabel] = zones[static_cast<std::size_t>(i) % zones.size()];
  return out;
}

bool isNodePool(const json& object) {
  if (!object.is_object()) return false;
  const auto kind = object.find("kind");
  const auto version = object.find("apiVersion");
  return kind != object.end() && *kind == kNodePoolKind && version != object.end() && version->is_string() &&
         version->get_ref<const std::string&>().rfind("podberth/", 0) == 0;
}

bool readNodePool(const json& object, NodePool& out, std::vector<api::Issue>& issues) {
  Reader reader(issues);
  if (object.at("apiVersion") != kOwnApiVersion) {
    reader.problem("/apiVersion", "only podberth/v1 is known here");
    return false;
  }
  reader.onlyKnows(object, {"apiVersion", "kind", "metadata", "spec"}, "");
  const json& meta = reader.object(object, "metadata", "");
  reader.onlyKnows(meta, kKnownMeta, "/metadata");
  const auto name = meta.find("name");
  if (name == meta.end() || !name->is_string() || name->get_ref<const std::string&>().empty()) {
    reader.problem("/metadata/name", "a NodePool needs a name");
  } else {
    out.name = name->get<std::string>();
    for (const std::string& text : api::names::isDns1123Subdomain(out.name, api::kWording))
      reader.problem("/metadata/name", text);
  }
  const json& spec = reader.object(object, "spec", "");
  reader.onlyKnows(spec, {"count", "zones", "template"}, "/spec");
  if (const auto count = spec.find("count"); count != spec.end() && !count->is_null()) {
    const bool whole = count->is_number_integer() && count->get<std::int64_t>() >= 0;
    if (!whole || count->get<std::int64_t>() > kMaxPoolNodes) {
      reader.problem("/spec/count", "must be a whole number from 0 to " + std::to_string(kMaxPoolNodes));
    } else {
      out.count = count->get<int>();
    }
  }
  if (const auto zones = spec.find("zones"); zones != spec.end()) readZones(*zones, out, reader);
  out.node_template = reader.object(spec, "template", "/spec");
  reader.onlyKnows(out.node_template, {"metadata", "spec", "status"}, "/spec/template");
  const json& node_meta = reader.object(out.node_template, "metadata", "/spec/template");
  reader.onlyKnows(node_meta, {"labels", "annotations"}, "/spec/template/metadata");
  for (const char* key : {"labels", "annotations"}) reader.object(node_meta, key, "/spec/template/metadata");
  if (reader.ok() && out.count > 0) {
    // The last node has the longest name, and each has its name as a label.
    const std::string longest = out.nodeName(out.count - 1);
    for (const std::string& text : api::names::isLabelValue(longest, api::kWording)) {
      reader.problem("/metadata/name", "the node " + longest + " cannot be called so: " + text);
    }
  }
  return reader.ok();
}

std::string pathInPool(const std::string& path_in_node) {
  // The name is the pool's own; everything else is the template's.
  if (path_in_node.rfind("/metadata/name", 0) == 0) return path_in_node;
  return "/spec/template" + path_in_node;
}

}  // namespace podberth::session
