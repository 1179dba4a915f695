#include <algorithm>
#include <cstring>

#include "core/scheduler/framework/handle.h"

namespace podberth::scheduler {
namespace {

constexpr std::string_view kAllAlpha = "AllAlpha";
constexpr std::string_view kAllBeta = "AllBeta";

using release::Stage;

const release::Gate* findGate(const release::GateTable& table, std::string_view name) {
  const release::Gate* end = table.gates + table.count;
  const release::Gate* it =
      std::lower_bound(table.gates, end, name, [](const release::Gate& g, std::string_view n) { return g.name < n; });
  return it != end && name == it->name ? it : nullptr;
}

const char* text(bool b) { return b ? "true" : "false"; }

// An aggregate of errors prints each different one once, in brackets if there are several.
std::string aggregate(const std::vector<std::string>& errors) {
  std::vector<std::string> seen;
  for (const std::string& e : errors) {
    if (std::find(seen.begin(), seen.end(), e) == seen.end()) seen.push_back(e);
  }
  if (seen.empty()) return {};
  if (seen.size() == 1) return seen[0];
  std::string out = "[";
  for (std::size_t i = 0; i < seen.size(); ++i) {
    if (i > 0) out += ", ";
    out += seen[i];
  }
  return out + "]";
}

}  // namespace

bool FeatureGates::enabled(std::string_view gate) const {
  bool alpha_set = false;
  bool alpha = false;
  bool beta_set = false;
  bool beta = false;
  for (const auto& [name, on] : set_) {
    if (name == gate) return on;
    if (name == kAllAlpha) {
      alpha_set = true;
      alpha = on;
    } else if (name == kAllBeta) {
      beta_set = true;
      beta = on;
    }
  }
  const release::Gate* known = findGate(*release_->gates, gate);
  if (known == nullptr) return false;
  if (alpha_set && known->stage == Stage::kAlpha && known->name != kAllAlpha && known->name != kAllBeta) return alpha;
  if (beta_set && known->stage == Stage::kBeta && known->name != kAllAlpha && known->name != kAllBeta) return beta;
  return known->on;
}

bool FeatureGates::set(std::string_view gate, bool on, std::string* error) {
  return setAll({{std::string(gate), on}}, error);
}

bool FeatureGates::setAll(const std::vector<std::pair<std::string, bool>>& gates, std::string* error) {
  std::vector<std::pair<std::string, bool>> all = set_;
  std::vector<std::string> errors;
  std::vector<std::pair<std::string, bool>> asked = gates;
  // The older release sets them in the order of their names, and the first error is the only one that is told.
  const bool one_by_one = release_->config == release::ConfigRules::kV1_24;
  if (one_by_one) std::sort(asked.begin(), asked.end());
  for (const auto& [name, on] : asked) {
    if (one_by_one && !errors.empty()) break;
    const release::Gate* known = findGate(*release_->gates, name);
    if (known == nullptr) {
      errors.push_back("unrecognized feature gate: " + name);
      break;
    }
    if (known->locked && known->on != on) {
      errors.push_back("cannot set feature gate " + name + " to " + text(on) + ", feature is locked to " +
                       text(known->on));
      continue;
    }
    auto it = std::find_if(all.begin(), all.end(), [&n = name](const auto& s) { return s.first == n; });
    if (it == all.end()) {
      all.emplace_back(name, on);
    } else {
      it->second = on;
    }
  }
  if (errors.empty()) {
    FeatureGates next(*release_);
    next.set_ = all;
    const release::GateDependency* dependencies = release_->gates->dependencies;
    const std::size_t count = release_->gates->dependency_count;
    for (std::size_t i = 0; i < count;) {
      const char* gate = dependencies[i].gate;
      std::string missing;
      for (; i < count && std::strcmp(dependencies[i].gate, gate) == 0; ++i) {
        if (next.enabled(dependencies[i].needs)) continue;
        if (!missing.empty()) missing += ' ';
        missing += dependencies[i].needs;
      }
      if (!missing.empty() && next.enabled(gate)) {
        errors.push_back(std::string(gate) + " is enabled, but depends on features that are disabled: [" + missing +
                         "]");
      }
    }
  }
  if (!errors.empty()) {
    if (error != nullptr) *error = aggregate(errors);
    return false;
  }
  set_ = std::move(all);
  return true;
}

}  // namespace podberth::scheduler
