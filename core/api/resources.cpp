#include "core/api/resources.h"

#include <algorithm>

namespace podberth::api {

void ResourceList::set(Symbol name, Quantity q) {
  const auto at = std::lower_bound(items_.begin(), items_.end(), name,
                                   [](const Item& item, Symbol key) { return item.first < key; });
  if (at != items_.end() && at->first == name) {
    at->second = std::move(q);
  } else {
    items_.insert(at, Item(name, std::move(q)));
  }
}

void ResourceList::erase(Symbol name) {
  items_.erase(std::remove_if(items_.begin(), items_.end(), [name](const Item& item) { return item.first == name; }),
               items_.end());
}

namespace resource {
// Initialised before other statics, which may be made of them.
#define PODBERTH_EARLY __attribute__((init_priority(1000)))
PODBERTH_EARLY const Symbol kCPU("cpu");
PODBERTH_EARLY const Symbol kMemory("memory");
PODBERTH_EARLY const Symbol kEphemeralStorage("ephemeral-storage");
PODBERTH_EARLY const Symbol kPods("pods");
PODBERTH_EARLY const Symbol kStorage("storage");
#undef PODBERTH_EARLY
}  // namespace resource

}  // namespace podberth::api
