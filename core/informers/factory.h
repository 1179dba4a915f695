// The informers of all kinds that the scheduler reads, and listers over their stores. Upstream:
// client-go/informers/factory.go.
#pragma once

#include <functional>
#include <map>
#include <memory>

#include "core/informers/shared_informer.h"

namespace podberth::informers {

class SharedInformerFactory : public InformerFactory {
 public:
  using Source = std::function<ListerWatcher(api::Kind)>;
  SharedInformerFactory(Source source, trace::Recorder* recorder);

  void addEventHandler(api::Kind kind, ResourceEventHandler handler) override;
  SharedInformer& informer(api::Kind kind);
  // Starts all informers: each lists, hands on what it has listed, and watches.
  void start();

 private:
  std::map<api::Kind, std::unique_ptr<SharedInformer>> informers_;
};

}  // namespace podberth::informers
