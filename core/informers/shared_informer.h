// An informer: Reflector (list and watch) -> DeltaFIFO -> process loop (HandleDeltas) -> Indexer and shared processor
// -> listeners. Upstream: client-go/tools/cache/{reflector,controller,shared_informer}.go.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/informers/delta_fifo.h"
#include "core/informers/handler.h"
#include "core/informers/indexer.h"
#include "core/informers/shared_processor.h"
#include "core/trace/recorder.h"

namespace podberth::informers {

// What the reflector hears from the API server.
enum class WatchType { kAdded, kModified, kDeleted };
struct ListerWatcher {
  std::function<std::vector<api::ObjectPtr>()> list;
  // Calls back for every change from now on.
  std::function<void(std::function<void(WatchType, const api::ObjectPtr&)>)> watch;
};

class SharedInformer {
 public:
  SharedInformer(api::Kind kind, ListerWatcher source, trace::Recorder* recorder);
  SharedInformer(const SharedInformer&) = delete;
  SharedInformer& operator=(const SharedInformer&) = delete;

  // A handler added to an informer that runs hears of all objects in the store first.
  void addEventHandler(ResourceEventHandler handler);
  // Lists, then watches. Does nothing the second time.
  void run();
  // Lists again, as a reflector does whose watch has broken.
  void relist();
  // Every object once more, as Sync.
  void resync();
  bool hasSynced() const { return started_ && fifo_.hasSynced(); }

  Indexer& indexer() { return indexer_; }
  const Indexer& indexer() const { return indexer_; }
  api::Kind kind() const { return kind_; }

 private:
  void onWatch(WatchType type, const api::ObjectPtr& object);
  void processLoop();
  void handleDeltas(const std::vector<Delta>& deltas);
  void hop(const char* station, const char* what, const api::Object& object);

  api::Kind kind_;
  ListerWatcher source_;
  trace::Recorder* recorder_;
  Indexer indexer_;
  DeltaFifo fifo_;
  SharedProcessor processor_;
  bool started_ = false;
};

}  // namespace podberth::informers
