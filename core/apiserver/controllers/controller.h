// One controller: it is told which of its objects to look at, compares what is with what should be, and writes the
// difference. It knows the cluster by the mirror only.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "core/apiserver/controllers/mirror.h"
#include "core/apiserver/controllers/specs.h"
#include "core/apiserver/controllers/writer.h"
#include "core/clock/event_loop.h"

namespace podberth::apiserver {

// What controllers share.
struct ControlContext {
  const clock::EventLoop& loop;
  const Mirror& mirror;
  Specs& specs;
  Writer& writer;
};

class Controller {
 public:
  explicit Controller(const ControlContext& context)
      : loop_(context.loop), mirror_(context.mirror), specs_(context.specs), writer_(context.writer) {}
  virtual ~Controller() = default;
  Controller(const Controller&) = delete;
  Controller& operator=(const Controller&) = delete;

  // The kind of the objects it looks after.
  virtual api::Kind kind() const = 0;
  // Brings the cluster nearer to what an object of its kind wants. Returns false if a write was refused: then it is
  // tried again later. May set `again` to be called once more after that time without anything having changed.
  virtual bool sync(const api::Object& object, clock::Duration* again) = 0;
  // Whether a change of one of its pods may be a reason to look at an object again. Without this every binding would be
  // one, and the time that a scenario takes would grow with the square of the pods.
  virtual bool concerns(const api::Object& object, const PodChange& change) const = 0;
  // The object is gone for good.
  virtual void forget(const api::Object& /*object*/) {}

 protected:
  const clock::EventLoop& loop_;
  const Mirror& mirror_;
  Specs& specs_;
  Writer& writer_;
};

std::unique_ptr<Controller> makeReplicaSetController(const ControlContext& context);
std::unique_ptr<Controller> makeReplicationController(const ControlContext& context);
std::unique_ptr<Controller> makeDeploymentController(const ControlContext& context);
std::unique_ptr<Controller> makeStatefulSetController(const ControlContext& context);
std::unique_ptr<Controller> makeDaemonSetController(const ControlContext& context);
std::unique_ptr<Controller> makeJobController(const ControlContext& context);

}  // namespace podberth::apiserver
