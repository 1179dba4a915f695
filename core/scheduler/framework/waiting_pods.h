// Pods between their scheduling cycle and their binding: those that a Permit plugin makes wait, and those in PreBind,
// which preemption may still stop. Upstream: pkg/scheduler/framework/runtime/waiting_pods_map.go,
// pods_in_prebind_map.go.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/api/pod.h"
#include "core/clock/event_loop.h"
#include "core/scheduler/framework/handle.h"
#include "core/scheduler/framework/status.h"

namespace podberth::scheduler {

// A duration as Go prints it: "1m30s", "1.5s", "100ms", "0s".
std::string goDuration(clock::Duration d);

class PermitWait : public WaitingPod, public std::enable_shared_from_this<PermitWait> {
 public:
  // `waits`: by plugin, how long it waits at most before the pod is rejected.
  PermitWait(clock::EventLoop& loop, api::PodPtr pod) : loop_(loop), pod_(std::move(pod)) {}
  void start(const std::map<std::string, clock::Duration>& waits);

  const api::PodPtr& pod() const override { return pod_; }
  std::vector<std::string> pendingPlugins() const override;
  void allow(std::string_view plugin) override;
  bool reject(std::string_view plugin, const std::string& message) override;
  bool preempt(std::string_view plugin, const std::string& message) override;

  // Calls `done` once the outcome is there: at once if it is already, otherwise at that instant, after what brings it.
  void wait(std::function<void(const Status&)> done);

 private:
  bool stop(Code code, std::string_view plugin, const std::string& message);
  void send(Status status);

  clock::EventLoop& loop_;
  api::PodPtr pod_;
  std::map<std::string, clock::EventLoop::TimerId> pending_;
  std::optional<Status> outcome_;
  std::function<void(const Status&)> waiter_;
  bool done_ = false;
};

class WaitingPods {
 public:
  void add(clock::EventLoop& loop, const api::PodPtr& pod, const std::map<std::string, clock::Duration>& waits);
  // Null if no pod with the uid waits.
  std::shared_ptr<PermitWait> get(const std::string& uid) const;
  void remove(const std::string& uid) { pods_.erase(uid); }

 private:
  std::map<std::string, std::shared_ptr<PermitWait>> pods_;
};

class PodsInPreBind {
 public:
  using Cancel = std::function<void(const std::string& reason)>;
  void add(const std::string& uid, Cancel cancel);
  void remove(const std::string& uid) { pods_.erase(uid); }
  // True if the pod was in its PreBind: it will not be bound.
  bool cancel(const std::string& uid, const std::string& reason);
  // The pod goes on to be bound and cannot be stopped any more. False, with the reason, if it was cancelled before.
  bool markPrebound(const std::string& uid, std::string* reason);

 private:
  struct Pod {
    Cancel cancel;
    bool finished = false;
    bool canceled = false;
    std::string reason;
  };
  std::map<std::string, Pod> pods_;
};

}  // namespace podberth::scheduler
