#include "core/scheduler/plugins/helper/sign.h"

#include <algorithm>
#include <cstdint>
#include <set>

#include "core/base/sort.h"
#include "core/scheduler/plugins/helper/resource_scorer.h"

namespace podberth::scheduler::plugins::sign {
namespace {

constexpr const char* kNull = "null";

std::string requirements(const std::vector<api::NodeSelectorRequirement>& list_of) {
  std::vector<std::string> out;
  for (const api::NodeSelectorRequirement& r : list_of) {
    std::vector<std::string> parts = r.values;
    base::sortTexts(parts);
    std::string text;
    append(text, r.key);
    append(text, r.op);
    text += list(parts);
    out.push_back(std::move(text));
  }
  base::sortTexts(out);
  return list(out);
}

std::string term(const api::NodeSelectorTerm& t) {
  std::string out;
  append(out, requirements(t.match_expressions));
  append(out, requirements(t.match_fields));
  return out;
}

}  // namespace

void append(std::string& out, std::string_view text) {
  out += std::to_string(text.size());
  out += ':';
  out += text;
}

std::string list(const std::vector<std::string>& texts) {
  std::string out = "[";
  for (const std::string& t : texts) append(out, t);
  return out + "]";
}

std::string tolerations(const api::Pod& pod) {
  std::vector<const api::Toleration*> sorted;
  for (const api::Toleration& t : pod.spec.tolerations) sorted.push_back(&t);
  base::stableSort(sorted, [](const api::Toleration* a, const api::Toleration* b) {
    return a->key != b->key ? a->key < b->key : a->value < b->value;
  });
  std::string out;
  for (const api::Toleration* t : sorted) {
    append(out, t->key);
    append(out, t->op);
    append(out, t->value);
    append(out, t->effect);
    append(out, t->toleration_seconds ? std::to_string(*t->toleration_seconds) : std::string());
  }
  return out;
}

std::string nodeSelector(const api::Pod& pod) {
  std::string out;
  for (const auto& [key, value] : pod.spec.node_selector) {
    append(out, key);
    append(out, value);
  }
  return out;
}

std::string nodeAffinity(const api::Pod& pod) {
  if (!pod.spec.affinity || !pod.spec.affinity->node) return kNull;
  const api::NodeAffinity& affinity = *pod.spec.affinity->node;
  std::vector<std::string> required;
  if (affinity.required) {
    for (const api::NodeSelectorTerm& t : affinity.required->terms) required.push_back(term(t));
    base::sortTexts(required);
  }
  std::vector<std::string> preferred;
  for (const api::PreferredSchedulingTerm& p : affinity.preferred) {
    std::string text;
    append(text, std::to_string(p.weight));
    text += term(p.preference);
    preferred.push_back(std::move(text));
  }
  base::sortTexts(preferred);
  return list(required) + list(preferred);
}

std::string hostPorts(const api::Pod& pod) {
  std::set<std::int32_t> ports;
  for (const auto* containers : {&pod.spec.containers, &pod.spec.init_containers}) {
    for (const api::Container& c : *containers) {
      for (const api::ContainerPort& p : c.ports) {
        if (p.host_port != 0) ports.insert(p.host_port);
      }
    }
  }
  std::string out;
  for (const std::int32_t p : ports) out += std::to_string(p) + " ";
  return out;
}

std::string volumes(const api::Pod& pod) {
  std::vector<std::string> texts;
  for (const api::Volume& v : pod.spec.volumes) {
    const auto is = [&v](const char* source) {
      return std::find(v.sources.begin(), v.sources.end(), source) != v.sources.end();
    };
    if (!is("configMap") && !is("secret")) texts.push_back(v.rest);
  }
  base::sortTexts(texts);
  return list(texts);
}

std::string resources(const api::Pod& pod) {
  const Resource r = specRequests(pod);
  std::string out =
      std::to_string(r.milli_cpu) + " " + std::to_string(r.memory) + " " + std::to_string(r.ephemeral_storage) + " ";
  for (const auto& [name, value] : r.scalar) {
    append(out, name);
    out += std::to_string(value) + " ";
  }
  return out;
}

}  // namespace podberth::scheduler::plugins::sign
