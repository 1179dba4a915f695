// Lists of resources as objects carry them.
#pragma once

#include <utility>
#include <vector>

#include "core/api/quantity.h"
#include "core/api/symbol.h"

namespace podberth::api {

// v1.ResourceList, in the order of the names' text.
class ResourceList {
 public:
  using Item = std::pair<Symbol, Quantity>;
  void set(Symbol name, Quantity q);
  void set(std::string_view name, Quantity q) { set(Symbol(name), std::move(q)); }
  void erase(Symbol name);
  const Quantity* find(Symbol name) const {
    for (const Item& item : items_) {
      if (item.first == name) return &item.second;
    }
    return nullptr;
  }
  bool has(Symbol name) const { return find(name) != nullptr; }
  bool empty() const { return items_.empty(); }
  std::size_t size() const { return items_.size(); }
  auto begin() const { return items_.begin(); }
  auto end() const { return items_.end(); }
  friend bool operator==(const ResourceList& a, const ResourceList& b) { return a.items_ == b.items_; }
  friend bool operator!=(const ResourceList& a, const ResourceList& b) { return !(a == b); }

 private:
  std::vector<Item> items_;
};

struct ResourceRequirements {
  ResourceList requests;
  ResourceList limits;
  std::string rest;  // claims, as canonical JSON
  friend bool operator==(const ResourceRequirements& a, const ResourceRequirements& b) {
    return a.requests == b.requests && a.limits == b.limits && a.rest == b.rest;
  }
};

namespace resource {
// Names that rules refer to.
extern const Symbol kCPU;               // cpu
extern const Symbol kMemory;            // memory
extern const Symbol kEphemeralStorage;  // ephemeral-storage
extern const Symbol kPods;              // pods
extern const Symbol kStorage;           // storage
}  // namespace resource

}  // namespace podberth::api
