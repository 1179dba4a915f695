// The writes of the controllers. Each is recorded, with its owner, and with the API server's text if it is refused.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "core/api/pod.h"
#include "core/apiserver/controllers/mirror.h"
#include "core/apiserver/json_view.h"
#include "core/apiserver/server.h"
#include "core/trace/recorder.h"

namespace podberth::apiserver {

// The pods that belong to a workload, by key.
class Claimed {
 public:
  explicit Claimed(const Mirror::Owned& owned) : owned_(owned) {}
  const Mirror::Pods& pods() const { return changed_ ? pods_ : owned_.pods; }
  int active() const;
  // Others than the mirror knows.
  Mirror::Pods& change();

 private:
  const Mirror::Owned& owned_;
  bool changed_ = false;
  Mirror::Pods pods_;
};

class Writer {
 public:
  Writer(Server& server, Mirror& mirror, trace::Recorder& recorder)
      : server_(server), mirror_(mirror), recorder_(recorder) {}

  // The pod of a template, owned by `owner`: ready to be named and changed.
  static Json podJson(const Json& pod_template, const api::Object& owner);
  // An object with `owner` as its controller.
  static void own(Json& object, const api::Object& owner);

  // Creates an object. Returns false if it is refused.
  bool create(const Json& object, const api::Object& owner);
  // Creates a pod named `prefix` and five letters that follow from `seed`; another five if somebody has that name.
  bool createNamed(Json pod, const std::string& prefix, const std::string& seed, const api::Object& owner);
  void remove(const api::Object& object, const api::Object& owner, const char* verb = "delete");
  // Puts another version of an object in its place; `verb` tells how it differs.
  void replace(const std::string& verb, std::shared_ptr<api::Object> object, const api::Object& owner);

  // The pods that belong to a workload: those it controls. Pods without a controller that its selector selects are
  // taken in, and pods that it does not select any more are let go, as upstream's ControllerRefManager does.
  // `fits` can turn down strangers. Looks only at what has changed since the last time.
  Claimed claim(const api::Object& owner, const std::function<bool(const api::Pod&)>& fits = {});
  // Makes `owner` the controller of an object that has none.
  void adopt(const api::Object& object, const api::Object& owner);

 private:
  trace::Entry& record(std::string verb, const api::Object& object, const api::Object& owner);
  void release(const api::Object& object, const api::Object& owner);

  Server& server_;
  Mirror& mirror_;
  trace::Recorder& recorder_;
  int created_ = 0;
};

}  // namespace podberth::apiserver
