// Objects for tests, written in one breath: makePod("a").cpu("500m").on("n1").obj().
#pragma once

#include <cstdint>
#include <initializer_list>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/api/node.h"
#include "core/api/pod.h"
#include "core/scheduler/framework/node_info.h"

namespace podberth::testkit {

// A quantity that must be well-formed.
inline api::Quantity quantity(std::string_view text) { return api::Quantity::parse(text).value(); }

using Amounts = std::initializer_list<std::pair<std::string_view, std::string_view>>;
inline api::ResourceList resources(Amounts amounts) {
  api::ResourceList list;
  for (const auto& [name, amount] : amounts) list.set(name, quantity(amount));
  return list;
}

inline api::NodeSelectorRequirement requirement(std::string key, std::string op, std::vector<std::string> values = {}) {
  api::NodeSelectorRequirement r;
  r.key = std::move(key);
  r.op = std::move(op);
  r.values = std::move(values);
  return r;
}
inline api::NodeSelectorTerm labelTerm(std::string key, std::string op, std::vector<std::string> values = {}) {
  api::NodeSelectorTerm t;
  t.match_expressions.push_back(requirement(std::move(key), std::move(op), std::move(values)));
  return t;
}
inline api::NodeSelectorTerm fieldTerm(std::string key, std::string op, std::vector<std::string> values = {}) {
  api::NodeSelectorTerm t;
  t.match_fields.push_back(requirement(std::move(key), std::move(op), std::move(values)));
  return t;
}

// A pod has one container from the start. What is said of resources, ports and images is about the last one begun.
class PodBuilder {
 public:
  explicit PodBuilder(std::string name) {
    pod_.meta.name = std::move(name);
    pod_.meta.ns = "default";
    pod_.meta.uid = "uid-" + pod_.meta.name;
    pod_.spec.containers.emplace_back();
    pod_.spec.containers.back().name = "c";
  }
  PodBuilder& ns(std::string value) { return set(pod_.meta.ns, std::move(value)); }
  PodBuilder& uid(std::string value) { return set(pod_.meta.uid, std::move(value)); }
  PodBuilder& on(std::string node) { return set(pod_.spec.node_name, std::move(node)); }
  PodBuilder& nominatedTo(std::string node) { return set(pod_.status.nominated_node_name, std::move(node)); }
  PodBuilder& priority(std::int32_t value) {
    pod_.spec.priority = value;
    return *this;
  }
  PodBuilder& label(std::string_view key, std::string_view value) {
    pod_.meta.labels.set(key, value);
    return *this;
  }
  PodBuilder& gate(std::string name) {
    pod_.spec.scheduling_gates.push_back(std::move(name));
    return *this;
  }
  PodBuilder& nodeSelector(std::string_view key, std::string_view value) {
    pod_.spec.node_selector.set(key, value);
    return *this;
  }
  PodBuilder& requireNode(std::vector<api::NodeSelectorTerm> terms) {
    api::NodeSelector selector;
    selector.terms = std::move(terms);
    nodeAffinity().required = std::move(selector);
    return *this;
  }
  PodBuilder& preferNode(std::int32_t weight, api::NodeSelectorTerm term) {
    api::PreferredSchedulingTerm t;
    t.weight = weight;
    t.preference = std::move(term);
    nodeAffinity().preferred.push_back(std::move(t));
    return *this;
  }
  PodBuilder& tolerate(std::string key, std::string op, std::string value = {}, std::string effect = {}) {
    api::Toleration t;
    t.key = std::move(key);
    t.op = std::move(op);
    t.value = std::move(value);
    t.effect = std::move(effect);
    pod_.spec.tolerations.push_back(std::move(t));
    return *this;
  }

