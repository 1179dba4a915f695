#include "core/informers/shared_informer.h"

#include <utility>

namespace podberth::informers {

SharedInformer::SharedInformer(api::Kind kind, ListerWatcher source, trace::Recorder* recorder)
    : kind_(kind),
      source_(std::move(source)),
      recorder_(recorder),
      fifo_(DeltaFifo::KnownObjects{[this] { return indexer_.listKeys(); },
                                    [this](const std::string& key) { return indexer_.get(key); }}) {
  indexer_.addIndexer(kNamespaceIndex, namespaceIndexFunc);
}

void SharedInformer::addEventHandler(ResourceEventHandler handler) {
  processor_.addListener(std::move(handler));
  if (started_) {
    processor_.feed(processor_.listeners() - 1, indexer_.list());
    processor_.run();
  }
}

void SharedInformer::run() {
  if (started_) return;
  started_ = true;
  fifo_.replace(source_.list());
  source_.watch([this](WatchType type, const api::ObjectPtr& object) { onWatch(type, object); });
  processLoop();
}

void SharedInformer::relist() {
  fifo_.replace(source_.list());
  processLoop();
}

void SharedInformer::resync() {
  fifo_.resync();
  processLoop();
}

void SharedInformer::onWatch(WatchType type, const api::ObjectPtr& object) {
  switch (type) {
    case WatchType::kAdded:
      hop("Reflector", "ADDED", *object);
      fifo_.add(object);
      break;
    case WatchType::kModified:
      hop("Reflector", "MODIFIED", *object);
      fifo_.update(object);
      break;
    case WatchType::kDeleted:
      hop("Reflector", "DELETED", *object);
      fifo_.remove(object);
      break;
  }
  processLoop();
}

void SharedInformer::processLoop() {
  while (fifo_.pop([this](const std::string&, const std::vector<Delta>& deltas, bool) { handleDeltas(deltas); })) {
  }
}

void SharedInformer::handleDeltas(const std::vector<Delta>& deltas) {
  for (const Delta& delta : deltas) {  // oldest first
    hop("DeltaFIFO", deltaTypeName(delta.type), *delta.object);
    Notification n;
    n.object = delta.object;
    bool sync = false;
    if (delta.type == Delta::Type::kDeleted) {
      indexer_.remove(delta.object->key());
      hop("Indexer", "Delete", *delta.object);
      n.type = Notification::Type::kDelete;
      n.final_state_unknown = delta.final_state_unknown;
    } else if (const api::ObjectPtr old_object = indexer_.get(delta.object->key()); old_object != nullptr) {
      indexer_.update(delta.object);
      hop("Indexer", "Update", *delta.object);
      n.type = Notification::Type::kUpdate;
      n.old_object = old_object;
      // A replaced object of the version that is known already tells as little as a Sync.
      sync = delta.type == Delta::Type::kSync ||
             (delta.type == Delta::Type::kReplaced &&
              old_object->meta.resource_version == delta.object->meta.resource_version);
    } else {
      indexer_.add(delta.object);
      hop("Indexer", "Add", *delta.object);
    }
    processor_.distribute(n, sync);
    if (!sync && processor_.listeners() > 0) hop("sharedProcessor", "distribute", *delta.object);
  }
  processor_.run();
}

void SharedInformer::hop(const char* station, const char* what, const api::Object& object) {
  if (recorder_ == nullptr || !recorder_->informers) return;
  trace::Entry entry;
  entry.type = trace::Type::kInformer;
  entry.point = station;
  entry.event = what;
  entry.reason = kind_ == api::Kind::kOther ? object.kind_name : std::string(api::kindName(kind_));
  entry.pod = object.key();
  recorder_->add(std::move(entry));
}

}  // namespace podberth::informers
