// What a listener of a shared informer gets to hear. Upstream: k8s.io/client-go/tools/cache/controller.go.
#pragma once

#include <functional>

#include "core/api/meta.h"

namespace podberth::informers {

struct ResourceEventHandler {
  std::function<void(const api::ObjectPtr& object)> on_add;
  std::function<void(const api::ObjectPtr& old_object, const api::ObjectPtr& new_object)> on_update;
  // `final_state_unknown`: the deletion itself was missed, the object is the last one known (DeletedFinalStateUnknown).
  std::function<void(const api::ObjectPtr& object, bool final_state_unknown)> on_delete;
};

// Where the scheduler and its plugins register their handlers. Handlers of a kind are called in the order of
// registration.
class InformerFactory {
 public:
  virtual ~InformerFactory() = default;
  virtual void addEventHandler(api::Kind kind, ResourceEventHandler handler) = 0;
};

}  // namespace podberth::informers
