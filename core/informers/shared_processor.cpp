#include "core/informers/shared_processor.h"

#include <utility>

namespace podberth::informers {

ResourceEventHandler filtering(std::function<bool(const api::Object&)> filter, ResourceEventHandler handler) {
  ResourceEventHandler out;
  out.on_add = [filter, handler](const api::ObjectPtr& object) {
    if (filter(*object) && handler.on_add) handler.on_add(object);
  };
  out.on_update = [filter, handler](const api::ObjectPtr& old_object, const api::ObjectPtr& new_object) {
    const bool was = filter(*old_object);
    const bool is = filter(*new_object);
    if (was && is) {
      if (handler.on_update) handler.on_update(old_object, new_object);
    } else if (is) {
      if (handler.on_add) handler.on_add(new_object);
    } else if (was) {
      if (handler.on_delete) handler.on_delete(old_object, false);
    }
  };
  out.on_delete = [filter, handler](const api::ObjectPtr& object, bool final_state_unknown) {
    if (filter(*object) && handler.on_delete) handler.on_delete(object, final_state_unknown);
  };
  return out;
}

void SharedProcessor::addListener(ResourceEventHandler handler, bool resyncs) {
  Listener listener;
  listener.handler = std::move(handler);
  listener.resyncs = resyncs;
  listeners_.push_back(std::move(listener));
}

void SharedProcessor::distribute(const Notification& notification, bool sync) {
  for (Listener& listener : listeners_) {
    if (!sync || listener.resyncs) listener.pending.push_back(notification);
  }
}

void SharedProcessor::feed(std::size_t listener, const std::vector<api::ObjectPtr>& objects) {
  for (const api::ObjectPtr& object : objects) {
    Notification n;
    n.object = object;
    listeners_[listener].pending.push_back(std::move(n));
  }
}

void SharedProcessor::run() {
  for (std::size_t i = 0; i < listeners_.size(); ++i) {
    while (!listeners_[i].pending.empty()) {
      const Notification n = std::move(listeners_[i].pending.front());
      listeners_[i].pending.pop_front();
      const ResourceEventHandler& handler = listeners_[i].handler;
      switch (n.type) {
        case Notification::Type::kAdd:
          if (handler.on_add) handler.on_add(n.object);
          break;
        case Notification::Type::kUpdate:
          if (handler.on_update) handler.on_update(n.old_object, n.object);
          break;
        case Notification::Type::kDelete:
          if (handler.on_delete) handler.on_delete(n.object, n.final_state_unknown);
          break;
      }
    }
  }
}

}  // namespace podberth::informers