  PodBuilder& container() { return begin(pod_.spec.containers); }
  PodBuilder& init() { return begin(pod_.spec.init_containers); }
  PodBuilder& sidecar() {
    init();
    current().restart_policy = "Always";
    return *this;
  }
  PodBuilder& image(std::string value) { return set(current().image, std::move(value)); }
  PodBuilder& containerRest(std::string json) { return set(current().rest, std::move(json)); }
  PodBuilder& cpu(std::string_view amount) { return request("cpu", amount); }
  PodBuilder& memory(std::string_view amount) { return request("memory", amount); }
  PodBuilder& request(std::string_view name, std::string_view amount) {
    current().resources.requests.set(name, quantity(amount));
    return *this;
  }
  PodBuilder& hostPort(std::int32_t port, std::string protocol = "TCP", std::string ip = {}) {
    api::ContainerPort p;
    p.host_port = port;
    p.container_port = port;
    p.protocol = std::move(protocol);
    p.host_ip = std::move(ip);
    current().ports.push_back(std::move(p));
    return *this;
  }
  PodBuilder& overhead(std::string_view name, std::string_view amount) {
    pod_.spec.overhead.set(name, quantity(amount));
    return *this;
  }
  PodBuilder& podLevel(std::string_view name, std::string_view amount) {
    if (!pod_.spec.resources) pod_.spec.resources.emplace();
    pod_.spec.resources->requests.set(name, quantity(amount));
    return *this;
  }
  PodBuilder& imageVolume(std::string reference) {
    api::Volume v;
    v.name = "image";
    v.sources.push_back("image");
    v.rest = "{\"image\":{\"reference\":\"" + reference + "\"}}";
    pod_.spec.volumes.push_back(std::move(v));
    return *this;
  }
  // Anything else.
  api::Pod& raw() { return pod_; }

  api::PodPtr obj() const { return std::make_shared<api::Pod>(pod_); }
  scheduler::PodInfoPtr info() const { return std::make_shared<scheduler::PodInfo>(obj()); }

 private:
  PodBuilder& set(std::string& field, std::string value) {
    field = std::move(value);
    return *this;
  }
  PodBuilder& begin(std::vector<api::Container>& list) {
    list.emplace_back();
    list.back().name = "c" + std::to_string(list.size());
    in_init_ = &list == &pod_.spec.init_containers;
    return *this;
  }
  api::Container& current() { return in_init_ ? pod_.spec.init_containers.back() : pod_.spec.containers.back(); }
  api::NodeAffinity& nodeAffinity() {
    if (!pod_.spec.affinity) pod_.spec.affinity.emplace();
    if (!pod_.spec.affinity->node) pod_.spec.affinity->node.emplace();
    return *pod_.spec.affinity->node;
  }

  api::Pod pod_;
  bool in_init_ = false;
};
inline PodBuilder makePod(std::string name) { return PodBuilder(std::move(name)); }

// A node without a word about resources has none, room for pods included.
class NodeBuilder {
 public:
  explicit NodeBuilder(std::string name) { node_.meta.name = std::move(name); }
  NodeBuilder& has(std::string_view resource, std::string_view amount) {
    node_.status.capacity.set(resource, quantity(amount));
    node_.status.allocatable.set(resource, quantity(amount));
    return *this;
  }
  NodeBuilder& label(std::string_view key, std::string_view value) {
    node_.meta.labels.set(key, value);
    return *this;
  }
  NodeBuilder& taint(std::string key, std::string value, std::string effect) {
    api::Taint t;
    t.key = std::move(key);
    t.value = std::move(value);
    t.effect = std::move(effect);
    node_.spec.taints.push_back(std::move(t));
    return *this;
  }
  NodeBuilder& unschedulable(bool value = true) {
    node_.spec.unschedulable = value;
    return *this;
  }
  NodeBuilder& declares(std::string feature) {
    node_.status.declared_features.push_back(std::move(feature));
    return *this;
  }
  api::Node& raw() { return node_; }

  api::NodePtr obj() const { return std::make_shared<api::Node>(node_); }
  // The node with pods on it.
  scheduler::NodeInfo info(const std::vector<scheduler::PodInfoPtr>& pods = {}) const {
    scheduler::NodeInfo info;
    info.setNode(obj());
    for (const scheduler::PodInfoPtr& pod : pods) info.addPod(pod);
    return info;
  }

 private:
  api::Node node_;
};
inline NodeBuilder makeNode(std::string name) { return NodeBuilder(std::move(name)); }

}  // namespace podberth::testkit
