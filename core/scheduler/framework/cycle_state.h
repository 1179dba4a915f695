// What plugins remember from one extension point to the next of the same attempt. Upstream:
// pkg/scheduler/framework/cycle_state.go.
#pragma once

#include <bitset>
#include <memory>
#include <utility>
#include <vector>

namespace podberth::scheduler {

struct StateData {
  virtual ~StateData() = default;
  // A copy that AddPod and RemovePod may change; null if sharing is fine.
  virtual std::shared_ptr<StateData> clone() const { return nullptr; }
};

// Names a T in a CycleState: a plugin has `inline constexpr StateKey<PreFilterState>
// kPreFilterStateKey{"PreFilterNodePorts"};` Keys are told apart by their address.
template <class T>
struct StateKey {
  const char* name;
};

inline constexpr std::size_t kMaxPlugins = 64;
using PluginSet = std::bitset<kMaxPlugins>;  // by index in the profile's plugin list

class CycleState {
 public:
  // Null if nothing was written under the key.
  template <class T>
  T* read(const StateKey<T>& key) const {
    for (const auto& [k, data] : data_) {
      if (k == &key) return static_cast<T*>(data.get());
    }
    return nullptr;
  }
  template <class T>
  void write(const StateKey<T>& key, std::shared_ptr<T> data) {
    for (auto& [k, old] : data_) {
      if (k == &key) {
        old = std::move(data);
        return;
      }
    }
    data_.emplace_back(&key, std::move(data));
  }
  template <class T>
  void erase(const StateKey<T>& key) {
    for (auto it = data_.begin(); it != data_.end(); ++it) {
      if (it->first == &key) {
        data_.erase(it);
        return;
      }
    }
  }
  CycleState clone() const;

  // Plugins that said Skip in PreFilter, PreScore and PreBindPreFlight.
  PluginSet skip_filter;
  PluginSet skip_score;
  PluginSet skip_pre_bind;
  // False: all nodes of the snapshot; true: PreFilter has narrowed them.
  bool skip_all_post_filter = false;

 private:
  std::vector<std::pair<const void*, std::shared_ptr<StateData>>> data_;
};

}  // namespace podberth::scheduler
